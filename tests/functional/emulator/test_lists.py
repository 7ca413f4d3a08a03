# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists: their shapes and pages, and what they show of the writes before them."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Reply
from functional.emulator.conftest import QUOTA, Rig

BASE = "/api/v1/volumes/101/quotas?page="
FIRST = f'<{BASE}1>; title="first, not \\"next\\""; rel=first'
NEXT = '> ; type="application/json"; REL="last next"'
SHAPES: dict[str, list[dict[str, Any]]] = {
    "page": [
        {"count": 5, "next": f"{BASE}2", "previous": None},
        {"count": 5, "next": f"{BASE}3", "previous": f"{BASE}1"},
        {"count": 5, "next": None, "previous": f"{BASE}2"},
    ],
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
    "body_links": [
        {"links": {"prev": None, "next": f"{BASE}2"}},
        {"links": {"prev": f"{BASE}1", "next": f"{BASE}3"}},
        {"links": {"prev": f"{BASE}2", "next": None}},
    ],
}


def shown(reply: Reply) -> dict[str, int]:
    """Return the sizes of quotas by path."""
    found = reply.json["results"] if isinstance(reply.json, dict) else reply.json
    return {record["path"]: record["size"] for record in found}


def read(rig: Rig, page: int = 1) -> dict[str, int]:
    return shown(rig.send("GET", f"quotas?page={page}"))


def rest(reply: Reply) -> dict[str, Any]:
    """Return what a page says beside its records, in its body or in one of its headers."""
    if isinstance(reply.json, dict):
        return {name: value for name, value in reply.json.items() if name != "results"}
    return {name: text for name, text in reply.headers.items() if name in ("link", "content-range", "x-total-count")}


@pytest.mark.parametrize("shape", SHAPES)
def test_list_shape_and_page_size(rig: Rig, shape: str) -> None:
    rig.speak(list_shape=shape, page_size=2, next_url="relative")
    rig.server.add_quotas(101, [{"path": f"/{number}"} for number in range(5)])
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


def test_lists_of_many_are_in_order(rig: Rig) -> None:
    ids = rig.server.add_quotas(101, [{"path": f"/{number}", "size": number} for number in range(3000)])
    first = rig.server.add_quota(101, path="/first", id=7)
    listed = rig.get("quotas")
    assert [quota["id"] for quota in listed] == [first, *ids] == sorted([*ids, first])
    assert listed == rig.server.quotas(101)


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


def test_an_update_of_what_is_gone_does_not_show(rig: Rig) -> None:
    rig.speak(update_appear_after=2.0)
    rig.server.add_quota(101, path="/a")
    rig.send("PUT", QUOTA, {"size": 2})
    rig.send("DELETE", QUOTA)
    assert read(rig) == {}


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
