# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Desired states: records of a console as items, and items as YAML in files."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from ansible.errors import AnsibleFilterError

from ansible_collections.managedfs.console.plugins.filter.to_desired_state import to_desired_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import file_name
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.yaml_text import parse_yaml, to_yaml

SECRET_URL = "https://me:hunter2@v.example.com"
MASKED_URL = "https://********@v.example.com"
KEYS = {"volumes": "name", "exports": "desc", "quotas": "path"}
PATHS = {"//home//alice/": "/home/alice", "home": "/home", "": "/", 5: "/5"}


def convert(kind: str, **fields: Any) -> dict[str, Any]:
    key = KEYS[kind]
    (item,) = to_desired_state([{"id": 1, key: "/v", **fields}], kind)
    return {name: value for name, value in item.items() if name != key or key in fields}


KEPT: dict[str, list[dict[str, Any]]] = {
    "volumes": [{"bucket": "https://a/", "region": 1}, {"extend": ""}, {"compatible": False}],
    "exports": [{"iprange": "192.168.0.1/24"}, {"iprange": "*", "readonly": True, "apionly": False}],
    "quotas": [{"size": 1537}, {"size": 0, "inodes": 5}, {"path": "/home"}],
}
LEFT_OUT: dict[str, list[dict[str, Any]]] = {
    "volumes": [
        {"bucket": MASKED_URL, "compress": SECRET_URL},
        {"compatible": "maybe", "region": "x", "block_size": 1.5},
        {"compatible": "yes", "bucket": None, "region": None},
        {"region": True, "compress": False, "bucket": {"a": 1}, "extend": [1]},
        {"bucket": "", "compress": " "},
        {"size": 1, "inodes": 2, "owner": 3, "created": "x", "storage": None, "uuid": "x"},
        {"access_rules": [{"token": "********"}]},
        # Keys of other kinds.
        {"desc": "web", "path": "/"},
    ],
    "exports": [{"iprange": "10.0.0.0/255.0.0.0", "token": "********"}, {"iprange": "nonsense", "appendonly": 7}],
    "quotas": [{"size": -1024, "inodes": -1}, {"size": 10**45, "inodes": "x"}],
}


@pytest.mark.parametrize("kind", KEPT)
def test_a_field_is_given_as_its_option_takes_it_or_not_at_all(kind: str) -> None:
    assert [convert(kind, **fields) for fields in KEPT[kind]] == KEPT[kind]
    assert [fields for fields in LEFT_OUT[kind] if convert(kind, **fields)] == []


@pytest.mark.parametrize(
    ("kind", "shown", "expected"),
    [
        ("volumes", {"extend": None, "compatible": None}, {"extend": "", "compatible": False}),
        ("exports", {"apionly": None}, {"apionly": False}),
        ("quotas", {"size": 10 << 30}, {"size": "10GiB"}),
        ("quotas", {"size": None, "inodes": None}, {"size": 0, "inodes": 0}),
        *(("quotas", {"path": path}, {"path": as_option}) for path, as_option in PATHS.items()),
    ],
)
def test_a_field_is_given_in_the_form_of_its_option(kind: str, shown: dict[str, Any], expected: dict[str, Any]) -> None:
    assert convert(kind, **shown) == expected


@pytest.mark.parametrize(
    ("kind", "keys", "expected"),
    [
        ("exports", ["b", "a"], [{"desc": "a"}, {"desc": "b"}]),
        ("exports", ["a", "a"], [{"desc": "a", "id": 1}, {"desc": "a", "id": 2}]),
        ("exports", ["a", "a "], [{"desc": "a"}, {"desc": "a "}]),
        ("exports", ["", " ", False, {}], [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]),
        ("exports", [None, None], [{"id": 1}, {"id": 2}]),
        ("exports", [None, "a", None, ""], [{"id": 1}, {"id": 3}, {"id": 4}, {"desc": "a"}]),
        ("quotas", [None, "/a", None], [{"path": "/a"}]),
        ("volumes", [None, "a"], [{"id": 1}, {"name": "a"}]),
        ("exports", [SECRET_URL, MASKED_URL], [{"id": 1}, {"id": 2}]),
        ("exports", ["a\0b"], [{"id": 1}]),
        ("exports", ["a", "A"], [{"desc": "A"}, {"desc": "a"}]),
        ("quotas", ["/a", "/a/", "//a/."], [{"path": "/a", "id": 1}, {"path": "/a", "id": 2}, {"path": "/a", "id": 3}]),
        ("quotas", ["/a /", "/a"], [{"path": "/a"}, {"path": "/a "}]),
        ("quotas", ["/a/../b", "/b"], [{"id": 1}, {"path": "/b"}]),
        ("volumes", ["v", "v"], [{"name": "v", "id": 1}, {"name": "v", "id": 2}]),
        ("volumes", [5, "5"], [{"name": "5", "id": 1}, {"name": "5", "id": 2}]),
    ],
)
def test_what_its_key_does_not_identify_keeps_its_id(
    kind: str, keys: list[Any], expected: list[dict[str, Any]]
) -> None:
    records = [{"id": number, KEYS[kind]: value} for number, value in enumerate(keys, 1)]
    assert to_desired_state(records, kind) == expected


def test_the_lists_of_volumes_are_converted_where_they_are_lists_of_records() -> None:
    b = {"name": "b", "exports": [], "quotas": [{"id": 1, "path": "/a", "size": 1024}]}
    as_item = {"name": "b", "exports": [], "quotas": [{"path": "/a", "size": "1KiB"}]}
    assert to_desired_state([b, {"name": "a", "exports": 5, "quotas": ["/a"]}]) == [{"name": "a"}, as_item]


