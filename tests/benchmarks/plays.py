# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What playbooks take, against a bare script and against modules that do nothing."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from benchmarks.bench import FROM_FILE, Bench, Row, at_least, at_most

VOLUMES, EXPORTS, QUOTAS = 40, 10, 125
LATENCY = 0.02

URI = "ansible.builtin.uri: {url: '%s/_emulator/state'}"
QUOTA = "managedfs.console.quota: {volume: v, path: /a, size: 1024}"
EMPTY = "ansible.builtin.meta: noop"


def tasks(bench: Bench) -> Iterable[Row]:
    """Measure tasks that change nothing, in the worker and as modules, in CPU seconds less those of an empty play."""
    bench.reset()
    bench.emulator.add_quota(bench.emulator.volumes()[0]["id"], path="/a", size=1024)
    kinds = {"quota": QUOTA, "uri": URI % bench.emulator.url, "debug": "ansible.builtin.debug:"}
    plays = {name: bench.play(f"{name}-40", *[task] * 40) for name, task in kinds.items()}
    plays["shipped"] = [*plays["quota"], "-e", "managedfs_in_worker=false"]
    loops = {
        name: bench.play(f"{name}-loop", f"{kinds[name]}\nloop: '{{{{ range(200) | list }}}}'")
        for name in ("quota", "uri")
    }
    empty, *taken = bench.cpu(bench.play("empty", EMPTY), *plays.values(), *loops.values())
    quota, uri, debug, shipped, looped, uris = (seconds - empty for seconds in taken)
    yield at_most("40 unchanged quotas / uri tasks, CPU", quota, uri, 0.12)
    yield at_most("40 unchanged quotas / debug tasks, CPU", quota, debug, 2)
    yield at_most("40 unchanged quotas as modules / uri tasks, CPU", shipped, uri, 1.3)
    yield at_most("200 items of a loop of quota / of uri, CPU", looped, uris, 0.03)
    hosts = [f"console{number} ansible_connection=local" for number in range(200)]
    inventory = bench.folder / "consoles"
    inventory.write_text("\n".join(hosts), encoding="utf-8")
    play = bench.play("consoles", "managedfs.console.volume_info:")
    Path(play[1]).write_text(Path(play[1]).read_text(encoding="utf-8").replace("localhost", "all"), encoding="utf-8")
    (seconds,) = bench.cpu([*play, "-i", str(inventory), "--forks", "20"], rounds=1)
    yield at_most("200 consoles, one task each / 15 CPU seconds", seconds, 15, 1)


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
    task = 'managedfs.console.quota: {volume: v, path: "{{ item.path }}", size: "1K"}'
    quota = bench.play("loop", f'{task}\nloop: "{each}"')
    uri = bench.play("loop-uri", f'{URI % bench.emulator.url}\nloop: "{each}"')
    listed, start, looped, requested = bench.in_turn([ours, empty, quota, uri], bench.reset, rounds=1)
    for name, other in (("quota", looped - start), ("uri", requested - start)):
        yield at_least(f"loop of {name} over 200 / one task, less an empty play", other, listed - start, 50)


def unchanged(bench: Bench) -> Iterable[Row]:
    """Measure a list of 10,000 quotas of which nothing has to be changed."""
    items = bench.items(10_000)
    bench.reset()
    bench.emulator.add_quotas(bench.emulator.volumes()[0]["id"], json.loads(items.read_text(encoding="utf-8")))
    ours, _nothing, empty = yield from rows_of_unchanged(bench, "10000", quotas_task(items, 4), 3)
    play, start, script = bench.in_turn([ours, empty, bench.bare("compare", items)])
    yield at_most("10000 unchanged, less an empty play / bare script", play - start, script, 2)


