# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task for lists: what was done, what failed, and how much of it a result can hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.summary import (
    Entry,
    nothing_done,
    nothing_done_in_tree,
    summarize,
    summarize_tree,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.tasks.outcomes import (
    CREATED_ONE,
    DELETE,
    DELETED_ONE,
    FAILED_ONE,
    HOME,
    KEPT_ONE,
    REFUSED,
    RENAME,
    SUBJECT,
    UPDATE,
    UPDATED,
    UPDATED_ONE,
    creations,
    deletions,
    plan_quota,
)

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
def test_what_more_than_ten_records_fail_for_is_told_once(error: type[ConsoleError]) -> None:
    ten = failures(10, "no", error)
    assert [entry["msg"] for entry in summarize(ten, SUBJECT)["errors"]] == [str(ten[0].error)] * 10
    result = summarize([*failures(3000, "no", error), *failures(1, "never", error)], SUBJECT)
    assert result["errors"] == [
        {"key": "/0", "count": 3000, "msg": f"3,000 items (/0; /1; /2; ...): {ten[0].error}"},
        {"key": "/0", "msg": str(failures(1, "never", error)[0].error)},
    ]
    assert result["counts"]["failed"] == 3001


def test_errors_that_differ_in_the_record_alone_are_equal() -> None:
    outcomes = [
        outcome._replace(error=ConsoleError(f"{outcome.plan.description} was skipped: no"))
        for outcome in failures(11, "no")
    ]
    assert [entry["msg"] for entry in summarize(outcomes, SUBJECT)["errors"]] == [
        "11 items (/0; /1; /2; ...): quota '/0' was skipped: no"
    ]


@pytest.mark.parametrize(
    ("outcomes", "listed", "not_listed"),
    [
        # A key of 996 characters takes 1,000 with its quotation marks, its comma and its space.
        pytest.param(creations(400, 996), [400, 0, 0], None, id="just as many as there is room for"),
        pytest.param(creations(401, 996), [400, 0, 0], {"created": 1}, id="one too many"),
        pytest.param(creations(400, 996) + deletions(2, 10), [400, 0, 0], {"deleted": 2}, id="no room left for others"),
        pytest.param(
            creations(300, 996) + deletions(102, 996), [300, 0, 100], {"deleted": 2}, id="some room left for others"
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
    entry = {"key": "/0", "msg": "x" * 3000}
    outcomes = [failure for position in range(50) for failure in failures(1, "x" * (3000 + position))]
    result = summarize(outcomes, SUBJECT)
    assert result["errors"][0] == entry
    assert sum(len(json.dumps(error)) + 2 for error in result["errors"]) <= 80_000
    assert len(result["errors"]) == 26
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
            {"errors": [{"key": "a", "msg": "x" * 39_974}] * 3},
            {"errors": [{"key": "a", "msg": "x" * 39_974}] * 2, "not_listed": {"errors": 1}},
            id="too many of them",
        ),
        pytest.param(
            {"errors": [{"key": "a", "count": 1, "msg": "x"}]},
            {"errors": [{"key": "a", "count": 1, "msg": "x"}]},
            id="items that are counted",
        ),
    ],
)
def test_before_anything_is_done(details: dict[str, Any], result: dict[str, Any]) -> None:
    counts = {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": len(details.get("errors", []))}
    assert nothing_done(details) == {**NOTHING_DONE, **result, "counts": counts}


def entries(*outcomes: Outcome) -> list[Entry]:
    """Return what became of quotas of volume 'v'."""
    return [Entry(outcome, "v", "quotas") for outcome in outcomes]


def test_several_lists_are_summed_up_each_by_itself_with_all_errors_in_one_list() -> None:
    result = summarize_tree({"exports": entries(), "quotas": entries(CREATED_ONE, FAILED_ONE, KEPT_ONE)})
    empty = {"created": [], "updated": [], "deleted": [], "unchanged": 0}
    assert result == {
        "changed": True,
        "exports": empty,
        "quotas": {**empty, "created": ["v: /new"], "unchanged": 1},
        "errors": [{"volume": "v", "kind": "quotas", "key": "v: /new", "msg": str(REFUSED)}],
        "counts": {"exports": NONE, "quotas": {**NONE, "created": 1, "unchanged": 1, "failed": 1}},
        "msg": "quotas: 1 created, 1 unchanged, 1 failed",
    }


def test_several_lists_share_the_room_for_keys() -> None:
    # With the key of the quota, 996 bytes and two quotes each.
    lists = {name: [Entry(CREATED_ONE, "x" * 990, name)] * 300 for name in ("exports", "quotas")}
    result = summarize_tree(lists)
    assert [len(result[name]["created"]) for name in lists] == [300, 100]
    assert result["not_listed"] == {"quotas": {"created": 200}}


def test_nothing_to_do_in_several_lists() -> None:
    assert summarize_tree({"exports": [], "quotas": []})["msg"] == "nothing to do"


def test_before_anything_is_done_in_several_lists() -> None:
    errors = [{"volume": "v", "kind": "quotas", "key": "/a", "msg": "x"}]
    empty = {"created": [], "updated": [], "deleted": [], "unchanged": 0}
    assert nothing_done_in_tree({"errors": errors}, ["exports", "quotas"]) == {
        "changed": False,
        "exports": empty,
        "quotas": empty,
        "errors": errors,
        "counts": {"exports": NONE, "quotas": {**NONE, "failed": 1}},
    }
