# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make test` reports about itself, and the machines that it runs on."""

from __future__ import annotations

import configparser
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

import bootstrap
from harness import cores, places, report, size

MIXED = """\
<testsuites><testsuite name="outer"><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>
"""
NONE = '<testsuites><testsuite name="empty"/></testsuites>'
SKIPPED = '<testsuite name="only"><testcase name="a"><skipped/></testcase></testsuite>'
PASSED = '<testsuite name="only"><testcase name="a"/></testsuite>'


SUMS: dict[str, tuple[list[tuple[str, str]] | None, tuple[int, int, int]]] = {
    "all passed": ([("success", PASSED), ("success", PASSED)], (2, 0, 0)),
    "failures are counted once": ([("failed", MIXED)], (1, 2, 1)),
    "a tool without JUnit XML": ([("success", "")], (1, 0, 0)),
    "nothing ran": ([("success", NONE)], (0, 1, 0)),
    "everything was skipped": ([("success", SKIPPED)], (0, 1, 1)),
    "it could not be set up": ([("failed", "")], (0, 1, 0)),
    "it broke off": ([("aborted", PASSED)], (1, 1, 0)),
    "a core is left out": ([("skipped", ""), ("success", "")], (1, 0, 1)),
    "no session at all": ([], (0, 1, 0)),
    "no report of nox": (None, (0, 1, 0)),
}


@pytest.mark.parametrize("case", SUMS)
def test_the_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    sessions, (passed, failed, skipped) = SUMS[case]
    if sessions is not None:
        write_report(tmp_path, sessions)
    assert report.sum_up(tmp_path / "nox.json") == (failed > 0)
    assert capsys.readouterr().out.splitlines()[-1] == f"{passed} passed, {failed} failed, {skipped} skipped"


def write_report(folder: Path, sessions: list[tuple[str, str]]) -> None:
    """Write a report of nox about sessions with these results, and their JUnit XML."""
    entries = []
    for number, (result, junit) in enumerate(sessions):
        entries.append({"name": str(number), "reason": "", "result": result, "duration": 1.0})
        (folder / str(number)).mkdir()
        if junit:
            (folder / str(number) / "junit.xml").write_text(junit, encoding="utf-8")
    (folder / "nox.json").write_text(json.dumps({"sessions": entries}), encoding="utf-8")


NOTED = {
    "everything passed": ("exhaustive", "success", "new new", "new"),
    "something failed": ("exhaustive", "failed", "new new", ""),
    "something was changed meanwhile": ("exhaustive", "success", "new newer", ""),
    "a part says nothing of the whole": ("exhaustive lint", "success", "new new", "before"),
    "neither does the daily run": ("test", "success", "new new", "before"),
}


@pytest.mark.parametrize("case", NOTED)
def test_what_has_passed_is_noted_for_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    arguments, result, commits, noted = NOTED[case]
    monkeypatch.setattr(report, "WORK", tmp_path)
    monkeypatch.setattr(report, "TESTED", tmp_path / "tested.txt")
    monkeypatch.setattr(report, "committed_digest", iter(commits.split()).__next__)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: write_report(tmp_path / "results", [(result, "")]))
    report.TESTED.write_text("before", encoding="utf-8")
    report.main(*arguments.split())
    assert report.TESTED.read_text(encoding="utf-8") == noted


CORES = {
    "the newest that one can run": ("3.9 3.10 3.11", ("2.19", "3.11"), ("2.16", "3.11")),
    "nox will miss a Python for the oldest": ("3.13", ("2.21", "3.13"), ("2.16", "3.10-3.12")),
    "nox will miss any Python": ("", ("2.21", "3.12-3.14"), ("2.16", "3.10-3.12")),
}


@pytest.mark.parametrize(("at_hand", "newest", "oldest"), CORES.values(), ids=CORES)
def test_the_cores_that_are_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_hand: str, newest: tuple[str, str], oldest: tuple[str, str]
) -> None:
    for version in at_hand.split():
        (tmp_path / "pythons").mkdir(exist_ok=True)
        (tmp_path / "pythons" / f"python{version}").touch()
    monkeypatch.setattr(cores, "WORK", tmp_path)
    assert [(core.minor, core.python) for core in (cores.newest(), cores.supported()[0])] == [newest, oldest]


