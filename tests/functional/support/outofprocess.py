# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs Ansible and its companions as users do, in separate processes, against an emulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal.http import transport
from emulator import Emulator

# Far more than any of them takes, even on a busy machine.
PATIENCE = 600


def run_command(emulator: Emulator, folder: Path, name: str, *arguments: str) -> str:
    """Run a command of this environment, with the given folder as working directory and home; return its output."""
    return finish_command(emulator, folder, name, *arguments)[1]


def finish_command(emulator: Emulator, folder: Path, name: str, *arguments: str) -> tuple[int, str]:
    """Do the same, and return its exit code and its output."""
    options = _options(emulator, folder, name, *arguments)
    done = subprocess.run(**options, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
    return done.returncode, str(done.stdout.decode())


def start_command(emulator: Emulator, folder: Path, name: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command of this environment as the leader of its own process group; discard its output."""
    nowhere, options = subprocess.DEVNULL, _options(emulator, folder, name, *arguments)
    return subprocess.Popen(**options, stdout=nowhere, stderr=nowhere, start_new_session=True)


def _options(emulator: Emulator, folder: Path, name: str, *arguments: str) -> dict[str, Any]:
    programs = Path(sys.executable).parent
    env = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "MANAGEDFS_CONSOLE_URL": emulator.url,
        "MANAGEDFS_ACCESS_KEY": emulator.access_key,
        "MANAGEDFS_SECRET_KEY": emulator.secret_key,
        "ANSIBLE_COLLECTIONS_PATH": collections_path(),
        "HOME": str(folder),
        "ANSIBLE_REMOTE_TMP": str(folder / "remote"),
    }
    return {"args": [str(programs / name), *arguments], "cwd": folder, "env": env}


def collections_path() -> str:
    """Return the tree that this process imports the collection from."""
    return str(Path(str(transport.__file__)).parents[7])
