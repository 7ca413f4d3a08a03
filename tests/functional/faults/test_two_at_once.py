# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two tasks, each in a process of its own, that create the same record at the same moment."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.pool import Pool
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Clock
from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import connection_to, run_module

# Both have read the list before one of them writes: that takes as long.
READING = 0.8
FIELDS = {"desc": "web", "iprange": "*"}
WANTED: dict[str, dict[str, Any]] = {
    "export": {"volume": "v", **FIELDS},
    "exports": {"volume": "v", "exports": [FIELDS]},
}


def run_by_a_real_clock(module: str, options: dict[str, Any], delay: float) -> dict[str, Any]:
    """Return the result of a module, for which time passes as it does."""
    time.sleep(delay)
    return run_module(module, options, Clock())


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Yield two processes that have already loaded all that modules need."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(time.sleep, [0.1] * 2, chunksize=1)
        yield pool


def run_both(
    pool: Pool, module: str, dialect: Dialect, lead: float = 0.0
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Run a module twice, the second `lead` seconds later; return both results, and the records that are there then."""
    with Emulator(dialect) as emulator:
        volume = emulator.add_volume(name="v", bucket="https://v.example.com")
        emulator.inject(Fault("slow", method="GET", path="exports$", times=2, seconds=READING))
        options = {**connection_to(emulator), **WANTED[module]}
        results = pool.starmap(run_by_a_real_clock, [(module, options, delay) for delay in (0.0, lead)], chunksize=1)
        assert len([request for request in emulator.requests if request.method == "POST"]) == 2
        return results, emulator.exports(volume)


@pytest.mark.promise("concurrent-creations")
@pytest.mark.parametrize("module", WANTED)
def test_of_two_tasks_one_makes_the_record_where_keys_are_unique(pool: Pool, module: str) -> None:
    results, records = run_both(pool, module, Dialect(unique_keys=True))
    assert len(records) == 1
    assert sorted(result["changed"] for result in results if not result.get("failed")) == [False, True]


@pytest.mark.promise("concurrent-creations")
@pytest.mark.parametrize(
    ("module", "late", "lead"),
    [
        ("export", 0.0, 0.0),
        ("exports", 0.0, 0.0),
        # One sees its record and not yet that of the other, who sees the first and not yet its own.
        ("exports", 0.3, 0.25),
        ("export", 0.7, 0.5),
        ("exports", 1.2, 0.6),
    ],
)
def test_of_two_records_somebody_says_so_however_late_they_show(
    pool: Pool, module: str, late: float, lead: float
) -> None:
    results, records = run_both(pool, module, Dialect(appear_after=late), lead)
    messages = " ".join(str(result.get("msg", "")) for result in results)
    assert len(records) == 2
    assert [result["changed"] for result in results if not result.get("failed")] in ([], [True])
    assert all(str(record["id"]) in messages for record in records)
