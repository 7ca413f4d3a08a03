# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What lists take in process as they grow."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

from benchmarks.bench import Bench, Row
from benchmarks.plays import GIB, one_volume, quotas

from harness.places import linked_tree

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
