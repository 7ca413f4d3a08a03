# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What differs from a desired state, what cannot be applied, and what no item claims."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.facts import build_facts

BUCKET = "https://v.example.com"


def volume(*quotas: dict[str, Any], exports: Any = (), **fields: Any) -> dict[str, Any]:
    """Return a volume with lists, as volume_info returns it."""
    shown = [{"id": number, **quota} for number, quota in enumerate(quotas, start=1)]
    return {"id": 1, "name": "v", "bucket": BUCKET, "exports": list(exports), "quotas": shown, **fields}


def drift(volumes: list[dict[str, Any]], *items: dict[str, Any], purge: Any = ()) -> dict[str, Any]:
    """Return the parts of what differs that are not empty."""
    found: dict[str, Any] = build_facts(volumes, items, purge)["drift"]
    return {part: entries for part, entries in found.items() if entries}


def quotas(*keys: str) -> list[dict[str, str]]:
    """Return the entries of quotas that are not told more of."""
    return [{"kind": "quotas", "volume": "v", "key": key} for key in keys]


def test_values_that_mean_the_same_do_not_differ() -> None:
    given = volume({"path": "/a", "size": 10 << 30, "inodes": None}, block_size=4096)
    wanted = [{"path": "/a/", "size": "10GiB", "inodes": 0}]
    assert drift([given], {"name": "v", "bucket": f"{BUCKET}/", "block_size": "4096", "quotas": wanted}) == {}


def test_an_update_tells_what_is_and_what_should_be() -> None:
    given = volume({"path": "/a", "size": 1024, "inodes": 5})
    found = drift([given], {"name": "v", "quotas": [{"path": "/a", "size": 2048}]})
    fields = [{"field": "size", "actual": "1KiB", "wanted": "2KiB"}]
    assert found == {"to_update": [{**quotas("/a")[0], "fields": fields}]}


def test_the_lists_of_a_volume_to_come_are_created_with_it() -> None:
    new = {"name": "new", "bucket": BUCKET, "quotas": [{"path": "/a", "size": 1}]}
    found = drift([], new, {"name": "gone", "state": "absent"})
    assert found == {
        "to_create": [
            {"kind": "volumes", "volume": "new", "fields": [{"field": "bucket", "wanted": BUCKET}]},
            {"kind": "quotas", "volume": "new", "key": "/a", "fields": [{"field": "size", "wanted": 1}]},
        ]
    }


def test_a_deleted_volume_tells_what_goes_with_it() -> None:
    found = drift([volume({"path": "/a"}, {"path": "/b"})], {"name": "v", "state": "absent", "quotas": []})
    fields = [{"field": "bucket", "actual": BUCKET}]
    assert found == {"to_delete": [{"kind": "volumes", "volume": "v", "fields": fields, "exports": 0, "quotas": 2}]}


def test_what_no_item_claims_is_left_alone_unless_it_is_purged() -> None:
    w = {"kind": "volumes", "volume": "w"}
    listed = volume({"path": "/b"}, {"path": "/a"}, {"path": ""}, {"path": "/kept", "size": 0})
    given, item = [listed, {**volume(), "id": 2, "name": "w"}], {"name": "v", "quotas": [{"path": "/kept", "size": 0}]}
    assert drift(given, item) == {"not_in_desired_state": [w, *quotas("/a", "/b", "id 3")]}
    purged = drift(given, item, purge=["quotas"])
    assert purged["not_in_desired_state"] == [w]
    assert [entry["key"] for entry in purged["to_delete"]] == ["/a", "/b", "id 3"]


def test_a_list_that_an_item_leaves_out_is_not_compared() -> None:
    assert drift([volume({"path": "/a"})], {"name": "v"}, purge=["quotas"]) == {}


A = {"path": "/a"}
A_LIMITED: dict[str, Any] = {"path": "/a", "size": 1}
INVALID: dict[str, tuple[Any, ...]] = {
    "create-only": ([{**A_LIMITED, "inodes": 5}], {**A, "inodes": 6}, "/a", "inodes is 5, wanted 6"),
    "two of the key": ([A, A], A_LIMITED, "/a", "several quotas with the path '/a': ids 1, 2"),
    "a key that looks the same": ([{"path": "/a "}], A_LIMITED, "/a", "only in white space"),
    "an unknown option": ([A], {**A, "sise": 1}, "/a", "there is no option sise"),
    "an item by its id": ([A], {"id": 1, "size": "x"}, "item 1", "size must be"),
    "none present": ([A, {"path": "/c"}], {**A, "state": "absent"}, "purge", "would delete all that there are: 1"),
}


