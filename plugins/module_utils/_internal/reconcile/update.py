# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a PUT: another with the whole record, where the console changed what it was not asked to. Pure.

The API documents which fields an update carries, and not what becomes of those that it leaves out.
"""

from __future__ import annotations

from ..errors import ConsoleError, VerificationError
from ..model.comparison import Difference, compare, format_differences
from ..model.records import Record, ambiguous, format_value
from .history import WATCH_SECONDS, Decision, History, Outcome, Send

METHOD = "PUT"
DONE = "updated"


def decide(history: History, time: float) -> Decision:
    """Return what comes next, by the list as it is at a time."""
    plan = history.plan
    if not history.found:
        return _gone(history) if history.is_settled(time) else None
    (record,) = history.found
    differences, _unverified = compare(plan.resource, record, plan.values)
    refused = [difference for difference in differences if difference.field.name in plan.changing]
    # What was surely not carried out has changed nothing: that is the work of somebody else.
    unrequested = plan.unrequested_changes(record) if history.maybe_applied else []
    is_restoring = len(history.requests) > 1
    if unrequested and not is_restoring and _has_acted(history, refused):
        return Send(plan.whole_body)
    if not refused and not unrequested:
        return _done(history, record, time)
    if not history.is_late(window(history), time):
        return None
    # What the list does not show may have changed, too.
    changed = history.maybe_applied and (history.shows_change or bool(plan.unshown(record)))
    error = history.last.error if history.last.error and not changed else _explain(history, refused, unrequested)
    return Outcome(plan, record, changed, error, plan.unshown(record), is_seen=history.shows_change)


def window(history: History) -> float:
    """Return for how many seconds the change is looked for: it shows at once, or nearly so, if it was carried out."""
    return WATCH_SECONDS if history.last.maybe_applied else 0.0


def _done(history: History, record: Record, time: float) -> Decision:
    """Decide on a record that is as wanted. After a refusal that is no change of ours, and looked at twice."""
    plan = history.plan
    if not history.maybe_applied and not history.is_settled(time):
        return None
    if plan.changes_key and history.doubles:
        return history.fail(ambiguous(plan.resource, [record, *history.doubles]))
    return Outcome(plan, record, history.maybe_applied, None, plan.unshown(record), _restored(history))


def _gone(history: History) -> Outcome:
    error = history.last.error or _error(history, "disappeared while it was being updated")
    return Outcome(history.plan, None, history.maybe_applied, error, history.plan.unverified, is_seen=False)


def _has_acted(history: History, refused: list[Difference]) -> bool:
    """Return whether an update that may have been carried out surely was, as a response or the list says."""
    is_accepted = any(request.is_accepted for request in history.requests)
    return is_accepted or len(refused) < len(history.plan.changing)


def _restored(history: History) -> tuple[str, ...]:
    """Return the names of the fields that the console changed beyond the request, and that are as they were again."""
    changes = [
        change for look in history.looks for record in look for change in history.plan.unrequested_changes(record)
    ]
    return tuple(dict.fromkeys(change.field.name for change in changes))


def _explain(history: History, refused: list[Difference], unrequested: list[Difference]) -> ConsoleError:
    """Return the error for an update that did not, or did not only, do what was asked for."""
    if not history.shows_change and history.last.error:
        return history.last.error.followed_by(
            "It may have been carried out, in a field that the console does not show."
        )
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
    if history.last.error:
        facts.append(f"the last request failed: {history.last.error}")
    return _error(history, f"was updated, but {'; '.join(facts)}")


def _error(history: History, message: str) -> ConsoleError:
    return VerificationError(METHOD, history.path, f"{history.plan.description} {message}", history.last.status)
