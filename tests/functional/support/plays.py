# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs ansible-playbook against an emulator, and reads what it printed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from emulator import Emulator
from functional.support.outofprocess import run_command

_RECAP = re.compile(r"^(\S+) +: (ok=.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Played:
    """What a run of ansible-playbook printed."""

    output: str

    @property
    def recap(self) -> dict[str, dict[str, int]]:
        """Return the counts of the last lines, by host."""
        return {
            host: {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", counts)}
            for host, counts in _RECAP.findall(self.output)
        }

    def count(self, name: str, host: str = "localhost") -> int:
        """Return one of the counts of a host."""
        return self.recap[host][name]


def run_playbook(emulator: Emulator, folder: Path, playbook: str, variables: dict[str, Any], *options: str) -> Played:
    """Run a playbook, by its path or full name, with extra variables."""
    output = run_command(emulator, folder, "ansible-playbook", playbook, "-e", json.dumps(variables), *options)
    print(output)
    return Played(output)


def run_role(emulator: Emulator, folder: Path, role: str, variables: dict[str, Any], *options: str) -> Played:
    """Run a role of the collection in a play of its own, with the connection from the environment."""
    play = {"hosts": "localhost", "gather_facts": False, "roles": [f"managedfs.console.{role}"]}
    path = folder / "play.yml"
    path.write_text(yaml.safe_dump([play]), encoding="utf-8")
    return run_playbook(emulator, folder, str(path), variables, *options)
