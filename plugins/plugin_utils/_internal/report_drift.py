# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The drift of a console from the desired state: the plan that the module `volumes` would make, as facts. Pure.

The secrets of records and items are masked. Values that are masked on both sides are equal here, and so no drift.
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
from ...module_utils._internal.model.problems import Problem
from ...module_utils._internal.model.records import Record, Records, of_volume
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME, Resource
from ...module_utils._internal.model.section import Change, Section
from ...module_utils._internal.tasks.items import find_problems, read_items

INVALID, UNCLAIMED = "cannot_be_applied", "not_in_desired_state"
BY_VERB = {CREATE: "to_create", UPDATE: "to_update", DELETE: "to_delete"}
"""The parts of the drift by what would be done."""
DIFFERENCES = (INVALID, *BY_VERB.values())
"""The parts of the drift that would be applied, or cannot be."""
PARTS = (*DIFFERENCES, UNCLAIMED)
"""The parts of the drift."""
NOT_COMPARED = "not_compared"


def find_drift(
    volumes: Iterable[Mapping[str, Any]],
    desired: Iterable[Mapping[str, Any]],
    purge: Collection[str],
    ignores: Mapping[str, Ignore],
) -> tuple[dict[str, list[dict[str, Any]]], list[dict[str, Any]]]:
    """Return the drift, and the counts of ignored records.

    The drift has these parts: what is to be created, updated and deleted, what cannot be applied and why, and what no item
    claims.
    """
    items = read_items(VOLUME, desired, ignores=ignores)
    shown = _Shown([to_record(VOLUME, volume) for volume in volumes], VOLUME, ignore=ignores.get(VOLUME.plural))
    drift = _Drift(find_problems(VOLUME, items))
    drift.compare(Section(VOLUME, items.goals, purge, shown))
    return drift.to_facts(), drift.count_ignored()


def to_record(resource: Resource, result: Mapping[str, Any]) -> Record:
    """Return the result of a module as the console lists the record, with the names of the API."""
    names = {field.name: field.in_api for field in resource.fields}
    return {names.get(name, name): value for name, value in result.items()}


class _Shown:
    """The records of a list as an info module returned them. Volumes hold the records of their lists."""

    def __init__(
        self, listed: list[Record], resource: Resource, volume: Record | None = None, ignore: Ignore | None = None
    ) -> None:
        self._listed, self._resource, self._volume, self._ignore = listed, resource, volume, ignore

    def read(self) -> Records:
        """Return the records as tasks sort them; ConsoleError if no task can work with them."""
        return sort_records(self._resource, self._listed, of_volume(self._volume), self._ignore)

    def below(self, resource: Resource, volume: Record, ignore: Ignore | None) -> _Shown:
        """Return the list of one kind that a volume holds."""
        return _Shown(
            [to_record(resource, result) for result in volume.get(resource.plural, ())], resource, volume, ignore
        )


