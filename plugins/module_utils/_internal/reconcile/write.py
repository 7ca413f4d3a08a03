# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One write: its requests, what the list showed after them, and what came of it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ConsoleError, RequestError, VerificationError
from ..http.policy import REDIRECT, RetryBudget
from ..model.outcome import Outcome
from ..model.plan import CREATE, DELETE, UPDATE, Action
from ..model.records import Record, Records

if TYPE_CHECKING:
    from ..api.lists import Store

METHODS = {CREATE: "POST", UPDATE: "PUT", DELETE: "DELETE"}
# For so long the effect of a write that failed, or of an update, is looked for in the list (seconds).
WATCH_SECONDS = 3.0
MAY_STILL_BE_CARRIED_OUT = "The request may still be carried out."


class Sent(NamedTuple):
    """A request that was sent at some time, and its error; None where it was accepted, `status` then says how.

    `created_id` is the id that the response to a creation gives. It is evidence of which record is ours, not proof.
    """

    at: float
    error: RequestError | None = None
    status: int | None = None
    created_id: str | None = None

    @property
    def maybe_applied(self) -> bool:
        """Return whether the console may have carried it out."""
        return self.error is None or self.error.maybe_applied

    @property
    def is_lost(self) -> bool:
        """Return whether nobody knows what became of it, so that it may even be carried out later."""
        return self.error is not None and self.error.maybe_applied and self.status not in REDIRECT


class Write:
    """What an action needs to have written, on its way: its requests, and what the list showed of its record, in order.

    Its requests go to `path`; `body` is that of the one that is due, None while none is; `outcome` is there once it is
    known. `before` is the list as it was planned by, `now` as it was last read; `wait_timeout` is for how many seconds an
    effect may take to show, `watching_since` when the last requests were sent. `wanted_keys` are those that other creations of
    the task make in this list.
    """

    def __init__(
        self, action: Action, before: Records, store: Store, wait_timeout: float, wanted_keys: Collection[Any] = ()
    ) -> None:
        self.action = action
        self.store = store
        self.method = METHODS[action.verb]
        self.path = store.path if action.current is None else f"{store.path}/{action.current['id']}"
        self.before = before
        self.now = before
        self.wait_timeout = wait_timeout
        self.wanted_keys = wanted_keys
        self.budget = RetryBudget(store.client.settings.retries)
        self.body: Mapping[str, object] | None = action.body
        self.outcome: Outcome | None = None
        self.sent: list[Sent] = []
        self.readings: list[list[Record]] = []
        self.first_seen: float | None = None
        self.watching_since = 0.0
        self.unreadable_since: float | None = None
        self._readings_since_request = 0

    def add_request(self, request: Sent) -> None:
        """Take note of a request that was sent."""
        self.sent.append(request)
        self._readings_since_request = 0

    def add_reading(self, records: Records, time: float) -> None:
        """Take note of the list as it is now."""
        current = self.action.current
        found = self._find_created(records) if current is None else [records.by_id(current["id"])]
        self.now = records
        self.unreadable_since = None
        if self.action.verb is DELETE and self.action.goal.id is None:
            # Whoever wants a key to be absent means every record that has it by then.
            found = [*found, *self.doubles]
        self.readings.append([record for record in found if record])
        self._readings_since_request += 1
        if self.readings[-1] and self.first_seen is None:
            self.first_seen = time

    def _find_created(self, records: Records) -> list[Record]:
        """Return the records that a creation may have made: of its key, else new ones of a key that a console may make of it."""
        if found := records.by_key(self.action.key):
            return found
        resource, ids = self.action.resource, {request.created_id for request in self.sent}
        near = (*records.near_misses(self.action.key), *records.ignored_records.near_misses(self.action.key))
        known = (self.before, self.before.ignored_records)
        new = [record for record in near if not any(before.by_id(record["id"]) for before in known)]
        if ours := [record for record in new if str(record["id"]) in ids]:
            return ours
        # Of a key that another item of the task wants, the first is of that item.
        others = set(self.wanted_keys)
        found = []
        for record in new:
            key = resource.normalize_key(resource.key_of(record))
            if key in others:
                others.remove(key)
            else:
                found.append(record)
        return found

    @property
    def last(self) -> Sent:
        return self.sent[-1]

    @property
    def found(self) -> list[Record]:
        """Return the records of concern, as last seen."""
        before = [self.action.current] if self.action.current else []
        return self.readings[-1] if self.readings else before

    @property
    def doubles(self) -> list[Record]:
        """Return the other records that bear the key of an updated or deleted one."""
        current = self.action.current or {"id": None}
        return [record for record in self.now.by_key(self.action.key) if str(record["id"]) != str(current["id"])]

    @property
    def is_accepted(self) -> bool:
        """Return whether the console said yes to any of the requests."""
        return any(request.error is None for request in self.sent)

    @property
    def maybe_applied(self) -> bool:
        """Return whether any of the requests may have been carried out."""
        return any(request.maybe_applied for request in self.sent)

    @property
    def is_lost(self) -> bool:
        """Return whether any of the requests may still be carried out, for all that is known."""
        return any(request.is_lost for request in self.sent)

    @property
    def shows_change(self) -> bool:
        """Return whether the record is not, as last seen, what it was before. A field that is not shown is no change."""
        if self.action.current is None or len(self.found) != 1:
            return bool(self.found) == (self.action.current is None)
        before, now = self.action.before, self.action.shown(self.found[0])
        return any(now[name] != value for name, value in before.items() if name in now) or bool(now.keys() - before)

    def agrees(self, time: float) -> bool:
        """Return whether two readings in a row agree: one alone is not believed where it contradicts the response.

        A list that never agrees with itself is believed after a while.
        """
        is_same = self._readings_since_request > 1 and self.readings[-1] == self.readings[-2]
        return is_same or self.is_late(WATCH_SECONDS, time)

    def is_late(self, window: float, time: float) -> bool:
        """Return whether the list has been watched for `window` seconds since the last requests."""
        return time >= self.watching_since + window

    def not_verified(self, message: str) -> VerificationError:
        """Return the error for a request that was accepted, and whose effect the list does not show."""
        return VerificationError(self.method, self.path, message, self.last.status)

    def fail(self, error: ConsoleError) -> Outcome:
        """Return the outcome of a write that failed: changed as the list shows, or as requests may do later, or since then."""
        record = next(iter(self.found), None)
        is_unseen = not self._readings_since_request
        if self.is_lost and not self.shows_change:
            error = error.followed_by(MAY_STILL_BE_CARRIED_OUT)
        changed = self.maybe_applied and (self.shows_change or is_unseen or self.is_lost)
        return Outcome(self.action, record, changed, error, self.action.unverified, is_seen=self.shows_change)

    def skip(self, reason: str) -> None:
        """Do not send the request that is due."""
        self.body = None
        self.outcome = self.fail(ConsoleError(f"{self.action.description} was skipped: {reason}"))
