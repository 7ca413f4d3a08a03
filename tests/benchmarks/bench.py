# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the benchmarks are made of: a console, plays, commands timed in turn, and rows of a table."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from emulator import Emulator
from harness import demo

BARE = Path(__file__).with_name("bare.py")
PLAY = """- hosts: localhost
  gather_facts: false
  vars: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
  tasks:
"""
# How long Ansible takes to start a module and hand it a list.
NOTHING = """#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule
lists = {name: {"type": "list", "elements": "dict"} for name in ("quotas", "volumes")}
module = AnsibleModule({**lists, "volume": {"type": "str"}, "concurrency": {"type": "int"}})
"""
# How long a module takes that is no more than the bare script: no module that uses `requests` takes less.
LEAST = f"""
import sys
sys.path.insert(0, {str(BARE.parent)!r})
import bare
items = bare.document(module.params["quotas"] or module.params["volumes"])
module.exit_json(changed=bare.compare(items) > 0)
"""
FROM_FILE = "{{ lookup('ansible.builtin.file', '%s') | from_json }}"


class Row(NamedTuple):
    """A line of the table: two times in seconds or other figures, their ratio, and the bound it is to keep."""

    name: str
    ours: float
    other: float
    ratio: float
    bound: str
    kept: bool


class Bench(NamedTuple):
    """A console with one volume, a folder for plays, and how many times each command is run."""

    emulator: Emulator
    folder: Path
    rounds: int

    def reset(self, latency: float = 0.0) -> None:
        """Start over with an empty volume named v."""
        self.emulator.reset()
        self.emulator.add_volume(name="v", bucket="https://v.example.com")
        self.emulator.latency = latency

    def items(self, count: int) -> Path:
        path = self.folder / f"quotas-{count}.json"
        path.write_text(json.dumps([{"path": f"/home/u{n}", "size": 1024} for n in range(count)]), encoding="utf-8")
        return path

    def play(self, name: str, *tasks: str) -> list[str]:
        """Write a play of these tasks, each YAML text, and return the command that runs it."""
        path = self.folder / f"{name}.yml"
        text = PLAY + "".join("    - " + task.replace("\n", "\n      ") + "\n" for task in tasks)
        path.write_text(text, encoding="utf-8")
        return ["ansible-playbook", str(path)]

    def modules(self) -> Iterator[str]:
        """Write modules that take the lists of ours, and do nothing, or compare as the bare script does; yield their names."""
        library = self.folder / "library"
        library.mkdir(exist_ok=True)
        for name, source in {"nothing": "module.exit_json()\n", "least": LEAST}.items():
            (library / f"{name}.py").write_text(NOTHING + source, encoding="utf-8")
            yield name

    def environment(self) -> dict[str, str]:
        return os.environ | demo.environment(self.emulator)

    def bare(self, action: str, items: Path) -> list[str]:
        return [sys.executable, str(BARE), action, str(items)]

    def seconds(self, command: list[str], prepare: Callable[[], None] = lambda: None) -> float:
        prepare()
        started = time.perf_counter()
        done = subprocess.run(command, env=self.environment(), capture_output=True, text=True, check=False)
        took = time.perf_counter() - started
        if done.returncode:
            raise RuntimeError(f"{command} failed:\n{done.stdout}\n{done.stderr}")
        return took

    def cpu(self, *commands: list[str], rounds: int = 0) -> list[float]:
        """Return the least CPU seconds of each command, with all processes that it starts and waits for."""
        taken = [[self._cpu(command) for command in commands] for _round in range(rounds or self.rounds)]
        return [min(times) for times in zip(*taken, strict=True)]

    def _cpu(self, command: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds(command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def in_turn(
        self, commands: list[list[str]], prepare: Callable[[], None] = lambda: None, rounds: int = 0
    ) -> list[float]:
        """Return the least time of each command, since what else the machine does only adds to it; drift affects all alike."""
        taken = [[self.seconds(command, prepare) for command in commands] for _round in range(rounds or self.rounds)]
        return [min(times) for times in zip(*taken, strict=True)]


def at_most(name: str, ours: float, other: float, bound: float) -> Row:
    return Row(name, ours, other, ours / other, f"<= {bound:g}", ours / other <= bound)


def at_least(name: str, ours: float, other: float, bound: float) -> Row:
    return Row(name, ours, other, ours / other, f">= {bound:g}", ours / other >= bound)
