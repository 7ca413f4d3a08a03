# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What playbooks for one console take, against other modules and a bare script."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.bench import FROM_FILE, Bench, Row

from harness.places import linked_tree

GIB = 2**30
LATENCY = 0.02
# What two runs of one comparison differ by on a busy machine: a bound of 1 holds on an idle one.
NOISE = 1.1
QUOTA = "managedfs.console.quota: {volume: v, path: /a, size: 1GiB}"


def quotas(count: int, size: int | str) -> list[dict[str, Any]]:
    return [{"path": f"/home/u{number}", "size": size} for number in range(count)]


def one_volume(below: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": "v", "bucket": "https://v.example.com", "exports": [], "quotas": below}]


def volumes(count: int, exports: int, below: int, size: int | str = GIB) -> list[dict[str, Any]]:
    allowed = [{"desc": f"team{number}", "iprange": f"10.0.{number}.0/24"} for number in range(exports)]
    parts = {"exports": allowed, "quotas": quotas(below, size)}
    names = [f"v{number}" for number in range(count)]
    return [{"name": name, "bucket": f"https://{name}.example.com", **parts} for name in names]


def list_task(module: str, options: str, items: Path, concurrency: int = 4) -> str:
    return f'{module}: {{{options} concurrency: {concurrency}, {items.stem}: "{FROM_FILE % items}"}}'


def tasks(bench: Bench) -> Iterable[Row]:
    """Measure tasks that change nothing, in the worker and as modules, less a play that does nothing."""
    bench.reset()
    bench.emulator.add_quota(bench.emulator.volumes()[0]["id"], path="/a", size=GIB)
    uri = f"ansible.builtin.uri: {{url: '{bench.emulator.url}/_emulator/state'}}"
    kinds = {"quota": QUOTA, "uri": uri, "debug": "ansible.builtin.debug:", "nothing": "nothing:"}
    plays = {name: bench.play(f"{name}-40", *[task] * 40) for name, task in kinds.items()}
    plays["shipped"] = [*plays["quota"], "-e", "managedfs_in_worker=false"]
    plays["loop"] = bench.play("loop", f"{QUOTA}\n      loop: '{{{{ range(200) | list }}}}'")
    empty, *taken = bench.cpu(bench.empty(), *plays.values())
    quota, other, debug, nothing, shipped, loop = (seconds - empty for seconds in taken)
    yield Row("40 unchanged quotas / uri", quota, other, 0.12)
    yield Row("40 unchanged quotas / debug", quota, debug, 2)
    yield Row("40 unchanged quotas / a module that does nothing", quota, nothing, 0.2)
    yield Row("40 unchanged quotas as modules / uri", shipped, other, 1.3)
    yield Row("an item of a loop over 200 unchanged quotas / a task of uri", loop / 200, other / 40, 0.03)


def unchanged(bench: Bench) -> Iterable[Row]:
    """Measure lists that are as wanted, against a module that does nothing with them, less a play that does nothing."""
    # A size of less than 4,096 may be a mistake, so that each of these items is warned of.
    for name, written, size in (
        ("10000 unchanged quotas", "10GiB", 10 * GIB),
        ("the same, each with a warning", 1024, 1024),
    ):
        items = bench.write(f"{written}/quotas", quotas(10_000, written))
        bench.fill(one_volume(quotas(10_000, size)))
        yield against_nothing(bench, name, list_task("managedfs.console.quotas", "volume: v,", items))
    items = bench.write("volumes", volumes(40, 10, 125, "1GiB"))
    bench.fill(volumes(40, 10, 125))
    task = list_task("managedfs.console.volumes", "", items)
    yield against_nothing(bench, "unchanged: 40 volumes, 400 exports, 5000 quotas", task)


def against_nothing(bench: Bench, name: str, task: str) -> Row:
    module = task.partition(":")[0]
    play, other = bench.play("ours", task), bench.play("nothing", task.replace(module, "nothing"))
    ours, nothing = bench.typical_cpu(play, other, bench.empty())
    return Row(f"{name} / a module that does nothing", ours, nothing, NOISE)


def created(bench: Bench) -> Iterable[Row]:
    """Measure one task that creates, less a play that does nothing, against a bare script on as many connections."""
    items = bench.write("quotas", quotas(1000, GIB))
    script = bench.write("script", one_volume(quotas(1000, GIB)))
    ours = bench.play("create", list_task("managedfs.console.quotas", "volume: v,", items, 8))
    commands = (ours, bench.bare(script, 8), bench.empty())
    play, bare, empty = bench.cpu(*commands, prepare=bench.reset)
    yield Row("1000 created quotas / a bare script with threads", play - empty, bare, 1.25)
    play, bare, empty = bench.wall(*commands, prepare=functools.partial(bench.reset, LATENCY))
    yield Row("the same by the clock, at 20 ms a request", play - empty, bare, 1.2)


def gather(bench: Bench) -> Iterable[Row]:
    """Measure how much sooner lists are there that are read side by side, less a task that reads none of them."""
    bench.fill(volumes(30, 2, 10))
    bench.emulator.latency = LATENCY
    options = ("{gather: [all]}", "{gather: [all], concurrency: 1}", "{}")
    plays = [
        bench.play(f"gather-{number}", f"managedfs.console.volume_info: {how}") for number, how in enumerate(options)
    ]
    together, single, without = bench.wall(*plays)
    yield Row(
        "30 volumes gathered, by the clock, at 20 ms a request / one by one", together - without, single - without, 0.4
    )
    bench.emulator.latency = 0.0


def reports(bench: Bench) -> Iterable[Row]:
    """Measure a report against a capture, which reads and writes as much, of a console with a volume and with thousands."""
    desired, report = bench.folder / "captured", bench.folder / "report"
    capture = ["ansible-playbook", "managedfs.console.capture", "-e", f"capture_dest={desired}"]
    plain = ["ansible-playbook", "managedfs.console.report", "-e", f"report_dest={report}"]
    for what, console in (("a volume", volumes(1, 0, 0)), ("5440 records", volumes(40, 10, 125))):
        bench.fill(console)
        captured, reported, compared = bench.cpu(capture, plain, [*plain, "-e", f"report_source={desired}"])
        yield Row(f"report of {what} / capture", reported, captured, 1.5)
        yield Row(f"report of {what} with a desired state / capture", compared, captured, 1.5)


# In a process of its own, as Ansible starts a module: seconds, or the most memory at a time where it is asked for, which is slow.
MEASURE = """
import contextlib, io, json, sys, time, tracemalloc
from ansible.module_utils import basic
from ansible_collections.managedfs.console.plugins.modules import quotas
items = json.load(open(sys.argv[1], encoding="utf-8"))
basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": {"volume": "v", "quotas": items}}).encode()
basic._ANSIBLE_PROFILE = "legacy"
if sys.argv[2] == "MiB":
    tracemalloc.start()
started = time.process_time()
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    quotas.main()
print(tracemalloc.get_traced_memory()[1] / 2**20 or time.process_time() - started)
"""


def growth(bench: Bench) -> Iterable[Row]:
    """Measure lists that are as wanted, without Ansible around: time and memory are to grow no more than the list does."""
    for unit, rounds in (("seconds", bench.rounds), ("MiB", 1)):
        small, large = (min(measure(bench, size, unit) for _round in range(rounds)) for size in (10_000, 50_000))
        yield Row(f"each 10000 of 50000 unchanged in process, {unit} / 10000", large / 5, small, 1.3)


def measure(bench: Bench, size: int, unit: str) -> float:
    """Return the CPU seconds or mebibytes of a run of the module."""
    items = bench.write("quotas", quotas(size, "10GiB"))
    bench.fill(one_volume(quotas(size, 10 * GIB)))
    env = bench.environment() | {"PYTHONPATH": str(linked_tree())}
    return float(subprocess.check_output([sys.executable, "-c", MEASURE, str(items), unit], env=env))
