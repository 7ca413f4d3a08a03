# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs ansible-test without containers, in a copy of the collection."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

from harness.places import copied_tree, home
from harness.stages import run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from harness.console import Console
    from harness.cores import Core
    from harness.stages import Stage

# The sanity tests have this in their result where there is nothing for them to look at.
NOT_APPLICABLE = "<skipped>No tests applicable.</skipped>"

# ansible-test would download this from a host of its own, under these names (ansible-core 2.16 to 2.21).
GET_PIP_NAMES = ("get_pip_23_1_2.py", "get_pip_24_2.py", "get_pip_25_2.py")
GET_PIP = '''\
"""Stands in for get-pip: starts from the pip that came with this Python."""
import subprocess
import sys

arguments = [argument for argument in sys.argv[1:] if argument not in ("--no-setuptools", "--no-wheel")]
subprocess.check_call([sys.executable, "-m", "ensurepip"], stdout=subprocess.DEVNULL)
subprocess.check_call([sys.executable, "-m", "pip", "install", "--upgrade"] + arguments)
'''

# ansible-test would make these with ssh-keygen, for hosts that it reaches by SSH. There are none here.
SSH_KEY_NAMES = ("id_rsa", "id_rsa.pub")
SSH_KEY = "Not a key: nothing is reached by SSH.\n"


class AnsibleTest:
    """The ansible-test of one ansible-core, and what it leaves behind."""

    def __init__(self, stage: Stage, core: Core) -> None:
        """Prepare a copy of the collection and a home folder."""
        self.stage = stage
        self.core = core
        self.copy = copied_tree(stage.folder)
        self.output = self.copy / "tests" / "output"
        self.home = home(stage.folder)
        self.forget_environments_of_other_pythons()
        for name in GET_PIP_NAMES:
            write_once(self.home / ".ansible" / "test" / "cache" / name, GET_PIP)
        for name in SSH_KEY_NAMES:
            write_once(self.home / ".ansible" / "test" / name, SSH_KEY)

    def forget_environments_of_other_pythons(self) -> None:
        """Remove the environments that ansible-test keeps, where they were made with interpreters that have gone."""
        paths = [os.path.realpath(str(shutil.which(f"python{version}"))) for version in self.core.module_pythons]
        wanted = "\n".join([self.core.requirement, *paths])
        stamp = self.stage.folder / "made-with"
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
            shutil.rmtree(self.output, ignore_errors=True)
            shutil.rmtree(self.home / ".ansible", ignore_errors=True)
            stamp.write_text(wanted, encoding="utf-8")

    def run(self, *arguments: str) -> bool:
        """Run one of its commands and tell whether it succeeded."""
        for name in ("junit", "data"):
            shutil.rmtree(self.output / name, ignore_errors=True)
        with self.stage.session.chdir(self.copy):
            log = self.stage.results / "ansible-test.log"
            return run(self.stage.session, "ansible-test", *arguments, env={"HOME": str(self.home)}, log=log)

    def sanity(self) -> None:
        """Run the sanity tests, on every Python at hand where that matters."""
        succeeded = self.run("sanity", "--venv", "--junit", "--color", "no")
        files = (self.output / "junit").glob("*.xml")
        applicable = [file for file in files if NOT_APPLICABLE not in file.read_text(encoding="utf-8")]
        self.stage.adopt("ansible-test sanity", applicable, succeeded=succeeded)

    def units(self) -> None:
        """Run the unit tests on every Python at hand."""
        succeeded = self.run("units", "--venv", "--color", "no")
        found = list((self.output / "junit").glob("*.xml"))
        self.stage.adopt("ansible-test units", found, succeeded=succeeded)
        for python in self.core.module_pythons:
            if not any(file.name.startswith(f"python{python}-") for file in found):
                self.stage.add(f"units on Python {python}", "nothing ran")

    def integration(self, console: Console, place: Sequence[str]) -> None:
        """Run the integration targets against a console; each counts as one case.

        The JUnit files would count each task, and as failed those that a target means to fail and rescues.
        """
        config = {"console_url": console.url, "access_key": console.access_key, "secret_key": console.secret_key}
        path = self.copy / "tests" / "integration" / "integration_config.yml"
        path.write_text(json.dumps(config), encoding="utf-8")
        wanted = self.integration_targets()
        succeeded = self.run("integration", "--continue-on-error", "--color", "no", *place)
        passed = self.passed_targets()
        for target in wanted:
            self.stage.add(target, None if target in passed else "failed or did not run")
        if not wanted:
            self.stage.add("integration targets", "there are none")
        if not succeeded and set(wanted) <= passed:
            self.stage.add("ansible-test integration", "failed outside of its targets, see its output")

    def integration_targets(self) -> list[str]:
        """Return the targets that ansible-test should run here."""
        with self.stage.session.chdir(self.copy):
            output = self.stage.session.run(
                "ansible-test", "integration", "--list-targets", env={"HOME": str(self.home)}, silent=True, stderr=None
            )
        return str(output).split()

    def passed_targets(self) -> set[str]:
        """Return the targets that ansible-test wrote down as passed."""
        passed: set[str] = set()
        for file in (self.output / "data").glob("integration-*.json"):
            passed.update(json.loads(file.read_text(encoding="utf-8"))["targets"])
        return passed


def write_once(path: Path, content: str) -> None:
    """Write a file unless it is there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
