# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the sessions with a tag, or some by name, and sums up what they leave.

    python -m harness.report {test,exhaustive} [SESSION ...]

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

import nox
from junitparser import JUnitXml

from harness.places import WORK, committed_digest, session_folder

# The digest of the files for which all of `make exhaustive` passed last. A release asks for it.
TESTED = WORK / "tested.txt"


def note(session: nox.Session, text: str) -> None:
    with (session_folder("results", session.name) / "notes.txt").open("a", encoding="utf-8") as notes:
        notes.write(f"    {text}\n")


def main(tag: str, *names: str) -> int:
    """Run every session with the tag, or the named ones, sum them up, and return the exit code."""
    digest = committed_digest()
    report = WORK / "results" / "nox.json"
    shutil.rmtree(report.parent, ignore_errors=True)
    report.parent.mkdir()
    # This program needs it, the tools must not see it.
    os.environ.pop("PYTHONPATH", None)
    # Two at a time: the tests are made for two cores. What is exhaustive waits more.
    at_once = "3" if tag == "exhaustive" else "2"
    selection = ["--session", *names] if names else ["--tags", tag]
    # Ctrl-C reaches nox too; what it then reports must still be summed up.
    signal.signal(signal.SIGINT, lambda *_: None)
    command = [sys.executable, "-m", "nox", "--parallel", at_once, "--report", str(report), *selection]
    subprocess.run(command, check=False)
    failed = sum_up(report)
    if tag == "exhaustive" and not names:
        TESTED.write_text("" if failed or digest != committed_digest() else digest, encoding="utf-8")
    return failed


def sum_up(path: Path) -> int:
    """Print the results of all sessions, the sum in the last line, and return the exit code."""
    sessions = json.loads(path.read_text(encoding="utf-8"))["sessions"] if path.exists() else []
    total: Counter[str] = Counter(failed=int(not sessions))
    print(f"\n{'session':<28}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>8}")
    for session in sessions:
        folder = path.parent / session["name"]
        counts = count(folder, session["result"])
        total += counts
        numbers = "".join(f"{counts[kind]:>8}" for kind in ("passed", "failed", "skipped"))
        print(f"{session['name']:<28}{numbers}{session['duration']:>8.0f}")
        print("".join(notes.read_text(encoding="utf-8") for notes in folder.glob("notes.txt")), end="")
        if session["reason"]:
            print(f"    {session['reason']}")
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return int(total["failed"] > 0)


def count(folder: Path, result: str) -> Counter[str]:
    """Return how many cases of a session ended how, from its JUnit XML and from the report of nox."""
    files = list(folder.glob("*.xml"))
    if not files:
        return Counter([{"success": "passed", "skipped": "skipped"}.get(result, "failed")])
    junit = sum((JUnitXml.fromfile(str(file)) for file in files), start=JUnitXml())
    junit.update_statistics()
    failed = junit.failures + junit.errors
    passed = junit.tests - failed - junit.skipped
    # A session fails where nothing ran, or where it broke off.
    failed = failed or int(result != "success" or not passed)
    return Counter(passed=passed, failed=failed, skipped=junit.skipped)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
