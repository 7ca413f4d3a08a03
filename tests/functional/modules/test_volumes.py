# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module volumes: volumes with their exports and quotas, as one document."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run

BUCKET = "https://v.example.com"
NOTHING: dict[str, Any] = {"created": [], "updated": [], "deleted": [], "unchanged": 0}
# A document with something of everything, for the console that `console_with_something` returns.
DOCUMENT: list[dict[str, Any]] = [
    {
        "name": "v",
        "exports": [{"desc": "web", "iprange": "10.0.0.0/8"}, {"desc": "db", "iprange": "*", "readonly": True}],
        "quotas": [
            {"path": "/same", "size": 5},
            {"path": "/other", "size": "1K"},
            {"path": "/gone", "state": "absent"},
        ],
    },
    {"name": "new", "bucket": BUCKET, "quotas": [{"path": "/a", "size": 1}, {"path": "/b", "inodes": 2}]},
    {"name": "scratch", "state": "absent", "quotas": [{"path": "/ignored", "size": 1}]},
    {"name": "never", "state": "absent"},
    {"name": "left", "bucket": BUCKET},
]


@pytest.fixture
def console_with_something(emulator: Emulator, volume: int) -> Emulator:
    """Return a console with volumes v, scratch, left and bystander."""
    emulator.add_export(volume, desc="web", iprange="192.168.0.0/16")
    emulator.add_quota(volume, path="/same", size=5)
    emulator.add_quota(volume, path="/other", size=5)
    emulator.add_quota(volume, path="/gone", size=5)
    scratch = emulator.add_volume(name="scratch", bucket=BUCKET)
    emulator.add_quota(scratch, path="/tmp", size=5)
    left = emulator.add_volume(name="left", bucket=BUCKET)
    emulator.add_quota(left, path="/kept", size=5)
    emulator.add_volume(name="bystander", bucket=BUCKET)
    return emulator


