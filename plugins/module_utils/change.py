# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One change on its way: the request, and then the list, in which its effect is looked for.

The body of an answer to a write proves nothing (the specification shows none), so only the list settles
whether a change is done.
"""

from __future__ import annotations

from typing import Any

from .errors import ConsoleError, RequestError
from .model.plan import Action, Plan
from .model.records import Difference, Record, Records, ambiguity, compare, label, managed_fields, say
from .store import Store

# How long the effect of a request whose answer was lost is looked for before it is taken as not done.
WATCH_SECONDS = 3.0
# What a console answers to a DELETE of what is gone already, or that it does not offer.
_GONE = 404
_NO_SUCH_ROUTE = (_GONE, 405, 501)


class Result:
    """What became of one goal: its plan, the record as read last, whether anything changed, and what failed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.record = plan.current
        self.changed = False
        self.error: ConsoleError | None = None
        self.unverified = list(plan.unverified)
        self.put_back: list[str] = []

    @property
    def shows(self) -> bool:
        """Whether the list shows what was changed; what was accepted and does not show is only told as an error."""
        if self.error is None or self.plan.action is Action.UPDATE:
            return self.changed
        return self.changed and (self.record is None) is (self.plan.action is Action.DELETE)


class Change:
    """What all changes have in common.

    `due` is true while a request has to be sent, `settled` once `result` tells what became of it.
    """

    method = ""
    done = ""

    def __init__(self, store: Store, before: Records, result: Result, wait_timeout: float) -> None:
        self.result = result
        self.settled = False
        self.due = True
        self._store = store
        self._before = before
        self._plan = result.plan
        self._clock = store.client.clock
        self._wait_timeout = wait_timeout
        self._failed: RequestError | None = None
        self._status: int | None = None
        # Whether any request of this change was accepted, or may have been.
        self._touched = False
        self._until = 0.0
        self._unreadable_since: float | None = None

    def write(self) -> None:
        """Send the request."""
        self.due = False
        try:
            self._status, self._failed = self._send(), None
        except RequestError as error:
            self._status, self._failed = error.status, error
        self._touched = self._touched or self._failed is None or self._failed.maybe_applied

    def skip(self, reason: str) -> None:
        """Do not send the request after all."""
        again = " again" if self._status or self._failed else ""
        self._fail(ConsoleError(f"{self._plan.label} was not tried{again}: {reason}"), self._touched)

    def expect(self) -> None:
        """Begin to look for the effect of the request."""
        self._until = self._clock.elapsed() + self._patience()

    @property
    def is_unanswered(self) -> bool:
        """Whether the console left the last request without an answer, or refused to look at it."""
        return self._failed is not None and self._failed.status in (None, 429)

    def look(self, records: Records) -> None:
        """Take notice of the list as it is now."""
        self._unreadable_since = None
        self._judge(records)

    def unreadable(self, error: ConsoleError) -> None:
        """The list could not be read. If it cannot for a while, all that is known is how the request ended."""
        now = self._clock.elapsed()
        self._unreadable_since = now if self._unreadable_since is None else self._unreadable_since
        if now - self._unreadable_since < WATCH_SECONDS:
            return
        if self._failed is None:
            message = f"{self._plan.label} was {self.done}, but could not be read back: {error}"
        else:
            message = f"{self._failed}. What has become of {self._plan.label} could not be read back: {error}"
        self._fail(ConsoleError(message, error.failure), self._touched)

    def _judge(self, records: Records) -> None:
        """Settle the change where the list shows what has become of it, or shows it too late."""
        raise NotImplementedError

    def _send(self) -> int:
        """Make the request and give its status."""
        raise NotImplementedError

    def _patience(self) -> float:
        """For how many seconds the effect of the request is looked for; one look is always taken."""
        if self._failed is None:
            return self._wait_timeout
        return max(WATCH_SECONDS, self._failed.pause) if self._failed.maybe_applied else 0.0

    def _is_late(self) -> bool:
        return self._clock.elapsed() >= self._until

    def _succeed(self, record: Record | None) -> None:
        self.result.record, self.result.changed, self.settled = record, True, True

    def _fail(self, error: ConsoleError, changed: bool) -> None:
        self.result.error, self.result.changed, self.settled = error, changed, True

    def _not_as_wanted(self, what: str) -> ConsoleError:
        """The error for a request that was accepted, and has not brought about what was wanted."""
        return RequestError(self.method, self._path, f"{self._plan.label} {what}", self._status)

    @property
    def _path(self) -> str:
        return f"{self._store.path}/{self._identity}"

    @property
    def _identity(self) -> Any:
        return (self._plan.current or {}).get("id")


