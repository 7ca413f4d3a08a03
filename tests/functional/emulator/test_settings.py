# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Dialects, their settings that the probe's tests (``test_a_setting_is_found``) do not see, and lists."""

from __future__ import annotations

import re
from typing import Any

import pytest

from emulator import Client, Dialect, Reply
from functional.emulator.conftest import EXPORT, QUOTA, Rig

JSON, HTML = "application/json", "text/html; charset=utf-8"
WEB = {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}


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


def test_each_list_is_stale_by_itself_with_all_its_pages(rig: Rig) -> None:
    rig.speak(list_shape="page", page_size=2, stale_every=2)
    rig.server.add_quotas(101, [{"path": f"/{number}"} for number in range(3)])
    rig.send("DELETE", QUOTA)
    rig.clock.now += 0.5
    rig.send("POST", "quotas", {"path": "/3"})
    assert list(read(rig)) == ["/1", "/2"]
    rig.get("/volumes")
    assert [list(read(rig, page)) for page in (1, 2, 1)] == [["/0", "/1"], ["/2"], ["/1", "/2"]]
