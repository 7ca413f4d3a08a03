# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small language for the tables of the reconciler: what happened to a write, and what is decided then.

A timeline is a list of events, each with its second: a request with its end, or the records that the list showed. The
decision is taken right after the last of them.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple, Union

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import (
    ConsoleError,
    RequestError,
    VerificationError,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import (
    CREATE,
    DELETE,
    UPDATE,
    Plan,
    make_plan,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import (
    Decision,
    History,
    Outcome,
    Request,
    Send,
)

WAIT_TIMEOUT = 10.0
PATH = "/exports"
CAUSE = "the cause"
# What is said of a request that was lost, and whose effect the list does not show.
MAY_STILL = "The request may still be carried out."
_METHODS = {CREATE: "POST", UPDATE: "PUT", DELETE: "DELETE"}


class End(NamedTuple):
    """How a request ended: with a status or none, perhaps an id, and whether it may have been carried out."""

    status: int | None
    is_accepted: bool = False
    maybe_applied: bool = False
    pause: float = 0.0
    created_id: str | None = None


ACCEPTED = End(200, is_accepted=True, maybe_applied=True)
LOST = End(None, maybe_applied=True)
NOT_SENT = End(None)
RATE_LIMITED = End(429)
BROKEN = End(503, maybe_applied=True)
REDIRECTED = End(302, maybe_applied=True)

Event = tuple[float, Union[End, list[Record]]]


def refused(status: int, *, after_loss: bool = False) -> End:
    """Return the end of a request that was refused, perhaps after an attempt that got no response."""
    return End(status, maybe_applied=after_loss)


class Result(NamedTuple):
    """An expected outcome, its error as text; `is_unseen` is a change that the list does not show."""

    record: Record | None
    changed: bool
    error: str = ""
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_unseen: bool = False


Expected = Union[Result, Send, None]

# The decision to keep watching the list.
WATCH = None


def success(record: Record | None, unverified: tuple[str, ...] = (), restored: tuple[str, ...] = ()) -> Result:
    """Return the expected outcome of a write that succeeded."""
    return Result(record, True, "", unverified, restored)


def unchanged(record: Record | None, unverified: tuple[str, ...] = ()) -> Result:
    """Return the expected outcome of a write that was not needed, since somebody else had already done it."""
    return Result(record, False, "", unverified)


def failure(
    record: Record | None, error: str, *, changed: bool, unverified: tuple[str, ...] = (), is_unseen: bool = False
) -> Result:
    """Return the expected outcome of a write that failed."""
    return Result(record, changed, error, unverified, is_unseen=is_unseen)


def error_of(plan: Plan, status: int | None, message: str = CAUSE) -> str:
    """Return the text of the error of a request that ended with a status or none."""
    return str(RequestError(_METHODS[plan.action], PATH, message, status))


def verified(plan: Plan, status: int | None, message: str) -> str:
    """Return the text of the error of a request whose effect the list does not show."""
    return str(VerificationError(_METHODS[plan.action], PATH, message, status))


def case(
    name: str, plan: Plan, timeline: list[Event], expected: Expected, *, before: list[Record] | None = None
) -> Any:
    """Return a row of a table: its name, the plan, what happened, what is decided, and the list before the write."""
    known = [plan.current] if plan.current else []
    return pytest.param(plan, before or known, timeline, expected, id=name)


def plan_export(before: list[Record], *, present: bool = True, id: int | None = None, **values: Any) -> Plan:  # noqa: A002
    """Return the plan for one export, given the list as it is."""
    return make_plan(Records(EXPORT, before), Goal(present, values, id, update_create_only=True))


def history_of(plan: Plan, before: list[Record], timeline: list[Event]) -> History:
    """Return the history that a timeline describes."""
    history = History(plan, Records(EXPORT, before), PATH, WAIT_TIMEOUT)
    for time, event in timeline:
        if isinstance(event, End):
            history.add_request(_request(plan, time, event))
            history.watching_since = time
        else:
            history.add_look(Records(EXPORT, event), time)
    return history


def _request(plan: Plan, time: float, end: End) -> Request:
    if end.is_accepted:
        return Request(time, None, end.status, end.created_id)
    method = _METHODS[plan.action]
    error = RequestError(method, PATH, CAUSE, end.status, end.maybe_applied, end.pause)
    return Request(time, error, end.status)


def decide(
    kind: ModuleType, plan: Plan, before: list[Record], timeline: list[Event], *, can_retry: bool = True
) -> Expected:
    """Return what is decided at the end of a timeline, in the form that the tables expect."""
    history = history_of(plan, before, timeline)
    history.can_retry = can_retry
    decision: Decision = kind.decide(history, timeline[-1][0])
    if not isinstance(decision, Outcome):
        return decision
    assert decision.plan is plan
    assert decision.error is None or isinstance(decision.error, ConsoleError)
    error = str(decision.error or "")
    is_unseen = decision.changed and not decision.is_seen
    return Result(decision.record, decision.changed, error, decision.unverified, decision.restored, is_unseen)
