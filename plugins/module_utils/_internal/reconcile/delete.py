# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a DELETE: it is done when the record is no longer listed, whatever the response was. Pure."""

from __future__ import annotations

from ..errors import ConsoleError, VerificationError
from ..http.policy import NOT_FOUND, is_no_such_route
from ..model.records import describe
from .history import WATCH_SECONDS, Decision, History, Outcome, Request

METHOD = "DELETE"
DONE = "deleted"


def decide(history: History, time: float) -> Decision:
    """Return what comes next, by the list as it is at a time."""
    plan, last, error = history.plan, history.last, history.last.error
    record = history.now.by_id((plan.current or {})["id"])
    if record is None:
        return _gone(history, time)
    if not history.is_late(window(history), time):
        return None
    if error is None or _is_accepted(last):
        message = (
            f"{plan.description} is still listed {history.wait_timeout:g} s after the console accepted its deletion"
        )
        return Outcome(plan, record, True, VerificationError(METHOD, history.path, message, last.status), is_seen=False)
    if is_no_such_route(last.status):
        message = f"this console does not delete {plan.resource.plural}: {error}"
        return Outcome(plan, record, False, ConsoleError(message, **error.details))
    return history.fail(error)


def _gone(history: History, time: float) -> Decision:
    """Decide on a record that is gone: not by us, where the console had refused to delete it or did not know it.

    What was to be absent is the key, unless an id was given: another record that has the key by then is not left unsaid.
    """
    is_contradiction = not history.maybe_applied and history.last.status != NOT_FOUND
    if (is_contradiction or history.found) and not history.is_settled(time):
        return None
    if not history.found:
        return Outcome(history.plan, None, history.maybe_applied)
    plan, other = history.plan, history.found[0]
    message = (
        f"{plan.description} is gone, but {describe(plan.resource, other)} is listed by now, which somebody else may have"
        " created. Run the task again to delete it, too"
    )
    return Outcome(
        plan, other, history.maybe_applied, VerificationError(METHOD, history.path, message, history.last.status)
    )


def window(history: History) -> float:
    """Return for how many seconds the record may stay listed."""
    error = history.last.error
    if error is None or _is_accepted(history.last):
        return history.wait_timeout
    return max(WATCH_SECONDS, error.pause) if error.maybe_applied else 0.0


def _is_accepted(request: Request) -> bool:
    """Return whether the console said yes, or after a response that was lost, that the record is gone."""
    return request.is_accepted or (request.status == NOT_FOUND and request.maybe_applied)
