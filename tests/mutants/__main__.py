# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Change the code in one place at a time, and list the changes that no test notices."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import hashlib
import itertools
import multiprocessing
import os
import signal
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from coverage import CoverageData

from harness.places import CHECKOUT, INSIDE, copied_tree, stage_folder, tracked_files
from mutants.mutations import Mutant, mutants_of

# Modules are left out: they are documentation and one call.
SUBJECTS = (
    *(f"plugins/{kind}/*.py" for kind in ("*_utils", "action", "filter", "lookup")),
    *(f"roles/*/{kind}" for kind in ("tasks/*.yml", "vars/*.yml", "templates/*.j2")),
)
EQUIVALENT = Path(__file__).with_name("equivalent.yml")
ENOUGH = 0.9

FOLDERS = ("modules", "http", "faults", "properties", "plugins", "roles", "playbooks")
MEASURED = ("tests/unit", *(f"tests/functional/{name}" for name in FOLDERS))
COVERING = ("--cov", "--cov-config=coverage.ini", "--cov-context=test", "--cov-report=", "--junitxml=times.xml")

# Code that ansible-playbook runs, where coverage is not measured, and the tests that start it.
UNMEASURED = {
    "plugins/module_utils/": (),
    "plugins/": tuple(f"tests/functional/{name}/" for name in ("plugins", "roles", "playbooks")),
    "roles/": ("tests/functional/roles/",),
}

# A run counts as endless after PATIENCE and FACTOR times its usual time, in case the machine is busy.
PATIENCE, FACTOR = 60, 5
# All tests that take fewer seconds take less time than one that does not.
QUICK = 0.01
# The first tests kill most mutants, so that the others need not be collected.
FIRST = 20

_STAMPS = itertools.count(1_000_000_000)


