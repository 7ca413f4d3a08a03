# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a console differs from the desired state: the plans that the module `volumes` would make, as facts. Pure.

Records and items come with their secrets masked. What a mask hides on both sides is equal here, and so is no drift.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.masking import MASK
from ...module_utils._internal.model.goals import Goal
from ...module_utils._internal.model.ignore import Ignore
from ...module_utils._internal.model.listing import sort_records
from ...module_utils._internal.model.plan import CREATE, DELETE, UPDATE, Action
from ...module_utils._internal.model.plan_of_lists import distinct_labels, plan_goals
from ...module_utils._internal.model.problems import Problem
from ...module_utils._internal.model.records import Record, Records, format_value
from ...module_utils._internal.model.resources import LISTS_BY_NAME, LISTS_OF_VOLUME, VOLUME, Resource
from ...module_utils._internal.tasks.items import find_problems, read_items

_INVALID, _UNCLAIMED = "cannot_be_applied", "not_in_desired_state"
_BY_VERB = {CREATE: "to_create", UPDATE: "to_update", DELETE: "to_delete"}
PARTS = (_INVALID, *_BY_VERB.values(), _UNCLAIMED)
"""The parts of what differs."""
NOT_COMPARED = "not_compared"


def find_drift(
    volumes: Iterable[Mapping[str, Any]],
    desired: Iterable[Mapping[str, Any]],
    purge: Collection[str],
    ignores: Mapping[str, Ignore],
) -> tuple[dict[str, list[dict[str, Any]]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what is to be created, updated and deleted, what cannot be applied and why, and what no item claims.

    And how many records of each kind were not compared, since they are somebody else's, and which belong to a rotation.
    """
    items = read_items(VOLUME, desired, ignores=ignores)
    drift = _Drift(find_problems(VOLUME, items), purge, ignores)
    drift.compare([to_record(VOLUME, volume) for volume in volumes], VOLUME, items.goals)
    return drift.to_facts(), drift.count_ignored(), drift.rotating


def to_record(resource: Resource, result: Mapping[str, Any]) -> Record:
    """Return a record as the console lists it, with the names of the API, from what a module returned."""
    names = {field.name: field.in_api for field in resource.fields}
    return {names.get(name, name): value for name, value in result.items()}


class _Drift:
    """Collects what differs."""

    def __init__(self, invalid: list[Problem], purge: Collection[str], ignores: Mapping[str, Ignore]) -> None:
        self._purge = purge
        self._ignores = ignores
        self._ignored: Counter[str] = Counter()
        self.rotating: list[dict[str, Any]] = []
        self._parts: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
        self._not_compared: Counter[tuple[str, str]] = Counter()
        # By their text: that an item is a duplicate is found by the items alone, and again by their records.
        self._problems: dict[str, dict[str, Any]] = {}
        # A list with an item that cannot be read does not show which records it claims.
        self._unread = {(problem.where["volume"], problem.where["kind"]) for problem in invalid}
        for problem in invalid:
            self._add_problem(problem, problem.where["kind"], problem.where["volume"])

    def compare(
        self,
        found: list[Record],
        resource: Resource,
        goals: list[Goal],
        owner: Action | None = None,
        name: str = "",
    ) -> None:
        """Add what differs in the volumes and their lists, or in a list of the volume that has that name in the facts."""
        purge = resource.plural in self._purge
        volume = owner.goal if owner else None
        records = self._sort(found, resource, owner, name, is_needed=bool(goals) or purge)
        if records is None:
            return
        actions, problems = plan_goals(records, goals)
        for problem in problems:
            self._add_problem(problem, resource.plural, name or problem.key)
        is_read = not any(
            kind == resource.plural and _is_in(name_in_items, volume) for name_in_items, kind in self._unread
        )
        free = _unclaimed(records, goals, actions, problems) if is_read else []
        rotating = [record for record in free if records.is_rotating(record)]
        self.rotating += [_entry(resource.plural, name, resource.label(record)) for record in rotating]
        free = [record for record in free if record not in rotating]
        unclaimed = [(record, _entry(resource.plural, name, resource.label(record))) for record in free]
        if not purge:
            self._parts[_UNCLAIMED] += [entry for _record, entry in unclaimed]
        for action, key in zip(actions, (action.label for action in actions) if volume else distinct_labels(actions)):
            self._add(action, _entry(resource.plural, name, key))
            self._compare_lists(action, key)
        for record, entry in unclaimed if purge else ():
            self._add(Action(Goal(resource, False, {}, record["id"]), DELETE, record), entry)

    def _compare_lists(self, action: Action, name: str) -> None:
        for plural, goals in action.goal.children.items() if action.goal.present else ():
            resource = LISTS_BY_NAME[plural]
            found = [to_record(resource, result) for result in (action.current or {}).get(plural, ())]
            self.compare(found, resource, goals, action, name)

    def _sort(
        self, found: list[Record], resource: Resource, owner: Action | None, name: str, is_needed: bool
    ) -> Records | None:
        """Return the records as tasks sort them; None for a list that no task can work with, which is told if it is needed."""
        ignores = owner.goal.ignore if owner else self._ignores
        ignore = ignores.get(resource.plural)
        of_volume = f" of {VOLUME.noun} {format_value(VOLUME.key_of(owner.current))}" if owner and owner.current else ""
        try:
            records = sort_records(resource, found, of_volume, ignore)
        except ConsoleError as error:
            if is_needed:
                self._problems[f"{resource.plural} {name}"] = {
                    "kind": resource.plural,
                    "volume": name,
                    "message": str(error),
                }
            return None
        self._ignored[resource.plural] += len(records.ignored)
        return records

    def to_facts(self) -> dict[str, list[dict[str, Any]]]:
        """Return everything that was added."""
        counts = sorted(self._not_compared.items())
        not_compared = [{"kind": kind, "field": field, "count": count} for (kind, field), count in counts]
        return {**self._parts, _INVALID: list(self._problems.values()), NOT_COMPARED: not_compared}

    def count_ignored(self) -> list[dict[str, Any]]:
        """Return how many records of each kind were not compared, since they are somebody else's."""
        return [{"kind": kind, "count": count} for kind, count in sorted(self._ignored.items()) if count]

    def _add(self, action: Action, entry: dict[str, Any]) -> None:
        """Add what an action changes, if anything."""
        self._not_compared.update((action.resource.plural, field) for field in (*action.unverified, *_masked(action)))
        if action.changes:
            self._parts[_BY_VERB[action.verb]].append({**entry, "fields": list(_changes(action)), **_lost_with(action)})

    def _add_problem(self, problem: Problem, kind: str, volume: str) -> None:
        entry = {**_entry(kind, volume, problem.key), "message": f"{problem.name}: {problem.message}"}
        self._problems.setdefault(str(entry), entry)


def _is_in(name_in_items: str, volume: Goal | None) -> bool:
    """Return whether what an item calls a volume means the volume of a list, or any where the list is that of volumes."""
    return volume is None or name_in_items == str(volume.name if volume.key is None else volume.key)


def _entry(kind: str, volume: str, key: str) -> dict[str, Any]:
    """Return what identifies a record: a volume, by that name or its key, or what is in its lists."""
    return {"kind": kind, "volume": volume or key, **({} if kind == VOLUME.plural else {"key": key})}


def _lost_with(action: Action) -> dict[str, int]:
    """Return how much goes with a volume that is deleted."""
    lists = LISTS_OF_VOLUME if action.resource is VOLUME and action.verb is DELETE else ()
    return {resource.plural: len((action.current or {})[resource.plural]) for resource in lists}


def _masked(action: Action) -> list[str]:
    """Return the fields of an existing record of which a mask hides a part, so that not all of it was compared."""
    values = action.goal.values if action.current and action.goal.present else {}
    return [name for name, value in values.items() if MASK in str(value)]


def _changes(action: Action) -> Iterator[dict[str, Any]]:
    """Yield the fields that differ, with the values that they have and are to have; not the key of a new or deleted record."""
    before, after = action.before, action.after
    is_update = bool(before and after)
    for field in action.fields:
        actual = {"actual": before[field.name]} if field.name in before else {}
        wanted = {"wanted": after[field.name]} if field.name in after else {}
        if list(actual.values()) != list(wanted.values()) and (is_update or field != action.resource.key):
            yield {"field": field.name, **actual, **wanted}


def _unclaimed(records: Records, goals: list[Goal], actions: list[Action], problems: list[Problem]) -> list[Record]:
    """Return the records, in order of their keys, that no item claims, nor one that cannot be planned may mean."""
    resource = records.resource
    ids = {str(action.current["id"]) for action in actions if action.current} | {str(goal.id) for goal in goals}
    keys = {resource.fold_key(problem.key) for problem in problems} - {None}
    free = [
        record
        for record in records
        if str(record["id"]) not in ids and resource.fold_key(resource.key_of(record)) not in keys
    ]
    return sorted(free, key=resource.label)
