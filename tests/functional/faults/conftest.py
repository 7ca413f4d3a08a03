# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the tests of faults, and what pytest prints of the fault matrix at its end."""

from __future__ import annotations

import pytest

from emulator import Emulator
from functional.faults.matrix import WHOLE
from functional.faults.summary import Result, line, table

BUCKET = "https://v.example.com"


@pytest.fixture
def volume(emulator: Emulator) -> int:
    """Return the id of a volume named v with an export named web."""
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    return volume


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many cells of the fault matrix ended how, and the table where all of them were tried."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    results = [
        Result(value, report.passed) for report in reports for name, value in report.user_properties if name == "cell"
    ]
    if results:
        terminalreporter.section("fault matrix")
        for text in [*(table(results) if WHOLE else ()), f"{len(results)} cells: {line(results)}"]:
            terminalreporter.write_line(text)
