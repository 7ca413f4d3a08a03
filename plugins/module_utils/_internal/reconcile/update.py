# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a PUT: another with the whole record, where the console changed what it was not asked to. Pure.

The API documents which fields an update carries, and not what becomes of those that it leaves out.
"""

from __future__ import annotations

from ..errors import ConsoleError, VerificationError
from ..model.comparison import Difference, compare, format_differences
from ..model.records import Record, ambiguous, describe, format_value
from .history import MAY_STILL_BE_CARRIED_OUT, WATCH_SECONDS, Decision, History, Outcome, Send

METHOD = "PUT"
DONE = "updated"


def decide(history: History, time: float) -> Decision:
    """Return what comes next, by the list as it is at a time."""
    plan = history.plan
    if not history.found:
        return _gone(history) if history.is_settled(time) else None
    (record,) = history.found
    differences, _unverified = compare(plan.resource, record, plan.values)
    # What was given and was not shown before counts, too, once it is shown.
    wanted = {*plan.changing, *plan.unverified}
    refused = [difference for difference in differences if difference.field.name in wanted]
    # What was surely not carried out has changed nothing: that is the work of somebody else.
    unrequested = plan.unrequested_changes(record) if history.maybe_applied else []
    # What is no longer shown may have been reset: to nothing, which some consoles leave out.
    may_have_moved = bool(unrequested) or (history.maybe_applied and bool(plan.vanished(record)))
    is_restoring = len(history.requests) > 1
    if may_have_moved and not is_restoring and _has_acted(history, refused):
        return Send(plan.whole_body)
    if not refused and not unrequested:
        return _done(history, record, time)
    if not history.is_late(window(history), time):
        return None
    lost = tuple(change.field.name for change in unrequested)
    return _failed(history, record, _explain(history, refused, unrequested), lost)


def window(history: History) -> float:
    """Return for how many seconds the change is looked for: it shows at once, or nearly so, if it was carried out."""
    return WATCH_SECONDS if history.last.maybe_applied else 0.0


def _done(history: History, record: Record, time: float) -> Decision:
    """Decide on a record that is as wanted, as far as it is shown.

    After a refusal that is no change of ours, and looked at twice. Where none of the fields that were to change is shown
    any more, nothing tells that the update has taken effect, and what else it does may be yet to come.
    """
    plan = history.plan
    if not history.maybe_applied and not history.is_settled(time):
        return None
    if history.maybe_applied and not history.shows_change:
        if not history.is_late(WATCH_SECONDS, time):
            return None
        if not any(request.is_accepted for request in history.requests):
            return _failed(history, record, _explain(history, [], []))
    if history.doubles and (plan.changes_key or plan.goal.id is None):
        return history.fail(ambiguous(plan.resource, [record, *history.doubles]))
    lost = tuple(name for name in plan.vanished(record) if plan.left_out.get(name) and name not in plan.goal.values)
    return Outcome(plan, record, history.maybe_applied, None, plan.unshown(record), _restored(history), lost=lost)


def _failed(history: History, record: Record, error: ConsoleError, lost: tuple[str, ...] = ()) -> Outcome:
    """Return the outcome of an update that failed. What the list does not show may have changed, or may still change."""
    unshown = history.plan.unshown(record)
    changed = history.maybe_applied and (history.shows_change or bool(unshown) or history.is_lost)
    return Outcome(history.plan, record, changed, error, unshown, lost=lost, is_seen=history.shows_change)


def _gone(history: History) -> Outcome:
    plan = history.plan
    others = "".join(f"; {describe(plan.resource, other)} is listed by now" for other in history.doubles)
    error = history.last.error or _error(history, f"disappeared while it was being updated{others}")
    lost = ("everything",) if history.maybe_applied else ()
    return Outcome(plan, None, history.maybe_applied, error, plan.unverified, is_seen=False, lost=lost)


def _has_acted(history: History, refused: list[Difference]) -> bool:
    """Return whether an update that may have been carried out surely was, as a response or the list says."""
    is_accepted = any(request.is_accepted for request in history.requests)
    names = {difference.field.name for difference in refused}
    return is_accepted or not names.issuperset(history.plan.changing)


def _restored(history: History) -> tuple[str, ...]:
    """Return the names of the fields that the console changed beyond the request, and that are as they were again."""
    plan = history.plan
    seen = [record for look in history.looks for record in look]
    changed = [change.field.name for record in seen for change in plan.unrequested_changes(record)]
    vanished = [name for record in seen for name in plan.vanished(record)]
    return tuple(name for name in dict.fromkeys([*changed, *vanished]) if name not in plan.unshown(seen[-1]))


def _explain(history: History, refused: list[Difference], unrequested: list[Difference]) -> ConsoleError:
    """Return the error for an update that did not, or did not only, do what was asked for."""
    error = history.last.error
    if error and (not history.maybe_applied or not history.shows_change):
        return error.followed_by(doubt) if (doubt := _doubt(history)) else error
    if not history.shows_change:
        differences = format_differences(refused)
        return _error(
            history,
            f"does not show the update that the console accepted: after {WATCH_SECONDS:g} s, {differences}. Run the task"
            " again in case the console is slow. If it stays so, the console does not accept this change",
        )
    facts = []
    if refused:
        facts.append(f"not all of it was accepted: {format_differences(refused)}")
    if unrequested:
        lost = "; ".join(
            f"{change.field.name} was {format_value(change.wanted)}, is {format_value(change.actual)}"
            for change in unrequested
        )
        hopeless = ", and could not be restored" if len(history.requests) > 1 else ""
        facts.append(
            f"fields that were not in the update changed meanwhile, by the console or by somebody else{hopeless}: {lost}"
        )
    if error:
        facts.append(f"the last request failed: {error}")
    return _error(history, f"was updated, but {'; '.join(facts)}")


def _doubt(history: History) -> str:
    """Return what a failed update may have done, or may still do, although the list does not show it."""
    if history.is_lost:
        return MAY_STILL_BE_CARRIED_OUT
    is_hidden = history.maybe_applied and any(history.plan.unshown(record) for record in history.found)
    return "It may have been carried out, in a field that the console does not show." if is_hidden else ""


def _error(history: History, message: str) -> ConsoleError:
    return VerificationError(METHOD, history.path, f"{history.plan.description} {message}", history.last.status)
