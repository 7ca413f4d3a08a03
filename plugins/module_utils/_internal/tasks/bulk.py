# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for many records: one list, or volumes with the lists below them."""

from __future__ import annotations

from typing import Any, NoReturn

from ..api.volumes import open_list, whose_list
from ..errors import ConsoleError
from ..model.goals import Goal, list_doubts
from ..model.problems import Problem, invalid_items
from ..model.resources import Resource
from ..module import Task, run_module
from ..options import check_numbers, list_options
from ..reconcile.section import Section, keys_below, plan_sections, write_sections
from ..reconcile.write import list_warnings
from .items import find_problems, read_items
from .results import empty_result, list_entries, list_result, raise_first_error


def manage_list(resource: Resource) -> NoReturn:
    """Run the module that manages a list of records of a resource, and of volumes the lists below them."""
    run_module(list_options(resource), lambda task: _manage(task, resource))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring a list, and the lists below it, to what the items want, and return the task's result."""
    params = task.params
    purge = [resource.plural] if params["purge"] is True else params["purge"] or []
    try:
        goals = _read_goals(task, resource, resource.plural in purge)
        store = open_list(task.client, resource, params, any(goal.present for goal in goals), task.check_mode)
        root = Section(resource, goals, purge, store)
        plan_sections(root, params["concurrency"])
    except ConsoleError as error:
        error.details = empty_result(resource, error.details)
        raise
    below = {id(action): keys_below(root, action) for action in root.actions} if task.diff_mode else {}
    if not task.check_mode:
        write_sections(root, params.get("wait", False), params["wait_timeout"], params["concurrency"])
    lists = list_entries(root, below)
    for kind, entries in lists.items():
        task.warn(*list_warnings([entry.outcome for entry in entries], f"some {kind or resource.plural}"))
    result = list_result(lists, f"{resource.plural}{whose_list(params, store)}", task.diff_mode)
    raise_first_error(result, lists)
    return result


def _read_goals(task: Task, resource: Resource, purge: bool) -> list[Goal]:
    """Return the goals of all items; ConsoleError with every item that is invalid."""
    params = task.params
    check_numbers(params)
    items = read_items(resource, params[resource.plural], params.get("create_only_changes") == "update")
    problems = find_problems(resource, items)
    if purge and not any(goal.present for goal in items.goals):
        problems.append(Problem("purge", "purge", "no item is present, so it would delete everything."))
    if problems:
        raise invalid_items(problems)
    task.warn(*list_doubts(items.goals))
    return items.goals
