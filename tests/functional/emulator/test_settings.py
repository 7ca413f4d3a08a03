# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Dialects, their settings that the probe's tests (``test_a_setting_is_found``) do not see, and lists."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from emulator import CHOICES, Client, Dialect, Reply
from emulator.dialect import NAMED, parse_setting, usable
from functional.emulator.conftest import BUCKET, EXPORT, QUOTA, START, Rig

JSON, HTML = "application/json", "text/html; charset=utf-8"
WEB = {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}
ALL = {"id", "desc", "iprange", "apionly", "readonly", "appendonly", "token"}
LIMITS = {"id", "path", "inodes", "size"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"answers": "rude"}, "answers: 'rude' is none of 'plain', 'terse', 'html', 'odd'"),
        ({"unique_keys": 1}, "unique_keys: 1"),
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


TYPED = {"page_size=5": 5, "appear_after=1.5": 1.5, "ready_after=unknown": "unknown", "unique_keys=true": True,
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
    assert len({Dialect.named(name) for name in NAMED}) == 12
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
        ({"unique_keys": True}, "/A", 201),
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


SHOWN = {
    "sent": ({"id", "desc", "iprange", "readonly"}, LIMITS),
    "some": ({"id", "desc", "iprange"}, LIMITS - {"inodes"}),
    "all": (ALL, LIMITS),
    "more": (ALL | {"created", "volume", "mount"}, LIMITS | {"created", "volume", "usage"}),
}


@pytest.mark.parametrize("fields", SHOWN)
def test_record_fields(rig: Rig, fields: str) -> None:
    export, quota = SHOWN[fields]
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


OTHER = 900_000_101


@pytest.mark.parametrize(("how", "key"), [("absent", {}), ("null", {"path": None})])
def test_user_quotas(rig: Rig, how: str, key: dict[str, Any]) -> None:
    rig.speak(user_quotas=how, list_shape="page", page_size=1, numbers="string")
    assert rig.get("quotas?page=1")["count"] == 0
    rig.server.add_quota(101, path="/a")
    pages = [rig.get(f"quotas?page={number}") for number in (1, 2)]
    (other,) = pages[0]["results"]
    assert other == {"id": str(OTHER), "type": "user", "uid": "1000", "size": str(1 << 30), **key}
    assert ([page["count"] for page in pages], pages[1]["results"][0]["path"]) == ([2, 2], "/a")
    path = f"quotas/{OTHER}"
    assert [rig.send(method, path, body).status for method, body in (("PUT", {}), ("DELETE", None))] == [404, 404]
    assert [entry.method for entry in rig.server.strays] == ["PUT", "DELETE"]
    rig.send("DELETE", QUOTA)
    assert rig.get("quotas")["results"] == [other]
    assert (rig.quotas(), rig.get("exports")["count"]) == ({}, 0)
    rig.speak(user_quotas=how, keys="missing")
    rig.server.add_quota(101, path="/b")
    assert len(rig.get("quotas")) == 1


BASE = "/api/v1/volumes/101/quotas?page="
FIRST = f'<{BASE}1>; title="first, not \\"next\\""; rel=first'
NEXT = '> ; type="application/json"; REL="last next"'
AROUND = [(None, f"{BASE}2"), (f"{BASE}1", f"{BASE}3"), (f"{BASE}2", None)]
SHAPES: dict[str, list[dict[str, Any]]] = {
    "page": [{"count": 5, "next": following, "previous": before} for before, following in AROUND],
    "link": [{"link": f'<{BASE}2>; rel="next"'}, {"link": f'<{BASE}3>; rel="next"'}, {}],
    "many_links": [
        {"link": f"{FIRST}, <{BASE}2{NEXT}"},
        {"link": f'{FIRST}, <{BASE}1>;rel="prev", <{BASE}3{NEXT}'},
        {"link": f'{FIRST}, <{BASE}2>;rel="prev"'},
    ],
    "range": [{"content-range": f"items {span}/5"} for span in ("0-1", "2-3", "4-4")],
    "total_header": [{"x-total-count": "5"}] * 3,
    "total": [{"total": 5}] * 3,
    "next_page": [{"next_page": 2}, {"next_page": 3}, {"next_page": None}],
    "body_links": [{"links": {"prev": before, "next": following}} for before, following in AROUND],
}


def shown(reply: Reply) -> dict[str, int]:
    """Return the sizes of quotas by path."""
    found = reply.json["results"] if isinstance(reply.json, dict) else reply.json
    return {record["path"]: record["size"] for record in found}


def read(rig: Rig, page: int = 1) -> dict[str, int]:
    return shown(rig.send("GET", f"quotas?page={page}"))


def rest(reply: Reply) -> dict[str, Any]:
    """Return the fields of a page beside its records, in its body or in one of its headers."""
    if isinstance(reply.json, dict):
        return {name: value for name, value in reply.json.items() if name != "results"}
    return {name: text for name, text in reply.headers.items() if name in ("link", "content-range", "x-total-count")}


@pytest.mark.parametrize("shape", SHAPES)
def test_list_shape_and_page_size(rig: Rig, shape: str) -> None:
    rig.speak(list_shape=shape, page_size=2, next_url="relative")
    rig.server.add_quotas(101, [{"path": f"/{number}"} for number in range(1, 5)])
    rig.server.add_quota(101, path="/0", id=7)
    replies = [rig.send("GET", f"quotas?page={number}") for number in (1, 2, 3)]
    assert [list(shown(reply)) for reply in replies] == [["/0", "/1"], ["/2", "/3"], ["/4"]]
    assert [rest(reply) for reply in replies] == SHAPES[shape]
    assert {reply.status for reply in replies} == {206 if shape == "range" else 200}
    for number in ("4", "0", "-1", "x", "1&page=2", ""):
        assert rig.send("GET", f"quotas?page={number}").status == 404, number
    whole, empty = rig.send("GET", "/volumes"), rig.send("GET", "exports")
    assert (whole.status, shown(empty)) == (200, {})
    ranges = [reply.headers.get("content-range") for reply in (whole, empty)]
    assert ranges == (["items 0-0/1", "items */0"] if shape == "range" else [None, None])


LATE: dict[str, tuple[str, str, dict[str, Any] | None, dict[str, int]]] = {
    "appear_after": ("POST", "quotas", {"path": "/new"}, {"/a": 1, "/new": 0}),
    "update_appear_after": ("PUT", QUOTA, {"size": 2}, {"/a": 2}),
    "vanish_after": ("DELETE", QUOTA, None, {}),
}


@pytest.mark.parametrize("write", LATE)
@pytest.mark.parametrize("name", LATE)
def test_what_shows_late(rig: Rig, name: str, write: str) -> None:
    rig.speak(**{name: 2.0})
    rig.server.add_quota(101, path="/a", size=1)
    method, path, body, after = LATE[write]
    rig.send(method, path, body)
    rig.clock.now += 1.75
    assert read(rig) == ({"/a": 1} if name == write else after)
    assert method != "DELETE" or rig.send("PUT", QUOTA, {"size": 3}).status == 404
    rig.clock.now += 0.25
    assert read(rig) == after == rig.quotas()


def test_an_update_of_what_is_gone_does_not_show(rig: Rig) -> None:
    rig.speak(update_appear_after=2.0)
    rig.server.add_quota(101, path="/a")
    rig.send("PUT", QUOTA, {"size": 2})
    rig.send("DELETE", QUOTA)
    assert read(rig) == {}


def test_late_writes_of_one_record_show_one_by_one(rig: Rig) -> None:
    rig.speak(appear_after=1.0, update_appear_after=2.0, vanish_after=3.0)
    rig.send("POST", "quotas", {"path": "/a"})
    assert rig.send("PUT", QUOTA, {"size": 1}).json["size"] == 1
    rig.send("PUT", QUOTA, {"path": "/b"})
    rig.send("DELETE", QUOTA)
    found = []
    for _second in range(4):
        found.append(read(rig))
        rig.clock.now += 1
    assert found == [{}, {"/a": 0}, {"/b": 1}, {}]


def test_a_volume_vanishes_late_without_its_exports(rig: Rig) -> None:
    rig.speak(vanish_after=2.0)
    rig.server.add_export(101, desc="web", iprange="*")
    rig.send("DELETE", "/volumes/101")
    assert [(volume["id"], volume["access_rules"]) for volume in rig.get("/volumes")] == [(101, [])]
    assert rig.send("GET", "exports").status == 404
    rig.clock.now += 2
    assert rig.get("/volumes") == []


def test_each_list_is_stale_by_itself_with_all_its_pages(rig: Rig) -> None:
    rig.speak(list_shape="page", page_size=2, stale_every=2)
    rig.server.add_quotas(101, [{"path": f"/{number}"} for number in range(3)])
    rig.send("DELETE", QUOTA)
    rig.clock.now += 0.5
    rig.send("POST", "quotas", {"path": "/3"})
    assert list(read(rig)) == ["/1", "/2"]
    rig.get("/volumes")
    assert [list(read(rig, page)) for page in (1, 2, 1)] == [["/0", "/1"], ["/2"], ["/1", "/2"]]


def test_a_stale_list_of_late_records(rig: Rig) -> None:
    rig.speak(stale_every=2, stale_for=2.0, appear_after=1.0, vanish_after=1.0)
    rig.send("POST", "quotas", {"path": "/a"})
    assert [read(rig), read(rig)] == [{}, {}]
    rig.send("PUT", QUOTA, {"size": 1})
    assert [read(rig), read(rig)] == [{}, {}]
    rig.clock.now += 1
    assert [read(rig), read(rig)] == [{"/a": 1}, {}]
    rig.send("DELETE", QUOTA)
    rig.clock.now += 1
    assert [read(rig), read(rig)] == [{}, {"/a": 1}]
