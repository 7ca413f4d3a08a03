# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first step of a role: what its variables must be together, which tags select it, and where it writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ansible import constants

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.variables import _contradictions, check

CONSOLE = "https://c.example.com"
ONE_OF = "One of apply_source and apply_volumes is required, and not both."
IN_CHECK_MODE = "apply_fail_on_changes is for check mode. Otherwise it would fail only after the changes are made."
NOT_BOTH = "report_source and report_volumes are mutually exclusive. Set one of them."
NO_STATE = "report_fail_on_drift needs a desired state. Set report_source or report_volumes."
NOTHING = "There is nothing to do for tenant blue: set tenant_size or tenant_inodes for a quota, or tenant_iprange for an export."
NO_TOKEN = "tenant_token_file is set, but there is no token without an export: set tenant_iprange, too."
BLUE = {"name": "blue", "state": "present"}
GONE = {"name": "blue", "state": "absent"}

# The role, its variables, those that are set beside them, whether it is check mode, and what is said.
ROWS: list[tuple[str, dict[str, Any], str, bool, list[str]]] = [
    ("apply", {}, "", False, [ONE_OF]),
    ("apply", {"source": "a"}, "", False, []),
    ("apply", {}, "volumes", False, []),
    ("apply", {"source": "a"}, "volumes", False, [ONE_OF]),
    ("apply", {"source": "a", "fail_on_changes": True}, "", False, [IN_CHECK_MODE]),
    ("apply", {"source": "a", "fail_on_changes": True}, "", True, []),
    ("apply", {"source": "a", "fail_on_changes": False}, "", False, []),
    ("apply", {"fail_on_changes": True}, "", False, [ONE_OF, IN_CHECK_MODE]),
    ("report", {}, "", False, []),
    ("report", {"source": "a"}, "volumes", False, [NOT_BOTH]),
    ("report", {"fail_on_drift": True}, "", False, [NO_STATE]),
    ("report", {"fail_on_drift": False}, "", False, []),
    ("report", {"fail_on_drift": True, "source": "a"}, "", False, []),
    ("report", {"fail_on_drift": True}, "volumes", False, []),
    ("tenant", BLUE, "", False, [NOTHING]),
    ("tenant", {**BLUE, "size": "0"}, "", False, []),
    ("tenant", {**BLUE, "inodes": 0}, "", False, []),
    ("tenant", {**BLUE, "iprange": "*"}, "", False, []),
    ("tenant", {**BLUE, "size": "0", "token_file": "/t"}, "", False, [NO_TOKEN]),
    ("tenant", {**BLUE, "iprange": "*", "token_file": "/t"}, "", False, []),
    ("tenant", GONE, "", False, []),
    ("tenant", {**GONE, "token_file": "/t"}, "", False, []),
    ("capture", {"dest": "a"}, "", False, []),
]


@pytest.mark.parametrize(("role", "given", "beside", "check_mode", "said"), ROWS)
def test_variables_that_contradict_each_other_are_refused(
    role: str, given: dict[str, Any], beside: str, check_mode: bool, said: list[str]
) -> None:
    assert list(_contradictions(role, given, {*given, *beside.split()}, check_mode)) == said


def checked(role: str, folder: Path, tags: str = "always", **variables: Any) -> dict[str, Any]:
    """Return the result of the first step of a role, whose task has these tags, in a playbook of a folder."""
    action = mock.Mock(tags=tags.split(), check_mode=False)
    action.configure_mock(evaluate=lambda value: value, runs_once=lambda: True)
    action.source = lambda given, _variables: (folder / given["source"], given["source"], bytes)
    known = {"playbook_dir": str(folder), "inventory_hostname": "localhost", **variables}
    return check(action, role, None, known)


# The tags of the run, those of the task, and whether they select the role.
SELECTED: dict[str, tuple[list[str], str, bool]] = {
    "no tags are given": (["all"], "always", True),
    "a tag of the role": (["storage"], "always storage", True),
    "another tag": (["network"], "always storage", False),
    "always is nobody's": (["always"], "always", False),
    "all that have tags": (["tagged"], "always storage", True),
    "all that have tags, but the role has none": (["tagged"], "always", False),
    "all that have none": (["untagged"], "always", True),
    "all that have none, but the role has one": (["untagged"], "always storage", False),
}


