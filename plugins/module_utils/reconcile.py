# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Makes it so: carries plans out, reads back what became of them, and tells exactly that."""

from __future__ import annotations

from collections.abc import Iterable

from .change import Change, Result, change_for
from .errors import ConsoleError
from .model.plan import Goal, make_plan
from .store import Store

_SHORTEST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0


def reconcile(store: Store, goals: Iterable[Goal], wait_timeout: float, check_mode: bool) -> list[Result]:
    """Bring the records of a store to what the goals want, or in check mode only predict it.

    Errors before the first write are raised; those after it stand in the results.
    """
    records = store.read()
    results = [Result(make_plan(records, goal)) for goal in goals]
    if check_mode:
        for result in results:
            result.record, result.changed = result.plan.prediction, result.plan.changed
        return results
    changes = [change_for(store, records, result, wait_timeout) for result in results if result.plan.changed]
    for change in changes:
        change.write()
    _settle(store, changes)
    return results


def _settle(store: Store, changes: list[Change]) -> None:
    """Read the list until each change is seen to be done or has failed."""
    pause = _SHORTEST_PAUSE
    changes = [change for change in changes if not change.settled]
    while changes:
        try:
            records = store.read()
        except ConsoleError as error:
            for change in changes:
                change.unreadable(error)
            return
        for change in changes:
            change.look(records)
        changes = [change for change in changes if not change.settled]
        if changes:
            store.client.clock.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
