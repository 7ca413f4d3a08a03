# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Set up nox, then run it or another of our programs.

    python3 tests/bootstrap.py {nox,emulator,probe,harness.report,harness.size,clean} [ARGUMENT ...]

Everything goes into a work folder, `.work` in the checkout. The user's home stays as it is: only pip's configuration, and
its cache if there is one, are read from it. This file needs Python 3.10 and its standard library.
"""

from __future__ import annotations

import ast
import configparser
import glob
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from harness.cores import MINORS
from harness.places import CHECKOUT

PYTHONS = [f"python3.{minor}" for minor in MINORS]
# The folders of version managers, which need not be in PATH.
MANAGED = (os.environ.get("PYENV_ROOT", "~/.pyenv") + "/versions/*/bin", "~/.local/share/uv/python/*/bin")
# Succeeds on an interpreter that can create environments and run the emulator.
PROBE = "import ensurepip, sqlite3, ssl, sys, venv; print(sys._base_executable)"
# User settings that would change the behaviour of the tools. Ansible needs UTF-8, which Python uses even in the C locale,
# unless LC_ALL sets it.
DROPPED = ("ANSIBLE_", "COVERAGE_", "GIT_", "LC_ALL", "MANAGEDFS_", "MYPY", "NOX", "PYTEST_", "PYTHON", "XDG_")


def main(module: str, *arguments: str) -> int:
    if shutil.which("git") is None:
        sys.exit("git is needed and was not found")
    work = work_folder()
    if module == "clean":
        shutil.rmtree(work)
        return 0
    os.chdir(CHECKOUT)
    python = str(work / "venv" / "bin" / "python")
    environment = set_up(work, python)
    if module != "nox":
        environment["PYTHONPATH"] = "tests"
    if module == "probe":
        environment |= {name: value for name, value in os.environ.items() if name.startswith("MANAGEDFS_")}
    return os.execve(python, [python, "-m", module, *arguments, *shlex.split(os.environ.get("ARGS", ""))], environment)


def work_folder() -> Path:
    """Make the work folder, outside of a checkout whose path has white space, since some tools break on that."""
    work = CHECKOUT / ".work"
    if len(str(work).split()) > 1:
        digest = hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:12]
        work = Path(tempfile.gettempdir(), f"managedfs-console-{os.getuid()}-{digest}")
    work.mkdir(mode=0o700, exist_ok=True)
    if work.is_symlink() or work.stat().st_uid != os.getuid():
        sys.exit(f"{work} belongs to somebody else; remove it or set TMPDIR")
    return work


def set_up(work: Path, python: str) -> dict[str, str]:
    """Bring the virtual environment of nox up to date, and return the environment variables to run it with."""
    # A virtual environment breaks if its interpreter is removed.
    if not all(executable_of(path) for path in [python, *map(str, work.glob("pythons/*"))]):
        print(f"Setting up nox in {work}", flush=True)
        shutil.rmtree(work)
        work.mkdir(mode=0o700)
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
    write_pip_configuration(work / "home", python)
    environment = tool_environment(work) | {"PATH": tool_path(work)}
    install = [python, "-m", "pip", "install", "-qq", "--requirement", "tests/requirements/lock/nox.txt"]
    subprocess.run(install, env=environment, check=True)
    return environment


def tool_environment(work: Path) -> dict[str, str]:
    """Return the environment variables of all tools, except PATH."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
    no_proxy = environment.get("NO_PROXY") or environment.get("no_proxy") or "localhost"
    environment["NO_PROXY"] = environment["no_proxy"] = f"{no_proxy},127.0.0.1,localhost,::1"
    # The checkout may belong to another user than the one who runs the tests.
    environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    return environment | {"HOME": str(work / "home"), "CONSOLE_WORK": str(work)}


def tool_path(work: Path) -> str:
    """Return a PATH on which every python3.X works, without stand-ins, which fail and would stop ansible-test."""
    pythons, folders = work / "pythons", os.get_exec_path()
    managed = [path for pattern in MANAGED for path in sorted(glob.glob(os.path.expanduser(pattern)), reverse=True)]
    link(pythons / f"python3.{sys.version_info.minor}", executable_of(sys.executable))
    for name in PYTHONS:
        for folder in [str(pythons), *folders, *managed]:
            if executable := executable_of(os.path.join(folder, name)):
                link(pythons / name, executable)
                break
    missing = {name for name in PYTHONS if not (pythons / name).exists()}
    for number, folder in enumerate(folders):
        if any(os.access(os.path.join(folder, name), os.X_OK) for name in missing):
            folders[number] = str(work / "path" / hashlib.sha256(folder.encode()).hexdigest()[:12])
            for name in set(os.listdir(folder)) - missing:
                link(Path(folders[number], name), os.path.join(folder, name))
    return os.pathsep.join([str(pythons), *folders])


def link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_symlink():
        path.symlink_to(target)


def executable_of(python: str) -> str:
    """Return the real path of an interpreter, blank if it does not work."""
    return output_of(python, "-I", "-c", PROBE)


def output_of(*command: str) -> str:
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout.strip()
    return ""


def write_pip_configuration(home: Path, python: str) -> None:
    """Write the user's pip settings, from files and variables, to a file: ansible-test passes on no variables."""
    configuration = configparser.RawConfigParser()
    configuration["global"] = {}
    # Variables, in the section :env:, override files, so they come last: a colon sorts before letters.
    for line in sorted(output_of(python, "-m", "pip", "config", "list").splitlines(), reverse=True):
        name, value = line.replace(":env:", "global", 1).split("=", 1)
        section, option = name.rsplit(".", 1)
        configuration.read_dict({section: {option: ast.literal_eval(value)}})
    cache = output_of(python, "-m", "pip", "cache", "dir")
    configuration["global"].setdefault("cache-dir", cache if os.path.isdir(cache) else str(home / "cache"))
    path = home / ".config" / "pip" / "pip.conf"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        configuration.write(file)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
