# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actions that write files, as Ansible calls them: what their results say, which files they write, what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.errors import AnsibleError

from ansible_collections.managedfs.console.plugins.action import check_variables, desired_state_files, report_files
from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from functional.support.actions import act

FACTS = report_facts([{"id": 1, "name": "v", "exports": [], "quotas": []}], console="console.example.com")


def test_the_result_names_the_files_by_what_became_of_them(tmp_path: Path) -> None:
    def write(*volumes: dict[str, Any], **options: Any) -> dict[str, Any]:
        found = act(desired_state_files, tmp_path, dest="desired", volumes=list(volumes), **options)
        return {name: value for name, value in found.items() if name not in ("diff", "invocation")}

    a, b, c, d = ({"name": name} for name in "abcd")
    nothing: dict[str, Any] = {"created": [], "updated": [], "removed": [], "unchanged": 0}
    created = {**nothing, "changed": True, "created": ["a.yml", "b.yml", "c.yml"]}
    message = "files in desired: 3 created"
    assert write(a, b, c, check=True) == {**created, "msg": f"{message} (check mode: nothing was written)"}
    assert not (tmp_path / "desired").exists()
    assert write(a, b, c) == {**created, "msg": message}
    unchanged = {**nothing, "changed": False, "unchanged": 3, "msg": "files in desired: 3 unchanged"}
    assert write(a, b, c, check=True) == write(a, b, c) == unchanged
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "desired").iterdir()} == {0o644}
    assert write(a, b)["removed"] == []
    assert write(a, {**b, "region": 2}, d, remove=True) == {
        "changed": True,
        "created": ["d.yml"],
        "updated": ["b.yml"],
        "removed": ["c.yml"],
        "unchanged": 1,
        "msg": "files in desired: 1 created, 1 updated, 1 removed, 1 unchanged",
    }
    assert act(desired_state_files, tmp_path, dest="none", volumes=[])["msg"] == "files in none: nothing to write"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dest": " "}, "dest must be the path of a folder."),
        ({"max_removals": "most"}, "max_removals must be a number of removals, or a share"),
        (
            {"volumes": [{"name": "a", "region": float("inf")}]},
            "some volumes are invalid. item 1 ('a'): region must be a whole number, not 'inf'",
        ),
    ],
    ids=["blank folder", "limit", "infinity"],
)
def test_what_is_wrong_is_told_and_nothing_is_written(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    result = act(desired_state_files, tmp_path, **{"dest": "desired", "volumes": [], **options})
    assert (result["failed"], result["changed"]) == (True, False)
    assert message in result["msg"]
    assert not (tmp_path / "desired").exists()


@pytest.mark.parametrize(
    ("action", "missing", "options"),
    [
        (desired_state_files, "dest", {"volumes": []}),
        (desired_state_files, "volumes", {"dest": "desired"}),
        (report_files, "facts", {"dest": "report"}),
        (check_variables, "role", {}),
    ],
)
def test_what_is_required_is_named(tmp_path: Path, action: Any, missing: str, options: dict[str, Any]) -> None:
    with pytest.raises(AnsibleError, match=f"missing required arguments: {missing}"):
        act(action, tmp_path, **options)


@pytest.mark.parametrize("action", [desired_state_files, report_files])
def test_an_option_that_there_is_not_is_named(tmp_path: Path, action: Any) -> None:
    with pytest.raises(AnsibleError, match="colour"):
        act(action, tmp_path, dest="x", volumes=[], facts={}, colour="red")


def test_a_diff_is_shown_where_it_is_asked_for(tmp_path: Path) -> None:
    for diff in (False, True):
        result = act(desired_state_files, tmp_path, check=True, diff=diff, dest="desired", volumes=[{"name": "a"}])
        assert ("diff" in result) is diff


def test_a_report_is_readable_and_a_second_run_leaves_it_alone(tmp_path: Path) -> None:
    def write(**options: Any) -> dict[str, Any]:
        return act(report_files, tmp_path, facts=FACTS, dest="new/report", **options)

    folder = tmp_path / "new" / "report"
    assert write(check=True)["changed"]
    assert not folder.parent.exists()
    result = write()
    assert (result["changed"], result["counts"]) == (True, FACTS["counts"])
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == dict.fromkeys(("report.html", "report.json", "report.md"), 0o644)
    (folder / "report.md").write_text("edited", encoding="utf-8")
    inode = (folder / "report.html").stat().st_ino
    assert write()["changed"]
    assert (folder / "report.html").stat().st_ino == inode
    assert not write()["changed"]


def test_without_a_folder_there_is_a_summary_only(tmp_path: Path) -> None:
    result = act(report_files, tmp_path, facts=FACTS, dest=" ")
    assert (result["changed"], result["summary"][0]) == (False, "# `console.example.com`")
    assert not list(tmp_path.iterdir())


def test_a_link_is_replaced_and_what_it_leads_to_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("hunter2\n", encoding="utf-8")
    (tmp_path / "report.md").symlink_to("outside")
    result = act(report_files, tmp_path, diff=True, facts=FACTS, dest=str(tmp_path))
    assert result["changed"]
    assert "hunter2" not in json.dumps(result["diff"])
    assert not (tmp_path / "report.md").is_symlink()
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "hunter2\n"


@pytest.mark.parametrize(
    ("name", "changed", "done"),
    [("report.html", False, "no file was changed"), ("report.md", True, "1 of 3 files were changed before")],
)
def test_what_cannot_be_written_is_told_beside_the_summary(tmp_path: Path, name: str, changed: bool, done: str) -> None:
    (tmp_path / name / "x").mkdir(parents=True)
    result = act(report_files, tmp_path, facts=FACTS, dest=str(tmp_path))
    assert f"{name} cannot be written: Is a directory; {done}." in result["msg"]
    assert (result["failed"], result["changed"]) == (True, changed)
    assert result["summary"]
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    "facts",
    [{}, {**FACTS, "counts": {}}, {**FACTS, "access": 5}, {**FACTS, "limits": [{"volume": "v"}]}],
    ids=["nothing", "counts", "access", "limits"],
)
def test_what_are_no_facts_is_refused(tmp_path: Path, facts: dict[str, Any]) -> None:
    result = act(report_files, tmp_path, facts=facts, dest=str(tmp_path))
    assert result["msg"] == "facts must be what the filter report_facts returns."
    assert not list(tmp_path.iterdir())
