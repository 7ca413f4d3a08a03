# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""All benchmarks: a table in the terminal, and the same as JSON in the results of the work folder.

Run it with `make bench`, or some of it with `make bench ARGS="tasks lists"`.
"""

from __future__ import annotations

import argparse
import functools
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import consoles, growth, imports, load, reports
from benchmarks.bench import FROM_FILE, Bench, Row, at_most, possible
from emulator import Emulator
from harness.places import WORK

URI = "ansible.builtin.uri: {url: '%s/_emulator/state'}"
EMPTY = "ansible.builtin.meta: noop"


def tasks(bench: Bench) -> Iterable[Row]:
    """Measure many tasks that each make one request."""
    count = 40
    bench.reset()
    ours = bench.play("info", *["managedfs.console.volume_info:"] * count)
    uri = bench.play("uri", *[URI % bench.emulator.url] * count)
    seconds, others = bench.in_turn([ours, uri])
    yield at_most(f"{count} volume_info tasks / uri tasks", seconds, others, 1.05)


def lists(bench: Bench) -> Iterable[Row]:
    """Measure one task that creates many quotas."""
    items = bench.items(1000)
    # The time until the first module of a play runs.
    start_of_a_task = bench.play("ping", "ansible.builtin.ping:")
    bare = bench.bare("create", items)
    for latency, concurrency in ((0.0, 4), (0.02, 8)):
        ours = bench.play(f"create-{concurrency}", quotas_task(items, concurrency))
        play, start, script = bench.in_turn([ours, start_of_a_task, bare], functools.partial(bench.reset, latency))
        if latency:
            yield at_most("create 1000, 20 ms, concurrency 8 / bare script", play, script, 0.2)
        else:
            yield at_most("create 1000, less the start of a task / bare script", play - start, script, 1.3)


def loops(bench: Bench) -> Iterable[Row]:
    """Measure one task for a list against a loop over it."""
    items = bench.items(200)
    empty = bench.play("empty", EMPTY)
    ours = bench.play("list", quotas_task(items, 4))
    each = FROM_FILE % items
    quota = bench.play(
        "loop", f'managedfs.console.quota: {{volume: v, path: "{{{{ item.path }}}}", size: "1K"}}\nloop: "{each}"'
    )
    uri = bench.play("loop-uri", f'{URI % bench.emulator.url}\nloop: "{each}"')
    listed, start, looped, requested = bench.in_turn([ours, empty, quota, uri], bench.reset, rounds=1)
    for name, other in (("quota", looped), ("uri", requested)):
        ratio = (other - start) / (listed - start)
        yield Row(
            f"loop of {name} over 200 / one task, less an empty play",
            listed - start,
            other - start,
            ratio,
            ">= 50",
            ratio >= 50,
        )


def unchanged(bench: Bench) -> Iterable[Row]:
    """Measure a list of which nothing has to be changed."""
    items = bench.items(10_000)
    bench.reset()
    bench.emulator.add_quotas(bench.emulator.volumes()[0]["id"], json.loads(items.read_text(encoding="utf-8")))
    task = quotas_task(items, 4)
    ours = bench.play("unchanged", task)
    nothing = bench.play("nothing", task.replace("managedfs.console.quotas", bench.nothing()))
    bench.emulator.forget_requests()
    bench.seconds(ours)
    requests = len(bench.emulator.requests)
    yield Row("10000 unchanged: requests", requests, 3, requests / 3, "<= 3", requests <= 3)
    empty = bench.play("empty", EMPTY)
    least = bench.play("least", task.replace("managedfs.console.quotas", bench.least()))
    play, start, floor, bare, script = bench.in_turn([ours, empty, nothing, least, bench.bare("compare", items)])
    yield possible("10000 unchanged: a bare module / one that does nothing", bare - start, floor - start)
    yield at_most("10000 unchanged / a module that does nothing, less an empty play", play - start, floor - start, 1.4)
    yield at_most("10000 unchanged, less an empty play / bare script", play - start, script, 2)


def quotas_task(items: Path, concurrency: int) -> str:
    """Return a task that asks for the quotas in a file."""
    return f'managedfs.console.quotas: {{volume: v, concurrency: {concurrency}, quotas: "{FROM_FILE % items}"}}'


BENCHMARKS: dict[str, Callable[[Bench], Iterable[Row]]] = {
    "emulator": load.rows,
    "imports": imports.rows,
    "tasks": tasks,
    "lists": lists,
    "unchanged": unchanged,
    "consoles": consoles.rows,
    "reports": reports.rows,
    "growth": growth.rows,
    "loops": loops,
}


def main() -> None:
    """Run the named benchmarks, or all of them."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which to run; all where none is named")
    parser.add_argument(
        "--rounds", type=int, default=5, help="how many times each command is run; the least time counts"
    )
    arguments = parser.parse_args()
    rows: list[Row] = []
    print(f"{'benchmark':<66}{'ours':>10}{'other':>10}{'ratio':>9}  bound")
    with tempfile.TemporaryDirectory() as folder, Emulator() as emulator:
        bench = Bench(emulator, Path(folder), arguments.rounds)
        for name in arguments.names or BENCHMARKS:
            for row in BENCHMARKS[name](bench):
                rows.append(row)
                mark = "" if row.kept else "  NOT KEPT"
                print(
                    f"{row.name:<66}{row.ours:>10.2f}{row.other:>10.2f}{row.ratio:>9.2f}  {row.bound}{mark}", flush=True
                )
    results = WORK / "results" / "bench.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(json.dumps([row._asdict() for row in rows], indent=2) + "\n", encoding="utf-8")
    print(f"\nThe same as JSON: {results}")


if __name__ == "__main__":
    main()
