# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the benchmarks are made of: a console, plays, commands measured in turn, and rows of a table.

CPU seconds are what a busy machine changes least. The wall clock is for rows whose subject is waiting.
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from emulator import Emulator
from harness import demo

BARE = Path(__file__).with_name("bare.py")
PLAY = """- hosts: localhost
  gather_facts: false
  vars: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
  tasks:
"""
# What Ansible takes to start any module and hand it a list.
NOTHING = """#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule
lists = {name: {"type": "list", "elements": "dict"} for name in ("quotas", "volumes")}
AnsibleModule({**lists, "volume": {"type": "str"}, "concurrency": {"type": "int"}}).exit_json()
"""
FROM_FILE = "{{ lookup('ansible.builtin.file', '%s') | from_json }}"


class Row(NamedTuple):
    """A line of the table: two figures, CPU seconds where the name says nothing else, and what their ratio may be."""

    name: str
    ours: float
    other: float
    bound: float = math.inf

    @property
    def ratio(self) -> float:
        return self.ours / self.other

    @property
    def is_kept(self) -> bool:
        return self.ratio <= self.bound


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

    def fill(self, volumes: list[dict[str, Any]]) -> None:
        """Start over with these volumes, and what is below them."""
        self.emulator.reset()
        fill(self.emulator, volumes)

    def write(self, name: str, data: Any) -> Path:
        """Write JSON, which is YAML as well."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    def play(self, name: str, *tasks: str, start: str = PLAY) -> list[str]:
        """Write a play of these tasks, each YAML text, and return the command that runs it."""
        path = self.folder / f"{name}.yml"
        path.write_text(start + "".join(f"    - {task}\n" for task in tasks), encoding="utf-8")
        library = self.folder / "library"
        library.mkdir(exist_ok=True)
        (library / "nothing.py").write_text(NOTHING, encoding="utf-8")
        return ["ansible-playbook", str(path)]

    def empty(self) -> list[str]:
        """Return the command of a play that does nothing, which is what Ansible takes to start."""
        return self.play("empty", "ansible.builtin.meta: noop")

    def bare(self, items: Path, connections: int) -> list[str]:
        return [sys.executable, str(BARE), str(items), str(connections)]

    def environment(self) -> dict[str, str]:
        return os.environ | demo.environment(self.emulator)

    def cpu(self, *commands: list[str], **options: Any) -> list[float]:
        """Return the least CPU seconds of each command, with all processes that it starts and waits for."""
        return self._least(_cpu_of_children, commands, **options)

    def wall(self, *commands: list[str], **options: Any) -> list[float]:
        """Return the least seconds of each command by the clock, which a busy machine disturbs more: so there are more rounds."""
        return self._least(time.perf_counter, commands, rounds=3 * self.rounds, **options)

    def typical_cpu(self, ours: list[str], other: list[str], less: list[str]) -> tuple[float, float]:
        """Return the CPU seconds of two commands, less those of a third, in the round whose ratio is in the middle.

        Where both take about as long, a quiet moment of one of them would decide, least by least.
        """
        taken = self._rounds(_cpu_of_children, (ours, other, less), rounds=3 * self.rounds)
        pairs = [(one - without, two - without) for one, two, without in taken]
        return sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]

    def _least(self, clock: Callable[[], float], commands: tuple[list[str], ...], **options: Any) -> list[float]:
        """Return the least figure of each command: what else the machine does only adds to it."""
        return [min(figures) for figures in zip(*self._rounds(clock, commands, **options), strict=True)]

    def _rounds(
        self,
        clock: Callable[[], float],
        commands: tuple[list[str], ...],
        prepare: Callable[[], object] = lambda: None,
        rounds: int = 0,
    ) -> list[list[float]]:
        """Measure the commands in turn, so that drift affects all alike."""
        return [
            [self._measure(clock, command, prepare) for command in commands] for _round in range(rounds or self.rounds)
        ]

    def _measure(self, clock: Callable[[], float], command: list[str], prepare: Callable[[], object]) -> float:
        prepare()
        started = clock()
        done = subprocess.run(command, env=self.environment(), capture_output=True, text=True, check=False)
        took = clock() - started
        if done.returncode:
            raise RuntimeError(f"{command} failed:\n{done.stdout}\n{done.stderr}")
        return took


def fill(emulator: Emulator, volumes: list[dict[str, Any]]) -> None:
    """Add volumes with exports and quotas to a console."""
    for item in volumes:
        volume = emulator.add_volume(name=item["name"], bucket=item["bucket"])
        for export in item["exports"]:
            emulator.add_export(volume, **export)
        emulator.add_quotas(volume, item["quotas"])


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
