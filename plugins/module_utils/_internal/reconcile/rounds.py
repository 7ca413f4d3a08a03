# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Carries out writes in rounds: sends the due requests side by side and reads the lists, until all outcomes are known."""

from __future__ import annotations

from typing import cast

from ..api.lists import Store, side_by_side
from ..errors import ConsoleError, RequestError
from ..http.policy import RetryBudget, backoff, is_answered
from ..http.transport import Response
from ..model.plan import CREATE, DELETE, DONE, UPDATE
from ..model.records import Records, is_id
from ..model.section import Change, Outcome, Section
from .after_request import Send, decide
from .write_state import WATCH_SECONDS, Sent, Write

# The bytes of a response to a write that are kept: a message has no more.
_MAX_SAID = 4096


def write_changes(due: list[tuple[Section, Change]], wait_timeout: float, concurrency: int) -> None:
    """Carry out changes in this order, each of a list that exists, and record their outcomes."""
    writes = [Write(each.action, section.records, cast("Store", section.source), wait_timeout) for section, each in due]
    carry_out(writes, concurrency)
    for (_section, change), write in zip(due, writes):
        change.outcome = write.outcome or change.outcome


def carry_out(writes: list[Write], concurrency: int) -> None:
    """Send the due requests and read the lists, until the outcome of each write is known.

    One update of each resource goes first, since an update may change more than its request says. The first is the one that
    omits the most fields with a value, since a reset shows there. A refused update tells nothing, so the next one is tried.
    """
    for resource in dict.fromkeys(write.action.resource for write in writes):
        updates = [write for write in writes if write.action.resource is resource and write.action.verb is UPDATE]
        for first in sorted(updates, key=lambda write: len(write.action.left_out), reverse=True):
            _send_all([first], concurrency=1)
            if first.maybe_applied or not is_answered(first.last.status):
                _watch([first], concurrency=1)
                for other in (write for write in updates if not write.sent):
                    _follow(other, first)
                break
    pending = [write for write in writes if write.outcome is None]
    _send_all(pending, concurrency)
    _watch(pending, concurrency)


def _follow(other: Write, first: Write) -> None:
    """Skip another update, or have it carry the whole record, if the outcome of the first one calls for that."""
    outcome = cast("Outcome", first.outcome)
    if outcome.lost:
        other.skip(_explain_loss(outcome))
    elif not outcome.is_seen and (not is_answered(first.last.status) or first.is_lost or first.unreadable_since):
        other.skip(f"nothing shows what became of the update of {outcome.action.description}. Run the task again")
    elif first.maybe_applied and (not outcome.is_seen or len(first.sent) > 1):
        other.body = other.action.whole_body


def _explain_loss(outcome: Outcome) -> str:
    description, names = outcome.action.description, ", ".join(outcome.lost)
    if outcome.error:
        return f"an update of {description} lost {names}, which could not be restored. Correct that record first"
    return (
        f"since an update of {description}, the console does not show its {names}, which may be lost. To go on all the"
        f" same, give {names} in each item"
    )


def _watch(pending: list[Write], concurrency: int) -> None:
    """Read the lists after the requests, and send the requests that become due, until all outcomes are known."""
    pauses = backoff(0.1, 5.0)
    while True:
        _read_back([write for write in pending if write.outcome is None], concurrency)
        pending = [write for write in pending if write.outcome is None]
        if not pending:
            return
        if due := [write for write in pending if write.body is not None]:
            _send_all(due, concurrency)
            pauses = backoff(0.1, 5.0)
        else:
            pending[0].store.client.clock.sleep(next(pauses))


def _send_all(writes: list[Write], concurrency: int) -> None:
    """Send the due requests, deletions last, so that an interrupted task has deleted as little as possible."""
    due = [write for write in writes if write.body is not None]
    for is_last in (False, True):
        if group := [write for write in due if (write.action.verb is DELETE) is is_last]:
            group[0].store.client.breaker.close()
            side_by_side(send, group, concurrency)
    for write in writes:
        write.watching_since = write.store.client.clock.elapsed()


def send(write: Write) -> None:
    """Send the request that is due, unless the console has stopped working."""
    client = write.store.client
    if client.breaker.is_open:
        write.skip(client.breaker.reason)
        return
    body, write.body = write.body or None, None
    is_creation = write.action.verb is CREATE
    # The list is read between any two POSTs, so a repeated one is not retried blindly either.
    is_repeated = is_creation and bool(write.sent) and write.budget.take()
    budget = RetryBudget(0) if is_repeated else (write.budget if is_creation else None)
    at = client.clock.elapsed()
    try:
        response = client.request(write.method, write.path, body=body, budget=budget)
        created_id = _created_id(response) if is_creation else None
        write.add_request(Sent(at, None, response.status, created_id, response.content[:_MAX_SAID]))
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
        # A slow reading, such as one of many pages, shows the list as it was at the beginning.
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
    """Record the list as it was at a time, and decide what comes next."""
    write.add_reading(records, at)
    decision = decide(write, at)
    if isinstance(decision, Send):
        write.body = decision.body
    else:
        write.outcome = decision


def observe_error(write: Write, error: ConsoleError) -> None:
    """Record that the list could not be read. After the settle window, the outcome rests on the response alone."""
    now = write.store.client.clock.elapsed()
    write.unreadable_since = now if write.unreadable_since is None else write.unreadable_since
    if now - write.unreadable_since < WATCH_SECONDS:
        return
    name, last = write.action.description, write.last
    message = f"{name} was {DONE[write.action.verb]}, but could not be read back, so run the task again: {error}"
    if last.error:
        message = f"{str(last.error).rstrip('.')}. {name} could not be read back, so run the task again: {error}"
    outcome = write.fail(ConsoleError(message, **error.details))
    write.outcome = outcome._replace(changed=outcome.changed or write.maybe_applied)
