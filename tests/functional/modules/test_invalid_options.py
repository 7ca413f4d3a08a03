# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options that nobody sets on purpose: refused with a message, or sent as they are."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run

BUCKET = "https://a.example.com"


@pytest.mark.parametrize(
    "options",
    [
        {"name": "a", "region": "north"},
        {"name": "a", "block_size": "4k"},
        {"name": "a", "compatible": "maybe"},
        {"name": "a", "state": "gone"},
        {"name": "a", "extra_fields": "x"},
        {"name": "a", "wait": "perhaps"},
        {"name": ["a"], "id": "x"},
        {"name": "a", "unknown": 1},
        {"name": "a", "wait_timeout": "long"},
    ],
)
def test_options_of_a_wrong_type_are_refused(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    result = run("volume", **options)
    assert result["failed"]
    assert result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize(
    "options",
    [
        {"name": "a\nb\x00\u202e"},
        {"name": "ä€😀" * 100},
        {"name": "x" * 10_000},
        {"name": "a", "region": 10**30},
        {"name": "a", "extra_fields": {"deep": {"deeper": [{"deepest": [None, True, 1.5]}]}}},
        {"id": 10**30, "state": "absent"},
    ],
)
def test_unusual_values_reach_the_console_or_are_refused_cleanly(
    run: Run, emulator: Emulator, options: dict[str, Any]
) -> None:
    result = run("volume", bucket="https://a.example.com", **options)
    assert "failed" not in result or "Traceback" not in str(result)
    assert all(request.authenticated for request in emulator.requests)


@pytest.mark.parametrize(("module", "option"), [("volume", "extra_fields"), ("api_request", "body")])
def test_options_that_are_nested_too_deeply_are_refused(run: Run, emulator: Emulator, module: str, option: str) -> None:
    deep: Any = {"a": 1}
    for _level in range(120):
        deep = {"a": deep}
    usual = {"name": "a"} if module == "volume" else {"method": "POST", "path": "volumes"}
    result = run(module, **usual, **{option: deep})
    assert result["failed"]
    assert f"{option} is nested too deeply" in result["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("options", [{"timeout": 10**12}, {"wait_timeout": 10**30}, {"retries": 10**9}])
def test_numbers_that_no_clock_can_count_are_refused(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    assert "must be from" in run("volume", name="a", bucket=BUCKET, **options)["msg"]
    assert emulator.requests == []
