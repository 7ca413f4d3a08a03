# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A report against a capture of the same console: both read everything and write files, so they should take as long."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks import consoles
from benchmarks.bench import Bench, Row, at_most


def rows(bench: Bench) -> Iterable[Row]:
    """Yield how long a report takes on a console without records, and on one with thousands."""
    desired, report = bench.folder / "desired", bench.folder / "report"
    capture = ["ansible-playbook", "managedfs.console.capture", "-e", f"capture_dest={desired}"]
    plain = ["ansible-playbook", "managedfs.console.report", "-e", f"report_dest={report}"]
    compared = [*plain, "-e", f"report_source={desired}"]
    for what in ("small", "large"):
        bench.reset()
        if what == "large":
            consoles.fill(bench)
        captured, *reported = bench.in_turn([capture, plain, compared])
        for name, seconds in zip(("report", "report with a desired state"), reported, strict=True):
            yield at_most(f"{what} console: {name} / capture", seconds, captured, 1.5)
