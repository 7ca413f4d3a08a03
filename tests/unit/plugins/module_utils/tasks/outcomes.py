# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Outcomes of actions for quotas, for the tests of what results say of them."""

from __future__ import annotations

from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import QUOTA
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write import Outcome
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import plan, wanted

HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}
SUBJECT = "quotas of volume 'v'"


def plan_quota(record: Record | None = None, **goal: Any) -> Action:
    """Return what is done about one quota, which is there or not."""
    return plan([record] if record else [], wanted(QUOTA, id=record["id"] if record else None, **goal))


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
    actions = [plan_quota(path="/" + f"{position:05}".rjust(size - 1, "x"), size=1) for position in range(number)]
    return [Outcome(action, dict(action.body), True) for action in actions]


def deletions(number: int, size: int) -> list[Outcome]:
    """Return the outcomes of deletions, each of a key of so many characters."""
    return [
        Outcome(plan_quota({"id": position, "path": "/" + "x" * (size - 1)}, present=False), None, True)
        for position in range(number)
    ]


def failures(messages: list[str]) -> list[Outcome]:
    """Return the outcomes of creations that failed with these messages."""
    return [
        Outcome(plan_quota(path=f"/{number}", size=1), None, False, ConsoleError(message))
        for number, message in enumerate(messages)
    ]
