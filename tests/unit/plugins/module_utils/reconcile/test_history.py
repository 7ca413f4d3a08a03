# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the history of a write tells, as tables: what was found, whether anything changed, how long it was watched."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils.model.plan import Plan
from ansible_collections.managedfs.console.plugins.module_utils.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils.reconcile.history import Outcome
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    BROKEN,
    LOST,
    NOT_SENT,
    RATE_LIMITED,
    End,
    Event,
    history_of,
    plan_export,
    refused,
)

WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
TWIN = {**WEB, "id": 2}
AFTER = {**WEB, "iprange": "*"}
CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
UPDATE = plan_export([WEB], desc="web", iprange="*", readonly=True)
DELETE = plan_export([WEB], present=False, desc="web")
ERROR = ConsoleError("something went wrong")


@pytest.mark.parametrize(
    ("end", "is_accepted", "maybe_applied"),
    [
        pytest.param(ACCEPTED, True, True, id="accepted"),
        pytest.param(LOST, False, True, id="lost"),
        pytest.param(BROKEN, False, True, id="broken"),
        pytest.param(refused(400), False, False, id="refused"),
        pytest.param(refused(404, after_loss=True), False, True, id="refused after a loss"),
        pytest.param(RATE_LIMITED, False, False, id="rate-limited"),
        pytest.param(NOT_SENT, False, False, id="not sent"),
    ],
)
def test_request(end: End, is_accepted: bool, maybe_applied: bool) -> None:
    request = history_of(CREATE, [], [(2, end)]).last
    assert (request.is_accepted, request.maybe_applied) == (is_accepted, maybe_applied)
    assert (request.sent_at, request.status) == (2, end.status)


@pytest.mark.parametrize(
    ("plan", "timeline", "found"),
    [
        pytest.param(CREATE, [(0, ACCEPTED)], [], id="create, before any look"),
        pytest.param(CREATE, [(0, ACCEPTED), (1, [WEB])], [WEB], id="create, by key"),
        pytest.param(CREATE, [(0, ACCEPTED), (1, [WEB, TWIN])], [WEB, TWIN], id="create, two of one key"),
        pytest.param(CREATE, [(0, ACCEPTED), (1, [WEB]), (2, [])], [], id="create, the last look counts"),
        pytest.param(UPDATE, [(0, ACCEPTED)], [WEB], id="update, before any look"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [TWIN, AFTER])], [AFTER], id="update, by id"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [{**AFTER, "id": "1"}])], [{**AFTER, "id": "1"}], id="id as text"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [TWIN])], [], id="update, gone"),
        pytest.param(DELETE, [(0, ACCEPTED)], [WEB], id="delete, before any look"),
        pytest.param(DELETE, [(0, ACCEPTED), (1, [])], [], id="delete, gone"),
    ],
)
def test_found(plan: Plan, timeline: list[Event], found: list[Record]) -> None:
    assert history_of(plan, [], timeline).found == found


@pytest.mark.parametrize(
    ("timeline", "first_seen"),
    [
        pytest.param([(0, ACCEPTED)], None, id="before any look"),
        pytest.param([(0, ACCEPTED), (1, [])], None, id="not seen"),
        pytest.param([(0, ACCEPTED), (1, []), (2, [WEB]), (3, [WEB])], 2, id="seen for some time"),
        pytest.param([(0, ACCEPTED), (1, [WEB]), (2, []), (3, [WEB])], 1, id="gone in between"),
    ],
)
def test_first_seen(timeline: list[Event], first_seen: float | None) -> None:
    assert history_of(CREATE, [], timeline).first_seen == first_seen


def test_the_list_as_it_was_and_as_it_is() -> None:
    history = history_of(CREATE, [TWIN], [(0, ACCEPTED)])
    assert list(history.before) == list(history.now) == [TWIN]
    history = history_of(CREATE, [TWIN], [(0, ACCEPTED), (1, [TWIN, WEB])])
    assert (list(history.before), list(history.now)) == ([TWIN], [TWIN, WEB])


