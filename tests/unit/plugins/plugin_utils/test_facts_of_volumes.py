# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits and volumes: in which words and in which order they are told."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.facts import (
    describe_volumes,
    format_size,
    limits_of,
)

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
