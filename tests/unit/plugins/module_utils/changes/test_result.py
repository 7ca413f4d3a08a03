# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The results of tasks for lists: changes and failures, the diff, and the limits of a result."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.changes import result as results
from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.entries import entry_of, lost_with
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Change, Outcome, Section
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import plan, quota, volume

HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}
SUBJECT = "quotas of volume 'v'"


def plan_quota(record: Record | None = None, **goal: Any) -> Action:
    """Return the action for one quota, which exists or not."""
    return plan([record] if record else [], quota(id=record["id"] if record else None, **goal))


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


def creations(number: int, size: int) -> list[Outcome]:
    """Return the outcomes of creations, each with a key of this many characters."""
    actions = [plan_quota(path="/" + f"{position:05}".rjust(size - 1, "x"), size=1) for position in range(number)]
    return [Outcome(action, dict(action.body), True) for action in actions]


def deletions(records: Iterable[Record]) -> list[Outcome]:
    return [Outcome(plan_quota(record, present=False), None, True) for record in records]


def many(number: int, size: int) -> list[Record]:
    """Return records, each with a path of this many characters."""
    return [{"id": position, "path": "/" + "x" * (size - 1)} for position in range(number)]


def failures(messages: list[str]) -> list[Outcome]:
    actions = [plan_quota(path=f"/{number}", size=1) for number in range(len(messages))]
    return [Outcome(action, None, False, ConsoleError(text)) for action, text in zip(actions, messages)]


NOTHING_DONE = {
    "changed": False,
    "created": [],
    "updated": [],
    "deleted": [],
    "unchanged": 0,
    "errors": [],
    "plan_warnings": [],
}
NONE = {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 0, "ignored": 0, "unmanaged": 0}
EMPTY = {"created": [], "updated": [], "deleted": [], "unchanged": 0}


def changes(outcomes: Iterable[Outcome], volume: str = "", kind: str = "") -> list[Change]:
    return [change(outcome, volume, kind) for outcome in outcomes]


def change(outcome: Outcome, volume: str = "", kind: str = "") -> Change:
    made = Change(outcome.action, volume, kind)
    made.outcome = outcome
    return made


def list_result(found: dict[str, list[Change]], subject: str = SUBJECT, diff_mode: bool = False) -> dict[str, Any]:
    """Return the result of lists that have these changes."""
    entries = [entry_of(each, {"name": "v"}) for each in chain(*found.values()) if each.is_done]
    lists = {kind: [Section(QUOTA, [])] for kind in found}
    for kind, (section,) in lists.items():
        section.changes = found[kind]
    return results.list_result(lists, entries, subject, diff_mode)


