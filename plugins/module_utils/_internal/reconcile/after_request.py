# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The decision after a request: an outcome, another request, or another reading of the list. Pure.

It depends on what happened so far, and on the time. The API documents neither when a write shows in a list, nor what an
update does to the fields that it omits.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple, Union

from ..errors import ConsoleError
from ..http.policy import NO_SUCH_ROUTE, NOT_FOUND, TOO_MANY_REQUESTS
from ..model.plan import CREATE, DELETE, UPDATE, Action
from ..model.records import Difference, Record, ambiguous, compare, describe, format_differences
from ..model.section import Outcome
from .write_state import MAY_STILL_BE_CARRIED_OUT, WATCH_SECONDS, Write

_MAX_LISTED = 10
# The statuses with which a console may reject a value.
_REFUSED = (400, 404, 409, 422)


class Send(NamedTuple):
    """Another request is needed, with this body."""

    body: Mapping[str, Any]


Decision = Union[Outcome, Send, None]


def decide(write: Write, time: float) -> Decision:
    """Return the next step, given the list as it is at a time (in seconds): None is to read it again."""
    return _RULES[write.action.verb](write, time)


# Creations: a lost request is repeated only after its record did not show within the settle window.


def _after_creation(write: Write, time: float) -> Decision:
    if len(write.found) > 1:
        return write.fail(ambiguous(write.action.resource, write.found))
    if write.found:
        return _created(write, write.found[0], time)
    error, is_repeated = write.last.error, len(write.sent) > 1
    # The record of a lost request may still show, whatever happened to the next one.
    if not write.is_late(_window(write, write.last.maybe_applied or is_repeated), time):
        return None
    if error is None:
        return Outcome(write.action, None, True, _not_listed(write), is_seen=False)
    if write.last.is_lost or (is_repeated and error.status in (None, TOO_MANY_REQUESTS)):
        resource = write.action.resource
        new = [each for each in write.now.since(write.before) if resource.normalize_key(resource.key_of(each)) is None]
        if new:
            other = f"{describe(resource, new[0])} is new in the list, without a key, and may be the one. Look at it."
            return write.fail(error.followed_by(other))
        return Send(write.action.body) if write.budget.left > 0 else write.fail(error)
    if not is_repeated:
        hint = write.action.resource.refusal_hint if error.status in _REFUSED else ""
        return write.fail(error.followed_by(hint) if hint else error)
    # The console may refuse the request because the lost one created the record.
    hint = "An earlier request got no response, and may have been carried out. Look at the record."
    return Outcome(write.action, None, True, error.followed_by(hint), is_seen=False)


def _window(write: Write, is_lost: bool) -> float:
    """Return the settle window of the last request: the seconds within which its effect may show."""
    error = write.last.error
    if error is None:
        return write.wait_timeout
    return max(WATCH_SECONDS, error.pause) if is_lost else 0.0


def _created(write: Write, record: Record, time: float) -> Decision:
    if not write.maybe_applied:
        return _created_by_others(write, record, time)
    created = [request.created_id for request in write.sent if request.created_id]
    if created and str(record["id"]) not in created:
        return _not_ours(write, created[-1], time)
    return _confirm(write, record, time)


def _created_by_others(write: Write, record: Record, time: float) -> Decision:
    """Decide on a record that exists although its creation was refused: it is somebody else's, but may be as wanted."""
    if not write.is_settled(time):
        return None
    differences, unverified = _compare(write.action, record)
    error: ConsoleError | None = write.last.error
    if differences and error:
        facts = f"{describe(write.action.resource, record)} was created by somebody else in the meantime. Run the task again"
        error = error.followed_by(f"{facts}, since it is not as wanted: {format_differences(differences)}.")
    return Outcome(write.action, record, False, error if differences else None, unverified)


def _not_ours(write: Write, created_id: str, time: float) -> Decision:
    """Wait for the record with the id that the console returned, while another one is listed under its key."""
    if not write.is_late(write.wait_timeout, time):
        return None
    other = describe(write.action.resource, write.found[0])
    message = (
        f"the console said that it created {write.action.description} with the id {created_id}, but lists {other} instead,"
        " which somebody else may have created. Check which of them should exist, and remove the other"
    )
    return write.fail(write.not_verified(message))


