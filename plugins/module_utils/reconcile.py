# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes it so: reads, plans, and carries the plans out, or in check mode only tells what they are."""

from __future__ import annotations

from collections.abc import Callable

from .change import Result, change_for
from .model.plan import Plan
from .model.records import Records
from .store import Store

Planner = Callable[[Records], list[Plan]]


def reconcile(
    store: Store, planner: Planner, wait_timeout: float, check_mode: bool, concurrency: int = 1
) -> list[Result]:
    """Bring the records of a store to what the plans want, or in check mode only predict it.

    Errors before the first write are raised; those after it stand in the results.
    """
    records = store.read()
    results = [Result(plan) for plan in planner(records)]
    if check_mode:
        for result in results:
            result.record, result.changed = result.plan.prediction, result.plan.changed
        return results
    changes = [change_for(store, records, result, wait_timeout) for result in results if result.plan.changed]
    if changes:
        # Threads are costly to import, and most tasks change nothing.
        from .rounds import carry_out  # noqa: PLC0415

        carry_out(store, changes, concurrency)
    return results
