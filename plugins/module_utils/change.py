# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One change on its way: the request, and then the list, in which its effect is looked for.

The body of an answer to a write proves nothing (the specification shows none), so only the list settles
whether a change is done.
"""

from __future__ import annotations

from typing import Any

from .errors import ConsoleError, RequestError, failure_of
from .model.plan import Action, Plan, ambiguity, compare, matches, same_id
from .store import Record, Store

# How long the effect of a request whose answer was lost is looked for before it is taken as not done.
WATCH_SECONDS = 3.0
# What a console answers to a DELETE of what is gone already, or that it does not offer.
_NO_SUCH_ROUTE = (404, 405, 501)


class Result:
    """What became of one goal: its plan, the record as read last, whether anything changed, and what failed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.record = plan.current
        self.changed = False
        self.error: ConsoleError | None = None
        self.unverified: list[str] = []
        if plan.current is not None and plan.goal.present:
            self.unverified = compare(plan.resource, plan.current, plan.goal)[1]


class Change:
    """What all changes have in common. `settled` is true once `result` tells what became of it."""

    method = ""
    done = ""

    def __init__(self, store: Store, result: Result, wait_timeout: float) -> None:
        self.result = result
        self.settled = False
        self._store = store
        self._plan = result.plan
        self._clock = store.client.clock
        self._wait_timeout = wait_timeout
        self._failed: RequestError | None = None
        self._status: int | None = None
        self._until = 0.0

    def write(self) -> None:
        """Send the request, and set until when its effect is looked for."""
        try:
            self._status, self._failed = self._send(), None
        except RequestError as error:
            self._status, self._failed = error.status, error
        self._until = self._clock.elapsed() + self._patience()
        if self._failed and not self._is_worth_a_look(self._failed):
            self._end(self._failed, changed=False)

    def look(self, records: list[Record]) -> None:
        """Take notice of the list as it is now."""
        raise NotImplementedError

    def unreadable(self, error: ConsoleError) -> None:
        """The list could not be read: what is known is only how the request ended."""
        if self._failed is None:
            message = f"{self._plan.label} was {self.done}, but could not be read back: {error}"
        else:
            message = f"{self._failed}. Whether it took effect could not be read back: {error}"
        applied = self._failed is None or self._failed.maybe_applied
        self._end(ConsoleError(message, error.failure), changed=applied)

    def _send(self) -> int:
        """Make the request and give its status."""
        raise NotImplementedError

    def _is_worth_a_look(self, error: RequestError) -> bool:
        """Whether a request that failed may have done its work, or an earlier one before it."""
        return error.maybe_applied

    def _patience(self) -> float:
        if self._failed is None:
            return self._wait_timeout
        return WATCH_SECONDS if self._failed.maybe_applied else 0.0

    def _is_late(self) -> bool:
        return self._clock.elapsed() >= self._until

    def _end(self, error: ConsoleError, changed: bool) -> None:
        self.result.error, self.result.changed, self.settled = error, changed, True

    def _not_as_wanted(self, what: str) -> ConsoleError:
        """The error for a request that was accepted, and has not brought about what was wanted."""
        message = f"{self._plan.label} {what}"
        return ConsoleError(message, failure_of(self.method, self._store.path, message, self._status))


class Creation(Change):
    """A POST, sent again only after the list was watched for the record of one whose answer was lost."""

    method, done = "POST", "created"

    def __init__(self, store: Store, result: Result, wait_timeout: float) -> None:
        super().__init__(store, result, wait_timeout)
        self._tries = store.client.tries()
        self._posted: list[float] = []
        self._seen: float | None = None

    def look(self, records: list[Record]) -> None:
        key = self._plan.goal.values[self._plan.resource.key.name]
        found = matches(self._plan.resource, records, key)
        if len(found) > 1:
            self.result.record = found[0]
            self._end(ambiguity(self._plan.resource, key, found), changed=True)
        elif found:
            self._found(found[0])
        elif self._is_late():
            self._missing()

    def _send(self) -> int:
        self._posted.append(self._clock.elapsed())
        return self._store.create(self._plan.body, self._tries).status

    def _is_worth_a_look(self, error: RequestError) -> bool:
        return error.maybe_applied or len(self._posted) > 1

    def _found(self, record: Record) -> None:
        """Take the record for ours, after a second POST only once that of the other had time to show as well.

        If the record is of the first POST and came late, that of the last comes as much later as it was sent later.
        """
        now = self._clock.elapsed()
        self._seen = now if self._seen is None else self._seen
        if now < self._seen + self._posted[-1] - self._posted[0]:
            return
        self.result.record, self.result.changed, self.settled = record, True, True
        differences, self.result.unverified = compare(self._plan.resource, record, self._plan.goal)
        if differences:
            told = "; ".join(str(difference) for difference in differences)
            self._end(self._not_as_wanted("was created, but not all of it was accepted: " + told), changed=True)

    def _missing(self) -> None:
        if self._failed is None:
            what = f"was accepted, but is not listed after {self._wait_timeout:g} s"
            self._end(self._not_as_wanted(what), changed=True)
        elif self._failed.maybe_applied and self._tries.another():
            self.write()
        else:
            self._end(self._failed, changed=False)


class Deletion(Change):
    """A DELETE, done when the record is no longer listed, whatever was answered."""

    method, done = "DELETE", "deleted"

    def look(self, records: list[Record]) -> None:
        if not any(same_id(record["id"], self._identity) for record in records):
            self.result.record, self.result.changed, self.settled = None, True, True
        elif self._is_late() and self._failed:
            self._end(self._failed, changed=False)
        elif self._is_late():
            what = f"was deleted, but is still listed after {self._wait_timeout:g} s"
            self._end(self._not_as_wanted(what), changed=True)

    def _send(self) -> int:
        return self._store.delete(self._identity).status

    def _is_worth_a_look(self, error: RequestError) -> bool:
        return error.maybe_applied or error.status in _NO_SUCH_ROUTE

    @property
    def _identity(self) -> Any:
        return (self._plan.current or {}).get("id")


_CHANGES = {Action.CREATE: Creation, Action.DELETE: Deletion}


def change_for(store: Store, result: Result, wait_timeout: float) -> Change:
    """The change that carries out the plan of a result."""
    return _CHANGES[result.plan.action](store, result, wait_timeout)
