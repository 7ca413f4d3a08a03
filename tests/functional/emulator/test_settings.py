# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Dialects, and the settings of which the probe's tests (``test_a_setting_is_found``) do not see everything."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from emulator import CHOICES, Client, Dialect
from emulator.dialect import parse_setting, usable
from functional.emulator.conftest import BUCKET, EXPORT, QUOTA, START, Rig

JSON, HTML = "application/json", "text/html; charset=utf-8"
WEB = {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}
ALL = {"id", "desc", "iprange", "apionly", "readonly", "appendonly", "token"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"answers": "rude"}, "answers: 'rude' is none of 'plain', 'terse', 'html', 'odd'"),
        ({"trim_keys": 1}, "trim_keys: 1"),
        ({"page_size": 0}, "page_size: 0"),
        ({"page_size": 1.5}, "page_size: 1.5"),
        ({"rate_limit": True}, "rate_limit: True"),
        ({"appear_after": -1.0}, "appear_after: -1.0"),
        ({"appear_after": float("nan")}, "appear_after: nan"),
        ({"vanish_after": float("inf")}, "vanish_after: inf"),
        ({"ready_after": "soon"}, "ready_after: 'soon'"),
        ({"colour": "red"}, "no setting 'colour'"),
    ],
    ids=str,
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Dialect.of(settings)


TYPED = {"page_size=5": 5, "appear_after=1.5": 1.5, "ready_after=unknown": "unknown", "trim_keys=true": True,
         "delete_children=404": "404"}  # fmt: skip


@pytest.mark.parametrize("text", [*TYPED, "page_size", "colour=red", "=1"])
def test_settings_as_users_type_them(text: str) -> None:
    if text in TYPED:
        assert parse_setting(text) == (text.partition("=")[0], TYPED[text])
    else:
        with pytest.raises(ValueError, match="is not"):
            parse_setting(text)


def test_dialects_by_name_and_at_random() -> None:
    assert Dialect.named("default") == Dialect()
    assert len({Dialect.named(name) for name in Dialect.names()}) == 12
    assert Dialect.named("paged", page_size=9).differences() == {"list_shape": "page", "page_size": 9}
    with pytest.raises(ValueError, match=r"no dialect 'klingon'; there are chatty"):
        Dialect.named("klingon")
    for broken in (False, True):
        drawn = [Dialect.random(seed, broken) for seed in range(300)]
        assert drawn == [Dialect.random(seed, broken) for seed in range(300)]
        for name, values in CHOICES.items():
            assert {getattr(dialect, name) for dialect in drawn} == set(values if broken else usable(name)), name


def test_another_dialect_can_be_set_at_any_time(rig: Rig) -> None:
    rig.speak(stale_every=1)
    rig.send("POST", "quotas", {"path": "/a"})
    assert rig.get("quotas") == []
    rig.server.dialect = Dialect(stale_every=1, record_fields="some")
    assert rig.get("quotas") == [{"id": 30001, "path": "/a", "size": 0}]


@pytest.mark.parametrize(
    ("answers", "statuses", "deleted", "by_field", "unknown"),
    [
        ("plain", [201, 200, 204, 401, 404], "", '{"<b>":["This field', '{"detail":"Not Found."}'),
        ("terse", [204, 204, 204, 403, 405], "", "", ""),
        ("html", [200, 200, 200, 400, 200], "<title>Deleted", "<title>400 Bad Request: &lt;b&gt;: This", "<title>200 OK"),
        ("odd", [202, 200, 202, 418, 501], '{"detail":"Deleted."}', '{"error":"<b>: This', '{"error":"Not Impl'),
    ],
)  # fmt: skip
def test_answers(rig: Rig, answers: str, statuses: list[int], deleted: str, by_field: str, unknown: str) -> None:
    rig.speak(answers=answers, ready_after="unknown", put="reject")
    made, updated = rig.send("POST", "quotas", {"path": "/a"}), rig.send("PUT", QUOTA, {"path": "/b"})
    refused, gone = rig.send("PUT", QUOTA, {"<b>": 1}), rig.send("DELETE", QUOTA)
    nothing = rig.send("GET", "/nothing")
    with Client(rig.server.url, rig.server.access_key, "wrong", clock=rig.clock) as other:
        unsigned = other.send("GET", "/volumes")
    assert [reply.status for reply in (made, updated, gone, unsigned, nothing)] == statuses
    assert (refused.status, rig.send("GET", "is_ready").status) == (400, statuses[-1])
    assert [bool(reply.body) for reply in (made, updated)] == [answers != "terse"] * 2
    for reply, text in ((gone, deleted), (refused, by_field), (nothing, unknown)):
        assert (text in reply.text, bool(reply.body)) == (True, bool(text))
        assert reply.headers.get("content-type") == (None if not text else HTML if answers == "html" else JSON)


