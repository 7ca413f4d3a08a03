# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keys that some consoles take for one: actions whose key is near that of another record are doubted or refused. Pure.

A console may fold letter case or Unicode forms. On such a console, each run would create one more record under another
spelling of its key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from .plan import UPDATE, Action
from .records import Record, Records, ambiguous, describe, format_value, near_miss
from .resources import CASE, WHITE_SPACE

_MAY_BE_ONE = "Some consoles take the two for one."


def needs_key(action: Action) -> bool:
    """Return whether an action has a key that its record lacks."""
    return action.changes_key if action.verb is UPDATE else action.current is None


def check_key(records: Records, action: Action, claimed: Collection[str] = ()) -> Action:
    """Return an action with the doubts that its key raises; ConsoleError if it may well be meant for another record.

    `claimed` holds the ids of the records of the task's other items.
    """
    if not needs_key(action):
        return action
    if action.goal.present:
        _refuse_ignored_doubles(records, action.key)
    found = (_judge(records, action, *near, str(near[0]["id"]) in claimed) for near in _near_misses(records, action))
    return _with_doubts(action, *filter(None, found))


def doubt_twins(action: Action, other: Action) -> Action:
    """Return an action, with a doubt if another one makes a key near its own."""
    # Of thousands of actions, hardly any meets another one here.
    difference = "" if other is action else action.resource.near_miss(action.key, other.key)
    if not difference or not (action.goal.present and other.goal.present):
        return action
    return _with_doubts(action, f"{name_of(action)} differs from {name_of(other)} only in {difference}. {_MAY_BE_ONE}")


def name_of(action: Action) -> str:
    """Return the name of an action's item in messages."""
    return action.goal.name or action.label


def _near_misses(records: Records, action: Action) -> Iterator[tuple[Record, Any, str]]:
    """Yield the records that may be meant instead, each with the key near its own, and the difference.

    Those that differ in white space were refused when the record was selected.
    """
    former = None if action.current else action.goal.was
    for key in (action.key, former):
        for record in records.near_misses(key):
            difference = action.resource.near_miss(key, action.resource.key_of(record))
            if difference is not WHITE_SPACE and record is not action.current:
                yield record, key, difference


def _judge(records: Records, action: Action, record: Record, key: Any, difference: str, is_claimed: bool) -> str:
    """Return the doubt that a record raises, blank for none; ConsoleError if it may as well be the one that is meant."""
    resource = action.resource
    is_likely_another = difference is CASE and resource.distinguishes_case
    if action.goal.present and not (is_claimed or is_likely_another):
        raise near_miss(resource, record, key)
    doubles = records.by_key(resource.key_of(record))
    if action.goal.present and len(doubles) > 1:
        # The console may have created them for this very key.
        raise ambiguous(resource, doubles)
    if is_claimed and not action.goal.present:
        return ""
    advice = _MAY_BE_ONE if is_claimed else f"If that one is meant, use its exact {resource.key.name}."
    name = f"{resource.noun} {format_value(key)}"
    return f"There is no {name}, but {describe(resource, record)} differs from it only in {difference}. {advice}"


def _refuse_ignored_doubles(records: Records, key: Any) -> None:
    """Refuse a key if several ignored records share one near it: the console may have created them for this very key.

    A single ignored record is no near miss.
    """
    for record in records.ignored_records.near_misses(key):
        doubles = records.ignored_records.by_key(records.resource.key_of(record))
        if len(doubles) > 1:
            raise ambiguous(records.resource, doubles)


def _with_doubts(action: Action, *doubts: str) -> Action:
    return action._replace(doubts=(*action.doubts, *doubts)) if doubts else action
