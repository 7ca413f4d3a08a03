# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which record a goal is about, and what both are called. Pure."""

from __future__ import annotations

from typing import Any

from ..errors import ConsoleError
from .goal import Goal
from .records import Record, Records, ambiguous, describe, format_value, lookalike
from .resources import Resource


def select(records: Records, goal: Goal) -> Record | None:
    """Return the record that a goal is about, or None.

    ConsoleError where there are several, where one differs only in white space, where the id is unknown or belongs to
    another record, and where the new key of a record is taken.
    """
    resource = records.resource
    key = goal.values.get(resource.key.name) if resource.key else None
    namesakes = records.by_key(key)
    if goal.id is not None:
        return _select_by_id(records, goal, key, namesakes)
    if len(namesakes) > 1:
        raise ambiguous(resource, namesakes)
    if not namesakes:
        _refuse_lookalikes(records, key)
    return namesakes[0] if namesakes else None


def _select_by_id(records: Records, goal: Goal, key: Any, namesakes: list[Record]) -> Record | None:
    resource = records.resource
    found = records.by_id(goal.id)
    if found is None and not goal.present:
        return None
    if found is None:
        advice = f" to find or create the {resource.noun} by its {resource.key.name}" if resource.key else ""
        raise ConsoleError(
            f"no {resource.noun}{records.place} has the id {goal.id}. The console assigns ids: leave id out{advice}."
        )
    if key is None or found in namesakes:
        return found
    if not (goal.present and resource.has_update):
        raise _mismatch(resource, [found, *namesakes], goal.id, key)
    if namesakes:
        raise ConsoleError(
            f"{describe(resource, found)} cannot become {format_value(key)}: {describe(resource, namesakes[0])} exists"
            " already.",
            record=found,
        )
    _refuse_lookalikes(records, key, except_for=found)
    return found


def _refuse_lookalikes(records: Records, key: Any, except_for: Record | None = None) -> None:
    """Refuse a key that no record has, where another than the record to be renamed has it but for white space."""
    for record in records.lookalikes(key):
        if record is not except_for:
            raise lookalike(records.resource, record, key)


def _mismatch(resource: Resource, involved: list[Record], identity: Any, key: Any) -> ConsoleError:
    name = resource.key.name if resource.key else ""
    facts = [f"the {name} of id {record['id']} is {format_value(resource.key_of(record))}" for record in involved]
    return ConsoleError(
        f"id {identity} and {name} {format_value(key)} are not the same {resource.noun}: {'; '.join(facts)}. Correct"
        " one of the two, or leave it out.",
        record=involved[0],
    )


def goal_key(resource: Resource, goal: Goal, current: Record | None = None) -> str:
    """Return what the result of a list calls a goal: the key that is wanted, that of the record, or the id."""
    wanted = goal.values.get(resource.key.name) if resource.key else None
    return str(wanted) if wanted is not None else record_key(resource, current or {"id": goal.id})


def record_key(resource: Resource, record: Record) -> str:
    """Return what the result of a list calls a record: its key, or its id where it has none."""
    key = resource.key and resource.key.type.to_result(resource.key_of(record))
    return str(key) if key else f"id {record['id']}"


def sought(resource: Resource, goal: Goal) -> Record:
    """Return as much of a record that does not exist as its goal tells."""
    key = {resource.key.in_api: goal.values.get(resource.key.name)} if resource.key else {}
    return {**key, "id": goal.id} if goal.id is not None else key
