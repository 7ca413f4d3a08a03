# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is printed of the fault matrix."""

from __future__ import annotations

from functional.faults.matrix import EVER, METHOD, ONCE, SCENARIOS, TROUBLES, Cell
from functional.faults.summary import Result, line, table

CREATE_VOLUME = SCENARIOS[0]
TROUBLE = {trouble.name: trouble for trouble in TROUBLES}


def result(trouble: str, place: int, mode: str, *, passed: bool = True) -> Result:
    """Return what came of a cell of the creation of a volume."""
    return Result(Cell(CREATE_VOLUME, place, TROUBLE[trouble], mode), passed)


def test_the_fault_matrix_is_told_in_a_line_and_as_a_table() -> None:
    results = [result("500", 1, ONCE), result("500", 1, ONCE), result("500", 1, EVER)]
    results.append(result("429", 2, METHOD, passed=False))
    assert line(results) == "2 survived, 1 failed as they must, 1 NOT AS THEY MUST"
    head, *rows = table(results)
    assert head.split("  ")[0] == "trouble"
    assert [row.split() for row in rows] == [
        ["500", "list", "2", "survived", "1", "failed", "as", "they", "must"],
        ["429", "POST", "1", "NOT", "AS", "THEY", "MUST"],
    ]
