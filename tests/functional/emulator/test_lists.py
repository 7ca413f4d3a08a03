# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists: their shapes and pages, and what they show of the writes before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Emulator, Reply
from functional.emulator.conftest import Clock, Speak

BASE = "/api/v1/volumes/101/quotas?page="
SHARES = [["/0", "/1"], ["/2", "/3"], ["/4"]]
FIRST = f'<{BASE}1>; title="first, not \\"next\\""; rel=first'
NEXT = '> ; type="application/json"; REL="last next"'


@pytest.fixture
def pages(speak: Speak, server: Emulator, client: Client) -> Callable[..., list[Reply]]:
    """Return a way to read three pages of five quotas in a dialect with pages of two, whose links are relative."""

    def pages(query: str = "", **settings: Any) -> list[Reply]:
        path = speak(**{"page_size": 2, "next_url": "relative", **settings})
        server.add_quotas(101, [{"path": f"/{number}"} for number in range(5)])
        return [client.send("GET", f"{path}/quotas?{query}page={number}") for number in (1, 2, 3)]

    return pages


def paths(reply: Reply) -> list[str]:
    """Return the paths of quotas."""
    return [record["path"] for record in (reply.json["results"] if isinstance(reply.json, dict) else reply.json)]


def rest(reply: Reply) -> Any:
    """Return what a page says beside its records: in its body, its status, or one of its headers."""
    if isinstance(reply.json, dict):
        return {name: value for name, value in reply.json.items() if name != "results"}
    headers = {"link", "content-range", "x-total-count"} & reply.headers.keys()
    return {"status": reply.status, **{name: reply.headers[name] for name in headers}}


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (
            "page",
            [
                {"count": 5, "next": f"{BASE}2", "previous": None},
                {"count": 5, "next": f"{BASE}3", "previous": f"{BASE}1"},
                {"count": 5, "next": None, "previous": f"{BASE}2"},
            ],
        ),
        ("link", [*({"status": 200, "link": f'<{BASE}{n}>; rel="next"'} for n in (2, 3)), {"status": 200}]),
        (
            "many_links",
            [
                {"status": 200, "link": f"{FIRST}, <{BASE}2{NEXT}"},
                {"status": 200, "link": f'{FIRST}, <{BASE}1>;rel="prev", <{BASE}3{NEXT}'},
                {"status": 200, "link": f'{FIRST}, <{BASE}2>;rel="prev"'},
            ],
        ),
        ("range", [{"status": 206, "content-range": f"items {span}/5"} for span in ("0-1", "2-3", "4-4")]),
        ("total_header", [{"status": 200, "x-total-count": "5"}] * 3),
        ("total", [{"total": 5}] * 3),
        ("next_page", [{"next_page": 2}, {"next_page": 3}, {"next_page": None}]),
        (
            "body_links",
            [
                {"links": {"prev": None, "next": f"{BASE}2"}},
                {"links": {"prev": f"{BASE}1", "next": f"{BASE}3"}},
                {"links": {"prev": f"{BASE}2", "next": None}},
            ],
        ),
    ],
)
def test_list_shape_and_page_size(
    pages: Callable[..., list[Reply]], client: Client, shape: str, expected: list[Any]
) -> None:
    replies = pages(list_shape=shape)
    assert [paths(reply) for reply in replies] == SHARES
    assert [rest(reply) for reply in replies] == expected
    for number in ("4", "0", "-1", "x", "1&page=2", ""):
        assert client.send("GET", f"/volumes/101/quotas?page={number}").status == 404, number
    whole = client.send("GET", "/volumes")
    assert (whole.status, whole.headers.get("content-range")) == (200, "items 0-0/1" if shape == "range" else None)
    empty = client.send("GET", "/volumes/101/exports")
    assert (paths(empty), empty.headers.get("content-range")) == ([], "items */0" if shape == "range" else None)


