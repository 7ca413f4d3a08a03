# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The steps of a rotation: the requests, in order, that give an export a new token. Pure.

The new export is created beside the old one. To finish, the old one is renamed, the new one takes its desc, and the old one
is deleted. To abort, the new one is renamed, then deleted. So every task announces a deletion by a rename that others see,
and then checks that nobody else has announced one: two tasks at once never delete both exports. An end that has begun can
only go on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import ConsoleError, MissingError
from ..model.access import token_of
from ..model.fields import is_kept
from ..model.goals import Goal, check_is_ours, select
from ..model.plan import Action, plan_action
from ..model.records import NEXT, OLD, Record, Records, ambiguous, compare, describe, format_differences, format_value
from ..model.resources import ASSIGNED, EXPORT

STARTED, FINISHED, ABORTED = "started", "finished", "aborted"
# Times of past events, which are not copied. A future one, such as an expiry, is a right.
_TIME = re.compile("(created|updated|modified|changed|last_?used)(_?(at|on|time|date))?", re.IGNORECASE)
_NOT_COPIED = {"token", *(field.in_api for field in EXPORT.fields if field.role is ASSIGNED), EXPORT.key.in_api}


class Step(NamedTuple):
    """One write: the goal for a record, and the values that exports must have before it, by id."""

    goal: Goal
    expected: Mapping[Any, Mapping[str, Any]]

    def check(self, records: Records, but: Any = None) -> None:
        """Raise ConsoleError if an expected export is gone, has other values, or shares its desc; skip the id `but`."""
        for identity, values in self.expected.items():
            found = records.by_id(identity)
            if identity == but:
                continue
            differences = compare(EXPORT, found, values)[0] if found else []
            if found is None or differences:
                what = format_differences(differences) if found else "it is gone"
                raise ConsoleError(
                    f"the export with the id {identity} is not as expected: {what}. Somebody else is working on"
                    " the same exports. Nothing more was done. Look at them, then run the task again."
                )
            others = [record for record in records.by_key(EXPORT.key_of(found)) if record["id"] not in self.expected]
            if others:
                raise ambiguous(EXPORT, [found, *others])


class Rotation(NamedTuple):
    """The exports of a rotation: those with the desc itself, with the suffix of the new, and of the old one; None if missing.

    `given` has the values of fields that the console does not show, `records` are all exports of the volume.
    """

    desc: str
    current: Record | None
    new: Record | None
    old: Record | None
    given: Mapping[str, Any]
    records: Records


def find_rotation(records: Records, desc: str, given: Mapping[str, Any], identity: Any = None) -> Rotation:
    """Return the exports of a rotation; ConsoleError if several have the same desc, or the one with the id has another."""
    check_is_ours(records, Goal(EXPORT, True, {}, identity))
    second = records.by_id(identity)
    current, new, old = (_select(records, f"{desc}{suffix}") for suffix in ("", NEXT, OLD))
    if second is not None and second not in (current, new, old):
        raise ConsoleError(
            f"{describe(EXPORT, second)} should be called {format_value(desc + NEXT)}: somebody renamed it. Rename it back, or leave out id."
        )
    return Rotation(desc, current, new, old, given, records)


def _select(records: Records, desc: str) -> Record | None:
    if len(found := records.by_key(desc)) > 1:
        ids = ", ".join(str(record["id"]) for record in found)
        raise ConsoleError(
            f"there are several exports with the desc {format_value(desc)}: ids {ids}. Give each a desc of its own first, with the"
            " module export and its id."
        )
    return select(records, Goal(EXPORT, True, _named(desc)))


