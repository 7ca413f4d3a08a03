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
from ..http.policy import is_redirect
from ..model.comparison import managed_fields
from ..model.plan import DELETE, Plan
from ..model.records import Record, Records

# For so long the effect of a write that failed, or of an update, is looked for in the list (seconds).
WATCH_SECONDS = 3.0
MAY_STILL_BE_CARRIED_OUT = "The request may still be carried out."


class Request(NamedTuple):
    """A request that was sent at some time, and its error; None where it was accepted, `status` then says how.

    `created_id` is the id that the response to a creation gives. It is evidence of which record is ours, not proof.
    """

    sent_at: float
    error: RequestError | None = None
    status: int | None = None
    created_id: str | None = None

    @property
    def is_accepted(self) -> bool:
        """Return whether the console said yes."""
        return self.error is None

    @property
    def maybe_applied(self) -> bool:
        """Return whether the console may have carried it out."""
        return self.error is None or self.error.maybe_applied

    @property
    def is_lost(self) -> bool:
        """Return whether nobody knows what became of it, so that it may even be carried out later."""
        return self.error is not None and self.error.maybe_applied and not is_redirect(self.status)


class Outcome(NamedTuple):
    """What became of a plan.

    `record` is the last that is known of it, `changed` whether anything was written or may have been, `is_seen` whether
    the list has shown that, `unverified` the names of fields that the console does not show, `restored` those that
    changed beyond the request and were put back, `lost` those that were not; of an update that succeeded, those that are
    no longer shown, so that nobody knows.
    """

    plan: Plan
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_seen: bool = True
    lost: tuple[str, ...] = ()


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
        self._looks_since_request = 0

    def add_request(self, request: Request) -> None:
        """Take note of a request that was sent."""
        self.requests.append(request)
        self._looks_since_request = 0

    def add_look(self, records: Records, time: float) -> None:
        """Take note of the list as it is now."""
        current = self.plan.current
        found = records.by_key(self.plan.key) if current is None else [records.by_id(current["id"])]
        self.now = records
        if self.plan.action is DELETE and self.plan.goal.id is None:
            # Whoever wants a key to be absent means every record that has it by then.
            found = [*found, *self.doubles]
        self.looks.append([record for record in found if record])
        self._looks_since_request += 1
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
    def doubles(self) -> list[Record]:
        """Return the other records that bear the key of an updated or deleted one."""
        current = self.plan.current or {"id": None}
        return [record for record in self.now.by_key(self.plan.key) if str(record["id"]) != str(current["id"])]

    @property
    def maybe_applied(self) -> bool:
        """Return whether any of the requests may have been carried out."""
        return any(request.maybe_applied for request in self.requests)

    @property
    def is_lost(self) -> bool:
        """Return whether any of the requests may still be carried out, for all that is known."""
        return any(request.is_lost for request in self.requests)

    @property
    def shows_change(self) -> bool:
        """Return whether the record is not, as last seen, what it was before. A field that is not shown is no change."""
        if self.plan.current is None or len(self.found) != 1:
            return bool(self.found) == (self.plan.current is None)
        before, now = self.plan.before, managed_fields(self.plan.resource, self.found[0])
        return any(now[name] != value for name, value in before.items() if name in now) or bool(now.keys() - before)

    def is_settled(self, time: float) -> bool:
        """Return whether two looks in a row agree: one alone is not believed where it contradicts the response.

        A list that never agrees with itself is believed after a while.
        """
        agree = self._looks_since_request > 1 and self.looks[-1] == self.looks[-2]
        return agree or self.is_late(WATCH_SECONDS, time)

    def is_late(self, window: float, time: float) -> bool:
        """Return whether the list has been watched for `window` seconds since the last requests."""
        return time >= self.watching_since + window

    def fail(self, error: ConsoleError) -> Outcome:
        """Return the outcome of a write that failed: changed as the list shows, or as requests may do later, or since then."""
        record = next(iter(self.found), None)
        is_unseen = not self._looks_since_request
        if self.is_lost and not self.shows_change:
            error = error.followed_by(MAY_STILL_BE_CARRIED_OUT)
        changed = self.maybe_applied and (self.shows_change or is_unseen or self.is_lost)
        return Outcome(self.plan, record, changed, error, self.plan.unverified, is_seen=self.shows_change)
