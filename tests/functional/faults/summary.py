# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The outcomes of the fault matrix, counted for the end of pytest's output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from functional.faults.matrix import MODES, Cell

WORDS = {"S": "survived", "F": "failed as they must", "A": "taken as they came", "!": "NOT AS THEY MUST"}


class Result(NamedTuple):
    """A cell that was tried, and whether its test passed."""

    cell: Cell
    passed: bool

    @property
    def place(self) -> tuple[str, str]:
        """Return what went wrong, and at which kind of request."""
        return self.cell.trouble.name, self.cell.kind


def line(results: Iterable[Result]) -> str:
    """Return how many cells ended how."""
    counted = Counter(result.cell.outcome if result.passed else "!" for result in results)
    return ", ".join(f"{counted[letter]} {words}" for letter, words in WORDS.items() if counted[letter])


def table(results: list[Result]) -> Iterator[str]:
    """Return a line for each trouble and kind of request, with the counts for each time that it can hit."""
    yield f"{'trouble':<18}{'at':<12}" + "".join(f"{mode:<34}" for mode in MODES)
    for place in dict.fromkeys(result.place for result in results):
        row = [[result for result in results if (*result.place, result.cell.mode) == (*place, mode)] for mode in MODES]
        yield f"{place[0]:<18}{place[1]:<12}" + "".join(f"{line(cells):<34}" for cells in row)
