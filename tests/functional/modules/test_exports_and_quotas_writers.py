# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The writers of exports and quotas, which work side by side."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.modules.list_items import quota_items
from functional.support.inprocess import PLUGINS, FakeClock, Run, connection_to, run_module

BUCKET = "https://v.example.com"


@pytest.mark.parametrize("value", [0, 33, -1])
def test_concurrency_has_bounds(run: Run, emulator: Emulator, value: int) -> None:
    assert "concurrency" in run("quotas", volume="v", quotas=[], concurrency=value)["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("concurrency", [1, 4, 32])
@pytest.mark.parametrize(
    "dialect", [{}, {"put": "reset"}, {"appear_after": 2.0, "vanish_after": 2.0}, {"rate_limit": 7}]
)
def test_any_concurrency(run: Run, emulator: Emulator, concurrency: int, dialect: dict[str, Any]) -> None:
    emulator.reset(Dialect(**dialect))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_quotas(volume, [{"path": f"/old/{number}", "size": 5, "inodes": 7} for number in range(40)])
    items = [*quota_items(40), *({"path": f"/old/{number}", "size": 6} for number in range(20))]
    clock_items = items + [{"path": f"/old/{number}", "state": "absent"} for number in range(20, 40)]
    result = run("quotas", volume="v", quotas=clock_items, concurrency=concurrency)
    assert "failed" not in result
    assert (len(result["created"]), len(result["updated"]), len(result["deleted"])) == (40, 20, 20)
    assert {quota["inodes"] for quota in emulator.quotas(volume) if quota["path"].startswith("/old")} == {7}
    assert run("quotas", volume="v", quotas=clock_items)["changed"] is False


@pytest.mark.usefixtures("volume")
def test_writers_have_connections_of_their_own_and_keep_them(run: Run, emulator: Emulator) -> None:
    emulator.latency = 0.005
    run("quotas", volume="v", quotas=quota_items(40), concurrency=4)
    connections = {request.connection for request in emulator.writes}
    assert 2 <= len(connections) <= 4


@pytest.mark.usefixtures("volume")
def test_where_the_console_asks_to_wait_all_writers_wait(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(Fault("status", method="POST", nth=5, status=429, retry_after=30))
    result = run("quotas", volume="v", quotas=quota_items(40), concurrency=4)
    assert len(result["created"]) == 40
    assert clock.slept == [pytest.approx(30)]
    times = [request.time for request in emulator.writes]
    assert max(times) - min(times) >= 30
    refused = next(number for number, request in enumerate(emulator.writes) if request.status == 429)
    # Requests that the other writers had begun when the response came may still follow.
    assert all(time - times[refused] >= 30 for time in times[refused + 5 :])


@pytest.mark.promise("skew-is-corrected")
def test_a_skew_is_corrected_once_for_all_writers(run: Run, emulator: Emulator) -> None:
    emulator.reset()
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.clock_offset = 3600
    result = run("quotas", volume_id=volume, quotas=quota_items(20, size=8192), concurrency=8)
    assert len(result["created"]) == 20
    assert len(result["warnings"]) == 1
    assert sum(not request.authenticated for request in emulator.requests) == 1


@pytest.mark.usefixtures("volume")
def test_one_read_back_by_a_real_clock_too(emulator: Emulator) -> None:
    # Sums of real times are not exact: a difference of 0 s once came out larger, and cost another read.
    clock: Any = importlib.import_module(f"{PLUGINS}.module_utils._internal.http.transport").Clock()
    clock.time = emulator.clock
    result = run_module("quotas", {**connection_to(emulator), "volume": "v", "quotas": quota_items(300)}, clock)
    assert len(result["created"]) == 300
    assert [request.method for request in emulator.requests if request.method == "GET"] == ["GET"] * 3