def without_changes(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without its changes, which have a test of their own."""
    return {name: value for name, value in result.items() if name != "changes"}


RENAMED_ONE, DELETED_BY_OTHERS = Outcome(RENAME, {**HOME, "path": "/b"}, True), Outcome(DELETE, None, False)
CHANGED_AND_FAILED = Outcome(UPDATE, UPDATED, True, REFUSED)
UNSEEN = Outcome(UPDATE, HOME, True, REFUSED, is_seen=False)
ALL = [KEPT_ONE, DELETED_ONE, UPDATED_ONE, CREATED_ONE, KEPT_ONE, FAILED_ONE]
ERRORS_OF_A, ERRORS_OF_NEW = ({"errors": [{"key": key, "msg": str(REFUSED)}]} for key in ("/a", "/new"))
KEYS_OF_ALL = {"changed": True, "created": ["/new"], "updated": ["/a"], "deleted": ["/a"], "unchanged": 2}
# The parts of the result that are not empty, but for the counts, and the counts in the message.
RESULTS: dict[str, tuple[Any, ...]] = {
    "nothing": ([], {}, ""),
    "renamed": ([RENAMED_ONE], {"changed": True, "updated": ["/b"]}, "1 updated"),
    "deleted by others": ([DELETED_BY_OTHERS], {"unchanged": 1}, "1 unchanged"),
    "failed": ([CHANGED_AND_FAILED], {"changed": True, "updated": ["/a"], **ERRORS_OF_A}, "1 updated, 1 failed"),
    "perhaps changed, but not seen": ([UNSEEN], {"changed": True, **ERRORS_OF_A}, "1 failed"),
    "all": (ALL, {**KEYS_OF_ALL, **ERRORS_OF_NEW}, "1 created, 1 updated, 1 deleted, 2 unchanged, 1 failed"),
    "thousands": ([KEPT_ONE] * 2985, {"unchanged": 2985}, "2,985 unchanged"),
}


@pytest.mark.parametrize(("outcomes", "result", "text"), RESULTS.values(), ids=RESULTS)
def test_list_result(outcomes: list[Outcome], result: dict[str, Any], text: str) -> None:
    parts = (part.split() for part in text.split(", ") if part)
    counts = {**NONE, **{name: int(number.replace(",", "")) for number, name in parts}}
    expected = {**NOTHING_DONE, **result, "counts": counts, "msg": f"{SUBJECT}: {text or 'nothing to do'}"}
    assert without_changes(list_result({"": changes(outcomes)})) == expected


INVALID, LONG = ({"key": "a", "msg": text} for text in ("x", "x" * 314_974))
NOTHING_WRITTEN: dict[str, tuple[Any, ...]] = {
    "a request that failed": ({"failure": {"status": 500}}, {"failure": {"status": 500}}),
    "items that are invalid": ({"errors": [INVALID]}, {"errors": [INVALID]}),
    "too many of them": ({"errors": [LONG] * 3}, {"errors": [LONG] * 2, "not_listed": {"errors": 1}}),
}


@pytest.mark.parametrize(("details", "result"), NOTHING_WRITTEN.values(), ids=NOTHING_WRITTEN)
def test_before_anything_is_done(details: dict[str, Any], result: dict[str, Any]) -> None:
    counts = {**NONE, "failed": len(details.get("errors", []))}
    assert results.empty_result(QUOTA, details) == {**NOTHING_DONE, **result, "counts": counts, "changes": []}


def test_several_lists_have_a_result_each_with_all_errors_in_one_list() -> None:
    lists = {"exports": [], "quotas": changes([CREATED_ONE, FAILED_ONE, KEPT_ONE], "v", "quotas")}
    assert without_changes(list_result(lists, "volumes")) == {
        "changed": True,
        "plan_warnings": [],
        "exports": EMPTY,
        "quotas": {**EMPTY, "created": ["v: /new"], "unchanged": 1},
        "errors": [{"volume": "v", "kind": "quotas", "key": "v: /new", "msg": str(REFUSED)}],
        "counts": {"exports": NONE, "quotas": {**NONE, "created": 1, "unchanged": 1, "failed": 1}},
        "msg": "quotas: 1 created, 1 unchanged, 1 failed",
    }
    assert list_result({"exports": [], "quotas": []}, "volumes")["msg"] == "nothing to do"


def test_the_entries_of_volumes_and_of_the_lists_below_them() -> None:
    children = {"quotas": [quota(path="/a", size=1)], "exports": []}
    goals = [volume(id=number)._replace(children=children) for number in (1, 2)]
    root = Section(VOLUME, goals, ["exports"])
    root.records = Records(VOLUME, [{"id": 1, "name": "v"}, {"id": 2, "name": "v"}])
    root.plan()
    for section in root.all_below:
        section.plan()
    root.all_below[0].fail(ConsoleError("no list"))
    found = {kind: results.changes_of(sections) for kind, sections in results.lists_of(root).items()}
    assert {kind: [(entry.key, lost_with(entry)) for entry in items] for kind, items in found.items()} == {
        "volumes": [("v (id 1)", {}), ("v (id 2)", {})],
        "exports": [("v (id 1)", {})],
        "quotas": [("v (id 1): /a", {}), ("v (id 2): /a", {})],
    }
    assert found["exports"][0].outcome.error is root.all_below[0].error
    exports = Section(EXPORT, [])
    exports.plan()
    assert results.lists_of(exports) == {"": [exports]}


# A key of 996 characters takes 1,000 with its quotation marks, its comma and its space.
BOUNDED: dict[str, tuple[Any, ...]] = {
    "just as there are bytes for": (creations(630, 996), [630, 0, 0], None),
    "one too many": (creations(631, 996), [630, 0, 0], {"created": 1}),
    "some left for others": (creations(300, 996) + deletions(many(332, 996)), [300, 0, 330], {"deleted": 2}),
}


@pytest.mark.parametrize(("outcomes", "listed", "not_listed"), BOUNDED.values(), ids=BOUNDED)
def test_keys_are_bounded_and_counted(outcomes: list[Outcome], listed: list[int], not_listed: Any) -> None:
    result = list_result({"": changes(outcomes)})
    assert [len(result[name]) for name in ("created", "updated", "deleted")] == listed
    assert without_changes(result.get("not_listed", {})) == (not_listed or {})
    assert sum(result["counts"].values()) == len(outcomes)


def test_errors_are_bounded_and_counted_and_come_before_keys() -> None:
    outcomes = [*creations(1, 10), *failures(["x" * (10_000 + number) for number in range(70)])]
    result = list_result({"": changes(outcomes)})
    assert (len(result["errors"]), result["created"]) == (62, [])
    assert result["not_listed"] == {"created": 1, "errors": 8, "changes": 1}
    assert (result["counts"]["failed"], result["msg"]) == (70, f"{SUBJECT}: 1 created, 70 failed")
    sizes = [len(json.dumps({"key": outcome.action.label, "msg": str(outcome.error)})) + 2 for outcome in outcomes[1:]]
    assert sum(sizes[:62]) <= 630_000 < sum(sizes[:63])


def test_a_result_is_bounded_with_its_diff_which_says_what_is_not_shown() -> None:
    outcomes = [*creations(310, 996), DELETED_ONE, *failures(["x" * (3000 + number) for number in range(50)])]
    result = list_result({"": changes(outcomes)}, diff_mode=True)
    _volume, *shown, last = result["diff"]["prepared"].splitlines()
    assert 0 < len(shown) < 250
    assert last == f"Not shown: v {310 - len(shown)} +, 1 -"
    assert result["not_listed"] == {"changes": 311}
    assert len(json.dumps(result)) < 635_000
