# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules for a single record do: one goal, one plan, one record in the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .change import Result
from .errors import ConsoleError
from .model.plan import Goal, label
from .model.resources import Resource
from .module import Task, TaskFailed
from .readiness import await_ready
from .reconcile import reconcile
from .store import Store


def manage_one(task: Task, store: Store, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Bring one record to what the options want and give the task's result; `extra` is sent with a creation."""
    resource = store.resource
    wait_timeout = task.params["wait_timeout"]
    if wait_timeout < 0:
        raise ConsoleError(f"wait_timeout must not be negative, as {wait_timeout} is.")
    goal = _goal(task.params, resource, extra)
    try:
        (result,) = reconcile(store, [goal], wait_timeout, task.check_mode)
    except ConsoleError as error:
        raise TaskFailed(error, {resource.noun: _shown(task, resource, error.record)}) from None
    if not task.check_mode and not result.error:
        _wait_until_usable(task, store, result)
    return _told(task, resource, result)


def _goal(params: Mapping[str, Any], resource: Resource, extra: Mapping[str, Any]) -> Goal:
    values = {}
    for field in resource.managed:
        value = params.get(field.name)
        if value is not None and not (field.blank_is_unset and not value.strip()):
            values[field.name] = value
    key = resource.key.name
    if key not in values and params["id"] is None:
        raise ConsoleError(f"{key} or id is required, to tell which {resource.noun} is meant.")
    _refuse_known_fields(resource, extra)
    return Goal(params["state"] == "present", values, params["id"], extra)


def _refuse_known_fields(resource: Resource, extra: Mapping[str, Any]) -> None:
    """Refuse fields that have an option: given here they would not be compared."""
    known = {name for field in resource.managed for name in (field.name, field.wire)}
    doubled = sorted(known & extra.keys())
    if doubled:
        raise ConsoleError(f"extra_fields must not hold {', '.join(doubled)}: use the option of this module.")


def _wait_until_usable(task: Task, store: Store, result: Result) -> None:
    if not store.resource.has_readiness or not task.params["wait"] or not result.record:
        return
    try:
        await_ready(store, result.record["id"], _label(result), task.params["wait_timeout"])
    except ConsoleError as error:
        result.error = error


def _told(task: Task, resource: Resource, result: Result) -> dict[str, Any]:
    told = {"changed": result.changed, resource.noun: _shown(task, resource, result.record)}
    if result.unverified:
        told["unverified"] = result.unverified
        names = ", ".join(result.unverified)
        task.warn(f"The console does not show {names} of {_label(result)}; whether it is as wanted is not known.")
    if result.error:
        raise TaskFailed(result.error, told)
    return {**told, "diff": {"before": result.plan.before, "after": result.plan.after}}


def _shown(task: Task, resource: Resource, record: Any) -> Any:
    return None if record is None else resource.project(record, task.params["include_tokens"])


def _label(result: Result) -> str:
    record = result.record or {}
    resource = result.plan.resource
    return label(resource, record.get(resource.key.wire), record.get("id"))
