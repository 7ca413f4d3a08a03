# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A document of which something fails: the rest is done, and what was done and what was not is reported exactly."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.modules.list_items import paths, quota_items
from functional.support.faults import others
from functional.support.inprocess import FakeClock, Run

BUCKET = "https://v.example.com"


def document(*names: str, count: int = 2) -> list[dict[str, Any]]:
    """Return a document of volumes with so many quotas each."""
    return [{"name": name, "bucket": BUCKET, "quotas": quota_items(count)} for name in names]


@pytest.mark.promise("list-does-what-it-can")
def test_a_volume_that_cannot_be_created_does_not_keep_the_others_from_being_done(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", path="/volumes$", nth=2, status=402))
    result = run("volumes", volumes=document("a", "b", "c"), concurrency=1)
    assert result["failed"]
    assert result["changed"]
    assert result["volumes"]["created"] == ["a", "c"]
    assert len(result["quotas"]["created"]) == 4
    assert [(error["kind"], error["key"]) for error in result["errors"]] == [
        ("volumes", "b"),
        ("quotas", "b: /home/u0"),
        ("quotas", "b: /home/u1"),
    ]
    assert "HTTP 402" in result["errors"][0]["msg"]
    assert result["errors"][1]["msg"] == "skipped, because volume 'b' failed"
    assert result["msg"].startswith("volumes: 2 created, 1 failed; quotas: 4 created, 2 failed. The first error: POST")
    emulator.clear_faults()
    again = run("volumes", volumes=document("a", "b", "c"))
    assert (again["volumes"]["created"], again["counts"]["quotas"]["unchanged"]) == (["b"], 4)


@pytest.mark.promise("list-does-what-it-can")
@pytest.mark.parametrize("check", [True, False])
def test_a_list_that_cannot_be_read_does_not_keep_the_others_from_being_done(
    run: Run, emulator: Emulator, check: bool
) -> None:
    broken = emulator.add_volume(name="broken", bucket=BUCKET)
    emulator.add_volume(name="fine", bucket=BUCKET)
    emulator.inject(Fault("status", method="GET", path=f"volumes/{broken}/quotas", times=None, status=403))
    items = [{**item, "exports": [{"desc": "web", "iprange": "*"}]} for item in document("broken", "fine")]
    result = run("volumes", volumes=items, check=check)
    assert result["failed"]
    assert result["exports"]["created"] == ["broken: web", "fine: web"]
    assert result["quotas"]["created"] == ["fine: /home/u0", "fine: /home/u1"]
    assert [error["key"] for error in result["errors"]] == ["broken: /home/u0", "broken: /home/u1"]
    assert "HTTP 403" in result["errors"][0]["msg"]


@pytest.mark.promise("silent-console-is-left-alone")
def test_a_console_that_reads_no_list_is_not_asked_for_all_of_them(run: Run, emulator: Emulator) -> None:
    for number in range(20):
        emulator.add_volume(name=f"v{number}", bucket=BUCKET)
    emulator.inject(Fault("reset_before", method="GET", path="/quotas", times=None))
    result = run("volumes", volumes=document(*(f"v{number}" for number in range(20))), concurrency=1, retries=1)
    assert result["counts"]["quotas"]["failed"] == 40
    assert result["errors"][-1]["msg"].endswith("skipped: 3 consecutive requests were unanswered or rate-limited")
    assert len([request for request in emulator.requests if request.path.endswith("quotas")]) == 6
    assert emulator.writes == []


@pytest.mark.promise("list-does-what-it-can")
@pytest.mark.parametrize("status", [403, 404, 500])
def test_volumes_that_refuse_their_lists_do_not_keep_the_others_from_being_done(
    run: Run, emulator: Emulator, status: int
) -> None:
    volumes = [emulator.add_volume(name=name, bucket=BUCKET) for name in ("a", "b", "c", "d", "e")]
    for volume in volumes[:4]:
        emulator.inject(Fault("status", method="GET", path=f"volumes/{volume}/quotas", times=None, status=status))
    result = run("volumes", volumes=document("a", "b", "c", "d", "e"), concurrency=1, retries=0)
    assert result["quotas"]["created"] == ["e: /home/u0", "e: /home/u1"]
    assert result["counts"]["quotas"]["failed"] == 8


@pytest.mark.promise("list-does-what-it-can")
def test_a_volume_that_does_not_answer_writes_is_not_taken_for_the_whole_console(run: Run, emulator: Emulator) -> None:
    silent = emulator.add_volume(name="silent", bucket=BUCKET)
    emulator.add_volume(name="fine", bucket=BUCKET)
    emulator.inject(Fault("reset_before", method="POST", path=f"volumes/{silent}/quotas", times=None))
    result = run("volumes", volumes=document("silent", "fine", count=6), concurrency=1, retries=0)
    assert len(result["quotas"]["created"]) == 6
    assert result["counts"]["quotas"]["failed"] == 6


@pytest.mark.promise("success-is-true")
@pytest.mark.parametrize("check", [True, False])
def test_a_list_without_items_that_cannot_be_read_is_told(
    run: Run, emulator: Emulator, volume: int, check: bool
) -> None:
    emulator.inject(Fault("status", method="GET", path=f"volumes/{volume}/quotas", times=None, status=403))
    result = run("volumes", volumes=[{"name": "v", "quotas": []}], purge=["quotas"], check=check)
    assert result["failed"]
    assert [(error["volume"], error["kind"], error["key"]) for error in result["errors"]] == [("v", "quotas", "v")]
    assert result["counts"]["quotas"]["failed"] == 1


def test_what_keeps_the_lists_of_a_new_volume_from_being_written_is_told_as_it_is(
    run: Run, emulator: Emulator, clock: FakeClock
) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    clock.on_next_sleep(lambda: emulator.add_quota(emulator.volumes()[0]["id"], path="/home/u0 ", size=5))
    result = run("volumes", volumes=document("a"))
    assert (result["changed"], result["volumes"]["created"]) == (True, ["a"])
    assert "the quotas of the new volume were left alone" in result["errors"][0]["msg"]
    assert "only in white space" in result["errors"][0]["msg"]
    assert "Nothing was changed" not in str(result)


def test_the_list_of_volumes_that_cannot_be_read_is_the_end(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="GET", path="/volumes$", times=None, status=403))
    result = run("volumes", volumes=document("a"))
    assert (result["failed"], result["changed"], result["errors"]) == (True, False, [])
    assert result["failure"]["status"] == 403
    assert result["counts"]["volumes"]["created"] == 0


