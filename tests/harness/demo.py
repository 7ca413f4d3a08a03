# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make demo` shows: a playbook that runs twice against the emulator, and changes nothing the second time."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from emulator import Emulator
from harness.places import linked_tree, stage_folder

if TYPE_CHECKING:
    import nox

PLAYBOOK = "playbooks/demo.yml"
RECAP = re.compile(r"ok=\d+\s.*changed=(\d+)\s")


def run(session: nox.Session) -> None:
    """Run the demo."""
    print("\n=== Starting the emulator, a console of its own on this machine")
    with Emulator() as emulator:
        env = environment(emulator)
        print(f"It listens at {emulator.url} until the demo ends.")
        print(f"\n=== First run of {PLAYBOOK}: what it asks for is made", flush=True)
        changed = play(session, env)
        print("\n=== Second run of the same playbook: everything is as wanted, and nothing changes", flush=True)
        again = play(session, env)
    print(f"\n=== Done. Tasks that changed something: {changed} in the first run, {again} in the second.", flush=True)
    if not changed or again:
        session.error("the first run must change something, and the second nothing")


def environment(emulator: Emulator) -> dict[str, str]:
    """Return the environment variables of the playbook."""
    return {
        "MANAGEDFS_CONSOLE_URL": emulator.url,
        "MANAGEDFS_ACCESS_KEY": emulator.access_key,
        "MANAGEDFS_SECRET_KEY": emulator.secret_key,
        "ANSIBLE_COLLECTIONS_PATH": str(linked_tree()),
        "ANSIBLE_FORCE_COLOR": str(sys.stdout.isatty()),
        "ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml",
        # Ansible takes the home of its modules from the user, not from HOME.
        "ANSIBLE_REMOTE_TMP": str(stage_folder("demo") / "remote"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    }


def play(session: nox.Session, env: dict[str, str]) -> int:
    """Run the playbook, show what it prints, and return how many tasks changed something."""
    output = str(session.run("ansible-playbook", PLAYBOOK, env=env, silent=True))
    print(output, flush=True)
    return sum(map(int, RECAP.findall(output)))
