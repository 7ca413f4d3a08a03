# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The facts of a report: who may use what, limits and volumes in words, their order, and what they never hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.facts import (
    access_of,
    build_facts,
    describe_volumes,
    format_size,
    host_of,
    limits_of,
    reach_of,
    who_may_use,
)


def volume(identity: int, name: Any, **fields: Any) -> dict[str, Any]:
    """Return a volume with empty lists."""
    return {"id": identity, "name": name, "exports": [], "quotas": [], **fields}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Console.example.com/api/v1/", "console.example.com"),
        ("http://me:password@10.0.0.1:8080", "10.0.0.1:8080"),
        ("https://[::1]:8443", "[::1]:8443"),
        ("console.example.com", "console.example.com"),
        (" https://a.example.com\n", "a.example.com"),
        ("https://[::1", ""),
        ("", ""),
    ],
)
def test_a_console_is_called_by_its_host(url: str, expected: str) -> None:
    assert host_of(url) == expected


def test_the_order_of_the_console_does_not_count() -> None:
    odd: Any = "NaN"
    volumes = [volume(3, "b"), volume(1, "B"), volume(2, None), volume(10, "a"), volume(9, "a"), volume(odd, "a")]
    facts = build_facts(volumes, [{"name": "b"}])
    assert facts == build_facts(volumes[::-1], [{"name": "b"}])
    assert [(entry["volume"], entry["fields"]["id"]) for entry in facts["volumes"]] == [
        ("a", 9),
        ("a", 10),
        ("a", "NaN"),
        ("B", 1),
        ("b", 3),
        ("id 2", 2),
    ]


def test_no_secret_becomes_a_fact() -> None:
    rules = [{"iprange": "*", "token": "sesame", "readonly": False}]
    exports = [{"id": 1, "desc": "x", "iprange": "*", "token": "sesame"}]
    given = volume(1, "v", bucket="https://me:sesame@v.example.com", access_rules=rules, secret_thing="sesame")
    wanted = {"name": "v", "bucket": "https://me:sesame@w.example.com", "extra_fields": {"secret_thing": "sesame2"}}
    assert "sesame" not in json.dumps(build_facts([{**given, "exports": exports}], [wanted], [], "https://sesame@c"))


def test_without_a_desired_state_nothing_is_compared() -> None:
    facts = report_facts([volume(1, "v")], "")
    assert facts["drift"] is None
    assert facts["counts"]["consoles_compared"] == 0
    assert report_facts([volume(1, "v")], [])["counts"]["not_in_desired_state"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("text",), "the input must be a list of dictionaries"),
        (([1],), "the input must be a list of dictionaries"),
        (([], {"name": "v"}), "desired must be a list of dictionaries"),
        (([], [], "exports"), "purge must be a list of some of exports, quotas"),
        (([], [], ["volumes"]), "purge must be a list of some of exports, quotas"),
        (
            ([{"id": 1, "name": "v", "exports": []}],),
            r"a volume has no quotas\. Take the records of volume_info with gather",
        ),
        (([{"name": "v"}],), "a volume has no id"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        report_facts(*arguments)


@pytest.mark.parametrize(
    ("iprange", "expected"),
    [
        ("*", "any address"),
        ("0.0.0.0/0", "any address"),
        ("10.1.2.3/0", "any address"),
        ("0.0.0.0/0.0.0.0", "any address"),
        ("::/0", "any address"),
        ("::ffff:0:0/96", "any address"),
        ("::/1", "any address"),
        ("0.0.0.0/1", "some addresses"),
        ("10.0.0.0/8", "some addresses"),
        ("0.0.0.0", "some addresses"),
        ("everybody", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
        (0, "unknown"),
        ("0.0.0.0/1, 128.0.0.0/1", "unknown"),
        ("10.0.0.0/8;*", "unknown"),
    ],
)
def test_a_range_is_open_if_it_contains_all_addresses(iprange: Any, expected: str) -> None:
    assert reach_of(iprange) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"readonly": True}, "read"),
        ({"readonly": True, "appendonly": True}, "read"),
        ({"readonly": False, "appendonly": False}, "write"),
        ({"readonly": False, "appendonly": True}, "append"),
        ({"readonly": "false", "appendonly": "1"}, "append"),
        ({}, "unknown"),
        ({"readonly": None}, "unknown"),
        ({"readonly": "perhaps"}, "unknown"),
        ({"appendonly": True}, "unknown"),
    ],
)
def test_what_is_not_shown_is_unknown(fields: dict[str, Any], expected: str) -> None:
    assert access_of(fields) == expected


def shared(*exports: dict[str, Any], rules: Any = None) -> dict[str, Any]:
    """Return a volume with exports and access rules."""
    return {"id": 1, "name": "v", "exports": list(exports), "access_rules": rules}


def grouped(given: dict[str, Any]) -> dict[str, list[tuple[str, Any]]]:
    """Return the groups that are not empty, with kind and key of their entries."""
    groups = who_may_use([given])
    return {name: [(entry["kind"], entry.get("key")) for entry in group] for name, group in groups.items() if group}


