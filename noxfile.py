# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sessions of `make test`, and those behind the other commands of the Makefile.

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

from harness import archive, cores, demo, release, report, site
from harness.ansible_test import AnsibleTest
from harness.places import CHECKOUT, INSIDE, WORK, copied_tree, linked_tree, stage_folder
from harness.report import note, results_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.cores import Core

nox.needs_version = ">=2026.10"
nox.options.tags = ["test"]
nox.options.envdir = str(WORK / "envs")
nox.options.reuse_venv = "yes"
nox.options.download_python = "never"

CORES = cores.tested()
NEWEST = CORES[0]

MODULES = (NEWEST.requirement, "-r", "meta/ee-requirements.txt")
# The harness is typed and tested too, so its requirements are installed as well.
HARNESS = ("-r", "tests/requirements/nox.txt")
PYTEST = (*MODULES, *HARNESS, "-r", "tests/requirements/tests.txt")

command = functools.partial(nox.session, python=NEWEST.python)
test_session = functools.partial(command, tags=["test"], allow_parallel=True)


def on_each_core(function: Callable[[nox.Session, Core], None]) -> None:
    """Make a session for each ansible-core, of which `make test` runs two; nox skips those without a Python."""
    for core in reversed(cores.supported()):
        bound = functools.wraps(function)(lambda session, core=core: function(session, core))
        make = test_session if core in CORES else functools.partial(command, allow_parallel=True)
        make(bound, name=f"{function.__name__}-{core.minor}", python=core.python)


@test_session
def lint(session: nox.Session) -> None:
    """Check the form of Python and YAML, and look for likely mistakes."""
    session.install("-r", "tests/requirements/lint.txt")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("yamllint", "--strict", ".")


@test_session
def typing(session: nox.Session) -> None:
    """Check types with mypy --strict."""
    session.install(*MODULES, *HARNESS, "-r", "tests/requirements/typing.txt", "-r", "tests/requirements/tests.txt")
    tree = linked_tree()
    names = ("module_utils", "modules", "plugin_utils", "action", "filter", "lookup")
    plugins = [str(tree / INSIDE / "plugins" / name) for name in names]
    options = ["--strict", "--cache-dir", str(stage_folder("typing"))]
    session.run("mypy", *options, *plugins, "tests", "noxfile.py", env={"MYPYPATH": f"{tree}{os.pathsep}tests"})


@test_session
def docs(session: nox.Session) -> None:
    """Check the documentation of the modules and the changelog, and build the site."""
    session.install(NEWEST.requirement, "-r", "tests/requirements/docs.txt")
    folder = stage_folder("docs")
    with session.chdir(copied_tree(folder)):
        session.run("antsibull-docs", "lint-collection-docs", "--plugin-docs", ".")
        session.run("antsibull-changelog", "lint")
    site.build(session, folder)


@test_session(name="ansible-lint")
def ansible_lint(session: nox.Session) -> None:
    """Check playbooks, roles and examples with ansible-lint's production profile."""
    session.install("-r", "tests/requirements/ansible-lint.txt")
    folder = stage_folder("ansible-lint")
    with session.chdir(copied_tree(folder)):
        session.run("ansible-lint", "--nocolor", env={"ANSIBLE_COLLECTIONS_PATH": str(folder)})


@test_session
def tests(session: nox.Session) -> None:
    """Run unit and functional tests in one process and measure coverage; or a selection (-- -k volume), without."""
    session.install(*PYTEST)
    results = results_folder(session)
    coverage, junit = results / "coverage.json", results / "pytest.xml"
    env = {"PYTHONPATH": str(linked_tree()), "COVERAGE_FILE": str(results / "coverage")}
    covering = ["--cov=plugins", "--cov-branch", "--cov-report=term", f"--cov-report=json:{coverage}"]
    note(session, f"ansible-core {NEWEST.minor} on Python {NEWEST.python}")
    arguments = [f"--junitxml={junit}", *(session.posargs or covering)]
    # Interrupted, pytest still prints what it found.
    session.run("python", "-m", "pytest", *arguments, env=env, interrupt_timeout=30)
    if session.posargs:
        return
    for text, enough in report.coverage(coverage).items():
        note(session, text)
        if not enough:
            session.error(f"only {text}")


@command
def mutants(session: nox.Session) -> None:
    """Change the code in many places, and list the changes that no test notices; at least 90 % must be noticed."""
    session.install(*PYTEST)
    session.run("python", "-m", "mutants", *session.posargs, env={"PYTHONPATH": "tests"}, log=False)


@on_each_core
def units(session: nox.Session, core: Core) -> None:
    """Run the unit tests on every Python at hand."""
    session.install(core.requirement)
    note(session, core.coverage)
    AnsibleTest(session).units(core.module_pythons)


@on_each_core
def sanity(session: nox.Session, core: Core) -> None:
    """Run the sanity tests."""
    session.install(core.requirement)
    note(session, core.coverage)
    AnsibleTest(session).sanity()


@on_each_core
def integration(session: nox.Session, core: Core) -> None:
    """Run the integration targets against the emulator."""
    session.install(core.requirement)
    note(session, f"ansible-core {core.minor} on Python {core.python}")
    AnsibleTest(session).integration("--venv")


@test_session(name="integration-oldest-python")
def integration_oldest_python(session: nox.Session) -> None:
    """Run the integration targets, with the modules on the oldest Python at hand."""
    session.install(NEWEST.requirement)
    oldest = (NEWEST.module_pythons or [NEWEST.python])[0]
    note(session, f"ansible-core {NEWEST.minor} on Python {NEWEST.python}, its modules on Python {oldest}")
    controller, target = f"origin:python=venv/{NEWEST.python}", f"controller:python=venv/{oldest}"
    AnsibleTest(session).integration("--controller", controller, "--target", target)


@test_session
def build(session: nox.Session) -> None:
    """Build the archive and check what a Galaxy server would."""
    session.install(NEWEST.requirement, "-r", "tests/requirements/build.txt")
    archive.check(session, CHECKOUT)


@command(name="demo")
def run_demo(session: nox.Session) -> None:
    """Run playbooks/demo.yml twice against the emulator."""
    session.install(*MODULES)
    demo.run(session)


@command
def bench(session: nox.Session) -> None:
    """Run the benchmarks."""
    session.install(*MODULES, "-r", "tests/emulator/requirements.txt")
    env = {"PYTHONPATH": "tests", "ANSIBLE_COLLECTIONS_PATH": str(linked_tree())}
    session.run("python", "-m", "benchmarks.run", *session.posargs, env=env, log=False)


@command(name="release")
def make_release(session: nox.Session) -> None:
    """Check that a version can be released, build it, try it, and stage its changes."""
    release.check(session, *session.posargs)
    session.install(NEWEST.requirement, "-r", "tests/requirements/build.txt", "-r", "tests/requirements/docs.txt")
    release.make(session, *session.posargs)


@nox.session(python=False)
def publish(session: nox.Session) -> None:
    """Check that a version can be published."""
    release.publish(session, *session.posargs)
