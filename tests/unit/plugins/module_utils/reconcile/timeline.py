# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small language for the tables of the deciders: the events of a write, and the decision after them.

A timeline is a list of events, each with its second: a request with its end, or the records that the list showed. The
decision is taken right after the last of them.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, Union

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import errors
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, sort_records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.after_request import Send, decide
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write_state import (
    METHODS,
    Sent,
    Write,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.scripted import ScriptedStore
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import plan, wanted

WAIT_TIMEOUT = 10.0
CAUSE = "the cause"
# The message about a request that was lost, and whose effect the list does not show.
MAY_STILL = "The request may still be carried out."
TWO_WEB, TWO_WWW = (
    f"there are several exports with the desc '{key}': ids 1, 2. Choose one with id, if the task has that option, or remove the ones that should not exist."
    " Tasks that ran at once may have made them: where several hosts run one task, set run_once, or throttle to 1."
    for key in ("web", "www")
)


class End(NamedTuple):
    """The end of a request: a status or none, perhaps an id, and whether it may have been carried out."""

    status: int | None
    is_accepted: bool = False
    maybe_applied: bool = False
    pause: float = 0.0
    created_id: str | None = None
    was_lost: bool = False


ACCEPTED = End(200, is_accepted=True, maybe_applied=True)
LOST = End(None, maybe_applied=True)
NOT_SENT = End(None)
RATE_LIMITED = End(429)
BROKEN = End(503, maybe_applied=True)
REDIRECTED = End(302, maybe_applied=True)
LOST_THEN_REDIRECTED = REDIRECTED._replace(was_lost=True)

Event = tuple[float, Union[End, Record, list[Record]]]


def refused(status: int, *, after_loss: bool = False) -> End:
    """Return the end of a request that was refused, perhaps after an attempt that got no response."""
    return End(status, maybe_applied=after_loss)


class Result(NamedTuple):
    """An expected outcome, its error as text; `is_unseen` is a change that the list does not show."""

    record: Record | None
    error: str = ""
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    changed: bool = True
    is_unseen: bool = False


Expected = Union[Result, Send, None]

# The decision to keep watching the list.
WATCH = None


def success(record: Record | None, unverified: tuple[str, ...] = (), restored: tuple[str, ...] = ()) -> Result:
    return Result(record, "", unverified, restored)


def unchanged(record: Record | None, unverified: tuple[str, ...] = ()) -> Result:
    """Return the expected outcome of an unneeded write, since somebody else had already done it."""
    return Result(record, "", unverified, changed=False)


# A write that failed: of which the list shows something, nothing as yet, or which changed nothing.
failure, unseen, refusal = Result, partial(Result, is_unseen=True), partial(Result, changed=False)


def request_of(action: Action) -> tuple[str, str]:
    return METHODS[action.verb], f"/exports/{action.current['id']}" if action.current else "/exports"


def error_of(action: Action, status: int | None, message: str = CAUSE) -> str:
    return str(errors.RequestError(*request_of(action), message, status))


def verified(action: Action, status: int | None, message: str) -> str:
    """Return the text of the error of a request whose effect the list does not show."""
    return str(errors.VerificationError(*request_of(action), message, status))


# By the name of a row: the events, and, last, the decision.
Table = dict[str, list[Any]]


def rows_of(action: Action, table: Table, before: list[Record] | None = None) -> list[Any]:
    """Return the rows of a table about an action, with the list before it."""
    before, method = as_before(action) if before is None else before, METHODS[action.verb]
    return [pytest.param(action, before, row[:-1], row[-1], id=f"{method}: {name}") for name, row in table.items()]


def plan_export(before: list[Record], **goal: Any) -> Action:
    """Return the action that reaches a goal for one export, given the list."""
    return plan(before, wanted(EXPORT, **goal)._replace(update_create_only=True))


def as_before(action: Action) -> list[Record]:
    """Return a list with only the record of an action, if there is one."""
    return [action.current] if action.current else []


def write_of(
    action: Action, timeline: list[Event], before: list[Record] | None = None, *, can_retry: bool = True
) -> Write:
    known = sort_records(EXPORT, as_before(action) if before is None else before)
    write = Write(action, known, ScriptedStore([], retries=int(can_retry)).as_store, WAIT_TIMEOUT)
    for time, event in timeline:
        if isinstance(event, End):
            write.add_request(_sent(action, time, event))
            write.watching_since = time
        else:
            write.add_reading(sort_records(EXPORT, [event] if isinstance(event, dict) else event), time)
    return write


def _sent(action: Action, time: float, end: End) -> Sent:
    if end.is_accepted:
        return Sent(time, None, end.status, end.created_id)
    error = errors.RequestError(*request_of(action), CAUSE, end.status, end.maybe_applied, end.pause, end.was_lost)
    return Sent(time, error, end.status)


def decided(action: Action, before: list[Record], timeline: list[Event], *, can_retry: bool = True) -> Expected:
    """Return the decision at the end of a timeline, in the form that the tables expect."""
    decision = decide(write_of(action, timeline, before, can_retry=can_retry), timeline[-1][0])
    if not isinstance(decision, Outcome):
        return decision
    assert decision.action is action
    assert decision.error is None or isinstance(decision.error, errors.ConsoleError)
    error, is_unseen = str(decision.error or ""), decision.changed and not decision.is_seen
    return Result(decision.record, error, decision.unverified, decision.restored, decision.changed, is_unseen)


def outcome_of(action: Action, timeline: list[Event]) -> Outcome:
    outcome = decide(write_of(action, timeline), timeline[-1][0])
    assert isinstance(outcome, Outcome)
    return outcome


def failed_request(action: Action, timeline: list[Event]) -> tuple[str, str, int | None]:
    """Return method, path and status of the request in the error that ends a timeline."""
    error = outcome_of(action, timeline).error
    assert error
    request = error.details["failure"]
    return request["method"], request["path"], request["status"]
