# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Unit tests of the way from records to items: which fields are given, how, and what identifies an item."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.desired_state import to_desired_state

SECRET_URL = "https://me:hunter2@v.example.com"
MASKED_URL = "https://********@v.example.com"


def convert(kind: str, **fields: Any) -> dict[str, Any]:
    """Return the item for one record, without its key."""
    key = {"volumes": "name", "exports": "desc", "quotas": "path"}[kind]
    (item,) = to_desired_state([{"id": 1, key: "/v", **fields}], kind)
    return {name: value for name, value in item.items() if name != key or key in fields}


@pytest.mark.parametrize(
    ("kind", "shown", "expected"),
    [
        ("volumes", {"bucket": "https://a/", "region": 1}, {"bucket": "https://a/", "region": 1}),
        ("volumes", {"bucket": MASKED_URL, "compress": SECRET_URL}, {}),
        ("volumes", {"bucket": "", "compress": " ", "extend": ""}, {"extend": ""}),
        ("volumes", {"bucket": None, "region": None, "extend": None}, {"extend": ""}),
        ("volumes", {"compatible": None}, {"compatible": False}),
        ("volumes", {"compatible": "maybe", "region": "x", "block_size": 1.5}, {}),
        ("volumes", {"compatible": "yes"}, {}),
        ("volumes", {"region": True, "compress": False, "bucket": {"a": 1}, "extend": [1]}, {}),
        ("volumes", {"size": 1, "inodes": 2, "owner": 3, "created": "x", "storage": None, "uuid": "x"}, {}),
        ("volumes", {"access_rules": [{"token": "********"}]}, {}),
        ("exports", {"iprange": "192.168.0.1/24", "token": "********"}, {"iprange": "192.168.0.1/24"}),
        (
            "exports",
            {"iprange": "*", "readonly": True, "apionly": None},
            {"iprange": "*", "readonly": True, "apionly": False},
        ),
        ("exports", {"iprange": "10.0.0.0/255.0.0.0"}, {}),
        ("exports", {"iprange": "nonsense", "appendonly": 7}, {}),
        ("quotas", {"size": 10 << 30, "inodes": 5}, {"size": "10GiB", "inodes": 5}),
        ("quotas", {"size": 1537}, {"size": 1537}),
        ("quotas", {"size": None, "inodes": None}, {"size": 0, "inodes": 0}),
        ("quotas", {"size": -1024, "inodes": -1}, {}),
        ("quotas", {"size": 10**45, "inodes": "x"}, {}),
        ("quotas", {"path": "//home//alice/"}, {"path": "/home/alice"}),
        ("quotas", {"path": "home"}, {"path": "/home"}),
        ("quotas", {"path": ""}, {"path": "/"}),
        ("quotas", {"path": 5}, {"path": "/5"}),
    ],
)
def test_a_field_is_given_as_its_option_takes_it_or_not_at_all(
    kind: str, shown: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert convert(kind, **shown) == expected


@pytest.mark.parametrize(
    ("kind", "keys", "expected"),
    [
        ("exports", ["b", "a"], [{"desc": "a"}, {"desc": "b"}]),
        ("exports", ["a", "a"], [{"desc": "a", "id": 1}, {"desc": "a", "id": 2}]),
        ("exports", ["a", "a "], [{"desc": "a", "id": 1}, {"desc": "a ", "id": 2}]),
        ("exports", ["", None, " ", False, {}], [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}]),
        ("exports", [SECRET_URL, MASKED_URL], [{"id": 1}, {"id": 2}]),
        ("exports", ["a", "A"], [{"desc": "A"}, {"desc": "a"}]),
        ("quotas", ["/a", "/a/", "//a/."], [{"path": "/a", "id": 1}, {"path": "/a", "id": 2}, {"path": "/a", "id": 3}]),
        ("quotas", ["/a /", "/a"], [{"path": "/a", "id": 2}, {"path": "/a ", "id": 1}]),
        ("quotas", ["/a/../b", "/b"], [{"id": 1}, {"path": "/b"}]),
        ("volumes", ["v", "v"], [{"name": "v", "id": 1}, {"name": "v", "id": 2}]),
        ("volumes", [5, "5"], [{"name": "5", "id": 1}, {"name": "5", "id": 2}]),
    ],
)
def test_a_record_that_its_key_does_not_tell_from_others_keeps_its_id(
    kind: str, keys: list[Any], expected: list[dict[str, Any]]
) -> None:
    key = {"volumes": "name", "exports": "desc", "quotas": "path"}[kind]
    records = [{"id": number, key: value} for number, value in enumerate(keys, 1)]
    assert to_desired_state(records, kind) == expected


