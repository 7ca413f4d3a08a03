# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work of a task: calls into our code, requests and connections, each with a bound, and the files that a module loads.

Counts are the same in each run, so added work fails here, and no machine is too slow. To raise a bound is a line that a
reviewer sees. `make bench` measures time.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

import pytest

from emulator import Emulator
from functional.support.inprocess import PLUGINS, Run
from functional.support.outofprocess import collections_path

CODE = str(importlib.import_module(f"{PLUGINS}.module_utils").__path__[0])


class Work(NamedTuple):
    """The work of a task, or its bounds."""

    calls: int
    requests: int
    connections: int


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """Yield a list that finally holds the number of calls into our code, including those of other threads.

    Comprehensions do not count: they are calls in some versions of Python only.
    """
    calls = [0]

    def count(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(CODE) and not code.co_name.startswith("<"):
            calls[0] += 1

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def quotas(number: int, size: int = 5000) -> list[dict[str, Any]]:
    return [{"path": f"/{each}", "size": size} for each in range(number)]


def one(emulator: Emulator) -> None:
    emulator.add_quotas(emulator.add_volume(name="v", bucket="https://v.example.com"), quotas(1))


def thousand(emulator: Emulator) -> None:
    emulator.add_quotas(emulator.add_volume(name="v", bucket="https://v.example.com"), quotas(1000))


def none(emulator: Emulator) -> None:
    emulator.add_volume(name="v", bucket="https://v.example.com")


def thirty(emulator: Emulator) -> None:
    for number in range(30):
        volume = emulator.add_volume(name=f"v{number}", bucket=f"https://v{number}.example.com")
        emulator.add_quotas(volume, quotas(10))
        emulator.add_export(volume, desc="web", iprange="*")


def small(emulator: Emulator) -> None:
    emulator.add_quotas(emulator.add_volume(name="v", bucket="https://v.example.com"), quotas(1000, 1024))


SMALL = {"volume": "v", "quotas": quotas(1000, 1024)}
LIST = {"volume": "v", "quotas": quotas(1000), "concurrency": 4}
BELOW = {"quotas": quotas(10), "exports": [{"desc": "web", "iprange": "*"}]}
THIRTY = [{"name": f"v{number}", "bucket": f"https://v{number}.example.com", **BELOW} for number in range(30)]
# Records, a task, and its bounds: some hundredths above its real work.
TASKS: dict[str, tuple[Callable[[Emulator], None], str, dict[str, Any], Work]] = {
    "a quota that is as wanted": (one, "quota", {"volume": "v", "path": "/0", "size": 5000}, Work(460, 2, 1)),
    "1,000 quotas that are as wanted": (thousand, "quotas", LIST, Work(54_000, 2, 1)),
    "1,000 quotas with a warning each": (small, "quotas", SMALL, Work(54_000, 2, 1)),
    "1,000 new quotas": (none, "quotas", LIST, Work(270_000, 1_003, 4)),
    "30 volumes that are as wanted": (thirty, "volumes", {"volumes": THIRTY, "concurrency": 4}, Work(27_100, 61, 4)),
    "30 volumes with their lists": (thirty, "volume_info", {"gather": ["all"], "concurrency": 4}, Work(13_200, 61, 4)),
}
# Files with code of ours that a module loads before it does anything. Where it is shipped, each task compiles them anew.
FILES = {
    "api_request": 13,
    "export": 22,
    "export_info": 17,
    "export_rotation": 30,
    "exports": 28,
    "quota": 22,
    "quota_info": 17,
    "quotas": 28,
    "volume": 22,
    "volume_info": 17,
    "volumes": 28,
}
# What Ansible and requests load is none of ours, so it is loaded once.
LOAD = f"""
import importlib, os, sys
import ansible.module_utils.basic, requests

for name in sys.argv[1:]:
    if os.fork() == 0:
        importlib.import_module("{PLUGINS}.modules." + name)
        files = [module.__file__ for loaded, module in sys.modules.items() if loaded.startswith("{PLUGINS}.")]
        print(name, sum(bool(file and os.path.getsize(file)) for file in files), flush=True)
        os._exit(0)
    os.wait()
"""


def test_a_module_loads_the_files_that_it_needs_and_no_more() -> None:
    command = [sys.executable, "-c", LOAD, *FILES]
    output = subprocess.check_output(command, env=os.environ | {"PYTHONPATH": collections_path()}, text=True)
    assert {name: int(number) for name, number in map(str.split, output.splitlines())} == FILES


@pytest.mark.parametrize(("fill", "module", "options", "most"), TASKS.values(), ids=TASKS)
def test_no_task_is_more_work_than_it_was(
    run: Run, emulator: Emulator, fill: Callable[[Emulator], None], module: str, options: dict[str, Any], most: Work
) -> None:
    fill(emulator)
    # Loading that happens once is no work of a task.
    run(module, check=True, **options)
    emulator.forget_requests()
    with counted_calls() as calls:
        result = run(module, **options)
    assert "failed" not in result
    connections = {request.connection for request in emulator.requests}
    work = Work(calls[0], len(emulator.requests), len(connections))
    assert [
        (name, found, bound) for name, found, bound in zip(Work._fields, work, most, strict=True) if found > bound
    ] == []
    # A loose bound finds nothing.
    assert calls[0] > most.calls * 0.9
