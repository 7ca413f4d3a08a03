# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the benchmarks are made of: a console, plays, commands timed in turn, and rows of a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from emulator import Emulator

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
quotas, volumes = module.params["quotas"], module.params["volumes"]
differ = bare.compare_all(volumes) if quotas is None else bare.compare(quotas)
module.exit_json(changed=differ > 0)
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


class Bench:
    """A console with one volume, a folder for plays, and how many times each command is run."""

    def __init__(self, emulator: Emulator, folder: Path, rounds: int) -> None:
        self.emulator = emulator
        self.folder = folder
        self.rounds = rounds

    def reset(self, latency: float = 0.0) -> None:
        """Start over with an empty volume named v."""
        self.emulator.reset()
        self.emulator.add_volume(name="v", bucket="https://v.example.com")
        self.emulator.latency = latency

    def items(self, count: int) -> Path:
        """Write a file with that many quotas and return its path."""
        path = self.folder / f"quotas-{count}.json"
        path.write_text(json.dumps([{"path": f"/home/u{n}", "size": 1024} for n in range(count)]), encoding="utf-8")
        return path

    def play(self, name: str, *tasks: str) -> list[str]:
        """Write a play of these tasks, each YAML text, and return the command that runs it."""
        path = self.folder / f"{name}.yml"
        text = PLAY + "".join("    - " + task.replace("\n", "\n      ") + "\n" for task in tasks)
        path.write_text(text, encoding="utf-8")
        return ["ansible-playbook", str(path)]

    def nothing(self) -> str:
        """Write a module that takes the lists of ours and does nothing with them, and return its name."""
        return self._module("nothing", f"{NOTHING}module.exit_json()\n")

    def least(self) -> str:
        """Write a module that compares the lists of ours as the bare script does, and return its name."""
        return self._module("least", NOTHING + LEAST)

    def _module(self, name: str, source: str) -> str:
        path = self.folder / "library" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return name

    def bare(self, action: str, items: Path) -> list[str]:
        """Return the command that runs the bare script."""
        return [sys.executable, str(BARE), action, str(items)]

    def seconds(self, command: list[str], prepare: Callable[[], None] = lambda: None) -> float:
        """Return how long a command takes, which must succeed."""
        prepare()
        env = os.environ | {
            "MANAGEDFS_CONSOLE_URL": self.emulator.url,
            "MANAGEDFS_ACCESS_KEY": self.emulator.access_key,
            "MANAGEDFS_SECRET_KEY": self.emulator.secret_key,
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
        }
        started = time.perf_counter()
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        took = time.perf_counter() - started
        if done.returncode:
            raise RuntimeError(f"{command} failed:\n{done.stdout}\n{done.stderr}")
        return took

    def in_turn(
        self, commands: list[list[str]], prepare: Callable[[], None] = lambda: None, rounds: int | None = None
    ) -> list[float]:
        """Return the least time of each command: what else the machine does only adds to it.

        The commands are run in turn, so that a machine that drifts affects all alike.
        """
        taken = [[self.seconds(command, prepare) for command in commands] for _round in range(rounds or self.rounds)]
        return [min(times) for times in zip(*taken, strict=True)]


def at_most(name: str, ours: float, other: float, bound: float) -> Row:
    """Return a row whose ratio must not exceed the bound."""
    ratio = ours / other
    return Row(name, ours, other, ratio, f"<= {bound:g}", ratio <= bound)


def possible(name: str, least: float, other: float) -> Row:
    """Return a row that tells what ratio is possible at all."""
    return Row(name, least, other, least / other, "(possible)", True)
