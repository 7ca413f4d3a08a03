# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the sessions of `make test`, and sums up what they leave.

    python -m harness.report [SESSION ...]

A session leaves JUnit XML and notes in a folder beside the report of nox. Without JUnit XML it counts as one case.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from junitparser import JUnitXml

from harness.places import WORK, clean_commit

if TYPE_CHECKING:
    import nox

NOTES = "notes.txt"
# The commit for which all of `make test` passed last. A release asks for it.
TESTED = WORK / "tested.txt"


def results_folder(session: nox.Session) -> Path:
    """Return the folder for the results of a session."""
    folder = WORK / "results" / session.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def note(session: nox.Session, text: str) -> None:
    """Leave a line to be printed below the session."""
    with (results_folder(session) / NOTES).open("a", encoding="utf-8") as notes:
        notes.write(f"{text}\n")


def coverage(file: Path) -> dict[str, bool]:
    """Return what coverage.py's JSON report says, and whether it is enough, for lines and branches separately."""
    totals = json.loads(file.read_text(encoding="utf-8"))["totals"]
    percents = {kind: totals[f"percent_{kind}_covered"] for kind in ("statements", "branches")}
    return {f"{percent:.1f} % of {kind} are covered": percent >= 95 for kind, percent in percents.items()}


def main(*names: str) -> int:
    """Run every test session, or the named ones, sum them up, and return the exit code of `make test`."""
    commit = "" if names else clean_commit()
    report = WORK / "results" / "nox.json"
    shutil.rmtree(report.parent, ignore_errors=True)
    report.parent.mkdir()
    # This program needs it, the tools must not see it.
    os.environ.pop("PYTHONPATH", None)
    selection = ["--session", *names] if names else ["--tags", "test"]
    # Two at a time: the tests are made for two cores.
    nox = [sys.executable, "-m", "nox", "--parallel", "2", "--report", str(report), *selection]
    # Ctrl-C reaches nox too; what it then reports must still be summed up.
    signal.signal(signal.SIGINT, lambda *_: None)
    subprocess.run(nox, check=False)
    code = sum_up(report)
    if not names:
        TESTED.write_text("" if code or commit != clean_commit() else commit, encoding="utf-8")
    return code


def sum_up(path: Path) -> int:
    """Print the results of all sessions, the sum in the last line, and return the exit code."""
    sessions = json.loads(path.read_text(encoding="utf-8"))["sessions"] if path.exists() else []
    total: Counter[str] = Counter()
    print(f"\n{'session':<28}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>8}")
    for session in sessions:
        folder = path.parent / session["name"]
        counts = count(folder, session["result"])
        total += counts
        numbers = "".join(f"{counts[kind]:>8}" for kind in ("passed", "failed", "skipped"))
        print(f"{session['name']:<28}{numbers}{session['duration']:>8.0f}")
        notes = (folder / NOTES).read_text(encoding="utf-8").splitlines() if (folder / NOTES).exists() else []
        for text in [*notes, session["reason"]]:
            if text:
                print(f"    {text}")
    total["failed"] += not sessions
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] else 0


def count(folder: Path, result: str) -> Counter[str]:
    """Return how many cases of a session ended how, from its JUnit XML and from the report of nox."""
    files = list(folder.glob("*.xml"))
    junit = sum((JUnitXml.fromfile(str(file)) for file in files), start=JUnitXml())
    junit.update_statistics()
    failed = junit.failures + junit.errors
    counts = Counter(passed=junit.tests - failed - junit.skipped, failed=failed, skipped=junit.skipped)
    if result == "skipped":
        counts["skipped"] += 1
    elif result == "success" and not files:
        counts["passed"] += 1
    elif not counts["failed"] and (result != "success" or not counts["passed"]):
        counts["failed"] += 1
    return counts


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
