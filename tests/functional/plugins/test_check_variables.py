# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first action of a role: what it returns for variables, tags and files, and what it says about mistakes in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible import constants

from ansible_collections.managedfs.console.plugins.action import check_variables
from functional.support.actions import act
from harness.places import CHECKOUT, tracked_files

Check = Callable[..., dict[str, Any]]
TENANT = {"tenant_name": "red", "tenant_volume": "v", "tenant_size": "1GiB"}


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return a function that checks the variables of a role, with a folder for what is kept."""
    (tmp_path / "kept").mkdir()
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path / "kept"))

    def check(role: str, variables: dict[str, Any], **more: Any) -> dict[str, Any]:
        variables = {"inventory_hostname": "a", "omit": "__omit", **variables}
        result = act(check_variables, tmp_path, role=role, variables=variables, **more)
        assert result["changed"] is False
        return {name: value for name, value in result.items() if name not in ("changed", "invocation")}

    return check


GIVEN: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "apply": ("apply", {"apply_volumes": [{"name": "v"}]}, {"console": {}}),
    "report": ("report", {"report_dest": "FOLDER/r"}, {"console": {}, "subfolder": "a", "folder": "FOLDER/r/a"}),
    "report without files": ("report", {}, {"console": {}}),
    "capture": ("capture", {"capture_dest": "d"}, {"folder": "FOLDER/d"}),
    "summary": (
        "apply",
        {"apply_volumes": [{"name": "v"}], "apply_summary_file": "s.md"},
        {"console": {}, "summary_file": "FOLDER/s.md"},
    ),
    "tenant": ("tenant", TENANT, {"names": {"path": "/red", "desc": "red"}}),
    "tenant beside files": (
        "tenant",
        {**TENANT, "tenant_volume": "w", "tenant_source": "desired"},
        {"names": {"path": "/red", "desc": "red"}},
    ),
    "validate": ("validate", {"validate_source": "desired"}, {}),
}


@pytest.mark.parametrize(("role", "variables", "derived"), GIVEN.values(), ids=GIVEN)
def test_a_role_gets_what_follows_from_its_variables(
    check: Check, tmp_path: Path, role: str, variables: dict[str, Any], derived: dict[str, Any]
) -> None:
    (tmp_path / "desired").mkdir()
    (tmp_path / "desired" / "a.yml").write_text("name: v\nquotas: [{path: /red}]\n", encoding="utf-8")
    fill = json.loads(json.dumps([variables, derived]).replace("FOLDER", str(tmp_path)))
    result = check(role, fill[0])
    assert result.pop("given").keys() >= {name.removeprefix(f"{role}_") for name in variables} - {"volumes"}
    assert result == {"warnings": [], "once": True, **fill[1]}
    assert list((tmp_path / "kept").iterdir()) == []


def test_an_omitted_variable_is_not_set(check: Check) -> None:
    given = check("tenant", {**TENANT, "tenant_inodes": "__omit", "tenant_readonly": None})["given"]
    assert given == {"name": "red", "volume": "v", "size": "1GiB", "state": "present", "must_exist": False}


def test_no_variable_that_the_documentation_names_is_called_unknown(check: Check) -> None:
    pages = [CHECKOUT / path for path in tracked_files() if path.suffix in (".rst", ".md")]
    named = {name for page in pages for name in re.findall(r"\bmanagedfs_\w*[a-z]", page.read_text(encoding="utf-8"))}
    assert named >= {"managedfs_hosts", "managedfs_in_worker", "managedfs_secret_key", "managedfs_summary"}
    assert check("tenant", {**TENANT, **dict.fromkeys(named, "x")})["warnings"] == []


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "together": ("apply", {}, "One of apply_source and apply_volumes is required, and not both."),
    "out of bounds": (
        "tenant",
        {**TENANT, "tenant_path": "/x", "tenant_path_prefix": "/teams"},
        "tenant_path must be a directory below /teams, not /x.",
    ),
    "part of the desired state": (
        "tenant",
        {**TENANT, "tenant_source": "a.yml"},
        "quota /red of volume v is part of the desired state in tenant_source.",
    ),
}


@pytest.mark.parametrize(("role", "variables", "message"), WRONG.values(), ids=WRONG)
def test_a_mistake_ends_a_role_for_each_host_or_for_all(
    check: Check, tmp_path: Path, role: str, variables: dict[str, Any], message: str
) -> None:
    (tmp_path / "a.yml").write_text("name: v\nquotas: [{path: /red}]\n", encoding="utf-8")
    for strategy, once in (("linear", True), ("free", False)):
        result = check(role, variables, strategy=strategy)
        assert (result["failed"], result["once"]) == (True, once)
        assert message in result["msg"]


def test_what_files_say_is_kept_for_the_user_alone(check: Check, tmp_path: Path) -> None:
    folder = tmp_path / "desired"
    folder.mkdir()
    (folder / "a.yml").write_text("name: v\n", encoding="utf-8")
    (folder / "console.yml").write_text("console: [https://c.example.com]\n", encoding="utf-8")
    result = check("apply", {"apply_source": "desired"})
    assert result["console"] == {"consoles": ["https://c.example.com"]}
    kept = Path(result["volumes_file"])
    assert kept.parent == tmp_path / "kept"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_bytes()) == [{"name": "v", "source": "desired/a.yml"}]
    # Another host, with the same files.
    assert check("apply", {"apply_source": "desired"})["volumes_file"] == str(kept)


def test_a_mistake_in_a_file_comes_with_where_the_summary_goes(check: Check, tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("name: v\nregion: x\n", encoding="utf-8")
    result = check("apply", {"apply_source": "a.yml", "apply_summary_file": "s.md"})
    assert result["failed"]
    assert "region must be a whole number" in result["msg"]
    assert result["given"]["source"] == "a.yml"
    assert (result["summary_file"], result["once"]) == (str(tmp_path / "s.md"), True)


def test_a_full_disk_is_reported(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yml").write_text("name: v\n", encoding="utf-8")
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path / "nowhere"))
    result = check("report", {"report_source": "a.yml"})
    assert result["failed"]
    assert result["msg"].startswith(
        f"What was read cannot be kept in {tmp_path / 'nowhere'}: No such file or directory."
    )


TAGGED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no volumes": ({}, []),
    "items": ({"apply_volumes": [{"id": 5}, {"name": "v"}]}, ["v"]),
    "files": ({"apply_source": "a.yml"}, ["w"]),
    "files that cannot be read": ({"apply_source": "nowhere"}, []),
}


@pytest.mark.parametrize(("variables", "names"), TAGGED.values(), ids=TAGGED)
def test_a_run_with_other_tags_does_nothing_and_a_volume_is_no_tag(
    check: Check, tmp_path: Path, variables: dict[str, Any], names: list[str]
) -> None:
    (tmp_path / "a.yml").write_text("name: w\n", encoding="utf-8")
    for tag in ("v", "w"):
        result = check("apply", {**variables, "ansible_run_tags": [tag]}, tags=["always", "storage"])
        if tag in names:
            assert result["failed"]
            assert result["msg"].startswith(f"Nothing was done: '{tag}' is a volume, and no tag.")
        else:
            warning = f"The role apply does nothing, since none of its tasks has one of the tags {tag}."
            assert result == {"given": {}, "warnings": [warning]}
    selected = {"apply_volumes": [{"name": "v"}], "ansible_run_tags": ["storage"]}
    assert check("apply", selected, tags=["always", "storage"])["once"]
