# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan for a whole list: the action of each item, the purge, and the contradictions between items. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import ConsoleError
from .goals import Goal
from .near_misses import check_key, doubt_twins, name_of, needs_key
from .nested_limits import doubt_nested_limits
from .plan import DELETE, NOTHING, Action, plan_action
from .problems import Problem
from .records import Record, Records


def plan_list(records: Records, goals: list[Goal], purge: bool) -> tuple[list[Action], list[Problem]]:
    """Return the actions for the goals, with `purge` also for the records that no goal claims, and all problems."""
    actions, problems = plan_goals(records, goals)
    actions += plan_purge(records, actions) if purge else []
    return doubt_nested_limits(records, actions), problems


def plan_goals(records: Records, goals: list[Goal]) -> tuple[list[Action], list[Problem]]:
    """Return an action for each goal that can be reached, and a problem for each that cannot or that shares its record."""
    actions: list[Action] = []
    problems: list[Problem] = []
    for goal in goals:
        try:
            actions.append(plan_action(records, goal))
        except ConsoleError as error:
            problems.append(Problem(goal.label(), goal.name or goal.label(), str(error)))
    problems += [*_duplicates(actions), *_alike_but_for_white_space(actions)]
    actions, refused = _check_keys(records, actions)
    return actions, problems + refused


def plan_purge(records: Records, actions: list[Action]) -> list[Action]:
    """Return a deletion, by id, of each record that no action claims, except those of a rotation."""
    return [
        Action(Goal(records.resource, False, {}, record["id"]), DELETE, record, is_purge=True)
        for record in unclaimed(records, actions)
        if not records.is_rotating(record)
    ]


def unclaimed(records: Records, actions: Iterable[Action]) -> list[Record]:
    """Return the records that no item claims."""
    claimed = {str(action.current["id"]) for action in actions if action.current and not action.is_purge}
    return [record for record in records if str(record["id"]) not in claimed]


def find_duplicates(goals: Iterable[Goal]) -> Iterator[Problem]:
    """Yield a problem for each goal that names the record of an earlier one, by id or key, whatever the list holds."""
    return _duplicates([Action(goal, NOTHING) for goal in goals])


def distinct_labels(actions: Iterable[Action]) -> Iterator[str]:
    """Yield the label of each action's record in results: its key, with its id if another action has that key."""
    labelled = [(action.label, action.current) for action in actions]
    counts = Counter(label for label, _current in labelled)
    for label, current in labelled:
        yield f"{label} (id {current['id']})" if counts[label] > 1 and current else label


def _duplicates(actions: list[Action]) -> Iterator[Problem]:
    # Without ids and former keys, items that find records, or name keys, of their own cannot meet. Long lists skip the search.
    if all(action.goal.id is None and action.goal.was is None for action in actions):
        found = {
            id(action.current) if action.current else action.resource.normalize_key(action.key) for action in actions
        }
        if len(found) == len(actions):
            return
    claimed: dict[Any, Action] = {}
    for action in actions:
        others = [other for claim in _claims(action) if (other := claimed.setdefault(claim, action)) is not action]
        if others:
            yield Problem(action.label, name_of(action), f"refers to the same record as {name_of(others[0])}.")


def _alike_but_for_white_space(actions: list[Action]) -> Iterator[Problem]:
    """Yield a problem for each item whose key differs only in white space from another's, unless both records have theirs.

    If only one of the two existed, nobody could say which is meant. Two items that are to be absent cannot be confused.
    """
    # If all records have their keys, none can be confused, so thousands need not be compared.
    if all(_has_key(action) for action in actions):
        return
    seen: dict[Any, Action] = {}
    for action in (action for action in actions if action.key is not None):
        normalize = action.resource.normalize_key
        other = seen.setdefault(normalize(action.key, strip=True), action)
        is_harmless = (_has_key(action) and _has_key(other)) or not (action.goal.present or other.goal.present)
        if not is_harmless and normalize(action.key) != normalize(other.key):
            yield Problem(action.label, name_of(action), f"differs from {name_of(other)} only in white space.")


def _check_keys(records: Records, actions: list[Action]) -> tuple[list[Action], list[Problem]]:
    """Return the actions with the doubts about their keys, and a problem for each key that is refused."""
    claimed = {str(action.current["id"]) for action in actions if action.current}
    new: dict[Any, Action] = {}
    checked: list[Action] = []
    problems: list[Problem] = []
    for action in actions:
        doubted = action
        if needs_key(action):
            # What is to be absent hides no twins among the others.
            other = new.setdefault(action.resource.fold_key(action.key), action) if action.goal.present else action
            try:
                doubted = doubt_twins(check_key(records, action, claimed), other)
            except ConsoleError as error:
                problems.append(Problem(action.label, name_of(action), str(error)))
        checked.append(doubted)
    return checked, problems


def _has_key(action: Action) -> bool:
    """Return whether the record of an item exists and has the key that it is to have."""
    return action.current is not None and not action.changes_key


def _claims(action: Action) -> Iterator[Any]:
    """Yield the references that no other item may share: to the record, and to the key that it has or is to have.

    An item with an id means the record of that id, even if others share its key.
    """
    identity = action.current["id"] if action.current else action.goal.id
    if identity is not None:
        yield ("id", str(identity))
    normal = action.resource.normalize_key(action.key)
    if normal is not None and (action.goal.id is None or action.changes_key):
        yield ("key", normal)
    # A record that is to be renamed gives up its key, but no other item of this task may take it.
    if action.goal.was is not None:
        yield ("key", action.resource.normalize_key(action.goal.was))
