# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What `make test` says of itself: the sum, the gate, the versions, and the interpreters it finds."""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import bootstrap
from harness import archive, cores, coverage_gate, demo, fault_matrix, report
from harness.places import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

JUNIT = """\
<testsuites><testsuite name="outer"><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>
"""
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
    code = report.main([str(path)])
    return code, capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("stages", "code", "last"),
    [
        pytest.param([("success", ONE_PASSED), ("success", ONE_PASSED)], 0, "2 passed, 0 failed, 0 skipped", id="all"),
        pytest.param([("failed", JUNIT)], 1, "1 passed, 2 failed, 1 skipped", id="failures are counted once"),
        pytest.param([("success", "")], 1, "0 passed, 1 failed, 0 skipped", id="nothing ran"),
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
    assert report.main([str(tmp_path / "nox.json")]) == 1
    assert capsys.readouterr().out.endswith("\n0 passed, 1 failed, 0 skipped\n")


def test_the_gate_holds_lines_and_branches_each_for_itself(tmp_path: Path) -> None:
    good = {"covered_lines": 100, "num_statements": 100, "covered_branches": 10, "num_branches": 10}
    low = {"covered_lines": 97, "num_statements": 100, "covered_branches": 1, "num_branches": 10}
    totals = {name: good[name] + low[name] for name in good}
    path = tmp_path / "coverage.json"
    files = {"plugins/good.py": {"summary": good}, "plugins/low.py": {"summary": low}}
    path.write_text(json.dumps({"totals": totals, "files": files}), encoding="utf-8")
    lines, branches = coverage_gate.check(path)
    assert lines == ("coverage of lines: 98.5 %", None)
    assert branches == ("coverage of branches: 55.0 %", "95 % are wanted; low: plugins/low.py 10.0 %")


def test_the_fault_matrix_is_told_in_a_line_and_as_a_table(tmp_path: Path) -> None:
    def case(value: str, problem: str = "") -> str:
        return f'<testcase><properties><property name="matrix" value="{value}"/></properties>{problem}</testcase>'

    cells = [case("500 / list / once / S"), case("500 / list / once / S"), case("500 / list / ever / F")]
    cells += ["<testcase/>", case("429 / POST / ever / F", "<failure/>")]
    file = tmp_path / "pytest.xml"
    file.write_text(f"<testsuites><testsuite>{''.join(cells)}</testsuite></testsuites>", encoding="utf-8")
    counted = "2 survived, 1 failed as they must, 1 NOT AS THEY MUST"
    assert fault_matrix.line(file) == f"Fault matrix: 4 cells, {counted}"
    assert [row.split() for row in fault_matrix.table(file)] == [
        ["trouble", "at", "once", "ever"],
        ["500", "list", "2", "survived", "1", "failed", "as", "they", "must"],
        ["429", "POST", "1", "NOT", "AS", "THEY", "MUST"],
    ]


def test_the_newest_core_that_an_interpreter_at_hand_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "at_hand", lambda python: python in {"3.9", "3.11"})
    assert [core.minor for core in cores.tested()] == ["2.19", "2.16"]
    assert cores.newest().module_pythons == ("3.9", "3.11")


def test_a_core_that_none_can_run_has_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "at_hand", lambda python: python == "3.13")
    assert cores.tested() == (cores.Core("2.21", "3.13"), cores.Core("2.16", None))


def test_the_oldest_core_is_the_one_that_the_collection_promises() -> None:
    runtime = yaml.safe_load((CHECKOUT / "meta" / "runtime.yml").read_text(encoding="utf-8"))
    assert runtime["requires_ansible"] == f">={cores.OLDEST}.0"


def test_a_warning_of_galaxy_importer_is_a_finding() -> None:
    assert archive.FINDING.findall("Loading module volume\nWARNING: no changelog\nnot a WARNING\n") == [
        "WARNING: no changelog"
    ]


def test_the_demo_reads_what_a_play_changed() -> None:
    recap = "localhost                  : ok=6    changed=12   unreachable=0    failed=0\n"
    assert demo.RECAP.findall(demo.COLOUR.sub("", f"PLAY RECAP ***\n\x1b[0;33m{recap}\x1b[0m")) == ["12"]


def test_a_stand_in_that_does_not_run_is_left_out_of_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shims = tmp_path / "shims"
    shims.mkdir()
    for name, line in (("python3.12", "exit 127"), ("tool", "exit 0")):
        (shims / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (shims / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(shims))
    found = bootstrap.Pythons({}, [], [])
    bootstrap.examine(str(shims / "python3.12"), found)
    assert found == bootstrap.Pythons({}, [], [str(shims / "python3.12")])
    mirror = tmp_path / "work" / "path"
    assert [path.name for path in mirror.parent.glob("*")] == []
    folder = bootstrap.without_dead(str(tmp_path / "work"), str(shims), found)
    assert folder.startswith(str(mirror))
    assert [path.name for path in mirror.glob("*/*")] == ["tool"]


def test_the_number_of_cases_reaches_the_property_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASES", "5000")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    environment = bootstrap.tool_environment(str(tmp_path), bootstrap.Pythons({}, [], []))
    assert environment["CASES"] == "5000"
    assert "PYTEST_ADDOPTS" not in environment


def test_a_checkout_with_white_space_in_its_path_works_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "CHECKOUT", str(tmp_path / "my checkout"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    work = bootstrap.work_folder()
    assert work == bootstrap.work_folder()
    assert work.startswith(f"{tmp_path}/managedfs-console-")
