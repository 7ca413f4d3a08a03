# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tasks of the modules for many records: one list, or volumes with the lists below them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, NoReturn

from ..api.lists import Store
from ..api.volumes import open_list, whose_list
from ..errors import ConsoleError
from ..model.goals import Goal, list_doubts
from ..model.problems import Problem, invalid_items
from ..model.resources import VOLUME, Resource
from ..module import Task, run_module
from ..options import check_numbers, list_options, tree_options
from ..reconcile.section import Section, keys_below, plan_sections, write_sections
from ..reconcile.write import list_unverified, list_warnings
from .items import find_problems, read_items
from .results import (
    Entry,
    empty_list_result,
    empty_volumes_result,
    list_entries,
    list_result,
    raise_first_error,
    volume_entries,
    volumes_result,
)


def manage_list(resource: Resource) -> NoReturn:
    """Run the module that manages a list of records of a resource."""
    run_module(list_options(resource), lambda task: _manage_list(task, resource))


def manage_volumes() -> NoReturn:
    """Run the module that manages volumes with the lists below them."""
    run_module(tree_options(), _manage_volumes)


def _manage_list(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring the records of a volume to what the items want, and return the task's result."""
    params = task.params
    try:
        goals = _read_goals(task, resource, params["purge"])
        is_any_present = any(goal.present for goal in goals)
        store = open_list(task.client, resource, params, is_any_present, task.check_mode)
        section = Section(resource, goals, [resource.plural] if params["purge"] else [], store)
        plan_sections(section, params["concurrency"])
    except ConsoleError as error:
        error.details = empty_list_result(error.details)
        raise
    _write(task, section)
    entries = list_entries(section)
    result = list_result(entries, f"{resource.plural}{whose_list(params, store)}", task.diff_mode)
    unverified = _warn(task, entries, resource.plural)
    return _to_result(result, unverified, entries)


def _manage_volumes(task: Task) -> dict[str, Any]:
    """Bring volumes and their lists to what the items want, and return the task's result."""
    params = task.params
    try:
        root = Section(VOLUME, _read_goals(task, VOLUME), params["purge"], Store(task.client, VOLUME))
        plan_sections(root, params["concurrency"])
    except ConsoleError as error:
        error.details = empty_volumes_result(error.details)
        raise
    below = {id(action): keys_below(root, action) for action in root.actions} if task.diff_mode else {}
    _write(task, root)
    lists = volume_entries(root, below)
    result = volumes_result(lists, task.diff_mode)
    unverified = {kind: _warn(task, entries, kind) for kind, entries in lists.items()}
    return _to_result(result, {kind: names for kind, names in unverified.items() if names}, chain(*lists.values()))


def _read_goals(task: Task, resource: Resource, purge: bool = False) -> list[Goal]:
    """Return the goals of all items; ConsoleError with every item that is invalid."""
    params = task.params
    check_numbers(params)
    items = read_items(resource, params[resource.plural], params.get("create_only_changes") == "update")
    problems = find_problems(resource, items)
    if purge and not any(goal.present for goal in items.goals):
        problems.append(Problem("purge", "purge", "no item is present, so it would delete everything."))
    if problems:
        raise invalid_items(problems)
    for doubt in list_doubts(items.goals):
        task.warn(doubt)
    return items.goals


def _write(task: Task, section: Section) -> None:
    if not task.check_mode:
        write_sections(section, task.params.get("wait", False), task.params["wait_timeout"], task.params["concurrency"])


def _warn(task: Task, entries: Iterable[Entry], plural: str) -> list[str]:
    """Warn once of each kind of thing, and return the names of the fields that could not be verified."""
    outcomes = [entry.outcome for entry in entries]
    for warning in list_warnings(outcomes, f"some {plural}"):
        task.warn(warning)
    return list_unverified(outcomes)


def _to_result(result: dict[str, Any], unverified: Any, entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the result of a task; ConsoleError where anything failed."""
    result.update({"unverified": unverified} if unverified else {})
    raise_first_error(result, [entry.outcome for entry in entries])
    return result
