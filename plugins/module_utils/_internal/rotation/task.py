# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task that gives an export a new token: one state of a rotation, planned as a whole and written step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..api.lists import Store
from ..api.volumes import find_volume, volume_of
from ..changes.approval import Plan, make_plan, read_terms
from ..errors import ConsoleError
from ..model.goals import Goal
from ..model.plan import NOTHING, Action
from ..model.records import NEXT, Record, Records, describe, format_value, managed_fields
from ..model.resources import EXPORT
from ..model.section import Outcome, Section, list_unverified, list_warnings
from ..options import check_numbers, rotation_options
from ..reconcile.rounds import carry_out
from ..reconcile.write_state import Write
from ..task import Operation, Task, hide, show
from ..tasks.items import read_items
from ..tasks.token_file import TokenFile, open_token_file
from ..values import secrets_in
from .steps import (
    ABORTED,
    FINISHED,
    STARTED,
    Rotation,
    Step,
    abort,
    copied_fields,
    find_rotation,
    finish,
    has_other_token,
    plan_step,
    plan_steps,
    start,
)

_DONE = {STARTED: "rotation started", FINISHED: "rotation finished", ABORTED: "rotation aborted"}


class _Rotate:
    """One state of a rotation. `export` is the one that clients should use from then on, as far as it is known."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._params = task.params
        self._is_start = task.params["state"] == STARTED
        self._changed = False
        self._export: Record | None = None

    def run(self) -> dict[str, Any]:
        """Return the result of the task. A ConsoleError carries as much of the result as is known."""
        try:
            return self._run()
        except ConsoleError as error:
            error.details.pop("record", None)
            error.details = {"changed": self._changed, "export": self._shown(), **error.details}
            raise

    def _run(self) -> dict[str, Any]:
        task, wanted = self._task, self._read_goal()
        terms = read_terms(self._params)
        file = open_token_file(task, wanted)
        store = Store(task.client, EXPORT, find_volume(task.client, self._params))
        section = Section(EXPORT, [], source=store, volume=volume_of(self._params, store))
        section.read()
        given = (self._params[name] for name in ("desc", "fields", "id"))
        rotation = find_rotation(section.records, *given)
        hide(secrets_in([rotation.current, rotation.new, rotation.old]))
        steps = self._plan(rotation)
        section.decide_on(plan_steps(section.records, steps))
        plan = make_plan(section, terms, task.client.settings.address, task.client.echoes)
        is_dry = task.check_mode or bool(plan.refusal)
        is_file_due = False
        if not self._is_start:
            # Clients must have their token before the other export is deleted.
            is_file_due = self._write_file(file, Action(wanted, NOTHING), is_dry)
        outcomes = self._carry_out(section, None if is_dry else store, steps)
        if self._is_start:
            is_file_due = self._write_file(file, outcomes[0].action, is_dry)
        result = self._to_result(section, outcomes, plan)
        plan.raise_refusal(result)
        if file and is_file_due:
            result["diff"]["after"]["token_file"] = file.path
            result.update(changed=True, msg=result["msg"] + ", token file written")
        return result

    def _read_goal(self) -> Goal:
        """Return the goal that the export for clients exists; ConsoleError if an option is invalid."""
        check_numbers(self._params)
        wanted = Goal(EXPORT, True, {EXPORT.key.name: self._params["desc"]})
        if self._is_start and self._params["id"] is not None:
            raise ConsoleError(
                "id is for the states finished and aborted: it is that of the new export, which started returns. If desc does not tell"
                " the export from others, give it one of its own first, with the module export and its id."
            )
        return wanted

    def _plan(self, rotation: Rotation) -> list[Step]:
        """Return the steps of the state, and remember the export that clients should use, if it exists."""
        if self._is_start:
            self._export = rotation.new
            copy = _read_copy(rotation, self._params["fields"]) if rotation.current else None
            return start(rotation, copy)
        plan = finish if self._params["state"] == FINISHED else abort
        self._export, steps = plan(rotation, self._params["id"])
        return steps

    def _carry_out(self, section: Section, store: Store | None, steps: Iterable[Step]) -> list[Outcome]:
        """Return the outcomes of all steps, predicted ones without a store; ConsoleError if the new export has the old token."""
        outcomes = list(self._write(store, section.records, steps)) if store else section.outcomes
        for outcome in outcomes:
            self._keep(outcome.record)
        if self._is_start and "id" in (self._export or {}):
            (old,) = section.records.by_key(self._params["desc"])
            if not has_other_token(self._export or {}, old):
                outcomes = [outcomes[0]._replace(unverified=(*outcomes[0].unverified, "token"))]
        return outcomes

    def _write(self, store: Store, records: Records, steps: Iterable[Step]) -> Iterator[Outcome]:
        """Carry out the steps in order, each only if the list shows the previous step and all else that this one relies on."""
        has_reset = False
        for step in steps:
            action = plan_step(records, step)
            outcome = Outcome(action, action.current, False, None, action.unverified)
            if action.changes:
                write = Write(action, records, store, self._params["wait_timeout"])
                write.body = action.whole_body if has_reset and write.body else write.body
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
        """Remember the export that clients should use, as far as it is known, and have Ansible hide its token."""
        hide(secrets_in(record))
        if record and (self._is_start or str(record["id"]) == str((self._export or {}).get("id"))):
            self._export = record

    def _write_file(self, file: TokenFile | None, action: Action, is_dry: bool) -> bool:
        """Write the token that clients should use; return whether the file had to change."""
        is_due = file is not None and file.follow(Outcome(action, self._export, False), is_dry)
        self._changed = self._changed or (is_due and not is_dry)
        return is_due

    def _to_result(self, section: Section, outcomes: list[Outcome], plan: Plan) -> dict[str, Any]:
        changed = any(outcome.changed for outcome in outcomes)
        name = f"{EXPORT.noun} {format_value(self._params['desc'])}{section.records.of_volume}"
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
        return None if self._export is None else show(self._task, EXPORT, self._export)


def _read_copy(rotation: Rotation, fields: Mapping[str, Any]) -> Goal:
    """Return the goal for the second export; ConsoleError if the first one cannot be copied."""
    copied = copied_fields(rotation.current or {}, fields)
    known = {field.in_api: field for field in EXPORT.managed}
    options = {field.name: field.type.to_result(copied[name]) for name, field in known.items() if name in copied}
    extra = {name: value for name, value in copied.items() if name not in known}
    items = read_items(EXPORT, [{**options, EXPORT.key.name: f"{rotation.desc}{NEXT}", "extra_fields": extra}])
    if items.problems:
        raise ConsoleError(f"the export cannot be copied. Correct it first: {items.problems[0].message}")
    return items.goals[0]


def _raise_problem(outcome: Outcome) -> None:
    """Raise ConsoleError if no other step may follow this one."""
    if outcome.error:
        raise outcome.error
    if outcome.lost:
        raise ConsoleError(
            f"since the update of {describe(EXPORT, outcome.record or {})}, the console does not show its {', '.join(outcome.lost)},"
            " which may be lost. Nothing was done after that. Look at the export, then run the task again, with id."
        )


def _diff(actions: Iterable[Action]) -> dict[str, Any]:
    """Return the exports that differ, before and after all actions, by desc."""
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
    # The descs differ in what a rotation adds at their ends, so they also differ once masked.
    return {
        side: {EXPORT.label(record): managed_fields(EXPORT, record) for record in records.values()}
        for side, records in sides.items()
    }


# The operation of the module that gives exports new tokens.
ROTATION = Operation(rotation_options(), lambda task: _Rotate(task).run())