def _confirm(write: Write, record: Record, time: float) -> Decision:
    """Decide on the record that is ours, once the record of another POST would show as well.

    If the record of the first POST showed late, that of the last one may be just as late.
    """
    seen = time - (time if write.first_seen is None else write.first_seen)
    if seen < write.last.at - write.sent[0].at:
        return None
    key = write.action.resource.key
    differences, unverified = _compare(write.action, record)
    if differences and seen < WATCH_SECONDS:
        return None
    error = None
    if differences:
        what = format_differences(differences)
        message = f"{write.action.description} was created, but not all of it was accepted: {what}"
        if key.name in (each.field.name for each in differences):
            way = f"that {key.name}" if record.get(key.in_api) else f"id {record['id']}"
            message += f". The console gave it another {key.name}: use {way} in the task, or remove it"
        error = write.not_verified(message)
    return Outcome(write.action, record, True, error, unverified)


def _compare(action: Action, record: Record) -> tuple[list[Difference], tuple[str, ...]]:
    differences, unverified = compare(action.resource, record, action.values)
    return differences, tuple(name for name in unverified if name in action.goal.values)


def _not_listed(write: Write) -> ConsoleError:
    """Return the error for an accepted creation that does not show, with the records that appeared instead."""
    new = write.now.since(write.before)
    listed = ", ".join(describe(write.action.resource, record) for record in new[:_MAX_LISTED]) or "nothing"
    name = write.action.description
    message = f"{name} was accepted, but is not listed after {write.wait_timeout:g} s. New in the list: {listed}."
    if new:
        message += " If the console stored it under another name, use that name in the task."
    return write.not_verified(message)


# Updates: if the console changed more than the request, a second one carries the whole record.


def _after_update(write: Write, time: float) -> Decision:
    action = write.action
    if not write.found:
        return _disappeared(write) if write.is_settled(time) else None
    record = write.found[0]
    differences, _unverified = compare(action.resource, record, action.values)
    # If no request was carried out, somebody else made the changes, and they may be as wanted.
    unrequested = action.unrequested_changes(record) if write.maybe_applied else []
    # A given field that was hidden before counts, too, once it is shown.
    wanted = {*action.changing, *action.unverified} if write.maybe_applied else action.values
    refused = [difference for difference in differences if difference.field.name in wanted]
    # A field that is no longer shown may have been reset: some consoles omit empty values.
    may_have_moved = unrequested or (write.maybe_applied and action.vanished(record))
    has_acted = write.is_accepted or not {change.field.name for change in refused}.issuperset(action.changing)
    if may_have_moved and has_acted and len(write.sent) == 1:
        return Send(action.whole_body)
    if not refused and not unrequested:
        return _updated(write, record, time)
    # If the last request was refused, an earlier one may still show.
    may_still_show = write.last.maybe_applied or (write.maybe_applied and refused)
    if not write.is_late(WATCH_SECONDS if may_still_show else 0.0, time):
        return None
    lost = tuple(change.field.name for change in unrequested)
    return _update_failed(write, record, _explain_update(write, refused, unrequested), lost)


def _updated(write: Write, record: Record, time: float) -> Decision:
    """Decide on a record that is as wanted, as it is shown.

    After a refusal, this task has changed nothing, and the list is read twice. Only fields that it shows can prove that
    somebody else has changed them. If none of the fields to change is shown any more, nothing proves that the update took
    effect, and its other effects may still show.
    """
    action = write.action
    if not write.maybe_applied:
        if not write.is_settled(time):
            return None
        is_proven = not {*action.changing}.intersection(action.unshown(record))
    else:
        if not write.shows_change and not write.is_late(WATCH_SECONDS, time):
            return None
        is_proven = write.shows_change or write.is_accepted
    if not is_proven:
        return _update_failed(write, record, _explain_update(write, [], []))
    if namesakes := _namesakes(write, record):
        return write.fail(ambiguous(action.resource, namesakes))
    left_out = action.left_out - action.goal.values.keys()
    lost = tuple(name for name in action.vanished(record) if name in left_out)
    return Outcome(action, record, write.maybe_applied, None, action.unshown(record), _restored(write), lost=lost)


def _namesakes(write: Write, record: Record) -> list[Record]:
    """Return the record and the others with its old or new key, if the task relies on that key; else nothing."""
    action = write.action
    has_key = any(each is record for each in write.now.by_key(action.key))
    is_found_by_key = action.changes_key or action.goal.id is None
    return [record, *write.doubles] if has_key and is_found_by_key and write.doubles else []


def _update_failed(write: Write, record: Record, error: ConsoleError, lost: tuple[str, ...] = ()) -> Outcome:
    """Return the outcome of a failed update. Fields that the list does not show may have changed, or may still change."""
    unshown = write.action.unshown(record)
    changed = write.maybe_applied and (write.shows_change or bool(unshown) or write.is_lost)
    if namesakes := _namesakes(write, record):
        error = error.followed_by(str(ambiguous(write.action.resource, namesakes)))
    return Outcome(write.action, record, changed, error, unshown, lost=lost, is_seen=write.shows_change)


