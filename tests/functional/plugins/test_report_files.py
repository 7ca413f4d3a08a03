# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action report_files: which files it writes and which it leaves alone, and what it refuses."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from functional.support.actions import run_action

FACTS = report_facts([{"id": 1, "name": "v", "exports": [], "quotas": []}], console="console.example.com")


act = functools.partial(run_action, "report_files")


def test_the_files_are_readable_and_a_second_run_leaves_them_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    assert act(tmp_path, check=True, facts=FACTS, dest=str(folder))["changed"]
    assert not folder.parent.exists()
    result = act(tmp_path, facts=FACTS, dest=str(folder))
    assert (result["changed"], result["counts"]) == (True, FACTS["counts"])
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == dict.fromkeys(
        ("report.html", "report.json", "report.md"), 0o644
    )
    (folder / "report.md").write_text("edited", encoding="utf-8")
    inode = (folder / "report.html").stat().st_ino
    assert act(tmp_path, facts=FACTS, dest=str(folder))["changed"]
    assert (folder / "report.html").stat().st_ino == inode
    assert not act(tmp_path, facts=FACTS, dest=str(folder))["changed"]


def test_without_a_folder_there_is_a_summary_only(tmp_path: Path) -> None:
    result = act(tmp_path, facts=FACTS, dest=" ")
    assert (result["changed"], result["summary"][0]) == (False, "# `console.example.com`")
    assert not list(tmp_path.glob("**/report.*"))


def test_a_link_is_replaced_and_what_it_leads_to_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("hunter2\n", encoding="utf-8")
    (tmp_path / "report.md").symlink_to("outside")
    result = act(tmp_path, diff=True, facts=FACTS, dest=str(tmp_path))
    assert result["changed"]
    assert "hunter2" not in json.dumps(result)
    assert not (tmp_path / "report.md").is_symlink()
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "hunter2\n"


@pytest.mark.parametrize(
    ("name", "changed", "done"),
    [
        ("report.html", False, "no file was changed"),
        ("report.md", True, "1 of 3 files were changed before"),
    ],
)
def test_what_cannot_be_written_is_told_beside_the_summary(tmp_path: Path, name: str, changed: bool, done: str) -> None:
    (tmp_path / name / "x").mkdir(parents=True)
    result = act(tmp_path, facts=FACTS, dest=str(tmp_path))
    assert f"{name} cannot be written: Is a directory; {done}." in result["msg"]
    assert (result["failed"], result["changed"]) == (True, changed)
    assert result["summary"]
    assert not list(tmp_path.glob(".*"))


def test_the_json_is_for_people_and_for_differences_too(tmp_path: Path) -> None:
    act(tmp_path, facts={**FACTS, "console": "ü"}, dest=str(tmp_path))
    lines = (tmp_path / "report.json").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["{", '    "access": {']
    assert '    "console": "ü",' in lines
    assert lines[-1] == "}"


@pytest.mark.parametrize(
    "facts", [{}, {**FACTS, "counts": {}}, {**FACTS, "access": 5}, {**FACTS, "limits": [{"volume": "v"}]}]
)
def test_what_are_no_facts_is_refused(tmp_path: Path, facts: dict[str, Any]) -> None:
    result = act(tmp_path, facts=facts, dest=str(tmp_path))
    assert result["msg"] == "facts must be what the filter report_facts returns."
    assert not list(tmp_path.glob("report.*"))
