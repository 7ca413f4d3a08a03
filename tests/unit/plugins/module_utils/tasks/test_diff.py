# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The diff of a task for many records: what differs, by key, as much of it as a result can hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.diff import Diff
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.tasks.outcomes import (
    CREATED_ONE,
    DELETED_ONE,
    FAILED_ONE,
    HOME,
    KEPT_ONE,
    REFUSED,
    RENAME,
    SUBJECT,
    UPDATE,
    UPDATED_ONE,
    creations,
    plan_quota,
)


def diff_of(outcomes: Iterable[Outcome], subject: str) -> dict[str, Any]:
    """Return the diff of a list."""
    diff = Diff(subject)
    for outcome in outcomes:
        diff.add(outcome)
    return diff.to_result()


@pytest.mark.parametrize(
    ("outcomes", "before", "after"),
    [
        pytest.param([], {}, {}, id="nothing"),
        pytest.param([KEPT_ONE], {}, {}, id="unchanged"),
        pytest.param([CREATED_ONE], {}, {"/new": {"path": "/new", "size": "1KiB"}}, id="created"),
        pytest.param([UPDATED_ONE], {"/a": {"size": "1KiB"}}, {"/a": {"size": "2KiB"}}, id="updated, what differs"),
        pytest.param(
            [Outcome(RENAME, {**HOME, "path": "/b"}, True)],
            {"/a": {"path": "/a"}},
            {"/b": {"path": "/b"}},
            id="renamed",
        ),
        pytest.param([DELETED_ONE], {"/a": {"path": "/a", "size": "1KiB", "inodes": 7}}, {}, id="deleted"),
        pytest.param([FAILED_ONE], {}, {}, id="failed"),
        pytest.param([Outcome(UPDATE, HOME, True, REFUSED, is_seen=False)], {}, {}, id="not seen"),
        pytest.param(
            [Outcome(UPDATE, {**HOME, "size": 4096}, True, REFUSED)],
            {"/a": {"size": "1KiB"}},
            {"/a": {"size": "4KiB"}},
            id="failed, what was done instead",
        ),
        pytest.param(
            [Outcome(UPDATE, {**HOME, "size": 4096}, True)],
            {"/a": {"size": "1KiB"}},
            {"/a": {"size": "2KiB"}},
            id="done, as planned",
        ),
        pytest.param(
            [Outcome(UPDATE, None, True, REFUSED)],
            {"/a": {"path": "/a", "size": "1KiB", "inodes": 7}},
            {},
            id="gone meanwhile",
        ),
        pytest.param(
            [Outcome(UPDATE, HOME, True, REFUSED)],
            {"/a": {"path": "/a", "size": "1KiB", "inodes": 7}},
            {"/a": {"path": "/a", "size": "1KiB", "inodes": 7}},
            id="changed in nothing that is shown",
        ),
        pytest.param(
            [Outcome(UPDATE, {"id": 1, "path": "/a", "size": 2048}, True, REFUSED)],
            {"/a": {"size": "1KiB", "inodes": 7}},
            {"/a": {"size": "2KiB"}},
            id="a field that is no longer shown",
        ),
        pytest.param(
            [
                Outcome(plan_quota({"id": number, "path": "/a", "size": number}, present=False), None, True)
                for number in (1, 2, 3)
            ],
            {
                "/a": {"path": "/a", "size": 1},
                "/a (id 2)": {"path": "/a", "size": 2},
                "/a (id 3)": {"path": "/a", "size": 3},
            },
            {},
            id="several of one key",
        ),
        pytest.param(
            [
                Outcome(plan_quota({"id": number, "path": "/a", "size": 1024}, size=number), None, True)
                for number in (1, 2)
            ],
            {"/a": {"size": "1KiB"}, "/a (id 2)": {"size": "1KiB"}},
            {"/a": {"size": 1}, "/a (id 2)": {"size": 2}},
            id="several of one key, updated",
        ),
        pytest.param(
            [DELETED_ONE, Outcome(plan_quota(path="/a", size=1024), HOME, True)],
            {"/a": {"path": "/a", "size": "1KiB", "inodes": 7}},
            {"/a": {"path": "/a", "size": "1KiB"}},
            id="deleted, and another created",
        ),
    ],
)
def test_diff(outcomes: list[Outcome], before: dict[str, Any], after: dict[str, Any]) -> None:
    headers = {"before_header": SUBJECT, "after_header": SUBJECT}
    assert diff_of(iter(outcomes), SUBJECT) == {**headers, "before": before, "after": after}


def test_a_diff_is_bounded_and_says_so() -> None:
    diff = diff_of([*creations(1500, 996), DELETED_ONE], SUBJECT)
    shown = len(diff["after"]) - 1
    assert 0 < shown < 150_000 // (2 * 996)
    assert diff["after"]["(not shown)"] == f"and {1501 - shown:,} more"
    assert diff["before"] == {}
    assert len(json.dumps(diff)) < 200_000


@pytest.mark.parametrize(("size", "is_shown"), [(150_000, True), (150_001, False)])
def test_a_diff_holds_just_as_much_as_there_is_room_for(size: int, is_shown: bool) -> None:
    # The path stands in it three times, so the limit makes up the rest.
    room = size - len(json.dumps(["/", {}, {"path": "/", "inodes": 1}, "/"]))
    plan = plan_quota(path="/" + "x" * (room // 3), inodes=10 ** (room % 3))
    diff = diff_of([Outcome(plan, dict(plan.body), True)], SUBJECT)
    assert ("(not shown)" not in diff["after"]) is is_shown


def test_records_are_shown_under_their_place() -> None:
    diff = Diff(SUBJECT)
    diff.add(UPDATED_ONE, ("v", "quotas"))
    diff.add(DELETED_ONE, ("w", "quotas"), key="gone", below={"files": ["x"]})
    result = diff.to_result()
    gone = {"path": "/a", "size": "1KiB", "inodes": 7, "files": ["x"]}
    assert result["before"] == {"v": {"quotas": {"/a": {"size": "1KiB"}}}, "w": {"quotas": {"gone": gone}}}
    assert result["after"] == {"v": {"quotas": {"/a": {"size": "2KiB"}}}}
