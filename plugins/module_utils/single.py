# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules for a single record do: one goal, one plan, one record in the result."""

from __future__ import annotations

from typing import Any

from .change import Result
from .errors import ConsoleError
from .goals import read_goal
from .http.settings import LONGEST_WAIT, check_number
from .model.plan import Goal, make_plan
from .model.records import label
from .model.resources import Resource
from .module import Task, TaskFailed
from .notices import not_shown, was_put_back
from .readiness import await_ready
from .reconcile import reconcile
from .store import Store
from .volumes import check_volume_options, find_volume, no_such_volume


def manage_one(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring one record to what the options want, and give the task's result."""
    try:
        check_number("wait_timeout", task.params["wait_timeout"], 0, LONGEST_WAIT)
        goal = read_goal(resource, task.params, task.params.get("create_only_changes") == "update")
        store = _open_store(task, resource, goal)
        if store is None:
            return {"changed": False, resource.noun: None, "diff": {"before": {}, "after": {}}}
        (result,) = reconcile(
            store, lambda records: [make_plan(records, goal)], task.params["wait_timeout"], task.check_mode
        )
    except ConsoleError as error:
        raise TaskFailed(error, {resource.noun: _shown(task, resource, error.record)}) from None
    if not task.check_mode and not result.error:
        _wait_until_usable(task, store, result)
    return _told(task, resource, result)


def _open_store(task: Task, resource: Resource, goal: Goal) -> Store | None:
    """The list that the record belongs to; None where the volume is gone, and so is what is to be gone."""
    if not resource.in_volume:
        return Store(task.client, resource)
    check_volume_options(task.params)
    volume = find_volume(task.client, task.params)
    if volume is None and goal.present:
        raise no_such_volume(task.params)
    return None if volume is None else Store(task.client, resource, volume["id"])


def _wait_until_usable(task: Task, store: Store, result: Result) -> None:
    if not store.resource.has_readiness or not task.params["wait"] or not result.record:
        return
    try:
        ready = await_ready(store, result.record["id"], _label(result), task.params["wait_timeout"])
        # What the console has filled in meanwhile belongs to the result.
        result.record = ready or result.record
    except ConsoleError as error:
        result.error = error


def _told(task: Task, resource: Resource, result: Result) -> dict[str, Any]:
    told = {"changed": result.changed, resource.noun: _shown(task, resource, result.record)}
    if result.put_back:
        task.warn(was_put_back(result.put_back, _label(result)))
    if result.unverified:
        told["unverified"] = result.unverified
        task.warn(not_shown(result.unverified, _label(result)))
    if result.error:
        raise TaskFailed(result.error, told)
    return {**told, "diff": {"before": result.plan.before, "after": result.plan.after}}


def _shown(task: Task, resource: Resource, record: Any) -> Any:
    return None if record is None else resource.project(record, task.params["include_tokens"])


def _label(result: Result) -> str:
    record = result.record or {}
    resource = result.plan.resource
    return label(resource, record.get(resource.key.wire), record.get("id"))
