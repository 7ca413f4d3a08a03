# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs ansible-test without containers, in a copy of the collection."""

from __future__ import annotations

import json
import shutil

import nox

from emulator import Emulator
from harness.cores import SUPPORTED, Core, newest
from harness.places import WORK, copied_tree, session_folder
from harness.report import note

# The JUnit XML of a sanity test that has nothing to look at.
NOT_APPLICABLE = "<skipped>No tests applicable.</skipped>"

# ansible-test would download get-pip from a host of its own: this starts from the pip that came with the Python.
GET_PIP = """import subprocess, sys
arguments = [argument for argument in sys.argv[1:] if argument not in ("--no-setuptools", "--no-wheel")]
subprocess.check_call([sys.executable, "-m", "ensurepip"], stdout=subprocess.DEVNULL)
subprocess.check_call([sys.executable, "-m", "pip", "install", "--upgrade"] + arguments)
"""
# Where it looks for that (ansible-core 2.16 to 2.22), and for a key that it would make with ssh-keygen, for other hosts.
STAND_INS = {f"cache/get_pip_{version}.py": GET_PIP for version in ("23_1_2", "24_2", "25_2")}
STAND_INS |= dict.fromkeys(("id_rsa", "id_rsa.pub"), "Not a key: nothing is reached by SSH.\n")


def sanity(session: nox.Session, core: Core) -> None:
    """Run the sanity tests."""
    first, last = SUPPORTED[core.minor][1]
    found = ", ".join(core.module_pythons) or "none"
    note(session, f"modules of ansible-core {core.minor} on Python {found}, of 3.{first} to 3.{last}")
    run(session, core, "sanity", "--venv", "--junit")


def units(session: nox.Session, core: Core) -> None:
    """Run the unit tests on every Python at hand, or, but on the newest ansible-core, on the oldest and newest."""
    ends = {core.module_pythons[0], core.module_pythons[-1]}
    pythons = [python for python in core.module_pythons if python in ends or core == newest()]
    note(session, f"ansible-core {core.minor} on Python {', '.join(pythons)}")
    for python in pythons:
        run(session, core, "units", "--venv", "--python", python)


def integration(session: nox.Session, core: Core) -> None:
    """Run every integration target against the emulator, with the modules on the oldest and newest Python."""
    for python in sorted({core.module_pythons[0], core.python}):
        note(session, f"ansible-core {core.minor} on Python {core.python}, its modules on Python {python}")
        environments = f"--controller=origin:python=venv/{core.python}", f"--target=controller:python=venv/{python}"
        with Emulator() as emulator:
            run(session, core, "integration", "--continue-on-error", *environments, emulator=emulator)


def run(session: nox.Session, core: Core, kind: str, *arguments: str, emulator: Emulator | None = None) -> None:
    """Run a kind of tests, and keep their JUnit XML for the report."""
    session.install(core.requirement)
    folder = session_folder("stages", session.name)
    copy, home = copied_tree(folder), folder / "home"
    (home / ".ansible" / "test" / "cache").mkdir(parents=True, exist_ok=True)
    for name, content in STAND_INS.items():
        (home / ".ansible" / "test" / name).write_text(content, encoding="utf-8")
    shutil.copytree(WORK / "home" / ".config", home / ".config", dirs_exist_ok=True)
    if emulator:
        console = {"console_url": emulator.url, "access_key": emulator.access_key, "secret_key": emulator.secret_key}
        (copy / "tests" / "integration" / "integration_config.yml").write_text(json.dumps(console), encoding="utf-8")
    try:
        with session.chdir(copy):
            session.run("ansible-test", kind, *arguments, "--color", "no", env={"HOME": str(home)})
    finally:
        reports = copy.glob("tests/output/junit/*.xml")
        files = [file for file in reports if NOT_APPLICABLE not in file.read_text(encoding="utf-8")]
        for file in files:
            # That of an integration target has each task as a case, and as failed what is meant to fail.
            if kind in file.name:
                shutil.copy(file, session_folder("results", session.name))
    if not files:
        session.error("nothing ran")
    targets = {path.name for path in copy.glob("tests/integration/targets/*")}
    if emulator and (missing := targets - {file.name.partition("-")[0] for file in files}):
        session.error(f"targets that did not run: {', '.join(sorted(missing))}")
