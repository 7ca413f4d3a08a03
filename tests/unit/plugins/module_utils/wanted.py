# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Goals and actions in few words, for the tests of plans and writes."""

from __future__ import annotations

from functools import partial
from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.model import resources
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action, plan_action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records


def wanted(resource: resources.Resource, *, present: bool = True, id: int | None = None, **values: Any) -> Goal:  # noqa: A002
    return Goal(resource, present, values, id)


volume, export, quota = (
    partial(wanted, resource) for resource in (resources.VOLUME, resources.EXPORT, resources.QUOTA)
)


def plan(records: list[Record], goal: Goal) -> Action:
    return plan_action(Records(goal.resource, records), goal)
