# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small language for the tables of the deciders: the events of a write, and the decision after them.

A timeline is a list of events, each with its second: a request with its end, or the records that the list showed. The
decision is taken right after the last of them. Below are a store and a clock with prepared responses and lists.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, Union, cast

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import errors
from ansible_collections.managedfs.console.plugins.module_utils._internal.api.lists import Store
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.messages import said
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import CircuitBreaker, RetryBudget
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import (
    Record,
    Records,
    sort_records,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.after_request import Send, decide
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write_state import (
    METHODS,
    Sent,
    Write,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import plan, wanted

WAIT_TIMEOUT = 10.0
CAUSE = "the cause"
# The message about a request that was lost, and whose effect the list does not show.
MAY_STILL = "The request may still be carried out. Look at the record first."
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
    for second, event in timeline:
        if isinstance(event, End):
            write.add_request(_sent(action, second, event))
            write.watching_since = second
        else:
            write.add_reading(sort_records(EXPORT, [event] if isinstance(event, dict) else event), second)
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


class Request(NamedTuple):
    """A request that was sent, and the number of its further attempts."""

    method: str
    path: str
    body: Any
    retries: int | None


class ScriptedStore:
    """Responds to requests with these statuses, responses or errors in turn, and to reads with these lists or errors.

    The last list stays; none is an empty one. `takes` is how many seconds a request really takes, so that others can be under
    way at the same time.
    """

    def __init__(
        self,
        responses: Sequence[int | Response | ConsoleError],
        lists: Sequence[list[Record] | ConsoleError] = (),
        retries: int = 4,
    ) -> None:
        self.resource = EXPORT
        self.path = "/exports"
        self.client = self
        self.clock: ScriptedStore = self
        self.settings = SimpleNamespace(retries=retries)
        self.breaker = CircuitBreaker(retries=0)
        self.takes = 0.0
        self.sent: list[Request] = []
        self.slept: list[float] = []
        self.reads = 0
        self.threads: set[threading.Thread] = set()
        self.most_at_once = 0
        self._at_once = 0
        self._responses = list(responses)
        self._lists = list(lists)

    @property
    def as_store(self) -> Store:
        """Return this store under the type that it replaces."""
        return cast(Store, self)

    @property
    def methods(self) -> list[str]:
        """Return the methods of the requests, in order."""
        return [sent.method for sent in self.sent]

    def request(self, method: str, path: str, *, body: Any, budget: RetryBudget | None) -> Response:
        self.threads.add(threading.current_thread())
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        if self.takes:
            time.sleep(self.takes)
        self.sent.append(Request(method, path, body, None if budget is None else budget.left))
        response = self._responses.pop(0)
        self._at_once -= 1
        if isinstance(response, ConsoleError):
            raise response
        return response if isinstance(response, Response) else Response(response, {}, b"")

    def words_in(self, body: bytes) -> str:
        return said(body)

    def read(self) -> Records:
        self.reads += 1
        if not self._lists:
            return Records(EXPORT)
        found = self._lists.pop(0) if len(self._lists) > 1 else self._lists[0]
        if isinstance(found, ConsoleError):
            raise found
        return Records(EXPORT, found)

    def elapsed(self) -> float:
        return round(sum(self.slept), 6)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
