# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Set up what the commands of the Makefile need, then run one of them.

    python3 tests/bootstrap.py {test,matrix,demo,bench,emulator,nox,clean} [ARGUMENT ...]

Everything goes into a work folder, `.work` in the checkout: links to the interpreters that were found, an environment
with nox, the environments of the sessions in noxfile.py, and a home folder for the tools. The user's own home is left
alone; only what pip is told there (its configuration, and its cache where there is one) is used.

This file needs the standard library of Python 3.6 and no more, so that an old Python can say what is missing.
"""

import argparse
import glob
import hashlib
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from typing import Dict, List, NamedTuple, Optional, Tuple

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOX_REQUIREMENTS = os.path.join(CHECKOUT, "tests", "requirements", "nox.txt")

Version = Tuple[int, int]

# Those that may run modules or Ansible itself; the tools want one of 3.10 or later.
VERSIONS = [(3, minor) for minor in range(9, 15)]
OLDEST_FOR_TOOLS = (3, 10)

# What an interpreter prints that is complete: environments can be made with it, and the emulator can run on it.
PROBE = "import ensurepip, ssl, sqlite3, sys, venv; print(*sys.version_info[:2], sys._base_executable)"
PROBE_ANY = "import sys; sys.stdout.write('%d %d ' % sys.version_info[:2] + sys.executable)"

# The user's settings that would change what the tools do, and no longer count.
DROPPED = ("ANSIBLE_", "COVERAGE_", "GIT_", "MANAGEDFS_", "MYPY", "NOX", "PYTEST_", "PYTHONHOME", "PYTHONPATH", "XDG_")


class SetupError(Exception):
    """Something is missing that a person has to provide."""


class Pythons(NamedTuple):
    """What was found while looking for interpreters."""

    usable: Dict[Version, str]
    incomplete: List[str]
    dead: List[str]


def main(arguments: Optional[List[str]] = None) -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(description="Set up what a command of the Makefile needs, and run it.")
    parser.add_argument("command", choices=["test", "matrix", "demo", "bench", "emulator", "nox", "clean"])
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args(arguments)
    try:
        work = work_folder()
        if options.command == "clean":
            shutil.rmtree(work)
            return 0
        return run(work, options.command, options.arguments + shlex.split(os.environ.get("ARGS", "")))
    except SetupError as error:
        sys.stderr.write(f"make {options.command}: {error}\n")
        return 2


def run(work: str, command: str, arguments: List[str]) -> int:
    """Set up nox and run the sessions behind a command."""
    if shutil.which("git") is None:
        raise SetupError("git is needed and was not found")
    pythons = find_pythons()
    environment = tool_environment(work, pythons)
    nox = [nox_python(work, pythons, environment), "-m", "nox", "--noxfile", os.path.join(CHECKOUT, "noxfile.py")]
    nox += ["--envdir", os.path.join(work, "envs"), "--reuse-existing-virtualenvs"]
    if command == "test":
        return run_tests(work, nox, arguments, environment)
    nox += arguments if command == "nox" else ["--session", command, "--"] + arguments
    os.chdir(CHECKOUT)
    return os.execve(nox[0], nox, environment)


def run_tests(work: str, nox: List[str], sessions: List[str], environment: Dict[str, str]) -> int:
    """Run every stage, or those that were named, and print the sum as the last line."""
    results = os.path.join(work, "results")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    report = os.path.join(results, "nox.json")
    selection = ["--session"] + sessions if sessions else ["--tags", "test"]
    # Two at a time: more would need more than the two cores that the tests are made for.
    process = subprocess.Popen(nox + ["--parallel", "2", "--report", report] + selection, cwd=CHECKOUT, env=environment)
    wait_for_end(process)
    environment = dict(environment, PYTHONPATH=os.path.join(CHECKOUT, "tests"))
    return subprocess.call([nox[0], "-m", "harness.report", report], cwd=CHECKOUT, env=environment)


def wait_for_end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a process that gets the user's Ctrl-C by itself."""
    while True:
        try:
            process.wait()
        except KeyboardInterrupt:
            continue
        return


