# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs ansible-test without containers, in a copy of the collection."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from emulator import Emulator
from harness.places import WORK, copied_tree, stage_folder
from harness.report import results_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import nox

# The sanity tests have this in their result where there is nothing for them to look at.
NOT_APPLICABLE = "<skipped>No tests applicable.</skipped>"

# ansible-test would download this from a host of its own.
GET_PIP = '''\
"""Stands in for get-pip: starts from the pip that came with this Python."""
import subprocess
import sys

arguments = [argument for argument in sys.argv[1:] if argument not in ("--no-setuptools", "--no-wheel")]
subprocess.check_call([sys.executable, "-m", "ensurepip"], stdout=subprocess.DEVNULL)
subprocess.check_call([sys.executable, "-m", "pip", "install", "--upgrade"] + arguments)
'''

# It would make this with ssh-keygen, for hosts that it reaches by SSH. There are none here.
SSH_KEY = "Not a key: nothing is reached by SSH.\n"

# Where it looks for them (ansible-core 2.16 to 2.22).
STAND_INS = {
    "cache/get_pip_23_1_2.py": GET_PIP,
    "cache/get_pip_24_2.py": GET_PIP,
    "cache/get_pip_25_2.py": GET_PIP,
    "id_rsa": SSH_KEY,
    "id_rsa.pub": SSH_KEY,
}


class AnsibleTest:
    """The ansible-test of one session, with a copy of the collection and a home folder of its own."""

    def __init__(self, session: nox.Session) -> None:
        """Prepare the copy and the home folder."""
        self.session = session
        folder = stage_folder(session.name)
        self.copy = copied_tree(folder)
        self.output = self.copy / "tests" / "output"
        self.home = folder / "home"
        (self.home / ".ansible" / "test" / "cache").mkdir(parents=True, exist_ok=True)
        for name, content in STAND_INS.items():
            (self.home / ".ansible" / "test" / name).write_text(content, encoding="utf-8")
        shutil.copytree(WORK / "home" / ".config", self.home / ".config", dirs_exist_ok=True)

    def run(self, *arguments: str) -> None:
        """Run one of its commands, and leave its JUnit XML for the report."""
        try:
            with self.session.chdir(self.copy):
                self.session.run("ansible-test", *arguments, "--color", "no", env={"HOME": str(self.home)})
        finally:
            for file in self.results(arguments[0]):
                shutil.copy(file, results_folder(self.session))

    def results(self, command: str) -> list[Path]:
        """Return the JUnit XML of the tests that ran.

        That of integration tests is left: it counts each task, as failed too those that are meant to fail.
        """
        files = (self.output / "junit").glob(f"*{command}*.xml")
        return [file for file in files if NOT_APPLICABLE not in file.read_text(encoding="utf-8")]

    def sanity(self) -> None:
        """Run the sanity tests, and fail where none ran."""
        self.run("sanity", "--venv", "--junit")
        if not self.results("sanity"):
            self.session.error("nothing ran")

    def units(self, pythons: Iterable[str]) -> None:
        """Run the unit tests, and fail where they did not run on each of these Pythons."""
        self.run("units", "--venv")
        names = [file.name for file in self.results("units")]
        for python in pythons:
            if not any(name.startswith(f"python{python}-") for name in names):
                self.session.error(f"nothing ran on Python {python}")

    def integration(self, *place: str) -> None:
        """Run the integration targets against the emulator, and fail where one did not run."""
        with Emulator() as emulator:
            console = {
                "console_url": emulator.url,
                "access_key": emulator.access_key,
                "secret_key": emulator.secret_key,
            }
            tests = self.copy / "tests" / "integration"
            (tests / "integration_config.yml").write_text(json.dumps(console), encoding="utf-8")
            self.run("integration", "--continue-on-error", *place)
        data = (self.output / "data").glob("integration-*.json")
        passed = {target for file in data for target in json.loads(file.read_text(encoding="utf-8"))["targets"]}
        wanted = {folder.name for folder in (tests / "targets").iterdir() if not folder.name.startswith("setup_")}
        if missing := wanted - passed:
            self.session.error(f"targets that did not run: {', '.join(sorted(missing))}")
