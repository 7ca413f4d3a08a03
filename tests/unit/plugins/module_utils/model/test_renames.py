# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Renaming by the former key, as tables: the record that is meant, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal, read_goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import (
    CREATE,
    NOTHING,
    UPDATE,
    find_duplicates,
    plan_list,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT

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


@pytest.mark.parametrize(("desc", "verb"), [("new ", UPDATE), ("new", NOTHING)], ids=["once", "and again"])
def test_white_space_can_be_renamed_away(desc: str, verb: str) -> None:
    actions, problems = plan_list(exports(desc), [renamed(former="new ")], purge=False)
    assert (problems, [action.verb for action in actions]) == ([], [verb])


@pytest.mark.parametrize("goal", [renamed(), read_goal(EXPORT, {"id": 2, "state": "absent", "desc": None})])
def test_what_is_ignored_is_not_reached_by_another_way(goal: Goal) -> None:
    _actions, problems = plan_list(exports("web", ignored=("old",)), [goal], purge=False)
    assert [problem.message for problem in problems] == [
        "export 'old' (id 2) is ignored, so no task may change it. Leave the item out, or change ignore."
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": 7}, "renamed_from needs a record that is found by its key: leave out id, and state absent."),
        ({"state": "absent"}, "renamed_from needs a record that is found by its key: leave out id, and state absent."),
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
