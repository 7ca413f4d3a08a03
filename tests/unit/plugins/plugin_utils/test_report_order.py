# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The order in which the page of a report shows volumes, what is in them, and their limits."""

from __future__ import annotations

from typing import Any

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report_order import (
    group,
    list_volumes,
    rank_limits,
)


def test_entries_are_grouped_by_volume_regardless_of_letter_case_and_a_volume_comes_first() -> None:
    kinds = [("b", "quotas"), ("A", "access_rules"), ("a", "exports"), ("b", "volumes"), ("A", "quotas")]
    entries = [{"volume": volume, "kind": kind, "number": number} for number, (volume, kind) in enumerate(kinds)]
    found = group([*entries, {"volume": "b", "kind": "quotas", "number": 5}])
    assert [(part["volume"], part["kind"], [entry["number"] for entry in part["entries"]]) for part in found] == [
        ("A", "quotas", [4]),
        ("A", "access_rules", [1]),
        ("a", "exports", [2]),
        ("b", "volumes", [3]),
        ("b", "quotas", [0, 5]),
    ]


def shown(volume: str, exports: int, quotas: int) -> dict[str, Any]:
    return {"volume": volume, "exports": exports, "quotas": quotas}


def test_volumes_have_counts_and_lead_to_the_first_of_their_name() -> None:
    facts = {
        "volumes": [shown("v", 1, 2), shown("W", 0, 3), shown("v", 4, 5)],
        "drift": {
            "to_create": [{"volume": "new"}, {"volume": "v"}],
            "to_update": [{"volume": "v"}],
            "cannot_be_applied": [{"volume": ""}],
            "not_in_desired_state": [{"volume": "W"}],
        },
    }
    assert list_volumes(facts) == [
        {"volume": "new", "differences": 1, "position": None, "exports": 0, "quotas": 0},
        {"volume": "v", "differences": 2, "position": 1, "exports": 5, "quotas": 7},
        {"volume": "W", "differences": 0, "position": 2, "exports": 0, "quotas": 3},
    ]
    assert [each["differences"] for each in list_volumes({**facts, "drift": None})] == [0, 0]


def limits(volume: str, *sizes: int | None) -> dict[str, Any]:
    """Return the limits of a volume as the facts have them: no limit first, then the largest."""
    return {"volume": volume, "quotas": [{"path": f"/{number}", "bytes": size} for number, size in enumerate(sizes)]}


def test_the_largest_sum_comes_first_and_is_the_measure_of_the_others() -> None:
    ranked = rank_limits([limits("small", 1), limits("large", 0, 0, 600, 400), limits("none", 0, None)])
    names = ("volume", "bytes", "sum", "percent", "share", "unlimited")
    assert [tuple(entry[name] for name in names) for entry in ranked] == [
        ("large", 1000, "1000B", 100, 60, 2),
        ("small", 1, "1B", 1, 1, 0),
        ("none", 0, None, None, None, 1),
    ]
    assert [entry["first"] and entry["first"]["path"] for entry in ranked] == ["/2", "/0", None]
    assert rank_limits([]) == []
