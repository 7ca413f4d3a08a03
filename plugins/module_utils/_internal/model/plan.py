# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action that reaches a goal, given the list, and the plan for a whole list. Check mode, diff, requests and result derive from it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError, Problem
from ..values import MASK
from .access import lets_any_write
from .fields import TEXT, is_kept
from .goals import Goal, select
from .records import (
    Difference,
    Record,
    Records,
    compare,
    describe,
    difference,
    format_differences,
    format_value,
    managed_fields,
)
from .resources import CREATE_ONLY, Field, Resource

NOTHING = "nothing"
CREATE = "create"
UPDATE = "update"
DELETE = "delete"
# The words of results for what was done.
DONE = {CREATE: "created", UPDATE: "updated", DELETE: "deleted"}

# Clients need the token to use a record. No request carries it.
_TOKEN = Field("token", TEXT)


class Action(NamedTuple):
    """The action that reaches one goal: `verb` is NOTHING, CREATE, UPDATE or DELETE.

    `current` is the record as it is, `values` the fields to compare it with afterwards, `changing` the names of those that
    the request changes, `body` the fields that it carries. `unverified` names the given fields that the console does not
    show, `plan_warnings` say why the action is probably not what is meant. `is_purge` means that no item names the record.
    """

    goal: Goal
    verb: str
    current: Record | None = None
    values: Mapping[str, Any] = {}
    changing: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    body: Mapping[str, Any] = {}
    plan_warnings: tuple[str, ...] = ()
    is_purge: bool = False

    @property
    def resource(self) -> Resource:
        return self.goal.resource

    @property
    def changes(self) -> bool:
        """Return whether anything is written."""
        return self.verb is not NOTHING

    @property
    def changes_key(self) -> bool:
        """Return whether the record gets another natural key."""
        return self.resource.key.name in self.changing

    @property
    def key(self) -> Any:
        """Return the natural key that the record has or will have, None if there is none."""
        key = self.goal.key
        return self.resource.key_of(self.current or {}) if key is None else key

    @property
    def label(self) -> str:
        """Return the name of the record in the result of a list: its key as it is or will be, or its id."""
        return self.goal.label(self.current)

    @property
    def description(self) -> str:
        """Return the name of the record in messages."""
        return describe(self.resource, self.current) if self.current else self.goal.description

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields of the record that the user can set, including the given `extra_fields`."""
        return self.resource.fields_for(self.goal.values)

    def shown(self, record: Record | None, in_diff: bool = True) -> dict[str, Any]:
        """Return these fields of a record, for the diff or for results."""
        return managed_fields(self.resource, record, self.goal.values, in_diff)

    @property
    def prediction(self) -> Record | None:
        """Return the record as it will be, without the fields that the console assigns to a new one."""
        if not self.changes:
            return self.current
        if not self.goal.present:
            return None
        # An update also sends what the console does not show: that is to be approved, too.
        return {**(self.current or {}), **self.body}

    @property
    def whole_body(self) -> dict[str, Any]:
        """Return all managed fields as they should be after an update: changed ones as planned, others as they were."""
        return {**{field.in_api: value for field, value in self._shown()}, **self.body}

    @property
    def left_out(self) -> set[str]:
        """Return the names of the fields that the console shows with a value, and that the request omits."""
        omitted = ((field, value) for field, value in self._shown() if field.in_api not in self.body)
        return {field.name for field, value in omitted if field.type.to_result(value)}

    def unshown(self, record: Record) -> tuple[str, ...]:
        """Return the names of the fields that the record lacks: an update could have changed them unseen."""
        return tuple(field.name for field in self.fields if field.in_api not in record)

    def unrequested_changes(self, record: Record) -> list[Difference]:
        """Return the fields that changed although the update should have left them alone, as they are shown."""
        changes = [
            difference(field, record[field.in_api], before)
            for field, before in self._kept()
            if field.in_api in record and not field.type.equal(record[field.in_api], before)
        ]
        tokens = {str(shown["token"]) for shown in (self.current or {}, record) if shown.get("token") is not None}
        # Both tokens stay masked, but clients with the old one are locked out.
        is_token_new = self.resource.has_token and len(tokens) > 1
        return [Difference(_TOKEN, MASK, MASK), *changes] if is_token_new else changes

    def vanished(self, record: Record) -> tuple[str, ...]:
        """Return the names of the fields that the update should not have changed, and that are no longer shown."""
        return tuple(field.name for field, _before in self._kept() if field.in_api not in record)

    def _shown(self) -> Iterator[tuple[Field, Any]]:
        current = self.current or {}
        return ((field, current[field.in_api]) for field in self.fields if field.in_api in current)

    def _kept(self) -> Iterator[tuple[Field, Any]]:
        return ((field, value) for field, value in self._shown() if field.name not in self.changing)


def plan_action(records: Records, goal: Goal) -> Action:
    """Return the action that reaches one goal, given all records of the list.

    ConsoleError if the goal cannot be reached: several records match, the id is unknown or belongs to another
    record, a new key is taken, a create-only field differs, or the request lacks a field that it needs.
    """
    current = select(records, goal)
    if not goal.present:
        return Action(goal, DELETE, current, plan_warnings=goal.plan_warnings) if current else Action(goal, NOTHING)
    if current is None:
        return _plan_creation(records, goal)
    differences, unverified = compare(goal.resource, current, goal.values)
    unchanged = Action(goal, NOTHING, current, goal.values, unverified=tuple(unverified))
    if not differences:
        return unchanged
    _refuse_create_only(current, goal, differences)
    changing = tuple(difference.field.name for difference in differences)
    if goal.resource.key.name in changing:
        _refuse_spaced_key(goal)
    update = unchanged._replace(verb=UPDATE, changing=changing, body=_update_body(current, goal, changing))
    return update._replace(plan_warnings=(*goal.plan_warnings, *_warn_of_access(update)))


def _plan_creation(records: Records, goal: Goal) -> Action:
    resource = goal.resource
    _refuse_spaced_key(goal)
    required = resource.required_to_create
    if required and not goal.values.keys() & set(required):
        raise ConsoleError(f"{goal.description} does not exist: to create it, give {' or '.join(required)}.")
    sent = [field for field in resource.managed if field.default is not None or field.name in goal.values]
    values = {**{field.name: field.default for field in sent}, **goal.values}
    body = {resource.managed_field(name).in_api: value for name, value in values.items()}
    warnings = [*goal.plan_warnings]
    warnings += [
        f"{goal.description} is new, but {describe(resource, other)} has the same {field.name}. If it was meant to be"
        f" renamed, give it that {resource.key.name} again: a {resource.noun} keeps its {resource.key.name}."
        for field in sent
        if field.is_exclusive and (other := records.first_with(field, values[field.name]))
    ]
    if goal.renamed_from is not None:
        warnings.append(
            f"{goal.description} is new, since no {resource.noun} has the {resource.key.name}"
            f" {format_value(goal.renamed_from)}. If one is to be renamed, correct renamed_from, or both will exist."
        )
    creation = Action(goal, CREATE, None, values, tuple(values), body=body)
    return creation._replace(plan_warnings=(*warnings, *_warn_of_access(creation)))


def _refuse_spaced_key(goal: Goal) -> None:
    """Refuse a new key that a console may store as another one, since each run would then make one more record."""
    if not is_kept(str(goal.key)):
        name = goal.resource.key.name
        raise ConsoleError(
            f"no {goal.resource.noun} is given the {name} {format_value(goal.key)}, with white space at its ends or control characters in it:"
            f" consoles may remove them. Correct the {name}."
        )


def _warn_of_access(action: Action) -> Iterator[str]:
    """Yield a warning of an action that opens an export for writing to everybody."""
    before, after = action.current or {}, action.prediction or {}
    if action.resource.has_token and lets_any_write(after) and not lets_any_write(before):
        yield (
            f"{action.goal.description} will let any address write. If that is not meant, give the addresses of its clients as"
            " iprange, or set readonly."
        )


def _update_body(current: Record, goal: Goal, changing: tuple[str, ...]) -> dict[str, Any]:
    """Return the documented fields, unchanged ones as the console shows them, and the create-only ones that change."""
    body = {}
    for field in goal.resource.fields_for(goal.values):
        is_documented = field.role is not CREATE_ONLY
        is_shown = field.in_api in current
        if field.name in changing or (is_documented and not is_shown and field.name in goal.values):
            body[field.in_api] = goal.values[field.name]
        elif is_documented and is_shown:
            body[field.in_api] = current[field.in_api]
        elif is_documented:
            raise ConsoleError(
                f"{describe(goal.resource, current)} cannot be changed without {field.name}: the request must include it, and"
                f" the console does not show its current value. Give {field.name} in the task.",
                record=current,
            )
    return body


def _refuse_create_only(current: Record, goal: Goal, differences: list[Difference]) -> None:
    fixed = [difference for difference in differences if difference.field.role is CREATE_ONLY]
    if not fixed or (goal.update_create_only and goal.resource.has_update):
        return
    advice = "Leave the option out to keep the current value"
    if goal.resource.has_update:
        advice += ", try create_only_changes: update (not in a role), or remove the record and create it again"
    raise ConsoleError(
        f"{describe(goal.resource, current)} differs in fields that can only be set at creation:"
        f" {format_differences(fixed)}. {advice}.",
        record=current,
    )


def plan_list(records: Records, goals: list[Goal], purge: bool) -> tuple[list[Action], list[Problem]]:
    """Return the actions for the goals, with `purge` also for the records that no goal claims, and all problems."""
    actions: list[Action] = []
    problems: list[Problem] = []
    for goal in goals:
        try:
            actions.append(plan_action(records, goal))
        except ConsoleError as error:
            problems.append(Problem(goal.label(), goal.name or goal.label(), str(error)))
    problems += _duplicates(actions)
    left = unclaimed(records, actions) if purge else []
    actions += [delete(record, records.resource)._replace(is_purge=True) for record in left]
    return actions, problems


def delete(record: Record, resource: Resource) -> Action:
    """Return the deletion of a record by its id."""
    return Action(Goal(resource, False, {}, record["id"]), DELETE, record)


def unclaimed(records: Records, actions: Iterable[Action]) -> list[Record]:
    """Return the records that no item claims, but not those of a rotation in progress, which removes them."""
    claimed = {str(action.current["id"]) for action in actions if action.current and not action.is_purge}
    return [record for record in records if str(record["id"]) not in claimed and not records.is_rotating(record)]


def find_duplicates(goals: Iterable[Goal]) -> Iterator[Problem]:
    """Yield a problem for each goal that names the record of an earlier one, by id or key, whatever the list holds."""
    return _duplicates([Action(goal, NOTHING) for goal in goals])


def distinct_labels(actions: Iterable[Action]) -> Iterator[str]:
    """Yield the label of each action's record in results: its key, with its id if another action has that key."""
    labelled = [(action.label, action.current) for action in actions]
    counts = Counter(label for label, _current in labelled)
    for label, current in labelled:
        yield f"{label} (id {current['id']})" if counts[label] > 1 and current else label


