# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Counts the situations that the property tests meet, and prints how often each was met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from functional.properties.situations import SITUATIONS, Case, met, met_in
from functional.support.inprocess import SharedConsole, watchers


@pytest.fixture(scope="package", autouse=True)
def _situations_are_counted(shared_console: SharedConsole) -> Iterator[None]:
    emulator = shared_console[0]

    def count(options: dict[str, Any], result: dict[str, Any]) -> None:
        if options.get("console_url") == emulator.url:
            met.update(met_in(Case(emulator.faults.injected, emulator.requests, result)))

    watchers.append(count)
    yield
    watchers.remove(count)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the test that asks for all situations come after those that meet them."""
    items.sort(key=lambda item: item.name == "test_every_situation_was_met")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many runs of modules have met each situation."""
    if met:
        terminalreporter.section("situations met")
        for name in SITUATIONS:
            terminalreporter.write_line(f"{met[name]:>9,}  {name}")
