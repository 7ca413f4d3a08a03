# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fault matrix of a run of the tests, in one line and as a table, from what its cells noted in JUnit XML."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from junitparser import JUnitXml, Properties

from harness import counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PROPERTY = "matrix"
OUTCOMES = {"S": "survived", "F": "failed as they must", "A": "taken as they came", "!": "NOT AS THEY MUST"}


class Cell(NamedTuple):
    """What went wrong, at which kind of request, how often, and what came of it, a letter of OUTCOMES."""

    trouble: str
    kind: str
    mode: str
    outcome: str


def line(file: Path) -> str:
    """The counts of all cells."""
    found = list(cells(file))
    return f"Fault matrix: {len(found)} cells, {told(found) or 'none was tried'}"


def table(file: Path) -> Iterator[str]:
    """A line for each trouble and kind of request, with the counts for each time that it can hit."""
    found = list(cells(file))
    modes = list(dict.fromkeys(cell.mode for cell in found))
    yield f"{'trouble':<18}{'at':<12}" + "".join(f"{mode:<34}" for mode in modes)
    for trouble, kind in dict.fromkeys((cell.trouble, cell.kind) for cell in found):
        row = [[cell for cell in found if cell[:3] == (trouble, kind, mode)] for mode in modes]
        yield f"{trouble:<18}{kind:<12}" + "".join(f"{told(group):<34}" for group in row)


def told(group: Iterable[Cell]) -> str:
    """How many cells ended how."""
    counted = Counter(cell.outcome for cell in group)
    return ", ".join(f"{counted[letter]} {word}" for letter, word in OUTCOMES.items() if counted[letter])


def cells(file: Path) -> Iterator[Cell]:
    """The cells of a JUnit XML file."""
    for case in counts.cases(JUnitXml.fromfile(str(file))):
        properties = case.child(Properties) or ()  # type: ignore[no-untyped-call]
        noted = [entry.value for entry in properties if entry.name == PROPERTY]
        for cell in (Cell(*value.split(" / ")) for value in noted):
            yield cell if case.is_passed else cell._replace(outcome="!")
