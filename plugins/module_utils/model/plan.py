# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan: what has to be done so that what is there becomes what is wanted. Pure.

Check mode, the diff, the requests and what reading back is held against all come from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..masking import mask
from .resources import Field, Resource, Role

Record = dict[str, Any]


class Action(Enum):
    """What a plan does."""

    NOTHING = "nothing"
    CREATE = "create"
    DELETE = "delete"


class Goal(NamedTuple):
    """What a user wants of one record.

    `values` holds the given fields by their names for users; what is not in it stays untouched. `extra` are
    fields that only creation sends and that are never compared.
    """

    present: bool
    values: Mapping[str, Any]
    id: int | None = None
    extra: Mapping[str, Any] = {}


class Difference(NamedTuple):
    """A field that is not as wanted, both values as results show them."""

    field: Field
    actual: Any
    wanted: Any

    def __str__(self) -> str:
        return f"{self.field.name} is {say(self.actual)}, wanted is {say(self.wanted)}"


class Plan(NamedTuple):
    """What is done about one goal. `current` is the record that is there now, if any."""

    resource: Resource
    goal: Goal
    action: Action
    current: Record | None

    @property
    def changed(self) -> bool:
        """Whether anything is written."""
        return self.action is not Action.NOTHING

    @property
    def label(self) -> str:
        """The record in a message: noun and what identifies it."""
        key = self.goal.values.get(self.resource.key.name)
        return label(self.resource, key, self.goal.id)

    @property
    def body(self) -> dict[str, Any]:
        """What creation sends: the given fields under their names in the API, and the extra ones."""
        given = {field.wire: field.kind.sent(value) for field, value in _given(self.resource, self.goal)}
        return {**self.goal.extra, **given}

    @property
    def before(self) -> dict[str, Any]:
        """The managed fields as they are, for the diff."""
        return _managed(self.resource, self.current) if self.current else {}

    @property
    def after(self) -> dict[str, Any]:
        """The managed fields as they will be, for the diff."""
        if not self.goal.present:
            return {}
        return self.before if self.current else _managed(self.resource, self.body)

    @property
    def prediction(self) -> Record | None:
        """The record as it will be, without what the console assigns to a new one."""
        if not self.goal.present:
            return None
        return self.current or self.body


def make_plan(resource: Resource, records: Iterable[Record], goal: Goal) -> Plan:
    """The plan for one goal, given all records of the list.

    ConsoleError where the goal cannot be met: several records match, the id is unknown or belongs to another
    record, or a field differs that can be set only at creation.
    """
    current = _select(resource, list(records), goal)
    if not goal.present:
        return Plan(resource, goal, Action.DELETE if current else Action.NOTHING, current)
    if current is None:
        return Plan(resource, goal, Action.CREATE, None)
    _refuse_create_only(resource, current, goal)
    return Plan(resource, goal, Action.NOTHING, current)


def compare(resource: Resource, record: Record, goal: Goal) -> tuple[list[Difference], list[str]]:
    """Where a record is not as wanted, and the names of given fields that it does not show."""
    differences, unverified = [], []
    for field, wanted in _given(resource, goal):
        if field.wire not in record:
            unverified.append(field.name)
        elif not field.kind.same(record[field.wire], wanted):
            shown = field.kind.shown
            differences.append(Difference(field, shown(record[field.wire]), shown(field.kind.sent(wanted))))
    return differences, unverified


def matches(resource: Resource, records: Iterable[Record], key: Any) -> list[Record]:
    """The records whose natural key means the same as `key`."""
    field = resource.key
    return [record for record in records if field.kind.same(record[field.wire], key)]


def label(resource: Resource, key: Any, identity: Any = None) -> str:
    """A record in a message, as `volume 'a' (id 7)`."""
    name = resource.noun if key is None else f"{resource.noun} {say(key)}"
    return name if identity is None else f"{name} (id {identity})"


def say(value: Any) -> str:
    """A value in a message: text in single quotes, anything else as JSON, secrets masked."""
    shown = mask(value)
    return f"'{shown}'" if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)


def same_id(one: Any, other: Any) -> bool:
    """Whether two ids are the same, as numbers or as text."""
    return str(one) == str(other)


def ambiguity(resource: Resource, key: Any, found: Iterable[Record]) -> ConsoleError:
    """The error for several records under one natural key: their ids, and what to do."""
    ids = ", ".join(str(record["id"]) for record in found)
    return ConsoleError(
        f"there are several {resource.plural} with the {resource.key.name} {say(key)}, their ids are {ids}."
        " Say with id which one is meant, or remove those that should not be."
    )


def _given(resource: Resource, goal: Goal) -> list[tuple[Field, Any]]:
    return [(field, goal.values[field.name]) for field in resource.managed if field.name in goal.values]


def _managed(resource: Resource, record: Record) -> dict[str, Any]:
    shown = {field.name: field.kind.shown(record[field.wire]) for field in resource.managed if field.wire in record}
    return mask(shown)  # type: ignore[no-any-return]


def _select(resource: Resource, records: list[Record], goal: Goal) -> Record | None:
    key = goal.values.get(resource.key.name)
    if goal.id is not None:
        return _select_by_id(resource, records, goal.id, key, goal.present)
    found = matches(resource, records, key)
    if len(found) > 1:
        raise ambiguity(resource, key, found)
    return found[0] if found else None


def _select_by_id(resource: Resource, records: list[Record], identity: int, key: Any, present: bool) -> Record | None:
    found = next((record for record in records if same_id(record["id"], identity)), None)
    namesakes = [] if key is None else matches(resource, records, key)
    if key is not None and (found or namesakes) and found not in namesakes:
        raise _disagreement(resource, ([found] if found else []) + namesakes, identity, key)
    if found is None and present:
        raise ConsoleError(
            f"no {resource.noun} has the id {identity}. An id cannot be chosen: leave it out to find or create the"
            f" {resource.noun} by its {resource.key.name}."
        )
    return found


def _disagreement(resource: Resource, concerned: list[Record], identity: int, key: Any) -> ConsoleError:
    name = resource.key.name
    facts = [f"the {name} of id {record['id']} is {say(record[resource.key.wire])}" for record in concerned]
    return ConsoleError(
        f"id {identity} and {name} {say(key)} are not the same {resource.noun}: {'; '.join(facts)}. Nothing was done."
        " Correct one of the two, or leave it out.",
        record=concerned[0],
    )


def _refuse_create_only(resource: Resource, record: Record, goal: Goal) -> None:
    differences, _unverified = compare(resource, record, goal)
    fixed = [str(difference) for difference in differences if difference.field.role is Role.CREATE_ONLY]
    if fixed:
        raise ConsoleError(
            f"{label(resource, record[resource.key.wire], record['id'])} differs in what can be set only at its"
            f" creation: {'; '.join(fixed)}. Nothing was changed. Leave the option out to keep it as it is.",
            record=record,
        )
