# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules exports and quotas: a whole list in one task."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import PLUGINS, FakeClock, Run, connection_to, run_module

BUCKET = "https://v.example.com"
NOTHING: dict[str, Any] = {"created": [], "updated": [], "deleted": [], "unchanged": 0, "errors": []}


@pytest.fixture
def volume(emulator: Emulator) -> int:
    """A volume named v."""
    return emulator.add_volume(name="v", bucket=BUCKET)


def told(result: dict[str, Any]) -> dict[str, Any]:
    """What a result says was done, lists in order."""
    return {
        name: sorted(result[name]) if isinstance(result[name], list) and name != "errors" else result[name]
        for name in NOTHING
    }


def paths(emulator: Emulator, volume: int) -> dict[str, Any]:
    """The quotas that are truly there: size by path."""
    return {quota["path"]: quota["size"] for quota in emulator.quotas(volume)}


def quota_items(count: int, **options: Any) -> list[dict[str, Any]]:
    """That many items for quotas."""
    return [{"path": f"/home/u{number}", "size": 1024, **options} for number in range(count)]


def test_one_read_one_plan_the_writes_and_one_read_back(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.add_quota(volume, path="/same", size=5)
    emulator.add_quota(volume, path="/other", size=5)
    emulator.add_quota(volume, path="/gone", size=5)
    emulator.add_quota(volume, path="/bystander", size=5)
    items = [
        {"path": "/same/", "size": 5},
        {"path": "/other", "size": "1K"},
        {"path": "/new", "inodes": 7},
        {"path": "/gone", "state": "absent"},
        {"path": "/never", "state": "absent"},
    ]
    result = run("quotas", volume="v", quotas=items)
    assert told(result) == {
        "created": ["/new"],
        "updated": ["/other"],
        "deleted": ["/gone"],
        "unchanged": 2,
        "errors": [],
    }
    assert result["changed"]
    assert paths(emulator, volume) == {"/same": 5, "/other": 1024, "/new": 0, "/bystander": 5}
    assert result["diff"] == {
        "before": {
            "/other": {"path": "/other", "size": 5, "inodes": 0},
            "/gone": {"path": "/gone", "size": 5, "inodes": 0},
        },
        "after": {"/other": {"path": "/other", "size": 1024, "inodes": 0}, "/new": {"path": "/new", "inodes": 7}},
    }
    assert [request.method for request in emulator.requests if request.method == "GET"] == ["GET"] * 3
    assert [request.method for request in emulator.writes][-1] == "DELETE"
    emulator.forget_requests()
    again = run("quotas", volume="v", quotas=items)
    assert told(again) == {**NOTHING, "unchanged": 5}
    assert again["changed"] is False
    assert again["diff"] == {"before": {}, "after": {}}
    assert len(emulator.requests) == 2


def test_exports(run: Run, emulator: Emulator, volume: int) -> None:
    web = emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    items = [{"id": web, "desc": "www"}, {"desc": "db", "iprange": "*", "readonly": True}]
    result = run("exports", volume_id=volume, exports=items)
    assert told(result) == {**NOTHING, "created": ["db"], "updated": ["www"]}
    assert list(result["diff"]["before"]) == ["web"]
    assert sorted(result["diff"]["after"]) == ["db", "www"]
    assert {export["desc"]: export["readonly"] for export in emulator.exports(volume)} == {"www": False, "db": True}


def test_check_mode_writes_nothing_and_predicts_what_then_happens(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.add_quota(volume, path="/a", size=5)
    emulator.add_quota(volume, path="/b", size=5)
    options = {"volume": "v", "quotas": [{"path": "/a", "size": 6}, {"path": "/c", "size": 7}], "purge": True}
    predicted = run("quotas", check=True, **options)
    assert emulator.writes == []
    real = run("quotas", **options)
    assert told(predicted) == told(real) == {**NOTHING, "created": ["/c"], "updated": ["/a"], "deleted": ["/b"]}
    assert predicted["diff"] == real["diff"]
    assert predicted["changed"] is real["changed"] is True


# Purge


def test_purge_removes_what_no_item_claims(run: Run, emulator: Emulator, volume: int) -> None:
    other = emulator.add_volume(name="other", bucket=BUCKET)
    emulator.add_export(other, desc="web", iprange="*")
    kept = emulator.add_export(volume, desc="kept", iprange="*")
    by_id = emulator.add_export(volume, desc="by id", iprange="*")
    unnamed = emulator.add_export(volume, desc="", iprange="*")
    emulator.add_export(volume, desc="twice", iprange="*")
    emulator.add_export(volume, desc="twice", iprange="*")
    items = [{"desc": "kept"}, {"id": by_id}, {"desc": "never", "state": "absent"}]
    result = run("exports", volume="v", exports=items, purge=True)
    assert told(result) == {**NOTHING, "deleted": [f"id {unnamed}", "twice", "twice"], "unchanged": 3}
    assert [export["id"] for export in emulator.exports(volume)] == [kept, by_id]
    assert len(emulator.exports(other)) == 1


@pytest.mark.parametrize("items", [[], [{"path": "/a", "state": "absent"}]])
@pytest.mark.parametrize("name", ["v", "gone"])
def test_purge_is_refused_where_no_item_is_present(
    run: Run, emulator: Emulator, volume: int, items: list[dict[str, Any]], name: str
) -> None:
    emulator.add_quota(volume, path="/a", size=5)
    result = run("quotas", volume=name, quotas=items, purge=True)
    assert "purge would delete everything" in result["msg"]
    assert result["changed"] is False
    assert emulator.requests == []


def test_without_purge_an_empty_list_is_ok(run: Run) -> None:
    result = run("quotas", volume="gone", quotas=[])
    assert told(result) == NOTHING
    assert result["changed"] is False


# Refused before the first write


@pytest.mark.parametrize("check", [False, True])
def test_all_that_is_wrong_with_a_list_is_in_one_message(
    run: Run, emulator: Emulator, volume: int, check: bool
) -> None:
    for path in ("/twice", "/twice/"):
        emulator.add_quota(volume, path=path, size=5)
    emulator.add_quota(volume, path="/fixed", size=5, inodes=7)
    items = [
        {"path": "/a", "size": 1},
        {"path": "/a/", "size": 2},
        {"path": "/twice", "size": 1},
        {"path": "/fixed", "inodes": 8},
        {"id": 999, "path": "/unknown"},
        {"path": "/empty"},
    ]
    result = run("quotas", volume="v", quotas=items, check=check)
    assert result["failed"]
    assert result["changed"] is False
    assert emulator.writes == []
    assert sorted(error["key"] for error in result["errors"]) == ["/a", "/empty", "/fixed", "/twice", "/unknown"]
    for words in ("twice", "several quotas", "inodes is 7, wanted is 8", "no quota has the id 999", "needs size or"):
        assert words in result["msg"]


def test_bad_items_are_named_before_any_request(run: Run, emulator: Emulator) -> None:
    items = [{"path": "/a", "size": "lots"}, {"size": 1}, {"path": "b", "size": 1}, {"path": "/c", "size": 1}]
    result = run("quotas", volume="v", quotas=items)
    assert [error["key"] for error in result["errors"]] == ["/a", "item 1", "b"]
    assert "size must" in result["msg"]
    assert emulator.requests == []


def test_items_with_unknown_options_and_wrong_types_are_all_named(run: Run, emulator: Emulator) -> None:
    odd = [{"pth": "/a"}, {"path": "/b", "inodes": "many"}, {"path": "/c", "state": "gone", "id": "x"}, {"path": "/d"}]
    result = run("quotas", volume="v", quotas=odd)
    assert [error["key"] for error in result["errors"]] == ["item 0", "/b", "/c"]
    first, second, third = [error["msg"] for error in result["errors"]]
    assert first == "there is no option pth. Supported parameters include: id, inodes, path, size, state."
    assert "inodes" in second
    assert "id" in third
    assert "state must be one of: present, absent" in third
    assert emulator.requests == []


def test_an_item_by_id_and_one_by_key_for_the_same_record(run: Run, emulator: Emulator, volume: int) -> None:
    quota = emulator.add_quota(volume, path="/a", size=5)
    result = run("quotas", volume="v", quotas=[{"id": quota, "size": 6}, {"path": "/a", "size": 7}])
    assert "in the list twice" in result["msg"]
    assert emulator.writes == []


def test_two_items_that_end_with_one_key(run: Run, emulator: Emulator, volume: int) -> None:
    quota = emulator.add_quota(volume, path="/a", size=5)
    result = run("quotas", volume="v", quotas=[{"id": quota, "path": "/b"}, {"path": "/b", "size": 7}])
    assert "in the list twice" in result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize("value", [0, 33, -1])
def test_concurrency_has_bounds(run: Run, emulator: Emulator, value: int) -> None:
    assert "concurrency" in run("quotas", volume="v", quotas=[], concurrency=value)["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("options", [{"wait_timeout": -1}, {"volume_id": 1}, {"volume": ""}])
def test_other_options_are_checked_too(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    assert run("quotas", **{"volume": "v", "quotas": [], **options})["failed"]
    assert emulator.requests == []


# The volume


def test_a_volume_that_is_gone(run: Run) -> None:
    result = run("quotas", volume="gone", quotas=[{"path": "/a", "state": "absent"}])
    assert told(result) == {**NOTHING, "unchanged": 1}
    result = run("quotas", volume="gone", quotas=quota_items(1))
    assert "there is no volume 'gone'" in result["msg"]
    assert result["changed"] is False


# Many at a time


@pytest.mark.parametrize("concurrency", [1, 4, 32])
@pytest.mark.parametrize(
    "dialect", [{}, {"put": "reset"}, {"appear_after": 2.0, "vanish_after": 2.0}, {"rate_limit": 7}]
)
def test_any_concurrency(run: Run, emulator: Emulator, concurrency: int, dialect: dict[str, Any]) -> None:
    emulator.reset(Dialect(**dialect))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_quotas(volume, [{"path": f"/old/{number}", "size": 5, "inodes": 7} for number in range(40)])
    items = [*quota_items(40), *({"path": f"/old/{number}", "size": 6} for number in range(20))]
    clock_items = items + [{"path": f"/old/{number}", "state": "absent"} for number in range(20, 40)]
    result = run("quotas", volume="v", quotas=clock_items, concurrency=concurrency)
    assert "failed" not in result
    assert (len(result["created"]), len(result["updated"]), len(result["deleted"])) == (40, 20, 20)
    assert {quota["inodes"] for quota in emulator.quotas(volume) if quota["path"].startswith("/old")} == {7}
    assert run("quotas", volume="v", quotas=clock_items)["changed"] is False


@pytest.mark.usefixtures("volume")
def test_writers_have_connections_of_their_own_and_keep_them(run: Run, emulator: Emulator) -> None:
    emulator.latency = 0.005
    run("quotas", volume="v", quotas=quota_items(40), concurrency=4)
    connections = {request.connection for request in emulator.writes}
    assert 2 <= len(connections) <= 4


@pytest.mark.usefixtures("volume")
def test_where_the_console_asks_to_wait_all_writers_wait(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(Fault("status", method="POST", nth=5, status=429, retry_after=30))
    result = run("quotas", volume="v", quotas=quota_items(40), concurrency=4)
    assert len(result["created"]) == 40
    assert clock.slept == [pytest.approx(30)]
    times = [request.time for request in emulator.writes]
    assert max(times) - min(times) >= 30
    refused = next(number for number, request in enumerate(emulator.writes) if request.status == 429)
    # What the other writers had under way when the answer came may still follow.
    assert all(time - times[refused] >= 30 for time in times[refused + 5 :])


def test_a_skew_is_corrected_once_for_all_writers(run: Run, emulator: Emulator) -> None:
    emulator.reset()
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.clock_offset = 3600
    result = run("quotas", volume_id=volume, quotas=quota_items(20), concurrency=8)
    assert len(result["created"]) == 20
    assert len(result["warnings"]) == 1
    assert sum(not request.authenticated for request in emulator.requests) == 1


# Partial failure


def test_the_server_fails_from_the_fifth_write_on(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.inject(Fault("status", method="POST", nth=5, times=None))
    result = run("quotas", volume="v", quotas=quota_items(1000))
    assert result["failed"]
    assert result["changed"]
    truth = paths(emulator, volume)
    assert sorted(result["created"]) == sorted(truth)
    assert len(truth) == 4
    assert len(result["errors"]) == 996
    assert {error["key"] for error in result["errors"]} | set(truth) == {item["path"] for item in quota_items(1000)}
    assert result["failure"]["status"] == 500
    assert "996 of 1000 quotas failed" in result["msg"]
    assert sorted(result["diff"]["after"]) == sorted(truth)
    emulator.clear_faults()
    again = run("quotas", volume="v", quotas=quota_items(1000))
    assert len(again["created"]) == 996
    assert again["unchanged"] == 4


def test_updates_that_fail_for_ever_do_not_each_wait_in_vain(
    run: Run, emulator: Emulator, clock: FakeClock, volume: int
) -> None:
    emulator.add_quotas(volume, [{"path": f"/home/u{number}", "size": 5} for number in range(200)])
    emulator.inject(Fault("status", method="PUT", nth=5, times=None))
    started = clock.now
    result = run("quotas", volume="v", quotas=quota_items(200), concurrency=1)
    assert len(result["updated"]) == 4
    assert len(result["errors"]) == 196
    assert clock.now - started < 60
    assert {request.path for request in emulator.writes} == {
        f"/volumes/{volume}/quotas/{quota['id']}" for quota in emulator.quotas(volume)
    }


@pytest.mark.parametrize("fault", [Fault("reset_before", method="POST", nth=5, times=None)])
def test_a_console_that_no_longer_answers_is_left_alone(
    run: Run, emulator: Emulator, volume: int, fault: Fault
) -> None:
    emulator.inject(fault)
    result = run("quotas", volume="v", quotas=quota_items(500), concurrency=1)
    assert len(result["created"]) == 4
    assert len(result["errors"]) == 496
    assert "was not tried: 5 requests in a row got no answer" in result["errors"][-1]["msg"]
    assert len(emulator.writes) < 100
    assert len(paths(emulator, volume)) == 4


@pytest.mark.usefixtures("volume")
def test_what_can_be_done_is_done(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", nth=2, status=400))
    emulator.inject(Fault("status", method="POST", nth=4, status=422))
    result = run("quotas", volume="v", quotas=quota_items(6), concurrency=1)
    assert result["created"] == ["/home/u0", "/home/u2", "/home/u4", "/home/u5"]
    assert [error["key"] for error in result["errors"]] == ["/home/u1", "/home/u3"]
    assert result["failure"]["status"] == 400


def test_lost_creations_of_a_round_are_watched_for_once(
    run: Run, emulator: Emulator, clock: FakeClock, volume: int
) -> None:
    emulator.inject(Fault("reset_before", method="POST", times=2))
    emulator.inject(Fault("reset_after", method="POST", nth=10, times=2))
    started = clock.now
    result = run("quotas", volume="v", quotas=quota_items(20), concurrency=1)
    assert "failed" not in result
    assert len(result["created"]) == len(paths(emulator, volume)) == 20
    assert len(emulator.writes) == 22
    assert clock.now - started < 8


@pytest.mark.usefixtures("volume")
def test_two_records_of_a_lost_creation_are_told(run: Run, emulator: Emulator) -> None:
    emulator.dialect = Dialect(appear_after=5.0)
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("quotas", volume="v", quotas=quota_items(3), concurrency=1)
    (error,) = result["errors"]
    assert "several quotas" in error["msg"]
    assert "/home/u0" in result["created"]


def test_fields_that_moved_are_put_back_with_one_warning(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(put="reset"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_quotas(volume, [{"path": f"/home/u{number}", "size": 5, "inodes": 7} for number in range(10)])
    result = run("quotas", volume="v", quotas=quota_items(10))
    assert len(result["updated"]) == 10
    (warning,) = result["warnings"]
    assert "inodes" in warning


def test_fields_that_are_not_shown_are_told_with_one_warning(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(record_fields="some"))
    emulator.add_volume(name="v", bucket=BUCKET)
    result = run("quotas", volume="v", quotas=quota_items(10, inodes=7))
    assert result["unverified"] == ["inodes"]
    assert len(result["warnings"]) == 1


@pytest.mark.usefixtures("volume")
def test_one_read_back_by_a_real_clock_too(emulator: Emulator) -> None:
    # Sums of real times are not exact: a difference of 0 s once came out as more, and cost another read.
    clock: Any = importlib.import_module(f"{PLUGINS}.module_utils.http.clock").Clock()
    clock.time = emulator._service.clock
    result = run_module("quotas", {**connection_to(emulator), "volume": "v", "quotas": quota_items(300)}, clock)
    assert len(result["created"]) == 300
    assert [request.method for request in emulator.requests if request.method == "GET"] == ["GET"] * 3


# Results that stay small


@pytest.mark.usefixtures("volume")
def test_results_stay_small(run: Run) -> None:
    items = [{"path": f"/projects/department-{number // 100}/user-{number}", "size": 1024} for number in range(10_000)]
    created = run("quotas", volume="v", quotas=items, concurrency=1, diff=False)
    assert len(created["created"]) == 10_000
    assert len(json.dumps(created)) < 700_000
    again = run("quotas", volume="v", quotas=items, diff=False)
    assert again["unchanged"] == 10_000
    assert len(json.dumps(again)) < 5_000
    assert "quotas" not in again["invocation"]["module_args"]
    assert "diff" not in again
