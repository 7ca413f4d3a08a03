# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs roles of the collection as users do: from a playbook of their own, in a folder of their own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from emulator import Emulator
from functional.support.outofprocess import run_command

UNUSUAL_NAMES = ["projects", "{{ 1/0 }}", "{% x %}", "web ", "web", "twice", "twice", " ", "a/b", "on"]


class Project:
    """A folder with a playbook."""

    def __init__(self, folder: Path, emulator: Emulator) -> None:
        self.folder = folder
        self.emulator = emulator
        self.desired = folder / "desired"

    def run(self, role: str, *arguments: str, hosts: list[str] | None = None, **variables: Any) -> str:
        """Return what Ansible prints when a play includes a role."""
        self.emulator.forget_requests()
        play = {
            "hosts": "all",
            "gather_facts": False,
            "tasks": [
                {"ansible.builtin.include_role": {"name": f"managedfs.console.{role}"}, "vars": variables},
            ],
        }
        local = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        inventory = {"all": {"hosts": dict.fromkeys(hosts or ["console"]), "vars": local}}
        (self.folder / "play.yml").write_text(yaml.safe_dump([play]), encoding="utf-8")
        (self.folder / "hosts.yml").write_text(yaml.safe_dump(inventory), encoding="utf-8")
        printed = run_command(
            self.emulator, self.folder, "ansible-playbook", "--inventory", "hosts.yml", "play.yml", *arguments
        )
        print(printed)
        return printed

    def files(self, folder: str = "desired") -> dict[str, str]:
        """Return the files of a folder."""
        return {path.name: path.read_text(encoding="utf-8") for path in sorted((self.folder / folder).iterdir())}


def seed(emulator: Emulator) -> None:
    """Put volumes with unusual names on a console, each with the same unusual exports and quotas."""
    for name in UNUSUAL_NAMES:
        volume = emulator.add_volume(name=name, bucket="https://me:hunter2@v.example.com")
        emulator.add_export(volume, desc="web", iprange="10.0.0.0/8", token="token-of-web-0123")
        emulator.add_export(volume, desc="{{ 7 * 7 }}", iprange="*")
        emulator.add_export(volume, desc="", iprange="*")
        emulator.add_quota(volume, path="/home/{{ 1/0 }}", size=10 << 30)


def recap(printed: str, host: str = "console") -> dict[str, int]:
    """Return the counts of a host at the end of a run."""
    line = re.search(rf"^{host} +: (.*)$", printed, re.MULTILINE)
    assert line, printed
    return {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", line.group(1))}


def outcome(printed: str, host: str = "console") -> tuple[bool, bool]:
    """Return whether a host failed, and whether it was changed."""
    counts = recap(printed, host)
    return bool(counts["failed"]), bool(counts["changed"])
