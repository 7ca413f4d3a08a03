# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules exports and quotas: a whole list in one task."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Dialect, Emulator
from functional.modules.list_items import paths, quota_items
from functional.support.inprocess import Run

BUCKET = "https://v.example.com"
NOTHING: dict[str, Any] = {"created": [], "updated": [], "deleted": [], "unchanged": 0, "errors": []}


def reported(result: dict[str, Any]) -> dict[str, Any]:
    """Return what a result reports as done, with its lists sorted."""
    return {
        name: sorted(result[name]) if isinstance(result[name], list) and name != "errors" else result[name]
        for name in NOTHING
    }


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
    assert reported(result) == {
        "created": ["/new"],
        "updated": ["/other"],
        "deleted": ["/gone"],
        "unchanged": 2,
        "errors": [],
    }
    assert result["changed"]
    assert paths(emulator, volume) == {"/same": 5, "/other": 1024, "/new": 0, "/bystander": 5}
    assert result["diff"] == {
        "before_header": "quotas of volume 'v'",
        "after_header": "quotas of volume 'v'",
        "before": {"/other": {"size": 5}, "/gone": {"path": "/gone", "size": 5, "inodes": 0}},
        "after": {"/other": {"size": "1KiB"}, "/new": {"path": "/new", "inodes": 7}},
    }
    assert result["counts"] == {"created": 1, "updated": 1, "deleted": 1, "unchanged": 2, "failed": 0}
    assert result["msg"] == "quotas of volume 'v': 1 created, 1 updated, 1 deleted, 2 unchanged"
    assert [request.method for request in emulator.requests if request.method == "GET"] == ["GET"] * 4
    assert [request.method for request in emulator.writes][-1] == "DELETE"
    emulator.forget_requests()
    again = run("quotas", volume="v", quotas=items)
    assert reported(again) == {**NOTHING, "unchanged": 5}
    assert again["changed"] is False
    assert again["diff"]["before"] == {}
    assert len(emulator.requests) == 2


def test_exports(run: Run, emulator: Emulator, volume: int) -> None:
    web = emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    items = [{"id": web, "desc": "www"}, {"desc": "db", "iprange": "*", "readonly": True}]
    result = run("exports", volume_id=volume, exports=items)
    assert reported(result) == {**NOTHING, "created": ["db"], "updated": ["www"]}
    assert list(result["diff"]["before"]) == ["web"]
    assert sorted(result["diff"]["after"]) == ["db", "www"]
    assert {export["desc"]: export["readonly"] for export in emulator.exports(volume)} == {"www": False, "db": True}


@pytest.mark.promise("check-mode-predicts")
def test_check_mode_writes_nothing_and_predicts_what_then_happens(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.add_quota(volume, path="/a", size=5)
    emulator.add_quota(volume, path="/b", size=5)
    options = {"volume": "v", "quotas": [{"path": "/a", "size": 6}, {"path": "/c", "size": 7}], "purge": True}
    predicted = run("quotas", check=True, **options)
    assert emulator.writes == []
    real = run("quotas", **options)
    assert reported(predicted) == reported(real) == {**NOTHING, "created": ["/c"], "updated": ["/a"], "deleted": ["/b"]}
    assert predicted["diff"] == real["diff"]
    assert predicted["changed"] is real["changed"] is True


@pytest.mark.promise("purge-is-announced")
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
    assert reported(result) == {**NOTHING, "deleted": [f"id {unnamed}", "twice", "twice"], "unchanged": 3}
    assert [export["id"] for export in emulator.exports(volume)] == [kept, by_id]
    assert len(emulator.exports(other)) == 1


@pytest.mark.parametrize("items", [[], [{"path": "/a", "state": "absent"}]])
@pytest.mark.parametrize("name", ["v", "gone"])
def test_purge_is_refused_where_no_item_is_present(
    run: Run, emulator: Emulator, volume: int, items: list[dict[str, Any]], name: str
) -> None:
    emulator.add_quota(volume, path="/a", size=5)
    result = run("quotas", volume=name, quotas=items, purge=True)
    assert "it would delete everything" in result["msg"]
    assert result["changed"] is False
    assert emulator.requests == []


def test_without_purge_an_empty_list_is_ok(run: Run) -> None:
    result = run("quotas", volume="gone", quotas=[])
    assert reported(result) == NOTHING
    assert result["changed"] is False


@pytest.mark.parametrize("options", [{"wait_timeout": -1}, {"volume_id": 1}, {"volume": ""}])
def test_other_options_are_checked_too(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    assert run("quotas", **{"volume": "v", "quotas": [], **options})["failed"]
    assert emulator.requests == []


def test_a_volume_that_is_gone(run: Run) -> None:
    result = run("quotas", volume="gone", quotas=[{"path": "/a", "state": "absent"}])
    assert reported(result) == {**NOTHING, "unchanged": 1}
    result = run("quotas", volume="gone", quotas=quota_items(1))
    assert "volume 'gone' does not exist. Check the name, or create the volume first." in result["msg"]
    assert result["changed"] is False


def test_fields_that_moved_are_put_back_with_one_warning(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(put="reset"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_quotas(volume, [{"path": f"/home/u{number}", "size": 5, "inodes": 7} for number in range(10)])
    result = run("quotas", volume="v", quotas=quota_items(10, size=8192))
    assert len(result["updated"]) == 10
    (warning,) = result["warnings"]
    assert "inodes" in warning


def test_fields_that_are_not_shown_are_told_with_one_warning(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(record_fields="some"))
    emulator.add_volume(name="v", bucket=BUCKET)
    result = run("quotas", volume="v", quotas=quota_items(10, size=8192, inodes=7))
    assert result["unverified"] == ["inodes"]
    assert len(result["warnings"]) == 1


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


@pytest.mark.promise("results-are-bounded")
@pytest.mark.usefixtures("volume")
def test_a_result_for_fifty_thousand_items_is_one_that_awx_keeps(run: Run) -> None:
    items = [{"path": f"/projects/department-{number // 100}/user-{number}", "size": 1024} for number in range(50_000)]
    result = run("quotas", volume="v", quotas=items, check=True)
    assert len(json.dumps(result)) < 700_000
    assert result["counts"]["created"] == 50_000
    assert len(result["created"]) + result["not_listed"]["created"] == 50_000
    assert "50,000 created" in result["msg"]
    assert "more" in result["diff"]["after"]["(not shown)"]


@pytest.mark.parametrize("options", [{"concurrency": 0}, {"volume": "none"}, {"wait_timeout": -1}, {"volume_id": 1}])
@pytest.mark.usefixtures("volume")
def test_a_list_task_that_fails_early_has_every_key(run: Run, options: dict[str, Any]) -> None:
    result = run("quotas", **{"volume": "v", "quotas": [{"path": "/a", "size": 1}], **options})
    assert result["failed"]
    nothing = {"created": [], "updated": [], "deleted": [], "errors": [], "unchanged": 0, "changed": False}
    assert {name: result[name] for name in nothing} == nothing


@pytest.mark.parametrize("target", [{"volume": "mistyped"}, {"volume_id": 999}])
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_what_is_absent_with_its_volume_comes_with_a_warning(run: Run, module: str, target: dict[str, Any]) -> None:
    item = {"path": "/a", "state": "absent"}
    result = run(module, **target, **(item if module == "quota" else {"quotas": [item]}))
    assert (result.get("failed"), result["changed"]) == (None, False)
    name = "'mistyped'" if "volume" in target else "(id 999)"
    (warning,) = result["warnings"]
    assert warning.startswith(f"Volume {name} does not exist, so there is nothing to delete in it.")
