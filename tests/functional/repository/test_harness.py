# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make test` reports about itself: the sum, the gate, the versions, and the interpreters it finds."""

from __future__ import annotations

import configparser
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import bootstrap
from harness import archive, cores, demo, places, report
from harness.places import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable

JUNIT = """\
<testsuites><testsuite name="outer"><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>
"""
NONE = '<testsuites><testsuite name="empty"/></testsuites>'
SKIPPED = '<testsuite name="only"><testcase name="a"><skipped/></testcase></testsuite>'
ONE_PASSED = '<testsuite name="only"><testcase name="a"/></testsuite>'


def sum_of(folder: Path, capsys: pytest.CaptureFixture[str], *stages: tuple[str, str]) -> tuple[int, str]:
    """Return exit code and last line for stages, each a result of nox and the JUnit XML that it wrote."""
    sessions: list[dict[str, Any]] = []
    for number, (result, junit) in enumerate(stages):
        stage = folder / f"stage-{number}"
        stage.mkdir()
        if junit:
            (stage / "junit.xml").write_text(junit, encoding="utf-8")
        sessions.append({"name": stage.name, "reason": "why", "result": result, "duration": 1.0})
    path = folder / "nox.json"
    path.write_text(json.dumps({"sessions": sessions}), encoding="utf-8")
    code = report.sum_up(path)
    return code, capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("stages", "code", "last"),
    [
        pytest.param([("success", ONE_PASSED), ("success", ONE_PASSED)], 0, "2 passed, 0 failed, 0 skipped", id="all"),
        pytest.param([("failed", JUNIT)], 1, "1 passed, 2 failed, 1 skipped", id="failures are counted once"),
        pytest.param([("success", "")], 0, "1 passed, 0 failed, 0 skipped", id="a tool without JUnit XML"),
        pytest.param([("success", NONE)], 1, "0 passed, 1 failed, 0 skipped", id="nothing ran"),
        pytest.param([("success", SKIPPED)], 1, "0 passed, 1 failed, 1 skipped", id="everything was skipped"),
        pytest.param([("failed", "")], 1, "0 passed, 1 failed, 0 skipped", id="it could not be set up"),
        pytest.param([("aborted", ONE_PASSED)], 1, "1 passed, 1 failed, 0 skipped", id="it broke off"),
        pytest.param(
            [("skipped", ""), ("success", ONE_PASSED)], 0, "1 passed, 0 failed, 1 skipped", id="a core is left out"
        ),
        pytest.param([], 1, "0 passed, 1 failed, 0 skipped", id="no stage at all"),
    ],
)
def test_the_sum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stages: list[tuple[str, str]], code: int, last: str
) -> None:
    assert sum_of(tmp_path, capsys, *stages) == (code, last)


def test_no_report_of_nox_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report.sum_up(tmp_path / "nox.json") == 1
    assert capsys.readouterr().out.endswith("\n0 passed, 1 failed, 0 skipped\n")


@pytest.mark.parametrize(
    ("names", "result", "commits", "noted"),
    [
        pytest.param([], "success", ["abc", "abc"], "abc", id="everything passed"),
        pytest.param([], "failed", ["abc", "abc"], "", id="something failed"),
        pytest.param([], "success", ["abc", "def"], "", id="a commit was made meanwhile"),
        pytest.param(["lint"], "success", ["abc"], "before", id="a part says nothing about the whole"),
    ],
)
def test_the_commit_that_passed_is_noted_for_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], result: str, commits: list[str], noted: str
) -> None:
    session = {"name": "lint", "reason": "", "result": result, "duration": 1.0}
    path = tmp_path / "results" / "nox.json"
    monkeypatch.setattr(report, "WORK", tmp_path)
    monkeypatch.setattr(report, "TESTED", tmp_path / "tested.txt")
    monkeypatch.setattr(report, "clean_commit", iter(commits).__next__)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: path.write_text(json.dumps({"sessions": [session]})))
    report.TESTED.write_text("before", encoding="utf-8")
    report.main(*names)
    assert report.TESTED.read_text(encoding="utf-8") == noted


