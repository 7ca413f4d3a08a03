# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs Ansible and its companions as users do, in processes of their own, against an emulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ansible_collections.managedfs.console.plugins.module_utils._internal import version
from emulator import Emulator

# Far more than any of them takes, also where other work keeps the machine busy.
PATIENCE = 600


def run_command(emulator: Emulator, folder: Path, name: str, *arguments: str) -> str:
    """Run a command of this environment, with the given folder as working directory and home; return its output."""
    command, env = _command(name, arguments), _environment(emulator, folder)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "timeout": PATIENCE}
    done = subprocess.run(command, cwd=folder, env=env, text=True, check=False, **pipes)
    return str(done.stdout)


def start_command(emulator: Emulator, folder: Path, name: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command of this environment as the leader of its own process group; discard its output."""
    command, env = _command(name, arguments), _environment(emulator, folder)
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=env, stdout=nowhere, stderr=nowhere, start_new_session=True)


def _command(name: str, arguments: tuple[str, ...]) -> list[str]:
    return [str(Path(sys.executable).parent / name), *arguments]


def _environment(emulator: Emulator, folder: Path) -> dict[str, str]:
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "MANAGEDFS_CONSOLE_URL": emulator.url,
        "MANAGEDFS_ACCESS_KEY": emulator.access_key,
        "MANAGEDFS_SECRET_KEY": emulator.secret_key,
        "ANSIBLE_COLLECTIONS_PATH": collections_path(),
        "HOME": str(folder),
        "ANSIBLE_REMOTE_TMP": str(folder / "remote"),
    }


def collections_path() -> str:
    """Return the tree that this process imports the collection from."""
    return str(Path(str(version.__file__)).parents[6])
