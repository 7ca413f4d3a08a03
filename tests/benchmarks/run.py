# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All benchmarks: a table in the terminal, and the same as JSON in the results of the work folder.

Run it with `make bench`, or some of it with `make bench ARGS="tasks lists"`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import parts, plays
from benchmarks.bench import Bench, Row

from emulator import Emulator
from harness.places import WORK

BENCHMARKS: dict[str, Callable[[Bench], Iterable[Row]]] = {
    "emulator": parts.load,
    "tasks": plays.tasks,
    "lists": plays.lists,
    "unchanged": plays.unchanged,
    "consoles": plays.console,
    "reports": plays.reports,
    "growth": parts.growth,
    "loops": plays.loops,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which to run; all where none is named")
    parser.add_argument("--rounds", type=int, default=5, help="how often each command is run; the least time counts")
    arguments = parser.parse_args()
    rows: list[Row] = []
    print(f"{'benchmark':<66}{'ours':>10}{'other':>10}{'ratio':>9}  bound")
    with tempfile.TemporaryDirectory() as folder, Emulator() as emulator:
        bench = Bench(emulator, Path(folder), arguments.rounds)
        for name in arguments.names or BENCHMARKS:
            for row in BENCHMARKS[name](bench):
                rows.append(row)
                figures = f"{row.ours:>10.2f}{row.other:>10.2f}{row.ratio:>9.2f}  {row.bound}"
                print(f"{row.name:<66}{figures}{'' if row.kept else '  NOT KEPT'}", flush=True)
    results = WORK / "results" / "bench.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(json.dumps([row._asdict() for row in rows], indent=2) + "\n", encoding="utf-8")
    print(f"\nThe same as JSON: {results}")


if __name__ == "__main__":
    main()
