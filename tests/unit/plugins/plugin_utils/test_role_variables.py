# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The meaning of a role's variables, and its first step: what they must be together, tags, and where it writes."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ansible import constants

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.variables import (
    Checked,
    _contradictions,
    check,
    check_variables,
)

OPTIONS: dict[str, dict[str, Any]] = {
    "tenant_name": {"type": "str", "required": True},
    "tenant_path": {"type": "path"},
    "tenant_state": {"type": "str", "choices": ["present", "absent", ""], "default": "present"},
    "tenant_size": {"type": "str"},
    "tenant_inodes": {"type": "int"},
    "tenant_iprange": {"type": "str"},
    "tenant_readonly": {"type": "bool"},
    "tenant_groups": {"type": "list", "elements": "str"},
    "tenant_items": {"type": "list", "elements": "dict"},
    "tenant_labels": {"type": "dict"},
}
DAY = dt.date(2026, 11, 22)
MOMENT = dt.datetime(2026, 11, 22, 10, 0, 0)  # noqa: DTZ001


class TaggedInt(int):
    """A number as ansible-core 2.19 and later pass it."""


def read(**variables: Any) -> Checked:
    """Check variables of the role tenant, whose name is given."""
    variables = {"tenant_name": "research", **variables}
    return check_variables("tenant", OPTIONS, variables, variables.__getitem__)


# By option: the given value, and its reading.
TAKEN: dict[str, list[tuple[object, object]]] = {
    "path": [
        *((text, text) for text in ("/a b", "~/$HOME", "'a' and 'b'", "'it''s'", "'", "'a\"", "{{ 1/0 }}")),
        *((quoted, "/a") for quoted in (" /a\t\n", "'/a'", '" /a "')),
        ("'\"/a\"'", '"/a"'),
        ("'010'", "010"),
    ],
    "state": [("'absent'", "absent")],
    "size": [("10GiB", "10GiB"), ("'10 B'", "10 B"), ("0", "0"), (0, "0"), (TaggedInt(0), "0")],
    "inodes": [(0, 0), (TaggedInt(8), 8), (" '8' ", 8), (1.0, 1)],
    "iprange": [("any", "*"), ("'Any'", "*"), ("*", "*"), ("10.0.0.1/8", "10.0.0.1/8")],
    "readonly": [("false", False), ("'yes'", True), (True, True)],
    "groups": [("a, '010' ,,", ["a", "010"]), (["a", "", "' b,c '"], ["a", "b,c"])],
}


@pytest.mark.parametrize(
    ("name", "value", "given"), [(name, *row) for name, rows in TAKEN.items() for row in rows], ids=repr
)
def test_a_value_is_taken_as_it_was_written(name: str, value: object, given: object) -> None:
    checked = read(**{f"tenant_{name}": value})
    assert checked.given == {"name": "research", "state": "present", name: given}
    assert isinstance(checked.given[name], type(given))
    assert checked.warnings == []


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - {"tenant_name"}))
@pytest.mark.parametrize("blank", [None, "", " \t\n"], ids=repr)
def test_a_blank_value_is_unset(name: str, blank: str | None) -> None:
    assert read(**{name: blank}).given == {"name": "research", "state": "present"}


