# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of a module for many records: one list, or volumes with the lists below them."""

from __future__ import annotations

from typing import Any

from ..api.volumes import open_list, volume_of
from ..changes.approval import make_plan, read_terms
from ..changes.entries import list_entries
from ..changes.result import changes_of, empty_result, list_result, list_unmanaged, lists_of, raise_first_error
from ..errors import ConsoleError, invalid_items
from ..model.records import PatternsByKind, read_ignored, read_only, read_patterns
from ..model.resources import QUOTA, Resource
from ..model.section import Section, list_warnings
from ..options import check_numbers, list_options
from ..reconcile.sections import plan_sections, write_sections
from ..task import Operation, Task
from .items import find_problems, read_items


def list_operation(resource: Resource) -> Operation:
    """Return the operation of the module that manages a list of records, for volumes with the lists below them."""
    return Operation(list_options(resource), lambda task: _manage(task, resource), empty_result(resource, {}))


def _manage(task: Task, resource: Resource) -> dict[str, Any]:
    """Bring a list, and the lists below it, to the wanted state, and return the task's result."""
    params = task.params
    purge = [resource.plural] if params["purge"] is True else params["purge"] or []
    try:
        terms = read_terms(params)
        patterns = _read_patterns(resource, params["ignore"])
        check_numbers(params)
        items = read_items(resource, params[resource.plural], params.get("create_only_changes") == "update", patterns)
        if problems := find_problems(resource, items):
            raise invalid_items(problems)
        is_needed = any(goal.present for goal in items.goals)
        if store := open_list(task.client, resource, params, is_needed, task.check_mode):
            store.patterns = patterns
        root = Section(resource, items.goals, purge, store, volume_of(params, store))
        plan_sections(root, params["concurrency"], read_only(params))
        plan = make_plan(root, terms, task.client.settings.address, task.client.echoes)
    except ConsoleError as error:
        error.details = empty_result(resource, error.details)
        raise
    if not (task.check_mode or plan.refusal):
        write_sections(root, params.get("wait", False), params["wait_timeout"], params["concurrency"])
    lists = lists_of(root)
    for kind, sections in lists.items():
        task.warn(*list_warnings([each.outcome for each in changes_of(sections)], f"some {kind or resource.plural}"))
    result = list_result(lists, list_entries(root), f"{resource.plural}{root.of_volume}", task.diff_mode)
    result |= {"plan_checksum": plan.checksum, **list_unmanaged(root)}
    if resource is QUOTA:
        del result["unmanaged_open"]
    plan.raise_refusal(result)
    raise_first_error(result, lists)
    return result


def _read_patterns(resource: Resource, ignore: Any) -> PatternsByKind:
    """Return the patterns of what is ignored, by the names of lists."""
    return {resource.plural: read_patterns(resource, ignore)} if resource.is_in_volume else read_ignored(ignore)