def test_the_gate_holds_statements_and_branches_each_for_itself(tmp_path: Path) -> None:
    totals = {"percent_covered": 97.2, "percent_statements_covered": 98.54, "percent_branches_covered": 94.9}
    path = tmp_path / "coverage.json"
    path.write_text(json.dumps({"totals": totals}), encoding="utf-8")
    assert report.coverage(path) == {"98.5 % of statements are covered": True, "94.9 % of branches are covered": False}


@pytest.fixture
def pythons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that puts stand-ins for these Pythons into PATH, and nothing else."""

    def stand_in(*versions: str) -> None:
        for version in versions:
            (tmp_path / f"python{version}").touch(mode=0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return stand_in


def test_the_newest_core_that_an_interpreter_at_hand_can_run(pythons: Callable[..., None]) -> None:
    pythons("3.9", "3.11")
    newest, oldest = cores.tested()
    assert (newest.minor, newest.python, newest.module_pythons) == ("2.19", "3.11", ["3.9", "3.11"])
    assert (oldest.minor, oldest.python) == ("2.16", "3.11")
    assert newest.coverage == "modules of ansible-core 2.19 on Python 3.9, 3.11; not at hand: 3.10, 3.12, 3.13"


def test_a_core_that_none_can_run_asks_nox_for_a_python_that_it_will_miss(pythons: Callable[..., None]) -> None:
    pythons("3.13")
    assert [(core.minor, core.python, core.pythons) for core in cores.tested()] == [
        ("2.21", "3.13", ["3.13"]),
        ("2.16", "3.12", []),
    ]


def test_without_any_interpreter_the_newest_and_the_oldest_core_are_missed(pythons: Callable[..., None]) -> None:
    pythons()
    assert [(core.minor, core.python) for core in cores.tested()] == [("2.21", "3.14"), ("2.16", "3.12")]


def test_the_oldest_core_is_the_one_that_the_collection_promises() -> None:
    runtime = yaml.safe_load((CHECKOUT / "meta" / "runtime.yml").read_text(encoding="utf-8"))
    assert runtime["requires_ansible"] == f">={min(cores.SUPPORTED, key=version)}.0"
    assert list(cores.SUPPORTED) == sorted(cores.SUPPORTED, key=version)


def test_the_support_matrix_of_the_readme_is_the_one_that_is_tested() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    versions = r"(2[\d., ]+)(?: \((pre-release)\))?"
    rows = re.findall(rf"^\| {versions} \| 3\.(\d+).3\.(\d+) \| 3\.(\d+).3\.(\d+) \|$", readme, re.MULTILINE)
    written = {
        minor: ((int(oldest), int(newest)), (int(oldest_of_modules), int(newest_of_modules)))
        for minors, _marker, oldest, newest, oldest_of_modules, newest_of_modules in rows
        for minor in minors.split(", ")
    }
    assert written == cores.SUPPORTED
    assert [row[0] for row in rows if row[1]] == list(cores.PRE_RELEASES)


def test_the_sanity_tests_have_nothing_to_ignore() -> None:
    assert not [path for path in CHECKOUT.glob("tests/sanity/ignore*") if path.stat().st_size]


def version(text: str) -> list[int]:
    """Return a version in a form that can be compared."""
    return [int(number) for number in text.split(".")]


def test_a_warning_of_galaxy_importer_is_a_finding() -> None:
    assert archive.FINDING.findall("Loading module volume\nWARNING: no changelog\nnot a WARNING\n") == [
        "WARNING: no changelog"
    ]


def test_the_demo_reads_what_a_play_changed() -> None:
    recap = "localhost                  : ok=6    changed=12   unreachable=0    failed=0\n"
    assert demo.RECAP.findall(f"PLAY RECAP ***\n\x1b[0;33m{recap}\x1b[0m") == ["12"]
    coloured = "\x1b[0;33mlocalhost\x1b[0m : \x1b[0;32mok=9   \x1b[0m \x1b[0;33mchanged=3   \x1b[0m unreachable=0\n"
    assert demo.RECAP.findall(coloured) == ["3"]


def test_a_stand_in_that_does_not_work_is_left_out_of_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shims, work = tmp_path / "shims", tmp_path / "work"
    shims.mkdir()
    for name, lines in (
        ("python3.10", "echo no\nexit 127"),
        ("python3.9", f'exec {sys.executable} "$@"'),
        ("tool", ""),
    ):
        (shims / name).write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
        (shims / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(shims))
    monkeypatch.setattr(bootstrap, "PYTHONS", ["python3.9", "python3.10"])
    monkeypatch.setattr(bootstrap, "MANAGED", ())
    monkeypatch.setattr(sys, "version_info", SimpleNamespace(minor=99))
    first, second = map(Path, bootstrap.tool_path(work).split(os.pathsep))
    assert sorted(path.name for path in first.iterdir()) == ["python3.9", "python3.99"]
    assert (first / "python3.9").resolve() == Path(sys.executable).resolve()
    assert sorted(path.name for path in second.iterdir()) == ["python3.9", "tool"]
    assert bootstrap.tool_path(work) == os.pathsep.join(map(str, (first, second)))


def test_an_interpreter_of_a_version_manager_needs_no_place_in_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "versions" / "3.10.9" / "bin"
    kept.mkdir(parents=True)
    (kept / "python3.10").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    (kept / "python3.10").chmod(0o755)
    monkeypatch.setattr(bootstrap, "PYTHONS", ["python3.10"])
    monkeypatch.setattr(bootstrap, "MANAGED", (str(tmp_path / "versions" / "*" / "bin"),))
    bootstrap.tool_path(tmp_path / "work")
    assert (tmp_path / "work" / "pythons" / "python3.10").exists()


def test_pip_is_told_what_the_user_tells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [":env:.timeout='9'", "global.index-url='https://me:a%40b@index.example.com'"]
    listed += ["global.timeout='1'", "install.find-links='\\n/one\\n/two'"]
    monkeypatch.setattr(bootstrap, "output_of", lambda *command: "\n".join(listed) if "list" in command else "")
    bootstrap.write_pip_configuration(tmp_path, "python")
    configuration = configparser.RawConfigParser()
    configuration.read(tmp_path / ".config" / "pip" / "pip.conf")
    written = {name: dict(section) for name, section in configuration.items() if name != "DEFAULT"}
    assert written == {
        "global": {
            "index-url": "https://me:a%40b@index.example.com",
            "timeout": "9",
            "cache-dir": str(tmp_path / "cache"),
        },
        "install": {"find-links": "\n/one\n/two"},
    }


def test_the_number_of_cases_reaches_the_property_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASES", "5000")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(bootstrap, "tool_path", lambda _work: "path")
    environment = bootstrap.tool_environment(tmp_path)
    assert environment["CASES"] == "5000"
    assert not {"PYTEST_ADDOPTS", "LC_ALL"} & environment.keys()
    assert environment["HOME"] == str(tmp_path / "home")


def test_a_checkout_with_white_space_in_its_path_works_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "CHECKOUT", tmp_path / "my checkout")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    work = bootstrap.work_folder()
    assert work == bootstrap.work_folder()
    assert str(work).startswith(f"{tmp_path}/managedfs-console-")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "my temporary files"))
    with pytest.raises(SystemExit, match="set TMPDIR"):
        bootstrap.work_folder()


@pytest.mark.parametrize("is_repository", [True, False])
def test_the_files_of_an_unpacked_archive_are_found_too(
    is_repository: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("README.md", "plugins/a.py", "plugins/__pycache__/a.pyc", ".work/results"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("/.work/\n__pycache__/\n", encoding="utf-8")
    if is_repository:
        places.git(tmp_path, "init", "--quiet")
        places.git(tmp_path, "add", "README.md")
    monkeypatch.setattr(places, "CHECKOUT", tmp_path)
    monkeypatch.setattr(places, "WORK", tmp_path / ".work")
    assert places.tracked_files() == {Path(".gitignore"), Path("README.md"), Path("plugins/a.py")}
    assert places.clean_commit(tmp_path) == ""
