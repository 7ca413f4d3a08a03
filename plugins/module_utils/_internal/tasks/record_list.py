# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for a list: one read, a plan for each item, the writes side by side, one read back."""

from __future__ import annotations

from typing import Any, NoReturn

from ..errors import ConsoleError
from ..model.batch import plan_all
from ..model.goal import Goal
from ..model.plan import Plan
from ..model.problems import Problem, invalid_items
from ..model.records import Records
from ..model.resources import Resource
from ..module import Task, run_module
from ..options import list_options
from .diff import Diff
from .items import find_problems, read_items
from .summary import nothing_done, raise_first_error, summarize
from .writing import check_concurrency, check_wait_timeout, open_store, place, warn_of, warn_of_goals, write


def manage_list(resource: Resource) -> NoReturn:
    """Run the module that manages a list of records of a resource."""
    run_module(list_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring the records of a volume to what the items want, and return the task's result."""
    params = task.params
    try:
        check_concurrency(task)
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
        diff = Diff(subject)
        for outcome in outcomes:
            diff.add(outcome)
        result["diff"] = diff.to_result()
    raise_first_error(result, outcomes)
    return result


def _read_goals(task: Task, resource: Resource) -> list[Goal]:
    """Return the goals of all items; ConsoleError with every item that is invalid."""
    update_create_only = task.params.get("create_only_changes") == "update"
    items = read_items(resource, task.params[resource.plural], update_create_only)
    goals, problems = items.goals, find_problems(resource, items)
    if task.params["purge"] and not any(goal.present for goal in goals):
        problems.append(Problem("purge", "purge", "no item is present, so it would delete everything."))
    if problems:
        raise invalid_items(problems)
    warn_of_goals(task, goals)
    return goals
