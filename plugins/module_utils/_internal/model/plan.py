# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is done to reach a goal, given the list as it is. Pure.

Check mode, diff, requests and result all come from the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..masking import MASK
from .comparison import Difference, compare, difference, format_differences, managed_fields
from .field_types import TEXT
from .goal import Goal
from .records import Record, Records, describe
from .resources import CREATE_ONLY, Field, Resource
from .selection import goal_key, select, sought

NOTHING = "nothing"
CREATE = "create"
UPDATE = "update"
DELETE = "delete"

# What clients need to use a record. No request carries it.
_TOKEN = Field("token", TEXT)


class Plan(NamedTuple):
    """What is done to reach one goal.

    `current` is the record as it is, `values` the fields that it is going to be compared with, `changing` the names of
    those that the request is to change, `body` what it carries. `doubts` say why the action is probably not what is meant.
    """

    resource: Resource
    goal: Goal
    action: str
    current: Record | None
    values: Mapping[str, Any] = {}
    changing: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    body: Mapping[str, Any] = {}
    doubts: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Return whether anything is written."""
        return self.action is not NOTHING

    @property
    def key(self) -> Any:
        """Return the natural key that the record has or is to have, None where it has none."""
        field = self.resource.key
        if field and field.name in self.goal.values:
            return self.goal.values[field.name]
        return self.resource.key_of(self.current or {})

    @property
    def description(self) -> str:
        """Return the record as messages name it."""
        return describe(self.resource, self.current or sought(self.resource, self.goal))

    @property
    def result_key(self) -> str:
        """Return what the result of a list calls the record: its key as it is or will be, or its id."""
        return goal_key(self.resource, self.goal, self.current)

    @property
    def before(self) -> dict[str, Any]:
        """Return the managed fields as they are, for the diff."""
        return managed_fields(self.resource, self.current)

    @property
    def after(self) -> dict[str, Any]:
        """Return the managed fields as they will be, for the diff."""
        return managed_fields(self.resource, self.prediction)

    @property
    def prediction(self) -> Record | None:
        """Return the record as it will be, without what the console assigns to a new one."""
        if not self.changed:
            return self.current
        if not self.goal.present:
            return None
        if self.current is None:
            return dict(self.body)
        written = {field.in_api for field in self.resource.managed if field.name in self.changing}
        return {**self.current, **{name: self.body[name] for name in written}}

    @property
    def whole_body(self) -> dict[str, Any]:
        """Return all managed fields as they should be after an update: changed as planned, else as they were."""
        return {**{field.in_api: value for field, value in self._shown()}, **self.body}

    @property
    def left_out(self) -> dict[str, str]:
        """Return the fields that the console shows and the request does not carry, their values as text, blank for none."""
        return {
            field.name: str(field.type.to_result(value) or "")
            for field, value in self._shown()
            if field.in_api not in self.body
        }

    @property
    def changes_key(self) -> bool:
        """Return whether the record gets another natural key."""
        return self.resource.key is not None and self.resource.key.name in self.changing

    def unshown(self, record: Record) -> tuple[str, ...]:
        """Return the names of the fields that an update could have changed unseen: those that the record lacks."""
        return tuple(field.name for field in self.resource.managed if field.in_api not in record)

    def unrequested_changes(self, record: Record) -> list[Difference]:
        """Return the fields that the update was not to change, and that are not as they were: what is not shown may be."""
        return self._changed_token(record) + [
            difference(field, record[field.in_api], before)
            for field, before in self._shown()
            if field.name not in self.changing
            and field.in_api in record
            and not field.type.equal(record[field.in_api], before)
        ]

    def _changed_token(self, record: Record) -> list[Difference]:
        """Return that the token is another one, without either: clients that have the old one are locked out."""
        tokens = {(self.current or {}).get(_TOKEN.name), record.get(_TOKEN.name)}
        is_changed = self.resource.has_token and None not in tokens and len(set(map(str, tokens))) > 1
        return [Difference(_TOKEN, MASK, MASK)] if is_changed else []

    def vanished(self, record: Record) -> tuple[str, ...]:
        """Return the names of the fields that the update was not to change, and that are no longer shown."""
        return tuple(
            field.name
            for field, _before in self._shown()
            if field.name not in self.changing and field.in_api not in record
        )

    def _shown(self) -> list[tuple[Field, Any]]:
        current = self.current or {}
        return [(field, current[field.in_api]) for field in self.resource.managed if field.in_api in current]


def make_plan(records: Records, goal: Goal) -> Plan:
    """Return the plan for one goal, given all records of the list.

    ConsoleError where the goal cannot be reached: several records match, the id is unknown or belongs to another
    record, a new key is taken, a create-only field differs, or something is missing that the request needs.
    """
    resource = records.resource
    current = select(records, goal)
    if not goal.present:
        return Plan(resource, goal, DELETE if current else NOTHING, current)
    if current is None:
        return _plan_creation(records, goal)
    differences, unverified = compare(resource, current, goal.values)
    unchanged = Plan(resource, goal, NOTHING, current, goal.values, unverified=tuple(unverified))
    if not differences:
        return unchanged
    _refuse_create_only(resource, current, goal, differences)
    changing = tuple(difference.field.name for difference in differences)
    body = _update_body(resource, current, goal, changing)
    return unchanged._replace(action=UPDATE, changing=changing, body=body)


def _plan_creation(records: Records, goal: Goal) -> Plan:
    resource = records.resource
    required = resource.required_to_create
    if required and not any(name in goal.values for name in required):
        raise ConsoleError(
            f"{describe(resource, sought(resource, goal))} does not exist, and creating it requires"
            f" {' or '.join(required)}."
        )
    needed = [field for field in resource.managed if field.default is not None or field.name in goal.values]
    values = {**{field.name: field.default for field in needed}, **goal.values}
    body = {resource.managed_field(name).in_api: value for name, value in values.items()}
    plan = Plan(resource, goal, CREATE, None, values, tuple(values), body=body)
    return plan._replace(doubts=tuple(_doubts(records, plan)))


def _doubts(records: Records, plan: Plan) -> Iterator[str]:
    """Yield why a new record is probably meant to be one that exists."""
    for field in plan.resource.managed:
        value = plan.values.get(field.name) if field.is_exclusive else None
        if value is not None and (other := records.first_with(field, value)):
            yield (
                f"{plan.description} is new, but {describe(plan.resource, other)} has the same {field.name}. If it was meant to"
                f" be renamed: a {plan.resource.noun} cannot be, and keeps its {plan.resource.key.name if plan.resource.key else 'id'}."
            )


def _update_body(resource: Resource, current: Record, goal: Goal, changing: tuple[str, ...]) -> dict[str, Any]:
    """Return the documented fields, those not to be changed as the console shows them, and changed create-only ones."""
    body = {}
    for field in resource.managed:
        is_documented = field.role is not CREATE_ONLY
        is_shown = field.in_api in current
        if field.name in changing or (is_documented and not is_shown and field.name in goal.values):
            body[field.in_api] = goal.values[field.name]
        elif is_documented and is_shown:
            body[field.in_api] = current[field.in_api]
        elif is_documented:
            raise ConsoleError(
                f"{describe(resource, current)} cannot be changed without {field.name}: the request must include it, and"
                f" the console does not show its current value. Give {field.name} in the task.",
                record=current,
            )
    return body


def _refuse_create_only(resource: Resource, current: Record, goal: Goal, differences: list[Difference]) -> None:
    fixed = [difference for difference in differences if difference.field.role is CREATE_ONLY]
    if not fixed or (goal.update_create_only and resource.has_update):
        return
    advice = "Leave the option out to keep the current value"
    if resource.has_update:
        advice += ", set create_only_changes to update to try it, or remove the record and create it again"
    raise ConsoleError(
        f"{describe(resource, current)} differs in fields that can only be set at creation: {format_differences(fixed)}."
        f" {advice}.",
        record=current,
    )
