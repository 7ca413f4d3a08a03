# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs ansible-playbook against an emulator, and reads its output."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emulator import Emulator
from functional.support.outofprocess import finish_command

# The output of a play that goes on after a role has failed.
ROLE_FAILED = "The role failed."


@dataclass(frozen=True)
class Played:
    """The output of ansible-playbook for a play, or for a whole run, with its exit code."""

    output: str
    code: int | None = None

    def count(self, status: str, host: str = "") -> int:
        """Return how many tasks ended with a status, such as changed or failed, on one host or on all."""
        shown = {"failed": "(?:fatal|failed)"}.get(status, status)
        return len(re.findall(rf"^{shown}: \[{re.escape(host) or '.*'}(?: -> .*)?\]", self.output, re.MULTILINE))

    @property
    def outcome(self) -> tuple[bool, bool]:
        """Return whether the role of a play failed, whatever it did about that, and whether anything was changed."""
        return ROLE_FAILED in self.output, self.count("changed") > 0


def run_playbook(emulator: Emulator, folder: Path, playbook: str, variables: dict[str, Any], *options: str) -> Played:
    """Run a playbook, by its path or full name, with extra variables; further ones may come last among the options."""
    arguments = ("-e", json.dumps(variables), *options, playbook)
    code, output = finish_command(emulator, folder, "ansible-playbook", *arguments)
    print(output)
    return Played(output, code)
