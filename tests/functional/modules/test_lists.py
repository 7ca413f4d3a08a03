# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules exports and quotas: a whole list in one task, and what is written if something fails."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest

from emulator import Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console, quota_items

ACTIONS = ("created", "updated", "deleted")


def done(result: dict[str, Any]) -> list[list[str]]:
    """Return the sorted keys of what was created, updated and deleted."""
    return [sorted(result[action]) for action in ACTIONS]


@pytest.mark.promise("check-mode-predicts")
def test_one_read_one_plan_the_writes_and_one_read_back(console: Console) -> None:
    for path in ("/same", "/other", "/gone", "/bystander"):
        console.has_quota(path=path, size=5)
    items = [{"path": "/same/", "size": "5B"}, {"path": "/other", "size": "1K"}, {"path": "/new", "inodes": 7}]
    items += [{"path": path, "state": "absent"} for path in ("/gone", "/never")]
    predicted = console.run("quotas", quotas=items, check=True)
    assert console.sent == []
    console.emulator.forget_requests()
    result = console.run("quotas", quotas=items)
    assert done(predicted) == done(result) == [["/new"], ["/other"], ["/gone"]]
    assert (result["changed"], result["errors"], predicted["diff"]) == (True, [], result["diff"])
    assert ("unmanaged_open" in result, result["unmanaged"]) == (False, {"quotas": ["/bystander"]})
    assert console.sizes == {"/same": 5, "/other": 1024, "/bystander": 5, "/new": 0}
    assert result["diff"]["prepared"].splitlines() == [
        "volume v",
        "  ~ quota /other: size 5 → 1KiB",
        "  + quota /new: inodes 7",
        "  - quota /gone: size 5",
    ]
    counts = {"created": 1, "updated": 1, "deleted": 1, "unchanged": 2, "failed": 0, "ignored": 0, "unmanaged": 1}
    assert result["counts"] == counts
    assert result["msg"] == "quotas of volume 'v': 1 created, 1 updated, 1 deleted, 2 unchanged, 1 unmanaged"
    assert [request.method for request in console.emulator.requests].count("GET") == 4
    assert console.sent[-1][0] == "DELETE"
    console.emulator.forget_requests()
    again = console.run("quotas", quotas=items)
    assert (done(again), again["unchanged"], again["changed"], again["diff"]["prepared"]) == (
        [[], [], []],
        5,
        False,
        "",
    )
    assert len(console.emulator.requests) == 2


def test_purge_removes_what_no_item_names(console: Console) -> None:
    other = console.emulator.add_volume(name="other", bucket="https://o.example.com")
    console.emulator.add_export(other, desc="web", iprange="*")
    kept, by_id, unnamed, *_twice = [
        console.has_export(desc=desc, iprange="*") for desc in ("kept", "by id", "", "twice", "twice")
    ]
    items = [{"desc": "kept"}, {"id": by_id}, {"desc": "never", "state": "absent"}]
    predicted = console.run("exports", exports=items, purge=True, check=True)
    assert console.sent == []
    result = console.run("exports", exports=items, purge=True)
    assert done(predicted) == done(result) == [[], [], [f"id {unnamed}", "twice", "twice"]]
    assert predicted["diff"] == result["diff"]
    assert [change["action"] for change in result["changes"]] == ["delete"] * 3
    assert [export["id"] for export in console.exports] == [kept, by_id]
    assert len(console.emulator.exports(other)) == 1


FIRST, SECOND = {"id": 30001, "path": "/a", "size": 7}, {"id": 30002, "path": "/a"}
TWINS: dict[str, tuple[Any, ...]] = {
    "remove one": ([FIRST, SECOND | {"state": "absent"}], False, [("/a", 7)]),
    "purge the other": ([SECOND], True, [("/a", 6)]),
    "rename one": ([{"id": 30001, "path": "/b"}, SECOND], False, [("/b", 5), ("/a", 6)]),
}


@pytest.mark.parametrize(("items", "purge", "left"), TWINS.values(), ids=TWINS)
def test_an_item_with_an_id_is_the_record_of_that_id(console: Console, items: Any, purge: bool, left: Any) -> None:
    for size in (5, 6):
        console.has_quota(path="/a", size=size)
    assert "failed" not in console.run("quotas", quotas=items, purge=purge)
    assert [(quota["path"], quota["size"]) for quota in console.quotas] == left
    assert console.run("quotas", quotas=items, purge=purge)["changed"] is False


