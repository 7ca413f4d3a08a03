# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The drift of a console from the desired state: the changes that the module `volumes` would make, as facts. Pure.

The secrets of records and items are masked. Values that are masked on both sides are equal here, and so no drift.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ....module_utils._internal.changes.entries import list_entries, to_change
from ....module_utils._internal.errors import ConsoleError, Problem
from ....module_utils._internal.model.plan import CREATE, DELETE, UPDATE, Action
from ....module_utils._internal.model.records import PatternsByKind, Record, Records, of_volume, sort_records
from ....module_utils._internal.model.resources import RESOURCES, VOLUME, Resource
from ....module_utils._internal.model.section import Section
from ....module_utils._internal.tasks.items import find_problems, read_items
from ....module_utils._internal.values import MASK

Fact = dict[str, Any]

INVALID, UNMANAGED = "cannot_be_applied", "unmanaged"
# The parts of the drift by what would be done.
BY_VERB = {CREATE: "to_create", UPDATE: "to_update", DELETE: "to_delete"}
# The parts of the drift that would be applied, or cannot be.
DIFFERENCES = (INVALID, *BY_VERB.values())
# The parts of the drift.
PARTS = (*DIFFERENCES, UNMANAGED)
NOT_COMPARED = "not_compared"


def find_drift(
    volumes: Iterable[Mapping[str, Any]],
    desired: Iterable[Mapping[str, Any]] | None,
    purge: Collection[str],
    patterns: PatternsByKind,
) -> dict[str, Any]:
    """Return the `drift` by its parts, with the fields that were not compared, and the counts of `ignored` records.

    Without a desired state, there is no drift, and nothing is ignored.
    """
    if desired is None:
        return {"drift": None, "ignored": []}
    items = read_items(VOLUME, desired, patterns=patterns)
    shown = _Shown([to_record(VOLUME, volume) for volume in volumes], VOLUME, patterns)
    root = Section(VOLUME, items.goals, purge, shown)
    _read([root])
    problems = [*find_problems(VOLUME, items), *root.plan_all(lambda sections: _read(sections, shown))]
    unknown = {(problem.where["kind"], problem.where["volume"]) for problem in problems}
    lists = [section for section in root.lists if not section.goes_with_volume]
    facts: dict[str, list[Fact]] = {part: [] for part in PARTS}
    for section in lists:
        # A bad item may mean any record of its list: nobody can say what is unclaimed.
        if any(kind == section.kind and _is_in(volume, section) for kind, volume in unknown):
            section.changes = [change for change in section.changes if not change.action.is_purge]
        else:
            labels = map(section.resource.label, section.unmanaged)
            facts[UNMANAGED] += [_place(section.kind, _name(section), label) for label in labels]
    for entry in map(to_change, list_entries(root)):
        facts[BY_VERB[entry["action"]]].append(_to_fact(entry))
    # By text: a duplicate is found twice, by comparing the items and by their records.
    invalid = {str(fact): fact for fact in (*map(_describe, problems), *_unreadable(lists))}
    facts[INVALID] = list(invalid.values())
    actions = [(section.kind, action) for section in lists for action in section.actions]
    hidden = Counter((kind, name) for kind, action in actions for name in (*action.unverified, *_masked(action)))
    facts[NOT_COMPARED] = [{"kind": kind, "field": name, "count": hidden[kind, name]} for kind, name in sorted(hidden)]
    ignored = Counter(section.kind for section in lists for _record in section.records.ignored)
    return {"drift": facts, "ignored": [{"kind": kind, "count": ignored[kind]} for kind in sorted(ignored)]}


def _read(sections: Iterable[Section], above: _Shown | None = None) -> None:
    for section in sections:
        try:
            if above:
                section.open(above)
            section.read()
        except ConsoleError as error:
            section.fail(error)


def to_record(resource: Resource, result: Mapping[str, Any]) -> Record:
    """Return the result of a module as the console lists the record, with the names of the API."""
    names = {field.name: field.in_api for field in resource.fields}
    return {names.get(name, name): value for name, value in result.items()}


class _Shown:
    """The records of a list as an info module returned them. Volumes hold the records of their lists."""

    def __init__(
        self, listed: list[Record], resource: Resource, patterns: PatternsByKind, volume: Record | None = None
    ) -> None:
        # Sorted, so that a report changes only when its content does.
        self._listed = sorted(listed, key=lambda record: str(resource.key_of(record) or f"id {record.get('id')}"))
        self._resource, self._volume, self._patterns = resource, volume, patterns

    def read(self) -> Records:
        """Return the records as tasks sort them; ConsoleError if no task can work with them."""
        patterns = self._patterns[self._resource.plural]
        return sort_records(self._resource, self._listed, of_volume(self._volume), patterns)

    def below(self, resource: Resource, volume: Record) -> _Shown:
        """Return the list of one kind that a volume holds."""
        records = [to_record(resource, result) for result in volume.get(resource.plural, ())]
        return _Shown(records, resource, self._patterns, volume)


def _name(section: Section) -> str:
    return section.owner.label if section.owner else ""


def _is_in(volume: str, section: Section) -> bool:
    """Return whether a problem's name for a volume means that of a list. The list of volumes is in none."""
    return not section.owner or volume in (section.owner.label, section.owner.action.goal.name)


def _place(kind: str, volume: str, key: str) -> Fact:
    """Return the identity of a record: a volume, or a record in one of its lists."""
    return {"kind": kind, "volume": key} if kind == VOLUME.plural else {"kind": kind, "volume": volume, "key": key}


def _to_fact(entry: Mapping[str, Any]) -> Fact:
    """Return a change as facts have it: values in the units that users write, and what goes with a volume by kind."""
    resource, sides = RESOURCES[entry["kind"]], {"before": "actual", "after": "wanted"}
    fields = [
        {"field": name}
        | {
            sides[side]: resource.managed_field(name).type.to_diff(value)
            for side, value in values.items()
            if value is not None
        }
        for name, values in entry["fields"].items()
    ]
    lost = {kind: count for kind, count in entry.get("lost", {}).items() if kind in RESOURCES}
    return {**_place(entry["kind"], entry["volume"], entry["key"]), "fields": fields, **lost}


def _describe(problem: Problem) -> Fact:
    kind, volume = problem.where["kind"], problem.where["volume"]
    return {**_place(kind, volume, volume if kind == VOLUME.plural else problem.key), "message": problem.text}


def _unreadable(lists: Iterable[Section]) -> Iterator[Fact]:
    """Yield the lists that no task can read, where one would."""
    for section in lists:
        if section.error and (section.goals or section.kind in section.purge):
            yield {"kind": section.kind, "volume": _name(section), "message": str(section.error)}


def _masked(action: Action) -> list[str]:
    """Return the fields of an existing record that a mask hides in part, so that they were not fully compared."""
    values = action.goal.values if action.current and action.goal.present else {}
    return [name for name, value in values.items() if MASK in str(value)]
