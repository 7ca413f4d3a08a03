# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Outcomes of plans for quotas, for the tests of what results say of them."""

from __future__ import annotations

from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Plan, make_plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome

HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}
SUBJECT = "quotas of volume 'v'"


def plan_quota(record: dict[str, Any] | None = None, *, present: bool = True, **values: Any) -> Plan:
    """Return the plan for one quota, which is there or not."""
    identity = record["id"] if record else None
    return make_plan(Records(QUOTA, [record] if record else []), Goal(present, values, identity))


CREATE = plan_quota(path="/new", size=1024)
UPDATE = plan_quota(HOME, size=2048)
RENAME = plan_quota(HOME, path="/b")
DELETE = plan_quota(HOME, present=False)
KEEP = plan_quota(HOME, size=1024)
UPDATED = {**HOME, "size": 2048}

CREATED_ONE = Outcome(CREATE, {"id": 9, "path": "/new", "size": 1024}, True)
UPDATED_ONE = Outcome(UPDATE, UPDATED, True)
DELETED_ONE = Outcome(DELETE, None, True)
KEPT_ONE = Outcome(KEEP, HOME, False)
REFUSED = RequestError("POST", "/quotas", "no room", 400)
FAILED_ONE = Outcome(CREATE, None, False, REFUSED)


def creations(number: int, size: int) -> list[Outcome]:
    """Return the outcomes of creations, each with a key of so many characters."""
    plans = [plan_quota(path="/" + f"{position:05}".rjust(size - 1, "x"), size=1) for position in range(number)]
    return [Outcome(plan, dict(plan.body), True) for plan in plans]


def deletions(number: int, size: int) -> list[Outcome]:
    """Return the outcomes of deletions, each of a key of so many characters."""
    return [
        Outcome(plan_quota({"id": position, "path": "/" + "x" * (size - 1)}, present=False), None, True)
        for position in range(number)
    ]