@pytest.mark.parametrize("shape", ["page", "link"])
@pytest.mark.parametrize(
    ("how", "start"),
    [("absolute", "{url}/api"), ("wrong_scheme", "https://{place}/api"), ("relative", "/api"),
     ("other_host", "http://elsewhere.invalid/api"), ("loop", "{url}/api")],
)  # fmt: skip
def test_next_url(pages: Callable[..., list[Reply]], server: Emulator, shape: str, how: str, start: str) -> None:
    replies = pages("order=id&", list_shape=shape, next_url=how)
    found = [
        str(r.json["next"] if shape == "page" else r.headers.get("link")).strip("<").split(">")[0] for r in replies
    ]
    base = start.format(url=server.url, place=urlsplit(server.url).netloc) + BASE.removeprefix("/api").replace(
        "?", "?order=id&"
    )
    assert found == [f"{base}2", f"{base}3", f"{base}1" if how == "loop" else "None"]


def test_page_overlap(pages: Callable[..., list[Reply]]) -> None:
    replies = pages(list_shape="range", page_overlap=1)
    assert [paths(reply) for reply in replies] == [["/0", "/1"], ["/1", "/2", "/3"], ["/3", "/4"]]
    assert replies[1].headers["content-range"] == "items 1-3/5"


def test_a_full_last_page_has_no_next(speak: Speak, server: Emulator, client: Client) -> None:
    path = f"{speak(list_shape='page', page_size=2)}/quotas"
    server.add_quotas(101, [{"path": "/a"}, {"path": "/b"}])
    assert client.send("GET", path).json["next"] is None
    assert client.send("GET", f"{path}?page=2").status == 404


@pytest.mark.parametrize(
    ("how", "counts"), [("right", [2] * 6), ("wrong", [3] * 6), ("wrong_once", [3, 3, 2, 2, 2, 2])]
)
def test_count(speak: Speak, server: Emulator, client: Client, how: str, counts: list[int]) -> None:
    path = f"{speak(list_shape='page', page_size=1, count=how)}/quotas"
    server.add_quotas(101, [{"path": "/a"}, {"path": "/b"}])
    assert [client.send("GET", f"{path}?page={n}").json["count"] for _time in range(3) for n in (1, 2)] == counts
    assert client.send("GET", "/volumes").json["count"] == 1 + (how != "right")


def test_lists_of_many_are_in_order(server: Emulator, client: Client) -> None:
    ids = server.add_quotas(101, [{"path": f"/{number}", "size": number} for number in range(3000)])
    first = server.add_quota(101, path="/first", id=7)
    listed = client.send("GET", "/volumes/101/quotas").json
    assert [quota["id"] for quota in listed] == [first, *ids] == sorted([*ids, first])
    assert listed == server.quotas(101)


@pytest.fixture
def read(client: Client) -> Callable[..., dict[str, int]]:
    """Return a function that reads the quotas of the volume and returns their sizes by path."""

    def read(page: int = 1) -> dict[str, int]:
        shown = client.send("GET", f"/volumes/101/quotas?page={page}").json
        return {record["path"]: record["size"] for record in (shown["results"] if isinstance(shown, dict) else shown)}

    return read


WRITES: dict[str, tuple[str, dict[str, Any] | None]] = {
    "create": ("POST", {"path": "/new"}),
    "update": ("PUT", {"size": 2}),
    "delete": ("DELETE", None),
}
BEFORE, AFTER = {"/a": 1}, {"create": {"/a": 1, "/new": 0}, "update": {"/a": 2}, "delete": {}}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("name", ["appear_after", "update_appear_after", "vanish_after"])
def test_what_shows_late(
    speak: Speak, server: Emulator, client: Client, clock: Clock, read: Callable[..., Any], *, name: str, write: str
) -> None:
    path = f"{speak(**{name: 2.0})}/quotas"
    item = f"{path}/{server.add_quota(101, path='/a', size=1)}"
    is_late = {"create": "appear_after", "update": "update_appear_after", "delete": "vanish_after"}[write] == name
    client.send(WRITES[write][0], path if write == "create" else item, WRITES[write][1])
    truth = {quota["path"]: quota["size"] for quota in server.quotas(101)}
    clock.now += 1.75
    assert read() == (BEFORE if is_late else AFTER[write])
    assert write != "delete" or client.send("PUT", item, {"size": 3}).status == 404
    clock.now += 0.25
    assert read() == AFTER[write] == truth


