# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module volumes: volumes with their exports and quotas as one document, and what is written if something fails."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import others, quota_items

BUCKET = "https://v.example.com"
OTHER = "https://other.example.com"
V = 101
EXPORTS = [{"desc": "web", "iprange": "10.0.0.0/8"}, {"desc": "db", "iprange": "*", "readonly": True}]
QUOTAS = [{"path": "/same", "size": "5B"}, {"path": "/other", "size": "1K"}, {"path": "/gone", "state": "absent"}]
# A document with something of everything, for the console that `filled` returns.
DOCUMENT: list[dict[str, Any]] = [
    {"name": "v", "exports": EXPORTS, "quotas": QUOTAS},
    {"name": "new", "bucket": OTHER, "quotas": [{"path": "/a", "size": "4K"}, {"path": "/b", "inodes": 2}]},
    {"name": "scratch", "state": "absent", "quotas": [{"path": "/ignored", "state": "absent"}]},
    {"name": "never", "state": "absent"},
    {"name": "left", "bucket": BUCKET},
]


@pytest.fixture
def filled(emulator: Emulator) -> Emulator:
    """Return a console with volumes v, scratch, left and bystander."""
    for name in ("v", "scratch", "left", "bystander"):
        emulator.add_volume(name=name, bucket=BUCKET)
    emulator.add_export(V, desc="web", iprange="192.168.0.0/16")
    for path in ("/same", "/other", "/gone"):
        emulator.add_quota(V, path=path, size=5)
    emulator.add_quota(V + 1, path="/tmp", size=5)
    emulator.add_quota(V + 2, path="/kept", size=5)
    return emulator


