# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules for a whole list do: one read, a plan for each item, the writes, one read back."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.errors import UnsupportedError

from .change import Result
from .errors import ConsoleError
from .goals import read_goal
from .http.settings import LONGEST_WAIT, check_number
from .model.batch import BadList, Problem, plan_all
from .model.plan import Action, Goal, Plan
from .model.records import Records, managed_fields
from .model.resources import Resource
from .module import Task, TaskFailed
from .notices import not_shown, was_put_back
from .reconcile import reconcile
from .store import Store
from .volumes import check_volume_options, find_volume, no_such_volume

_DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}
_NOTHING_DONE: dict[str, Any] = {
    "changed": False,
    "created": [],
    "updated": [],
    "deleted": [],
    "unchanged": 0,
    "errors": [],
}
_MOST_CONCURRENCY = 32


def manage_many(task: Task, resource: Resource, item_options: Mapping[str, Any]) -> dict[str, Any]:
    """Bring the records of a volume to what the items want, and give the task's result."""
    try:
        results = _reconcile(task, resource, item_options)
    except ConsoleError as error:
        problems = error.problems if isinstance(error, BadList) else []
        errors = [{"key": problem.key, "msg": problem.message} for problem in problems]
        raise TaskFailed(error, {**_NOTHING_DONE, "errors": errors}) from None
    told = _told(results, len(task.params[resource.plural]))
    unverified = _warn(task, resource, results)
    if unverified:
        told["unverified"] = unverified
    if task.diff_mode:
        told["diff"] = _diff(results)
    failed = [result.error for result in results if result.error]
    if failed:
        message = (
            f"{len(failed)} of {len(results)} {resource.plural} failed; errors has them all, the first is: {failed[0]}"
        )
        raise TaskFailed(ConsoleError(message, failed[0].failure), told)
    return told


def _reconcile(task: Task, resource: Resource, item_options: Mapping[str, Any]) -> list[Result]:
    params = task.params
    check_volume_options(params)
    check_number("concurrency", params["concurrency"], 1, _MOST_CONCURRENCY)
    check_number("wait_timeout", params["wait_timeout"], 0, LONGEST_WAIT)
    goals = _read_goals(task, resource, ArgumentSpecValidator(item_options))
    volume = find_volume(task.client, params)
    if volume is None:
        if any(goal.present for goal in goals):
            raise no_such_volume(params)
        return []
    store = Store(task.client, resource, volume["id"])

    def planner(records: Records) -> list[Plan]:
        return plan_all(records, goals, params["purge"])

    return reconcile(store, planner, params["wait_timeout"], task.check_mode, params["concurrency"])


def _read_goals(task: Task, resource: Resource, validator: ArgumentSpecValidator) -> list[Goal]:
    """The goals of all items; BadList with every item that cannot be meant."""
    goals, problems = [], []
    update_create_only = task.params["create_only_changes"] == "update"
    for number, item in enumerate(task.params[resource.plural]):
        try:
            goals.append(read_goal(resource, _checked(item, validator), update_create_only))
        except ConsoleError as error:
            problems.append(Problem(item.get(resource.key.name) or f"item {number}", str(error)))
    if task.params["purge"] and not any(goal.present for goal in goals):
        problems.append(Problem("purge", "With no item that is present, purge would delete everything."))
    if problems:
        raise BadList(resource.noun, problems)
    return goals


def _checked(item: Mapping[str, Any], validator: ArgumentSpecValidator) -> Mapping[str, Any]:
    """The options of an item as Ansible understands those of a module; ConsoleError with all that is wrong with them."""
    result = validator.validate(item)
    problems = [
        f"there is no option {error.msg}" if isinstance(error, UnsupportedError) else error.msg
        for error in result.errors.errors
    ]
    if problems:
        raise ConsoleError(" ".join(f"{problem.rstrip('.')}." for problem in problems))
    checked: Mapping[str, Any] = result.validated_parameters
    return checked


def _told(results: list[Result], items: int) -> dict[str, Any]:
    """Keys of what was done, the count of items that needed nothing, and what failed."""
    told = copy.deepcopy(_NOTHING_DONE)
    for result in results:
        told["changed"] = told["changed"] or result.changed
        if result.shows:
            told[_DONE[result.plan.action]].append(result.plan.key)
        if result.error:
            told["errors"].append({"key": result.plan.key, "msg": str(result.error)})
        elif not result.changed:
            told["unchanged"] += 1
    # Without results the volume is gone, and with it all that the items want gone.
    told["unchanged"] = told["unchanged"] if results else items
    return told


def _diff(results: list[Result]) -> dict[str, dict[str, Any]]:
    """What differs, by key: the managed fields before and after, of what was done."""
    before, after = {}, {}
    for result in results:
        if result.shows:
            plan = result.plan
            if plan.before:
                before[plan.key_before] = plan.before
            now = managed_fields(plan.resource, result.record or {}) if result.error else plan.after
            if now:
                after[plan.key] = now
    return {"before": before, "after": after}


def _warn(task: Task, resource: Resource, results: list[Result]) -> list[str]:
    """Give one warning of each kind, and the names of the fields that could not be verified."""
    unverified = sorted({name for result in results for name in result.unverified})
    if unverified:
        task.warn(not_shown(unverified, f"some {resource.plural}"))
    put_back = sorted({name for result in results for name in result.put_back})
    if put_back:
        task.warn(was_put_back(put_back, f"some {resource.plural}"))
    return unverified