@pytest.mark.parametrize(("answers", "expected"), [("plain", "7"), ("terse", None), ("html", START + 7)])
def test_rate_limit_and_retry_after(rig: Rig, answers: str, expected: Any) -> None:
    rig.speak(rate_limit=3, answers=answers)
    rig.server.retry_delay = 7
    replies = [rig.send("POST", "quotas", {"path": f"/{number}"}) for number in range(7)]
    assert [number for number, reply in enumerate(replies) if reply.status == 429] == [2, 5]
    assert list(rig.quotas()) == ["/0", "/1", "/3", "/4", "/6"]
    shown = replies[2].headers.get("retry-after")
    assert (parsedate_to_datetime(str(shown)).timestamp() if answers == "html" else shown) == expected
    assert rig.server.requests[2].retry_after == shown


RESET = {"desc": "www", "iprange": "10.0.0.0/8", "readonly": False}


@pytest.mark.parametrize(
    ("settings", "sent", "changed"),
    [
        ({"put": "any"}, {"readonly": 1}, None),
        ({"put": "reject"}, {"desc": "www", "unheard": True}, None),
        ({"put": "reset"}, {"desc": "www", "iprange": "10.0.0.0/8"}, {**RESET, "apionly": False}),
        ({"put": "reset", "record_fields": "some"}, {"desc": "www", "iprange": "10.0.0.0/8"}, RESET),
        ({"put": "reset"}, {"desc": "www", "iprange": "10.0.0.0/8", "readonly": True}, {**RESET, "readonly": True}),
        ({"put": "reset"}, {"readonly": True}, {"desc": "", "iprange": ""}),
        ({"put": "lose"}, {"desc": "www", "iprange": "10.0.0.0/8", "readonly": True}, RESET),
    ],
    ids=str,
)
def test_put(rig: Rig, settings: dict[str, str], sent: Any, changed: Any) -> None:
    rig.speak(**settings)
    rig.server.add_export(101, **WEB)
    before = rig.server.exports(101)[0]
    assert rig.send("PUT", EXPORT, sent).status == (400 if changed is None else 200)
    assert rig.server.exports(101) == [{**before, **(changed or {})}]


def test_normalise(rig: Rig) -> None:
    rig.speak(normalise="strip")
    networks = {"10.0.0.1/8": "10.0.0.0/8", "10.1.2.3": "10.1.2.3/32", "2001:DB8::1/64": "2001:db8::/64", "*": "*"}
    paths = {"/a/": "/a", "//b//c": "/b/c", "/": "/"}
    for network in networks:
        rig.send("POST", "exports", {"desc": network, "iprange": network})
    for text in paths:
        rig.send("POST", "quotas", {"path": text})
    for shown in (rig.get("exports"), rig.get("/volumes")[0]["access_rules"]):
        assert [record["iprange"] for record in shown] == list(networks.values())
    assert [record["path"] for record in rig.get("quotas")] == list(paths.values())
    assert [export["iprange"] for export in rig.server.exports(101)] == list(networks)


