# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report of the fault matrix at the end of pytest's output."""

from __future__ import annotations

import pytest

from functional.faults.matrix import WHOLE, Result, format_line, format_table


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many cells of the fault matrix ended how, and the table if all of them were tried."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    results = [
        Result(value, report.passed) for report in reports for name, value in report.user_properties if name == "cell"
    ]
    if results:
        terminalreporter.section("fault matrix")
        for text in [*(format_table(results) if WHOLE else ()), f"{len(results)} cells: {format_line(results)}"]:
            terminalreporter.write_line(text)