def work_folder() -> str:
    """Make the work folder, in a place that has no white space in its path because some tools break on it."""
    inside = os.path.join(CHECKOUT, ".work")
    if not has_space(inside):
        os.makedirs(inside, exist_ok=True)
        return inside
    digest = hashlib.sha256(CHECKOUT.encode()).hexdigest()[:12]
    outside = os.path.join(tempfile.gettempdir(), f"managedfs-console-{os.getuid()}-{digest}")
    if has_space(outside):
        raise SetupError(f"neither {CHECKOUT} nor {tempfile.gettempdir()} is a path without white space; set TMPDIR")
    os.makedirs(outside, mode=0o700, exist_ok=True)
    status = os.lstat(outside)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise SetupError(f"{outside} belongs to somebody else; remove it or set TMPDIR")
    return outside


def has_space(path: str) -> bool:
    """Tell whether a path contains white space."""
    return any(character.isspace() for character in path)


def find_pythons() -> Pythons:
    """Look for interpreters that really run, in PATH first and then where version managers keep them."""
    found = Pythons({}, [], [])
    names = ["python3", "python"] + ["python{}.{}".format(*version) for version in VERSIONS]
    for folder in os.get_exec_path():
        for name in names:
            examine(os.path.join(folder, name), found)
    home = os.path.expanduser("~")
    pyenv = os.environ.get("PYENV_ROOT") or os.path.join(home, ".pyenv")
    for pattern in (
        os.path.join(pyenv, "versions"),
        os.path.join(home, ".local", "share", "uv", "python"),
        "/opt/python",
    ):
        for name in names[2:]:
            for candidate in sorted(glob.glob(os.path.join(pattern, "*", "bin", name)), reverse=True):
                examine(candidate, found)
    return found


def examine(candidate: str, found: Pythons) -> None:
    """Ask one candidate which Python it is, and remember the first of each version."""
    named = tuple(int(part) for part in os.path.basename(candidate)[len("python") :].split(".") if part)
    if not os.access(candidate, os.X_OK) or os.path.isdir(candidate) or named in found.usable:
        return
    answer = ask([candidate, "-I", "-c", PROBE])
    if answer is None:
        answer = ask([candidate, "-c", PROBE_ANY])
        if answer is None:
            found.dead.append(candidate)
        elif answer[0] in VERSIONS:
            found.incomplete.append(candidate)
    elif answer[0] in VERSIONS:
        found.usable.setdefault(answer[0], answer[1])