def rows_of_unchanged(bench: Bench, name: str, task: str, reads: int) -> Generator[Row, None, list[list[str]]]:
    """Yield how long a task takes that finds everything as wanted; return it, one that does nothing, and an empty play."""
    ours = bench.play(name, task)
    module = task.partition(":")[0]
    nothing, least = (bench.play(f"{name}-{other}", task.replace(module, other)) for other in bench.modules())
    empty = bench.play("empty", EMPTY)
    bench.emulator.forget_requests()
    bench.seconds(ours)
    requests = len(bench.emulator.requests)
    yield at_most(f"{name} unchanged: requests / those that are needed", requests, reads, 1)
    *taken, start = bench.in_turn([ours, nothing, least, empty])
    play, floor, bare = (seconds - start for seconds in taken)
    yield at_most(f"{name} unchanged: a bare module / one that does nothing", bare, floor, math.inf)
    yield at_most(f"{name} unchanged / a module that does nothing, less an empty play", play, floor, 1.4)
    return [ours, nothing, empty]


def quotas_task(items: Path, concurrency: int) -> str:
    return f'managedfs.console.quotas: {{volume: v, concurrency: {concurrency}, quotas: "{FROM_FILE % items}"}}'


def console(bench: Bench) -> Iterable[Row]:
    """Measure a whole console in one task: 40 volumes with 400 exports and 5,000 quotas, unchanged and created."""
    document = bench.folder / "console.json"
    document.write_text(json.dumps(volumes()), encoding="utf-8")
    task = f'managedfs.console.volumes: {{concurrency: 8, volumes: "{FROM_FILE % document}"}}'
    fill(bench)
    ours, nothing, empty = yield from rows_of_unchanged(bench, "console", task, 1 + 2 * VOLUMES)
    bench.emulator.latency = LATENCY
    play, floor, script = bench.in_turn([ours, nothing, bench.bare("compare", document)])
    yield at_most("console unchanged, 20 ms, less one that does nothing / bare script", play - floor, script, 0.2)
    bare = bench.bare("create", document)
    play, script, start = bench.in_turn([ours, bare, empty], bench.emulator.reset)
    yield at_most("console created, less an empty play / bare script", play - start, script, 1.3)
    play, script = bench.in_turn([ours, bare], functools.partial(bench.reset, LATENCY), rounds=1)
    yield at_most("console created, 20 ms / bare script", play, script, 0.2)
    bench.emulator.latency = 0.0


def volumes() -> list[dict[str, Any]]:
    exports = [{"desc": f"team{number}", "iprange": f"10.0.{number}.0/24"} for number in range(EXPORTS)]
    quotas = [{"path": f"/home/u{number}", "size": 1024 * (number + 1)} for number in range(QUOTAS)]
    return [
        {"name": f"v{number}", "bucket": f"https://v{number}.example.com", "exports": exports, "quotas": quotas}
        for number in range(VOLUMES)
    ]


def fill(bench: Bench) -> None:
    bench.emulator.reset()
    for item in volumes():
        volume = bench.emulator.add_volume(name=item["name"], bucket=item["bucket"])
        for export in item["exports"]:
            bench.emulator.add_export(volume, **export)
        bench.emulator.add_quotas(volume, item["quotas"])


def reports(bench: Bench) -> Iterable[Row]:
    """Measure a report against a capture, which reads and writes as much, of a console with a volume and with thousands."""
    desired, report = bench.folder / "desired", bench.folder / "report"
    capture = ["ansible-playbook", "managedfs.console.capture", "-e", f"capture_dest={desired}"]
    plain = ["ansible-playbook", "managedfs.console.report", "-e", f"report_dest={report}"]
    compared = [*plain, "-e", f"report_source={desired}"]
    for what in ("small", "large"):
        bench.reset()
        if what == "large":
            fill(bench)
        captured, *reported = bench.in_turn([capture, plain, compared])
        for name, seconds in zip(("report", "report with a desired state"), reported, strict=True):
            yield at_most(f"{what} console: {name} / capture", seconds, captured, 1.5)