@pytest.mark.parametrize(
    ("settings", "other", "status"),
    [
        ({}, "/a", 201),
        ({"unique_keys": True}, "/a", 400),
        ({"unique_keys": True}, "//a/", 201),
        ({"unique_keys": True, "normalise": "strip"}, "//a/", 400),
        ({"unique_keys": True}, "/a ", 201),
        ({"unique_keys": True, "trim_keys": True}, "/a ", 400),
    ],
    ids=str,
)
def test_unique_keys(rig: Rig, settings: Any, other: str, status: int) -> None:
    rig.speak(**settings)
    for path in ("/a", "/b"):
        rig.send("POST", "quotas", {"path": path})
    steps = [("quotas/30002", other), ("quotas/30002", "/b"), (QUOTA, "/a"), (QUOTA, "/a/")]
    found = [rig.send("PUT", path, {"path": key}).status for path, key in steps]
    assert found == [400 if status == 400 else 200, 200, 200, 200]
    rig.send("PUT", QUOTA, {"path": "/a"})
    assert rig.send("POST", "quotas", {"path": other}).status == status


def test_unique_keys_of_volumes_and_of_exports_without_one(rig: Rig) -> None:
    rig.speak(unique_keys=True)
    new = {"name": "archive", "bucket": BUCKET}
    assert rig.send("POST", "/volumes", new).json == {"name": ["A record with this name already exists."]}
    assert [rig.send("POST", "exports", {"iprange": "*"}).status for _time in range(2)] == [201, 201]
    rig.send("DELETE", "/volumes/101")
    assert rig.send("POST", "/volumes", new).status == 201


@pytest.mark.parametrize(
    ("fields", "export", "quota"),
    [
        ("sent", {"id", "desc", "iprange", "readonly"}, {"id", "path", "inodes", "size"}),
        ("some", {"id", "desc", "iprange"}, {"id", "path", "size"}),
        ("all", ALL, {"id", "path", "inodes", "size"}),
        ("more", ALL | {"created", "volume", "mount"}, {"id", "path", "inodes", "size", "created", "volume", "usage"}),
    ],
)
def test_record_fields(rig: Rig, fields: str, export: set[str], quota: set[str]) -> None:
    rig.speak(record_fields=fields)
    rig.send("POST", "exports", {**WEB, "unheard": 1})
    made = rig.send("POST", "quotas", {"path": "/a", "inodes": 5}).json
    assert set(made) == quota - ({"size"} if fields == "sent" else set())
    rig.send("PUT", QUOTA, {"path": "/a", "size": 7})
    (shown,) = rig.get("exports")
    assert (set(shown), set(rig.get("quotas")[0])) == (export, quota)
    assert fields != "more" or shown["mount"]["credentials"]["token"] == shown["token"]


@pytest.mark.parametrize(
    ("numbers", "sizes"), [("number", (0, 5)), ("string", ("0", "5")), ("null", (None, 5)), ("omitted", ("none", 5))]
)
def test_numbers(rig: Rig, numbers: str, sizes: tuple[Any, Any]) -> None:
    rig.speak(numbers=numbers)
    rig.server.add_quotas(101, [{"path": "/a"}, {"path": "/b", "size": 5, "inodes": 6}])
    shown = rig.get("quotas")
    assert tuple(record.get("size", "none") for record in shown) == sizes
    assert [record["id"] for record in shown] == [str(id_) if numbers == "string" else id_ for id_ in (30001, 30002)]
    for value, taker in ((None, "null"), ("7", "string")):
        status = rig.send("PUT", "quotas/30002", {"path": "/b", "size": value}).status
        assert status == (200 if numbers == taker else 400)
    assert rig.quotas()["/b"] == {"null": 0, "string": 7}.get(numbers, 5)
    volume = rig.get("/volumes")[0]
    assert (volume["blockSize"], volume["compatible"]) == ("4096" if numbers == "string" else 4096, False)