def test_a_missing_key_is_as_good_as_none() -> None:
    assert to_desired_state([{"id": "7", "iprange": "*"}], "exports") == [{"id": 7, "iprange": "*"}]


def test_the_lists_of_volumes_are_converted_where_they_are_lists_of_records() -> None:
    volumes = [
        {"name": "b", "exports": [], "quotas": [{"id": 1, "path": "/a", "size": 1024}]},
        {"name": "a", "exports": 5, "quotas": ["/a"]},
    ]
    assert to_desired_state(volumes) == [
        {"name": "a"},
        {"name": "b", "exports": [], "quotas": [{"path": "/a", "size": "1KiB"}]},
    ]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([{"path": "/a"}, {"path": "/b"}], [{"path": "/a"}, {"path": "/b"}]),
        ([{"desc": "a", "iprange": "*"}], [{"desc": "a", "iprange": "*"}]),
        ([{"name": "a", "region": 1}], [{"name": "a", "region": 1}]),
        ([{"name": "a", "volume_id": 1}, {"name": "b", "volume_id": 2}], [{"name": "a"}, {"name": "b"}]),
        ([{"path": path, "volume_id": 1} for path in ("/a", "/b")], [{"path": "/a"}, {"path": "/b"}]),
        ([], []),
    ],
)
def test_the_kind_is_inferred(records: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert to_desired_state(records) == expected


@pytest.mark.parametrize(
    "records",
    [[{"path": "/a"}, {"desc": "a"}], [{"path": "/a", "name": "a"}], [{"id": 1}], [{"path": "/a"}, {"id": 1}]],
)
def test_what_does_not_tell_its_kind_is_refused(records: list[dict[str, Any]]) -> None:
    with pytest.raises(ConsoleError, match="Pass kind, such as kind='exports'"):
        to_desired_state(records)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ({"volumes": [], "changed": False}, "not a dictionary. Take its list volumes."),
        ({"id": 1, "name": "v"}, "not a dictionary. Put a single record into a list."),
        ("volumes", "a list of records is required, not str."),
        (None, "a list of records is required, not NoneType."),
        ([{"name": "v"}, "w"], "a list of records is required, and item 2 is str."),
        ([{"desc": "a", "volume_id": 1}, {"desc": "b", "volume_id": 2}], "belong to several volumes: ids 1, 2."),
        ([{"id": "a1", "desc": ""}], "its key is '', which is blank, in use more than once or cannot be given"),
        ([{"desc": "a"}, {"desc": "a"}], "its id is null."),
    ],
)
def test_what_cannot_be_converted_is_refused_with_a_hint(records: Any, expected: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        to_desired_state(records)
    assert expected in str(caught.value)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ConsoleError, match="kind must be one of volumes, exports, quotas, not 'quota'"):
        to_desired_state([], "quota")


def test_items_are_sorted_by_key_then_id_and_those_without_a_key_come_first() -> None:
    records = [
        {"id": 10, "name": "b"},
        {"id": 9, "name": "b"},
        {"id": 7, "name": "a"},
        {"id": 8, "name": " "},
        {"id": 6},
    ]
    assert to_desired_state(records, "volumes") == [
        {"id": 6},
        {"id": 8},
        {"name": "a"},
        {"name": "b", "id": 9},
        {"name": "b", "id": 10},
    ]
