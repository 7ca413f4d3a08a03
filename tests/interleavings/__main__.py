# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Try every pair of tasks in every order on each kind of console, and print the shortest order for each violation."""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from interleavings.orders import ALL_EVENTS, EVENTS, Report, is_possible, try_pair
from interleavings.tasks import CONSOLES, PAIRS


def main() -> int:
    """Return an exit code: whether there is no violation."""
    parser = argparse.ArgumentParser(prog="make interleavings", description=__doc__)
    parser.add_argument("consoles", nargs="*", default=[*CONSOLES], help=f"of {', '.join(CONSOLES)}; all by default")
    parser.add_argument("--task", default="", help="only pairs with a task whose name contains this")
    help_events = (
        f"at most so many interruptions and faults in an order, {EVENTS} by default; {ALL_EVENTS} for all orders"
    )
    parser.add_argument("--events", type=int, default=EVENTS, help=help_events)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    attempt = functools.partial(_try, events=arguments.events)
    started = time.monotonic()
    names = [
        (console, number)
        for console, (number, pair) in itertools.product(arguments.consoles, enumerate(PAIRS))
        if any(arguments.task in job.name for job in pair)
    ]
    orders = pairs = violations = 0
    with ProcessPoolExecutor(arguments.processes) as pool:
        results = zip(names, pool.map(attempt, names), strict=True)
        for console, of_console in itertools.groupby(results, key=lambda result: result[0][0]):
            reports = [(PAIRS[number], report) for (_console, number), report in of_console if report.orders]
            for (first, second), report in reports:
                for violation in report.violations:
                    print(f"{console}: A: {first.name}, B: {second.name}: {violation.text}")
                    print("".join(f"    {turn}\n" for turn in violation.trace))
            count = sum(report.orders for _pair, report in reports)
            print(f"{console}: {count:,} orders of {len(reports)} pairs", flush=True)
            orders, pairs = orders + count, pairs + len(reports)
            violations += sum(len(report.violations) for _pair, report in reports)
    seconds = time.monotonic() - started
    print(f"{orders:,} orders of {pairs} pairs in {seconds:,.0f} s: {violations} violations")
    return bool(violations)


def _try(name: tuple[str, int], events: int) -> Report:
    """Try a pair; one of which a task cannot succeed even alone tells nothing."""
    dialect, jobs = CONSOLES[name[0]], PAIRS[name[1]]
    if not all(job.change or is_possible(job, dialect) for job in jobs):
        return Report(0, [])
    return try_pair(jobs, dialect, events)


if __name__ == "__main__":
    sys.exit(main())
