# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How time and memory grow with the length of a list that has to be read, planned and found unchanged."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.bench import Bench, Row

SIZES = (1_000, 10_000, 100_000)
# One process for each size: the peak of its memory is its own.
MEASURE = """
import io, json, resource, sys, time, contextlib
from ansible.module_utils import basic
from ansible_collections.managedfs.console.plugins.modules import quotas
items = json.load(open(sys.argv[1], encoding="utf-8"))
basic._ANSIBLE_ARGS = json.dumps({"ANSIBLE_MODULE_ARGS": {"volume": "v", "quotas": items}}).encode()
basic._ANSIBLE_PROFILE = "legacy"
started = time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    quotas.main()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([time.perf_counter() - started, peak]))
"""


def rows(bench: Bench) -> Iterable[Row]:
    """Yield seconds and mebibytes, each against a list a tenth as long: linear is 10; a fixed part makes it less."""
    measured = {size: measure(bench, size) for size in SIZES}
    for smaller, larger in itertools.pairwise(SIZES):
        for name, unit in ((0, "seconds"), (1, "MiB")):
            ours, other = measured[larger][name], measured[smaller][name]
            ratio = ours / other
            yield Row(f"{larger} quotas against {smaller}: {unit}", ours, other, ratio, "<= 13", ratio <= 13)


def measure(bench: Bench, size: int) -> tuple[float, float]:
    """Return the seconds and peak mebibytes of a run of the module without Ansible around it."""
    items = bench.items(size)
    bench.reset()
    bench.emulator.add_quotas(bench.emulator.volumes()[0]["id"], json.loads(Path(items).read_text(encoding="utf-8")))
    env = os.environ | {
        "PYTHONPATH": os.environ["ANSIBLE_COLLECTIONS_PATH"],
        "MANAGEDFS_CONSOLE_URL": bench.emulator.url,
        "MANAGEDFS_ACCESS_KEY": bench.emulator.access_key,
        "MANAGEDFS_SECRET_KEY": bench.emulator.secret_key,
    }
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(items)], env=env, capture_output=True, text=True, check=True
    )
    seconds, peak = json.loads(done.stdout)
    return seconds, peak
