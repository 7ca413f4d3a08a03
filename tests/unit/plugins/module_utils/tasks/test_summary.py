# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a list task: what was done, what failed, and how much of it a result can hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils.model.plan import Plan, make_plan
from ansible_collections.managedfs.console.plugins.module_utils.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils.reconcile.history import Outcome
from ansible_collections.managedfs.console.plugins.module_utils.tasks.summary import diff_of, nothing_done, summarize

HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}
SUBJECT = "quotas of volume 'v'"


def plan_quota(record: dict[str, Any] | None = None, *, present: bool = True, **values: Any) -> Plan:
    """Return the plan for one quota, which is there or not."""
    identity = record["id"] if record else None
    return make_plan(Records(QUOTA, [record] if record else []), Goal(present, values, identity))


CREATE = plan_quota(path="/new", size=1024)
UPDATE = plan_quota(HOME, size=2048)
RENAME = plan_quota(HOME, path="/b")
DELETE = plan_quota(HOME, present=False)
KEEP = plan_quota(HOME, size=1024)
UPDATED = {**HOME, "size": 2048}

CREATED_ONE = Outcome(CREATE, {"id": 9, "path": "/new", "size": 1024}, True)
UPDATED_ONE = Outcome(UPDATE, UPDATED, True)
DELETED_ONE = Outcome(DELETE, None, True)
KEPT_ONE = Outcome(KEEP, HOME, False)
REFUSED = RequestError("POST", "/quotas", "no room", 400)
FAILED_ONE = Outcome(CREATE, None, False, REFUSED)

NOTHING_DONE = {"changed": False, "created": [], "updated": [], "deleted": [], "unchanged": 0, "errors": []}
NONE = {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 0}


@pytest.mark.parametrize(
    ("outcomes", "result", "counts", "said"),
    [
        pytest.param([], {}, {}, "nothing to do", id="nothing"),
        pytest.param([KEPT_ONE], {"unchanged": 1}, {"unchanged": 1}, "1 unchanged", id="unchanged"),
        pytest.param([CREATED_ONE], {"changed": True, "created": ["/new"]}, {"created": 1}, "1 created", id="created"),
        pytest.param(
            [Outcome(RENAME, {**HOME, "path": "/b"}, True)],
            {"changed": True, "updated": ["/b"]},
            {"updated": 1},
            "1 updated",
            id="renamed",
        ),
        pytest.param([DELETED_ONE], {"changed": True, "deleted": ["/a"]}, {"deleted": 1}, "1 deleted", id="deleted"),
        pytest.param(
            [Outcome(DELETE, None, False)], {"unchanged": 1}, {"unchanged": 1}, "1 unchanged", id="deleted by others"
        ),
        pytest.param(
            [FAILED_ONE],
            {"errors": [{"key": "/new", "msg": str(REFUSED)}]},
            {"failed": 1},
            "1 failed",
            id="failed",
        ),
        pytest.param(
            [Outcome(UPDATE, UPDATED, True, REFUSED)],
            {"changed": True, "updated": ["/a"], "errors": [{"key": "/a", "msg": str(REFUSED)}]},
            {"updated": 1, "failed": 1},
            "1 updated, 1 failed",
            id="changed, and failed",
        ),
        pytest.param(
            [Outcome(UPDATE, HOME, True, REFUSED, is_seen=False)],
            {"changed": True, "errors": [{"key": "/a", "msg": str(REFUSED)}]},
            {"failed": 1},
            "1 failed",
            id="perhaps changed, but not seen",
        ),
        pytest.param(
            [KEPT_ONE, DELETED_ONE, UPDATED_ONE, CREATED_ONE, KEPT_ONE, FAILED_ONE],
            {
                "changed": True,
                "created": ["/new"],
                "updated": ["/a"],
                "deleted": ["/a"],
                "unchanged": 2,
                "errors": [{"key": "/new", "msg": str(REFUSED)}],
            },
            {"created": 1, "updated": 1, "deleted": 1, "unchanged": 2, "failed": 1},
            "1 created, 1 updated, 1 deleted, 2 unchanged, 1 failed",
            id="all",
        ),
        pytest.param([KEPT_ONE] * 2985, {"unchanged": 2985}, {"unchanged": 2985}, "2,985 unchanged", id="thousands"),
    ],
)
def test_summary(outcomes: list[Outcome], result: dict[str, Any], counts: dict[str, int], said: str) -> None:
    expected = {**NOTHING_DONE, **result, "counts": {**NONE, **counts}, "msg": f"{SUBJECT}: {said}"}
    assert summarize(outcomes, SUBJECT) == expected