def test_lists_of_a_new_volume_are_written_once_it_is_ready(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    started = clock.now
    assert run("volumes", volumes=document("a", "b"))["changed"]
    assert 20 <= clock.now - started < 30
    order = [request.path for request in emulator.requests]
    assert max(index for index, path in enumerate(order) if "is_ready" in path) < min(
        index for index, path in enumerate(order) if "quotas" in path
    )


def test_a_volume_that_is_not_ready_in_time_is_told_and_its_lists_are_skipped(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(ready_after=1000.0))
    result = run("volumes", volumes=document("a"), wait_timeout=10)
    assert result["failed"]
    assert result["volumes"]["created"] == ["a"]
    assert "not ready within 10 s" in result["errors"][0]["msg"]
    assert result["counts"]["quotas"] == {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 2}


def test_a_volume_left_unready_by_an_earlier_task_is_waited_for(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    run("volumes", volumes=document("a", count=0), wait=False)
    started = clock.now
    assert not run("volumes", volumes=document("a", count=0))["changed"]
    assert clock.now - started >= 15


def test_what_the_console_put_into_a_new_volume_is_planned_with(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    clock.on_next_sleep(lambda: emulator.add_quota(emulator.volumes()[0]["id"], path="/home/u0", size=5))
    result = run("volumes", volumes=document("a"))
    assert result["quotas"]["created"] == ["a: /home/u1"]
    assert result["quotas"]["updated"] == ["a: /home/u0"]


@pytest.mark.promise("first-update-goes-ahead")
def test_the_first_update_of_each_kind_goes_ahead(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(put="reset"))
    items = []
    for name in ("a", "b"):
        volume = emulator.add_volume(name=name, bucket=BUCKET)
        for number in range(3):
            emulator.add_quota(volume, path=f"/{number}", size=5, inodes=7)
            emulator.add_export(volume, desc=str(number), iprange="10.0.0.0/8", readonly=True)
        quotas = [{"path": f"/{number}", "size": 6} for number in range(3)]
        exports = [{"desc": str(number), "iprange": "*"} for number in range(3)]
        items.append({"name": name, "exports": exports, "quotas": quotas})
    result = run("volumes", volumes=items)
    assert (len(result["exports"]["updated"]), len(result["quotas"]["updated"])) == (6, 6)
    for record in emulator.volumes():
        assert {quota["inodes"] for quota in emulator.quotas(record["id"])} == {7}
        assert {export["readonly"] for export in emulator.exports(record["id"])} == {True}
    bodies = [set(request.json) for request in emulator.writes]
    assert bodies.count({"path", "size"}) == bodies.count({"desc", "iprange"}) == 1


def test_volumes_are_deleted_last_of_all(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="kept", bucket=BUCKET)
    emulator.add_quota(volume, path="/old", size=1)
    emulator.add_volume(name="gone", bucket=BUCKET)
    items = [{"name": "gone", "state": "absent"}, *document("kept", "new")]
    run("volumes", volumes=items, purge=["quotas"])
    writes = [(request.method, request.path.rsplit("/", maxsplit=1)[0]) for request in emulator.writes]
    assert [method for method, _path in writes] == ["POST"] * 5 + ["DELETE"] * 2
    assert writes[-1] == ("DELETE", "/volumes")
    assert paths(emulator, volume) == {"/home/u0": 1024, "/home/u1": 1024}


def test_a_document_of_thousands_is_bounded_in_its_result(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", path="/quotas$", times=None, status=400))
    result = run("volumes", volumes=document("a", "b", count=1500))
    assert result["counts"]["quotas"]["failed"] == 3000
    assert len(str(result)) < 200_000


def test_items_of_a_list_that_cannot_be_read_are_not_said_to_be_wrong(run: Run, emulator: Emulator) -> None:
    broken = emulator.add_volume(name="broken", bucket=BUCKET)
    emulator.add_volume(name="fine", bucket=BUCKET)
    emulator.inject(Fault("status", method="GET", path=f"volumes/{broken}/quotas", times=None, status=403))
    # This item would need a size if the quota did not exist.
    items = [{"name": "broken", "quotas": [{"path": "/home/u0"}]}, *document("fine")]
    result = run("volumes", volumes=items)
    assert len(result["quotas"]["created"]) == 2
    assert [("HTTP 403" in error["msg"], error["key"]) for error in result["errors"]] == [(True, "broken: /home/u0")]


@pytest.mark.promise("silent-console-is-left-alone")
def test_lists_that_are_read_in_between_show_that_the_console_responds(run: Run, emulator: Emulator) -> None:
    volumes = [emulator.add_volume(name=f"v{number}", bucket=BUCKET) for number in range(8)]
    for volume in volumes[::2]:
        emulator.inject(Fault("reset_before", method="GET", path=f"volumes/{volume}/quotas", times=None))
    result = run("volumes", volumes=document(*(f"v{number}" for number in range(8))), concurrency=1, retries=0)
    assert len(result["quotas"]["created"]) == 8
    assert all("skipped" not in error["msg"] for error in result["errors"])


def test_a_volume_that_somebody_else_made_differently_is_neither_waited_for_nor_filled(
    run: Run, emulator: Emulator
) -> None:
    other = {"name": "a", "bucket": "https://other.example.com"}
    emulator.inject(
        others("create", "volumes", 0, at=("POST", 1, "before"), fields=other),
        Fault("status", method="POST", path="/volumes$", status=409),
    )
    result = run("volumes", volumes=document("a"))
    assert "created by somebody else" in result["errors"][0]["msg"]
    assert [error["msg"] for error in result["errors"][1:]] == ["skipped, because volume 'a' failed"] * 2
    assert {request.path for request in emulator.requests} == {"/volumes"}


@pytest.mark.parametrize("quotas", [[], [{"path": "/kept", "size": 5}, {"path": "/new", "size": 5}]])
def test_a_volume_whose_list_is_not_yet_as_wanted_is_waited_for(
    run: Run, emulator: Emulator, clock: FakeClock, quotas: list[dict[str, Any]]
) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    volume = run("volume", name="v", bucket=BUCKET, wait=False)["volume"]
    emulator.add_quota(volume["id"], path="/kept", size=5)
    started = clock.now
    run("volumes", volumes=[{"name": "v", "exports": [], "quotas": quotas}], purge=["exports"])
    assert clock.now - started >= 20


@pytest.mark.usefixtures("volume")
def test_an_empty_list_is_not_read_without_purge(run: Run, emulator: Emulator) -> None:
    run("volumes", volumes=[{"name": "v", "quotas": [], "exports": []}], wait=False)
    assert [request.path for request in emulator.requests] == ["/volumes"]
