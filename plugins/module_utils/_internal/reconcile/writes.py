# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Carries out the writes of one or more lists side by side, in rounds, until it is known what became of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ..api.store import Store
from ..errors import ConsoleError
from ..http.retry import backoff
from ..model.plan import DELETE, UPDATE, Plan
from ..model.records import Records
from ..model.resources import Resource
from .history import Outcome
from .operation import Operation

Item = TypeVar("Item")


def open_operations(store: Store, records: Records, plans: list[Plan], wait_timeout: float) -> list[Operation]:
    """Return the writes that the plans for a list need."""
    return [Operation(store, records, plan, wait_timeout) for plan in plans if plan.changed]


def outcomes_of(plans: list[Plan], operations: list[Operation]) -> list[Outcome]:
    """Return what became of each plan, by the operations that were carried out."""
    done = {id(operation.plan): operation.outcome for operation in operations}
    return [done.get(id(plan)) or Outcome(plan, plan.current, False, None, plan.unverified) for plan in plans]


def carry_out(operations: list[Operation], concurrency: int) -> None:
    """Send what is due and read the lists, until the outcome of each operation is known.

    The first update of each resource goes ahead of everything else. Where it shows that the console resets what an update
    leaves out, the other updates carry the whole record, so that not one of them is without its other fields for a moment.
    """
    updates = [operation for operation in operations if operation.plan.action is UPDATE]
    first = {operation.plan.resource: operation for operation in reversed(updates)}
    held = [operation for operation in operations if operation not in first.values()] if first else []
    pending = list(first.values()) or operations
    pauses = backoff(0.1, 5.0)
    while pending or held:
        if not pending:
            _learn(held, first)
            pending, held = held, []
        due = [operation for operation in pending if operation.needs_request]
        if due:
            _send(due, concurrency)
            pauses = backoff(0.1, 5.0)
        else:
            pending[0].store.client.clock.sleep(next(pauses))
        _observe(pending, concurrency)
        pending = [operation for operation in pending if operation.outcome is None]


def _learn(operations: list[Operation], first: Mapping[Resource, Operation]) -> None:
    """Let updates carry the whole record, where the first of their resource needed it."""
    for operation in operations:
        if operation.plan.action is UPDATE and first[operation.plan.resource].suggests_whole_body:
            operation.use_whole_body()


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
