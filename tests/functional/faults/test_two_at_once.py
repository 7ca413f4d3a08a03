# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two tasks, each in a process of its own, that create the same record at the same moment."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils.http.clock import Clock
from emulator import Dialect, Emulator
from functional.support.inprocess import connection_to, run_module

# Long enough for both to have read the list before one of them writes.
LATENCY = 0.5
WANTED: dict[str, dict[str, Any]] = {
    "export": {"volume": "v", "desc": "web", "iprange": "*"},
    "exports": {"volume": "v", "exports": [{"desc": "web", "iprange": "*"}]},
}


def run_by_a_real_clock(module: str, options: dict[str, Any]) -> dict[str, Any]:
    """The result of a module, for which time passes as it does."""
    return run_module(module, options, Clock())


@pytest.mark.promise("concurrent-creations")
@pytest.mark.parametrize("unique_keys", [True, False])
@pytest.mark.parametrize("module", WANTED)
def test_one_record_or_the_ambiguity_is_told(module: str, unique_keys: bool) -> None:
    with Emulator(Dialect(unique_keys=unique_keys)) as emulator:
        volume = emulator.add_volume(name="v", bucket="https://v.example.com")
        emulator.latency = LATENCY
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            results = pool.starmap(
                run_by_a_real_clock, [(module, {**connection_to(emulator), **WANTED[module]})] * 2, chunksize=1
            )
        posts = [request for request in emulator.requests if request.method == "POST"]
        records = emulator.exports(volume)
    told = " ".join(str(result.get("msg", "")) for result in results)
    assert len(posts) == 2
    assert len(records) == (1 if unique_keys else 2)
    changed = sorted(result["changed"] for result in results if not result.get("failed"))
    if unique_keys:
        assert changed == [False, True]
    else:
        assert changed in ([], [True])
        assert all(str(record["id"]) in told for record in records)