def failures(number: int, message: str, error: type[ConsoleError] = ConsoleError) -> list[Outcome]:
    """Return the outcomes of creations that failed with the same message."""
    made = ConsoleError(message) if error is ConsoleError else RequestError("POST", "/quotas", message, 400)
    return [Outcome(plan_quota(path=f"/{position}", size=1), None, False, made) for position in range(number)]


@pytest.mark.parametrize("error", [ConsoleError, RequestError])
def test_equal_errors_are_told_in_full_ten_times_and_then_in_short(error: type[ConsoleError]) -> None:
    message = "x" * 100
    outcomes = failures(12, message, error)
    messages = [entry["msg"] for entry in summarize(outcomes, SUBJECT)["errors"]]
    assert messages == [str(outcomes[0].error)] * 10 + [message[:80]] * 2


def test_other_errors_among_equal_ones_are_told_in_full() -> None:
    outcomes = [*failures(11, "x" * 100), *failures(1, "y" * 100)]
    assert [len(entry["msg"]) for entry in summarize(outcomes, SUBJECT)["errors"]] == [100] * 10 + [80, 100]


def creations(number: int, size: int) -> list[Outcome]:
    """Return the outcomes of creations, each with a key of so many characters."""
    plans = [plan_quota(path="/" + f"{position:05}".rjust(size - 1, "x"), size=1) for position in range(number)]
    return [Outcome(plan, dict(plan.body), True) for plan in plans]


def deletions(number: int, size: int) -> list[Outcome]:
    """Return the outcomes of deletions, each of a key of so many characters."""
    return [
        Outcome(plan_quota({"id": position, "path": "/" + "x" * (size - 1)}, present=False), None, True)
        for position in range(number)
    ]


@pytest.mark.parametrize(
    ("outcomes", "listed", "not_listed"),
    [
        # A key of 996 characters takes 1,000 with its quotation marks, its comma and its space.
        pytest.param(creations(400, 996), [400, 0, 0], None, id="just as many as there is room for"),
        pytest.param(creations(401, 996), [400, 0, 0], {"created": 1}, id="one too many"),
        pytest.param(creations(400, 996) + deletions(2, 10), [400, 0, 0], {"deleted": 2}, id="no room left for others"),
        pytest.param(
            creations(300, 996) + deletions(101, 996), [300, 0, 99], {"deleted": 2}, id="some room left for others"
        ),
    ],
)
def test_keys_are_bounded_and_counted(
    outcomes: list[Outcome], listed: list[int], not_listed: dict[str, int] | None
) -> None:
    result = summarize(outcomes, SUBJECT)
    assert [len(result[name]) for name in ("created", "updated", "deleted")] == listed
    assert result.get("not_listed") == not_listed
    assert sum(result["counts"].values()) == len(outcomes)


def test_errors_are_bounded_and_counted() -> None:
    entry = {"key": "/0", "msg": "00 " + "x" * 3000}
    outcomes = [failure for position in range(50) for failure in failures(1, f"{position:02} " + "x" * 3000)]
    result = summarize(outcomes, SUBJECT)
    assert result["errors"][0] == entry
    assert len(result["errors"]) == 80_000 // (len(json.dumps(entry)) + 2)
    assert result["not_listed"] == {"errors": 50 - len(result["errors"])}
    assert (result["counts"]["failed"], result["msg"]) == (50, f"{SUBJECT}: 50 failed")


def test_keys_that_are_not_listed_leave_the_room_for_errors_alone() -> None:
    result = summarize([*creations(500, 996), FAILED_ONE], SUBJECT)
    assert (len(result["errors"]), result["not_listed"]) == (1, {"created": 100})


@pytest.mark.parametrize(
    ("details", "result"),
    [
        pytest.param({}, {}, id="nothing known"),
        pytest.param({"failure": {"status": 500}}, {"failure": {"status": 500}}, id="a request that failed"),
        pytest.param(
            {"errors": [{"key": "a", "msg": "x"}]}, {"errors": [{"key": "a", "msg": "x"}]}, id="items that are invalid"
        ),
        pytest.param(
            {"errors": ["x" * 39_996] * 3},
            {"errors": ["x" * 39_996] * 2, "not_listed": {"errors": 1}},
            id="too many of them",
        ),
    ],
)
def test_before_anything_is_done(details: dict[str, Any], result: dict[str, Any]) -> None:
    counts = {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": len(details.get("errors", []))}
    assert nothing_done(details) == {**NOTHING_DONE, **result, "counts": counts}


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
