# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fault matrix of a test run, in one line and as a table, from the properties of its cells in JUnit XML."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from junitparser import Properties

from harness.report import cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

OUTCOMES = {"S": "survived", "F": "failed as they must", "A": "taken as they came", "!": "NOT AS THEY MUST"}


def cells(file: Path) -> list[list[str]]:
    """Return each cell: what went wrong, at which kind of request, how often, and its outcome, a letter of OUTCOMES."""
    found = []
    for case in cases(file):
        for noted in case.child(Properties) or ():  # type: ignore[no-untyped-call]
            if noted.name == "matrix":
                *place, outcome = noted.value.split(" / ")
                found.append([*place, outcome if case.is_passed else "!"])
    return found


def line(file: Path) -> str:
    """Return the counts of all cells."""
    found = cells(file)
    return f"fault matrix: {len(found)} cells, {count(found) or 'none was tried'}"


def table(file: Path) -> Iterator[str]:
    """Return a line for each trouble and kind of request, with the counts for each time that it can hit."""
    found = cells(file)
    modes = list(dict.fromkeys(cell[2] for cell in found))
    yield f"{'trouble':<18}{'at':<12}" + "".join(f"{mode:<34}" for mode in modes)
    for trouble, kind in dict.fromkeys((cell[0], cell[1]) for cell in found):
        row = [count(cell for cell in found if cell[:3] == [trouble, kind, mode]) for mode in modes]
        yield f"{trouble:<18}{kind:<12}" + "".join(f"{counts:<34}" for counts in row)


def count(group: Iterable[list[str]]) -> str:
    """Return how many cells ended how."""
    counted = Counter(cell[-1] for cell in group)
    return ", ".join(f"{counted[letter]} {words}" for letter, words in OUTCOMES.items() if counted[letter])
