# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan for a whole list of goals, and for the records that no goal claims. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import ConsoleError
from .goals import Goal
from .plan import DELETE, NOTHING, Action, plan_action
from .problems import Problem
from .records import Records


def plan_list(records: Records, goals: list[Goal], purge: bool) -> tuple[list[Action], list[Problem]]:
    """Return the actions for goals, and with `purge` for the records that none of them claims; and all problems."""
    actions, problems = plan_goals(records, goals)
    purged, refused = plan_purge(records, goals, actions) if purge else ([], [])
    return actions + purged, problems + refused


def plan_goals(records: Records, goals: list[Goal]) -> tuple[list[Action], list[Problem]]:
    """Return an action for each goal, in order.

    Goals that cannot be reached have no action but a problem; two that refer to the same record have both.
    """
    actions: list[Action] = []
    problems: list[Problem] = []
    for goal in goals:
        try:
            actions.append(plan_action(records, goal))
        except ConsoleError as error:
            problems.append(Problem(goal.label(), goal.name or goal.label(), str(error)))
    return actions, [*problems, *_duplicates(actions), *_lookalikes(actions)]


def plan_purge(records: Records, goals: list[Goal], actions: list[Action]) -> tuple[list[Action], list[Problem]]:
    """Return a deletion of each record that no goal claims by id or key; a problem if that would empty the list."""
    claimed = {str(action.current["id"]) for action in actions if action.current}
    purged = [
        Action(Goal(records.resource, False, {}, record["id"]), DELETE, record)
        for record in records
        if str(record["id"]) not in claimed
    ]
    if not purged or any(goal.present for goal in goals):
        return purged, []
    message = (
        f"no item is present, so purge would delete all that there are: {len(purged)}. Leave the list out, or name each"
        " record to be deleted, with state absent."
    )
    return purged, [Problem("purge", f"{records.resource.plural}{records.of_volume}", message)]


def find_duplicates(goals: Iterable[Goal]) -> Iterator[Problem]:
    """Yield the goals that name the record of an earlier one, by id or by key, whatever records there are."""
    return _duplicates([Action(goal, NOTHING) for goal in goals])


def distinct_labels(actions: Iterable[Action]) -> Iterator[str]:
    """Yield what results call the record of each action: its key, with its id where another action has that key."""
    labelled = [(action.label, action.current) for action in actions]
    counts = Counter(label for label, _current in labelled)
    for label, current in labelled:
        yield f"{label} (id {current['id']})" if counts[label] > 1 and current else label


def _duplicates(actions: list[Action]) -> Iterator[Problem]:
    # Where all keys differ and there are no ids, no two items can refer to one record, so long lists skip the search.
    keys = {action.resource.normalize_key(action.key) for action in actions}
    if len(keys) == len(actions) and all(action.goal.id is None for action in actions):
        return
    claimed: dict[Any, Action] = {}
    for action in actions:
        others = [other for claim in _claims(action) if (other := claimed.setdefault(claim, action)) is not action]
        if others:
            yield Problem(action.label, _name(action), f"refers to the same record as {_name(others[0])}.")


def _lookalikes(actions: list[Action]) -> Iterator[Problem]:
    """Yield the items whose key differs only in white space from that of another, where not both records have theirs.

    Once one of the two existed alone, nobody could say which is meant. Two that are to be absent cannot be confused.
    """
    # Where all records have their keys none of them can be confused, so thousands need not be compared.
    if all(_has_key(action) for action in actions):
        return
    seen: dict[Any, Action] = {}
    for action in (action for action in actions if action.key is not None):
        normalize = action.resource.normalize_key
        other = seen.setdefault(normalize(action.key, strip=True), action)
        is_harmless = (_has_key(action) and _has_key(other)) or not (action.goal.present or other.goal.present)
        if not is_harmless and normalize(action.key) != normalize(other.key):
            yield Problem(action.label, _name(action), f"differs from {_name(other)} only in white space.")


def _has_key(action: Action) -> bool:
    """Return whether the record of an item exists, and has the key that it is to have."""
    return action.current is not None and not action.changes_key


def _name(action: Action) -> str:
    return action.goal.name or action.label


def _claims(action: Action) -> Iterator[Any]:
    """Yield what no other item may refer to: the record, and the key by which it is found or that it is to have.

    An item with an id is the record of that id, whichever others share its key.
    """
    identity = action.current["id"] if action.current else action.goal.id
    if identity is not None:
        yield ("id", str(identity))
    normal = action.resource.normalize_key(action.key)
    if normal is not None and (action.goal.id is None or action.changes_key):
        yield ("key", normal)
