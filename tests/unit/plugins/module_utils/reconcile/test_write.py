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
    BROKEN,
    LOST,
    MAY_STILL,
    NOT_SENT,
    REDIRECTED,
    Event,
    plan_export,
    refused,
    write_of,
)

WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
TWIN = {**WEB, "id": 2}
AFTER = {**WEB, "iprange": "*"}
BARE = {"id": 1, "desc": "web"}
OLD = {**WEB, "id": 8, "desc": "old"}
RENAMED = {**WEB, "desc": "www"}
CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
UPDATE = plan_export([WEB], desc="web", iprange="*", readonly=True)
RENAME = plan_export([WEB], id=1, desc="www")
DELETE = plan_export([WEB], present=False, desc="web")
ERROR = ConsoleError("something went wrong")


@pytest.mark.parametrize(
    ("action", "readings", "shows_change"),
    [
        pytest.param(CREATE, [], False, id="create, not read"),
        pytest.param(CREATE, [[WEB]], True, id="created"),
        pytest.param(CREATE, [[]], False, id="not created"),
        pytest.param(CREATE, [[WEB], []], False, id="the last reading counts"),
        pytest.param(UPDATE, [], False, id="update, not read"),
        pytest.param(UPDATE, [[AFTER]], True, id="updated"),
        pytest.param(UPDATE, [[WEB]], False, id="not updated"),
        pytest.param(UPDATE, [[{**WEB, "token": "new"}]], False, id="another token"),
        pytest.param(UPDATE, [[{**WEB, "readonly": True}]], True, id="updated otherwise"),
        pytest.param(UPDATE, [[BARE]], False, id="no longer shown"),
        pytest.param(UPDATE, [[]], True, id="gone"),
        pytest.param(DELETE, [], False, id="delete, not read"),
        pytest.param(DELETE, [[]], True, id="deleted"),
        pytest.param(DELETE, [[WEB]], False, id="not deleted"),
    ],
)
def test_shows_change(action: Action, readings: list[list[Record]], shows_change: bool) -> None:
    assert write_of(action, [(0, ACCEPTED), *((1, reading) for reading in readings)]).shows_change is shows_change


AGREES: dict[str, tuple[Any, ...]] = {
    "no reading": ([(0, LOST)], 2.9, False),
    "one reading": ([(0, LOST), (1, [WEB])], 2.9, False),
    "two readings that agree": ([(0, LOST), (1, [WEB]), (2, [WEB])], 2, True),
    "two readings that agree on what is of concern": ([(0, LOST), (1, [WEB, OLD]), (2, [WEB])], 2, True),
    "two readings that show nothing": ([(0, LOST), (1, []), (2, [])], 2, True),
    "two readings that differ": ([(0, LOST), (1, []), (2, [WEB])], 2, False),
    "not in a row": ([(0, LOST), (1, [WEB]), (1, []), (2, [WEB])], 2, False),
    "the last two agree": ([(0, LOST), (1, []), (1, [WEB]), (2, [WEB])], 2, True),
    "one before the last request": ([(0, LOST), (1, [WEB]), (1, LOST), (2, [WEB])], 2, False),
    "one reading, late": ([(1, LOST), (2, [WEB])], 4, True),
    "two readings that differ, late": ([(1, LOST), (2, []), (3, [WEB])], 4, True),
}


@pytest.mark.parametrize(("timeline", "time", "agrees"), AGREES.values(), ids=AGREES)
def test_agrees(timeline: list[Event], time: float, agrees: bool) -> None:
    assert write_of(CREATE, timeline).agrees(time) is agrees


@pytest.mark.parametrize(
    ("action", "timeline", "record", "changed", "is_seen"),
    [
        # What the list shows counts, once it was read.
        pytest.param(CREATE, [(0, ACCEPTED), (1, [WEB, TWIN])], WEB, True, True, id="created"),
        pytest.param(CREATE, [(0, ACCEPTED), (1, [])], None, False, False, id="not created"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [AFTER])], AFTER, True, True, id="updated"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [WEB])], WEB, False, False, id="not updated"),
        pytest.param(UPDATE, [(0, LOST), (1, [])], None, True, True, id="gone"),
        pytest.param(UPDATE, [(0, refused(403)), (1, [AFTER])], AFTER, False, True, id="refused, updated by others"),
        pytest.param(DELETE, [(0, LOST), (1, [])], None, True, True, id="deleted"),
        pytest.param(DELETE, [(0, ACCEPTED), (1, [WEB])], WEB, False, False, id="not deleted"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [BARE])], BARE, False, False, id="no longer shown"),
        # Before it is read, what the last requests may have done.
        pytest.param(CREATE, [], None, False, False, id="nothing sent"),
        pytest.param(CREATE, [(0, ACCEPTED)], None, True, False, id="accepted, not read"),
        pytest.param(CREATE, [(0, refused(400))], None, False, False, id="refused, not read"),
        pytest.param(DELETE, [(0, NOT_SENT)], WEB, False, False, id="not sent, not read"),
        pytest.param(
            UPDATE, [(0, ACCEPTED), (1, [WEB]), (2, refused(400))], WEB, True, False, id="ignored, read, refused"
        ),
    ],
)
def test_fail(action: Action, timeline: list[Event], record: Record | None, changed: bool, is_seen: bool) -> None:
    outcome = write_of(action, timeline).fail(ERROR)
    assert outcome == Outcome(action, record, changed, ERROR, action.unverified, (), is_seen)


@pytest.mark.parametrize(
    ("action", "timeline"),
    [
        pytest.param(CREATE, [(0, LOST)], id="lost, not read"),
        pytest.param(CREATE, [(0, LOST), (1, [])], id="not created"),
        pytest.param(CREATE, [(0, LOST), (1, []), (2, refused(400)), (3, [])], id="not created, refused"),
        pytest.param(DELETE, [(0, BROKEN), (1, [WEB])], id="not deleted"),
        pytest.param(UPDATE, [(0, LOST), (1, [WEB]), (2, refused(400))], id="lost, read, refused"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [WEB]), (2, LOST)], id="ignored, read, lost"),
    ],
)
def test_what_was_lost_and_does_not_show_may_still_be_carried_out(action: Action, timeline: list[Event]) -> None:
    outcome = write_of(action, timeline).fail(ERROR)
    assert (outcome.changed, outcome.is_seen) == (True, False)
    assert str(outcome.error) == f"{ERROR}. {MAY_STILL}"


def test_what_was_redirected_was_not_lost() -> None:
    assert write_of(DELETE, [(0, REDIRECTED), (1, [WEB])]).fail(ERROR).changed is False
