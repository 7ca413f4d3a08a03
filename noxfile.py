# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sessions of `make test` and `make exhaustive`, and those behind the other commands of the Makefile.

`make nox ARGS="--list"` lists them, `make nox ARGS="--session lint"` runs one. They share the code in tests/harness.
"""

from __future__ import annotations

import functools
import itertools
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nox

sys.path.insert(0, str(Path(__file__).parent / "tests"))

from harness import ansible_test, archive, cores, release
from harness.places import CHECKOUT, WORK, copied_tree, linked_tree, session_folder
from harness.report import note

nox.options.tags = ["test"]
nox.options.envdir = str(WORK / "envs")
nox.options.reuse_venv = "yes"
nox.options.download_python = "never"

OLDEST, NEWEST = cores.supported()[0], cores.newest()
# The harness is typed and tested too, so its requirements are installed as well.
BESIDES_CORE = ("-rmeta/ee-requirements.txt", "-rtests/requirements/nox.txt", "-rtests/requirements/tests.txt")
PYTEST = (NEWEST.requirement, *BESIDES_CORE)
EMULATOR = (NEWEST.requirement, "-rmeta/ee-requirements.txt", "-rtests/emulator/requirements.txt")

TREE = linked_tree()

# Tests that spend most of their time starting Ansible.
PLAYBOOK_TESTS = [f"tests/functional/{name}" for name in ("playbooks", "roles")]
GUIDE_TESTS = [f"tests/functional/{name}" for name in ("awx", "docs")]
# Tests of many combinations, most of them random. Tests of tables run the same lines.
RANDOM_TESTS = [f"tests/functional/{name}" for name in ("probe", "properties")]
COMBINATION_TESTS = ["tests/functional/faults", *RANDOM_TESTS]
OTHER_TESTS = [f"--ignore={folder}" for folder in (*PLAYBOOK_TESTS, *GUIDE_TESTS, *COMBINATION_TESTS)]

# Tests of code that runs in Ansible.
ON_EVERY_CORE = [f"tests/functional/{name}" for name in ("awx", "faults", "http", "modules", "playbooks", "plugins")]
ON_EVERY_CORE += [f"tests/functional/{name}" for name in ("properties", "roles")]

test_session = functools.partial(nox.session, python=NEWEST.python, tags=["test", "exhaustive"], allow_parallel=True)


def install(session: nox.Session, *requirements: str, lock: str = "tools") -> None:
    """Install requirements in the versions, and with the hashes, of a lock file."""
    session.install("--constraint", f"tests/requirements/lock/{lock}.txt", *requirements)


def run_pytest(session: nox.Session, *arguments: str, **variables: str) -> None:
    """Run these tests, or any selection (-- -k volume), with further environment variables."""
    program = ("python", "-m", "pytest", f"--junitxml={session_folder('results', session.name) / 'pytest.xml'}")
    env = {"PYTHONPATH": str(TREE), **variables}
    # pytest prints its results even if it is interrupted.
    session.run(*program, *(session.posargs or arguments), env=env, interrupt_timeout=30)


def run_tests(session: nox.Session, *arguments: str, **variables: str) -> None:
    note(session, f"ansible-core {NEWEST.minor} on Python {NEWEST.python}")
    install(session, *PYTEST)
    run_pytest(session, *arguments, **variables)


def functional(session: nox.Session, core: cores.Core, *arguments: str) -> None:
    """Run the functional tests of code that runs in Ansible, or some, on one ansible-core."""
    # The lock file pins the newest ansible-core.
    session.install(core.requirement, *BESIDES_CORE)
    run_pytest(session, *(arguments or ON_EVERY_CORE))


def run_program(session: nox.Session, name: str, *requirements: str) -> None:
    """Install the requirements of one of our programs, and run it with the arguments of the session."""
    install(session, *requirements)
    session.run("python", "-m", name, *session.posargs, env={"PYTHONPATH": f"{TREE}:tests"}, log=False)


def run_build(session: nox.Session, run: Callable[..., Any], *arguments: Any) -> None:
    """Call a function that builds the archive, with these arguments and those of the session."""
    install(session, NEWEST.requirement, "-rtests/requirements/build.txt", lock="build")
    run(session, *arguments, *session.posargs)


def add(about: str | None, name: str, tags: str, run: Callable[..., None], *arguments: Any, **variables: str) -> None:
    """Add a session that calls a function with these arguments; without tags, it runs alone. `python` is its Python."""
    python = variables.pop("python", NEWEST.python)
    bound = functools.wraps(run)(lambda session: run(session, *arguments, **variables))
    bound.__doc__ = about
    nox.session(name=name, python=python, tags=tags.split(), allow_parallel=bool(tags))(bound)


# The longest sessions come first, so that both cores are busy to the end.
EVERY_FAULT = ("tests/functional/faults", "tests/functional/roles/test_faults.py")
about = "Try every fault at every request, and kill a hundred tasks; much of that time is waiting."
add(about, "every-fault", "exhaustive", run_tests, *EVERY_FAULT, KILLS="100", MATRIX="whole")
# This one takes both cores, beside one that mostly waits.
about = "Try every pair of tasks in every order, on each kind of console."
add(about, "interleavings", "exhaustive", run_program, "interleavings", *PYTEST)
about = "Run the random tests with a thousand cases each."
add(about, "thorough", "exhaustive", run_tests, *RANDOM_TESTS, CASES="1000")
about = "Run the tests of roles and playbooks, which start Ansible."
add(about, "playbooks", "test exhaustive", run_tests, *PLAYBOOK_TESTS)
add("Follow the guides, and try the example for AWX.", "guides", "exhaustive", run_tests, *GUIDE_TESTS)
about = "Run the tests of random consoles, options and responses, and of each fault at each request."
add(about, "combinations", "test", run_tests, *COMBINATION_TESTS)
add("Run all other tests in one process, or any selection (-- -k volume).", "tests", "test", run_tests, *OTHER_TESTS)
about = "Run the same tests, and measure which lines and branches they cover: too few are an error."
add(about, "coverage", "exhaustive", run_tests, *OTHER_TESTS, "--cov", "--cov-report=term", "--cov-fail-under=95")

ONE_PLAY = "tests/functional/docs/test_demo.py"
add(functional.__doc__, "functional-oldest", "test", functional, OLDEST, ONE_PLAY, python=OLDEST.python)
# For each ansible-core; nox skips those without a Python. Sessions on pre-releases run by name only, and so do functional tests
# but on the oldest: the newest has sessions of its own.
kinds = (functional, ansible_test.integration, ansible_test.sanity, ansible_test.units)
for run, core in itertools.product(kinds, cores.supported()):
    tags = "" if core.minor in cores.PRE_RELEASES or (run is functional and core != OLDEST) else "exhaustive"
    tags += " test" if (core, run) == (NEWEST, ansible_test.sanity) else ""
    add(run.__doc__, f"{run.__name__}-{core.minor}", tags, run, core, python=core.python)

about = "Build the archive, and check it as a Galaxy server would."
add(about, "build", "test exhaustive", run_build, archive.build, CHECKOUT)
about = "Check that a version can be released, build it, try it, and stage its changes."
add(about, "release", "", run_build, release.make)
add("Build the archive of a version from its tag.", "publish", "", run_build, release.publish)

about = "Run playbooks/demo.yml twice against the emulator, and turn its console into code."
add(about, "demo", "", run_program, "harness.demo", *EMULATOR)
about = "Write the JSON Schemas of our files anew, from the options and their documentation."
add(about, "schema", "", run_program, "harness.schemas", NEWEST.requirement)
add("Run the benchmarks; each bound must be kept.", "bench", "", run_program, "benchmarks.run", *EMULATOR)


@test_session
def docs(session: nox.Session) -> None:
    """Check the documentation of the modules and the changelog, build the site, and ask its search. Any warning is an error."""
    install(session, NEWEST.requirement, "-rtests/requirements/docs.txt")
    folder = session_folder("stages", "docs")
    pages, site = folder / "pages", WORK / "site"
    shutil.rmtree(site, ignore_errors=True)
    pages.mkdir(exist_ok=True)
    with session.chdir(copied_tree(folder)):
        references = ("--check-extra-docs-refs", "--validate-collection-refs=all", "--disallow-unknown-collection-refs")
        session.run("antsibull-docs", "lint-collection-docs", "--plugin-docs", *references, ".")
        # The sessions are those of antsibull-nox.toml. Their tools are installed already, in the versions of the lock file.
        sessions = "import antsibull_nox\n\nantsibull_nox.load_antsibull_nox_toml()\n"
        Path("noxfile.py").write_text(sessions, encoding="utf-8")
        session.run("nox", "--no-venv", "--session", "yamllint")
        session.run("antsibull-changelog", "lint")
    # Every page is made and read again, since Sphinx warns only of pages that it reads.
    generate = ("--use-current", "--squash-hierarchy", "--fail-on-error", "--cleanup=everything")
    env = {"ANSIBLE_COLLECTIONS_PATH": str(folder)}
    session.run("antsibull-docs", "collection", *generate, f"--dest-dir={pages}", "managedfs.console", env=env)
    strict = ("--nitpicky", "--fail-on-warning", "--keep-going", "--quiet", "--fresh-env", "--write-all")
    session.run("sphinx-build", *strict, "--conf-dir=docs/docsite/sphinx", str(pages), str(site))
    session.run("python", "docs/docsite/sphinx/search.py", str(site))
    print(f"The site is at {site / 'index.html'}", flush=True)


@test_session(name="ansible-lint")
def ansible_lint(session: nox.Session) -> None:
    """Check playbooks, roles and examples with ansible-lint's production profile."""
    install(session, "-rtests/requirements/ansible-lint.txt")
    folder = session_folder("stages", "ansible-lint")
    with session.chdir(copied_tree(folder)):
        session.run("ansible-lint", "--nocolor", env={"ANSIBLE_COLLECTIONS_PATH": str(folder)})