class _Drift:
    """Collects the drift."""

    def __init__(self, invalid: list[Problem]) -> None:
        self._ignored: Counter[str] = Counter()
        self._parts: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
        self._not_compared: Counter[tuple[str, str]] = Counter()
        # By text: a duplicate is found twice, by comparing the items and by their records.
        self._problems: dict[str, dict[str, Any]] = {}
        # An item that cannot be read may claim any record of its list.
        self._unread = {(problem.where["volume"], problem.where["kind"]) for problem in invalid}
        for problem in invalid:
            self._add_problem(problem)

    def compare(self, section: Section) -> None:
        """Add the drift of a list, and of those below it."""
        problems = self._plan(section)
        if section.error:
            if section.goals or section.kind in section.purge:
                volume = section.owner.label if section.owner else ""
                entry = {"kind": section.kind, "volume": volume, "message": str(section.error)}
                self._problems[f"{section.kind} {volume}"] = entry
            return
        self._ignored[section.kind] += len(section.records.ignored)
        free = self._unclaimed(section, problems)
        unclaimed = [record for record in free if not section.records.is_rotating(record)]
        if section.kind not in section.purge:
            self._parts[UNCLAIMED] += [_entry(section, section.resource.label(record)) for record in unclaimed]
        ids = {str(record["id"]): position for position, record in enumerate(unclaimed)}
        purges = [change for change in section.changes if change.action.is_purge and _id_of(change) in ids]
        purges.sort(key=lambda change: ids[_id_of(change)])
        for change in [*(change for change in section.changes if not change.action.is_purge), *purges]:
            self._add(change, section)
            for below in change.below if change.action.verb is not DELETE else ():
                if section.source and change.action.current:
                    below.open(section.source)
                self.compare(below)

    def _plan(self, section: Section) -> list[Problem]:
        """Read and plan a list, and return the problems of items that cannot be done."""
        try:
            section.read()
        except ConsoleError as error:
            section.fail(error)
        problems = section.plan()
        for problem in problems:
            self._add_problem(problem)
        return problems

    def _unclaimed(self, section: Section, problems: list[Problem]) -> list[Record]:
        """Return the records, sorted by key, that no item claims and no invalid item may mean."""
        owner = section.owner.action.goal if section.owner else None
        if any(kind == section.kind and _is_in(volume, owner) for volume, kind in self._unread):
            return []
        resource = section.resource
        ids = {str(goal.id) for goal in section.goals}
        keys = {resource.normalize_key(problem.key) for problem in problems} - {None}
        free = [
            record
            for record in section.unclaimed
            if str(record["id"]) not in ids and resource.normalize_key(resource.key_of(record)) not in keys
        ]
        return sorted(free, key=resource.label)

    def to_facts(self) -> dict[str, list[dict[str, Any]]]:
        """Return the parts of the drift, and the fields that were not compared."""
        counts = sorted(self._not_compared.items())
        not_compared = [{"kind": kind, "field": field, "count": count} for (kind, field), count in counts]
        return {**self._parts, INVALID: list(self._problems.values()), NOT_COMPARED: not_compared}

    def count_ignored(self) -> list[dict[str, Any]]:
        """Return the number of records of each kind that were not compared, since they are somebody else's."""
        return [{"kind": kind, "count": count} for kind, count in sorted(self._ignored.items()) if count]

    def _add(self, change: Change, section: Section) -> None:
        """Add the effect of a change, if any."""
        action = change.action
        self._not_compared.update((section.kind, field) for field in (*action.unverified, *_masked(action)))
        if action.changes:
            entry = {**_entry(section, change.label), "fields": list(_changes(action)), **_lost_with(action)}
            self._parts[BY_VERB[action.verb]].append(entry)

    def _add_problem(self, problem: Problem) -> None:
        key = {} if problem.where["kind"] == VOLUME.plural else {"key": problem.key}
        entry = {"kind": problem.where["kind"], "volume": problem.where["volume"], **key}
        entry["message"] = problem.text
        self._problems.setdefault(str(entry), entry)


def _is_in(name_in_items: str, volume: Goal | None) -> bool:
    """Return whether an item's name for a volume means this one. None means any, for the list of volumes itself."""
    return volume is None or name_in_items == str(volume.name if volume.key is None else volume.key)


def _id_of(change: Change) -> str:
    return str((change.action.current or {}).get("id"))


def _entry(section: Section, label: str) -> dict[str, Any]:
    """Return the identity of a record: a volume, or a record in one of its lists."""
    if section.owner:
        return {"kind": section.kind, "volume": section.owner.label, "key": label}
    return {"kind": section.kind, "volume": label}


def _lost_with(action: Action) -> dict[str, int]:
    """Return the number of records that are lost with a deleted volume, by kind."""
    lists = LISTS_OF_VOLUME if action.resource is VOLUME and action.verb is DELETE else ()
    return {resource.plural: len((action.current or {})[resource.plural]) for resource in lists}


def _masked(action: Action) -> list[str]:
    """Return the fields of an existing record that a mask hides in part, so that they were not fully compared."""
    values = action.goal.values if action.current and action.goal.present else {}
    return [name for name, value in values.items() if MASK in str(value)]


def _changes(action: Action) -> Iterator[dict[str, Any]]:
    """Yield the fields that differ, with actual and wanted values, except the key of a new or deleted record."""
    before, after = action.before, action.after
    is_update = bool(before and after)
    for field in action.fields:
        actual = {"actual": before[field.name]} if field.name in before else {}
        wanted = {"wanted": after[field.name]} if field.name in after else {}
        if list(actual.values()) != list(wanted.values()) and (is_update or field != action.resource.key):
            yield {"field": field.name, **actual, **wanted}
