# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What playbooks take for many consoles: each further one, and how many at a time."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from benchmarks.bench import Bench, Row, fill
from benchmarks.plays import volumes

from emulator import Emulator

FEW, MANY = 20, 120
PLAY = """- hosts: consoles
  gather_facts: false
  module_defaults:
    group/managedfs.console.console:
      console_url: "{{ managedfs_console_url }}"
      access_key: "{{ managedfs_access_key }}"
      secret_key: "{{ managedfs_secret_key }}"
  tasks:
"""


def write_inventory(path: Path, consoles: Mapping[str, Emulator]) -> Path:
    """Write an inventory of these consoles, as the guide "Many consoles" has it, and return its path."""
    hosts = {
        name: {
            "managedfs_console_url": console.url,
            "managedfs_access_key": console.access_key,
            "managedfs_secret_key": console.secret_key,
        }
        for name, console in consoles.items()
    }
    variables = {
        "ansible_connection": "local",
        "ansible_python_interpreter": "{{ ansible_playbook_python }}",
    }
    inventory = {"consoles": {"hosts": hosts, "vars": variables}}
    # JSON is YAML.
    path.write_text(json.dumps(inventory, indent=2), encoding="utf-8")
    return path


def kinds(bench: Bench) -> dict[str, tuple[list[str], float]]:
    """Return commands for all consoles of an inventory, and the CPU seconds that each further console may take."""
    desired = bench.write("desired/v0.yml", volumes(1, 2, 10, "1GiB")[0]).parent
    task = bench.play("one-task", "managedfs.console.volume_info:", start=PLAY)
    apply, report = (
        ["ansible-playbook", f"managedfs.console.{name}", "-e", "managedfs_hosts=consoles"]
        for name in ("apply", "report")
    )
    apply += ["-e", f"apply_source={desired}"]
    report += ["-e", f"report_source={desired}", "-e", f"report_dest={bench.folder / 'reports'}"]
    return {"one task": (task, 0.1), "apply": (apply, 0.25), "report": (report, 0.4)}


def consoles(bench: Bench) -> Iterable[Row]:
    """Measure what each further console takes, by the difference of two inventories."""
    with contextlib.ExitStack() as stack:
        there = {f"console{number}": stack.enter_context(Emulator()) for number in range(1, MANY + 1)}
        for console in there.values():
            fill(console, volumes(1, 2, 10))
        few = write_inventory(bench.folder / "few.yml", dict(islice(there.items(), FEW)))
        many = write_inventory(bench.folder / "many.yml", there)
        for name, (command, bound) in kinds(bench).items():
            # With so many, two rounds are enough.
            least, most = bench.cpu(*([*command, "-i", str(path)] for path in (few, many)), rounds=min(2, bench.rounds))
            yield Row(f"each further console: {name} / a second", (most - least) / (MANY - FEW), 1, bound)
