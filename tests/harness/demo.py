# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make demo` shows: a playbook that runs twice against the emulator, and changes nothing the second time.

python -m harness.demo
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from harness import console
from harness.places import CHECKOUT, linked_tree, stage_folder

PLAYBOOK = Path("playbooks", "demo.yml")
LIFE = 600

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
RECAP = re.compile(r"^\S+\s+: ok=\d+\s+changed=(\d+)\s", re.MULTILINE)


def main() -> int:
    """Run the demo and return its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    folder = stage_folder("demo")
    env = os.environ | {
        "ANSIBLE_COLLECTIONS_PATH": str(linked_tree(folder)),
        "ANSIBLE_FORCE_COLOR": str(sys.stdout.isatty()),
        "ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml",
        # Ansible takes the home of its modules from the user, not from HOME.
        "ANSIBLE_REMOTE_TMP": str(folder / "remote"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    }
    heading("Starting the emulator, a console of its own on this machine")
    with console.running(Path(sys.executable), folder, life=LIFE) as running:
        print(f"It listens at {running.url} until the demo ends.", flush=True)
        env |= running.variables
        heading(f"First run of {PLAYBOOK}: what it asks for is made")
        changed = play(env)
        if not changed:
            return fail("the first run failed" if changed is None else "the first run changed nothing")
        heading("Second run of the same playbook: all is as it should be, and nothing changes")
        again = play(env)
        if again != 0:
            return fail(
                "the second run failed" if again is None else f"{again} tasks of the second run changed something"
            )
    heading(
        f"Done. Tasks that changed something: {changed} in the first run, 0 in the second. The emulator has stopped."
    )
    return 0


def play(env: dict[str, str]) -> int | None:
    """Run the playbook, show what it prints, and return how much it changed, or None where it failed."""
    command = [str(Path(sys.executable).with_name("ansible-playbook")), str(PLAYBOOK)]
    printed = []
    with subprocess.Popen(command, cwd=CHECKOUT, env=env, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            printed.append(line)
    recap = RECAP.findall(COLOUR.sub("", "".join(printed)))
    return sum(map(int, recap)) if process.returncode == 0 and recap else None


def heading(text: str) -> None:
    """Print a line that stands out."""
    print(f"\n=== {text}", flush=True)


def fail(problem: str) -> int:
    """Say what went wrong."""
    print(f"\nThe demo failed: {problem}.", file=sys.stderr)
    return 1


def interrupted(number: int, _frame: object) -> NoReturn:
    """Let blocks end as they should, the emulator's among them."""
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
