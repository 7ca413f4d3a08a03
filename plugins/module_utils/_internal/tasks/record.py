# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for one record: one goal, one plan, one record in the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..api.lists import Store
from ..api.volumes import await_ready
from ..errors import ConsoleError
from ..model.goal import read_goal
from ..model.plan import CREATE, DELETE, NOTHING, UPDATE, Plan, make_plan
from ..model.records import Record, Records, describe
from ..model.resources import Resource
from ..module import Task, run_module
from ..options import record_options
from ..reconcile.history import Outcome
from .writing import check_wait_timeout, lists_below, open_store, place, warn_of, warn_of_goals, write

if TYPE_CHECKING:
    from .token_file import TokenFile

_DONE = {CREATE: "created", UPDATE: "updated", DELETE: "deleted", NOTHING: "unchanged"}


def manage_record(resource: Resource) -> NoReturn:
    """Run the module that manages one record of a resource."""
    run_module(record_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring one record to what the options want, and return the task's result."""
    below: dict[str, Any] = {}
    try:
        check_wait_timeout(task)
        goal = read_goal(resource, task.params, task.params.get("create_only_changes") == "update")
        warn_of_goals(task, [goal])
        token_file = _open_token_file(task, goal.present)
        store = open_store(task, resource, goal.present)

        def planner(records: Records) -> list[Plan]:
            try:
                plan = make_plan(records, goal)
            except ConsoleError as error:
                raise error.followed_by("Nothing was changed.") from None
            below.update(lists_below(task, plan))
            return [plan]

        (outcome,) = write(task, resource, store, planner)
    except ConsoleError as error:
        record = error.details.pop("record", None)
        error.details[resource.noun] = _to_result(task, resource, record)
        raise
    if store and resource.has_readiness and not task.check_mode:
        outcome = _await_ready(task, store, outcome)
    is_file_due = False
    if token_file and not outcome.error:
        try:
            is_file_due = token_file.follow(outcome, task.check_mode)
        except ConsoleError as error:
            outcome = outcome._replace(error=error)
    result = _to_task_result(task, resource, outcome, place(task, store))
    result["diff"]["before"].update(below)
    if token_file and is_file_due:
        _add_token_file(result, token_file.path, goal.present)
    return result


def _open_token_file(task: Task, is_needed: bool) -> TokenFile | None:
    """Return the file that the token is wanted in, if any; ConsoleError where it cannot be written or removed."""
    path = task.params.get("token_file") or ""
    if not path.strip():
        return None
    # Few tasks want one, and what is not loaded is not compiled.
    from .token_file import TokenFile  # noqa: PLC0415

    file = TokenFile(path)
    file.check(is_needed)
    return file


def _add_token_file(result: dict[str, Any], path: str, is_present: bool) -> None:
    """Add to a result that the file for the token was written or removed; its content is nobody's business."""
    result["changed"] = True
    result["msg"] += f", token file {'written' if is_present else 'removed'}"
    result["diff"]["after" if is_present else "before"]["token_file"] = path


def _await_ready(task: Task, store: Store, outcome: Outcome) -> Outcome:
    """Wait until the record can be used, and take what the console has filled in meanwhile."""
    record = outcome.record
    if outcome.error or not record or not task.params["wait"]:
        return outcome
    try:
        ready = await_ready(store, record["id"], describe(store.resource, record), task.params["wait_timeout"])
    except ConsoleError as error:
        return outcome._replace(error=error)
    return outcome._replace(record=ready or record)


def _to_task_result(task: Task, resource: Resource, outcome: Outcome, place: str) -> dict[str, Any]:
    result: dict[str, Any] = {"changed": outcome.changed, resource.noun: _to_result(task, resource, outcome.record)}
    warn_of([outcome], describe(resource, outcome.record or {}), task.warn)
    if outcome.unverified:
        result["unverified"] = list(outcome.unverified)
    if outcome.error:
        raise ConsoleError(str(outcome.error), **{**outcome.error.details, **result})
    plan = outcome.plan
    name = f"{plan.description}{place}"
    header = {"before_header": name, "after_header": name}
    done = _DONE[plan.action] if outcome.changed else "unchanged"
    return {**result, "msg": f"{name}: {done}", "diff": {**header, "before": plan.before, "after": plan.after}}


def _to_result(task: Task, resource: Resource, record: Record | None) -> dict[str, Any] | None:
    return None if record is None else resource.to_result(record, task.params["include_tokens"])
