# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a POST: it is sent again only when the list has been watched for the record of a lost one. Pure."""

from __future__ import annotations

from ..errors import ConsoleError, RequestError
from ..http.retry import TOO_MANY_REQUESTS, is_redirect
from ..model.comparison import compare, format_differences
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
    error = history.last.error
    if found and error and _is_refused(history):
        # Refused, and there all the same: somebody else's, or the console did what it said it would not.
        return history.fail(error)
    if found:
        return _confirm(history, found[0], time)
    if not history.is_late(window(history), time):
        return None
    if error is None:
        return Outcome(history.plan, None, True, _not_listed(history))
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


def _confirm(history: History, record: Record, time: float) -> Decision:
    """Decide on the one record that is there, once that of another POST would show as well.

    If it is that of the first POST and came late, that of the last comes as much later as it was sent later.
    """
    seen = time - (time if history.first_seen is None else history.first_seen)
    if seen < history.last.sent_at - history.requests[0].sent_at:
        return None
    plan = history.plan
    differences, unverified = compare(plan.resource, record, plan.values)
    if differences and seen < WATCH_SECONDS:
        return None
    error = None
    if differences:
        message = f"{plan.description} was created, but not all of it was accepted: {format_differences(differences)}"
        error = RequestError(METHOD, history.path, message, history.last.status)
    given = tuple(name for name in unverified if name in plan.goal.values)
    return Outcome(plan, record, True, error, given)


def _is_refused(history: History) -> bool:
    """Return whether the only request was surely not carried out."""
    return len(history.requests) == 1 and not history.last.maybe_applied


def _may_succeed(history: History, error: RequestError) -> bool:
    """Return whether the same request may be accepted another time."""
    is_repeated = len(history.requests) > 1 and error.status in (None, TOO_MANY_REQUESTS)
    return is_repeated or (error.maybe_applied and not is_redirect(error.status))


def _give_up(history: History, error: RequestError) -> Outcome:
    """Fail with the last error. A refusal after a lost request may well be because that one created the record."""
    if len(history.requests) == 1:
        return history.fail(error)
    hint = "An earlier request got no response, and may have been carried out."
    return Outcome(history.plan, None, True, error.followed_by(hint))


def _not_listed(history: History) -> ConsoleError:
    """Return the error for an accepted creation whose record does not appear, with what appeared instead."""
    plan = history.plan
    new = [record for record in history.now if not history.before.by_id(record["id"])]
    listed = ", ".join(describe(plan.resource, record) for record in new[:_MAX_LISTED]) or "nothing"
    message = f"{plan.description} was accepted, but is not listed after {history.wait_timeout:g} s. New in the list: {listed}."
    if new:
        message += " If the console stored it under another name, use that name in the task."
    return RequestError(METHOD, history.path, message, history.last.status)
