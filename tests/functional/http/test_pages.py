# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists in every shape: arrays, pages, repeated records, wrong counts, links that lead elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import Run


def names(result: dict[str, Any]) -> list[str]:
    """Return the names of the listed volumes."""
    return [volume["name"] for volume in result["volumes"]]


def add(emulator: Emulator, count: int) -> list[str]:
    """Add that many volumes and return their names."""
    for number in range(count):
        emulator.add_volume(name=f"v{number}", bucket="https://a.example.com")
    return [f"v{number}" for number in range(count)]


@pytest.mark.parametrize("link", ["absolute", "wrong_scheme", "relative"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("overlap", [0, 1])
def test_pages(run: Run, emulator: Emulator, link: str, size: int, overlap: int) -> None:
    emulator.reset(Dialect(list_shape="page", page_size=size, next_url=link, page_overlap=min(overlap, size - 1)))
    expected = add(emulator, 5)
    assert names(run("volume_info")) == expected
    assert all(request.authenticated for request in emulator.requests)


@pytest.mark.parametrize("count", [0, 1])
def test_short_lists(run: Run, emulator: Emulator, count: int) -> None:
    emulator.reset(Dialect(list_shape="page"))
    expected = add(emulator, count)
    assert names(run("volume_info")) == expected


@pytest.mark.promise("incomplete-pages-are-an-error")
def test_a_wrong_count_is_read_again_once(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(list_shape="page", count="wrong_once"))
    expected = add(emulator, 3)
    assert names(run("volume_info")) == expected
    assert len(emulator.requests) == 2


@pytest.mark.promise("incomplete-pages-are-an-error")
def test_a_count_that_stays_wrong_is_an_error_and_no_reason_to_create(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(list_shape="page", count="wrong"))
    add(emulator, 3)
    result = run("volume", name="new", bucket="https://a.example.com")
    assert "3" in result["msg"]
    assert "announces" in result["msg"]
    assert emulator.writes == []


@pytest.mark.promise("no-signature-for-other-hosts")
def test_a_next_page_on_another_host_is_refused_and_gets_no_signature(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(list_shape="page", page_size=2, next_url="other_host"))
    add(emulator, 5)
    result = run("volume_info")
    assert "another host" in result["msg"]
    assert len(emulator.requests) == 1


def test_a_circle_of_pages_is_refused(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(list_shape="page", page_size=2, next_url="loop", count="right"))
    add(emulator, 5)
    result = run("volume_info")
    assert "form a loop" in result["msg"]
    assert len(emulator.requests) == 4


@pytest.mark.parametrize("following", ["?page=2", "/api/v1/volumes?b=2&a=1", "//127.0.0.1/api/v1/volumes?x="])
def test_a_next_page_is_asked_of_our_own_origin_with_a_canonical_query(
    run: Run, emulator: Emulator, following: str
) -> None:
    page = {"count": 2, "results": [{"id": 1, "name": "a"}]}
    emulator.inject(Fault("wrong_json", nth=1, value={**page, "next": following}))
    emulator.inject(Fault("wrong_json", nth=2, value={**page, "results": [{"id": 2, "name": "b"}], "next": None}))
    assert names(run("volume_info")) == ["a", "b"]
    assert emulator.requests[1].query in ("page=2", "a=1&b=2", "x=")


def test_pages_without_new_records_do_not_go_on_for_ever(run: Run, emulator: Emulator) -> None:
    for number in range(1, 30):
        page = {"results": [{"id": 1, "name": "a"}], "next": f"?page={number}"}
        emulator.inject(Fault("wrong_json", nth=number, value=page))
    assert "without a new record" in run("volume_info")["msg"]
    assert len(emulator.requests) < 15


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("text", "something else"),
        (7, "something else"),
        (None, "something else"),
        ({}, "something else"),
        ({"results": {}}, "something else"),
        ([1], "something else"),
        ({"results": [], "next": 7}, "next page"),
        ({"results": [], "next": "http://[::1"}, "not a valid URL"),
        ({"results": [], "next": "ftp://127.0.0.1/x"}, "another host"),
    ],
)
def test_what_is_no_list_is_an_error(run: Run, emulator: Emulator, body: Any, message: str) -> None:
    emulator.inject(Fault("wrong_json", value=body, times=None))
    result = run("volume_info")
    assert message in result["msg"]
    assert "GET /api/v1/volumes" in result["msg"]


def test_a_record_given_twice_is_one(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("wrong_json", value=[{"id": 1, "name": "a"}, {"id": "1", "name": "a"}], times=None))
    assert run("volume", name="a")["changed"] is False


@pytest.mark.usefixtures("volume")
def test_a_count_that_changes_between_pages_is_read_again(run: Run, emulator: Emulator) -> None:
    def page(count: Any, following: str | None, *names: str) -> dict[str, Any]:
        return {
            "count": count,
            "next": following,
            "results": [{"id": ord(n), "desc": n, "iprange": "*"} for n in names],
        }

    serve_lists(emulator, "exports$", page(4, "?page=2", "a", "b"), page(3, None, "d"), page(3, None, "b", "c", "d"))
    assert run("export", volume="v", desc="c", iprange="*")["changed"] is False
    assert emulator.writes == []


@pytest.mark.usefixtures("volume")
def test_a_count_that_is_text_counts(run: Run, emulator: Emulator) -> None:
    serve_lists(emulator, "exports$", {"count": "2", "next": None, "results": [{"id": 1, "desc": "a"}]})
    assert "announces 2 records" in run("export", volume="v", desc="b", iprange="*")["msg"]
    assert emulator.writes == []
