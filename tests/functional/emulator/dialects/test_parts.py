# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists that come in parts, and how each kind of them indicates that there is more."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Client, Dialect, Emulator, Reply
from functional.emulator.dialects.support import Speak


@pytest.fixture
def parts(speak: Speak, server: Emulator, client: Client) -> Any:
    """Return a way to set a dialect, with five quotas in pages of two, and to read some of them."""

    def parts(*numbers: int, **settings: Any) -> list[Reply]:
        volume = speak(page_size=2, **settings)
        server.add_quotas(volume, [{"path": f"/{number}"} for number in range(5)])
        return [client.send("GET", f"/volumes/{volume}/quotas?page={number}") for number in numbers]

    return parts


def paths(records: Any) -> list[str]:
    """Return the paths of quotas."""
    return [record["path"] for record in records]


SHARES = [["/0", "/1"], ["/2", "/3"], ["/4"]]


@pytest.mark.parametrize(
    ("how", "start"),
    [
        ("absolute", "{url}/api/v1/"),
        ("relative", "/api/v1/"),
        ("other_host", "http://elsewhere.invalid/api/v1/"),
    ],
)
def test_link(parts: Any, server: Emulator, how: str, start: str) -> None:
    replies = parts(1, 2, 3, list_shape="link", next_url=how)
    assert [paths(reply.json) for reply in replies] == SHARES
    base = f"{start.format(url=server.url)}volumes/101/quotas?page="
    headers = [reply.headers.get("link") for reply in replies]
    assert headers == [f'<{base}2>; rel="next"', f'<{base}3>; rel="next"', None]


def test_link_that_leads_in_a_circle(parts: Any) -> None:
    (last,) = parts(3, list_shape="link", next_url="loop")
    assert last.headers["link"].endswith('page=1>; rel="next"')


def test_many_links(parts: Any) -> None:
    replies = parts(1, 2, 3, list_shape="many_links", next_url="relative")
    assert [paths(reply.json) for reply in replies] == SHARES
    base = "/api/v1/volumes/101/quotas?page="
    first = f'<{base}1>; title="first, not \\"next\\""; rel=first'
    assert [reply.headers["link"] for reply in replies] == [
        f'{first}, <{base}2> ; type="application/json"; REL="last next"',
        f'{first}, <{base}1>;rel="prev", <{base}3> ; type="application/json"; REL="last next"',
        f'{first}, <{base}2>;rel="prev"',
    ]


def test_range(parts: Any, server: Emulator, client: Client) -> None:
    replies = parts(1, 2, 3, list_shape="range")
    assert [(reply.status, paths(reply.json)) for reply in replies] == [(206, share) for share in SHARES]
    assert [reply.headers["content-range"] for reply in replies] == ["items 0-1/5", "items 2-3/5", "items 4-4/5"]
    whole = client.send("GET", "/volumes")
    assert (whole.status, whole.headers["content-range"]) == (200, "items 0-0/1")
    none = client.send("GET", "/volumes/101/exports")
    assert (none.status, none.headers["content-range"]) == (200, "items */0")
    server.dialect = Dialect(list_shape="range", page_size=2, page_overlap=1)
    assert client.send("GET", "/volumes/101/quotas?page=2").headers["content-range"] == "items 1-3/5"


def test_total_header(parts: Any, client: Client) -> None:
    replies = parts(1, 3, list_shape="total_header")
    assert [paths(reply.json) for reply in replies] == [["/0", "/1"], ["/4"]]
    assert [reply.headers["x-total-count"] for reply in replies] == ["5", "5"]
    assert client.send("GET", "/volumes").headers["x-total-count"] == "1"


def test_total(parts: Any) -> None:
    first, last = (reply.json for reply in parts(1, 3, list_shape="total"))
    assert (paths(first.pop("results")), first) == (["/0", "/1"], {"total": 5})
    assert (paths(last.pop("results")), last) == (["/4"], {"total": 5})


def test_next_page(parts: Any) -> None:
    pages = [reply.json for reply in parts(1, 2, 3, list_shape="next_page")]
    assert [paths(page.pop("results")) for page in pages] == SHARES
    assert pages == [{"next_page": 2}, {"next_page": 3}, {"next_page": None}]


def test_body_links(parts: Any) -> None:
    pages = [reply.json for reply in parts(1, 2, 3, list_shape="body_links", next_url="relative")]
    assert [paths(page.pop("results")) for page in pages] == SHARES
    base = "/api/v1/volumes/101/quotas?page="
    assert pages == [
        {"links": {"prev": None, "next": f"{base}2"}},
        {"links": {"prev": f"{base}1", "next": f"{base}3"}},
        {"links": {"prev": f"{base}2", "next": None}},
    ]


def test_a_part_that_is_not_there(parts: Any) -> None:
    for shape in ("link", "range", "total_header", "total", "next_page", "body_links"):
        assert [reply.status for reply in parts(0, 4, list_shape=shape)] == [404, 404], shape