class Creation(Change):
    """A POST, sent again only after the list was watched for the record of one whose answer was lost."""

    method, done = "POST", "created"

    def __init__(self, store: Store, before: Records, result: Result, wait_timeout: float) -> None:
        super().__init__(store, before, result, wait_timeout)
        self._tries = store.client.tries()
        self._posted: list[float] = []
        self._seen: float | None = None

    def _judge(self, records: Records) -> None:
        key = self._plan.goal.values[self._plan.resource.key.name]
        found = records.of_key(key)
        if len(found) > 1:
            self.result.record = found[0]
            self._fail(ambiguity(self._plan.resource, key, found), changed=True)
        elif found and self._failed and not self._failed.maybe_applied and len(self._posted) == 1:
            # Refused, and there all the same: somebody else's, or the console did what it said it would not.
            self.result.record = found[0]
            self._fail(self._failed, changed=True)
        elif found:
            self._found(found[0])
        elif self._is_late():
            self._missing(records)

    def _send(self) -> int:
        # What is sent again is not repeated blindly either: between any two the list is looked at.
        tries = self._store.client.tries(0) if self._posted else self._tries
        self._posted.append(self._clock.elapsed())
        return self._store.create(self._plan.body, tries).status

    def _patience(self) -> float:
        """After a lost request its record is looked for as long again, whatever became of the next one."""
        if self._failed and len(self._posted) > 1:
            return max(WATCH_SECONDS, self._failed.pause)
        return super()._patience()

    def _found(self, record: Record) -> None:
        """Take the record for ours, after a second POST only once that of the other had time to show as well.

        If the record is of the first POST and came late, that of the last comes as much later as it was sent later.
        """
        now = self._clock.elapsed()
        self._seen = now if self._seen is None else self._seen
        if now - self._seen < self._posted[-1] - self._posted[0]:
            return
        differences, unverified = compare(self._plan.resource, record, self._plan.values)
        if differences and now - self._seen < WATCH_SECONDS:
            return
        self._succeed(record)
        self.result.unverified = [name for name in unverified if name in self._plan.goal.values]
        if differences:
            what = f"was created, but not all of it was accepted: {_listed(differences)}"
            self._fail(self._not_as_wanted(what), changed=True)

    def _missing(self, records: Records) -> None:
        if self._failed is None:
            resource = self._plan.resource
            new = [record for record in records if not self._before.of_id(record["id"])]
            told = ", ".join(label(resource, record[resource.key.wire], record["id"]) for record in new[:10])
            what = (
                f"was accepted, but is not listed after {self._wait_timeout:g} s. New in the list: {told or 'nothing'}."
            )
            if new:
                what += " If that is what the console made of it, write it as the console does."
            self._fail(self._not_as_wanted(what), changed=True)
        elif self._is_passing(self._failed) and self._tries.another():
            self.due, self._touched = True, False
        else:
            self._give_up(self._failed)

    def _give_up(self, failed: RequestError) -> None:
        """Fail with the last error. A refusal after a lost request may well be for the record which that one made."""
        may_be_ours = len(self._posted) > 1 and not self._is_passing(failed)
        told = failed.adding("An earlier request was not answered, and may have been carried out.")
        self._fail(told if may_be_ours else failed, changed=may_be_ours)

    def _is_passing(self, failed: RequestError) -> bool:
        """Whether the same request may be accepted another time."""
        repeated = len(self._posted) > 1 and failed.status in (None, 429)
        return repeated or (failed.maybe_applied and not 300 <= (failed.status or 0) < 400)

    @property
    def _path(self) -> str:
        return self._store.path