def test_late_writes_of_one_record_show_one_by_one(
    speak: Speak, client: Client, clock: Clock, read: Callable[..., Any]
) -> None:
    path = f"{speak(appear_after=1.0, update_appear_after=2.0, vanish_after=3.0)}/quotas"
    quota = client.send("POST", path, {"path": "/a"}).json["id"]
    assert client.send("PUT", f"{path}/{quota}", {"size": 1}).json["size"] == 1
    client.send("PUT", f"{path}/{quota}", {"path": "/b"})
    client.send("DELETE", f"{path}/{quota}")
    found = []
    for _second in range(4):
        found.append(read())
        clock.now += 1
    assert found == [{}, {"/a": 0}, {"/b": 1}, {}]


def test_an_update_of_what_is_gone_does_not_show(
    speak: Speak, server: Emulator, client: Client, read: Callable[..., Any]
) -> None:
    path = f"{speak(update_appear_after=2.0)}/quotas/{server.add_quota(101, path='/a')}"
    client.send("PUT", path, {"size": 2})
    client.send("DELETE", path)
    assert read() == {}


def test_a_volume_vanishes_late_without_its_exports(
    speak: Speak, server: Emulator, client: Client, clock: Clock
) -> None:
    path = speak(vanish_after=2.0)
    server.add_export(101, desc="web", iprange="*")
    client.send("DELETE", path)
    assert [(volume["id"], volume["access_rules"]) for volume in client.send("GET", "/volumes").json] == [(101, [])]
    assert client.send("GET", f"{path}/exports").status == 404
    clock.now += 2
    assert client.send("GET", "/volumes").json == []


def test_stale_every_and_for(
    speak: Speak, server: Emulator, client: Client, clock: Clock, read: Callable[..., Any]
) -> None:
    path = f"{speak(stale_every=3, stale_for=2.0)}/quotas"
    kept, lost = server.add_quota(101, path="/kept", size=1), server.add_quota(101, path="/lost", size=1)
    before, after = {"/kept": 1, "/lost": 1}, {"/kept": 2, "/new": 0}
    assert [read() for _time in range(3)] == [before] * 3
    client.send("PUT", f"{path}/{kept}", {"size": 2})
    client.send("DELETE", f"{path}/{lost}")
    client.send("POST", path, {"path": "/new"})
    assert [read() for _time in range(6)] == [after, after, before] * 2
    clock.now += 1.5
    client.send("PUT", f"{path}/{kept}", {"size": 3})
    clock.now += 0.5
    between, after = after, {**after, "/kept": 3}
    assert [read() for _time in range(3)] == [after, after, between]
    clock.now += 2
    assert [read() for _time in range(3)] == [after] * 3


def test_each_list_is_stale_by_itself_with_all_its_pages(
    speak: Speak, server: Emulator, client: Client, read: Callable[..., Any]
) -> None:
    path = f"{speak(list_shape='page', page_size=2, stale_every=2)}/quotas"
    ids = server.add_quotas(101, [{"path": f"/{number}"} for number in range(3)])
    client.send("DELETE", f"{path}/{ids[0]}")
    assert list(read()) == ["/1", "/2"]
    client.send("GET", "/volumes")
    assert [list(read(page)) for page in (1, 2)] == [["/0", "/1"], ["/2"]]
    assert list(read()) == ["/1", "/2"]


def test_a_stale_list_of_late_records(speak: Speak, client: Client, clock: Clock, read: Callable[..., Any]) -> None:
    path = f"{speak(stale_every=2, stale_for=2.0, appear_after=1.0, vanish_after=1.0)}/quotas"
    quota = client.send("POST", path, {"path": "/a"}).json["id"]
    assert [read(), read()] == [{}, {}]
    client.send("PUT", f"{path}/{quota}", {"size": 1})
    assert [read(), read()] == [{}, {}]
    clock.now += 1
    assert [read(), read()] == [{"/a": 1}, {}]
    client.send("DELETE", f"{path}/{quota}")
    clock.now += 1
    assert [read(), read()] == [{}, {"/a": 1}]
