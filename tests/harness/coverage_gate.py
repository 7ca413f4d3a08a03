# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Checks that the tests cover enough of plugins/, lines and branches each for itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GATE = 95.0


class Kind(NamedTuple):
    """What is covered, and where the JSON report of coverage.py has it."""

    noun: str
    covered: str
    there: str


KINDS = (
    Kind("lines", "covered_lines", "num_statements"),
    Kind("branches", "covered_branches", "num_branches"),
)


def check(report: Path) -> Iterator[tuple[str, str | None]]:
    """Return each check with its problem, if there is one."""
    told = json.loads(report.read_text(encoding="utf-8"))
    for kind in KINDS:
        total = percent(told["totals"], kind)
        name = f"coverage of {kind.noun}: {total:.1f} %"
        low = {path: percent(file["summary"], kind) for path, file in told["files"].items()}
        named = ", ".join(f"{path} {value:.1f} %" for path, value in sorted(low.items()) if value < GATE)
        yield name, f"{GATE:.0f} % are wanted; low: {named}" if total < GATE else None


def percent(summary: dict[str, int], kind: Kind) -> float:
    """Return how much is covered; of nothing, all is."""
    there = summary.get(kind.there, 0)
    return 100.0 * summary[kind.covered] / there if there else 100.0
