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
from .plan import DELETE, NOTHING, Action, plan_action
from .problems import Problem
from .records import Record, Records


def plan_list(records: Records, goals: list[Goal], purge: bool) -> tuple[list[Action], list[Problem]]:
    """Return the actions for the goals, with `purge` also for the records that no goal claims, and all problems."""
    actions, problems = plan_goals(records, goals)
    actions += plan_purge(records, actions) if purge else []
    return actions, problems


def plan_goals(records: Records, goals: list[Goal]) -> tuple[list[Action], list[Problem]]:
    """Return an action for each goal that can be reached, and a problem for each that cannot or that shares its record."""
    actions: list[Action] = []
    problems: list[Problem] = []
    for goal in goals:
        try:
            actions.append(plan_action(records, goal))
        except ConsoleError as error:
            problems.append(Problem(goal.label(), goal.name or goal.label(), str(error)))
    return actions, [*problems, *_duplicates(actions)]


def plan_purge(records: Records, actions: list[Action]) -> list[Action]:
    """Return a deletion, by id, of each record that no action claims."""
    return [
        Action(Goal(records.resource, False, {}, record["id"]), DELETE, record, is_purge=True)
        for record in unclaimed(records, actions)
    ]


def unclaimed(records: Records, actions: Iterable[Action]) -> list[Record]:
    """Return the records that no item claims."""
    return records.unclaimed(
        {str(action.current["id"]) for action in actions if action.current and not action.is_purge}
    )


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
    if all(action.goal.id is None and action.goal.renamed_from is None for action in actions):
        found = {
            id(action.current) if action.current else action.resource.normalize_key(action.key) for action in actions
        }
        if len(found) == len(actions):
            return
    claimed: dict[Any, Action] = {}
    for action in actions:
        others = [other for claim in _claims(action) if (other := claimed.setdefault(claim, action)) is not action]
        if others:
            yield Problem(action.label, _name(action), f"refers to the same record as {_name(others[0])}.")


def _name(action: Action) -> str:
    """Return the name of an action's item in messages."""
    return action.goal.name or action.label


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
    if action.goal.renamed_from is not None:
        yield ("key", action.resource.normalize_key(action.goal.renamed_from))