@test_session
def typing(session: nox.Session) -> None:
    """Check types with mypy --strict."""
    install(session, *PYTEST, "-rtests/requirements/typing.txt")
    session.run("mypy")


@test_session
def lint(session: nox.Session) -> None:
    """Check Python, YAML, workflows and their scripts for their format and for likely mistakes."""
    install(session, "-rtests/requirements/lint.txt")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("yamllint", "--strict", ".")
    session.run("zizmor", "--offline", "--quiet", ".github/workflows", "examples/pipelines/github.yml")
    for schema, name in (("github-workflows", "github"), ("gitlab-ci", "gitlab")):
        session.run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", f"examples/pipelines/{name}.yml")
    session.run("shellcheck", "examples/pipelines/ci/console.sh")


@nox.session(name="lock", python=NEWEST.python)
def renew_locks(session: nox.Session) -> None:
    """Write the newest versions that our tools' requirements allow, with hashes, to the lock files."""
    install(session, "-rtests/requirements/lock.txt")
    options = ("--universal", "--python-version=3.10", "--generate-hashes", "--no-annotate", "--upgrade", "--quiet")
    everything = sorted(path.stem for path in Path("tests/requirements").glob("*.txt"))
    # galaxy-importer needs other versions than the rest, and bootstrap.py needs ones that an old pip can install.
    locks = {"nox": ["nox"], "build": ["build", "core"], "tools": [name for name in everything if name != "build"]}
    for lock, names in locks.items():
        paths = [f"tests/requirements/{name}.txt" for name in names]
        session.run("uv", "pip", "compile", *options, f"--output-file=tests/requirements/lock/{lock}.txt", *paths)