class Update(Change):
    """A PUT, and one more of the whole record where the console moved what it was not asked to change.

    The specification shows which fields an update carries, not what becomes of those it leaves out.
    """

    method, done = "PUT", "updated"

    def __init__(self, store: Store, before: Records, result: Result, wait_timeout: float) -> None:
        super().__init__(store, before, result, wait_timeout)
        self._moved: list[Difference] = []
        self._has_acted = False

    def _judge(self, records: Records) -> None:
        record = records.of_id(self._identity)
        if record is None:
            self.result.record = None
            self._fail(self._failed or self._not_as_wanted("is no longer listed after it was updated"), self._touched)
            return
        self.result.record = record
        differences, unverified = compare(self._plan.resource, record, self._plan.values)
        refused = [difference for difference in differences if difference.field.name in self._plan.changing]
        moved = self._plan.moved(record)
        # What was surely not carried out has moved nothing: then that is the work of somebody else.
        self._has_acted = self._has_acted or self._failed is None or len(refused) < len(self._plan.changing)
        self.result.unverified = unverified
        if moved and not self._moved and self._has_acted:
            self._moved, self.due = moved, True
        elif not refused and not moved:
            self.result.put_back = [difference.field.name for difference in self._moved]
            self._succeed(record)
        elif self._is_late():
            self._fail(self._told(record, refused, moved), self._is_touched(record))

    def _send(self) -> int:
        body = self._plan.whole_body if self._moved else self._plan.body
        return self._store.update(self._identity, body).status

    def _patience(self) -> float:
        """An update shows at once, or nearly so; one that failed for good shows nothing more."""
        return WATCH_SECONDS if self._failed is None or self._failed.maybe_applied else 0.0

    def _told(self, record: Record, refused: list[Difference], moved: list[Difference]) -> ConsoleError:
        if self._failed and not self._is_touched(record):
            return self._failed
        facts = []
        if refused:
            facts.append(f"was updated, but not all of it was accepted: {_listed(refused)}")
        if moved:
            lost = "; ".join(
                f"{entry.field.name} was {say(entry.wanted)} and is {say(entry.actual)}" for entry in moved
            )
            facts.append(f"was changed by the console beyond what was asked, and could not be put back: {lost}")
        if self._failed:
            facts.append(f"the last request failed: {self._failed}")
        return self._not_as_wanted("; ".join(facts))

    def _is_touched(self, record: Record) -> bool:
        """Whether the update has made the record something else than it was before."""
        return self._has_acted and managed_fields(self._plan.resource, record) != self._plan.before


class Deletion(Change):
    """A DELETE, done when the record is no longer listed, whatever was answered."""

    method, done = "DELETE", "deleted"

    def _judge(self, records: Records) -> None:
        if records.of_id(self._identity) is None:
            self._succeed(None)
        elif self._is_late() and self._failed and self._failed.status in _NO_SUCH_ROUTE:
            message = f"this console does not delete {self._plan.resource.plural}: {self._failed}"
            self._fail(ConsoleError(message, self._failed.failure), changed=False)
        elif self._is_late() and self._failed:
            self._fail(self._failed, changed=False)
        elif self._is_late():
            what = f"is still listed {self._wait_timeout:g} s after the console accepted its deletion"
            self._fail(self._not_as_wanted(what), changed=True)

    def _send(self) -> int:
        try:
            return self._store.delete(self._identity).status
        except RequestError as error:
            if error.status == _GONE and error.maybe_applied:
                return _GONE
            raise


def _listed(differences: list[Difference]) -> str:
    return "; ".join(str(difference) for difference in differences)


_CHANGES = {Action.CREATE: Creation, Action.UPDATE: Update, Action.DELETE: Deletion}


def change_for(store: Store, before: Records, result: Result, wait_timeout: float) -> Change:
    """The change that carries out the plan of a result, given the list as it was before."""
    return _CHANGES[result.plan.action](store, before, result, wait_timeout)