def contents(emulator: Emulator) -> dict[str, list[Any]]:
    """Return the true content of a console: by volume, its exports and quotas without their ids and tokens."""

    def fields(records: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
        return sorted(tuple(record[name] for name in names) for record in records)

    return {
        volume["name"]: fields(emulator.exports(volume["id"]), "desc", "iprange", "readonly")
        + fields(emulator.quotas(volume["id"]), "path", "size", "inodes")
        for volume in emulator.volumes()
    }


def document(*names: str, count: int = 2) -> list[dict[str, Any]]:
    """Return a document of volumes with this many quotas each."""
    return [{"name": name, "bucket": BUCKET, "quotas": quota_items(count)} for name in names]


def failed(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Return kind and key of each error of a task that failed."""
    assert result["failed"]
    return [(error["kind"], error["key"]) for error in result["errors"]]


@pytest.mark.promise("check-mode-predicts")
def test_a_document_is_one_plan(run: Run, filled: Emulator) -> None:
    predicted = run("volumes", volumes=DOCUMENT, check=True)
    assert not filled.writes
    result, again = run("volumes", volumes=DOCUMENT), run("volumes", volumes=DOCUMENT)
    assert contents(filled) == {
        "v": [("db", "*", True), ("web", "10.0.0.0/8", False), ("/other", 1024, 0), ("/same", 5, 0)],
        "new": [("/a", 4096, 0), ("/b", 0, 2)],
        "left": [("/kept", 5, 0)],
        "bystander": [],
    }
    nothing = {"created": [], "updated": [], "deleted": [], "unchanged": 0}
    assert result["volumes"] == {**nothing, "created": ["new"], "deleted": ["scratch"], "unchanged": 3}
    assert result["exports"] == {**nothing, "created": ["v: db"], "updated": ["v: web"]}
    changes = {"created": ["new: /a", "new: /b"], "updated": ["v: /other"], "deleted": ["v: /gone"]}
    assert result["quotas"] == {**changes, "unchanged": 1}
    counts = {"created": 2, "updated": 1, "deleted": 1, "unchanged": 1, "failed": 0, "ignored": 0, "unmanaged": 0}
    assert result["counts"]["quotas"] == counts
    assert result["msg"] == (
        "volumes: 1 created, 1 deleted, 3 unchanged, 1 unmanaged; exports: 1 created, 1 updated;"
        " quotas: 2 created, 1 updated, 1 deleted, 1 unchanged"
    )
    assert predicted["msg"] == f"{result['msg']} (check mode: nothing was written)"
    assert result["unmanaged"] == {"volumes": ["bystander"]}
    for key in ("changed", "diff", "volumes", "exports", "quotas", "errors", "counts", "unmanaged"):
        assert predicted[key] == result[key], key
    assert result["diff"]["prepared"].splitlines() == [
        "volume v",
        "  ~ export web: iprange 192.168.0.0/16 → 10.0.0.0/8",
        "  + export db: *, read-only",
        "  ~ quota /other: size 5 → 1KiB",
        "  - quota /gone: size 5",
        "+ volume new: bucket https://other.example.com",
        "  + quota /a: size 4KiB",
        "  + quota /b: inodes 2",
        "- volume scratch, with 0 exports and 1 quota",
    ]
    assert (result["changed"], again["changed"]) == (True, False)
    assert again["diff"]["prepared"] == ""


SAME, WEB, ALL = {"quotas": [{"path": "/same"}]}, {"exports": [{"desc": "web"}]}, ["web", "/gone", "/other", "/same"]
PURGES: dict[str, tuple[Any, ...]] = {
    "a list that is left out": (SAME, ["exports", "quotas"], ["web", "/same"], 5),
    "empty lists without purge": ({"quotas": [], "exports": []}, [], ALL, 3),
}


@pytest.mark.promise("volumes-are-never-purged")
@pytest.mark.parametrize(("item", "purge", "left", "requests"), PURGES.values(), ids=PURGES)
def test_a_purge_is_of_lists_that_are_given_and_never_of_volumes(
    run: Run, filled: Emulator, item: dict[str, Any], purge: list[str], left: list[str], requests: int
) -> None:
    result = run("volumes", volumes=[{"name": "v", **item}], purge=purge, wait=False)
    assert [record[0] for record in contents(filled)["v"]] == left
    assert len(filled.requests) == requests
    assert len(filled.volumes()) == 4
    assert len(result["quotas"]["deleted"]) + len(left) == 4


def test_the_limit_that_a_refusal_names_is_enough(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    for number in range(100):
        emulator.add_export(volume, desc=f"e{number}", iprange="10.0.0.0/8")
    emulator.add_quotas(volume, quota_items(10))
    lists = {"exports": [{"desc": f"e{number}"} for number in range(91)], "quotas": quota_items(5)}
    given = {"volumes": [{"name": "v", **lists}], "purge": ["exports", "quotas"]}
    refused = run("volumes", **given, max_deletions="10%")
    assert "5 of 10 would be deleted" in refused["msg"]
    assert "9 of 100" not in refused["msg"]
    assert refused["msg"].endswith("set max_deletions (in the role apply, apply_max_deletions) to 9.")
    assert not run("volumes", **given, max_deletions=9).get("failed")


@pytest.mark.promise("no-secret-in-output")
def test_a_password_in_an_address_is_not_quoted(run: Run, filled: Emulator) -> None:
    address = "https://user:hunter22@bucket.example.com"
    for item in ({"name": "v", "region": address}, {"name": "v", address: 1}, {"name": address, "exports": [{}]}):
        assert "hunter22" not in str(run("volumes", volumes=[item]))
    assert filled.requests == []


@pytest.mark.promise("list-does-what-it-can")
def test_a_volume_that_cannot_be_created_does_not_keep_the_others_from_being_done(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", path="/volumes$", nth=2, status=402))
    result = run("volumes", volumes=document("a", "b", "c"), concurrency=1)
    assert (result["volumes"]["created"], len(result["quotas"]["created"])) == (["a", "c"], 4)
    assert failed(result) == [("volumes", "b"), ("quotas", "b: /home/u0"), ("quotas", "b: /home/u1")]
    assert "HTTP 402" in result["errors"][0]["msg"]
    assert result["errors"][1]["msg"] == "skipped, because volume 'b' failed: correct that first"
    assert result["msg"].startswith("volumes: 2 created, 1 failed; quotas: 4 created, 2 failed. The first error: POST")
    emulator.clear_faults()
    again = run("volumes", volumes=document("a", "b", "c"))
    assert (again["volumes"]["created"], again["counts"]["quotas"]["unchanged"]) == (["b"], 4)


# The item without a size would be invalid without the quota, whose existence is unknown.
UNREAD: dict[str, tuple[list[Any], list[str]]] = {
    "items": (quota_items(2), ["v: /home/u0", "v: /home/u1"]),
    "an item of which too little is known": ([{"path": "/x"}], ["v: /x"]),
    "no items": ([], ["v"]),
}


@pytest.mark.promise("list-does-what-it-can")
@pytest.mark.parametrize(("quotas", "keys"), UNREAD.values(), ids=UNREAD)
@pytest.mark.parametrize("check", [True, False])
def test_an_unreadable_list_keeps_none_back(run: Run, filled: Emulator, quotas: Any, keys: Any, check: bool) -> None:
    filled.inject(Fault("status", method="GET", path=f"volumes/{V}/quotas", times=None, status=403))
    items = [{"name": "v", "quotas": quotas, "exports": [{"desc": "db", "iprange": "*"}]}, *document("left")]
    result = run("volumes", volumes=items, check=check, purge=["quotas"], max_deletions="100%")
    assert result["exports"]["created"] == ["v: db"]
    assert result["quotas"]["created"] == ["left: /home/u0", "left: /home/u1"]
    assert failed(result) == [("quotas", key) for key in keys]
    assert "HTTP 403" in result["errors"][0]["msg"]


NO_LIST = {"kind": "status", "status": 404}
NO_ANSWER = {"kind": "reset_before"}
MANY: dict[str, tuple[Any, ...]] = {
    "volumes that refuse their lists": (dict.fromkeys(range(8), NO_LIST), 2, 10),
    "lists in between are read": (dict.fromkeys(range(0, 10, 2), NO_ANSWER), 5, 10),
    "no list is read": (dict.fromkeys(range(10), NO_ANSWER), 0, 3),
}


@pytest.mark.promise("list-does-what-it-can")
@pytest.mark.parametrize(("faults", "done", "sent"), MANY.values(), ids=MANY)
def test_many_unreadable_lists(run: Run, emulator: Emulator, faults: dict[int, Any], done: int, sent: int) -> None:
    names = [f"v{number}" for number in range(10)]
    ids = [emulator.add_volume(name=name, bucket=BUCKET) for name in names]
    for position, fault in faults.items():
        emulator.inject(Fault(method="GET", path=f"volumes/{ids[position]}/quotas", times=None, **fault))
    result = run("volumes", volumes=document(*names, count=1), concurrency=1, retries=0, check=True)
    assert (len(result["quotas"]["created"]), result["counts"]["quotas"]["failed"]) == (done, 10 - done)
    assert len([request for request in emulator.requests if request.path.endswith("quotas")]) == sent
    skipped = "skipped: 3 consecutive requests were unanswered or rate-limited"
    assert result["errors"][-1]["msg"].endswith(skipped) is (sent == 3)


@pytest.mark.promise("list-does-what-it-can")
def test_a_volume_that_does_not_answer_writes_is_not_taken_for_the_whole_console(run: Run, filled: Emulator) -> None:
    filled.inject(Fault("reset_before", method="POST", path=f"volumes/{V}/quotas", times=None))
    result = run("volumes", volumes=document("v", "left", count=6), concurrency=1, retries=0)
    assert (len(result["quotas"]["created"]), result["counts"]["quotas"]["failed"]) == (6, 6)


def test_lists_of_a_new_volume_are_written_once_it_is_ready(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    # If the console puts something wanted into a new volume by itself, that is left as it is.
    clock.on_next_sleep(lambda: emulator.add_quota(V, path="/home/u0", size=8192))
    result = run("volumes", volumes=document("a", "b"), concurrency=1)
    assert result["quotas"]["created"] == ["a: /home/u1", "b: /home/u0", "b: /home/u1"]
    assert result["quotas"]["unchanged"] == 1
    assert 20 <= sum(clock.slept) < 30
    paths = [request.path for request in emulator.requests]
    last_question = max(index for index, path in enumerate(paths) if "is_ready" in path)
    assert all("quotas" not in path for path in paths[:last_question])


KEPT, NEW = {"path": "/kept", "size": 5}, {"path": "/new", "size": 5}


@pytest.mark.parametrize("quotas", [[], [KEPT], [KEPT, NEW]], ids=["no items", "as wanted", "not yet as wanted"])
def test_an_unready_volume_is_waited_for_if_needed(run: Run, emulator: Emulator, clock: FakeClock, quotas: Any) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    run("volume", name="v", bucket=BUCKET, wait=False)
    emulator.add_quota(V, path="/kept", size=5)
    run("volumes", volumes=[{"name": "v", "exports": [], "quotas": quotas}], purge=["exports"])
    assert (sum(clock.slept) >= 20) is (len(quotas) != 1)


def test_somebody_elses_volume_is_neither_waited_for_nor_filled(run: Run, emulator: Emulator) -> None:
    theirs = others("create", "volumes", 0, at=("POST", 1, "before"), fields={"name": "a", "bucket": OTHER})
    emulator.inject(theirs, Fault("status", method="POST", path="/volumes$", status=409))
    result = run("volumes", volumes=document("a"))
    assert "created by somebody else" in result["errors"][0]["msg"]
    assert [error["msg"] for error in result["errors"][1:]] == [
        "skipped, because volume 'a' failed: correct that first"
    ] * 2
    assert {request.path for request in emulator.requests} == {"/volumes"}


@pytest.mark.promise("losses-stop-a-list")
def test_the_first_update_of_each_kind_goes_ahead(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(put="reset"))
    items: list[dict[str, Any]] = []
    for name in ("a", "b"):
        volume = emulator.add_volume(name=name, bucket=BUCKET)
        for item in quota_items(3):
            emulator.add_quota(volume, path=item["path"], size=5, inodes=7)
            emulator.add_export(volume, desc=item["path"], iprange="10.0.0.0/8", readonly=True)
        exports = [{"desc": item["path"], "iprange": "*"} for item in quota_items(3)]
        items.append({"name": name, "exports": exports, "quotas": quota_items(3)})
    result = run("volumes", volumes=items)
    assert (len(result["exports"]["updated"]), len(result["quotas"]["updated"])) == (6, 6)
    assert {record[2] for found in contents(emulator).values() for record in found} == {7, True}
    bodies = [set(request.json) for request in emulator.writes]
    assert bodies.count({"path", "size"}) == bodies.count({"desc", "iprange"}) == 1
