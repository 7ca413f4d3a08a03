# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for one record: one goal, one action, one record in the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..api.volumes import open_list, volume_of
from ..changes.entries import lost_with
from ..errors import ConsoleError
from ..model.goals import Goal, read_goal
from ..model.plan import DONE
from ..model.records import Record, describe
from ..model.resources import Resource
from ..model.section import Outcome, Section, list_warnings
from ..options import check_numbers, record_options
from ..reconcile.sections import plan_record, write_sections
from ..task import Operation, Task, show

if TYPE_CHECKING:
    from .token_file import TokenFile


def record_operation(resource: Resource) -> Operation:
    """Return the operation of the module that manages one record."""
    return Operation(record_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    params = task.params
    try:
        check_numbers(params)
        goal = read_goal(resource, params, params.get("create_only_changes") == "update")
        file = _open_file(task, goal)
        store = open_list(task.client, resource, params, goal.present, task.check_mode)
        section = Section(resource, [goal], (), store, volume_of(params, store))
        change = plan_record(section)
        if not task.check_mode:
            write_sections(section, params.get("wait", False), params["wait_timeout"], concurrency=1)
    except ConsoleError as error:
        error.details[resource.noun] = _to_result(task, resource, error.details.pop("record", None))
        raise
    outcome = change.outcome
    is_file_due = False
    if file and not outcome.error:
        try:
            is_file_due = file.follow(outcome, task.check_mode)
        except ConsoleError as error:
            outcome = outcome._replace(error=error)
    result = _to_task_result(task, outcome, section.of_volume)
    result["diff"]["before"].update(lost_with(change) if change.below else {})
    if file and is_file_due:
        # The diff names the file, but must not show the token in it.
        done, side = ("written", "after") if goal.present else ("removed", "before")
        result["diff"][side]["token_file"] = file.path
        result.update(changed=True, msg=f"{result['msg']}, token file {done}")
    return result


def _open_file(task: Task, goal: Goal) -> TokenFile | None:
    """Return the file for the token of an export, if one is wanted."""
    if not task.params.get("token_file"):
        return None
    from .token_file import open_token_file  # noqa: PLC0415

    return open_token_file(task, goal)


def _to_task_result(task: Task, outcome: Outcome, of_which: str) -> dict[str, Any]:
    action, resource = outcome.action, outcome.action.resource
    result: dict[str, Any] = {
        "changed": outcome.changed,
        resource.noun: _to_result(task, resource, outcome.record),
        **({"unverified": list(outcome.unverified)} if outcome.unverified else {}),
    }
    task.warn(*list_warnings([outcome], describe(resource, outcome.record or {})))
    if outcome.error:
        raise ConsoleError(str(outcome.error), **{**outcome.error.details, **result})
    name = f"{action.description}{of_which}"
    before, after = map(action.shown, (action.current, action.prediction))
    message = f"{name}: {DONE[action.verb] if outcome.changed else 'unchanged'}"
    if not (action.goal.present or action.changes):
        message = f"there is no {name}: nothing to delete"
    diff = {"before_header": name, "after_header": name, "before": before, "after": after}
    return {**result, "msg": message, "diff": diff}


def _to_result(task: Task, resource: Resource, record: Record | None) -> dict[str, Any] | None:
    return None if record is None else show(task, resource, record)