def _duplicates(actions: list[Action]) -> Iterator[Problem]:
    # Without ids and former keys, items that find records, or name keys, of their own cannot meet. Long lists skip the search.
    if all(action.goal.id is None and action.goal.renamed_from is None for action in actions):
        found = {id(each.current) if each.current else each.resource.normalize_key(each.key) for each in actions}
        if len(found) == len(actions):
            return
    claimed: dict[Any, Action] = {}
    for action in actions:
        if others := [other for claim in _claims(action) if (other := claimed.setdefault(claim, action)) is not action]:
            yield Problem(action.label, _name(action), f"refers to the same record as {_name(others[0])}.")


def _name(action: Action) -> str:
    """Return the name of an action's item in messages."""
    return action.goal.name or action.label


def _claims(action: Action) -> Iterator[Any]:
    """Yield the references that no other item may share: to the record, and to the key that the record has or will have.

    An item with an id means the record of that id, even if others share its key.
    """
    identity = action.current["id"] if action.current else action.goal.id
    if identity is not None:
        yield ("id", str(identity))
    normal = action.resource.normalize_key(action.key)
    if normal is not None and (action.goal.id is None or action.changes_key):
        yield ("key", normal)
    # A record gives up its key when it is renamed, but no other item of this task may take that key.
    if action.goal.renamed_from is not None:
        yield ("key", action.resource.normalize_key(action.goal.renamed_from))
