# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for a list: one read, a plan for each item, the writes side by side, one read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.errors import UnsupportedError

from ..connection import check_number
from ..errors import ConsoleError
from ..model.batch import Problem, invalid_items, plan_all
from ..model.goal import Goal, read_goal
from ..model.plan import Plan
from ..model.records import Records, format_value
from ..model.resources import Resource
from ..module import Task, run_module
from ..options import item_options, list_options
from .summary import diff_of, nothing_done, summarize
from .writing import check_wait_timeout, open_store, place, warn_of, write

_MAX_CONCURRENCY = 32


def manage_list(resource: Resource) -> NoReturn:
    """Run the module that manages a list of records of a resource."""
    run_module(list_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring the records of a volume to what the items want, and return the task's result."""
    params = task.params
    try:
        check_number("concurrency", params["concurrency"], 1, _MAX_CONCURRENCY)
        check_wait_timeout(task)
        goals = _read_goals(task, resource)
        store = open_store(task, resource, needs_volume=any(goal.present for goal in goals))

        def planner(records: Records) -> list[Plan]:
            return plan_all(records, goals, params["purge"])

        outcomes = write(task, resource, store, planner, params["concurrency"])
    except ConsoleError as error:
        error.details = nothing_done(error.details)
        raise
    subject = f"{resource.plural}{place(task, store)}"
    result = summarize(outcomes, subject)
    unverified = warn_of(outcomes, f"some {resource.plural}", task.warn)
    if unverified:
        result["unverified"] = unverified
    if task.diff_mode:
        result["diff"] = diff_of(outcomes, subject)
    errors = [outcome.error for outcome in outcomes if outcome.error]
    if errors:
        message = f"{result.pop('msg')}. The first error: {errors[0]}"
        raise ConsoleError(message, **{**errors[0].details, **result})
    return result


def _read_goals(task: Task, resource: Resource) -> list[Goal]:
    """Return the goals of all items; ConsoleError with every item that is invalid."""
    goals: list[Goal] = []
    problems: list[Problem] = []
    validator = ArgumentSpecValidator(item_options(resource))
    update_create_only = task.params.get("create_only_changes") == "update"
    for position, item in enumerate(task.params[resource.plural], start=1):
        key = item.get(resource.key.name) if resource.key else None
        name = f"item {position}" + (f" ({format_value(key)})" if key else "")
        try:
            goal = read_goal(resource, _validate(item, validator), update_create_only)
        except ConsoleError as error:
            problems.append((str(key or f"item {position}"), name, str(error)))
        else:
            goals.append(goal._replace(name=name))
    if task.params["purge"] and not any(goal.present for goal in goals):
        problems.append(("purge", "purge", "with no item that is present, it would delete everything."))
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