def contents(emulator: Emulator) -> dict[str, Any]:
    """Return what is truly on a console: by volume, the exports and quotas without their ids and tokens."""

    def fields(records: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
        return sorted(tuple(record[name] for name in names) for record in records)

    return {
        volume["name"]: {
            "exports": fields(emulator.exports(volume["id"]), "desc", "iprange", "readonly"),
            "quotas": fields(emulator.quotas(volume["id"]), "path", "size", "inodes"),
        }
        for volume in emulator.volumes()
    }


def test_a_document_is_one_plan(run: Run, console_with_something: Emulator) -> None:
    emulator = console_with_something
    result = run("volumes", volumes=DOCUMENT)
    assert contents(emulator) == {
        "v": {
            "exports": [("db", "*", True), ("web", "10.0.0.0/8", False)],
            "quotas": [("/other", 1024, 0), ("/same", 5, 0)],
        },
        "new": {"exports": [], "quotas": [("/a", 1, 0), ("/b", 0, 2)]},
        "left": {"exports": [], "quotas": [("/kept", 5, 0)]},
        "bystander": {"exports": [], "quotas": []},
    }
    assert result["changed"]
    assert result["volumes"] == {**NOTHING, "created": ["new"], "deleted": ["scratch"], "unchanged": 3}
    assert result["exports"] == {**NOTHING, "created": ["v: db"], "updated": ["v: web"]}
    assert result["quotas"] == {
        "created": ["new: /a", "new: /b"],
        "updated": ["v: /other"],
        "deleted": ["v: /gone"],
        "unchanged": 1,
    }
    assert result["errors"] == []
    assert result["counts"]["quotas"] == {"created": 2, "updated": 1, "deleted": 1, "unchanged": 1, "failed": 0}
    assert result["msg"] == (
        "volumes: 1 created, 1 deleted, 3 unchanged; exports: 1 created, 1 updated;"
        " quotas: 2 created, 1 updated, 1 deleted, 1 unchanged"
    )
    assert result["diff"]["before"] == {
        "v": {
            "exports": {"web": {"iprange": "192.168.0.0/16"}},
            "quotas": {"/other": {"size": 5}, "/gone": {"path": "/gone", "size": 5, "inodes": 0}},
        },
        "scratch": {**dict(result["diff"]["before"]["scratch"]), "exports": [], "quotas": ["/tmp"]},
    }
    assert result["diff"]["after"] == {
        "v": {
            "exports": {
                "web": {"iprange": "10.0.0.0/8"},
                "db": {"desc": "db", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False},
            },
            "quotas": {"/other": {"size": "1KiB"}},
        },
        "new": {
            "name": "new",
            "bucket": BUCKET,
            "quotas": {"/a": {"path": "/a", "size": 1}, "/b": {"path": "/b", "inodes": 2}},
        },
    }


@pytest.mark.promise("check-mode-predicts")
def test_check_mode_predicts_what_then_happens(run: Run, console_with_something: Emulator) -> None:
    predicted = run("volumes", volumes=DOCUMENT, check=True)
    assert not console_with_something.writes
    done = run("volumes", volumes=DOCUMENT)
    for key in ("changed", "diff", "volumes", "exports", "quotas", "errors", "counts"):
        assert predicted[key] == done[key], key
    assert predicted["msg"] == done["msg"] + " (check mode: nothing was written)"
    again = run("volumes", volumes=DOCUMENT)
    assert not again["changed"]
    assert (again["diff"]["before"], again["diff"]["after"]) == ({}, {})


def test_an_unchanged_document_takes_one_request_for_each_list(run: Run, emulator: Emulator) -> None:
    items = []
    for number in range(3):
        volume = emulator.add_volume(name=f"v{number}", bucket=BUCKET)
        emulator.add_export(volume, desc="web", iprange="*")
        emulator.add_quota(volume, path="/a", size=5)
        items.append(
            {"name": f"v{number}", "exports": [{"desc": "web", "iprange": "*"}], "quotas": [{"path": "/a", "size": 5}]}
        )
    result = run("volumes", volumes=items)
    assert result["msg"] == "volumes: 3 unchanged; exports: 3 unchanged; quotas: 3 unchanged"
    assert len(emulator.requests) == 1 + 2 * 3


def test_a_list_that_is_left_out_is_neither_read_nor_purged(run: Run, console_with_something: Emulator) -> None:
    run("volumes", volumes=[{"name": "v", "quotas": [{"path": "/same", "size": 5}]}], purge=["exports", "quotas"])
    assert contents(console_with_something)["v"] == {
        "exports": [("web", "192.168.0.0/16", False)],
        "quotas": [("/same", 5, 0)],
    }
    assert not [request for request in console_with_something.requests if "exports" in request.path]


@pytest.mark.usefixtures("console_with_something")
def test_a_purge_of_one_kind_leaves_the_other_alone(run: Run) -> None:
    items = [{"name": "v", "exports": [{"desc": "new", "iprange": "*"}], "quotas": [{"path": "/same", "size": 5}]}]
    result = run("volumes", volumes=items, purge=["quotas"])
    assert result["quotas"]["deleted"] == ["v: /other", "v: /gone"]
    assert result["exports"]["deleted"] == []


@pytest.mark.parametrize(("items", "purged"), [([], 3), ([{"path": "/same", "state": "absent"}], 2)])
@pytest.mark.parametrize("check", [True, False])
def test_a_purge_that_would_empty_a_list_is_refused(
    run: Run, console_with_something: Emulator, items: list[dict[str, Any]], purged: int, check: bool
) -> None:
    result = run("volumes", volumes=[{"name": "v", "quotas": items}], purge=["quotas"], check=check)
    assert result["msg"] == (
        "Nothing was changed: some items are invalid. quotas of volume 'v': no item is present, so purge"
        f" would delete all that there are: {purged}. Leave the list out, or name each record to be deleted, with state absent."
    )
    assert not console_with_something.writes


@pytest.mark.usefixtures("console_with_something")
def test_a_purge_of_a_list_that_is_empty_already_is_none(run: Run) -> None:
    result = run("volumes", volumes=[{"name": "bystander", "exports": [], "quotas": []}], purge=["exports", "quotas"])
    assert result["msg"] == "volumes: 1 unchanged"


def test_every_invalid_item_of_every_volume_is_named_before_anything_is_written(
    run: Run, console_with_something: Emulator, volume: int
) -> None:
    emulator = console_with_something
    emulator.add_quota(volume, path="/twice", size=1)
    emulator.add_quota(volume, path="/twice", size=2)
    unknown = [
        {"name": "fine", "bucket": BUCKET, "quotas": [{"path": "/fine", "size": 1}]},
        {
            "name": "v",
            "exports": [{"desc": "x", "iprang": "*"}],
            "quotas": [{"path": "a"}, {"path": "/b", "size": "10 gigs"}],
        },
        {"bucket": BUCKET},
        {"name": "w", "stat": "absent"},
    ]
    result = run("volumes", volumes=unknown)
    assert [(error["volume"], error["kind"], error["key"]) for error in result["errors"]] == [
        ("v", "exports", "x"),
        ("v", "quotas", "a"),
        ("v", "quotas", "/b"),
        ("item 3", "volumes", "item 3"),
        ("w", "volumes", "w"),
    ]
    assert result["errors"][1]["msg"] == "item 2 ('v'), quotas item 1 ('a'): path must start with /, not 'a'."
    assert result["counts"]["quotas"]["failed"] == 2
    assert not emulator.requests

    impossible = [
        {"name": "v", "bucket": "https://other.example.com"},
        {"name": "left", "quotas": [{"path": "/new"}, {"path": "/kept"}, {"path": "/kept/", "size": 1}]},
        {"name": "scratch", "exports": [{"desc": "new"}]},
        {"name": "new", "bucket": BUCKET, "exports": [{"desc": "new"}]},
        {"id": 999},
    ]
    result = run("volumes", volumes=impossible)
    assert [(error["volume"], error["kind"], error["key"]) for error in result["errors"]] == [
        ("v", "volumes", "v"),
        ("id 999", "volumes", "id 999"),
        ("left", "quotas", "/new"),
        ("left", "quotas", "/kept"),
        ("scratch", "exports", "new"),
        ("new", "exports", "new"),
    ]
    assert not emulator.writes


def test_two_items_for_one_volume_are_refused(run: Run, volume: int) -> None:
    result = run("volumes", volumes=[{"name": "v"}, {"id": volume}])
    assert "item 2: refers to the same record as item 1 ('v')" in result["msg"]


def test_volumes_of_one_name_are_told_apart_by_id(run: Run, emulator: Emulator) -> None:
    first, second = (emulator.add_volume(name="v", bucket=BUCKET) for _number in range(2))
    items = [
        {"id": first, "quotas": [{"path": "/a", "size": 1}]},
        {"id": second, "quotas": [{"path": "/a", "size": 2}]},
    ]
    result = run("volumes", volumes=items)
    assert result["quotas"]["created"] == [f"v (id {first}): /a", f"v (id {second}): /a"]
    assert sorted(result["diff"]["after"]) == [f"v (id {first})", f"v (id {second})"]


@pytest.mark.promise("create-only-fails-first")
@pytest.mark.parametrize("check", [True, False])
def test_no_volume_is_said_to_be_updated(run: Run, emulator: Emulator, volume: int, check: bool) -> None:
    items = [{"name": "v", "bucket": "https://other.example.com", "quotas": [{"path": "/a", "size": 1}]}]
    result = run("volumes", volumes=items, create_only_changes="update", check=check)
    assert (result["failed"], result["changed"]) == (True, False)
    assert f"volume 'v' (id {volume}) differs in fields that can only be set at creation: bucket is" in result["msg"]
    assert emulator.writes == []


@pytest.mark.usefixtures("volume")
def test_results_do_not_repeat_the_items(run: Run) -> None:
    result = run("volumes", volumes=[{"name": "v"}])
    assert "volumes" not in result["invocation"]["module_args"]


@pytest.mark.usefixtures("emulator")
def test_nothing_is_wanted(run: Run) -> None:
    result = run("volumes", volumes=[])
    assert (result["changed"], result["msg"]) == (False, "nothing to do")


@pytest.mark.promise("volumes-are-never-purged")
def test_volumes_that_no_item_names_stay(run: Run, console_with_something: Emulator) -> None:
    before = {volume["name"] for volume in console_with_something.volumes()}
    items = [{"name": "v", "exports": [{"desc": "web"}], "quotas": [{"path": "/same"}]}]
    run("volumes", volumes=items, purge=["exports", "quotas"])
    assert {volume["name"] for volume in console_with_something.volumes()} == before


@pytest.mark.promise("no-secret-in-output")
def test_a_password_in_an_address_is_not_quoted(run: Run, volume: int) -> None:
    address = "https://user:hunter22@bucket.example.com"
    for item in ({"name": "v", "region": address}, {"name": "v", address: 1}, {"name": address, "exports": [{}]}):
        assert "hunter22" not in str(run("volumes", volumes=[item]))
    assert "hunter22" not in str(run("export", volume_id=volume, desc="web", iprange=address))


@pytest.mark.parametrize(("concurrency", "fewest", "most"), [(1, 1, 1), (4, 2, 4)])
def test_lists_are_read_side_by_side(run: Run, emulator: Emulator, concurrency: int, fewest: int, most: int) -> None:
    for number in range(10):
        emulator.add_volume(name=f"v{number}", bucket=BUCKET)
    emulator.latency = 0.005
    document = [{"name": f"v{number}", "quotas": [{"path": "/a", "size": 1}]} for number in range(10)]
    run("volumes", volumes=document, concurrency=concurrency, check=True)
    connections = {request.connection for request in emulator.requests if request.path.endswith("quotas")}
    assert fewest <= len(connections) <= most
