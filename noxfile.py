# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The stages of `make test`, and the sessions behind the other commands of the Makefile.

`make nox ARGS="--list"` lists them, `make nox ARGS="--session lint"` runs one, and `make test ARGS="lint typing"` some,
with the sum. What they are made of is in tests/harness.
"""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nox

sys.path.insert(0, str(Path(__file__).parent / "tests"))

from harness import archive, console, cores, coverage_gate, fault_matrix
from harness.ansible_test import AnsibleTest
from harness.places import CHECKOUT, INSIDE, WORK, copied_tree, linked_tree, stage_folder
from harness.stages import Stage, environment, install, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from harness.cores import Core

nox.needs_version = ">=2026.10"
nox.options.tags = ["test"]
nox.options.envdir = str(WORK / "envs")
nox.options.reuse_venv = "yes"

NEWEST = cores.newest()
EMULATOR = "tests/emulator/requirements.txt"
EMULATOR_LIFE = 900
PATIENCE = 15.0

# The harness is typed and tested too, so what it needs goes along.
TYPED = ("tests/requirements/typing.txt", "tests/requirements/nox.txt")
PYTEST = ("tests/requirements/tests.txt", "tests/requirements/nox.txt")

stage = functools.partial(nox.session, python=NEWEST.python, tags=["test"], allow_parallel=True)


def on_each_core(function: Callable[[nox.Session, Core], None]) -> None:
    """Make a stage of a function for the newest and one for the oldest ansible-core."""
    for core in cores.tested():
        on_core(core, f"{function.__name__}-{core.minor}")(function)


def on_core(core: Core, name: str) -> Callable[[Callable[[nox.Session, Core], None]], None]:
    """Make a stage of a function for one ansible-core, skipped where no Python at hand can run it."""

    def decorate(function: Callable[[nox.Session, Core], None]) -> None:
        def session_of_core(session: nox.Session) -> None:
            if core.python:
                function(session, core)
                return
            wanted = ", ".join(cores.CONTROLLERS[core.minor])
            reason = f"no Python at hand runs ansible-core {core.minor}; it wants one of {wanted}"
            (session.error if os.environ.get("CI") else session.skip)(reason)

        session_of_core.__doc__ = f"{function.__doc__} On ansible-core {core.minor}."
        stage(session_of_core, name=name, python=core.python)

    return decorate


@stage
def lint(session: nox.Session) -> None:
    """Form and likely mistakes of Python and YAML."""
    install(session, "tests/requirements/lint.txt")
    with Stage(session) as checks:
        checks.check("ruff format", "ruff", "format", "--check", ".")
        checks.check("ruff check", "ruff", "check", ".")
        checks.check("yamllint", "yamllint", "--strict", ".")


@stage
def typing(session: nox.Session) -> None:
    """Types, with mypy --strict."""
    install(session, NEWEST.requirement, "requirements.txt", EMULATOR, "tests/requirements/tests.txt", *TYPED)
    with Stage(session) as checks:
        tree = linked_tree(checks.folder)
        env = {"MYPYPATH": os.pathsep.join([str(tree), "tests"])}
        mypy = ["mypy", "--strict", "--cache-dir", str(checks.folder / "mypy")]
        plugins = [str(tree / INSIDE / "plugins" / name) for name in ("module_utils", "modules")]
        checks.check("mypy plugins", *mypy, *plugins, env=env)
        folders = [f"tests/{name}" for name in ("benchmarks", "emulator", "functional", "harness", "unit")]
        checks.check("mypy tests", *mypy, *folders, "tests/bootstrap.py", "noxfile.py", env=env)


@stage
def docs(session: nox.Session) -> None:
    """Documentation of the modules, and the changelog."""
    install(session, NEWEST.requirement, "tests/requirements/docs.txt")
    with Stage(session) as checks, session.chdir(copied_tree(checks.folder)):
        checks.check("antsibull-docs", "antsibull-docs", "lint-collection-docs", "--plugin-docs", ".")
        checks.check("antsibull-changelog", "antsibull-changelog", "lint")


@stage(name="ansible-lint")
def ansible_lint(session: nox.Session) -> None:
    """Playbooks, roles and examples, with ansible-lint's profile production."""
    install(session, "tests/requirements/ansible-lint.txt")
    with Stage(session) as checks, session.chdir(copied_tree(checks.folder)):
        checks.check("ansible-lint", "ansible-lint", "--nocolor", env={"ANSIBLE_COLLECTIONS_PATH": str(checks.folder)})


