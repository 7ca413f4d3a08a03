# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The meaning of a role's variables: unset, taken as written, refused, misspelled or ignored."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from ansible.errors import AnsibleError

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_variables import Checked, check_variables
from harness.places import CHECKOUT, tracked_files

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


def check(**variables: Any) -> Checked:
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
    "inodes": [(0, 0), (TaggedInt(8), 8), (" '8' ", 8)],
    "iprange": [("any", "*"), ("'Any'", "*"), ("*", "*"), ("10.0.0.1/8", "10.0.0.1/8")],
    "readonly": [("false", False), ("'yes'", True), (True, True)],
    "groups": [("a, '010' ,,", ["a", "010"]), (["a", "", "' b,c '"], ["a", "b,c"])],
}


@pytest.mark.parametrize(
    ("name", "value", "given"), [(name, *row) for name, rows in TAKEN.items() for row in rows], ids=repr
)
def test_a_value_is_taken_as_it_was_written(name: str, value: object, given: object) -> None:
    checked = check(**{f"tenant_{name}": value})
    assert checked.given == {"name": "research", "state": "present", name: given}
    assert type(checked.given[name]) is type(given)
    assert checked.warnings == []


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - {"tenant_name"}))
@pytest.mark.parametrize("blank", [None, "", " \t\n"], ids=repr)
def test_a_blank_value_is_unset(name: str, blank: str | None) -> None:
    assert check(**{name: blank}).given == {"name": "research", "state": "present"}


AS_NUMBER = "arrived as the number {}; ansible-core reads an answer such as {} or {} as a number"
NO_TEXT = "must be text, not a list or a dictionary"
# Values that may have been written differently, and the message.
AMBIGUOUS: list[tuple[object, str]] = [
    (8, AS_NUMBER.format(8, "010", 8)),
    (0, "the number 0"),
    (1.1, AS_NUMBER.format(1.1, "1.10", 1.1)),
    (float("inf"), "the number inf"),
    (False, "arrived as false; ansible-core reads an answer such as no as true or false"),
    (DAY, "the date 2026-11-22"),
    (MOMENT, "the date 2026-11-22 10:00:00"),
    ({"a": 1}, NO_TEXT),
    ([["a"]], NO_TEXT),
]
NO_UNIT = [1, 8, -1, 1.5, 0.0, False, DAY, "8", "00", "1:30", "1_000", "-1", "1.5", "08", "ten", "1 Gb/s"]
NO_DIGITS = [True, -1, "-1", 1.0, DAY, "010", "00", "1:30", "1_000", "0x1F", "1.0", "many", "٣"]
# By option: names that count as misspellings of it.
MISSPELLED = {
    "tenant_readonly": "tenant_read_only tenant_readOnly Tenant_ReadOnly tenant-readonly tenant_redonly tenant_redony"
    " tenant_readnoly tenant_rexdonly",
    "tenant_name": "tenant_names tenant_nmae",
    "tenant_inodes": "tenant_inode",
    "managedfs_validate_certs": "managedfs_validate_cert",
    "managedfs_access_key": "managedfs_acess_key",
    "managedfs_hosts": "managedfs_host",
}
REFUSED: list[tuple[str, object, str]] = [
    *(("tenant_name", blank, r"^tenant_name must be set\.$") for blank in (None, "", " ", "''", '" "')),
    *((f"tenant_{name}", value, f"{name}.*{why}") for name in ("name", "path", "groups") for value, why in AMBIGUOUS),
    *(("tenant_size", value, "tenant_size must be a size with a unit, such as 10GiB or 10B") for value in NO_UNIT),
    *(("tenant_inodes", value, "tenant_inodes must be a whole number in plain digits") for value in NO_DIGITS),
    *(
        (name, "x", f"^{name} is not a variable of the .* Did you mean {option}[?]")
        for option, names in MISSPELLED.items()
        for name in names.split()
    ),
    # The same letters are refused whatever the value, and a list may be a misspelled list.
    *(("tenant_read_only", value, "Did you mean tenant_readonly[?]") for value in ([True], {"a": "b"})),
    ("tenant_group", ["a"], "Did you mean tenant_groups[?]"),
    ("tenant_iprange", "lan", "^tenant_iprange .* any, not 'lan'. Use the address of that host.$"),
    ("tenant_iprange", "10.0.0.0/255.0.0.0", "^tenant_iprange .* any, not '10.0.0.0/255.0.0.0'. Write 10.0.0.0/8.$"),
    ("tenant_state", False, r"^value of tenant_state must be one of: present, absent, got: False\.$"),
    ("tenant_items", ["a"], "tenant_items"),
]


