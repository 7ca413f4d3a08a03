# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who may use what: which ranges are open to any address, and what is not known."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.facts import access_of, reach_of, who_may_use


@pytest.mark.parametrize(
    ("iprange", "expected"),
    [
        ("*", "any address"),
        (" * ", "any address"),
        ("0.0.0.0/0", "any address"),
        ("10.1.2.3/0", "any address"),
        ("0.0.0.0/0.0.0.0", "any address"),
        ("::/0", "any address"),
        ("::ffff:0:0/96", "any address"),
        ("::/1", "any address"),
        ("0.0.0.0/1", "some addresses"),
        ("8000::/1", "some addresses"),
        ("10.0.0.0/8", "some addresses"),
        ("2001:db8::1", "some addresses"),
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
        ({"readonly": False}, "write"),
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


def volume(*exports: dict[str, Any], rules: Any = None) -> dict[str, Any]:
    """Return a volume with exports and access rules."""
    return {"id": 1, "name": "v", "exports": list(exports), "access_rules": rules}


def grouped(given: dict[str, Any]) -> dict[str, list[tuple[str, Any]]]:
    """Return the groups that are not empty, with kind and key of their entries."""
    groups = who_may_use([given])
    return {name: [(entry["kind"], entry.get("key")) for entry in group] for name, group in groups.items() if group}


def test_exports_are_grouped_by_who_may_do_what() -> None:
    given = volume(
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
    given = volume({"id": 1, "desc": "web", "iprange": "192.168.0.1/24", "readonly": False}, rules=rules)
    assert grouped(given) == {
        "open_to_write": [("access_rules", None)],
        "limited_to_write": [("exports", "web")],
        "limited_to_read": [("access_rules", None)],
    }


@pytest.mark.parametrize("rules", [None, "none", {"iprange": "*"}])
def test_access_rules_that_are_no_list_tell_nothing(rules: Any) -> None:
    assert grouped(volume(rules=rules)) == {}