@pytest.mark.parametrize(("given", "item", "key", "message"), INVALID.values(), ids=INVALID)
@pytest.mark.parametrize("volume_key", [{"name": "v"}, {"id": 1}])
def test_what_an_invalid_item_may_mean_is_not_purged(
    given: Any, item: Any, key: str, message: str, volume_key: Any
) -> None:
    others = [] if key == "purge" else [{"path": "/b", "size": 1}]
    found = drift([volume(*given)], {**volume_key, "quotas": [item, *others]}, purge=["quotas"])
    (problem,) = found.pop("cannot_be_applied")
    assert (problem["kind"], problem["key"]) == ("quotas", key)
    assert message in problem["message"]
    assert set(found) <= {"to_create", "to_delete"}
    assert [entry["key"] for entry in found.get("to_delete", [])] == ([] if key != "purge" else ["/a"])


UNCLAIMED: dict[str, dict[str, Any]] = {
    "a purge of all is refused, by name": {"name": "v", "quotas": []},
    "a purge of all is refused, by id": {"id": 1, "quotas": []},
    "another bucket": {"name": "v", "bucket": "https://other.example.com", "quotas": [{"path": "/c", "size": 1}]},
    "an unknown option": {"id": 1, "nam": "v"},
}


@pytest.mark.parametrize("item", UNCLAIMED.values(), ids=UNCLAIMED)
def test_what_an_invalid_item_may_mean_is_neither_deleted_nor_unclaimed(item: dict[str, Any]) -> None:
    assert list(drift([volume({"path": "/a"}, {"path": "/b"})], item, purge=["quotas"])) == ["cannot_be_applied"]


def test_what_is_not_shown_or_masked_is_no_drift() -> None:
    given = volume({"path": "/a"}, {"path": "/b"}, bucket="https://********@v.example.com")
    items = [{"path": "/a", "size": 1}, {"path": "/b", "size": 1}]
    found = drift([given], {"name": "v", "bucket": "https://me:password@v.example.com", "quotas": items})
    sizes, bucket = {"kind": "quotas", "field": "size", "count": 2}, {"kind": "volumes", "field": "bucket", "count": 1}
    assert found == {"not_compared": [sizes, bucket]}


def test_what_a_mask_does_not_hide_is_compared() -> None:
    given = volume(bucket="https://********@v.example.com")
    found = drift([given], {"name": "v", "bucket": "https://me:password@other.example.com"})
    (problem,) = found["cannot_be_applied"]
    assert "other.example.com" in problem["message"]
    assert "password" not in problem["message"]


def test_volumes_of_one_name_are_told_apart_by_their_ids() -> None:
    volumes = [volume({"path": "/a", "size": 1024}), {**volume({"path": "/a", "size": 1024}), "id": 2}]
    items = [{"name": "v", "id": number, "quotas": [{"path": "/a", "size": 2048}]} for number in (1, 2)]
    found = [(entry["volume"], entry["key"]) for entry in drift(volumes, *items)["to_update"]]
    assert found == [("v (id 1)", "/a"), ("v (id 2)", "/a")]


def test_what_cannot_be_planned_is_named_with_its_volume() -> None:
    given = volume({"path": "/a", "size": 1024, "inodes": 5}, exports=[{"id": 1, "desc": "x", "iprange": "*"}])
    items: list[dict[str, Any]] = [
        {"name": "w", "id": 1},
        {"name": "v", "quotas": [{"path": "/a", "inodes": 6}], "exports": [{"id": 7, "desc": "y"}]},
    ]
    found = drift([given], *items)["cannot_be_applied"]
    named = [(entry["kind"], entry["volume"], entry.get("key")) for entry in found]
    assert named == [("volumes", "w", None), ("exports", "v", "y"), ("quotas", "v", "/a")]


def test_a_bad_item_hides_what_is_unclaimed_in_its_own_list_only() -> None:
    exports = [{"id": 1, "desc": "x", "iprange": "*"}]
    other = {**volume({"path": "/b"}, exports=exports), "id": 2, "name": "w"}
    items: list[dict[str, Any]] = [{"name": "v", "quotas": [{"path": "a"}], "exports": []}, {"name": "w", "quotas": []}]
    found = drift([volume({"path": "/a"}, exports=exports), other], *items)["not_in_desired_state"]
    assert [(entry["volume"], entry["key"]) for entry in found] == [("v", "x"), ("w", "/b")]
