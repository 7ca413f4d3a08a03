# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists in parts: they are read to their end, or it is an error, which is no reason to create what may be there.

How a single response is read is held by the tables of `api/lists.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.faults import serve_lists
from functional.support.inprocess import Run
from functional.support.one_volume import Console


def fill(console: Console, quotas: int, **dialect: Any) -> None:
    """Start over in a dialect with short pages and some quotas, /a0 and so on."""
    console.reset(**{"page_size": 2, **dialect})
    console.emulator.add_quotas(console.volume, [{"path": f"/a{number}", "size": 5} for number in range(quotas)])


def listed(run: Run) -> list[str]:
    """Return the paths that quota_info gives."""
    return [quota["path"] for quota in run("quota_info", volume="v")["quotas"]]


PARTS: list[dict[str, Any]] = [
    {"list_shape": "page"},
    {"list_shape": "page", "page_size": 1, "next_url": "relative"},
    {"list_shape": "page", "next_url": "wrong_scheme", "page_overlap": 1},
    {"list_shape": "link", "page_overlap": 1},
    {"list_shape": "many_links", "next_url": "relative"},
    {"list_shape": "page", "count": "wrong_once"},
]
PARTIAL = {
    "range": "as its Content-Range shows",
    "total_header": "announces 5 records",
    "total": "announces 5 records",
    "next_page": "as its next_page shows",
    "body_links": "as its links.next shows",
}
ENDLESS: list[tuple[dict[str, str], str]] = [({"list_shape": shape}, message) for shape, message in PARTIAL.items()]
ENDLESS += [({"list_shape": "page", "count": "wrong"}, "announces")]
for broken, reason in {"other_host": "on another host", "loop": "form a loop"}.items():
    ENDLESS += [({"list_shape": shape, "next_url": broken}, reason) for shape in ("page", "link")]


def settings(value: object) -> str | None:
    """Return an id that has the settings of a dialect."""
    return ", ".join(map(str, value.values())) if isinstance(value, dict) else ""


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.parametrize("dialect", PARTS, ids=settings)
def test_a_list_in_parts_is_read_to_its_end(run: Run, console: Console, dialect: dict[str, Any]) -> None:
    fill(console, 5, **dialect)
    assert listed(run) == [f"/a{number}" for number in range(5)]
    assert all(request.authenticated for request in console.emulator.requests)
    assert console.quota(path="/a4", size=5)["changed"] is False
    assert console.quota(path="/a4", state="absent")["changed"]
    assert len(console.quotas) == 4


@pytest.mark.promise(
    "partial-lists-are-not-taken-for-whole", "incomplete-pages-are-an-error", "no-signature-for-other-hosts"
)
@pytest.mark.parametrize(("dialect", "message"), ENDLESS, ids=settings)
def test_a_list_that_cannot_be_read_to_its_end_is_an_error(
    run: Run, console: Console, dialect: dict[str, Any], message: str
) -> None:
    fill(console, 5, **dialect)
    info = run("quota_info", volume_id=console.volume)
    for result in (info, console.quota(path="/a4", size=5), console.quota(path="/a4", state="absent")):
        assert (result["failed"], result["changed"]) == (True, False)
        assert "GET /api/v1/volumes" in result["msg"]
        assert message in result["msg"]
    assert console.emulator.writes == []
    assert all(request.authenticated for request in console.emulator.requests)
    assert len(console.emulator.requests) < 20


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("shape", ["page", "link", "many_links", *PARTIAL])
def test_a_list_of_one_part_is_whole_in_every_shape(run: Run, console: Console, shape: str, count: int) -> None:
    fill(console, count, list_shape=shape)
    assert listed(run) == [f"/a{number}" for number in range(count)]


@pytest.mark.parametrize(
    ("following", "query"),
    [("?page=2", "page=2"), ("/api/v1/volumes?b=2&a=1", "a=1&b=2"), ("//127.0.0.1/api/v1/volumes?x=", "x=")],
)
def test_a_next_page_is_asked_of_our_own_origin_with_a_canonical_query(
    run: Run, emulator: Emulator, following: str, query: str
) -> None:
    page = {"results": [{"id": 1, "name": "a"}], "next": following}
    serve_lists(emulator, "volumes$", page, {"results": [{"id": 2, "name": "b"}], "next": None})
    assert [volume["name"] for volume in run("volume_info")["volumes"]] == ["a", "b"]
    assert emulator.requests[1].query == query


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "something else"),
        ({"results": [1]}, "something else"),
        ({"results": [], "next": 7}, "the link to the next page is not text"),
        ({"results": [], "next": "http://[::1"}, "the link to the next page is not a valid URL"),
        ({"results": [], "next": "ftp://127.0.0.1/x"}, "on another host"),
    ],
)
def test_what_is_no_list_is_an_error(run: Run, emulator: Emulator, body: Any, message: str) -> None:
    serve_lists(emulator, "volumes$", body)
    assert message in run("volume_info")["msg"]


def test_pages_without_new_records_have_an_end(run: Run, emulator: Emulator) -> None:
    pages = [{"results": [{"id": 1, "name": "a"}], "next": f"?page={number}"} for number in range(30)]
    serve_lists(emulator, "volumes$", *pages)
    assert "without a new record" in run("volume_info")["msg"]
    assert len(emulator.requests) == 12


def test_a_count_that_changes_between_pages_is_read_again(console: Console) -> None:
    def page(count: int, following: str | None, *names: str) -> dict[str, Any]:
        records = [{"id": ord(name), "desc": name, "iprange": "*"} for name in names]
        return {"count": count, "next": following, "results": records}

    pages = page(4, "?page=2", "a", "b"), page(3, None, "d"), page(3, None, "b", "c", "d")
    serve_lists(console.emulator, "exports$", *pages)
    assert console.export(desc="c", iprange="*")["changed"] is False
    assert console.emulator.writes == []
