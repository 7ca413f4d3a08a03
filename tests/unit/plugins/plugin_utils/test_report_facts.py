# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The facts of a report: who may use what, limits and volumes in words, what they never hold; and differences."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report import facts as report


def volume(identity: int, name: Any, **fields: Any) -> dict[str, Any]:
    return {"id": identity, "name": name, "exports": [], "quotas": [], **fields}


HOSTS = {
    "https://console.example.com": "console.example.com",
    "http://10.0.0.1:8080/prefix": "10.0.0.1:8080",
    "https://[::1]:8443": "[::1]:8443",
    "https://me:password@a": "********@a",
    "north": "north",
    "[rome": "[rome",
    "": "",
}


def test_a_console_is_called_by_its_host() -> None:
    assert {url: report.host_of(url) for url in HOSTS} == HOSTS


def test_the_order_of_the_console_does_not_count() -> None:
    odd: Any = "NaN"
    volumes = [volume(3, "b"), volume(1, "B"), volume(2, None), volume(10, "a"), volume(9, "a"), volume(odd, "a")]
    facts = report.build_facts(volumes, [{"name": "b"}])
    assert facts == report.build_facts(volumes[::-1], [{"name": "b"}])
    found = [(entry["volume"], entry["fields"]["id"]) for entry in facts["volumes"]]
    assert found == [("a", 9), ("a", 10), ("a", "NaN"), ("B", 1), ("b", 3), ("id 2", 2)]


def test_no_secret_becomes_a_fact() -> None:
    rules = [{"iprange": "*", "token": "sesame", "readonly": False}]
    exports = [{"id": 1, "desc": "x", "iprange": "*", "token": "sesame"}]
    given = volume(1, "v", bucket="https://me:sesame@v.example.com", access_rules=rules, secret_thing="sesame")
    wanted = {"name": "v", "bucket": "https://me:sesame@w.example.com", "extra_fields": {"secret_thing": "sesame2"}}
    assert "sesame" not in json.dumps(
        report.build_facts([{**given, "exports": exports}], [wanted], [], "https://sesame@c")
    )


@pytest.mark.parametrize(
    ("only", "known", "invalid"),
    [
        (None, [], 3),
        ([], [], 3),
        (["v"], ["v"], 1),
        (["a*", "v", "v"], ["a*", "v"], 2),
        (["a\n", "v"], ["a\\n", "v"], 2),
    ],
    ids=str,
)
def test_facts_tell_which_volumes_and_items_they_are_about(only: Any, known: list[str], invalid: int) -> None:
    items: list[dict[str, Any]] = [{"name": "a\n"}, {"id": 1, "regoin": 1}, {"id": 9, "regoin": 1}]
    facts = report.build_facts([volume(1, "v")], items, only=only)
    assert (facts["only"], facts["counts"]["cannot_be_applied"]) == (known, invalid)


def grouped(*exports: dict[str, Any], rules: Any = None) -> dict[str, list[tuple[str, Any]]]:
    """Return the groups of who may use a volume that are not empty, with kind and key of their entries."""
    groups = report.who_may_use([{"id": 1, "name": "v", "exports": list(exports), "access_rules": rules}])
    return {name: [(entry["kind"], entry.get("key")) for entry in group] for name, group in groups.items() if group}


