# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings a list to what is wanted: reads it, plans, writes what differs side by side, and reads back what came of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ..api.store import Store
from ..errors import ConsoleError
from ..http.retry import backoff
from ..model.plan import DELETE, UPDATE, Plan
from ..model.records import Records
from .history import Outcome
from .operation import Operation

Planner = Callable[[Records], list[Plan]]


def reconcile(
    store: Store, planner: Planner, wait_timeout: float, check_mode: bool, concurrency: int = 1
) -> list[Outcome]:
    """Carry out what the plans want, or in check mode only predict it, and return what became of each plan.

    Errors before the first write are raised; those after it are in the outcomes.
    """
    records = store.read()
    plans = planner(records)
    if check_mode:
        return predict(plans)
    operations = {id(plan): Operation(store, records, plan, wait_timeout) for plan in plans if plan.changed}
    carry_out(list(operations.values()), concurrency)
    return [_outcome(plan, operations.get(id(plan))) for plan in plans]


def predict(plans: list[Plan]) -> list[Outcome]:
    """Return what would become of each plan."""
    return [Outcome(plan, plan.prediction, plan.changed, None, plan.unverified) for plan in plans]


def carry_out(operations: list[Operation], concurrency: int) -> None:
    """Send what is due and read the lists, until the outcome of each operation is known.

    The first update goes ahead of everything else. Where it shows that the console resets what an update leaves out, the
    other updates carry the whole record, so that not one of them is without its other fields for a moment.
    """
    updates = [operation for operation in operations if operation.plan.action is UPDATE]
    held = [operation for operation in operations if operation is not updates[0]] if updates else []
    pending = updates[:1] or operations
    pauses = backoff(0.1, 5.0)
    while pending or held:
        if held and updates[0].outcome:
            if updates[0].suggests_whole_body:
                for operation in updates[1:]:
                    operation.use_whole_body()
            pending, held = pending + held, []
        due = [operation for operation in pending if operation.needs_request]
        if due:
            _send(due, concurrency)
            pauses = backoff(0.1, 5.0)
        else:
            pending[0].store.client.clock.sleep(next(pauses))
        _observe([operation for operation in pending if operation.outcome is None])
        pending = [operation for operation in pending if operation.outcome is None]


def _send(operations: list[Operation], concurrency: int) -> None:
    """Send requests, deletions last, so that whatever stops the task leaves as much as possible in place."""
    others = [operation for operation in operations if operation.plan.action is not DELETE]
    deletions = [operation for operation in operations if operation.plan.action is DELETE]
    for group in filter(None, (others, deletions)):
        breaker = group[0].store.client.breaker
        if breaker:
            breaker.close()
        if concurrency == 1 or len(group) == 1:
            for operation in group:
                operation.send()
        else:
            with ThreadPoolExecutor(concurrency) as pool:
                list(pool.map(Operation.send, group))
    for operation in operations:
        operation.start_watching()


def _observe(operations: list[Operation]) -> None:
    """Read the list of each store once, and show it to its operations."""
    stores = {operation.store for operation in operations}
    for store in stores:
        concerned = [operation for operation in operations if operation.store is store]
        try:
            records = store.read()
        except ConsoleError as error:
            for operation in concerned:
                operation.observe_error(error)
            continue
        for operation in concerned:
            operation.observe(records)


def _outcome(plan: Plan, operation: Operation | None) -> Outcome:
    if operation is None or operation.outcome is None:
        return Outcome(plan, plan.current, False, None, plan.unverified)
    return operation.outcome
