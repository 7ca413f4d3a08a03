# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A task that is killed in the middle of a list and run again: it converges, and nothing is doubled or lost.

`KILLS=100` in the environment kills that many times. The number of a kill decides who is killed and when, so that each of
them can be repeated: `KILLS=18` and `-k kill-17`.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Clock
from emulator import Dialect, Emulator
from functional.support.cases import KILLS
from functional.support.inprocess import connection_to, run_module
from functional.support.outofprocess import PATIENCE, start_command

INODES = 7
NEW, OLD, GONE = 80, 80, 40
WRITES = NEW + OLD + GONE
# Every request takes a moment, so that a kill can hit between any two.
LATENCY = 0.002
Options = dict[str, Any]
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["functional.support.inprocess"])


def kill_module(emulator: Emulator, _folder: Path, module: str, options: Options, moment: int) -> None:
    """Kill the process of the module."""
    arguments = (module, {**connection_to(emulator), **options}, Clock())
    process = PROCESSES.Process(target=run_module, args=arguments)
    process.start()
    wait_until(lambda: len(emulator.requests) >= moment or not process.is_alive())
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def kill_run(emulator: Emulator, folder: Path, module: str, options: Options, moment: int) -> None:
    """Kill ansible-playbook with its process group, and the module, which may have left that."""
    with play_until(emulator, folder, module, options, moment) as (playbook, process):
        os.killpg(playbook, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        wait_until(lambda: not is_running(process))
    assert len(emulator.writes) < WRITES


def kill_playbook(emulator: Emulator, folder: Path, module: str, options: Options, moment: int) -> None:
    """Kill ansible-playbook alone, and wait until the module has come to its end without it."""
    with play_until(emulator, folder, module, options, moment) as (playbook, process):
        os.kill(playbook, signal.SIGKILL)
        assert is_running(process)
        wait_until(lambda: not is_running(process))
    assert len(emulator.writes) >= WRITES


def kill_playbook_at_once(emulator: Emulator, folder: Path, module: str, options: Options, moment: int) -> None:
    """Kill ansible-playbook alone, and leave the module to go on while the task is run again."""
    with play_until(emulator, folder, module, options, max(moment, WRITES // 2 + 5)) as (playbook, process):
        os.kill(playbook, signal.SIGKILL)
        assert is_running(process)


KINDS = (kill_module, kill_playbook, kill_module, kill_run, kill_module, kill_playbook_at_once)
CONSOLES = [pytest.param("volumes", number, id=f"console-kill-{number}") for number in range(KILLS // 2)]
LISTS = [pytest.param("quotas", number, id=f"kill-{number}") for number in range(KILLS)]


@pytest.mark.promise("it-settles")
@pytest.mark.parametrize(("module", "number"), LISTS + CONSOLES)
def test_a_list_that_is_killed_and_run_again_converges(tmp_path: Path, module: str, number: int) -> None:
    draw = random.Random(number)
    kill = KINDS[number % len(KINDS)] if module == "quotas" else kill_module
    # Two concurrent tasks never create duplicates only if the console refuses them.
    dialect = Dialect(put=draw.choice(["reset", "reset", "documented"]), unique_keys=kill is kill_playbook_at_once)
    with Emulator(dialect) as emulator:
        volume = emulator.add_volume(name="old", bucket="https://v.example.com")
        items = seed(emulator, volume, draw)
        options: Options = {"volume": "old", "quotas": items}
        if module == "volumes":
            emulator.add_volume(name="gone", bucket="https://v.example.com")
            options = {"volumes": console_document(items)}
        options["concurrency"] = draw.choice([1, 4])
        emulator.latency = LATENCY
        kill(emulator, tmp_path, module, options, draw.randint(1, WRITES * 4 // 5))
        exposed = without_inodes(emulator) if dialect.put == "reset" else set()
        again = run_module(module, {**connection_to(emulator), **options}, Clock())
        assert "failed" not in again, again["msg"]
        assert_converged(emulator.quotas(volume), items, exposed)
        if module == "volumes":
            below = [
                exports_and_quotas(emulator, record["id"]) for record in emulator.volumes() if record["id"] != volume
            ]
            assert sorted(record["name"] for record in emulator.volumes()) == ["new 0", "new 1", "old"]
            assert below == [["/a", "/b", "web"]] * 2
        assert run_module(module, {**connection_to(emulator), **options}, Clock())["changed"] is False


def exports_and_quotas(emulator: Emulator, volume: int) -> list[str]:
    """Return the keys of all records in a volume."""
    keys = [quota["path"] for quota in emulator.quotas(volume)] + [each["desc"] for each in emulator.exports(volume)]
    return sorted(keys)


def console_document(quotas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return items of `volumes`: one that exists with these quotas, two to be created, one to be deleted."""
    lists: dict[str, Any] = {"exports": [{"desc": "web", "iprange": "*"}]}
    lists["quotas"] = [{"path": path, "size": 1024} for path in ("/a", "/b")]
    created = [{"name": f"new {number}", "bucket": "https://v.example.com", **lists} for number in range(2)]
    return [{"name": "old", "quotas": quotas}, *created, {"name": "gone", "state": "absent"}]


def seed(emulator: Emulator, volume: int, draw: random.Random) -> list[dict[str, Any]]:
    """Create quotas in a volume, all with a limit of inodes, and return items that do not name it."""
    there = [f"/old/{number}" for number in range(OLD)] + [f"/gone/{number}" for number in range(GONE)]
    emulator.add_quotas(volume, [{"path": path, "size": 5, "inodes": INODES} for path in there])
    same, others = ([f"/{name}/{number}" for number in range(20)] for name in ("same", "other"))
    emulator.add_quotas(volume, [{"path": path, "size": 1024, "inodes": INODES} for path in same + others])
    items: list[dict[str, Any]] = [{"path": f"/new/{number}", "size": 1024} for number in range(NEW)]
    items += [{"path": path, "size": 1024} for path in there[:OLD] + same]
    items += [{"path": path, "state": "absent"} for path in there[OLD:]]
    draw.shuffle(items)
    return items


def assert_converged(quotas: list[dict[str, Any]], items: list[dict[str, Any]], exposed: set[str]) -> None:
    """Assert that every record exists once and as wanted, and keeps the fields that the task does not name.

    The exception is `exposed`, at most one record: a task first sends one update to see whether the console resets omitted
    fields, and cannot repair that record if it is killed before it reads the list.
    """
    paths = [quota["path"] for quota in quotas]
    wanted = {item["path"] for item in items if "state" not in item}
    assert sorted(paths) == sorted(wanted | {f"/other/{number}" for number in range(20)})
    assert {quota["size"] for quota in quotas} == {1024}
    lost = {quota["path"] for quota in quotas if quota["inodes"] != INODES and not quota["path"].startswith("/new/")}
    assert len(exposed) <= 1
    assert lost <= exposed


def without_inodes(emulator: Emulator) -> set[str]:
    """Return the paths of the quotas whose last update did not carry their limit of inodes."""
    last = {write.path: write.json for write in emulator.writes if write.method == "PUT" and write.status == 200}
    return {body["path"] for body in last.values() if "inodes" not in body}


@contextlib.contextmanager
def play_until(
    emulator: Emulator, folder: Path, module: str, options: Options, moment: int
) -> Iterator[tuple[int, int]]:
    """Run the task in a playbook; at the request of that number, give the processes of ansible-playbook and module."""
    pid_file, python = folder / "pid", folder / "python"
    script = f'#!/bin/sh\necho $$ > {shlex.quote(str(pid_file))}\nexec {shlex.quote(sys.executable)} "$@"\n'
    python.write_text(script, encoding="utf-8")
    python.chmod(0o755)
    play: dict[str, Any] = {"hosts": "localhost", "gather_facts": False}
    play["vars"] = {"ansible_python_interpreter": str(python)}
    play["tasks"] = [{f"managedfs.console.{module}": options}]
    (folder / "play.yml").write_text(json.dumps([play]), encoding="utf-8")
    with start_command(emulator, folder, "ansible-playbook", "play.yml") as process:
        try:
            wait_until(lambda: len(emulator.requests) >= moment or process.poll() is not None)
            yield process.pid, int(pid_file.read_text(encoding="utf-8"))
        finally:
            process.kill()


def is_running(process: int) -> bool:
    """Return whether a process has not ended yet."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition that will hold soon."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)
