# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What follows from the requests and readings of a write, as tables: what was found and changed."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write import Outcome
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    NOT_SENT,
    Event,
    plan_export,
    refused,
    write_of,
)

WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
UPDATE = plan_export([WEB], desc="web", iprange="*", readonly=True)
DELETE = plan_export([WEB], present=False, desc="web")
ERROR = ConsoleError("something went wrong")


SHOWS_CHANGE: dict[str, tuple[Any, ...]] = {
    "create, not read": (CREATE, [], False),
    "created": (CREATE, [[WEB]], True),
    "not created": (CREATE, [[]], False),
    "the last reading counts": (CREATE, [[WEB], []], False),
    "update, not read": (UPDATE, [], False),
    "updated": (UPDATE, [[{**WEB, "iprange": "*"}]], True),
    "not updated": (UPDATE, [[WEB]], False),
    "another token": (UPDATE, [[{**WEB, "token": "new"}]], False),
    "updated otherwise": (UPDATE, [[{**WEB, "readonly": True}]], True),
    "no longer shown": (UPDATE, [[{"id": 1, "desc": "web"}]], False),
    "gone": (UPDATE, [[]], True),
    "delete, not read": (DELETE, [], False),
    "deleted": (DELETE, [[]], True),
    "not deleted": (DELETE, [[WEB]], False),
}


@pytest.mark.parametrize(("action", "readings", "shows_change"), SHOWS_CHANGE.values(), ids=SHOWS_CHANGE)
def test_shows_change(action: Action, readings: list[list[Record]], shows_change: bool) -> None:
    assert write_of(action, [(0, ACCEPTED), *((1, reading) for reading in readings)]).shows_change is shows_change


# Before the list is read, what the last requests may have done.
NOT_READ: dict[str, tuple[Any, ...]] = {
    "nothing sent": (CREATE, [], None, False),
    "accepted": (CREATE, [(0, ACCEPTED)], None, True),
    "refused": (CREATE, [(0, refused(400))], None, False),
    "not sent": (DELETE, [(0, NOT_SENT)], WEB, False),
    "ignored, read, refused": (UPDATE, [(0, ACCEPTED), (1, [WEB]), (2, refused(400))], WEB, True),
}


@pytest.mark.parametrize(("action", "timeline", "record", "changed"), NOT_READ.values(), ids=NOT_READ)
def test_fail(action: Action, timeline: list[Event], record: Record | None, changed: bool) -> None:
    outcome = write_of(action, timeline).fail(ERROR)
    assert outcome == Outcome(action, record, changed, ERROR, action.unverified, (), is_seen=False)
