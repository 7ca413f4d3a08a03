# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Carries out writes in rounds: sends what is due, side by side, and reads the lists, until all outcomes are known."""

from __future__ import annotations

from itertools import islice

from ..api.lists import Store, side_by_side
from ..errors import ConsoleError, RequestError
from ..http.policy import RetryBudget, backoff
from ..http.transport import Response
from ..model.listing import is_id
from ..model.plan import CREATE, DELETE, DONE, UPDATE
from ..model.records import Records
from ..model.resources import Resource
from .decide import Send, decide
from .write import WATCH_SECONDS, Outcome, Sent, Write

# Of a field that kept two values, none is taken for the one that a console would reset it to.
_ENOUGH_VALUES = 2


def carry_out(writes: list[Write], concurrency: int) -> None:
    """Send what is due and read the lists, until the outcome of each write is known.

    Some updates of each resource go ahead of everything else, since nobody knows what else an update does.
    """
    by_resource: dict[Resource, list[Write]] = {}
    for write in writes:
        if write.action.verb is UPDATE:
            by_resource.setdefault(write.action.resource, []).append(write)
    first_updates = [_FirstUpdates(updates) for updates in by_resource.values()]
    while first := [write for updates in first_updates for write in updates.choose()]:
        _carry_out(first, concurrency)
        for updates in first_updates:
            updates.learn()
    _carry_out([write for write in writes if write.outcome is None], concurrency)


class _FirstUpdates:
    """The updates of one resource, of which some go ahead, one at a time, to see what updates do beyond the request.

    That a field is reset shows where it had another value. So updates go ahead until each field that they leave out was
    seen to keep two different values. If it is reset, the others carry the whole record, so that not one of them is
    without its other fields for a moment; if it could not be restored, the others are not sent at all. Those that were
    refused or lost tell nothing: after each of them, twice as many go ahead, so that not thousands wait for each other.
    """

    def __init__(self, updates: list[Write]) -> None:
        self._waiting = updates
        self._ahead: list[Write] = []
        self._size = 1
        self._has_seen_any = False
        self._kept: dict[str, set[str]] = {}

    def choose(self) -> list[Write]:
        """Return the next updates to go ahead, none where enough is known."""
        self._ahead = list(islice(filter(self._can_tell_more, self._waiting), self._size))
        chosen = set(self._ahead)
        self._waiting = [write for write in self._waiting if write not in chosen]
        return self._ahead

    def _can_tell_more(self, write: Write) -> bool:
        """Return whether an update leaves out a field with a value that no field of its name was seen to keep yet."""
        return not self._has_seen_any or any(
            value not in seen
            for name, value in write.action.left_out.items()
            if len(seen := self._kept.get(name, set())) < _ENOUGH_VALUES
        )

    def learn(self) -> None:
        """Take note of what became of the updates that went ahead, and let the others do as they suggest."""
        outcomes = [(write, write.outcome) for write in self._ahead if write.outcome]
        seen = [write for write, outcome in outcomes if outcome.changed and outcome.is_seen]
        self._size = 1 if seen else 2 * self._size
        self._has_seen_any = self._has_seen_any or bool(seen)
        for write in seen:
            for name, value in write.action.left_out.items():
                self._kept.setdefault(name, set()).add(value)
        for write, outcome in outcomes:
            if outcome.lost:
                for other in self._waiting:
                    other.skip(_explain_loss(outcome))
                self._waiting = []
                continue
            # It had to be followed by one that restores other fields, or was accepted and does not show.
            is_restored = len(write.sent) > 1 and write.last.maybe_applied
            if is_restored or (write.is_accepted and not outcome.is_seen):
                for other in self._waiting:
                    other.body = other.action.whole_body


def _explain_loss(outcome: Outcome) -> str:
    description, names = outcome.action.description, ", ".join(outcome.lost)
    if outcome.error:
        return f"an update of {description} lost {names}, which could not be restored"
    return (
        f"since an update of {description}, the console does not show its {names}, which may be lost. To go on all the"
        f" same, give {names} in each item"
    )


def _carry_out(pending: list[Write], concurrency: int) -> None:
    pauses = backoff(0.1, 5.0)
    while pending:
        if due := [write for write in pending if write.body is not None]:
            _send_all(due, concurrency)
            pauses = backoff(0.1, 5.0)
        else:
            pending[0].store.client.clock.sleep(next(pauses))
        _read_back([write for write in pending if write.outcome is None], concurrency)
        pending = [write for write in pending if write.outcome is None]


def _send_all(writes: list[Write], concurrency: int) -> None:
    """Send requests, deletions last, so that whatever stops the task leaves as much as possible in place."""
    others = [write for write in writes if write.action.verb is not DELETE]
    deletions = [write for write in writes if write.action.verb is DELETE]
    client = writes[0].store.client
    for group in filter(None, (others, deletions)):
        client.breaker.close()
        side_by_side(send, group, concurrency)
    for write in writes:
        write.watching_since = client.clock.elapsed()


def send(write: Write) -> None:
    """Send the request that is due, unless the console has stopped working."""
    client = write.store.client
    if client.breaker.is_open:
        write.skip(client.breaker.reason)
        return
    body, write.body = write.body or None, None
    is_creation = write.action.verb is CREATE
    # Between any two POSTs the list is read, so a repeated one is not retried blindly either.
    is_repeated = is_creation and bool(write.sent) and write.budget.take()
    budget = RetryBudget(0) if is_repeated else (write.budget if is_creation else None)
    at = client.clock.elapsed()
    try:
        response = client.request(write.method, write.path, body=body, budget=budget)
        write.add_request(Sent(at, None, response.status, _created_id(response) if is_creation else None))
    except RequestError as error:
        write.add_request(Sent(at, error, error.status))


def _created_id(response: Response) -> str | None:
    try:
        content = response.json()
    except ValueError:
        return None
    identity = content.get("id") if isinstance(content, dict) else None
    return str(identity) if is_id(identity) else None


def _read_back(writes: list[Write], concurrency: int) -> None:
    concerned: dict[Store, list[Write]] = {}
    for write in writes:
        concerned.setdefault(write.store, []).append(write)

    def read(store: Store) -> None:
        # A list of many pages, or one that the console lets wait for, shows what was there when it was begun.
        at = store.client.clock.elapsed()
        try:
            records = store.read()
        except ConsoleError as error:
            for write in concerned[store]:
                observe_error(write, error)
        else:
            for write in concerned[store]:
                observe(write, records, at)

    side_by_side(read, concerned, concurrency)


def observe(write: Write, records: Records, at: float) -> None:
    """Take note of the list as it was at a time, and decide what comes next."""
    write.add_reading(records, at)
    decision = decide(write, at)
    if isinstance(decision, Send):
        write.body = decision.body
    else:
        write.outcome = decision


def observe_error(write: Write, error: ConsoleError) -> None:
    """Take note that the list could not be read. After a while, all that is known is how the request ended."""
    now = write.store.client.clock.elapsed()
    write.unreadable_since = now if write.unreadable_since is None else write.unreadable_since
    if now - write.unreadable_since < WATCH_SECONDS:
        return
    name, last = write.action.description, write.last
    message = f"{name} was {DONE[write.action.verb]}, but could not be read back: {error}"
    if last.error:
        message = f"{str(last.error).rstrip('.')}. {name} could not be read back to see the result: {error}"
    outcome = write.fail(ConsoleError(message, **error.details))
    write.outcome = outcome._replace(changed=outcome.changed or write.maybe_applied)
