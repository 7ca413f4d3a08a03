# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans for a whole list of goals, and for the records that no goal claims. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import ConsoleError
from .goal import Goal
from .plan import DELETE, Plan, make_plan
from .problems import Problem, invalid_items
from .records import Records
from .resources import Resource
from .selection import goal_key


def find_duplicates(resource: Resource, goals: Iterable[Goal]) -> Iterator[Problem]:
    """Yield the goals that name the record of an earlier one, by id or by key, whatever records there are."""
    named: dict[Any, Goal] = {}
    for goal in goals:
        key = goal.values.get(resource.key.name) if resource.key else None
        claim = ("key", resource.normalize_key(key)) if goal.id is None else ("id", str(goal.id))
        other = named.setdefault(claim, goal)
        if other is not goal:
            key = goal_key(resource, goal)
            place = {} if resource.is_in_volume else {"volume": key, "kind": resource.plural}
            yield Problem(key, goal.name, _same_record(other.name), place)


def plan_all(records: Records, goals: list[Goal], purge: bool) -> list[Plan]:
    """Return the plans for a list; ConsoleError with all problems where it has any."""
    plans, problems = plan_list(records, goals, purge)
    if problems:
        raise invalid_items(problems)
    return plans


def plan_list(records: Records, goals: list[Goal], purge: bool) -> tuple[list[Plan], list[Problem]]:
    """Return the plans for goals, and with `purge` for the records that none of them claims; and all problems."""
    plans, problems = plan_goals(records, goals)
    purged, refused = plan_purge(records, goals, plans) if purge else ([], [])
    return plans + purged, problems + refused


def distinct_keys(plans: Iterable[Plan]) -> Iterator[str]:
    """Yield what results call the record of each plan: its key, with its id where another plan has that key."""
    plans = list(plans)
    keys = Counter(plan.result_key for plan in plans)
    for plan in plans:
        key, current = plan.result_key, plan.current
        yield f"{key} (id {current['id']})" if keys[key] > 1 and current else key


def plan_goals(records: Records, goals: list[Goal]) -> tuple[list[Plan], list[Problem]]:
    """Return a plan for each goal, in order.

    Goals that cannot be planned have no plan but a problem; two that refer to the same record have both.
    """
    plans: list[Plan] = []
    problems: list[Problem] = []
    for goal in goals:
        try:
            plans.append(make_plan(records, goal))
        except ConsoleError as error:
            key = goal_key(records.resource, goal)
            problems.append(Problem(key, goal.name or key, str(error)))
    return plans, [*problems, *_duplicates(plans), *_lookalikes(plans)]


def plan_purge(records: Records, goals: list[Goal], plans: list[Plan]) -> tuple[list[Plan], list[Problem]]:
    """Return a plan to delete each record that no goal claims by id or key; a problem if that would empty the list."""
    claimed = {str(plan.current["id"]) for plan in plans if plan.current}
    purged = [
        Plan(records.resource, Goal(False, {}, record["id"]), DELETE, record)
        for record in records
        if str(record["id"]) not in claimed
    ]
    if not purged or any(goal.present for goal in goals):
        return purged, []
    message = (
        f"no item is present, so purge would delete all that there are: {len(purged)}. Leave the list out, or name each"
        " record to be deleted, with state absent."
    )
    return purged, [Problem("purge", f"{records.resource.plural}{records.place}", message)]


def _duplicates(plans: list[Plan]) -> Iterator[Problem]:
    """Yield the items that refer to the record of an earlier one, by id or by key."""
    # Where all keys differ and there are no ids, no two items can refer to one record, so long lists skip the search.
    keys = {plan.resource.normalize_key(plan.key) for plan in plans}
    if len(keys) == len(plans) and all(plan.goal.id is None for plan in plans):
        return
    claimed: dict[Any, Plan] = {}
    for plan in plans:
        others = [other for claim in _claims(plan) if (other := claimed.setdefault(claim, plan)) is not plan]
        if others:
            yield Problem(plan.result_key, _name(plan), _same_record(_name(others[0])))


def _lookalikes(plans: list[Plan]) -> Iterator[Problem]:
    """Yield the items whose key differs only in white space from that of another, where not both records have theirs.

    Once one of the two existed alone, nobody could say which is meant. Two that are to be absent cannot be confused.
    """
    # Where all records have their keys none of them can be confused, so thousands need not be compared.
    if all(_has_key(plan) for plan in plans):
        return
    seen: dict[Any, Plan] = {}
    for plan in plans:
        if plan.key is None:
            continue
        normalize = plan.resource.normalize_key
        other = seen.setdefault(plan.resource.trim_key(plan.key), plan)
        is_harmless = (_has_key(plan) and _has_key(other)) or not (plan.goal.present or other.goal.present)
        if not is_harmless and normalize(plan.key) != normalize(other.key):
            yield Problem(plan.result_key, _name(plan), f"differs from {_name(other)} only in white space.")


def _same_record(other: str) -> str:
    return f"refers to the same record as {other}."


def _has_key(plan: Plan) -> bool:
    """Return whether the record of an item exists, and has the key that it is to have."""
    return plan.current is not None and not plan.changes_key


def _name(plan: Plan) -> str:
    return plan.goal.name or plan.result_key


def _claims(plan: Plan) -> Iterator[Any]:
    """Yield what no other item may refer to: the record, and the key by which it is found or that it is to have.

    An item with an id is the record of that id, whichever others share its key.
    """
    identity = plan.current["id"] if plan.current else plan.goal.id
    if identity is not None:
        yield ("id", str(identity))
    normal = plan.resource.normalize_key(plan.key)
    if normal is not None and (plan.goal.id is None or plan.changes_key):
        yield ("key", normal)
