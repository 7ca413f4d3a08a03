# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan: what has to be done so that what is there becomes what is wanted. Pure.

Check mode, the diff, the requests and what reading back is held against all come from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from ..errors import ConsoleError
from .records import Difference, Record, Records, ambiguity, compare, label, managed_fields, say
from .resources import Resource, Role


class Action(Enum):
    """What a plan does."""

    NOTHING = "nothing"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Goal(NamedTuple):
    """What a user wants of one record.

    `values` holds the given fields by their names for users; what is not in it stays untouched. `extra` are
    fields that only creation sends and that are never compared. `update_create_only` tells that a field which
    the specification shows only at creation may be tried in an update.
    """

    present: bool
    values: Mapping[str, Any]
    id: int | None = None
    extra: Mapping[str, Any] = {}
    update_create_only: bool = False


class Plan(NamedTuple):
    """What is done about one goal.

    `current` is the record that is there now, if any; `values` are the fields that it will be held against;
    `changing` the names of those that the request is to change, `body` what it carries.
    """

    resource: Resource
    goal: Goal
    action: Action
    current: Record | None
    values: Mapping[str, Any] = {}
    changing: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    body: Mapping[str, Any] = {}

    @property
    def changed(self) -> bool:
        """Whether anything is written."""
        return self.action is not Action.NOTHING

    @property
    def label(self) -> str:
        """The record in a message: noun and what identifies it."""
        if self.current:
            return label(self.resource, self.current[self.resource.key.wire], self.current["id"])
        return label(self.resource, self.goal.values.get(self.resource.key.name), self.goal.id)

    @property
    def key(self) -> str:
        """What results for a list call the record: its key as it is or will be, or its id."""
        return key_of(self.resource, self.goal, self.current)

    @property
    def key_before(self) -> str:
        """The same, for the record that is there now."""
        return key_of(self.resource, Goal(True, {}), self.current)

    @property
    def before(self) -> dict[str, Any]:
        """The managed fields as they are, for the diff."""
        return managed_fields(self.resource, self.current or {})

    @property
    def after(self) -> dict[str, Any]:
        """The managed fields as they will be, for the diff."""
        return managed_fields(self.resource, self.prediction or {})

    @property
    def prediction(self) -> Record | None:
        """The record as it will be, without what the console assigns to a new one."""
        if not self.goal.present:
            return None
        written = {field.wire for field in self.resource.managed if field.name in self.changing}
        if self.current:
            return {**self.current, **{name: self.body[name] for name in written}}
        return dict(self.body)

    @property
    def whole_body(self) -> dict[str, Any]:
        """All managed fields as they should be after an update: changed as planned, else as they were."""
        known = {field.wire: (self.current or {})[field.wire] for field in self._shown_fields}
        return {**known, **self.body}

    def moved(self, record: Record) -> list[Difference]:
        """The fields that the update was not to change, and that are not as they were."""
        return [
            Difference(field, field.kind.shown(record.get(field.wire)), field.kind.shown(before))
            for field in self._shown_fields
            if field.name not in self.changing
            for before in [(self.current or {})[field.wire]]
            if not field.kind.same(record.get(field.wire), before)
        ]

    @property
    def _shown_fields(self) -> list[Any]:
        return [field for field in self.resource.managed if self.current and field.wire in self.current]


def key_of(resource: Resource, goal: Goal, current: Record | None) -> str:
    """What a result calls an item: its key as it is sent, that of the record, or the id."""
    field = resource.key
    if field.name in goal.values:
        return str(field.kind.sent(goal.values[field.name]))
    key = current and field.kind.shown(current[field.wire])
    return str(key) if key else f"id {current['id'] if current else goal.id}"


def make_plan(records: Records, goal: Goal) -> Plan:
    """The plan for one goal, given all records of the list.

    ConsoleError where the goal cannot be met: several records match, the id is unknown or belongs to another
    record, a new key is taken, a field differs that can be set only at creation, or something is missing that
    the request needs.
    """
    resource = records.resource
    current = _select(records, goal)
    if not goal.present:
        return Plan(resource, goal, Action.DELETE if current else Action.NOTHING, current)
    if current is None:
        return _plan_creation(resource, goal)
    differences, unverified = compare(resource, current, goal.values)
    unchanged = Plan(resource, goal, Action.NOTHING, current, goal.values, unverified=tuple(unverified))
    if not differences:
        return unchanged
    _refuse_create_only(resource, current, goal, differences)
    changing = tuple(difference.field.name for difference in differences)
    body = _update_body(resource, current, goal, changing)
    return unchanged._replace(action=Action.UPDATE, changing=changing, body=body)


