# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Set up nox in the work folder, then run it or another of our programs. Needs Python 3.10, and no packages."""

from __future__ import annotations

import ast
import configparser
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
# The folders of version managers, which need not be in PATH, or only with stand-ins that fail.
MANAGED = [os.environ.get("PYENV_ROOT", "~/.pyenv") + "/versions/*/bin"]
MANAGED += [f"~/{path}/python/*/bin" for path in (".local/share/uv", ".asdf/installs", ".local/share/mise/installs")]
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
    if not executable_of(python):
        shutil.rmtree(WORK, ignore_errors=True)
        print(f"Setting up nox in {WORK}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", WORK / "venv"], check=True)
    write_pip_configuration(WORK / "home" / ".config" / "pip" / "pip.conf", python)
    link_pythons(WORK / "pythons")
    environment = tool_environment()
    install = [python, "-m", "pip", "install", "-qq", "--requirement", "tests/requirements/lock/nox.txt"]
    subprocess.run(install, env=environment, check=True)
    if module != "nox":
        environment["PYTHONPATH"] = "tests"
    if module == "probe":
        environment |= {name: value for name, value in os.environ.items() if name.startswith("MANAGEDFS_")}
    return os.execve(python, [python, "-m", module, *arguments, *shlex.split(os.environ.get("ARGS", ""))], environment)


def tool_environment() -> dict[str, str]:
    """Return the environment variables of all tools; the user's home stays as it is."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
    no_proxy = environment.get("NO_PROXY") or environment.get("no_proxy") or "localhost"
    environment["NO_PROXY"] = environment["no_proxy"] = f"{no_proxy},127.0.0.1,localhost,::1"
    # The checkout may belong to another user than the one who runs the tests.
    git = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    path = os.pathsep.join([str(WORK / "pythons"), *os.get_exec_path()])
    return environment | git | {"HOME": str(WORK / "home"), "PATH": path}


def link_pythons(folder: Path) -> None:
    """Link each python3.X that works into a folder, that of this program among them."""
    folder.mkdir(exist_ok=True)
    folders = [*os.get_exec_path(), *(path for pattern in MANAGED for path in glob(os.path.expanduser(pattern)))]
    for link in (folder / name for name in PYTHONS if not (folder / name).exists()):
        own = [sys.executable] if link.name == f"python3.{sys.version_info.minor}" else []
        tried = map(executable_of, [*own, *(f"{path}/{link.name}" for path in folders)])
        if found := next(filter(None, tried), ""):
            link.unlink(missing_ok=True)
            link.symlink_to(found)


def executable_of(python: str) -> str:
    """Return the real path of an interpreter, blank if it does not work."""
    with suppress(OSError, subprocess.SubprocessError):
        command = [python, "-I", "-c", PROBE]
        return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout.strip()
    return ""


def write_pip_configuration(path: Path, python: str) -> None:
    """Write the user's settings of pip, from files and variables, to a file: ansible-test passes on no variables."""
    settings = configparser.RawConfigParser()
    listed = subprocess.check_output([python, "-m", "pip", "config", "list"], text=True).splitlines()
    # Variables, in the section :env:, override files, so they come last: a colon sorts before letters.
    for line in sorted(listed, reverse=True):
        name, value = line.replace(":env:", "global", 1).split("=", 1)
        section, option = name.rsplit(".", 1)
        settings.read_dict({section: {option: ast.literal_eval(value)}})
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        settings.write(file)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
