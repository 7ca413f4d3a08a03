# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the tasks that write have in common: the list that they work on, and their warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from ..api.lists import Store, place_of
from ..api.volumes import find_volume, name_given
from ..errors import ConsoleError
from ..model.goal import Goal
from ..model.plan import DELETE, Plan
from ..model.problems import count_equal
from ..model.records import Records
from ..model.resources import LISTS_OF_VOLUME, VOLUME, Resource
from ..module import Task
from ..options import check_number
from ..reconcile.history import Outcome
from ..reconcile.reconcile import Planner, predict, reconcile

MAX_WAIT = 604_800
"""The longest `wait_timeout`, in seconds: a week."""
MAX_CONCURRENCY = 32
"""The most requests at a time."""
_MAX_IN_DIFF = 100
_MAX_DOUBTS = 3


def check_wait_timeout(task: Task) -> None:
    """Refuse a `wait_timeout` that is out of its bounds."""
    check_number("wait_timeout", task.params["wait_timeout"], 0, MAX_WAIT)


def check_concurrency(task: Task) -> None:
    """Refuse a `concurrency` that is out of its bounds."""
    check_number("concurrency", task.params["concurrency"], 1, MAX_CONCURRENCY)


def open_store(task: Task, resource: Resource, needs_volume: bool) -> Store | None:
    """Return the list that the options name.

    None where its volume does not exist: then everything is gone that should be, and in check mode the volume is taken
    as created by then. ConsoleError where it is needed.
    """
    if not resource.is_in_volume:
        return Store(task.client, resource)
    is_predictable = task.check_mode and task.params["volume_id"] is None
    volume = find_volume(task.client, task.params, required=needs_volume and not is_predictable)
    if volume:
        return Store(task.client, resource, volume)
    name = name_given(task.params)
    if needs_volume:
        task.warn(f"Volume {name} does not exist yet. This prediction takes it as created by then, and as empty.")
    else:
        task.warn(
            f"Volume {name} does not exist, so there is nothing to delete in it. Check that this is the one you mean."
        )
    return None


def write(task: Task, resource: Resource, store: Store | None, planner: Planner, concurrency: int = 1) -> list[Outcome]:
    """Carry out the plans for a list, or in check mode predict it; one that does not exist is taken as empty."""
    if store is None:
        return predict(planner(Records(resource, [])))
    return reconcile(store, planner, task.params["wait_timeout"], task.check_mode, concurrency)


def place(task: Task, store: Store | None) -> str:
    """Return which volume the list belongs to, for messages and headers, also where it does not exist."""
    name = task.params.get("volume")
    return store.place if store else (place_of(name) if name else "")


def warn_of_goals(task: Task, goals: Iterable[Goal]) -> None:
    """Warn of values that are probably not what is meant: of equal ones once, before anything fails for them."""
    doubts = [(goal.name, doubt) for goal in _with_those_below(goals) for doubt in goal.doubts]
    for text in count_equal(doubts):
        task.warn(text.removeprefix(": "))


def _with_those_below(goals: Iterable[Goal]) -> Iterator[Goal]:
    for goal in goals:
        yield goal
        yield from chain.from_iterable(goal.below.values())


def warn_of(outcomes: Sequence[Outcome], subject: str, warn: Callable[[str], None]) -> list[str]:
    """Give one warning of each kind, and return the names of the fields that could not be verified."""
    doubts = [doubt for outcome in outcomes for doubt in outcome.plan.doubts]
    for doubt in doubts[:_MAX_DOUBTS]:
        warn(doubt)
    if len(doubts) > _MAX_DOUBTS:
        warn(f"The same holds for {len(doubts) - _MAX_DOUBTS:,} more of {subject}.")
    unverified = list(dict.fromkeys(name for outcome in outcomes for name in outcome.unverified))
    restored = dict.fromkeys(name for outcome in outcomes for name in outcome.restored)
    if restored:
        warn(
            f"With the update of {subject}, {', '.join(restored)} changed meanwhile, by the console or by somebody else."
            " It was restored."
        )
    if unverified:
        warn(f"The console does not show {', '.join(unverified)} of {subject}, so it could not be verified.")
    return unverified


def lists_below(task: Task, plan: Plan) -> dict[str, Any]:
    """Return what goes with a volume that is deleted, for the diff: the keys of its exports and quotas."""
    if not task.diff_mode or plan.resource is not VOLUME or plan.action is not DELETE or not plan.current:
        return {}
    return {resource.plural: _keys_below(Store(task.client, resource, plan.current)) for resource in LISTS_OF_VOLUME}


def _keys_below(store: Store) -> Any:
    """Return the keys of a list, or why they cannot be shown: that is no reason to keep the volume."""
    try:
        records = store.list_records()
    except ConsoleError as error:
        return str(error)
    keys = [str(store.resource.key_of(record) or f"id {record.get('id')}") for record in records]
    more = [f"and {len(keys) - _MAX_IN_DIFF:,} more"] if len(keys) > _MAX_IN_DIFF else []
    return keys[:_MAX_IN_DIFF] + more
