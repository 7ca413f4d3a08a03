# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The facts of a report as a whole: their order, their counts, and what they never hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.managedfs.console.plugins.filter.report_facts import report_facts
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.facts import build_facts, host_of


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