@pytest.mark.no_cover
@pytest.mark.promise("results-are-bounded")
@pytest.mark.usefixtures("volume")
def test_a_result_for_twenty_thousand_items_is_one_that_awx_keeps(run: Run) -> None:
    items = [{"path": f"/projects/department-{number // 100}/user-{number}", "size": 1024} for number in range(20_000)]
    result = run("quotas", volume="v", quotas=items, check=True)
    assert len(json.dumps(result)) < 700_000
    assert result["counts"]["created"] == 20_000
    assert len(result["created"]) + result["not_listed"]["created"] == 20_000
    assert "20,000 created" in result["msg"]
    assert "Not shown: v " in result["diff"]["prepared"]
    assert "quotas" not in result["invocation"]["module_args"]
    ignored = [f"{item['path']}/*" for item in items]
    assert len(json.dumps(run("quotas", volume="v", quotas=items[:1], ignore=ignored, check=True))) < 700_000
    assert "diff" not in run("quotas", volume="v", quotas=items[:1], check=True, diff=False)


@pytest.mark.promise("results-are-bounded")
@pytest.mark.parametrize("purge", [False, True])
def test_exports_of_long_names_make_no_long_result(console: Console, purge: bool) -> None:
    for number in range(100):
        name = f"{number}{'x' * 8000}"
        console.has_export(desc=name, iprange="*")
        console.has_export(desc=f"{name} (next)", iprange="*")
    result = console.run("exports", exports=[], purge=purge, max_deletions="100%", check=True)
    assert not result.get("failed")
    assert len(json.dumps(result)) < 700_000


@pytest.mark.promise("list-does-what-it-can")
def test_the_server_fails_from_the_fifth_write_on(console: Console) -> None:
    console.emulator.inject(Fault("status", method="POST", nth=5, times=None))
    result = console.run("quotas", quotas=quota_items(100))
    assert (result["failed"], result["changed"], result["failure"]["status"]) == (True, True, 500)
    assert sorted(result["created"]) == sorted(change["key"] for change in result["changes"]) == sorted(console.sizes)
    assert (len(console.sizes), len(result["errors"]), result["counts"]["failed"]) == (4, 96, 96)
    assert re.match(r"POST \S+: HTTP 500: Internal Server Error\.", result["errors"][-1]["msg"])
    assert "quotas of volume 'v': 4 created, 96 failed. The first error: POST" in result["msg"]
    console.emulator.clear_faults()
    again = console.run("quotas", quotas=quota_items(100))
    assert (len(again["created"]), again["unchanged"]) == (96, 4)


def test_a_console_that_no_longer_answers_is_left_alone(console: Console) -> None:
    console.emulator.inject(Fault("reset_before", method="POST", nth=5, times=None))
    result = console.run("quotas", quotas=quota_items(100), concurrency=1)
    assert (len(result["created"]), len(console.sizes), result["counts"]["failed"]) == (4, 4, 96)
    assert "was skipped: 5 consecutive requests were unanswered" in result["errors"][-1]["msg"]
    assert len(console.sent) < 30


def test_where_the_console_asks_to_wait_all_writers_wait(console: Console, clock: FakeClock) -> None:
    counts: list[int] = []

    def watch() -> None:
        for seconds in (0.0, 0.1):
            time.sleep(seconds)
            counts.append(len(console.sent))

    clock.on_next_sleep(watch)
    console.emulator.inject(Fault("status", method="POST", nth=5, status=429, retry_after=30))
    result = console.run("quotas", quotas=quota_items(60), concurrency=4)
    assert len(result["created"]) == 60
    assert clock.slept == [pytest.approx(30)]
    # Each of the other three may have had a request under way when one began to wait.
    assert counts[1] <= counts[0] + 3


@pytest.mark.promise("rotation-is-left-alone")
@pytest.mark.parametrize("claimed", [False, True])
def test_a_purge_leaves_a_rotation_alone(console: Console, claimed: bool) -> None:
    for desc in ("web", "web (next)", "other"):
        console.has_export(desc=desc, iprange="*")
    items = [{"desc": "web"}, *([{"desc": "web (next)"}] if claimed else [])]
    # What it spares does not make the rest few.
    assert (
        "2 of 2 would be deleted ('web', 'other'), which would leave none"
        in console.run("exports", exports=[], purge=True)["msg"]
    )
    result = console.run("exports", exports=items, purge=True)
    assert (result["deleted"], len(console.exports)) == (["other"], 2)
    assert console.run("exports", exports=items[:1])["counts"]["unmanaged"] == 0
    assert console.run("exports", exports=[], purge=True, ignore=["web"], max_deletions="100%")["changed"] is False
