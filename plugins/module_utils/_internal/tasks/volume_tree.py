# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of the module for a whole console: volumes, and the lists below them, as one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ..errors import ConsoleError
from ..model.batch import distinct_keys
from ..model.goal import Goal
from ..model.plan import DELETE
from ..model.problems import invalid_items
from ..model.resources import LISTS_OF_VOLUME, VOLUME
from ..module import Task, run_module
from ..options import tree_options
from ..reconcile.history import Outcome
from ..reconcile.volume_tree import VolumeTree
from .diff import Diff
from .items import find_problems, read_tree
from .summary import Entry, nothing_done_in_tree, raise_first_error, summarize_tree
from .writing import check_concurrency, check_wait_timeout, lists_below, warn_of, warn_of_goals

_PLURALS = [resource.plural for resource in (VOLUME, *LISTS_OF_VOLUME)]


def manage_volumes() -> NoReturn:
    """Run the module that manages volumes with the lists below them."""
    run_module(tree_options(), _manage)


def _manage(task: Task) -> dict[str, Any]:
    """Bring volumes and their lists to what the items want, and return the task's result."""
    params = task.params
    try:
        check_concurrency(task)
        check_wait_timeout(task)
        tree = VolumeTree(task.client, params["concurrency"])
        tree.plan(_read_goals(task), params["purge"])
    except ConsoleError as error:
        error.details = nothing_done_in_tree(error.details, _PLURALS)
        raise
    below = _below_deleted(task, tree)
    if not task.check_mode:
        tree.carry_out(params["wait"], params["wait_timeout"])
    return _to_result(task, tree, below)


def _read_goals(task: Task) -> list[Goal]:
    """Return the goals of all items; ConsoleError with every item that is invalid."""
    items = read_tree(task.params["volumes"], task.params["create_only_changes"] == "update")
    problems = find_problems(VOLUME, items)
    if problems:
        raise invalid_items(problems)
    warn_of_goals(task, items.goals)
    return items.goals


def _below_deleted(task: Task, tree: VolumeTree) -> dict[int, dict[str, Any]]:
    """Return what goes with volumes that are deleted, for the diff."""
    deleted = [branch.plan for branch in tree.branches if branch.plan.action is DELETE]
    return {id(plan): lists_below(task, plan) for plan in deleted}


def _to_result(task: Task, tree: VolumeTree, below: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    entries: dict[str, list[Entry]] = {plural: [] for plural in _PLURALS}
    diff = Diff("volumes")
    for branch, name in zip(tree.branches, distinct_keys(branch.plan for branch in tree.branches)):
        entries["volumes"].append(Entry(branch.outcome, name, "volumes"))
        diff.add(branch.outcome, key=name, below=below.get(id(branch.plan), {}))
        for child in branch.lists:
            plural = child.resource.plural
            if child.error and not child.goals:
                # There is no item to tell it of.
                failed = Outcome(branch.plan, None, False, child.error)
                entries[plural].append(Entry(failed, name, plural))
            for outcome in child.outcomes(task.check_mode):
                entries[plural].append(Entry(outcome, name, plural))
                diff.add(outcome, (name, plural))
    result = summarize_tree(entries)
    result.update(_unverified(task, entries))
    if task.diff_mode:
        result["diff"] = diff.to_result()
    raise_first_error(result, [entry.outcome for plural in _PLURALS for entry in entries[plural]])
    return result


def _unverified(task: Task, entries: Mapping[str, list[Entry]]) -> dict[str, Any]:
    """Warn of fields that the console does not show or has reset; return the names of the former, by kind."""
    found = {
        plural: warn_of([entry.outcome for entry in entries[plural]], f"some {plural}", task.warn)
        for plural in _PLURALS
    }
    unverified = {plural: names for plural, names in found.items() if names}
    return {"unverified": unverified} if unverified else {}
