# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for one record: one goal, one plan, one record in the result."""

from __future__ import annotations

from typing import Any, NoReturn

from ..api.readiness import await_ready
from ..api.store import Store
from ..api.volumes import find_volume
from ..connection import check_number
from ..errors import ConsoleError
from ..model.goal import Goal, read_goal
from ..model.plan import Plan, make_plan
from ..model.records import Record, Records, describe
from ..model.resources import Resource
from ..module import Task, run_module
from ..options import record_options
from ..reconcile.history import Outcome
from ..reconcile.reconcile import reconcile
from .outcomes import MAX_WAIT, warn_of


def manage_record(resource: Resource) -> NoReturn:
    """Run the module that manages one record of a resource."""
    run_module(record_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring one record to what the options want, and return the task's result."""
    timeout = task.params["wait_timeout"]
    try:
        check_number("wait_timeout", timeout, 0, MAX_WAIT)
        goal = read_goal(resource, task.params, task.params.get("create_only_changes") == "update")
        store = _open_store(task, resource, goal)
        if store is None:
            return {"changed": False, resource.noun: None, "diff": {"before": {}, "after": {}}}

        def planner(records: Records) -> list[Plan]:
            return [make_plan(records, goal)]

        (outcome,) = reconcile(store, planner, timeout, task.check_mode)
    except ConsoleError as error:
        record = error.details.pop("record", None)
        error.details[resource.noun] = _to_result(task, resource, record)
        raise
    if resource.has_readiness and not task.check_mode:
        outcome = _await_ready(task, store, outcome)
    return _to_task_result(task, resource, outcome)


def _open_store(task: Task, resource: Resource, goal: Goal) -> Store | None:
    """Return the list that the record belongs to; None where the volume is gone, and with it what should be gone."""
    if not resource.is_in_volume:
        return Store(task.client, resource)
    volume = find_volume(task.client, task.params, required=goal.present)
    return Store(task.client, resource, volume["id"]) if volume else None


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


def _to_task_result(task: Task, resource: Resource, outcome: Outcome) -> dict[str, Any]:
    result: dict[str, Any] = {"changed": outcome.changed, resource.noun: _to_result(task, resource, outcome.record)}
    warn_of([outcome], describe(resource, outcome.record or {}), task.warn)
    if outcome.unverified:
        result["unverified"] = list(outcome.unverified)
    if outcome.error:
        raise ConsoleError(str(outcome.error), **{**outcome.error.details, **result})
    return {**result, "diff": {"before": outcome.plan.before, "after": outcome.plan.after}}


def _to_result(task: Task, resource: Resource, record: Record | None) -> dict[str, Any] | None:
    return None if record is None else resource.to_result(record, task.params["include_tokens"])
