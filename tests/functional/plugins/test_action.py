# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action desired_state_files: what its result says, and what of its options is refused."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
from ansible.errors import AnsibleActionFail

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_yaml import MARK
from functional.support.actions import run_action

act = functools.partial(run_action, "desired_state_files")


@pytest.mark.parametrize("check", [True, False])
def test_the_result_names_the_files_that_differ_and_counts_the_others(tmp_path: Path, check: bool) -> None:
    volumes = [{"name": name, "region": 1} for name in ("a", "b", "c", "d")]
    act(tmp_path, dest="desired", volumes=volumes)
    before = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "desired").iterdir()}
    volumes = [*volumes[:2], {"name": "c", "region": 2}, {"name": "e", "region": 1}]
    result = act(tmp_path, check=check, dest="desired", volumes=volumes, remove=True)
    assert result == {
        "created": ["e.yml"],
        "updated": ["c.yml"],
        "removed": ["d.yml"],
        "unchanged": 2,
        "changed": True,
        "msg": "files in desired: 1 created, 1 updated, 1 removed, 2 unchanged"
        + check * " (check mode: nothing was written)",
    }
    after = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "desired").iterdir()}
    assert (before == after) is check
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "desired").iterdir()} == {0o644}
    assert check or (sorted(after), after["c.yml"] == before["c.yml"]) == (["a.yml", "b.yml", "c.yml", "e.yml"], False)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("volumes", "done"), [([], "nothing to write"), ([{"name": "a"}], "1 unchanged")])
def test_where_nothing_differs_nothing_is_written(
    tmp_path: Path, check: bool, volumes: list[dict[str, Any]], done: str
) -> None:
    act(tmp_path, dest="desired", volumes=volumes)
    result = act(tmp_path, check=check, dest="desired", volumes=volumes)
    assert (result["changed"], result["msg"]) == (False, f"files in desired: {done}")
    assert (tmp_path / "desired").exists() is bool(volumes)


def test_files_that_are_not_wanted_stay_unless_told_otherwise(tmp_path: Path) -> None:
    act(tmp_path, dest="desired", volumes=[{"name": "a"}])
    assert act(tmp_path, dest="desired", volumes=[{"name": "b"}])["removed"] == []
    assert (tmp_path / "desired" / "a.yml").read_text(encoding="utf-8").startswith(MARK)


def test_the_difference_is_shown_where_it_is_asked_for(tmp_path: Path) -> None:
    shown = act(tmp_path, check=True, diff=True, dest="desired", volumes=[{"name": "a"}])["diff"]
    assert [(diff["before"], diff["after_header"]) for diff in shown] == [("", str(tmp_path / "desired" / "a.yml"))]
    assert "diff" not in act(tmp_path, check=True, dest="desired", volumes=[{"name": "a"}])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dest": " ", "volumes": []}, "dest must be the path of a folder."),
        (
            {"dest": "desired", "volumes": [], "max_removals": "most"},
            "max_removals must be a number of removals, or a share",
        ),
        (
            {"dest": "desired", "volumes": [{"name": "a", "region": float("inf")}]},
            "some volumes are invalid. item 1 ('a'): region must be a whole number, not 'inf'",
        ),
    ],
    ids=["blank folder", "limit", "infinity"],
)
def test_what_is_wrong_is_told_and_nothing_is_written(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    result = act(tmp_path, **options)
    assert (result["failed"], result["changed"]) == (True, False)
    assert message in result["msg"]
    assert not (tmp_path / "desired").exists()


@pytest.mark.parametrize(
    ("action", "missing", "options"),
    [
        ("desired_state_files", "dest", {"volumes": []}),
        ("desired_state_files", "volumes", {"dest": "desired"}),
        ("report_files", "facts", {"dest": "report"}),
        ("check_variables", "role", {}),
    ],
)
def test_what_is_required_is_named(tmp_path: Path, action: str, missing: str, options: dict[str, Any]) -> None:
    with pytest.raises(AnsibleActionFail, match=f"missing required arguments: {missing}"):
        run_action(action, tmp_path, **options)
