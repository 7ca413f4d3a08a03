# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make demo` shows: a playbook that changes nothing the second time, and a console that becomes code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from emulator import Emulator
from harness.places import CHECKOUT, linked_tree, session_folder


def main() -> None:
    files = session_folder("stages", "demo")
    code, report = files / "console", files / "report"
    shutil.rmtree(code, ignore_errors=True)
    print("\n=== Starting the emulator, a console of its own on this machine")
    with Emulator() as emulator:
        print(f"It listens at {emulator.url} until the demo ends.")
        os.environ |= environment(emulator)
        play("playbooks/demo.yml", "what it asks for is made")
        play("playbooks/demo.yml", "run again, everything is as wanted")
        play("managedfs.console.capture", "what the console has becomes code", capture_dest=code)
        print((code / "projects.yml").read_text(encoding="utf-8"))
        print("=== Somebody changes the limit of alice by hand, from 10 GiB to 1 TiB", flush=True)
        run("adhoc", "localhost", "-m", "managedfs.console.quota", "-a", "volume=projects path=/home/alice size=1TiB")
        play("managedfs.console.report", "what differs, and who may use what", report_source=code, report_dest=report)
        os.environ["ANSIBLE_DIFF_ALWAYS"] = "true"
        play("managedfs.console.apply", "the console is what the code says", apply_source=code)
        play("managedfs.console.apply", "once more, all is as wanted", apply_source=code)
    print(f"=== Done. The report is a page for your browser: {report / 'report.html'}")
    print("To go on: docs/docsite/rst/start.rst, then authentication.rst and guide_existing_console.rst")


def environment(emulator: Emulator) -> dict[str, str]:
    return {
        "MANAGEDFS_CONSOLE_URL": emulator.url,
        "MANAGEDFS_ACCESS_KEY": emulator.access_key,
        "MANAGEDFS_SECRET_KEY": emulator.secret_key,
        "ANSIBLE_COLLECTIONS_PATH": str(linked_tree()),
        "ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml",
        # Ansible takes the home of its modules from the user, not from HOME.
        "ANSIBLE_REMOTE_TMP": str(session_folder("stages", "demo") / "remote"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    }


def play(playbook: str, title: str, **variables: Path) -> None:
    print(f"\n=== {playbook}: {title}", flush=True)
    run("playbook", playbook, f"--extra-vars={json.dumps(variables, default=str)}")


def run(*command: str) -> None:
    subprocess.run([sys.executable, "-m", "ansible", *command], cwd=CHECKOUT, check=True)


if __name__ == "__main__":
    main()
