# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tests: which of them run which line, which is measured once, and a run of some of them."""

from __future__ import annotations

import functools
import hashlib
import multiprocessing
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from coverage import CoverageData

from harness.places import CHECKOUT, INSIDE, stage_folder, tracked_files
from mutants.mutations import Mutant

_FOLDERS = ("modules", "http", "faults", "properties", "plugins", "roles", "playbooks")
_MEASURED = ("tests/unit", *(f"tests/functional/{name}" for name in _FOLDERS))

# What ansible-playbook runs, where nothing is measured, and the tests that start it.
_PLAYED = {
    "plugins/module_utils/": (),
    "plugins/": ("tests/functional/plugins/", "tests/functional/roles/"),
    "roles/": ("tests/functional/roles/",),
}

# Seconds after which a mutant is said to run forever; more for tests that take longer, on a machine that is busy.
_PATIENCE, _FACTOR = 60, 5


def measure(copy: Path) -> None:
    """Run the tests in a copy of the checkout, which they must pass, unless that was done and nothing has changed."""
    if not _kept("xml").exists():
        print("Running the tests to see which run which line", flush=True)
        (copy / "coverage.ini").write_text("[run]\nrelative_files = true\nsource = plugins\n", encoding="utf-8")
        os.environ["COVERAGE_FILE"] = str(_kept("coverage"))
        covering = ["--cov", "--cov-config=coverage.ini", "--cov-context=test", "--cov-report=", "--junitxml=times.xml"]
        if run(copy, [*_MEASURED, *covering]):
            sys.exit("the tests have to pass first")
        (copy / "times.xml").rename(_kept("xml"))


def tests_for(mutant: Mutant, limit: float) -> list[str]:
    """Return tests that run what is changed, or may do so, as many as take so many seconds.

    Those that bear its name come first; then the quickest of each file, then the second of each, and so on.
    """
    by_line, times = _contexts(mutant.path), _times()
    measured = {test for line in mutant.lines for test in by_line.get(line, ())} & times.keys()
    # Lines that run when the file is loaded concern all tests that use the file.
    measured = measured or set().union(*by_line.values())
    played = next(folders for prefix, folders in _PLAYED.items() if mutant.path.startswith(prefix))
    tests = [test for test in times if test in measured or test.startswith(played)]
    subject = {*Path(mutant.path).parts[1:2], Path(mutant.path).stem} - {"main", "module_utils", "plugin_utils"}
    ranks: Counter[str] = Counter()
    order = []
    for test in sorted(tests, key=lambda test: (times[test], test)):
        file = test.partition("::")[0]
        ranks[file] += 1
        is_named = any(word in Path(file).stem for word in subject)
        order.append((test not in measured, not is_named, ranks[file], test))
    chosen = []
    for *_, test in sorted(order):
        if times[test] <= limit:
            limit -= times[test]
            chosen.append(test)
    return chosen


def passes(copy: Path, tests: list[str]) -> bool:
    """Run tests that were measured until one fails."""
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    patience = _PATIENCE + _FACTOR * sum(_times()[test] for test in tests)
    return run(copy, ["-x", *files], _Chosen(tests), patience=patience) == 0


class _Chosen:
    """A plugin of pytest that runs the tests of a list, in its order."""

    def __init__(self, tests: list[str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the other tests."""
        chosen = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])


@functools.cache
def _kept(kind: str) -> Path:
    """Return a file of what was measured, which is of use until anything changes."""
    parts = {"plugins", "roles", "playbooks", "tests"}
    sources = [path for path in sorted(tracked_files()) if path.parts[0] in parts and "mutants" not in path.parts]
    digest = hashlib.sha256(b"".join(bytes(path) + (CHECKOUT / path).read_bytes() for path in sources))
    return stage_folder("mutants") / f"{digest.hexdigest()[:12]}.{kind}"


@functools.cache
def _times() -> dict[str, float]:
    """Return how many seconds each test takes."""
    cases = ET.parse(_kept("xml")).iter("testcase")  # noqa: S314
    keys = (case.attrib for case in cases)
    return {f"{key['classname'].replace('.', '/')}.py::{key['name']}": float(key["time"]) for key in keys}


@functools.cache
def _data() -> CoverageData:
    data = CoverageData(str(_kept("coverage")))
    data.read()
    return data


@functools.lru_cache(maxsize=2)
def _contexts(path: str) -> dict[int, set[str]]:
    """Return the tests that run each line of a file."""
    by_line = _data().contexts_by_lineno(path)
    return {line: {context.partition("|")[0] for context in contexts} for line, contexts in by_line.items()}


def run(copy: Path, arguments: list[str], *plugins: object, patience: float | None = None) -> int:
    """Run pytest in a process that is forked from this one, as that has imported it already; return its exit code."""
    process = multiprocessing.get_context("fork").Process(target=_start, args=(copy, arguments, plugins, patience))
    process.start()
    process.join(patience)
    if process.is_alive():
        os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
    return process.exitcode or 0


def _start(copy: Path, arguments: list[str], plugins: tuple[object, ...], patience: float | None) -> None:
    os.setsid()
    if patience:
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    os.chdir(copy)
    tree = str(copy.parents[len(INSIDE.parts) - 1])
    # Not those of the checkout, but packages that an environment in it has.
    sys.path[:] = [tree, *(path for path in sys.path if Path(path).resolve() not in {CHECKOUT, CHECKOUT / "tests"})]
    # What a test spawns imports the main module again.
    sys.modules["__main__"] = pytest
    os.environ |= {"CONSOLE_WORK": str(Path(tree, "work")), "PYTHONPATH": tree}
    os._exit(pytest.main(["-q", "-p", "no:cacheprovider", *arguments], list(plugins)))
