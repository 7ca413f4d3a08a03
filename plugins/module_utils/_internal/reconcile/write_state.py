# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One write: its requests, the readings of the list after them, and its outcome. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ConsoleError, RequestError, VerificationError
from ..http.policy import REDIRECT, RetryBudget
from ..model.plan import CREATE, DELETE, UPDATE, Action
from ..model.records import Record, Records
from ..model.section import Outcome

if TYPE_CHECKING:
    from ..api.lists import Store

METHODS = {CREATE: "POST", UPDATE: "PUT", DELETE: "DELETE"}
# The settle window, in seconds: the list is watched this long for the effect of an update or a failed write.
WATCH_SECONDS = 3.0
MAY_STILL_BE_CARRIED_OUT = "The request may still be carried out. Look at the record first."


class Sent(NamedTuple):
    """A request that was sent at a time, its error (None if it was accepted), and its status (None without a response).

    `created_id` is the id in the response to a creation. It is evidence of which record is ours, not proof. `answer` is the
    beginning of the response to a request that was accepted.
    """

    at: float
    error: RequestError | None = None
    status: int | None = None
    created_id: str | None = None
    answer: bytes = b""

    @property
    def maybe_applied(self) -> bool:
        """Return whether the console may have carried it out."""
        return self.error is None or self.error.maybe_applied

    @property
    def is_lost(self) -> bool:
        """Return whether its effect is unknown, so that it may even be carried out later; not after a redirect alone."""
        return self.maybe_applied and self.error is not None and (self.error.was_lost or self.status not in REDIRECT)


class Write:
    """The write of one action in progress: its requests, and what the list showed of its record, in order.

    Requests go to `path`. `body` is that of the request that is due, empty for one without a body, None if none is due.
    `outcome` is set once it is known. `before` is the list that the plan is based on, `now` the latest reading. `wait_timeout`
    is the number of seconds that an effect may take to show, `watching_since` the time of the last requests.
    """

    def __init__(self, action: Action, before: Records, store: Store, wait_timeout: float) -> None:
        self.action = action
        self.store = store
        self.method = METHODS[action.verb]
        self.path = store.path if action.current is None else f"{store.path}/{action.current['id']}"
        self.before = before
        self.now = before
        self.wait_timeout = wait_timeout
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
        """Record a request that was sent."""
        self.sent.append(request)
        self._readings_since_request = 0

    def add_reading(self, records: Records, time: float) -> None:
        """Record the list as it is now."""
        current = self.action.current
        found = self._find_created(records) if current is None else [records.by_id(current["id"])]
        self.now = records
        self.unreadable_since = None
        if self.action.verb is DELETE and self.action.goal.id is None:
            # If a key must be absent, so must every record that has it now.
            found = [*found, *self.doubles]
        self.readings.append([record for record in found if record])
        self._readings_since_request += 1
        if self.readings[-1] and self.first_seen is None:
            self.first_seen = time

    def _find_created(self, records: Records) -> list[Record]:
        """Return the records that a creation may have made: those with its key, else that with the id that was returned."""
        created = {request.created_id for request in self.sent} - {None}
        return records.by_key(self.action.key) or list(filter(None, map(records.listed, created)))

    @property
    def last(self) -> Sent:
        return self.sent[-1]

    @property
    def found(self) -> list[Record]:
        """Return the records that the write concerns, as last seen."""
        before = [self.action.current] if self.action.current else []
        return self.readings[-1] if self.readings else before

    @property
    def doubles(self) -> list[Record]:
        """Return the other records with the key of an updated or deleted one."""
        current = self.action.current or {"id": None}
        return [record for record in self.now.by_key(self.action.key) if str(record["id"]) != str(current["id"])]

    @property
    def is_accepted(self) -> bool:
        """Return whether the console accepted any of the requests."""
        return any(request.error is None for request in self.sent)

    @property
    def maybe_applied(self) -> bool:
        """Return whether any of the requests may have been carried out."""
        return any(request.maybe_applied for request in self.sent)

    @property
    def is_lost(self) -> bool:
        """Return whether any of the requests is lost, so that it may still be carried out."""
        return any(request.is_lost for request in self.sent)

    @property
    def shows_change(self) -> bool:
        """Return whether the record, as last seen, differs from before. A field that is not shown is no change."""
        if self.action.current is None or len(self.found) != 1:
            return bool(self.found) == (self.action.current is None)
        before, now = map(self.action.shown, (self.action.current, self.found[0]))
        return any(now[name] != value for name, value in before.items() if name in now) or bool(now.keys() - before)

    def is_settled(self, time: float) -> bool:
        """Return whether two readings in a row are equal: a single one is not trusted if it contradicts the response.

        After the settle window, the last reading is trusted anyway.
        """
        is_same = self._readings_since_request > 1 and self.readings[-1] == self.readings[-2]
        return is_same or self.is_late(WATCH_SECONDS, time)

    def is_late(self, window: float, time: float) -> bool:
        """Return whether the list has been watched for `window` seconds since the last requests."""
        return time >= self.watching_since + window

    def not_verified(self, message: str) -> VerificationError:
        """Return the error for an accepted request whose effect the list does not show."""
        if words := self.store.client.words_in(self.last.answer):
            message = f"{message.rstrip('.')}. The console said: {words}"
        return VerificationError(self.method, self.path, message, self.last.status)

    def fail(self, error: ConsoleError) -> Outcome:
        """Return the outcome of a failed write: changed if the list shows that, or if a request may have an effect unseen."""
        record = next(iter(self.found), None)
        is_unseen = not self._readings_since_request
        if self.is_lost and not self.shows_change:
            error = error.followed_by(MAY_STILL_BE_CARRIED_OUT)
        changed = self.maybe_applied and (self.shows_change or is_unseen or self.is_lost)
        return Outcome(self.action, record, changed, error, self.action.unverified, is_seen=self.shows_change)

    def skip(self, reason: str) -> None:
        """Skip the request that is due, for this reason."""
        self.body = None
        self.outcome = self.fail(ConsoleError(f"{self.action.description} was skipped: {reason}"))