@pytest.mark.parametrize(("name", "value", "message"), REFUSED, ids=[f"{row[0]}: {row[1]!r}" for row in REFUSED])
def test_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ConsoleError, match=message):
        check(**{name: value})


OTHERS: dict[str, object] = {
    "tenant_names": ["a", "b"],
    "tenant_paths": {"a": "/a"},
    "tenant_colour": "red",
    "tenant_site": "north",
    "tenant_stage": "test",
    "tenant_notes": "none",
    "tenant_read_only": "",
    "managedfs_team": "storage",
}


@pytest.mark.parametrize(("name", "value"), OTHERS.items(), ids=OTHERS)
def test_another_variable_is_ignored_with_a_warning(name: str, value: object) -> None:
    (warning,) = check(**{name: value}).warnings
    assert warning.startswith("Ignored, since the ")
    assert warning.endswith(f" has no variable {name}.")


NOT_MENTIONED = "__tenant_given _tenant_readonli tenants tenant managedfs_report managedfs_hosts managedfs_timeout"


def test_what_is_ours_or_has_another_prefix_is_not_mentioned() -> None:
    assert check(**dict.fromkeys(NOT_MENTIONED.split(), "x")).warnings == []


def test_a_misspelled_variable_without_a_value_is_refused() -> None:
    def value_of(name: str) -> str:
        if name == "tenant_read_only":
            raise AnsibleError("'nothing' is undefined")
        return "a"

    with pytest.raises(ConsoleError, match="Did you mean tenant_readonly"):
        check_variables("tenant", OPTIONS, {"tenant_name", "tenant_read_only"}, value_of)


def test_all_mistakes_are_reported_at_once() -> None:
    with pytest.raises(ConsoleError) as caught:
        check(tenant_name=8, tenant_read_only=True, tenant_state="gone", tenant_size=8, tenant_inodes="010")
    expected = (
        "tenant_name must",
        "tenant_read_only is",
        "of tenant_state must be one of",
        "tenant_size",
        "tenant_inodes",
    )
    assert [text for text in expected if text not in str(caught.value)] == []
    assert "must be set" not in str(caught.value)


def test_a_variable_that_is_not_near_an_option_is_not_evaluated() -> None:
    assert check_variables("tenant", OPTIONS, {"tenant_name", "tenant_colour"}, {"tenant_name": "a"}.__getitem__)


def test_dictionaries_and_lists_of_them_are_not_repeated() -> None:
    checked = check(tenant_items=[{"a": 1}], tenant_labels={"a": "secret"})
    assert checked.given == {"name": "research", "state": "present"}
    assert {"items", "labels"} <= checked.names


def test_no_variable_that_the_documentation_names_is_called_unknown() -> None:
    pages = [CHECKOUT / path for path in tracked_files() if path.suffix in (".rst", ".md")]
    named = {name for page in pages for name in re.findall(r"\bmanagedfs_\w*[a-z]", page.read_text(encoding="utf-8"))}
    assert named >= {"managedfs_hosts", "managedfs_in_worker", "managedfs_secret_key", "managedfs_summary"}
    assert check(**dict.fromkeys(named, "x")).warnings == []