def test_the_kind_is_inferred() -> None:
    exports, quotas = [{"desc": "a", "iprange": "*"}], [{"path": "/a"}, {"path": "/b"}]
    lists: list[Any] = [quotas, exports, [{"name": "a", "region": 1}], []]
    assert [to_desired_state(records) for records in lists] == lists
    volumes = [{"name": "a", "volume_id": 1}, {"name": "b", "volume_id": 2}]
    assert to_desired_state(volumes) == [{"name": "a"}, {"name": "b"}]
    assert to_desired_state([{**quota, "volume_id": 1} for quota in quotas]) == quotas
    for other in ({"id": 7, "uid": 1000}, {"id": 7, "path": None}):
        assert to_desired_state([other, *quotas]) == quotas


NO_KIND = [[{"path": "/a"}, {"desc": "a"}], [{"path": "/a", "name": "a"}], [{"id": 1}], [{"desc": "a"}, {"name": "a"}]]


@pytest.mark.parametrize("records", NO_KIND)
def test_what_does_not_tell_its_kind_is_refused(records: list[dict[str, Any]]) -> None:
    with pytest.raises(AnsibleFilterError, match="Pass kind, such as kind='exports'"):
        to_desired_state(records)


NO_LIST = "a list of records is required, such as volumes in the result of volume_info."


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ({"volumes": [], "changed": False}, NO_LIST),
        ({"id": 1, "name": "v"}, NO_LIST),
        ("volumes", NO_LIST),
        (None, NO_LIST),
        ([{"name": "v"}, "w"], NO_LIST),
        ([{"desc": "a", "volume_id": 1}, {"desc": "b", "volume_id": 2}], "belong to several volumes: ids 1, 2."),
        ([{"id": "a1", "desc": ""}], "its key is '', which is blank, in use more than once or cannot be given"),
        ([{"desc": "a"}, {"desc": "a"}], "its id is null."),
    ],
)
def test_what_cannot_be_converted_is_refused_with_a_hint(records: Any, expected: str) -> None:
    with pytest.raises(AnsibleFilterError) as caught:
        to_desired_state(records)
    assert expected in str(caught.value)


def test_items_are_sorted_by_key_then_id_and_those_without_a_key_come_first() -> None:
    named = [{"id": number, "name": name} for number, name in ((10, "b"), (9, "b"), (7, "a"), (8, " "))]
    items = [{"id": 6}, {"id": 8}, {"name": "a"}, {"name": "b", "id": 9}, {"name": "b", "id": 10}]
    assert to_desired_state([*named, {"id": 6}], "volumes") == items
    assert to_desired_state([{"id": "7", "iprange": "*"}], "exports") == [{"id": 7, "iprange": "*"}]


# fmt: off
TEXTS = [
    "plain", "two words", "a-b", "-a", "/home/alice", "192.168.0.0/24", "2001:db8::/64", "*", "https://a.b/", "10GiB",
    "", " ", "a ", " a", "a  b", "on", "Yes", "null", "~", "12", "1.0", "0x1f", "1_000", "1:30", "2026-01-01", "=",
    "<<", "{{ 1/0 }}", "{% x %}", "{a}", "[a]", "a: b", "a #b", "#a", "&a", "!a", "%a", "@a", "`a`", "'a'", '"a"',
    "\\", "a,b", "\n", "a\nb", "\r\n", "\t", "\x00", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff", "\u202e", "ü",
    "日本", "😀", "---", "...", "a:", ":a", "-", "yes", "10:20", "2001:db8::1",
    "1e3", "7E-10", "1.5e3", "1.e+3", ".5e3", "-1e3", "0o17", "0x1F", "08", "5.", ".inf", "-.Inf", ".nan", "1e3m", "0o8",
]
# fmt: on
# The numbers of YAML 1.2, in its core schema. PyYAML knows those of 1.1.
NUMBER = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)


FILE_NAMES = {
    "projects": "projects.yml",
    "a.b_c-1": "a.b_c-1.yml",
    "a" * 100: "a" * 100 + ".yml",
    "a" * 101: "a" * 60 + "~9d0793397991.yml",
    "Projects": "projects~04e2a9728af7.yml",
    "nul": "nul~99e624275901.yml",
    "com1.txt": "com1-txt~b707e3c635c2.yml",
    "../../etc/passwd": "etc-passwd~3754d6cb3a38.yml",
    "...": "volume~ab5df625bc76.yml",
    "Jürgen's": "jurgen-s~fb59b6d6ee6c.yml",
}


def test_file_names() -> None:
    assert {name: file_name({"name": name}) for name in FILE_NAMES} == FILE_NAMES
    assert file_name({"name": "projects", "id": 7}) == "projects~id7.yml"
    assert file_name({"id": 7}) == "volume~id7.yml"
    assert file_name({"name": f"a{chr(0x300) * 4096}b"}).startswith("a~")


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    item = {"name": text, "extra_fields": {text: [text]}, "quotas": [{"path": text}]}
    written = to_yaml(item)
    assert parse_yaml(written) == item
    # Other tools read it in the same way.
    assert yaml.safe_load(written) == item
    scalars = (event for event in yaml.parse(written) if isinstance(event, yaml.ScalarEvent))
    assert [scalar.value for scalar in scalars if scalar.implicit[0] and NUMBER.fullmatch(scalar.value)] == []
    assert len(written.splitlines()) == 7
    assert "\x1b" not in written
