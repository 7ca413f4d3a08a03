# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A whole console in one task: 40 volumes with 400 exports and 5,000 quotas."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.bench import FROM_FILE, Bench, Row, at_most, possible

VOLUMES, EXPORTS, QUOTAS = 40, 10, 125
LATENCY, CONCURRENCY = 0.02, 8
READS = 1 + 2 * VOLUMES


def rows(bench: Bench) -> Iterable[Row]:
    """Yield how long the whole console takes, unchanged and created from nothing."""
    document = bench.folder / "console.json"
    document.write_text(json.dumps(items()), encoding="utf-8")
    task = f'managedfs.console.volumes: {{concurrency: {CONCURRENCY}, volumes: "{FROM_FILE % document}"}}'
    ours = bench.play("console", task)
    nothing, least = (
        bench.play(f"console-{module}", task.replace("managedfs.console.volumes", module))
        for module in (bench.nothing(), bench.least())
    )
    empty = bench.play("console-empty", "ansible.builtin.meta: noop")
    yield from unchanged(bench, document, ours, nothing, least, empty)
    yield from created(bench, document, ours, empty)


def unchanged(
    bench: Bench, document: Path, ours: list[str], nothing: list[str], least: list[str], empty: list[str]
) -> Iterable[Row]:
    """Yield how long a console takes on which nothing has to be changed."""
    fill(bench)
    bench.emulator.forget_requests()
    bench.seconds(ours)
    requests = len(bench.emulator.requests)
    yield Row("console unchanged: requests", requests, READS, requests / READS, f"<= {READS}", requests <= READS)
    play, floor, bare, start = bench.in_turn([ours, nothing, least, empty])
    yield possible("console unchanged: a bare module / one that does nothing", bare - start, floor - start)
    yield at_most(
        "console unchanged / a module that does nothing, less an empty play", play - start, floor - start, 1.4
    )
    bench.emulator.latency = LATENCY
    play, floor, script = bench.in_turn([ours, nothing, bench.bare("compare-all", document)])
    yield at_most("console unchanged, 20 ms, less one that does nothing / bare script", play - floor, script, 0.2)


def created(bench: Bench, document: Path, ours: list[str], empty: list[str]) -> Iterable[Row]:
    """Yield how long a console takes that is created from nothing."""
    bare = bench.bare("create-all", document)
    play, script, start = bench.in_turn([ours, bare, empty], bench.emulator.reset)
    yield at_most("console created, less an empty play / bare script", play - start, script, 1.3)

    def slow() -> None:
        bench.emulator.reset()
        bench.emulator.latency = LATENCY

    play, script = bench.in_turn([ours, bare], slow, rounds=1)
    yield at_most("console created, 20 ms / bare script", play, script, 0.2)
    bench.emulator.latency = 0.0


def items() -> list[dict[str, Any]]:
    """Return the document."""
    exports = [{"desc": f"team{number}", "iprange": f"10.0.{number}.0/24"} for number in range(EXPORTS)]
    quotas = [{"path": f"/home/u{number}", "size": 1024 * (number + 1)} for number in range(QUOTAS)]
    return [
        {"name": f"v{number}", "bucket": f"https://v{number}.example.com", "exports": exports, "quotas": quotas}
        for number in range(VOLUMES)
    ]


def fill(bench: Bench) -> None:
    """Put on the console what the document wants."""
    bench.emulator.reset()
    for item in items():
        volume = bench.emulator.add_volume(name=item["name"], bucket=item["bucket"])
        for export in item["exports"]:
            bench.emulator.add_export(volume, **export)
        bench.emulator.add_quotas(volume, item["quotas"])
