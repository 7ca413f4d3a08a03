# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans for a whole list, as tables: the action for each item, purges, renames, refusals, and their messages."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import (
    ConsoleError,
    Problem,
    invalid_items,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal, read_goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import (
    CREATE,
    DELETE,
    NOTHING,
    UPDATE,
    Action,
    distinct_labels,
    find_duplicates,
    plan_list,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, quota

WEB = {"id": 1, "desc": "web", "iprange": "*"}
OLD = {"id": "2", "desc": "old", "iprange": "*"}
BLANK = {"id": 3, "desc": "", "iprange": "*"}
TWIN = {"id": 4, "desc": "web", "iprange": "*"}
ALL: list[Record] = [WEB, OLD, BLANK]
SAME = "refers to the same record as item 1."

A = export(desc="a", iprange="*")
NEW, A_WEB, NO_OLD = export(desc="new", iprange="*"), export(desc="web"), export(present=False, desc="old")
RENAME, BY_ID, NO_TWIN = export(id=1, desc="www"), export(id=1, desc="web"), export(present=False, id=4, desc="web")


def items(goals: list[Goal]) -> list[Goal]:
    return [goal._replace(name=f"item {number}") for number, goal in enumerate(goals, start=1)]


def plan(records: list[Record], goals: list[Goal], purge: bool = False) -> list[Action]:
    actions, problems = plan_list(Records(EXPORT, records), goals, purge)
    assert problems == []
    return actions


def problems_of(records: list[Record], goals: list[Goal], purge: bool = False) -> list[tuple[str, str]]:
    """Return the problems of a list of goals: the label of each, and the message."""
    _actions, problems = plan_list(Records(goals[0].resource, records, " of volume 'v'"), goals, purge)
    return [(problem.key, f"{problem.name}: {problem.message}") for problem in problems]


def exports_called(*names: str) -> list[Record]:
    return [{"id": number, "desc": name, "iprange": "*"} for number, name in enumerate(names, start=1)]


@pytest.mark.parametrize(
    ("names", "purged"),
    [
        (["web", "web (next)", "web (old)", "x"], ["x"]),
        (["web (next)", "web (old)"], []),
        (["web (next)"], ["web (next)"]),
        (["web (old)", "a (next)", "(next)"], ["web (old)", "a (next)", "(next)"]),
    ],
    ids=str,
)
def test_what_belongs_to_a_rotation_is_not_purged(names: list[str], purged: list[str]) -> None:
    actions = plan(exports_called(*names), [export(desc="web", iprange="*")], purge=True)
    assert [action.label for action in actions if action.verb is DELETE] == purged


# Without a purge.
PLANS: dict[str, tuple[Any, ...]] = {
    "nothing wanted of what is there": ([WEB], [], []),
    "an action for each item": ([WEB, OLD], [NEW, A_WEB, NO_OLD], [(CREATE, "new"), (NOTHING, "web"), (DELETE, "old")]),
    "two records of one key, by their ids": ([WEB, TWIN], [BY_ID, NO_TWIN], [(NOTHING, "web"), (DELETE, "web")]),
}
PURGES: dict[str, tuple[Any, ...]] = {
    "what no item claims, or has no key": (ALL, [A_WEB], [(NOTHING, "web"), (DELETE, "old"), (DELETE, "id 3")]),
    "claimed by id, and renamed": ([WEB], [RENAME], [(UPDATE, "www")]),
    "the other of one key": ([WEB, TWIN], [BY_ID], [(NOTHING, "web"), (DELETE, "web")]),
    "a new one claims nothing that is there": ([WEB], [NEW], [(CREATE, "new"), (DELETE, "web")]),
}


@pytest.mark.parametrize(("purge", "case"), [*((False, name) for name in PLANS), *((True, name) for name in PURGES)])
def test_plan_list(purge: bool, case: str) -> None:
    records, goals, actions = (PURGES if purge else PLANS)[case]
    assert [(action.verb, action.label) for action in plan(records, goals, purge)] == actions


def test_a_purge_is_distinguished_from_the_deletion_of_an_item() -> None:
    actions = plan([WEB, OLD], [export(present=False, desc="web")], purge=True)
    assert [(action.label, action.is_purge) for action in actions] == [("web", False), ("old", True)]


TWICE: dict[str, tuple[Any, ...]] = {
    "one key, not there yet": ([], [A, A._replace(values={"desc": "a", "iprange": "::1"})], "a"),
    "present and absent": ([WEB], [export(desc="web"), export(present=False, desc="web")], "web"),
    "the key that a rename gives up": ([WEB], [RENAME, export(desc="web")], "web"),
    "the key that a rename takes": ([WEB], [RENAME, export(desc="www", iprange="*")], "www"),
    "the same id, one of two of one key": ([WEB, TWIN], [NO_TWIN, export(id=4)], "web"),
    "keys of one meaning": ([], [quota(path=path, size=1) for path in ("/a", "/a/")], "/a/"),
}


@pytest.mark.parametrize(("records", "goals", "key"), TWICE.values(), ids=TWICE)
def test_two_items_for_one_record(records: list[Record], goals: list[Goal], key: str) -> None:
    assert problems_of(records, items(goals)) == [(key, f"item 2: {SAME}")]


def test_all_problems_are_found_at_once() -> None:
    unknown = "no export of volume 'v' has the id 9. The console assigns ids: leave id out to find or create the export"
    assert problems_of([], items([A, export(desc="b"), A, export(id=9), A])) == [
        ("b", "item 2: export 'b' does not exist: to create it, give iprange."),
        ("id 9", f"item 4: {unknown} by its desc."),
        ("a", f"item 3: {SAME}"),
        ("a", f"item 5: {SAME}"),
    ]


DUPLICATES: dict[str, tuple[list[Goal], list[str]]] = {
    "key and id": ([A_WEB, export(id=1)], []),
    "the same key": ([A, A], [SAME]),
    "the same id": ([RENAME, BY_ID], [SAME]),
}


@pytest.mark.parametrize(("goals", "messages"), DUPLICATES.values(), ids=DUPLICATES)
def test_duplicates_whatever_records_there_are(goals: list[Goal], messages: list[str]) -> None:
    assert [problem.message for problem in find_duplicates(items(goals))] == messages


def test_records_that_share_a_key_are_distinguished_by_their_ids() -> None:
    actions = plan([WEB, TWIN, OLD], [export(id=number) for number in (1, 4, 2)])
    assert list(distinct_labels(actions)) == ["web (id 1)", "web (id 4)", "old"]


def bad(number: int, message: str = "is bad.", **where: str) -> Problem:
    return Problem(f"key {number}", f"item {number}", message, where)


def test_the_error_for_invalid_items_names_them_all() -> None:
    error = invalid_items(iter([Problem("a", "item 1 ('a')", "is bad."), bad(2, "is worse.", kind="quotas")]))
    assert str(error) == "Nothing was changed. Correct the items: item 1 ('a'): is bad. item 2: is worse."
    of_quotas = {"kind": "quotas", "key": "key 2", "msg": "item 2: is worse."}
    assert error.details == {"errors": [{"key": "a", "msg": "item 1 ('a'): is bad."}, of_quotas]}


@pytest.mark.parametrize(("number", "more"), [(20, ""), (23, " And 3 more.")])
def test_the_message_for_many_invalid_items_names_some(number: int, more: str) -> None:
    error = invalid_items(bad(n, f"is bad {'t' * n}.") for n in range(1, number + 1))
    assert str(error).endswith(f"item 20: is bad tttttttttttttttttttt.{more}")
    assert [entry["key"] for entry in error.details["errors"]] == [f"key {n}" for n in range(1, number + 1)]


NET = "10.0.0.0/8"


def renamed(desc: str = "new", former: Any = "old", **given: Any) -> Goal:
    """Return the goal of an item with a former key."""
    return read_goal(
        EXPORT, {"id": None, "state": "present", "desc": desc, "renamed_from": former, "iprange": NET, **given}
    )


def exports(*descs: str, ignored: tuple[str, ...] = ()) -> Records:
    """Return a list of exports with these descriptions, whose ids begin at 1."""
    found = [{"id": number, "desc": desc, "iprange": NET} for number, desc in enumerate([*descs, *ignored], start=1)]
    return Records(EXPORT, found[: len(descs)], ignored=found[len(descs) :])


@pytest.mark.parametrize(
    ("descs", "verb", "identity"),
    [
        pytest.param(["old"], UPDATE, 1, id="only the old one is there"),
        pytest.param(["other", "new"], NOTHING, 2, id="only the new one is there"),
        pytest.param(["other"], CREATE, None, id="neither is there"),
        pytest.param(["old", "other"], UPDATE, 1, id="beside another"),
    ],
)
def test_which_record_is_meant(descs: list[str], verb: str, identity: int | None) -> None:
    actions, problems = plan_list(exports(*descs), [renamed()], purge=False)
    assert problems == []
    assert [(action.verb, (action.current or {}).get("id")) for action in actions] == [(verb, identity)]
    assert actions[0].body.get("desc") == (None if verb is NOTHING else "new")


@pytest.mark.parametrize(("descs", "is_warned_of"), [(["other"], True), (["new"], False), (["old"], False)], ids=str)
def test_a_former_name_that_no_record_has_is_warned_of(descs: list[str], is_warned_of: bool) -> None:
    (action,), _problems = plan_list(exports(*descs), [renamed()], purge=False)
    warning = (
        "export 'new' is new, since no export has the desc 'old'. If one is to be renamed, correct renamed_from, or"
    )
    assert action.plan_warnings == ((f"{warning} both will exist.",) if is_warned_of else ())


def test_a_record_that_is_renamed_is_not_purged() -> None:
    actions, _problems = plan_list(exports("old", "other"), [renamed()], purge=True)
    assert [(action.verb, action.label) for action in actions] == [(UPDATE, "new"), ("delete", "other")]


@pytest.mark.parametrize(
    ("descs", "message"),
    [
        (["old", "new"], "export 'old' (id 1) was not renamed, since export 'new' (id 2) exists as well."),
        (["old", "old"], "there are several exports with the desc 'old': ids 1, 2."),
        (["new", "new"], "there are several exports with the desc 'new': ids 1, 2."),
    ],
)
def test_what_cannot_be_renamed(descs: list[str], message: str) -> None:
    _actions, problems = plan_list(exports(*descs), [renamed()], purge=False)
    assert next(problem.message for problem in problems).startswith(message)


@pytest.mark.parametrize("goal", [renamed(), read_goal(EXPORT, {"id": 2, "state": "absent", "desc": None})])
def test_what_is_ignored_is_not_reached_by_another_way(goal: Goal) -> None:
    _actions, problems = plan_list(exports("web", ignored=("old",)), [goal], purge=False)
    assert [problem.message for problem in problems] == [
        "export 'old' (id 2) is ignored, so no task may change it. Leave the item out, or change ignore."
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": 7}, "renamed_from finds a record by its key: leave out id, and do not set state: absent."),
        ({"state": "absent"}, "renamed_from finds a record by its key: leave out id, and do not set state: absent."),
        ({"renamed_from": "new"}, "renamed_from is the desc itself. Leave it out, or give the former one."),
    ],
)
def test_what_is_no_rename(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        renamed(**given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "goals",
    [
        pytest.param([renamed("a", "old"), renamed("b", "old")], id="two of one"),
        pytest.param([renamed("a", "b"), renamed("b", "old")], id="a chain"),
        pytest.param([renamed("a", "b"), renamed("b", "a")], id="a swap"),
        pytest.param([renamed("a", "b"), renamed("b", None)], id="the key of another item"),
    ],
)
def test_two_items_do_not_claim_one_key(goals: list[Goal]) -> None:
    assert next(problem.message for problem in find_duplicates(goals)).startswith("refers to the same record as ")
