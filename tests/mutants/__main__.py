# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Change the code at one place after the other, and list the changes that no test notices."""

from __future__ import annotations

import argparse
import functools
import hashlib
import itertools
import multiprocessing
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

import yaml

from harness.places import CHECKOUT, copied_tree, git, stage_folder, tracked_files
from mutants import suite
from mutants.mutations import Mutant, mutants_of

# Modules are documentation and one call.
SUBJECTS = (
    *(f"plugins/{kind}/*.py" for kind in ("*_utils", "action", "filter", "lookup")),
    *(f"roles/*/{kind}" for kind in ("tasks/*.yml", "vars/*.yml", "templates/*.j2")),
)
EQUIVALENT = Path(__file__).with_name("equivalent.yml")
ENOUGH = 0.9
# Most mutants die of the first tests, and the others need not be collected.
FIRST = 20

_TIMES = itertools.count(1_000_000_000)


def main() -> int:
    """Return an exit code: whether enough mutants are killed."""
    options = read_options()
    mutants = select_mutants(options)
    if not options.tests:
        suite.measure(copy_for("measure"))
    elif suite.run(copy_for("measure"), ["-x", *options.tests]):
        sys.exit("the tests have to pass first")
    try_mutant = functools.partial(is_killed, tests=options.tests, limit=options.limit)
    all_of, killed = Counter(mutant.path for mutant in mutants), Counter[str]()
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("fork")) as pool:
        for mutant, is_dead in zip(mutants, pool.map(try_mutant, mutants), strict=True):
            killed[mutant.path] += is_dead
            if not is_dead:
                print(mutant, flush=True)
    for path, count in all_of.items():
        print(f"{killed[path]:5} of {count:4} killed  {path}")
    print(f"{killed.total():5} of {len(mutants):4} killed")
    return int(killed.total() < ENOUGH * len(mutants))


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="the beginnings of paths to change; all by default")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of the mutants, always the same")
    parser.add_argument("--since", metavar="COMMIT", help="only of files that differ from a commit")
    parser.add_argument(
        "--tests", nargs="+", metavar="TESTS", help="run these, rather than the tests that run the line"
    )
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="of tests a mutant (%(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="(%(default)s)")
    return parser.parse_args()


def select_mutants(options: argparse.Namespace) -> list[Mutant]:
    """Return the mutants of a run, without those that are known to change nothing."""
    paths = [path for path in sorted(map(str, tracked_files())) if path.startswith(tuple(options.paths or ("",)))]
    paths = [path for path in paths if any(fnmatch(path, subject) for subject in SUBJECTS)]
    if options.since:
        paths = [path for path in git(CHECKOUT, "diff", "--name-only", options.since).splitlines() if path in paths]
    mutants = [mutant for path in paths for mutant in mutants_of(CHECKOUT, path)]
    entries = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8"))
    known = {(entry["path"], entry["line"], entry["change"]) for entry in entries if entry["path"] in paths}
    for entry in sorted(known - {mutant.key for mutant in mutants}):
        print(f"{EQUIVALENT.name} has a mutant that there is not: {': '.join(entry)}")
    mutants = [mutant for mutant in mutants if mutant.key not in known]
    # By a digest, so that a sample changes no more than the code does.
    drawn = sorted(mutants, key=lambda mutant: hashlib.sha256(repr(mutant.key).encode()).digest())
    sample = set(drawn[: options.sample])
    return [mutant for mutant in mutants if mutant in sample]


def is_killed(mutant: Mutant, tests: list[str] | None, limit: float) -> bool:
    """Return whether a test fails on a mutant."""
    copy = copy_for(multiprocessing.current_process().name)
    source = (copy / mutant.path).read_text(encoding="utf-8")
    write(copy / mutant.path, source[: mutant.start] + mutant.new + source[mutant.end :])
    try:
        if tests:
            return suite.run(copy, ["-x", *tests], patience=600) != 0
        chosen = suite.tests_for(mutant, limit)
        return not all(suite.passes(copy, part) for part in (chosen[:FIRST], chosen[FIRST:]) if part)
    finally:
        write(copy / mutant.path, source)


@functools.cache
def copy_for(process: str) -> Path:
    """Return the copy of the checkout that belongs to a process."""
    return copied_tree(stage_folder("mutants") / process)


def write(path: Path, text: str) -> None:
    """Write a source with a time of its own, as Python knows by time and size whether it has compiled it."""
    path.write_text(text, encoding="utf-8")
    time = next(_TIMES)
    os.utime(path, (time, time))


if __name__ == "__main__":
    sys.exit(main())