@pytest.mark.parametrize(("run", "tags", "selected"), SELECTED.values(), ids=SELECTED)
def test_tags_select_a_role(tmp_path: Path, run: list[str], tags: str, selected: bool) -> None:
    found = checked("capture", tmp_path, tags, ansible_run_tags=run, capture_dest="d")
    assert (bool(found["given"]), found["warnings"] == []) == (selected, selected)


@pytest.mark.parametrize(("role", "hint"), [("apply", " To limit it to a volume, set apply_only."), ("tenant", "")])
def test_a_role_without_a_tag_of_the_run_says_that_it_does_nothing(tmp_path: Path, role: str, hint: str) -> None:
    warning = f"{role} does nothing, since none of its tasks has one of the tags a, b.{hint}"
    nothing = {"changed": False, "once": True, "given": {}, "warnings": [warning]}
    assert checked(role, tmp_path, ansible_run_tags=["b", "a"]) == nothing


def test_a_tenant_stays_within_its_bounds(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("name: v\nquotas: [{path: /blue, size: 1GiB}]\n", encoding="utf-8")
    blue = {"tenant_name": "blue", "tenant_volume": "v", "tenant_size": "1TiB"}
    assert checked("tenant", tmp_path, **blue)["names"] == {"path": "/blue", "desc": "blue"}
    with pytest.raises(ConsoleError, match="/blue"):
        checked("tenant", tmp_path, **blue, tenant_source="a.yml")


# The role, its host, and the folder below the one that is given.
FOLDERS = [
    ("capture", "rome", "."),
    ("report", "localhost", "."),
    ("report", "rome", "rome"),
    ("report", "../a b", "%2E.%2Fa%20b"),
]


@pytest.mark.parametrize(("role", "host", "below"), FOLDERS)
def test_reports_of_hosts_have_folders_of_their_own(tmp_path: Path, role: str, host: str, below: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    found = checked(role, tmp_path, inventory_hostname=host, **{f"{role}_dest": "link"})
    assert Path(found["folder"]) == tmp_path / "real" / below


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for role in ("capture", "report"):
        with pytest.raises(ConsoleError, match="file is not a folder that can be written to"):
            checked(role, tmp_path, **{f"{role}_dest": "file/new"})
    assert checked("report", tmp_path, report_summary_file="a.md")["summary_file"] == str(tmp_path / "a.md")
    for name in (".", "nowhere/a.md"):
        with pytest.raises(
            ConsoleError, match=r"report_summary_file .* cannot be written\. Name another file, or create"
        ):
            checked("report", tmp_path, report_summary_file=name)


def test_a_wrong_limit_of_a_capture_is_refused_before_the_console_is_read(tmp_path: Path) -> None:
    with pytest.raises(ConsoleError, match="max_removals must be a number, or a share"):
        checked("capture", tmp_path, capture_dest="d", capture_max_removals="most")


def test_of_a_mistake_in_files_there_is_a_summary_where_it_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(ConsoleError) as caught:
        checked("report", tmp_path, report_source="nowhere", report_summary_file="a.md")
    known = caught.value.details
    assert (known["summary_file"], known["once"]) == (str(tmp_path / "a.md"), True)


def test_items_are_kept_with_their_names_in_a_file_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.yml").write_text("name: a\n", encoding="utf-8")
    (tmp_path / "d" / "console.yml").write_text(f"console: [{CONSOLE}]\n", encoding="utf-8")
    found = checked("apply", tmp_path, apply_source="d", apply_only="a")
    assert found["console"] == {"consoles": [CONSOLE]}
    file = Path(found["volumes_file"])
    assert json.loads(file.read_text(encoding="utf-8")) == [{"name": "a", "_name": "d/a.yml, line 1 ('a')"}]
    assert file.stat().st_mode & 0o777 == 0o600
    assert checked("report", tmp_path, report_source="d")["volumes_file"] == str(file)
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path / "nowhere"))
    with pytest.raises(
        ConsoleError, match=r"What was read cannot be kept in .*: No such file or directory\. Make room"
    ):
        checked("apply", tmp_path, apply_source="d")
