# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Carries out the writes of one or more lists side by side, in rounds, until it is known what became of each."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from ..api.lists import Store
from ..errors import ConsoleError
from ..http.policy import backoff
from ..model.plan import DELETE, UPDATE, Plan
from ..model.records import Records
from ..model.resources import Resource
from .history import Outcome
from .operation import Operation

Item = TypeVar("Item")
# Of a field that kept two values, none is taken for the one that a console would reset it to.
_ENOUGH_VALUES = 2


def open_operations(store: Store, records: Records, plans: list[Plan], wait_timeout: float) -> list[Operation]:
    """Return the writes that the plans for a list need."""
    return [Operation(store, records, plan, wait_timeout) for plan in plans if plan.changed]


def outcomes_of(plans: list[Plan], operations: list[Operation]) -> list[Outcome]:
    """Return what became of each plan, by the operations that were carried out."""
    done = {id(operation.plan): operation.outcome for operation in operations}
    return [done.get(id(plan)) or Outcome(plan, plan.current, False, None, plan.unverified) for plan in plans]


def carry_out(operations: list[Operation], concurrency: int) -> None:
    """Send what is due and read the lists, until the outcome of each operation is known.

    Some updates of each resource go ahead of everything else, since nobody knows what else an update does.
    """
    first_updates = _FirstUpdates.of_each_resource(operations)
    while first := [operation for updates in first_updates for operation in updates.choose()]:
        _carry_out(first, concurrency)
        for updates in first_updates:
            updates.learn()
    _carry_out([operation for operation in operations if operation.outcome is None], concurrency)


class _FirstUpdates:
    """The updates of one resource, of which some go ahead, one at a time, to see what updates do beyond the request.

    That a field is reset shows where it had another value. So updates go ahead until each field that they leave out was
    seen to keep two different values. If it is reset, the others carry the whole record, so that not one of them is
    without its other fields for a moment; if it could not be restored, the others are not sent at all. Those that were
    refused or lost tell nothing: after each of them, twice as many go ahead, so that not thousands wait for each other.
    """

    def __init__(self, updates: list[Operation]) -> None:
        self._waiting = updates
        self._ahead: list[Operation] = []
        self._size = 1
        self._has_seen_any = False
        self._kept: dict[str, set[str]] = {}

    @classmethod
    def of_each_resource(cls, operations: list[Operation]) -> list[_FirstUpdates]:
        """Return the updates among the operations, by their resource."""
        by_resource: dict[Resource, list[Operation]] = {}
        for operation in operations:
            if operation.plan.action is UPDATE:
                by_resource.setdefault(operation.plan.resource, []).append(operation)
        return [cls(updates) for updates in by_resource.values()]

    def choose(self) -> list[Operation]:
        """Return the next updates to go ahead, none where enough is known."""
        candidates = (n for n, update in enumerate(self._waiting) if self._can_tell_more(update))
        numbers = set(islice(candidates, self._size))
        self._ahead = [self._waiting[number] for number in sorted(numbers)]
        self._waiting = [update for number, update in enumerate(self._waiting) if number not in numbers]
        return self._ahead

    def _can_tell_more(self, update: Operation) -> bool:
        """Return whether an update leaves out a field with a value that no field of its name was seen to keep yet."""
        return not self._has_seen_any or any(
            value not in seen
            for name, value in update.plan.left_out.items()
            if len(seen := self._kept.get(name, set())) < _ENOUGH_VALUES
        )

    def learn(self) -> None:
        """Take note of what became of the updates that went ahead, and let the others do as they suggest."""
        outcomes = [(update, update.outcome) for update in self._ahead if update.outcome]
        seen = [update for update, outcome in outcomes if outcome.changed and outcome.is_seen]
        self._size = 1 if seen else 2 * self._size
        self._has_seen_any = self._has_seen_any or bool(seen)
        for update in seen:
            for name, value in update.plan.left_out.items():
                self._kept.setdefault(name, set()).add(value)
        for update, outcome in outcomes:
            if outcome.lost:
                self._skip(_explain_loss(update.plan, outcome))
            elif update.suggests_whole_body:
                for other in self._waiting:
                    other.use_whole_body()

    def _skip(self, reason: str) -> None:
        """Do not send the others."""
        for update in self._waiting:
            update.skip(reason)
        self._waiting = []


def _explain_loss(plan: Plan, outcome: Outcome) -> str:
    """Return why an update keeps others from being sent."""
    names = ", ".join(outcome.lost)
    if outcome.error:
        return f"an update of {plan.description} lost {names}, which could not be restored"
    return (
        f"since an update of {plan.description}, the console does not show its {names}, which may be lost. To go on all the"
        f" same, give {names} in each item"
    )


def _carry_out(pending: list[Operation], concurrency: int) -> None:
    """Do the same for operations that do not wait for each other."""
    pauses = backoff(0.1, 5.0)
    while pending:
        due = [operation for operation in pending if operation.needs_request]
        if due:
            _send(due, concurrency)
            pauses = backoff(0.1, 5.0)
        else:
            pending[0].store.client.clock.sleep(next(pauses))
        _observe(pending, concurrency)
        pending = [operation for operation in pending if operation.outcome is None]


def _send(operations: list[Operation], concurrency: int) -> None:
    """Send requests, deletions last, so that whatever stops the task leaves as much as possible in place."""
    others = [operation for operation in operations if operation.plan.action is not DELETE]
    deletions = [operation for operation in operations if operation.plan.action is DELETE]
    for group in filter(None, (others, deletions)):
        breaker = group[0].store.client.breaker
        if breaker:
            breaker.close()
        side_by_side(Operation.send, group, concurrency)
    for operation in operations:
        operation.start_watching()


def _observe(operations: list[Operation], concurrency: int) -> None:
    """Read the list of each store once, and show it to its operations."""
    concerned: dict[Store, list[Operation]] = {}
    for operation in operations:
        if operation.outcome is None:
            concerned.setdefault(operation.store, []).append(operation)

    def look(store: Store) -> None:
        try:
            records = store.read()
        except ConsoleError as error:
            for operation in concerned[store]:
                operation.observe_error(error)
            return
        for operation in concerned[store]:
            operation.observe(records)

    side_by_side(look, list(concerned), concurrency)


def side_by_side(function: Callable[[Item], object], items: list[Item], concurrency: int) -> None:
    """Call a function with each item, with so many of them at a time."""
    if concurrency == 1 or len(items) < 2:
        for item in items:
            function(item)
    else:
        with ThreadPoolExecutor(concurrency) as pool:
            list(pool.map(function, items))
