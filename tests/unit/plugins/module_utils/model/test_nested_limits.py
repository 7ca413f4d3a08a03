# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits of nested directories, as a table."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan_of_lists import plan_list
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import quota

GIB = 2**30


def above(inner: str, outer: str, *, by: tuple[Any, Any] = ("10GiB", "1GiB"), field: str = "size") -> str:
    return f"The {field} of quota '{inner}', {by[0]}, is above that of '{outer}' around it, {by[1]}."


def gib(path: str, size: int, **more: Any) -> Goal:
    return quota(path=path, size=size * GIB, **more)


# The existing limits (GiB by path), the items, whether others are purged, and the doubts by path.
CASES: dict[str, tuple[dict[str, Any], list[Goal], bool, dict[str, str]]] = {
    "below one that is there": ({"/t": 1}, [gib("/t/a", 10)], False, {"/t/a": above("/t/a", "/t")}),
    "as high as that": ({"/t": 1}, [gib("/t/a", 1)], False, {}),
    "beside it": ({"/t": 1}, [gib("/ta", 10), gib("/", 10)], False, {}),
    "both new": ({}, [gib("/t", 1), gib("/t/a/b", 10)], False, {"/t/a/b": above("/t/a/b", "/t")}),
    "below the root": ({"/": 1}, [gib("/t", 10)], False, {"/t": above("/t", "/")}),
    "the nearest counts": ({"/": 1, "/t": 20}, [gib("/t/a", 10)], False, {}),
    "raised": ({"/t": 1, "/t/a": 1}, [gib("/t/a", 10)], False, {"/t/a": above("/t/a", "/t")}),
    "the outer one lowered": ({"/t": 20, "/t/a": 10}, [gib("/t", 1)], False, {"/t": above("/t/a", "/t")}),
    "the outer one raised": ({"/t": 1, "/t/a": 1}, [gib("/t/a", 10), gib("/t", 20)], False, {}),
    "the outer one deleted": ({"/t": 1}, [quota(present=False, path="/t"), gib("/t/a", 10)], False, {}),
    "the outer one purged": ({"/t": 1}, [gib("/t/a", 10)], True, {}),
    "no limit inside": ({"/t": 1}, [gib("/t/a", 0)], False, {}),
    "no limit around": ({"/t": 0}, [gib("/t/a", 10)], False, {}),
    "as it was": ({"/t": 1, "/t/a": 10}, [gib("/t/a", 10), gib("/b", 1)], False, {}),
    "beside paths that are none": (
        {"/x/..": 1, "": 1, "/t": 1},
        [gib("/t/a", 10)],
        False,
        {"/t/a": above("/t/a", "/t")},
    ),
    "a path that no file system takes": ({"/t": 1}, [gib("/t" + "/a" * 2048, 10)], False, {}),
    "as text": ({"/t": str(GIB)}, [gib("/t/a", 10)], False, {"/t/a": above("/t/a", "/t")}),
    "inodes": (
        {"/t": 0},
        [quota(path="/u", inodes=5), quota(path="/u/a", inodes=7)],
        False,
        {"/u/a": above("/u/a", "/u", by=(7, 5), field="inodes")},
    ),
}


@pytest.mark.parametrize(("there", "goals", "purge", "doubts"), CASES.values(), ids=CASES)
def test_a_limit_above_that_of_a_directory_around_it(
    there: dict[str, Any], goals: list[Goal], purge: bool, doubts: dict[str, str]
) -> None:
    records = [
        {"id": number, "path": path, "size": size * GIB if isinstance(size, int) else size}
        for number, (path, size) in enumerate(there.items(), start=1)
    ]
    actions, problems = plan_list(Records(QUOTA, records), goals, purge)
    assert problems == []
    assert {action.key: action.doubts for action in actions if action.doubts} == {
        path: (doubt,) for path, doubt in doubts.items()
    }
