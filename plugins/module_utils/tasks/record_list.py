# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for a list: one read, a plan for each item, the writes side by side, one read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.errors import UnsupportedError

from ..api.store import Store
from ..api.volumes import find_volume
from ..connection import check_number
from ..errors import ConsoleError
from ..model.batch import Problem, invalid_items, plan_all
from ..model.comparison import managed_fields
from ..model.goal import Goal, read_goal
from ..model.plan import CREATE, DELETE, UPDATE, Plan
from ..model.records import Records
from ..model.resources import Resource
from ..model.selection import record_key
from ..module import Task, run_module
from ..options import item_options, list_options
from ..reconcile.history import Outcome
from ..reconcile.reconcile import reconcile
from .outcomes import MAX_WAIT, warn_of

_DONE = {CREATE: "created", UPDATE: "updated", DELETE: "deleted"}
_MAX_CONCURRENCY = 32


def manage_list(resource: Resource) -> NoReturn:
    """Run the module that manages a list of records of a resource."""
    run_module(list_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring the records of a volume to what the items want, and return the task's result."""
    try:
        outcomes = _reconcile(task, resource)
    except ConsoleError as error:
        error.details = {**_summary([], 0), **error.details}
        raise
    result = _summary(outcomes, len(task.params[resource.plural]))
    unverified = warn_of(outcomes, f"some {resource.plural}", task.warn)
    if unverified:
        result["unverified"] = unverified
    if task.diff_mode:
        result["diff"] = _diff(outcomes)
    errors = [outcome.error for outcome in outcomes if outcome.error]
    if errors:
        message = (
            f"{len(errors)} of {len(outcomes)} {resource.plural} failed; errors lists them all. The first: {errors[0]}"
        )
        raise ConsoleError(message, **{**errors[0].details, **result})
    return result


def _reconcile(task: Task, resource: Resource) -> list[Outcome]:
    params = task.params
    check_number("concurrency", params["concurrency"], 1, _MAX_CONCURRENCY)
    check_number("wait_timeout", params["wait_timeout"], 0, MAX_WAIT)
    goals = _read_goals(task, resource)
    volume = find_volume(task.client, params, required=any(goal.present for goal in goals))
    if volume is None:
        return []
    store = Store(task.client, resource, volume["id"])

    def planner(records: Records) -> list[Plan]:
        return plan_all(records, goals, params["purge"])

    return reconcile(store, planner, params["wait_timeout"], task.check_mode, params["concurrency"])


def _read_goals(task: Task, resource: Resource) -> list[Goal]:
    """Return the goals of all items; ConsoleError with every item that is invalid."""
    goals: list[Goal] = []
    problems: list[Problem] = []
    validator = ArgumentSpecValidator(item_options(resource))
    update_create_only = task.params.get("create_only_changes") == "update"
    for number, item in enumerate(task.params[resource.plural]):
        try:
            goals.append(read_goal(resource, _validate(item, validator), update_create_only))
        except ConsoleError as error:
            key = item.get(resource.key.name) if resource.key else None
            problems.append((key or f"item {number}", str(error)))
    if task.params["purge"] and not any(goal.present for goal in goals):
        problems.append(("purge", "With no item that is present, purge would delete everything."))
    if problems:
        raise invalid_items(problems)
    return goals


def _validate(item: Mapping[str, Any], validator: ArgumentSpecValidator) -> Mapping[str, Any]:
    """Return the options of an item as Ansible reads those of a module; ConsoleError with all that is wrong."""
    result = validator.validate(item)
    problems = [
        f"there is no option {error.msg}" if isinstance(error, UnsupportedError) else error.msg
        for error in result.errors.errors
    ]
    if problems:
        raise ConsoleError(" ".join(f"{problem.rstrip('.')}." for problem in problems))
    options: Mapping[str, Any] = result.validated_parameters
    return options


def _summary(outcomes: list[Outcome], items: int) -> dict[str, Any]:
    """Return the keys of what was done, the number of items that needed nothing, and what failed."""
    # Without outcomes the volume is gone, and with it all that the items want gone.
    unchanged = sum(not outcome.changed and not outcome.error for outcome in outcomes) if outcomes else items
    result: dict[str, Any] = {
        "changed": any(outcome.changed for outcome in outcomes),
        "created": [],
        "updated": [],
        "deleted": [],
        "unchanged": unchanged,
        "errors": [],
    }
    for outcome in outcomes:
        if outcome.changed and outcome.is_seen:
            result[_DONE[outcome.plan.action]].append(outcome.plan.result_key)
        if outcome.error:
            result["errors"].append({"key": outcome.plan.result_key, "msg": str(outcome.error)})
    return result


def _diff(outcomes: list[Outcome]) -> dict[str, dict[str, Any]]:
    """Return what differs, by key: the managed fields before and after, of what was done."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for outcome in outcomes:
        plan = outcome.plan
        if not (outcome.changed and outcome.is_seen):
            continue
        now = managed_fields(plan.resource, outcome.record) if outcome.error else plan.after
        if plan.current:
            before[_free_key(before, record_key(plan.resource, plan.current), plan)] = plan.before
        if now:
            after[_free_key(after, plan.result_key, plan)] = now
    return {"before": before, "after": after}


def _free_key(taken: Mapping[str, Any], key: str, plan: Plan) -> str:
    """Return a key of a diff under which no record is shown yet: several may have the same natural key."""
    return f"{key} (id {plan.current['id']})" if key in taken and plan.current else key
