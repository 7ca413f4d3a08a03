# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans for a whole list of goals, and for what no goal claims. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import ConsoleError
from .plan import Action, Goal, Plan, key_of, make_plan
from .records import Records, say


class Problem(NamedTuple):
    """Why one item of a list cannot be done; `key` tells which."""

    key: str
    message: str


class BadList(ConsoleError):
    """A list that cannot be planned: all that is wrong with it, found before anything is written."""

    def __init__(self, noun: str, problems: list[Problem]) -> None:
        told = " ".join(f"[{problem.key}] {problem.message}" for problem in problems)
        super().__init__(f"Nothing was written, since not every {noun} of the list can be meant: {told}")
        self.problems = problems


def plan_all(records: Records, goals: list[Goal], purge: bool) -> list[Plan]:
    """A plan for each goal, in order, and with `purge` one for each record that no goal claims by id or key.

    BadList where a goal cannot be planned, or two goals mean the same record.
    """
    plans: list[Plan] = []
    problems: list[Problem] = []
    for goal in goals:
        try:
            plans.append(make_plan(records, goal))
        except ConsoleError as error:
            problems.append(Problem(key_of(records.resource, goal, None), str(error)))
    problems.extend(_doubled(plans))
    if problems:
        raise BadList(records.resource.noun, problems)
    return plans + (_purge(records, plans) if purge else [])


def _doubled(plans: list[Plan]) -> Iterator[Problem]:
    """Items that mean what an earlier one means, by id or by key."""
    claimed: dict[Any, str] = {}
    for plan in plans:
        key = plan.key
        claims = set(_claims(plan))
        taken = next((claimed[claim] for claim in claims if claim in claimed), None)
        if taken is not None:
            yield Problem(key, f"is in the list twice, also as {say(taken)}.")
        claimed.update(dict.fromkeys(claims, key))


def _claims(plan: Plan) -> Iterator[Any]:
    """What no other item may mean: the record, its key, and the key that it is to have."""
    if plan.current:
        yield ("id", str(plan.current["id"]))
    for key in (plan.goal.values.get(plan.resource.key.name), (plan.current or {}).get(plan.resource.key.wire)):
        meaning = plan.resource.key_meaning(key)
        if meaning is not None:
            yield ("key", meaning)


def _purge(records: Records, plans: list[Plan]) -> list[Plan]:
    claimed = {str(plan.current["id"]) for plan in plans if plan.current}
    return [
        Plan(records.resource, Goal(False, {}, record["id"]), Action.DELETE, record)
        for record in records
        if str(record["id"]) not in claimed
    ]