def copied_fields(export: Record, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that give a second export the same rights, by their names in the API.

    ConsoleError if the console does not show a field, if its meaning is unknown, or if a console may not store the same
    text again. `given` has the values of such fields, None for one that the new export need not have.
    """
    if EXPORT.key.in_api in given:
        raise ConsoleError(
            f"fields must not contain {EXPORT.key.name}: the new export has that of the old one, with{NEXT} at its end."
        )
    known = [field.in_api for field in EXPORT.managed if field.in_api not in _NOT_COPIED]
    hidden = [name for name in known if export.get(name) is None and given.get(name) is None]
    unknown = [name for name in export if not (name in {*known, *_NOT_COPIED, *given} or _TIME.fullmatch(str(name)))]
    facts = [f"the console does not show its {', '.join(sorted(hidden))}"] if hidden else []
    facts += [f"it is not known whether {', '.join(sorted(unknown))} must be the same"] if unknown else []
    if facts:
        advice = "Give the values in fields" + (", or null for what the new export need not have" if unknown else "")
        raise ConsoleError(f"{describe(EXPORT, export)} cannot be copied: {', and '.join(facts)}. {advice}.")
    shown = {name: export[name] for name in known if export.get(name) is not None}
    texts = {EXPORT.key.in_api: EXPORT.key_of(export), **shown}
    if spaced := [name for name, value in texts.items() if isinstance(value, str) and not is_kept(value)]:
        raise ConsoleError(
            f"{describe(EXPORT, export)} cannot be copied: consoles may remove the white space or control characters of its"
            f" {', '.join(spaced)}. Correct that first, with the module export and the id."
        )
    contradicted = compare(EXPORT, export, {name: given[name] for name in shown if given.get(name) is not None})[0]
    if contradicted:
        raise ConsoleError(
            f"fields contradicts {describe(EXPORT, export)}: {format_differences(contradicted)}. Leave out what the console shows."
        )
    return {name: value for name, value in {**given, **shown}.items() if value is not None}


def start(rotation: Rotation, goal: Goal | None) -> list[Step]:
    """Return the step that creates the second export. `goal` describes it, None if there is no export to copy."""
    if rotation.current is None or goal is None:
        raise _not_there(rotation)
    if rotation.old is not None:
        raise ConsoleError(
            f"{describe(EXPORT, rotation.old)} is left over from an earlier rotation. Finish or abort that, with id, or delete"
            " this export."
        )
    if rotation.new is not None:
        _check_rights(rotation.new, rotation.current, goal.values)
    return [Step(goal, {rotation.current["id"]: {**_named(rotation.desc), **_rights(rotation.current)}})]


def has_other_token(new: Record, old: Record) -> bool:
    """Return whether the second export is known to have another token; ConsoleError if it has the same one."""
    token, former = token_of(new), token_of(old)
    if not (token and former):
        return False
    if token == former:
        raise ConsoleError(
            f"{describe(EXPORT, new)} has the same token as the export that it is to replace, so nothing would be gained. Abort the"
            " rotation."
        )
    return True


def finish(rotation: Rotation, identity: Any = None) -> tuple[Record, list[Step]]:
    """Return the new export, and the steps by which it replaces the old one.

    `identity` is the id of the new export. Without it, a finished rotation looks like one that was never started.
    """
    current, new, old = rotation.current, rotation.new, rotation.old
    if current is None and new is None:
        raise _not_there(rotation)
    if current and new and old:
        raise _too_many(rotation)
    survivor = new or current or {}
    if (new is None and identity is None) or (identity is not None and str(survivor["id"]) != str(identity)):
        raise _unconfirmed(rotation, survivor, identity)
    leaving = old if new is None else current or old
    if current and new:
        _check_rights(new, current, _rights(current))
        has_other_token(new, current)
    names = _names(survivor, leaving)
    steps = [Step(_restored(one, other), dict(names)) for one, other in ((current, old), (old, new)) if one and other]
    for record, desc in ((current, rotation.desc + OLD), (new, rotation.desc)):
        if new is not None and record is not None:
            steps.append(Step(_renamed(rotation, record, desc), dict(names)))
            names[record["id"]] = _named(desc)
    names[survivor["id"]] = {**_named(rotation.desc), **_rights(old if current and old else survivor)}
    return survivor, [*steps, *([Step(_deleted(leaving), names)] if leaving else [])]


def abort(rotation: Rotation, identity: Any = None) -> tuple[Record, list[Step]]:
    """Return the export that was to be replaced, and the steps that delete the second one, whose id is `identity`."""
    current, new, old = rotation.current, rotation.new, rotation.old
    if current is None:
        raise _not_there(rotation)
    if new and old:
        raise _too_many(rotation)
    if str(current["id"]) == str(identity):
        raise ConsoleError(
            f"{describe(EXPORT, current)} has taken the place of the old export already, so this cannot be aborted any more. Finish"
            " it, or start another rotation."
        )
    if (leaving := new or old) is None:
        return current, []
    is_meant = bool(new) if identity is None else str(leaving["id"]) == str(identity)
    if not is_meant:
        raise _unconfirmed(rotation, leaving, identity)
    names = _names(current, leaving)
    renamed = {**names, leaving["id"]: _named(rotation.desc + OLD)}
    steps = [Step(_renamed(rotation, leaving, rotation.desc + OLD), names)] if new else []
    return current, [*steps, Step(_deleted(leaving), renamed)]


def plan_step(records: Records, step: Step) -> Action:
    """Return the action of a step on the list as it is; ConsoleError if somebody else has changed what it relies on."""
    step.check(records)
    return plan_action(records, step.goal)


def plan_steps(records: Records, steps: Sequence[Step]) -> list[Action]:
    """Return the actions of all steps, provided that nobody else changes the list meanwhile."""
    actions = []
    for step in steps:
        actions.append(plan_step(records, step))
        others = [record for record in records if record is not actions[-1].current]
        prediction = actions[-1].prediction
        records = Records(EXPORT, [*others, *([prediction] if prediction and "id" in prediction else [])])
    return actions


def _renamed(rotation: Rotation, record: Record, desc: str) -> Goal:
    # An update also carries fields that do not change, and the console may not show them.
    hidden = {name: value for name, value in rotation.given.items() if name not in record and value is not None}
    return Goal(EXPORT, True, {**hidden, **_named(desc)}, record["id"])


def _deleted(record: Record) -> Goal:
    return Goal(EXPORT, False, {}, record["id"])


def _restored(renamed: Record, other: Record) -> Goal:
    """Return the goal for an export that a killed task has renamed: the console may have reset its other fields."""
    values = {**_rights(other), EXPORT.key.name: EXPORT.key_of(renamed)}
    return Goal(EXPORT, True, values, renamed["id"], update_create_only=True)


def _names(*exports: Record | None) -> dict[Any, dict[str, Any]]:
    """Return the desc of each export, by id."""
    return {export["id"]: _named(EXPORT.key_of(export)) for export in exports if export}


def _named(desc: str) -> dict[str, Any]:
    return {EXPORT.key.name: desc}


def _rights(export: Record) -> dict[str, Any]:
    """Return the fields of an export other than its desc, as the console shows them."""
    fields = (field for field in EXPORT.managed if field is not EXPORT.key and export.get(field.in_api) is not None)
    return {field.name: export[field.in_api] for field in fields}


def _check_rights(new: Record, old: Record, wanted: Mapping[str, Any]) -> None:
    """Raise ConsoleError if the export that is to replace another one has other rights than are `wanted`."""
    differences, _hidden = compare(EXPORT, new, wanted)
    if differences:
        raise ConsoleError(
            f"{describe(EXPORT, new)} is to replace {describe(EXPORT, old)}, but is not like it: {format_differences(differences)}."
            " Make them alike, or abort the rotation."
        )


def _not_there(rotation: Rotation) -> ConsoleError:
    left = " and ".join(describe(EXPORT, record) for record in (rotation.new, rotation.old) if record)
    advice = "left over from an unfinished rotation. Finish that, with id, or rename what is left."
    error = MissingError(f"there is no export {format_value(rotation.desc)}{rotation.records.of_volume}. Check desc.")
    return error.followed_by(f"There is {left}, {advice}") if left else error


def _too_many(rotation: Rotation) -> ConsoleError:
    found = ", ".join(describe(EXPORT, record) for record in (rotation.current, rotation.new, rotation.old) if record)
    return ConsoleError(
        f"it is not clear which of these exports replaces which: {found}. Delete the one that should not exist."
    )


def _unconfirmed(rotation: Rotation, record: Record, identity: Any) -> ConsoleError:
    given = "id is not given" if identity is None else f"id is {identity}"
    return ConsoleError(
        f"it is not clear whether {describe(EXPORT, record)} is the one that replaces {format_value(rotation.desc)}: {given}. Give the"
        " id that the state started returned."
    )
