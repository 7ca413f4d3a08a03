# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings a list to what is wanted: reads it, plans, and has written what differs."""

from __future__ import annotations

from collections.abc import Callable

from ..api.lists import Store
from ..model.plan import Plan
from ..model.records import Records
from .history import Outcome

Planner = Callable[[Records], list[Plan]]


def reconcile(
    store: Store, planner: Planner, wait_timeout: float, check_mode: bool, concurrency: int = 1
) -> list[Outcome]:
    """Carry out what the plans want, or in check mode only predict it, and return what became of each plan.

    Errors before the first write are raised; those after it are in the outcomes.
    """
    records = store.read()
    plans = planner(records)
    if check_mode or not any(plan.changed for plan in plans):
        return predict(plans)
    # Most tasks change nothing, and what is not loaded is not compiled: Ansible ships sources.
    from .writes import carry_out, open_operations, outcomes_of  # noqa: PLC0415

    operations = open_operations(store, records, plans, wait_timeout)
    carry_out(operations, concurrency)
    return outcomes_of(plans, operations)


def predict(plans: list[Plan]) -> list[Outcome]:
    """Return what would become of each plan."""
    return [Outcome(plan, plan.prediction, plan.changed, None, plan.unverified) for plan in plans]