def _disappeared(write: Write) -> Outcome:
    action = write.action
    others = "".join(f"; {describe(action.resource, other)} is listed by now" for other in write.doubles)
    message = f"{action.description} disappeared while it was being updated{others}. Run the task again"
    error = write.last.error or write.not_verified(message)
    lost = ("everything",) if write.maybe_applied else ()
    return Outcome(action, None, write.maybe_applied, error, action.unverified, is_seen=False, lost=lost)


def _restored(write: Write) -> tuple[str, ...]:
    """Return the names of the fields that the console changed beyond the request and that have their old values again."""
    seen = [record for reading in write.readings for record in reading]
    changed = [[change.field.name for change in write.action.unrequested_changes(record)] for record in seen]
    otherwise = {*changed[-1], *write.action.unshown(seen[-1])}
    names = dict.fromkeys(chain(*changed, *map(write.action.vanished, seen)))
    return tuple(name for name in names if name not in otherwise)


def _explain_update(write: Write, refused: list[Difference], unrequested: list[Difference]) -> ConsoleError:
    error = write.last.error
    if error and (not write.maybe_applied or not write.shows_change):
        return error.followed_by(cause) if (cause := _likely_cause(write)) else error
    name = write.action.description
    if not write.shows_change:
        return write.not_verified(
            f"{name} does not show the update that the console accepted: after {WATCH_SECONDS:g} s,"
            f" {format_differences(refused)}. Run the task again in case the console is slow. If it stays so, the console"
            " does not accept this change"
        )
    facts = []
    if refused:
        facts.append(f"not all of it was accepted: {format_differences(refused)}")
    if unrequested:
        lost = "; ".join(each.format("was {wanted}, is {actual}") for each in unrequested)
        hopeless = ", and could not be restored" if len(write.sent) > 1 else ""
        facts.append(
            f"fields that were not in the update changed meanwhile, by the console or by somebody else{hopeless}: {lost}"
        )
    if error:
        facts.append(f"the last request failed: {error}")
    return write.not_verified(f"{name} was updated, but {'; '.join(facts)}. Accept that, or correct it in the console")


def _likely_cause(write: Write) -> str:
    """Return a sentence on what a failed update may have done, or may still do, unseen; blank for nothing."""
    if write.is_lost:
        return MAY_STILL_BE_CARRIED_OUT
    is_hidden = write.maybe_applied and any(write.action.unshown(record) for record in write.found)
    return "It may have been carried out, in a field that is not shown. Look at the record." if is_hidden else ""


# Deletions: one is done once the record is no longer listed, whatever the response was.


def _after_deletion(write: Write, time: float) -> Decision:
    action, last, error = write.action, write.last, write.last.error
    if (record := write.now.by_id((action.current or {})["id"])) is None:
        return _gone(write, time)
    # If the response was lost, a repeated deletion no longer finds the record, which may go on showing for a while.
    may_vanish = error is None or (last.status == NOT_FOUND and last.maybe_applied)
    if not write.is_late(write.wait_timeout if may_vanish else _window(write, last.maybe_applied), time):
        return None
    if error is None:
        text = f"{action.description} is still listed {write.wait_timeout:g} s after its deletion was accepted. Run the task again"
        return Outcome(action, record, True, write.not_verified(text), is_seen=False)
    if last.status in NO_SUCH_ROUTE and not last.maybe_applied:
        message = f"this console does not delete {action.resource.plural}. Use its web pages. {error}"
        return Outcome(action, record, False, ConsoleError(message, **error.details))
    return write.fail(error)


def _gone(write: Write, time: float) -> Decision:
    """Decide on a record that is gone. If the console refused to delete it or did not know it, somebody else deleted it.

    Unless an id was given, the key itself must be absent, so another record that has the key now is reported.
    """
    is_contradiction = not write.maybe_applied and write.last.status != NOT_FOUND
    if (is_contradiction or write.found) and not write.is_settled(time):
        return None
    if not write.found:
        return Outcome(write.action, None, write.maybe_applied)
    other = write.found[0]
    message = (
        f"{write.action.description} is gone, but {describe(write.action.resource, other)} is listed by now, which somebody"
        " else may have created. Run the task again to delete it, too"
    )
    return Outcome(write.action, other, write.maybe_applied, write.not_verified(message))


_RULES = {CREATE: _after_creation, UPDATE: _after_update, DELETE: _after_deletion}