def test_exports_are_grouped_by_who_may_do_what() -> None:
    given = shared(
        {"id": 1, "desc": "z", "iprange": "*", "readonly": False},
        {"id": 2, "desc": "a", "iprange": "::/0", "readonly": False, "appendonly": True},
        {"id": 3, "desc": "b", "iprange": "*", "readonly": True},
        {"id": 4, "desc": "c", "iprange": "10.0.0.0/8", "readonly": False},
        {"id": 5, "desc": "d", "iprange": "10.0.0.0/8", "readonly": True},
        {"id": 6, "desc": "e", "iprange": "10.0.0.0/8"},
        {"id": 7, "desc": "", "readonly": True},
    )
    assert grouped(given) == {
        "open_to_write": [("exports", "a"), ("exports", "z")],
        "unknown_access": [("exports", "e"), ("exports", "id 7")],
        "open_to_read": [("exports", "b")],
        "limited_to_write": [("exports", "c")],
        "limited_to_read": [("exports", "d")],
    }


def test_an_access_rule_that_says_what_an_export_says_is_not_repeated() -> None:
    rules = [
        {"iprange": "192.168.0.0/24", "readonly": False, "appendonly": False, "token": "********"},
        {"iprange": "*", "readonly": False},
        {"iprange": "192.168.0.1/24", "readonly": True},
        "not a rule",
    ]
    given = shared({"id": 1, "desc": "web", "iprange": "192.168.0.1/24", "readonly": False}, rules=rules)
    assert grouped(given) == {
        "open_to_write": [("access_rules", None)],
        "limited_to_write": [("exports", "web")],
        "limited_to_read": [("access_rules", None)],
    }


@pytest.mark.parametrize("rules", [None, "none", {"iprange": "*"}])
def test_access_rules_that_are_no_list_tell_nothing(rules: Any) -> None:
    assert grouped(shared(rules=rules)) == {}


GIB = 1 << 30


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, "1B"),
        (1000, "1000B"),
        (1024, "1KiB"),
        (1536, "1536B"),
        (10 * GIB, "10GiB"),
        (1536 << 20, "1536MiB"),
        (10_000_000_000, "about 9.3GiB"),
        (12345, "about 12.1KiB"),
        ((1 << 40) + 1, "about 1.0TiB"),
        (5000 << 60, "5000EiB"),
        ((20_000 << 60) + 1, "about 20,000.0EiB"),
    ],
)
def test_a_size_is_exact_where_that_is_short(size: int, expected: str) -> None:
    assert format_size(size) == expected


def limits(*quotas: dict[str, Any]) -> list[Any]:
    """Return what is told of the quotas of a volume."""
    (volume,) = limits_of([{"id": 1, "name": "v", "quotas": [{"id": 1, **quota} for quota in quotas]}])
    found: list[Any] = volume["quotas"]
    return found


def test_the_largest_limit_is_the_measure_of_the_others() -> None:
    found = limits(
        {"path": "/small", "size": 1},
        {"path": "/half", "size": 5 * GIB},
        {"path": "/none", "size": 0},
        {"path": "/null", "size": None},
        {"path": "/large", "size": 10 * GIB},
        {"path": "/hidden"},
        {"path": "/odd", "size": "much"},
    )
    assert [(quota["path"], quota["size"], quota["percent"]) for quota in found] == [
        ("/none", "no limit", None),
        ("/null", "no limit", None),
        ("/large", "10GiB", 100),
        ("/half", "5GiB", 50),
        ("/small", "1B", 1),
        ("/hidden", "not shown", None),
        ("/odd", "not shown", None),
    ]


@pytest.mark.parametrize(
    ("quota", "expected"),
    [
        ({"inodes": 1_000_000}, "1,000,000"),
        ({"inodes": 0}, "no limit"),
        ({"inodes": None}, "no limit"),
        ({}, "not shown"),
    ],
)
def test_inodes_are_told_as_a_number(quota: dict[str, Any], expected: str) -> None:
    assert limits({"path": "/a", **quota})[0]["inodes"] == expected


@pytest.mark.parametrize(("sizes", "largest"), [([0, GIB, 2 * GIB], "2GiB"), ([0, None], None)])
def test_the_largest_limit_is_none_where_there_is_no_limit(sizes: list[Any], largest: str | None) -> None:
    quotas = [{"id": number, "path": f"/{number}", "size": size} for number, size in enumerate(sizes)]
    assert limits_of([{"id": 1, "name": "v", "quotas": quotas}])[0]["largest"] == largest


def test_a_volume_without_quotas_has_no_limits() -> None:
    assert limits_of([{"id": 1, "name": "v", "quotas": []}]) == []


def test_of_a_volume_the_documented_fields_are_told_that_are_shown() -> None:
    volume = {
        "id": 7,
        "name": "v",
        "bucket": "",
        "region": 1,
        "compatible": False,
        "access_rules": [],
        "storage": None,
        "uuid": "1234",
        "exports": [{}],
        "quotas": [{}, {}],
    }
    assert describe_volumes([volume]) == [
        {"volume": "v", "exports": 1, "quotas": 2, "fields": {"id": 7, "region": 1, "compatible": False}}
    ]