@pytest.mark.parametrize(
    ("plan", "timeline", "is_changed"),
    [
        # What the list shows counts, once it was read.
        pytest.param(CREATE, [(0, ACCEPTED), (1, [WEB])], True, id="created"),
        pytest.param(CREATE, [(0, LOST), (1, [])], False, id="not created"),
        pytest.param(UPDATE, [(0, LOST), (1, [AFTER])], True, id="updated"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [WEB])], False, id="not updated"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [{**WEB, "token": "new"}])], False, id="another token"),
        pytest.param(UPDATE, [(0, LOST), (1, [])], True, id="gone"),
        pytest.param(DELETE, [(0, LOST), (1, [])], True, id="deleted"),
        pytest.param(DELETE, [(0, LOST), (1, [WEB])], False, id="not deleted"),
        # Before it is read, what the requests may have done.
        pytest.param(CREATE, [], False, id="nothing sent"),
        pytest.param(CREATE, [(0, ACCEPTED)], True, id="accepted, not looked at"),
        pytest.param(CREATE, [(0, LOST)], True, id="lost, not looked at"),
        pytest.param(CREATE, [(0, refused(400))], False, id="refused, not looked at"),
        pytest.param(DELETE, [(0, NOT_SENT)], False, id="not sent, not looked at"),
        pytest.param(UPDATE, [(0, LOST), (1, [WEB]), (2, refused(400))], False, id="lost, looked at, refused"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [WEB]), (2, LOST)], True, id="ignored, looked at, lost"),
        pytest.param(UPDATE, [(0, LOST), (1, refused(400))], True, id="lost, refused, not looked at"),
    ],
)
def test_is_changed(plan: Plan, timeline: list[Event], is_changed: bool) -> None:
    before = [plan.current] if plan.current else []
    assert history_of(plan, before, timeline).is_changed is is_changed


@pytest.mark.parametrize(("time", "is_late"), [(0, False), (6.9, False), (7, True), (7.1, True)])
def test_is_late(time: float, is_late: bool) -> None:
    history = history_of(CREATE, [], [(1, LOST), (4, LOST)])
    assert history.is_late(3, time) is is_late


@pytest.mark.parametrize(
    ("plan", "timeline", "record", "changed", "unverified"),
    [
        pytest.param(CREATE, [], None, False, (), id="nothing sent"),
        pytest.param(CREATE, [(0, ACCEPTED), (1, [WEB, TWIN])], WEB, True, (), id="created"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [AFTER])], AFTER, True, ("readonly",), id="updated"),
        pytest.param(UPDATE, [(0, ACCEPTED), (1, [WEB])], WEB, False, ("readonly",), id="not updated"),
        pytest.param(DELETE, [(0, refused(400))], WEB, False, (), id="not deleted"),
    ],
)
def test_fail(
    plan: Plan, timeline: list[Event], record: Record | None, changed: bool, unverified: tuple[str, ...]
) -> None:
    before = [plan.current] if plan.current else []
    outcome = history_of(plan, before, timeline).fail(ERROR)
    assert outcome == Outcome(plan, record, changed, ERROR, unverified, ())


def test_a_history_begins_without_requests() -> None:
    history = history_of(CREATE, [], [])
    assert (history.requests, history.looks, history.can_retry, history.watching_since) == ([], [], True, 0.0)


@pytest.mark.parametrize(
    ("plan", "rest", "is_shown"),
    [
        pytest.param(CREATE, (WEB, True), True, id="created"),
        pytest.param(CREATE, (WEB, False), False, id="there already"),
        pytest.param(CREATE, (WEB, True, ERROR), True, id="created otherwise than wanted"),
        pytest.param(CREATE, (None, True, ERROR), False, id="accepted, not listed"),
        pytest.param(CREATE, (WEB, False, ERROR), False, id="not created, there all the same"),
        pytest.param(UPDATE, (AFTER, True), True, id="updated"),
        pytest.param(UPDATE, (None, True, ERROR), True, id="updated, then gone"),
        pytest.param(UPDATE, (AFTER, True, ERROR), True, id="updated otherwise than wanted"),
        pytest.param(UPDATE, (WEB, False, ERROR), False, id="not updated"),
        pytest.param(DELETE, (None, True), True, id="deleted"),
        pytest.param(DELETE, (None, False), False, id="gone already"),
        pytest.param(DELETE, (None, True, ERROR), True, id="deleted, with an error"),
        pytest.param(DELETE, (WEB, True, ERROR), False, id="accepted, still listed"),
        pytest.param(DELETE, (WEB, False, ERROR), False, id="not deleted"),
    ],
)
def test_is_shown(plan: Plan, rest: tuple[Any, ...], is_shown: bool) -> None:
    assert Outcome(plan, *rest).is_shown is is_shown
