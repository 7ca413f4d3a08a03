# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Updates that did not do what was asked, or show too late: the result reports what the list shows, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Fault
from functional.support.inprocess import Run
from functional.support.one_volume import Console

GIB = 1 << 30
# How a console alters an update, the options of the task, and what its message says about it.
ALTERED: list[tuple[str, str, dict[str, Any], str]] = [
    ("rounds_up", "quota", {"path": "/a", "size": 5000}, "size is 8192, wanted 5000"),
    ("caps", "quota", {"path": "/a", "size": 2 * GIB}, f"size is {GIB}, wanted {2 * GIB}"),
    ("rewrites", "export", {"desc": "web", "iprange": "10.0.0.0/8"}, "iprange is '10.0.0.0/16', wanted '10.0.0.0/8'"),
]
LOST = ["reset_after", "silent_after", "truncate", "status"]


def lose(console: Console, kind: str) -> None:
    """Let the responses to all updates be lost after these took effect."""
    console.emulator.inject(Fault(kind, method="PUT", times=None, effect=kind == "status", seconds=0.0))


@pytest.mark.promise("maybe-applied-counts")
@pytest.mark.parametrize("lost", [None, *LOST])
@pytest.mark.parametrize(("alters", "module", "options", "message"), ALTERED, ids=[row[0] for row in ALTERED])
def test_an_update_that_did_something_else_is_told_as_changed(
    run: Run, console: Console, alters: str, module: str, options: dict[str, Any], message: str, lost: str | None
) -> None:
    console.reset(put_alters=alters)
    console.has_quota(path="/a", size=4096)
    console.has_export(desc="web", iprange="*")
    if lost:
        lose(console, lost)
    result = run(module, volume="v", retries=1, **options)
    assert result["failed"]
    assert result["changed"] is True
    assert message in result["msg"]
    (record,) = console.quotas if module == "quota" else console.exports
    name = "size" if module == "quota" else "iprange"
    assert result[module][name] == record[name] != options[name]


@pytest.mark.promise("maybe-applied-counts")
@pytest.mark.parametrize("lost", [None, "reset_after"])
def test_a_list_names_as_updated_what_an_update_did_even_where_it_is_not_as_wanted(
    run: Run, console: Console, lost: str | None
) -> None:
    console.reset(put_alters="rounds_up")
    console.has_quota(path="/a", size=4096)
    console.has_quota(path="/b", size=4096)
    if lost:
        lose(console, lost)
    items = [{"path": "/a", "size": 5000}, {"path": "/b", "size": 8192}]
    result = run("quotas", volume="v", quotas=items, retries=1)
    assert result["failed"]
    assert result["changed"] is True
    assert sorted(result["updated"]) == ["/a", "/b"]
    assert [error["key"] for error in result["errors"]] == ["/a"]
    assert result["diff"]["after"]["/a"]["size"] == "8KiB"


@pytest.mark.promise("maybe-applied-counts")
def test_an_accepted_update_that_shows_too_late_is_told_as_accepted_and_not_shown(console: Console) -> None:
    console.reset(update_appear_after=5.0)
    console.has_quota(path="/a", size=5)
    result = console.quota(path="/a", size=6)
    assert result["failed"]
    assert result["changed"] is False
    assert "was updated" not in result["msg"]
    assert "accepted" in result["msg"]
    assert "after 3 s, size is 5, wanted 6" in result["msg"]
    assert result["quota"]["size"] == 5


@pytest.mark.promise("maybe-applied-counts")
def test_an_accepted_update_that_shows_within_three_seconds_is_changed(console: Console) -> None:
    console.reset(update_appear_after=2.0)
    console.has_quota(path="/a", size=5)
    result = console.quota(path="/a", size=6)
    assert result["changed"] is True
    assert result["quota"]["size"] == 6


@pytest.mark.promise("maybe-applied-counts")
@pytest.mark.parametrize("count", [1, 3])
def test_a_list_names_only_what_was_seen_where_reading_back_fails(run: Run, console: Console, count: int) -> None:
    items = [{"path": f"/{number}", "size": 6} for number in range(count)]
    for item in items:
        console.has_quota(path=item["path"], size=5)
    console.emulator.inject(
        Fault("empty", method="PUT", times=None),
        Fault("status", method="GET", path="quotas", nth=2, times=None, status=500),
    )
    result = run("quotas", volume="v", quotas=items, retries=0)
    assert result["failed"]
    assert result["changed"] is True
    assert result["updated"] == []
    assert len(result["errors"]) == count
    assert "could not be read back" in result["errors"][0]["msg"]
    assert result["diff"]["before"] == result["diff"]["after"] == {}


@pytest.mark.promise("maybe-applied-counts")
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_list_names_no_creation_and_no_deletion_that_was_not_seen(run: Run, console: Console, state: str) -> None:
    if state == "absent":
        console.has_quota(path="/a", size=5)
    console.emulator.inject(
        Fault("empty", method="POST"),
        Fault("empty", method="DELETE"),
        Fault("status", method="GET", path="quotas", nth=2, times=None, status=500),
    )
    result = run("quotas", volume="v", quotas=[{"path": "/a", "size": 5, "state": state}], retries=0)
    assert result["failed"]
    assert result["changed"] is True
    assert (result["created"], result["deleted"]) == ([], [])
