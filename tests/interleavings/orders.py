# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every order of two tasks with a few interruptions and at most one fault, the shortest first; and how soon a task settles after one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from emulator import Dialect
from emulator.faults import Change
from interleavings.tasks import OF_EXPORTS, ROTATIONS, TASKS, VOLUME, Job
from interleavings.turns import ENDS, SWITCH, Interleaving, Order
from interleavings.verdict import is_as_wanted, list_gaps, list_later_violations, list_violations

# With two interruptions, tasks take turns three times: A, B, A, B.
INTERRUPTIONS = 2
# Most defects need two events, whether interruptions or a fault. All three make four times as many orders.
EVENTS, ALL_EVENTS = 2, 3
NOBODY = Job("nobody", change=Change("delete", "quotas", VOLUME, key=""))


class Violation(NamedTuple):
    """A violation, and the turns of the shortest order that shows it."""

    text: str
    trace: tuple[str, ...]


class Report(NamedTuple):
    """The number of orders of a pair that were run, and the violations, each once."""

    orders: int
    violations: list[Violation]


def try_pair(jobs: tuple[Job, Job], dialect: Dialect, events: int = EVENTS, faults: int = 1) -> Report:
    """Run all orders of two tasks on a console, with at most `events` interruptions and faults, and at most `faults`."""
    found: dict[str, Violation] = {}
    later: dict[str, list[str]] = {}
    count = 0
    for count, interleaving in enumerate(each_order(jobs, dialect, events, faults), start=1):  # noqa: B007
        texts = list(list_violations(interleaving))
        trace, there = tuple(interleaving.trace), str(sorted(interleaving.truth().items()))
        # The outcome of running both again depends only on the records.
        if there not in later:
            later[there] = list(list_later_violations(interleaving))
        for text in (*texts, *later[there]):
            found.setdefault(text, Violation(text, trace))
    return Report(count, list(found.values()))


def each_order(jobs: tuple[Job, Job], dialect: Dialect, events: int, faults: int) -> Iterator[Interleaving]:
    """Yield an interleaving for each order, those with fewer events first.

    If both tasks have seen the same and the console holds the same as in an earlier order, only the continuations of that
    one are tried, so that readings are not tried in each order.
    """
    orders = deque([Order(0), Order(1)])
    known: set[int] = set()
    while orders:
        order = orders.popleft()
        interleaving = Interleaving(jobs, dialect, order).run()
        interruptions = order.count(SWITCH)
        is_open = len(order.decisions) < events
        can_switch = is_open and interruptions < INTERRUPTIONS
        can_fail = is_open and len(order.decisions) - interruptions < faults
        for branch in interleaving.branches:
            if branch.state not in known:
                known.add(branch.state)
                further = (
                    *(branch.faults if can_fail else ()),
                    *([SWITCH] if branch.can_switch and can_switch else ()),
                )
                orders.extend(order.then(branch.turn, event) for event in further)
        yield interleaving


def is_possible(job: Job, dialect: Dialect) -> bool:
    """Return whether a task alone can succeed on a console."""
    return not Interleaving((job, NOBODY), dialect, Order()).run().actors[0].result.get("failed")


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
