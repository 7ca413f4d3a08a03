# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What happened to one write so far, and what can come of it. Pure.

`create`, `update` and `delete` each decide, from nothing but this history and the time, what comes next: an outcome,
another request, or to keep watching the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Union

from ..errors import ConsoleError, RequestError
from ..model.comparison import managed_fields
from ..model.plan import DELETE, UPDATE, Plan
from ..model.records import Record, Records

# For so long the effect of a write that failed, or of an update, is looked for in the list (seconds).
WATCH_SECONDS = 3.0


class Request(NamedTuple):
    """A request that was sent at some time, and its error; None where it was accepted, `status` then says how."""

    sent_at: float
    error: RequestError | None = None
    status: int | None = None

    @property
    def is_accepted(self) -> bool:
        """Return whether the console said yes."""
        return self.error is None

    @property
    def maybe_applied(self) -> bool:
        """Return whether the console may have carried it out."""
        return self.error is None or self.error.maybe_applied


class Outcome(NamedTuple):
    """What became of a plan.

    `record` is the last that is known of it, `changed` whether anything was written or may have been, `unverified` the
    names of fields that the console does not show, `restored` those that it changed beyond the request and that were
    put back.
    """

    plan: Plan
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()

    @property
    def is_shown(self) -> bool:
        """Return whether the list shows what was done, rather than only that it was accepted."""
        if self.error is None or self.plan.action is UPDATE:
            return self.changed
        return self.changed and (self.record is None) is (self.plan.action is DELETE)


class Send(NamedTuple):
    """Another request is needed, with this body."""

    body: Mapping[str, Any]


Decision = Union[Outcome, Send, None]


class History:
    """The requests of one write, and what the list showed of its record after them, in order.

    `path` is where requests go, `wait_timeout` for how many seconds their effect may take to show, `can_retry` whether
    a lost creation may be sent again, `watching_since` when the last requests were sent.
    """

    def __init__(self, plan: Plan, before: Records, path: str, wait_timeout: float) -> None:
        self.plan = plan
        self.before = before
        self.now = before
        self.path = path
        self.wait_timeout = wait_timeout
        self.can_retry = True
        self.requests: list[Request] = []
        self.looks: list[list[Record]] = []
        self.first_seen: float | None = None
        self.watching_since = 0.0
        self._unseen: list[Request] = []

    def add_request(self, request: Request) -> None:
        """Take note of a request that was sent."""
        self.requests.append(request)
        self._unseen.append(request)

    def add_look(self, records: Records, time: float) -> None:
        """Take note of the list as it is now."""
        current = self.plan.current
        found = records.by_key(self.plan.key) if current is None else [records.by_id(current["id"])]
        self.looks.append([record for record in found if record])
        self.now = records
        self._unseen.clear()
        if self.looks[-1] and self.first_seen is None:
            self.first_seen = time

    @property
    def last(self) -> Request:
        """Return the last request."""
        return self.requests[-1]

    @property
    def found(self) -> list[Record]:
        """Return the records of concern, as last seen."""
        before = [self.plan.current] if self.plan.current else []
        return self.looks[-1] if self.looks else before

    @property
    def is_changed(self) -> bool:
        """Return whether the list shows a change, or requests that no list has followed yet may have made one."""
        resource = self.plan.resource
        before = [self.plan.before] if self.plan.current else []
        after = [managed_fields(resource, record) for record in self.found]
        return after != before or any(request.maybe_applied for request in self._unseen)

    def is_late(self, window: float, time: float) -> bool:
        """Return whether the list has been watched for `window` seconds since the last requests."""
        return time >= self.watching_since + window

    def fail(self, error: ConsoleError) -> Outcome:
        """Return the outcome of a write that failed."""
        record = next(iter(self.found), None)
        return Outcome(self.plan, record, self.is_changed, error, self.plan.unverified)
