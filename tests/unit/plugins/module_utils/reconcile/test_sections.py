# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sections: readings and plans, the predictions of check mode, the lists below a volume that are opened, and outcomes."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import CREATE, DELETE, UPDATE
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Outcome, Section
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.sections import (
    plan_record,
    plan_sections,
    write_sections,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import ScriptedStore
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, quota, volume

WEB = {"id": 1, "desc": "web", "iprange": "*"}
OLD = {"id": 2, "desc": "old", "iprange": "*"}
NEW = {"desc": "new", "iprange": "*", "apionly": False, "readonly": False, "appendonly": False}
BEFORE = [WEB, OLD]
UPDATED, CREATED = {**OLD, "iprange": "::1"}, {"id": 3, **NEW}

KEEP = export(desc="web", readonly=True)
GOALS = [export(present=False, desc="web"), export(desc="old", iprange="::1"), export(desc="new", iprange="*")]


def section_of(store: ScriptedStore, goals: list[Goal], *purge: str) -> Section:
    section = Section(EXPORT, goals, purge, store.as_store)
    plan_sections(section, 1)
    return section


def summary(section: Section) -> list[tuple[str, Record | None, bool]]:
    """Return label, record and change of the outcomes of a section, which have no error."""
    assert [outcome.error for outcome in section.outcomes if outcome.error] == []
    return [(outcome.action.label, outcome.record, outcome.changed) for outcome in section.outcomes]


def test_what_is_planned_is_predicted_then_written_and_read_back() -> None:
    store = ScriptedStore([200, 201, 204], [BEFORE, [UPDATED, CREATED]])
    section = section_of(store, GOALS)
    assert summary(section) == [("web", None, True), ("old", UPDATED, True), ("new", NEW, True)]
    assert (store.sent, store.reads) == ([], 1)
    write_sections(section, wait=False, wait_timeout=10, concurrency=1)
    assert summary(section) == [("web", None, True), ("old", UPDATED, True), ("new", CREATED, True)]
    assert (store.methods, store.reads) == (["PUT", "POST", "DELETE"], 3)


def test_nothing_to_write_is_one_read() -> None:
    store = ScriptedStore([], [BEFORE])
    section = section_of(store, [KEEP])
    write_sections(section, wait=False, wait_timeout=10, concurrency=1)
    assert summary(section) == [("web", WEB, False)]
    assert section.outcomes[0].unverified == ("readonly",)
    assert (store.sent, store.reads) == ([], 1)


def test_a_record_is_planned_alone() -> None:
    section = Section(EXPORT, [GOALS[1]], source=ScriptedStore([], [BEFORE]).as_store)
    action = plan_record(section).action
    assert (action.verb, action.current) == (UPDATE, OLD)
    assert section.outcomes == [Outcome(action, UPDATED, True)]


def test_a_record_that_cannot_be_planned_is_not_changed() -> None:
    store = ScriptedStore([], [[{**WEB, "readonly": False}]])
    with pytest.raises(ConsoleError, match=r"readonly is false, wanted true\..* Nothing was changed\.$") as caught:
        plan_record(Section(EXPORT, [KEEP], source=store.as_store))
    assert caught.value.details["record"] == {**WEB, "readonly": False}


def test_items_that_cannot_be_done_are_refused_at_once() -> None:
    with pytest.raises(ConsoleError) as caught:
        section_of(ScriptedStore([], [BEFORE]), [export(desc="a"), export(id=9)])
    assert [error["key"] for error in caught.value.details["errors"]] == ["a", "id 9"]
    assert {frozenset(error) for error in caught.value.details["errors"]} == {frozenset({"key", "msg"})}


A_QUOTA = quota(path="/a", size=1)
V, GONE = volume(name="v"), volume(name="v", present=False)
OPENED: dict[str, tuple[Any, ...]] = {
    "two": (V, {"quotas": [A_QUOTA], "exports": [KEEP]}, [], ["exports", "quotas"]),
    "an empty one": (V, {"quotas": []}, [], ["quotas"]),
    "of one absent": (GONE, {"quotas": [A_QUOTA]}, ["quotas"], []),
}


@pytest.mark.parametrize(("goal", "children", "purge", "opened"), OPENED.values(), ids=OPENED)
def test_the_lists_opened_below_a_volume(goal: Goal, children: Any, purge: list[str], opened: list[str]) -> None:
    root = Section(VOLUME, [goal._replace(children=children)], purge)
    assert root.plan() == []
    assert [section.resource.plural for section in root.all_below] == opened


def test_a_problem_says_which_list_of_which_volume_it_is_about() -> None:
    root = Section(VOLUME, [V._replace(children={"quotas": [quota(path="/a")]}), volume(id=9)])
    (of_root,) = root.plan()
    (of_quotas,) = root.all_below[0].plan()
    assert dict(of_root.where) == {"volume": "id 9", "kind": "volumes"}
    assert dict(of_quotas.where) == {"volume": "v", "kind": "quotas"}


@pytest.mark.parametrize("verbs", [[DELETE, UPDATE, CREATE], [DELETE], [UPDATE, CREATE]])
def test_the_writes_of_a_list(verbs: list[str]) -> None:
    section = section_of(ScriptedStore([], [BEFORE]), [*GOALS, export(id=9, present=False)])
    assert [change.action.verb for change in section.due(verbs)] == verbs