def tests(session: nox.Session, core: Core) -> None:
    """Unit and functional tests in one process, with their coverage; or a selection (-- -k volume), without."""
    install(session, core.requirement, "requirements.txt", EMULATOR, *PYTEST)
    with Stage(session, core, [str(core.python)]) as checks:
        junit, coverage = checks.folder / "pytest.xml", checks.folder / "coverage.json"
        for old in (junit, coverage):
            old.unlink(missing_ok=True)
        env = {"PYTHONPATH": str(linked_tree(checks.folder)), "COVERAGE_FILE": str(checks.folder / "coverage")}
        covering = ["--cov=plugins", "--cov-branch", f"--cov-report=json:{coverage}"]
        options = session.posargs or covering
        succeeded = run(session, "python", "-m", "pytest", f"--junitxml={junit}", *options, env=env)
        checks.adopt("pytest", [junit] if junit.exists() else [], succeeded=succeeded)
        if session.posargs:
            return
        for name, problem in coverage_gate.check(coverage):
            checks.add(name, problem)
        checks.tell(fault_matrix.line(junit))


on_core(NEWEST, "tests")(tests)


@on_each_core
def units(session: nox.Session, core: Core) -> None:
    """Unit tests on every Python at hand."""
    install(session, core.requirement)
    with Stage(session, core, core.module_pythons) as checks:
        if core.missing_pythons:
            checks.note(
                f"modules of ansible-core {core.minor} on Python {', '.join(core.missing_pythons)}: not at hand"
            )
        AnsibleTest(checks, core).units()


@on_each_core
def sanity(session: nox.Session, core: Core) -> None:
    """Sanity tests, without one ignored finding."""
    install(session, core.requirement)
    with Stage(session, core, core.module_pythons) as checks:
        ignores = [
            file.name for file in CHECKOUT.glob("tests/sanity/ignore*") if file.read_text(encoding="utf-8").strip()
        ]
        checks.add("no ignore entries", f"there are some in {', '.join(ignores)}" if ignores else None)
        AnsibleTest(checks, core).sanity()


@on_each_core
def integration(session: nox.Session, core: Core) -> None:
    """Integration targets against the emulator."""
    install(session, core.requirement, EMULATOR)
    with Stage(session, core, [str(core.python)]) as checks, emulator_of(session, checks) as running:
        AnsibleTest(checks, core).integration(running, ["--venv"])


def integration_modules(session: nox.Session, core: Core) -> None:
    """Integration targets, with the modules on the oldest Python at hand."""
    install(session, core.requirement, EMULATOR)
    oldest = core.module_pythons[0]
    place = ["--controller", f"origin:python=venv/{core.python}", "--target", f"controller:python=venv/{oldest}"]
    with Stage(session, core, [oldest]) as checks, emulator_of(session, checks) as running:
        AnsibleTest(checks, core).integration(running, place)


if NEWEST.python not in NEWEST.module_pythons[:1]:
    on_core(NEWEST, "integration-oldest-python")(integration_modules)


@stage
def build(session: nox.Session) -> None:
    """The archive, and what a Galaxy server says of it."""
    install(session, NEWEST.requirement, "tests/requirements/build.txt")
    with Stage(session) as checks:
        archive.check(checks)


@nox.session(python=NEWEST.python)
def demo(session: nox.Session) -> None:
    """Run playbooks/demo.yml twice against the emulator."""
    install(session, NEWEST.requirement, "requirements.txt", EMULATOR)
    foreground(session, "harness.demo")


@nox.session(python=NEWEST.python)
def matrix(session: nox.Session) -> None:
    """Try every cell of the fault matrix, and print the table."""
    install(session, NEWEST.requirement, "requirements.txt", EMULATOR, *PYTEST)
    folder = stage_folder("matrix")
    junit = folder / "pytest.xml"
    env = {"PYTHONPATH": str(linked_tree(folder)), "MATRIX": "whole"}
    options = ["-q", "-p", "no:cacheprovider", f"--junitxml={junit}", *session.posargs]
    succeeded = run(session, "python", "-m", "pytest", *options, "tests/functional/faults/test_matrix.py", env=env)
    print(*fault_matrix.table(junit), fault_matrix.line(junit), sep="\n")
    if not succeeded:
        session.error("not every cell ended as it must")


@nox.session(python=NEWEST.python)
def emulator(session: nox.Session) -> None:
    """Run the emulator in the foreground."""
    install(session, EMULATOR)
    foreground(session, "emulator", *session.posargs)


@nox.session(python=NEWEST.python)
def bench(session: nox.Session) -> None:
    """Run the benchmarks."""
    install(session, NEWEST.requirement, "requirements.txt", EMULATOR)
    tree = linked_tree(stage_folder("bench"))
    foreground(session, "benchmarks.run", *session.posargs, env={"ANSIBLE_COLLECTIONS_PATH": str(tree)})


def foreground(session: nox.Session, module: str, *arguments: str, env: dict[str, str] | None = None) -> None:
    """Run a module of tests/, which gets the time to clean up when it is interrupted."""
    env = {"PYTHONPATH": "tests"} | (env or {})
    command = ["python", "-m", module, *arguments]
    session.run(*command, env=env, log=False, interrupt_timeout=PATIENCE, terminate_timeout=PATIENCE)


def emulator_of(session: nox.Session, checks: Stage) -> AbstractContextManager[console.Console]:
    """Run the emulator for a stage, in the stage's own environment."""
    return console.running(environment(session) / "bin" / "python", checks.folder, life=EMULATOR_LIFE)
