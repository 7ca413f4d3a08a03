# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Set up nox in the work folder, then run it or another of our programs, as the Makefile does; or remove that folder.

It needs Python 3.10, and its standard library.
"""

from __future__ import annotations

import ast
import configparser
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from glob import glob
from pathlib import Path

from harness.cores import MINORS
from harness.places import CHECKOUT, WORK

PYTHONS = [f"python3.{minor}" for minor in MINORS]
# The folders of version managers, which need not be in PATH.
MANAGED = (os.environ.get("PYENV_ROOT", "~/.pyenv") + "/versions/*/bin", "~/.local/share/uv/python/*/bin")
# Succeeds on an interpreter that can create environments and run the emulator.
PROBE = "import ensurepip, sqlite3, ssl, sys, venv; print(sys._base_executable)"
# User settings that would change what the tools do. Ansible needs UTF-8, which Python uses unless LC_ALL sets another.
DROPPED = ("ANSIBLE_", "COVERAGE_", "GIT_", "LC_ALL", "MANAGEDFS_", "MYPY", "NOX", "PYTEST_", "PYTHON", "XDG_")


def main(module: str, *arguments: str) -> int:
    if not shutil.which("git") or len(str(CHECKOUT).split()) > 1:
        sys.exit("git is needed, and a checkout whose path has no white space")
    os.chdir(CHECKOUT)
    python = str(WORK / "venv" / "bin" / "python")
    # A virtual environment breaks if its interpreter is removed.
    if module == "clean" or not executable_of(python):
        shutil.rmtree(WORK, ignore_errors=True)
    if module == "clean":
        return 0
    if not WORK.exists():
        print(f"Setting up nox in {WORK}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", WORK / "venv"], check=True)
    write_pip_configuration(WORK / "home" / ".config" / "pip" / "pip.conf", python)
    environment = tool_environment() | {"PATH": tool_path()}
    install = [python, "-m", "pip", "install", "-qq", "--requirement", "tests/requirements/lock/nox.txt"]
    subprocess.run(install, env=environment, check=True)
    if module != "nox":
        environment["PYTHONPATH"] = "tests"
    if module == "probe":
        environment |= {name: value for name, value in os.environ.items() if name.startswith("MANAGEDFS_")}
    return os.execve(python, [python, "-m", module, *arguments, *shlex.split(os.environ.get("ARGS", ""))], environment)


def tool_environment() -> dict[str, str]:
    """Return the environment variables of all tools, except PATH; the user's home stays as it is."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
    no_proxy = environment.get("NO_PROXY") or environment.get("no_proxy") or "localhost"
    environment["NO_PROXY"] = environment["no_proxy"] = f"{no_proxy},127.0.0.1,localhost,::1"
    # The checkout may belong to another user than the one who runs the tests.
    git = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    return environment | git | {"HOME": str(WORK / "home")}


def tool_path() -> str:
    """Return a PATH on which every python3.X works, without stand-ins, which fail and would stop ansible-test."""
    pythons, folders = WORK / "pythons", os.get_exec_path()
    managed = [found for pattern in MANAGED for found in sorted(glob(os.path.expanduser(pattern)), reverse=True)]
    link(pythons / f"python3.{sys.version_info.minor}", executable_of(sys.executable))
    for name in PYTHONS:
        tried = map(executable_of, (f"{folder}/{name}" for folder in (pythons, *folders, *managed)))
        link(pythons / name, next(filter(None, tried), ""))
    missing = {name for name in PYTHONS if not (pythons / name).exists()}
    for number, folder in enumerate(folders):
        if any(os.access(f"{folder}/{name}", os.X_OK) for name in missing):
            folders[number] = str(WORK / "path" / hashlib.sha256(folder.encode()).hexdigest()[:12])
            for name in set(os.listdir(folder)) - missing:
                link(Path(folders[number], name), f"{folder}/{name}")
    return os.pathsep.join([str(pythons), *folders])


def link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if target and not path.exists():
        path.unlink(missing_ok=True)
        path.symlink_to(target)


def executable_of(python: str) -> str:
    """Return the real path of an interpreter, blank if it does not work."""
    with suppress(OSError, subprocess.SubprocessError):
        command = [python, "-I", "-c", PROBE]
        return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout.strip()
    return ""


def write_pip_configuration(path: Path, python: str) -> None:
    """Write the user's pip settings, from files and variables, to a file: ansible-test passes on no variables."""
    command = [python, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    configuration = configparser.RawConfigParser()
    # Variables, in the section :env:, override files, so they come last: a colon sorts before letters.
    for line in sorted(listed, reverse=True):
        name, value = line.replace(":env:", "global", 1).split("=", 1)
        section, option = name.rsplit(".", 1)
        configuration.read_dict({section: {option: ast.literal_eval(value)}})
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        configuration.write(file)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
