# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The number of further runs that a task needs after a fault until its goal is reached for good."""

from __future__ import annotations

from collections.abc import Iterator

from emulator import Dialect
from interleavings.orders import NOBODY, is_possible
from interleavings.tasks import OF_EXPORTS, ROTATIONS, TASKS, Job
from interleavings.turns import ENDS, Interleaving, Order
from interleavings.verdict import is_as_wanted, list_gaps

# The most that any task may need.
MOST = 4


def most_runs(dialect: Dialect) -> int:
    """Return the number of further runs that the slowest task needs, over each fault at each of its turns."""
    possible = [job for job in (*TASKS, *OF_EXPORTS, *ROTATIONS) if is_possible(job, dialect)]
    return max(_further_runs(interleaving) for job in possible for interleaving in _each_fault(job, dialect))


def _each_fault(job: Job, dialect: Dialect) -> Iterator[Interleaving]:
    """Yield an interleaving for each way in which a task alone can fail once, or end early."""
    jobs = (job, NOBODY)
    # The first turn is nobody's.
    for branch in Interleaving(jobs, dialect, Order(1)).run().branches[1:]:
        for event in (*branch.faults, *ENDS):
            yield Interleaving(jobs, dialect, Order(1, ((branch.turn, event),))).run()


def _further_runs(interleaving: Interleaving) -> int:
    job, result = interleaving.actors[0].job, interleaving.actors[0].result
    for number in range(MOST + 1):
        if not result.get("failed") and is_as_wanted(job, interleaving.truth(), result):
            again = interleaving.run_again(job).result
            assert not list(list_gaps(interleaving)), "\n".join(interleaving.trace)
            if not again.get("failed") and not again["changed"]:
                return number
        result = interleaving.run_again(job).result
    trace = "\n".join(interleaving.trace)
    raise AssertionError(f"{job.name} does not settle within {MOST} runs: {result['msg']}\n{trace}")