# Values of text that may have been written differently, and what they are told to be.
AMBIGUOUS: list[tuple[object, str]] = [
    *((value, rf"text, but arrived as {value}\..* write '{value}',") for value in (8, 0, 1.1, False, DAY, MOMENT)),
    *((value, r"text, not a list or a dictionary\.$") for value in ({"a": 1}, [["a"]])),
]
NO_UNIT = [1, 8, -1, 1.5, 0.0, False, DAY, [], "8", "00", "1:30", "1_000", "-1", "1.5", "08", "ten", "1 Gb/s"]
NO_DIGITS = [True, "010", "00", "1:30", "1_000", "0x1F", "many", "٣", 1.5, float("inf")]
# By option: names that count as misspellings of it.
MISSPELLED = {
    "tenant_readonly": "tenant_read_only tenant_readOnly Tenant_ReadOnly tenant-readonly tenant_redonly tenant_redony"
    " tenant_readnoly tenant_rexdonly",
    "tenant_name": "tenant_names tenant_nmae",
    "tenant_inodes": "tenant_inode tenant_notes",
    "tenant_size": "tenant_site",
    "tenant_groups": "tenant_group",
    "managedfs_validate_certs": "managedfs_validate_cert",
    "managedfs_access_key": "managedfs_acess_key",
    "managedfs_hosts": "managedfs_host",
}
REFUSED: list[tuple[str, object, str]] = [
    *(("tenant_name", blank, r"^missing required arguments: tenant_name\.$") for blank in (None, "", " ", "''", '" "')),
    *(
        (f"tenant_{name}", value, f"{name} must be {why}")
        for name in ("name", "path", "groups")
        for value, why in AMBIGUOUS
    ),
    *(("tenant_path", value, r"^tenant_path must be text, not a list or a dictionary\.$") for value in (["a"], [])),
    *(("tenant_size", value, "^tenant_size must be a size with a unit, such as 10GiB or 10B") for value in NO_UNIT),
    *(("tenant_inodes", value, r"^tenant_inodes must be a whole number, not [^ ]*\.$") for value in NO_DIGITS),
    ("tenant_inodes", DAY, "^argument 'tenant_inodes' .* cannot be converted to an int"),
    *(
        (
            name,
            "",
            f"^{name} is not a variable of this collection. Did you mean {option}[?] If it is one of your own, choose",
        )
        for option, names in MISSPELLED.items()
        for name in names.split()
    ),
    ("tenant_group", ["a"], "Did you mean tenant_groups[?]"),
    ("tenant_state", False, r"^value of tenant_state must be one of: present, absent, got: False\.$"),
    ("tenant_readonly", "maybe", "^argument 'tenant_readonly' .* 'maybe' is not a valid boolean"),
    ("tenant_items", ["a"], "tenant_items"),
]


@pytest.mark.parametrize(("name", "value", "message"), REFUSED, ids=[f"{row[0]}: {row[1]!r}" for row in REFUSED])
def test_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ConsoleError, match=message):
        read(**{name: value})


def test_other_variables_are_ignored_with_a_warning() -> None:
    # People loop over lists.
    loops: dict[str, Any] = {"tenant_names": ["a", "b"], "tenant_paths": {"a": "/a"}}
    variables = {"tenant_name": "a", "tenant_colour": "red", "managedfs_team": "x", **loops}

    def value_of(name: str) -> str:
        assert name == "tenant_name"
        return "a"

    names = "tenant_colour or tenant_names or tenant_paths or managedfs_team"
    warning = f"No variable of this collection is called {names}. Check its name, unless it is yours."
    assert check_variables("tenant", OPTIONS, variables, value_of).warnings == [warning]


NOT_MENTIONED = "__tenant_given _tenant_readonli tenants tenant managedfs_report managedfs_hosts managedfs_timeout"


def test_what_is_ours_or_has_another_prefix_is_not_mentioned() -> None:
    assert read(**dict.fromkeys(NOT_MENTIONED.split(), "x")).warnings == []
    assert check_variables("apply", {}, {"apply_result": {}}, str).warnings == []


def test_all_mistakes_are_reported_at_once() -> None:
    with pytest.raises(ConsoleError) as caught:
        read(tenant_name=8, tenant_read_only=True, tenant_state="gone", tenant_size=8, tenant_inodes="010")
    expected = [
        "tenant_read_only is not a variable of this collection. ",
        "tenant_name must be text, ",
        "tenant_size must be a size with a unit, ",
        "tenant_inodes must be a whole number, not '010'. ",
        "value of tenant_state must be one of: present, absent, got: gone.",
    ]
    message = str(caught.value)
    assert sorted(map(message.index, expected)) == [message.index(each) for each in expected]
    assert message.endswith(expected[-1])


CONSOLE = "https://c.example.com"
ONE_OF = "One of apply_source and apply_volumes is required, and not both."
IN_CHECK_MODE = "apply_fail_on_changes is for check mode: add --check. Otherwise it fails after the changes are made."
NOT_BOTH = "report_source and report_volumes are mutually exclusive. Set one of them."
NO_STATE = "report_fail_on_drift needs a desired state. Set report_source or report_volumes."
NOTHING = "There is nothing to do for tenant blue: set tenant_size or tenant_inodes for a quota, or tenant_iprange for an export."
NO_TOKEN = "tenant_token_file is set, but there is no token without an export: set tenant_iprange, too."
BLUE = {"name": "blue", "state": "present"}
LEAVING = {"name": "blue", "state": "absent"}

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
    ("tenant", LEAVING, "", False, []),
    ("tenant", {**LEAVING, "token_file": "/t"}, "", False, []),
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