def test_only_interpreters_that_work_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = f'exec {sys.executable} "$@"'
    programs = {"shims/python3.10": "exit 127", "shims/python3.9": real, "managed/python3.10": real}
    for name, line in programs.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    monkeypatch.setattr(bootstrap, "PYTHONS", ["python3.9", "python3.10", "python3.11", "python3.12", "python3.99"])
    monkeypatch.setattr(bootstrap, "MANAGED", [str(tmp_path / "managed")])
    # That of this program may have another name.
    monkeypatch.setattr(sys, "version_info", SimpleNamespace(minor=99))
    folder = tmp_path / "pythons"
    folder.mkdir()
    # Those of interpreters that are there no more
    (folder / "python3.10").symlink_to(tmp_path / "gone")
    (folder / "python3.12").symlink_to(tmp_path / "gone")
    for _run in range(2):
        bootstrap.link_pythons(folder)
        found = {path.name: path.resolve() for path in folder.iterdir() if path.exists()}
        assert found == dict.fromkeys(("python3.9", "python3.10", "python3.99"), Path(sys.executable).resolve())


def test_pip_gets_the_settings_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [":env:.timeout='9'", "global.index-url='https://me:a%40b@index.example.com'"]
    listed += ["global.timeout='1'", "install.find-links='\\n/one\\n/two'"]
    monkeypatch.setattr("subprocess.check_output", lambda *_, **__: "\n".join(listed))
    bootstrap.write_pip_configuration(tmp_path / "pip" / "pip.conf", "python")
    read = configparser.RawConfigParser()
    read.read(tmp_path / "pip" / "pip.conf")
    assert dict(read["global"]) == {"index-url": "https://me:a%40b@index.example.com", "timeout": "9"}
    assert dict(read["install"]) == {"find-links": "\n/one\n/two"}


def test_only_settings_that_are_meant_for_the_tools_reach_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"CASES": "5000", "PYTEST_ADDOPTS": "-x", "LC_ALL": "C", "NO_PROXY": "a.b"})
    environment = bootstrap.tool_environment()
    assert environment["CASES"] == "5000"
    assert environment["no_proxy"] == "a.b,127.0.0.1,localhost,::1"
    assert environment["PATH"].split(os.pathsep)[0] == str(places.WORK / "pythons")
    assert not {"PYTEST_ADDOPTS", "LC_ALL"} & environment.keys()


@pytest.mark.parametrize("is_repository", [True, False])
def test_the_files_of_an_unpacked_archive_are_found_too(is_repository: bool, tmp_path: Path) -> None:
    for name in ("README.md", "plugins/a.py", "plugins/__pycache__/a.pyc", ".work/results"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("/.work/\n__pycache__/\n", encoding="utf-8")
    if is_repository:
        places.git(tmp_path, "init", "--quiet")
        places.git(tmp_path, "add", "README.md")
    # Sessions run side by side.
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(places.tracked_files, [tmp_path] * 16))
    assert found == [{Path(".gitignore"), Path("README.md"), Path("plugins/a.py")}] * 16
    assert places.committed_digest(tmp_path) == ""


CODE = '''\
"""Not counted."""

import os
from sys import (
    argv,
)

TEXT = """This is
no docstring, and counts."""


class Thing:
    """Not counted
    either."""

    # Nor is a comment.
    def method(self):
        import json  # in a function, too

        return TEXT  # 5 lines by now
'''


def test_code_is_what_is_neither_documentation_nor_import() -> None:
    assert size.count_code(CODE) == 5


def test_words_are_what_white_space_separates() -> None:
    assert size.WORDS("one-half of `it`\n") == 3


@pytest.mark.parametrize("part", size.RATCHET)
def test_no_part_grows(part: str) -> None:
    files, of_text, noted = size.RATCHET[part]
    now = size.count(files, of_text)
    assert now <= noted, (
        "say it with fewer lines, or raise the figure in tests/harness/size.py, and say in the commit why"
    )
    assert now == noted, "it is smaller: lower the figure in tests/harness/size.py"