def test_exports_are_grouped_by_who_may_do_what() -> None:
    assert grouped(
        {"id": 1, "desc": "z", "iprange": "*", "readonly": False},
        {"id": 2, "desc": "a", "iprange": "::/0", "readonly": False, "appendonly": True},
        {"id": 3, "desc": "b", "iprange": "*", "readonly": True},
        {"id": 4, "desc": "c", "iprange": "10.0.0.0/8", "readonly": False},
        {"id": 5, "desc": "d", "iprange": "10.0.0.0/8", "readonly": True},
        {"id": 6, "desc": "e", "iprange": "10.0.0.0/8"},
        {"id": 7, "desc": "", "readonly": True},
    ) == {
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
    assert grouped({"id": 1, "desc": "web", "iprange": "192.168.0.1/24", "readonly": False}, rules=rules) == {
        "open_to_write": [("access_rules", None)],
        "limited_to_write": [("exports", "web")],
        "limited_to_read": [("access_rules", None)],
        "unknown_access": [("access_rules", None)],
    }
    assert grouped(rules=[]) == grouped(rules=None) == {}


GIB = 1 << 30
SIZES: dict[int | None, str] = {
    None: "not shown",
    0: "no size limit",
    1: "1B",
    1000: "1000B",
    1024: "1KiB",
    1536: "1536B",
    10 * GIB: "10GiB",
    1536 << 20: "1536MiB",
    10_000_000_000: "about 9.3GiB",
    12345: "about 12.1KiB",
    (1 << 40) + 1: "about 1.0TiB",
    5000 << 60: "5000EiB",
    (20_000 << 60) + 1: "about 20,000.0EiB",
}


def test_a_size_is_exact_where_that_is_short() -> None:
    assert {size: report.format_size(size) for size in SIZES} == SIZES


def test_limits_are_numbers_and_the_largest_come_first() -> None:
    quotas: list[dict[str, Any]] = [
        {"path": "/small", "size": 1, "inodes": 1_000_000},
        {"path": "/half", "size": 5 * GIB, "inodes": 0},
        {"path": "/none", "size": 0, "inodes": None},
        {"path": "/null", "size": None},
        {"path": "/large", "size": "10GiB"},
        {"path": "/hidden"},
        {"path": "/odd", "size": "much"},
    ]
    volumes: list[dict[str, Any]] = [
        {"name": "without", "quotas": []},
        {"name": "unlimited", "quotas": [{"id": 1, "path": "/", "size": 0}]},
        {"name": "v", "quotas": [{"id": number, **quota} for number, quota in enumerate(quotas)]},
    ]
    most, least = report.limits_of(volumes)
    assert (most["volume"], most["bytes"], most["unlimited"]) == ("v", 15 * GIB + 1, 2)
    assert (least["volume"], least["bytes"], least["unlimited"]) == ("unlimited", 0, 1)
    assert [(quota["path"], quota["bytes"], quota["inodes"]) for quota in most["quotas"]] == [
        ("/none", 0, 0),
        ("/null", 0, None),
        ("/large", 10 * GIB, None),
        ("/half", 5 * GIB, 0),
        ("/small", 1, 1_000_000),
        ("/hidden", None, None),
        ("/odd", None, None),
    ]


BUCKET = "https://v.example.com"


def shown(*quotas: dict[str, Any], exports: Any = (), **fields: Any) -> dict[str, Any]:
    """Return a volume with lists, as volume_info returns it."""
    listed = [{"id": number, **quota} for number, quota in enumerate(quotas, start=1)]
    return {"id": 1, "name": "v", "bucket": BUCKET, "exports": list(exports), "quotas": listed, **fields}


def drift(volumes: list[dict[str, Any]], *items: dict[str, Any], purge: Any = ()) -> dict[str, Any]:
    """Return the non-empty parts of the differences."""
    found: dict[str, Any] = report.build_facts(volumes, items, purge)["drift"]
    return {part: entries for part, entries in found.items() if entries}


def quotas(*keys: str) -> list[dict[str, str]]:
    """Return minimal entries of quotas."""
    return [{"kind": "quotas", "volume": "v", "key": key} for key in keys]


def test_what_no_item_claims_is_left_alone_unless_it_is_purged() -> None:
    w = {"kind": "volumes", "volume": "w"}
    listed = shown({"path": "/b"}, {"path": "/a"}, {"path": ""}, {"path": "/kept", "size": 0})
    given, item = [listed, {**shown(), "id": 2, "name": "w"}], {"name": "v", "quotas": [{"path": "/kept", "size": 0}]}
    assert drift(given, item) == {"unmanaged": [w, *quotas("/a", "/b", "id 3")]}
    purged = drift(given, item, purge=["quotas"])
    assert purged["unmanaged"] == [w]
    assert [entry["key"] for entry in purged["to_delete"]] == ["/a", "/b", "id 3"]


A = {"path": "/a"}
A_LIMITED: dict[str, Any] = {"path": "/a", "size": 1}
INVALID: dict[str, tuple[Any, ...]] = {
    "create-only": ([{**A_LIMITED, "inodes": 5}], {**A, "inodes": 6}, "/a", "inodes is 5, wanted 6"),
    "two of the key": ([A, A], A_LIMITED, "/a", "several quotas with the path '/a': ids 1, 2"),
    "an unknown option": ([A], {**A, "sise": 1}, "/a", "there is no option sise"),
    "an item by its id": ([A], {"id": 1, "size": "x"}, "item 1", "size must be"),
}


@pytest.mark.parametrize(("given", "item", "key", "message"), INVALID.values(), ids=INVALID)
@pytest.mark.parametrize("volume_key", [{"name": "v"}, {"id": 1}])
def test_what_an_invalid_item_may_mean_is_not_purged(
    given: Any, item: Any, key: str, message: str, volume_key: Any
) -> None:
    items = [item, {"path": "/b", "size": 1}]
    found = drift([shown(*given)], {**volume_key, "quotas": items}, purge=["quotas"])
    (problem,) = found.pop("cannot_be_applied")
    assert (problem["kind"], problem["key"]) == ("quotas", key)
    assert message in problem["message"]
    assert set(found) <= {"to_create"}


UNCLAIMED: dict[str, dict[str, Any]] = {
    "another bucket": {"name": "v", "bucket": "https://other.example.com", "quotas": [{"path": "/c", "size": 1}]},
    "an unknown option": {"id": 1, "nam": "v"},
}


@pytest.mark.parametrize("item", UNCLAIMED.values(), ids=UNCLAIMED)
def test_what_an_invalid_item_may_mean_is_neither_deleted_nor_unclaimed(item: dict[str, Any]) -> None:
    assert list(drift([shown({"path": "/a"}, {"path": "/b"})], item, purge=["quotas"])) == ["cannot_be_applied"]


def test_what_is_not_shown_or_masked_is_no_drift() -> None:
    given = shown({"path": "/a"}, {"path": "/b"}, bucket="https://********@v.example.com")
    items = [{"path": "/a", "size": 1}, {"path": "/b", "size": 1}]
    found = drift([given], {"name": "v", "bucket": "https://me:password@v.example.com", "quotas": items})
    sizes, bucket = {"kind": "quotas", "field": "size", "count": 2}, {"kind": "volumes", "field": "bucket", "count": 1}
    assert found == {"not_compared": [sizes, bucket]}
    assert drift([], {"name": "v", "bucket": "https://me:password@v.example.com"}).keys() == {"to_create"}


def test_a_bad_item_hides_what_is_unclaimed_in_its_own_list_only() -> None:
    exports = [{"id": 1, "desc": "x", "iprange": "*"}]
    other = {**shown({"path": "/b"}, exports=exports), "id": 2, "name": "w"}
    items: list[dict[str, Any]] = [{"name": "v", "quotas": [{"path": "a"}], "exports": []}, {"name": "w", "quotas": []}]
    found = drift([shown({"path": "/a"}, exports=exports), other], *items)["unmanaged"]
    assert [(entry["volume"], entry["key"]) for entry in found] == [("v", "x"), ("w", "/b")]


USERS: dict[str, Any] = {"uid": 1000, "size": 1 << 30}
NO_PATH = "the console shows quotas without a usable path (ids 1): they cannot be identified. Correct them there"


@pytest.mark.parametrize("users", [USERS, {**USERS, "path": None}], ids=["absent", "null"])
def test_the_quota_of_a_user_is_ignored_and_an_export_without_a_description_is_not(users: dict[str, Any]) -> None:
    given = shown(users, {"path": "/a", "size": 1}, exports=[{"id": 1, "desc": "x"}, {"id": 2, "desc": None}])
    items = [{"name": "v", "exports": [], "quotas": [{"path": "/a", "size": 1}]}]
    found = report.build_facts([given], items, ["quotas"])
    differing = {part: entries for part, entries in found["drift"].items() if entries}
    unmanaged = [{"kind": "exports", "volume": "v", "key": key} for key in ("id 2", "x")]
    assert differing == {"unmanaged": unmanaged}
    assert found["ignored"] == [{"kind": "quotas", "count": 1}]
    assert [entry["path"] for entry in found["limits"][0]["quotas"]] == ["id 1", "/a"]
    assert [found["counts"][name] for name in ("quotas", "unknown_access")] == [2, 2]


@pytest.mark.parametrize(
    ("items", "purge", "is_reported"),
    [([{"path": "/a", "size": 1}], [], True), ([], ["quotas"], True), ([], [], False)],
    ids=["with an item", "purged", "not read"],
)
def test_a_list_that_no_task_can_read_is_reported_if_one_would_read_it(
    items: Any, purge: Any, is_reported: bool
) -> None:
    problem = {"kind": "quotas", "volume": "v", "message": NO_PATH}
    assert drift([shown(USERS)], {"name": "v", "quotas": items}, purge=purge) == (
        {"cannot_be_applied": [problem]} if is_reported else {}
    )


def test_rotations_are_found_without_a_desired_state_too() -> None:
    exports = [{"id": at, "desc": desc} for at, desc in enumerate(["web", "web (next)", "a (old)", "b", "b (old)"])]
    # No task can read the list of the other one.
    twins = [{"id": 1, "desc": desc} for desc in ("web", "web (next)")]
    found = report.build_facts([volume(2, "u", exports=twins), volume(1, "v", exports=exports)])["rotating"]
    assert found == [{"kind": "exports", "volume": "v", "key": key} for key in ("b (old)", "web (next)")]
