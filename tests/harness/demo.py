# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make demo` shows: a playbook that changes nothing the second time, and a console that becomes code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

from emulator import Emulator
from harness.places import CHECKOUT, linked_tree, stage_folder

CHANGE = ("localhost", "--module-name=managedfs.console.quota", "--args=volume=projects path=/home/alice size=1TiB")
NEXT = """
To go on:
  1. Write a playbook of your own, on the emulator: docs/docsite/rst/start.rst
  2. Connect to your console, which capture only reads: docs/docsite/rst/authentication.rst
  3. Turn it into files that a pipeline applies: docs/docsite/rst/guide_existing_console.rst"""
RECAP = re.compile(r"ok=\d+\s.*changed=(\d+)\s")


def main() -> None:
    files = stage_folder("demo")
    code, report = files / "console", files / "report"
    shutil.rmtree(code, ignore_errors=True)
    print("\n=== Starting the emulator, a console of its own on this machine")
    with Emulator() as emulator:
        print(f"It listens at {emulator.url} until the demo ends.")
        os.environ |= environment(emulator)
        first = play("playbooks/demo.yml", "what it asks for is made")
        second = play("playbooks/demo.yml", "run again, everything is as wanted")
        play("managedfs.console.capture", "what the console has becomes code", capture_dest=str(code))
        print((code / "projects.yml").read_text(encoding="utf-8"))
        print("=== Somebody changes the limit of alice by hand, from 10 GiB to 1 TiB")
        run("ansible", *CHANGE)
        folders = {"report_source": str(code), "report_dest": str(report)}
        play("managedfs.console.report", "what differs from the code, and who may use what", **folders)
        os.environ["ANSIBLE_DIFF_ALWAYS"] = "true"
        mended = play("managedfs.console.apply", "the console is what the code says", apply_source=str(code))
        unchanged = play("managedfs.console.apply", "once more, all is as wanted", apply_source=str(code))
    changes = f"{first}, then {second}; with the code {mended}, then {unchanged}"
    print(f"\n=== Done. Tasks that changed something: {changes}.")
    print(f"The report is a page for your browser: {report / 'report.html'}\n{NEXT}")
    if not first or second or mended != 1 or unchanged:
        sys.exit("the first run of each must change something, and the second nothing")


def environment(emulator: Emulator) -> dict[str, str]:
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


def play(playbook: str, title: str, **variables: str) -> int:
    """Run a playbook, show what it prints, and return how many tasks changed something."""
    print(f"\n=== {playbook}: {title}", flush=True)
    output = run("ansible-playbook", playbook, f"--extra-vars={json.dumps(variables)}")
    print(output, flush=True)
    return sum(map(int, RECAP.findall(output)))


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=CHECKOUT, check=False, stdout=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else sys.exit(done.stdout)


if __name__ == "__main__":
    main()
