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

from ...module_utils._internal.masking import MASK
from ...module_utils._internal.model.batch import distinct_keys, plan_goals, plan_purge
from ...module_utils._internal.model.goal import Goal
from ...module_utils._internal.model.plan import CREATE, DELETE, UPDATE, Plan
from ...module_utils._internal.model.problems import Problem
from ...module_utils._internal.model.records import Record, Records, format_value
from ...module_utils._internal.model.resources import LISTS_BY_NAME, LISTS_OF_VOLUME, VOLUME, Resource
from ...module_utils._internal.model.selection import record_key
from ...module_utils._internal.tasks.items import find_problems, read_tree

# The parts of what differs.
CANNOT_BE_APPLIED = "cannot_be_applied"
TO_CREATE = "to_create"
TO_UPDATE = "to_update"
TO_DELETE = "to_delete"
UNCLAIMED = "not_in_desired_state"
NOT_COMPARED = "not_compared"

_PARTS = {CREATE: TO_CREATE, UPDATE: TO_UPDATE, DELETE: TO_DELETE}


def find_drift(
    volumes: Iterable[Mapping[str, Any]], desired: Iterable[Mapping[str, Any]], purge: Collection[str]
) -> dict[str, list[dict[str, Any]]]:
    """Return what is to be created, updated and deleted, what cannot be applied and why, and what no item claims."""
    items = read_tree(desired)
    drift = _Drift(find_problems(VOLUME, items), purge)
    drift.compare(Records(VOLUME, [to_record(VOLUME, volume) for volume in volumes]), items.goals)
    return drift.to_facts()


def to_record(resource: Resource, result: Mapping[str, Any]) -> Record:
    """Return a record as the console lists it, with the names of the API, from what a module returned."""
    names = {field.name: field.in_api for field in resource.fields}
    return {names.get(name, name): value for name, value in result.items()}


class _Drift:
    """Collects what differs."""

    def __init__(self, invalid: list[Problem], purge: Collection[str]) -> None:
        self._purge = purge
        self._parts: dict[str, list[dict[str, Any]]] = {part: [] for part in (*_PARTS.values(), UNCLAIMED)}
        self._not_compared: Counter[tuple[str, str]] = Counter()
        # By their text: that an item is a duplicate is found by the items alone, and again by their records.
        self._problems: dict[tuple[str, ...], dict[str, Any]] = {}
        # A list with an item that cannot be read does not show which records it claims.
        self._unread = {(problem.place["volume"], problem.place["kind"]) for problem in invalid}
        for problem in invalid:
            self._add_problem(problem, problem.place["kind"], problem.place["volume"])

    def compare(self, records: Records, goals: list[Goal], volume: Goal | None = None, name: str = "") -> None:
        """Add what differs in the volumes and their lists, or in a list of the volume that has that name in the facts."""
        resource = records.resource
        purge = resource.plural in self._purge
        plans, problems = plan_goals(records, goals)
        refused = plan_purge(records, goals, plans)[1] if purge else []
        for problem in (*problems, *refused):
            self._add_problem(problem, resource.plural, name or problem.key)
        is_read = not any(
            kind == resource.plural and _is_in(name_in_items, volume) for name_in_items, kind in self._unread
        )
        free = _unclaimed(records, goals, plans, problems) if is_read and not refused else []
        unclaimed = [(record, _entry(resource, name, record_key(resource, record))) for record in free]
        if not purge:
            self._parts[UNCLAIMED] += [entry for _record, entry in unclaimed]
        for plan, key in zip(plans, (plan.result_key for plan in plans) if volume else distinct_keys(plans)):
            self._add(plan, _entry(resource, name, key))
            self._compare_lists(plan, key)
        for record, entry in unclaimed if purge else ():
            self._add(Plan(resource, Goal(False, {}, record["id"]), DELETE, record), entry)

    def _compare_lists(self, plan: Plan, name: str) -> None:
        for plural, goals in plan.goal.below.items() if plan.goal.present else ():
            resource = LISTS_BY_NAME[plural]
            found = [to_record(resource, result) for result in (plan.current or {}).get(plural, ())]
            of_volume = f" of {VOLUME.noun} {format_value(VOLUME.key_of(plan.current))}" if plan.current else ""
            self.compare(Records(resource, found, of_volume), goals, plan.goal, name)

    def to_facts(self) -> dict[str, list[dict[str, Any]]]:
        """Return everything that was added."""
        counts = sorted(self._not_compared.items())
        not_compared = [{"kind": kind, "field": field, "count": count} for (kind, field), count in counts]
        return {CANNOT_BE_APPLIED: list(self._problems.values()), **self._parts, NOT_COMPARED: not_compared}

    def _add(self, plan: Plan, entry: dict[str, Any]) -> None:
        """Add a plan, if it changes something."""
        self._not_compared.update((plan.resource.plural, field) for field in (*plan.unverified, *_masked(plan)))
        if plan.changed:
            self._parts[_PARTS[plan.action]].append({**entry, "fields": list(_changes(plan)), **_lost_with(plan)})

    def _add_problem(self, problem: Problem, kind: str, volume: str) -> None:
        key = {} if kind == VOLUME.plural else {"key": problem.key}
        entry = {"kind": kind, "volume": volume, **key, "message": f"{problem.name}: {problem.message}"}
        self._problems.setdefault(tuple(entry.values()), entry)


def _is_in(name_in_items: str, volume: Goal | None) -> bool:
    """Return whether what an item calls a volume means the volume of a list, or any where the list is that of volumes."""
    return volume is None or name_in_items == str(volume.values.get("name", volume.name))


def _entry(resource: Resource, volume: str, key: str) -> dict[str, Any]:
    """Return what identifies a record: a volume, or what is in its lists."""
    return {"kind": resource.plural, **({"volume": volume, "key": key} if volume else {"volume": key})}


def _lost_with(plan: Plan) -> dict[str, int]:
    """Return how much goes with a volume that is deleted."""
    if plan.resource is not VOLUME or plan.action is not DELETE or plan.current is None:
        return {}
    return {resource.plural: len(plan.current[resource.plural]) for resource in LISTS_OF_VOLUME}


def _masked(plan: Plan) -> list[str]:
    """Return the fields of an existing record of which a mask hides a part, so that not all of it was compared."""
    values = plan.goal.values if plan.current and plan.goal.present else {}
    return [name for name, value in values.items() if MASK in str(value)]


def _changes(plan: Plan) -> Iterator[dict[str, Any]]:
    """Yield the fields that differ, with the values that they have and are to have; not the key of a new or deleted record."""
    before, after = plan.before, plan.after
    is_update = bool(before and after)
    for field in plan.resource.managed:
        actual = {"actual": before[field.name]} if field.name in before else {}
        wanted = {"wanted": after[field.name]} if field.name in after else {}
        if list(actual.values()) != list(wanted.values()) and (is_update or field != plan.resource.key):
            yield {"field": field.name, **actual, **wanted}


def _unclaimed(records: Records, goals: list[Goal], plans: list[Plan], problems: list[Problem]) -> list[Record]:
    """Return the records, in order of their keys, that no item claims, nor one that cannot be planned may mean."""
    resource = records.resource
    ids = {str(plan.current["id"]) for plan in plans if plan.current} | {str(goal.id) for goal in goals}
    keys = {resource.trim_key(problem.key) for problem in problems} - {None}
    free = [
        record
        for record in records
        if str(record["id"]) not in ids and resource.trim_key(resource.key_of(record)) not in keys
    ]
    return sorted(free, key=lambda record: record_key(resource, record))