def main() -> int:
    """Return the exit code: 0 if enough mutants are killed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", default=[""], help="the beginnings of paths to change; all by default")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of the mutants, always the same")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="(%(default)s)")
    parser.add_argument("--limit", type=int, default=120, metavar="S", help="seconds of tests a mutant (%(default)s)")
    options = parser.parse_args()
    mutants = select_mutants(tuple(options.paths), options.sample)
    measure(copy_for("measure"))
    killed, limits = 0, itertools.repeat(options.limit)
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("fork")) as pool:
        controls = controls_of(mutants)
        for control, is_passed in zip(controls, pool.map(survives, controls, limits), strict=True):
            if not is_passed:
                sys.exit(f"tests fail without a change, so they would kill all mutants of {control.path}")
        found = zip(mutants, pool.map(is_killed, mutants, limits), strict=True)
        for path, group in itertools.groupby(found, key=lambda pair: pair[0].path):
            deaths = []
            for mutant, is_dead in group:
                deaths.append(is_dead)
                if not is_dead:
                    print(mutant, flush=True)
            killed += sum(deaths)
            print(f"{sum(deaths):5} of {len(deaths):4} killed  {path}", flush=True)
    print(f"{killed:5} of {len(mutants):4} killed")
    return int(killed < ENOUGH * len(mutants))


def select_mutants(prefixes: tuple[str, ...], sample: int | None) -> list[Mutant]:
    """Return the mutants of a run, without known equivalent ones."""
    paths = [path for path in sorted(map(str, tracked_files())) if path.startswith(prefixes)]
    paths = [path for path in paths if any(fnmatch(path, subject) for subject in SUBJECTS)]
    mutants = [mutant for path in paths for mutant in mutants_of(CHECKOUT, path)]
    entries = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
    known = {(entry["path"], entry["line"], entry["change"]) for entry in entries if entry["path"] in paths}
    for entry in sorted(known - {mutant.key for mutant in mutants}):
        print(f"{EQUIVALENT.name} has a mutant that there is not: {': '.join(entry)}")
    mutants = [mutant for mutant in mutants if mutant.key not in known]
    # In order of a digest, so that a sample changes no more than the code does.
    shuffled = sorted(mutants, key=lambda mutant: hashlib.sha256(repr(mutant.key).encode()).digest())
    sampled = set(shuffled[:sample])
    return [mutant for mutant in mutants if mutant in sampled]


def controls_of(mutants: list[Mutant]) -> list[Mutant]:
    """Return a mutant of each folder, without its change."""
    by_folder = {Path(mutant.path).parent: mutant for mutant in mutants}
    sources = {mutant: (CHECKOUT / mutant.path).read_text(encoding="utf-8") for mutant in by_folder.values()}
    return [dataclasses.replace(mutant, new=source[mutant.start : mutant.end]) for mutant, source in sources.items()]


def is_killed(mutant: Mutant, limit: int) -> bool:
    """Return whether a test fails on a mutant, or did so in an earlier run.

    So a run that was stopped goes on where it was, and one with a higher limit tries only what survived.
    """
    killed = kept("killed")
    name = hashlib.sha256(repr(mutant).encode()).hexdigest()
    if killed.exists() and name in killed.read_text(encoding="ascii"):
        return True
    is_dead = not survives(mutant, limit)
    if is_dead:
        with killed.open("a", encoding="ascii") as file:
            file.write(f"{name}\n")
    return is_dead


def survives(mutant: Mutant, limit: int) -> bool:
    """Return whether all tests pass on a mutant."""
    copy = copy_for(multiprocessing.current_process().name)
    source = (copy / mutant.path).read_text(encoding="utf-8")
    write(copy / mutant.path, source[: mutant.start] + mutant.new + source[mutant.end :])
    try:
        return passes(copy, tests_for(mutant, limit))
    finally:
        write(copy / mutant.path, source)


@functools.cache
def copy_for(process: str) -> Path:
    """Return the copy of the checkout that belongs to a process."""
    return copied_tree(stage_folder("mutants") / process)


def write(path: Path, text: str) -> None:
    """Write a source with a unique time, since Python decides by time and size whether to compile it again."""
    path.write_text(text, encoding="utf-8")
    time = next(_STAMPS)
    os.utime(path, (time, time))


def measure(copy: Path) -> None:
    """Run the tests in a copy of the checkout, unless that was done for the same sources. All must pass."""
    if not kept("xml").exists():
        print("Running the tests to see which run which line", flush=True)
        (copy / "coverage.ini").write_text("[run]\nrelative_files = true\nsource = plugins\n", encoding="utf-8")
        os.environ["COVERAGE_FILE"] = str(kept("coverage"))
        if run(copy, [*MEASURED, *COVERING]):
            sys.exit("the tests have to pass first")
        (copy / "times.xml").rename(kept("xml"))


def tests_for(mutant: Mutant, limit: int) -> list[str]:
    """Return tests that run the changed lines, or may do so, as many as the limit in seconds allows, the quickest first.

    Tests with the name of the file are chosen first, then very quick ones. Of those that run the same lines of it, the
    quickest is, then the quickest of those that run others, and so on, since what a mutant breaks may show only on one way
    through the file. Where coverage is not measured, files of tests are chosen.
    """
    by_line, seconds = contexts(mutant.path), times()
    measured = {test for line in mutant.lines for test in by_line.get(line, ())} & seconds.keys()
    # Lines that run when the file is loaded concern all tests that use the file.
    measured = measured or set().union(*by_line.values())
    unmeasured = next(folders for prefix, folders in UNMEASURED.items() if mutant.path.startswith(prefix))
    subject = {*Path(mutant.path).parts[1:2], Path(mutant.path).stem} - {"main", "module_utils", "plugin_utils"}
    lines_of = lines_by_test(by_line)
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for test in seconds:
        file = test.partition("::")[0]
        if test in measured:
            groups[test].append(test)
        # Those of a file share a start of Ansible, which is part of the time of whichever comes first.
        elif test.startswith(unmeasured):
            groups[file].append(test)
    costs = {name: sum(seconds[test] for test in group) for name, group in groups.items()}
    ranks: Counter[object] = Counter()
    order = []
    for name in sorted(groups, key=lambda name: (costs[name], name)):
        way = tuple(lines_of[name])
        ranks[way] += 1
        is_named = any(word in Path(name.partition("::")[0]).stem for word in subject)
        order.append((name not in measured, not is_named, costs[name] > QUICK, ranks[way], name))
    chosen, left = [], float(limit)
    for *_rank, name in sorted(order):
        if costs[name] <= left:
            left -= costs[name]
            chosen.append(name)
    # Most mutants die of a quick test, so these run first.
    return [
        test for name in sorted(chosen, key=lambda name: (name not in measured, costs[name])) for test in groups[name]
    ]


def lines_by_test(by_line: dict[int, set[str]]) -> defaultdict[str, list[int]]:
    """Return the lines of a file that each test runs, none for other tests."""
    lines: defaultdict[str, list[int]] = defaultdict(list)
    for line, tests in by_line.items():
        for test in tests:
            lines[test].append(line)
    return lines


def passes(copy: Path, tests: list[str]) -> bool:
    """Run tests that were measured until one fails."""
    parts = [part for part in (tests[:FIRST], tests[FIRST:]) if part]
    return all(run(copy, ["-x", *{test.partition("::")[0]: 0 for test in part}], part) == 0 for part in parts)


@functools.cache
def kept(kind: str) -> Path:
    """Return the path of a file with measurements, which are valid until a source changes."""
    parts = {"plugins", "roles", "playbooks", "tests"}
    sources = [path for path in sorted(tracked_files()) if path.parts[0] in parts and "mutants" not in path.parts]
    digest = hashlib.sha256(b"".join(bytes(path) + (CHECKOUT / path).read_bytes() for path in sources))
    return stage_folder("mutants") / f"{digest.hexdigest()[:12]}.{kind}"


@functools.cache
def times() -> dict[str, float]:
    """Return the number of seconds that each test takes."""
    keys = (case.attrib for case in ET.parse(kept("xml")).iter("testcase"))  # noqa: S314
    return {f"{key['classname'].replace('.', '/')}.py::{key['name']}": float(key["time"]) for key in keys}


@functools.lru_cache(maxsize=2)
def contexts(path: str) -> dict[int, set[str]]:
    """Return the tests that run each line of a file."""
    data = CoverageData(str(kept("coverage")))
    data.read()
    by_line = data.contexts_by_lineno(path)
    return {line: {context.partition("|")[0] for context in contexts} for line, contexts in by_line.items()}


def run(copy: Path, arguments: list[str], tests: list[str] | None = None) -> int:
    """Run pytest in a fork of this process, which has imported it already; return its exit code."""
    patience = None if tests is None else PATIENCE + FACTOR * sum(times()[test] for test in tests)
    process = multiprocessing.get_context("fork").Process(target=start, args=(copy, arguments, tests))
    process.start()
    process.join(patience)
    if process.is_alive():
        os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
    return process.exitcode or 0


def start(copy: Path, arguments: list[str], tests: list[str] | None) -> None:
    os.setsid()
    if tests is not None:
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    os.chdir(copy)
    tree = str(copy.parents[len(INSIDE.parts) - 1])
    # Without the folders of the checkout, but with the packages of an environment inside it.
    sys.path[:] = [tree, *(path for path in sys.path if Path(path).resolve() not in {CHECKOUT, CHECKOUT / "tests"})]
    # Processes that a test spawns import the main module again.
    sys.modules["__main__"] = pytest
    os.environ |= {"CONSOLE_WORK": str(Path(tree, "work")), "PYTHONPATH": tree}
    os._exit(pytest.main(["-q", "-p", "no:cacheprovider", *arguments], [] if tests is None else [Chosen(tests)]))


class Chosen:
    """A pytest plugin that runs the tests of a list, in its order."""

    def __init__(self, tests: list[str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}

    def pytest_collection(self) -> None:
        """Let property tests fail with the first example that they find, since the smallest takes minutes."""
        # pytest refuses a plugin of its own that is imported before it starts.
        from hypothesis import Phase, settings

        phases = set(Phase) - {Phase.shrink, Phase.explain}
        settings.register_profile("mutants", settings.default, phases=phases)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the other tests."""
        chosen = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])


if __name__ == "__main__":
    sys.exit(main())
