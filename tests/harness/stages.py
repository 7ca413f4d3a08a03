# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A stage of `make test` and what it counts.

All counts come from JUnit XML files in the folder of the stage's results: those of pytest and ansible-test as they
are, and one that the stage writes itself, with a case for each tool it ran. `harness.report` adds them up.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import nullcontext
from typing import TYPE_CHECKING

import nox.command
from junitparser import Failure, JUnitXml, TestCase, TestSuite

from harness import counts
from harness.places import CHECKOUT, WORK, stage_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

    from harness.cores import Core

RESULTS = WORK / "results"
RECORD = "stage.json"


class Stage:
    """What one session of nox checks, counted; to be used in a `with` block."""

    def __init__(self, session: nox.Session, core: Core | None = None, pythons: Iterable[str] = ()) -> None:
        """Start without results."""
        self.session = session
        self.folder = stage_folder(session.name)
        self.results = RESULTS / session.name
        self.core = core.minor if core else ""
        self.pythons = list(pythons)
        self.notes: list[str] = []
        self.facts: list[str] = []
        self.suite = TestSuite(session.name)
        shutil.rmtree(self.results, ignore_errors=True)
        self.results.mkdir(parents=True)

    def __enter__(self) -> Self:
        """Nothing is to be done."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write down what was counted, and fail the session where something failed or nothing ran."""
        record = {"core": self.core, "pythons": self.pythons, "notes": self.notes, "facts": self.facts}
        (self.results / RECORD).write_text(json.dumps(record), encoding="utf-8")
        own = JUnitXml()
        own.add_testsuite(self.suite)
        own.write(str(self.results / "checks.xml"))
        if kind is None:
            total = counts.read(self.results.glob("*.xml"))
            if total.failed:
                self.session.error(f"{total.failed} failed")
            if not total.ran:
                self.session.error("nothing ran")

    def note(self, text: str) -> None:
        """Name something that was left out."""
        self.notes.append(text)

    def tell(self, fact: str) -> None:
        """Say something that the sum is to be printed with."""
        self.facts.append(fact)

    def add(self, name: str, problem: str | None = None) -> None:
        """Count one case, failed where there is a problem."""
        case = TestCase(name, self.session.name)
        if problem:
            case.result = [Failure(problem)]
            self.session.warn(f"{name}: {problem}")
        self.suite.add_testcase(case)

    def check(self, name: str, *command: str | Path, env: dict[str, str] | None = None) -> bool:
        """Run a tool and count it as one case."""
        succeeded = run(self.session, *command, env=env)
        self.add(name, None if succeeded else "failed, see its output")
        return succeeded

    def adopt(self, name: str, files: Iterable[Path], *, succeeded: bool) -> None:
        """Take over the JUnit files of a tool, and count it as failed where they do not tell what it did."""
        found = list(files)
        for file in found:
            shutil.copy(file, self.results)
        total = counts.read(found)
        if not total.ran:
            self.add(name, "nothing ran")
        elif not succeeded and not total.failed:
            self.add(name, "failed outside of its tests, see its output")


def run(session: nox.Session, *command: str | Path, env: dict[str, str] | None = None, log: Path | None = None) -> bool:
    """Run a command and tell whether it succeeded; what it prints can go to a log, shown only where it did not."""
    with log.open("w", encoding="utf-8") if log else nullcontext() as output:
        try:
            session.run(*map(str, command), env=env, external=True, stdout=output, stderr=subprocess.STDOUT)
        except nox.command.CommandFailed:
            if log:
                print(log.read_text(encoding="utf-8"))
            return False
    return True


def install(session: nox.Session, *requirements: str) -> None:
    """Install requirements, given as lines or as files of the checkout, unless just these are there already."""
    files = [CHECKOUT / name for name in requirements if name.endswith(".txt")]
    lines = [line for line in requirements if not line.endswith(".txt")]
    wanted = "\n".join([*lines, *(file.read_text(encoding="utf-8") for file in files)])
    stamp = environment(session) / "made-from"
    if stamp.exists():
        if stamp.read_text(encoding="utf-8") == wanted:
            return
        shutil.rmtree(environment(session))
        session.virtualenv.create()
    session.install(*lines, *(f"--requirement={file}" for file in files))
    stamp.write_text(wanted, encoding="utf-8")


def environment(session: nox.Session) -> Path:
    """Return the folder of a session's environment."""
    return CHECKOUT.joinpath(session.bin).parent
