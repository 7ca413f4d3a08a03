# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task that gives an export a new token: one state of a rotation, planned as a whole and done step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from ..api.lists import Store
from ..api.volumes import find_volume
from ..errors import ConsoleError
from ..model.goals import Goal
from ..model.plan import NOTHING, UPDATE, Action
from ..model.records import NEXT, Record, compare, describe, format_differences, format_value, managed_fields
from ..model.resources import EXPORT
from ..model.rotation import (
    ABORTED,
    FINISHED,
    STARTED,
    Rotation,
    Step,
    abort,
    copied_fields,
    find_rotation,
    finish,
    plan_step,
    plan_steps,
    same_token,
    start,
)
from ..module import Task, run_module
from ..options import check_numbers, rotation_options
from ..reconcile.rounds import carry_out
from ..reconcile.section import Section
from ..reconcile.write import Outcome, Write, list_unverified, list_warnings
from .approval import Plan, make_plan, read_terms
from .items import read_items
from .token_file import open_token_file

_DONE = {STARTED: "rotation started", FINISHED: "rotation finished", ABORTED: "rotation aborted"}


def rotate() -> NoReturn:
    """Run the module that gives exports new tokens."""
    run_module(rotation_options(), lambda task: _Rotate(task).run())


class _Rotate:
    """One state of a rotation. `export` is the one that clients are to use from then on, as far as it is known."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._params = task.params
        self._changed = False
        self._export: Record | None = None

    def run(self) -> dict[str, Any]:
        """Return the result of the task; with a ConsoleError goes as much of it as is known by then."""
        try:
            return self._run()
        except ConsoleError as error:
            error.details.pop("record", None)
            error.details = {"changed": self._changed, "export": self._shown(), **error.details}
            raise

    def _run(self) -> dict[str, Any]:
        task, params = self._task, self._params
        check_numbers(params)
        terms = read_terms(params)
        wanted = Goal(EXPORT, True, {EXPORT.key.name: params["desc"]})
        if EXPORT.normalize_key(wanted.key) is None:
            raise ConsoleError("desc is required, to identify the export.")
        if params["state"] == STARTED and params["id"] is not None:
            raise ConsoleError(
                "id is for the states finished and aborted: it is that of the new export, which started returns."
            )
        file = open_token_file(task, wanted)
        section = Section(EXPORT, [], store=Store(task.client, EXPORT, find_volume(task.client, params)))
        section.read()
        steps = self._plan(find_rotation(section.records, params["desc"], params["fields"], params["id"]))
        section.decide_on(plan_steps(section.records, steps))
        if params["state"] == STARTED and section.actions[0].verb is UPDATE:
            raise _differs(section.actions[0])
        plan = make_plan(section, task.client.settings.address, terms)
        is_dry = task.check_mode or bool(plan.refusal)
        is_file_due = False
        if file and params["state"] != STARTED:
            # It has what clients are to use before anything goes.
            is_file_due = file.follow(Outcome(Action(wanted, NOTHING, self._export), self._export, False), is_dry)
            self._changed = is_file_due and not is_dry
        outcomes = section.outcomes if is_dry else list(self._carry_out(section, steps))
        for outcome in outcomes:
            self._keep(outcome.record)
        if params["state"] == STARTED and not (is_dry and outcomes[0].changed):
            outcomes = [self._check_token(section, outcomes[0])]
        if file and params["state"] == STARTED:
            is_file_due = file.follow(outcomes[0], is_dry)
        result = self._to_result(section, outcomes, plan)
        plan.raise_refusal(result)
        if file and is_file_due:
            result["diff"]["after"]["token_file"] = file.path
            result.update(changed=True, msg=result["msg"] + ", token file written")
        return result

    def _plan(self, rotation: Rotation) -> list[Step]:
        """Return the steps of the state, and take note of the export that clients are to use, if it exists."""
        state = self._params["state"]
        if state != STARTED:
            self._export, steps = (finish if state == FINISHED else abort)(rotation, self._params["id"])
            return steps
        self._export = rotation.new
        return start(
            rotation, _read_copy(rotation, self._params["fields"]) if rotation.current else Goal(EXPORT, True, {})
        )

    def _carry_out(self, section: Section, steps: Iterable[Step]) -> Iterable[Outcome]:
        """Do one step after the other, each only if the list shows the one before, and what else it relies on."""
        records, has_reset = section.records, False
        for step in steps:
            action = plan_step(records, step)
            outcome = Outcome(action, action.current, False, None, action.unverified)
            if action.changes and section.store:
                write = Write(action, records, section.store, self._params["wait_timeout"])
                write.body = action.whole_body if has_reset else write.body
                carry_out([write], concurrency=1)
                outcome, records = write.outcome or outcome, write.now
                has_reset = has_reset or bool(outcome.restored)
            self._changed = self._changed or outcome.changed
            self._keep(outcome.record)
            self._keep(records.by_id((self._export or {}).get("id")))
            _raise_problem(outcome)
            step.check(records, but=(action.current or {}).get("id"))
            yield outcome

    def _keep(self, record: Record | None) -> None:
        """Take note of the export that clients are to use, as it is known by now."""
        if record and (self._params["state"] == STARTED or str(record["id"]) == str((self._export or {}).get("id"))):
            self._export = record

    def _check_token(self, section: Section, outcome: Outcome) -> Outcome:
        """Refuse a new export with the token of the old one; where the console does not show tokens, nobody knows."""
        old = section.records.by_key(self._params["desc"])[0]
        new = outcome.record or {}
        if "token" not in new or "token" not in old:
            return outcome._replace(unverified=(*outcome.unverified, "token"))
        if str(new["token"]) == str(old["token"]):
            raise same_token(new)
        return outcome

    def _to_result(self, section: Section, outcomes: Iterable[Outcome], plan: Plan) -> dict[str, Any]:
        outcomes = list(outcomes)
        changed = any(outcome.changed for outcome in outcomes)
        of_volume = section.store.of_volume if section.store else ""
        name = f"{EXPORT.noun} {format_value(self._params['desc'])}{of_volume}"
        self._task.warn(*list_warnings(outcomes, name))
        kept = [outcome for outcome in outcomes if outcome.action.goal.present]
        unverified = list_unverified(kept[-1:])
        return {
            "changed": changed,
            "export": self._shown(),
            **({"unverified": unverified} if unverified else {}),
            "plan_checksum": plan.checksum,
            "msg": f"{name}: {_DONE[self._params['state']] if changed else 'unchanged'}",
            "diff": {"before_header": name, "after_header": name, **_diff(section.actions)},
        }

    def _shown(self) -> dict[str, Any] | None:
        return None if self._export is None else EXPORT.to_result(self._export, self._params["include_tokens"])


def _read_copy(rotation: Rotation, fields: Mapping[str, Any]) -> Goal:
    """Return the goal for the second export; ConsoleError where it is not known what it needs."""
    copied = copied_fields(rotation.current or {}, fields)
    known = {field.in_api: field for field in EXPORT.managed}
    options = {field.name: field.type.to_result(copied[name]) for name, field in known.items() if name in copied}
    extra = {name: value for name, value in copied.items() if name not in known}
    items = read_items(EXPORT, [{**options, EXPORT.key.name: f"{rotation.desc}{NEXT}", "extra_fields": extra}])
    if items.problems:
        raise ConsoleError(f"the export cannot be copied: {items.problems[0].message}")
    return items.goals[0]


def _raise_problem(outcome: Outcome) -> None:
    """Raise the error of a step after which no other may follow."""
    if outcome.error:
        raise outcome.error
    if outcome.lost:
        raise ConsoleError(
            f"since the update of {describe(EXPORT, outcome.record or {})}, the console does not show its {', '.join(outcome.lost)},"
            " which may be lost. Nothing was done after that. Look at the export, then run the task again, with id."
        )


def _differs(action: Action) -> ConsoleError:
    differences, _hidden = compare(EXPORT, action.current or {}, action.goal.values)
    return ConsoleError(
        f"{action.description} is there already, and is not like the export that it is to replace: {format_differences(differences)}."
        " Make them alike, or abort the rotation."
    )


def _diff(actions: Iterable[Action]) -> dict[str, Any]:
    """Return the exports that differ, before and after all actions, by their desc."""
    before: dict[Any, Record] = {}
    after: dict[Any, Record] = {}
    for action in (action for action in actions if action.changes):
        identity = (action.current or {}).get("id")
        if action.current:
            before.setdefault(identity, action.current)
            after.pop(identity, None)
        if action.prediction:
            after[identity] = action.prediction
    sides = {"before": before, "after": after}
    return {
        side: {EXPORT.label(record): managed_fields(EXPORT, record) for record in records.values()}
        for side, records in sides.items()
    }
