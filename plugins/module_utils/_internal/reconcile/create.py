# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a POST: it is sent again only when the list has been watched for the record of a lost one. Pure."""

from __future__ import annotations

from ..errors import ConsoleError, RequestError, VerificationError
from ..http.policy import TOO_MANY_REQUESTS, is_redirect
from ..model.comparison import Difference, compare, format_differences
from ..model.plan import Plan
from ..model.records import Record, ambiguous, describe
from .history import WATCH_SECONDS, Decision, History, Outcome, Send

METHOD = "POST"
DONE = "created"
_MAX_LISTED = 10


def decide(history: History, time: float) -> Decision:
    """Return what comes next, by the list as it is at a time."""
    found = history.found
    if len(found) > 1:
        return history.fail(ambiguous(history.plan.resource, found))
    if found:
        return _found(history, found[0], time)
    if not history.is_late(window(history), time):
        return None
    error = history.last.error
    if error is None:
        return Outcome(history.plan, None, True, _not_listed(history), is_seen=False)
    if not _may_succeed(history, error):
        return _give_up(history, error)
    return Send(history.plan.body) if history.can_retry else history.fail(error)


def window(history: History) -> float:
    """Return for how many seconds the record is looked for; after a lost request again, whatever became of the next."""
    error = history.last.error
    if error is None:
        return history.wait_timeout
    is_lost = error.maybe_applied or len(history.requests) > 1
    return max(WATCH_SECONDS, error.pause) if is_lost else 0.0


def _found(history: History, record: Record, time: float) -> Decision:
    """Decide on the one record that has the key."""
    if not history.maybe_applied:
        return _made_by_others(history, record, time)
    created = [request.created_id for request in history.requests if request.created_id]
    if created and str(record["id"]) not in created:
        return _not_ours(history, created[-1], time)
    return _confirm(history, record, time)


def _made_by_others(history: History, record: Record, time: float) -> Decision:
    """Decide on a record that is there although the creation was refused: no change of ours, and perhaps as wanted."""
    if not history.is_settled(time):
        return None
    differences, unverified = _compare(history.plan, record)
    error: ConsoleError | None = history.last.error
    if differences and error:
        facts = f"{describe(history.plan.resource, record)} was created by somebody else in the meantime"
        error = error.followed_by(f"{facts}, and is not as wanted: {format_differences(differences)}.")
    return Outcome(history.plan, record, False, error if differences else None, unverified)


def _not_ours(history: History, created_id: str, time: float) -> Decision:
    """Wait for the record whose id the console gave us, where somebody else's is listed under its key."""
    if not history.is_late(window(history), time):
        return None
    plan = history.plan
    other = describe(plan.resource, history.found[0])
    message = (
        f"the console said that it created {plan.description} with the id {created_id}, but lists {other} instead, which"
        " somebody else may have created. Check which of them should exist, and remove the other"
    )
    return history.fail(VerificationError(METHOD, history.path, message, history.last.status))


def _confirm(history: History, record: Record, time: float) -> Decision:
    """Decide on the record that is ours, once that of another POST would show as well.

    If it is that of the first POST and came late, that of the last comes as much later as it was sent later.
    """
    seen = time - (time if history.first_seen is None else history.first_seen)
    if seen < history.last.sent_at - history.requests[0].sent_at:
        return None
    differences, unverified = _compare(history.plan, record)
    if differences and seen < WATCH_SECONDS:
        return None
    error = None
    if differences:
        message = (
            f"{history.plan.description} was created, but not all of it was accepted: {format_differences(differences)}"
        )
        error = VerificationError(METHOD, history.path, message, history.last.status)
    return Outcome(history.plan, record, True, error, unverified)


def _compare(plan: Plan, record: Record) -> tuple[list[Difference], tuple[str, ...]]:
    """Return where a record is not as wanted, and which of the given fields it does not show."""
    differences, unverified = compare(plan.resource, record, plan.values)
    return differences, tuple(name for name in unverified if name in plan.goal.values)


def _may_succeed(history: History, error: RequestError) -> bool:
    """Return whether the same request may be accepted another time."""
    is_repeated = len(history.requests) > 1 and error.status in (None, TOO_MANY_REQUESTS)
    return is_repeated or (error.maybe_applied and not is_redirect(error.status))


def _give_up(history: History, error: RequestError) -> Outcome:
    """Fail with the last error. A refusal after a lost request may well be because that one created the record."""
    if len(history.requests) == 1:
        return history.fail(error)
    hint = "An earlier request got no response, and may have been carried out."
    return Outcome(history.plan, None, True, error.followed_by(hint), is_seen=False)


def _not_listed(history: History) -> ConsoleError:
    """Return the error for an accepted creation whose record does not appear, with what appeared instead."""
    plan = history.plan
    new = [record for record in history.now if not history.before.by_id(record["id"])]
    listed = ", ".join(describe(plan.resource, record) for record in new[:_MAX_LISTED]) or "nothing"
    message = f"{plan.description} was accepted, but is not listed after {history.wait_timeout:g} s. New in the list: {listed}."
    if new:
        message += " If the console stored it under another name, use that name in the task."
    return VerificationError(METHOD, history.path, message, history.last.status)
