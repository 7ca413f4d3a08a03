# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many further runs a task needs after a fault, until what it wants is there and stays."""

from __future__ import annotations

from collections.abc import Iterator

from emulator import Dialect
from interleavings.orders import NOBODY, is_possible
from interleavings.tasks import OF_EXPORTS, ROTATIONS, TASKS, Job
from interleavings.turns import ENDS, Game, Order
from interleavings.verdict import is_as_wanted, list_gaps

# More than any task may need.
MOST = 4


def most_runs(dialect: Dialect) -> int:
    """Return how many further runs the slowest task needs, after each fault at each of its turns."""
    possible = [job for job in (*TASKS, *OF_EXPORTS, *ROTATIONS) if is_possible(job, dialect)]
    return max(_further_runs(game) for job in possible for game in _each_fault(job, dialect))


def _each_fault(job: Job, dialect: Dialect) -> Iterator[Game]:
    """Yield a game for each way in which a task alone can go wrong once, or end early."""
    jobs = (job, NOBODY)
    # The first turn is nobody's.
    for branch in Game(jobs, dialect, Order(1)).play().branches[1:]:
        for event in (*branch.faults, *ENDS):
            yield Game(jobs, dialect, Order(1, ((branch.turn, event),))).play()


def _further_runs(game: Game) -> int:
    job, result = game.seats[0].job, game.seats[0].result
    for number in range(MOST + 1):
        if not result.get("failed") and is_as_wanted(job, game.truth(), result):
            again = game.run_again(job).result
            assert not list(list_gaps(game)), "\n".join(game.trace)
            if not again.get("failed") and not again["changed"]:
                return number
        result = game.run_again(job).result
    trace = "\n".join(game.trace)
    raise AssertionError(f"{job.name} does not settle within {MOST} runs: {result['msg']}\n{trace}")
