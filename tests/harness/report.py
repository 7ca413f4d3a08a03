# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Prints what `make test` ends with: the stages, what was left out, and the sum.

python -m harness.report NOX_REPORT

The stages keep their results in folders beside the report of nox.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness import counts
from harness.counts import Counts
from harness.stages import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEADINGS = ("stage", "ansible-core", "Pythons", "passed", "failed", "skipped", "seconds")


class Row(NamedTuple):
    """A stage and what came of it."""

    stage: str
    core: str
    pythons: Sequence[str]
    counts: Counts
    seconds: float
    notes: Sequence[str]
    facts: Sequence[str] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table shows."""
        numbers = (self.counts.passed, self.counts.failed, self.counts.skipped, round(self.seconds))
        return (self.stage, self.core, " ".join(self.pythons), *map(str, numbers))


def main(arguments: Sequence[str]) -> int:
    """Print the report and return the exit code of `make test`."""
    path = Path(arguments[0])
    sessions = json.loads(path.read_text(encoding="utf-8"))["sessions"] if path.exists() else []
    rows = [row(session, path.parent / session["name"]) for session in sessions] or [nothing()]
    print()
    for line in table([HEADINGS, *(each.cells for each in rows)]):
        print(line)
    notes = list(dict.fromkeys(note for each in rows for note in each.notes))
    if notes:
        print("\nLeft out:")
        for note in notes:
            print(f"- {note}")
    for fact in (fact for each in rows for fact in each.facts):
        print(f"\n{fact}")
    total = Counts()
    for each in rows:
        total = total.plus(each.counts)
    print(f"\n{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return 1 if total.failed else 0


def row(session: dict[str, Any], folder: Path) -> Row:
    """Put together what nox and the stage itself tell of a session."""
    name, reason = session["name"], session["reason"]
    record = json.loads((folder / RECORD).read_text(encoding="utf-8")) if (folder / RECORD).exists() else {}
    counted = counts.read(folder.glob("*.xml"))
    notes = list(record.get("notes", ()))
    if session["result"] == "skipped":
        counted = counted.plus(Counts(skipped=1))
        notes.append(f"{name}: {reason}")
    elif not counted.failed and (session["result"] != "success" or not counted.ran):
        counted = counted.plus(Counts(failed=1))
    return Row(
        name,
        record.get("core", ""),
        record.get("pythons", ()),
        counted,
        session["duration"],
        notes,
        record.get("facts", ()),
    )


def nothing() -> Row:
    """Stand for stages that did not even start."""
    return Row("nox", "", (), Counts(failed=1), 0, ())


def table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Line the columns up, words to the left and numbers to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for cells in rows:
        words = [cell.ljust(width) for cell, width in zip(cells[:3], widths[:3], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(cells[3:], widths[3:], strict=True)]
        yield "  ".join([*words, *numbers])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