def ask(command: List[str]) -> Optional[Tuple[Version, str]]:
    """Return version and path that an interpreter gives of itself, or None where it does not run."""
    try:
        output = subprocess.check_output(command, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=30)
        major, minor, executable = output.decode().strip().split(" ", 2)
        return (int(major), int(minor)), executable
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def tool_environment(work: str, pythons: Pythons) -> Dict[str, str]:
    """Return the environment in which all tools run."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
    folders = [link_pythons(work, pythons)] + [without_dead(work, folder, pythons) for folder in os.get_exec_path()]
    # An interpreter in C or POSIX locale helps itself to UTF-8, but not where it is forced.
    if environment.get("LC_ALL") in ("C", "POSIX"):
        del environment["LC_ALL"]
    loopback = [environment.get("NO_PROXY") or environment.get("no_proxy", ""), "127.0.0.1", "localhost", "::1"]
    environment["NO_PROXY"] = environment["no_proxy"] = ",".join(filter(None, loopback))
    environment["PATH"] = os.pathsep.join(folders)
    environment["HOME"] = tool_home(work)
    environment["CONSOLE_WORK"] = work
    # A checkout may belong to another user than the one who runs the tests.
    environment.update(GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory", GIT_CONFIG_VALUE_0="*")
    return environment


def link_pythons(work: str, pythons: Pythons) -> str:
    """Make a folder with a link python3.X to each interpreter that runs."""
    links = {"python{}.{}".format(*version): executable for version, executable in pythons.usable.items()}
    return folder_of_links(os.path.join(work, "pythons"), links)


def without_dead(work: str, folder: str, pythons: Pythons) -> str:
    """Return a folder of PATH, or one of links in its place that leaves out the stand-ins that do not run."""
    dead = [os.path.basename(path) for path in pythons.dead if os.path.dirname(path) == folder]
    if not dead:
        return folder
    links = {name: os.path.join(folder, name) for name in os.listdir(folder) if name not in dead}
    return folder_of_links(os.path.join(work, "path", hashlib.sha256(folder.encode()).hexdigest()[:12]), links)


def folder_of_links(folder: str, links: Dict[str, str]) -> str:
    """Make a folder of links, or bring it up to date without disturbing another command that uses it."""
    os.makedirs(folder, exist_ok=True)
    for name in set(os.listdir(folder)) - set(links):
        os.remove(os.path.join(folder, name))
    for name, target in links.items():
        make_link(os.path.join(folder, name), target)
    return folder


def make_link(link: str, target: str) -> None:
    """Make a link, unless it is there already."""
    if not os.path.islink(link) or os.readlink(link) != target:
        fresh = f"{link}.{os.getpid()}"
        os.symlink(target, fresh)
        os.replace(fresh, link)


def tool_home(work: str) -> str:
    """Make the home folder of the tools, in which pip finds the user's configuration and cache.

    ansible-test hands no variable on to pip. So what the user set in PIP_* variables is written down as well, readable
    for this user only.
    """
    home = os.path.join(work, "home")
    user = os.path.expanduser("~")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(user, ".config")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(user, ".cache")
    configs = [os.path.join(config, "pip", "pip.conf"), os.path.join(user, ".pip", "pip.conf")]
    configs.insert(0, os.environ.get("PIP_CONFIG_FILE", ""))
    link_first(os.path.join(home, ".config", "pip", "pip.conf"), configs)
    pip_cache = os.path.join(home, ".cache", "pip")
    link_first(pip_cache, [os.environ.get("PIP_CACHE_DIR", ""), os.path.join(cache, "pip")])
    os.makedirs(pip_cache, exist_ok=True)
    variables = {name[4:]: value for name, value in os.environ.items() if name.startswith("PIP_")}
    lines = ["[global]"] + [
        "{} = {}".format(name.lower().replace("_", "-"), value.replace("%", "%%"))
        for name, value in sorted(variables.items())
        if name not in ("CONFIG_FILE", "CACHE_DIR") and value
    ]
    write_private(os.path.join(home, ".pip", "pip.conf"), "\n".join(lines) + "\n")
    return home


def link_first(link: str, targets: List[str]) -> None:
    """Make a link to the first of several files that exists, unless there is a real file in its place."""
    os.makedirs(os.path.dirname(link), exist_ok=True)
    existing = [os.path.abspath(target) for target in targets if target and os.path.exists(target)]
    if existing and (os.path.islink(link) or not os.path.exists(link)):
        make_link(link, existing[0])
    elif os.path.islink(link):
        os.remove(link)


def write_private(path: str, content: str) -> None:
    """Write a file that only this user can read."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(content)


def nox_python(work: str, pythons: Pythons, environment: Dict[str, str]) -> str:
    """Return the Python of an environment that has nox, which is made anew only where something changed."""
    versions = [version for version in pythons.usable if version >= OLDEST_FOR_TOOLS]
    if not versions:
        message = "a Python of 3.10 or later is needed, with its venv module"
        if pythons.incomplete:
            message += "; these lack venv, ensurepip, ssl or sqlite3 (on Debian: apt install python3-venv): "
            message += ", ".join(sorted(set(pythons.incomplete)))
        raise SetupError(message)
    base = pythons.usable[max(versions)]
    folder = os.path.join(work, "nox")
    python = os.path.join(folder, "bin", "python")
    stamp = os.path.join(folder, "made-from")
    with open(NOX_REQUIREMENTS, encoding="utf-8") as file:
        wanted = f"{base}\n{file.read()}"
    if not is_current(stamp, wanted):
        print(f"Setting up nox in {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        call([base, "-m", "venv", folder], environment)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        call(pip + ["--requirement", NOX_REQUIREMENTS], environment)
        write_private(stamp, wanted)
    return python


def is_current(stamp: str, wanted: str) -> bool:
    """Tell whether an environment was made from what is wanted now."""
    try:
        with open(stamp, encoding="utf-8") as file:
            return file.read() == wanted
    except OSError:
        return False


def call(command: List[str], environment: Dict[str, str]) -> None:
    """Run a command that has to succeed, and show what it prints only where it does not."""
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode:
        output = result.stdout.decode(errors="replace")
        raise SetupError(f"this failed: {' '.join(command)}\n{output}")


if __name__ == "__main__":
    sys.exit(main())