def _plan_creation(resource: Resource, goal: Goal) -> Plan:
    needed = resource.needed_to_create
    if needed and not any(name in goal.values for name in needed):
        raise ConsoleError(
            f"{label(resource, goal.values.get(resource.key.name))} does not exist, and creating one needs"
            f" {' or '.join(needed)}."
        )
    defaults = {field.name: field.default for field in resource.managed if field.default is not None}
    values = {**defaults, **goal.values}
    body = {field.wire: field.kind.sent(values[field.name]) for field in resource.managed if field.name in values}
    return Plan(resource, goal, Action.CREATE, None, values, tuple(values), body={**goal.extra, **body})


def _update_body(resource: Resource, current: Record, goal: Goal, changing: tuple[str, ...]) -> dict[str, Any]:
    """The documented fields, the one not asked for as the console shows it, and what is tried beyond them."""
    body = {}
    for field in resource.managed:
        documented = field.role is not Role.CREATE_ONLY
        shown = field.wire in current
        if field.name in changing or (documented and not shown and field.name in goal.values):
            body[field.wire] = field.kind.sent(goal.values[field.name])
        elif documented and shown:
            body[field.wire] = current[field.wire]
        elif documented:
            raise ConsoleError(
                f"{label(resource, current[resource.key.wire], current['id'])} cannot be updated without {field.name}:"
                " the request carries it, and the console does not show what it is now. Nothing was changed."
                f" Give {field.name} in the task.",
                record=current,
            )
    return body


def _select(records: Records, goal: Goal) -> Record | None:
    key = goal.values.get(records.resource.key.name)
    if goal.id is not None:
        return _select_by_id(records, goal, key)
    found = records.of_key(key)
    if len(found) > 1:
        raise ambiguity(records.resource, key, found)
    return found[0] if found else None


def _select_by_id(records: Records, goal: Goal, key: Any) -> Record | None:
    resource = records.resource
    found = records.of_id(goal.id)
    namesakes = [] if key is None else records.of_key(key)
    if found is None and not goal.present:
        return None
    if found is None:
        raise ConsoleError(
            f"no {resource.noun} has the id {goal.id}. An id cannot be chosen: leave it out to find or create the"
            f" {resource.noun} by its {resource.key.name}."
        )
    if key is None or found in namesakes:
        return found
    if not (goal.present and resource.key_is_updatable):
        raise _disagreement(resource, [found, *namesakes], goal.id, key)
    if namesakes:
        raise ConsoleError(
            f"{label(resource, found[resource.key.wire], goal.id)} cannot become {say(key)}: that is the"
            f" {resource.key.name} of id {namesakes[0]['id']}. Nothing was changed.",
            record=found,
        )
    return found


def _disagreement(resource: Resource, concerned: list[Record], identity: Any, key: Any) -> ConsoleError:
    name = resource.key.name
    facts = [f"the {name} of id {record['id']} is {say(record[resource.key.wire])}" for record in concerned]
    return ConsoleError(
        f"id {identity} and {name} {say(key)} are not the same {resource.noun}: {'; '.join(facts)}. Nothing was done."
        " Correct one of the two, or leave it out.",
        record=concerned[0],
    )


def _refuse_create_only(resource: Resource, current: Record, goal: Goal, differences: list[Difference]) -> None:
    fixed = [str(difference) for difference in differences if difference.field.role is Role.CREATE_ONLY]
    if not fixed or goal.update_create_only:
        return
    advice = "Leave the option out to keep it as it is"
    if resource.key_is_updatable:
        advice += ", set create_only_changes to update to try it, or remove the record and create it again"
    raise ConsoleError(
        f"{label(resource, current[resource.key.wire], current['id'])} differs in what can be set only at its"
        f" creation: {'; '.join(fixed)}. Nothing was changed. {advice}.",
        record=current,
    )
