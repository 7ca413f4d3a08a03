# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes of exports and quotas that fail: what can be done is done, and what was done is reported exactly."""

from __future__ import annotations

import re

import pytest

from emulator import Dialect, Emulator, Fault
from functional.modules.list_items import paths, quota_items
from functional.support.inprocess import FakeClock, Run


@pytest.mark.promise("list-does-what-it-can")
def test_the_server_fails_from_the_fifth_write_on(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.inject(Fault("status", method="POST", nth=5, times=None))
    result = run("quotas", volume="v", quotas=quota_items(1000))
    assert result["failed"]
    assert result["changed"]
    truth = paths(emulator, volume)
    assert sorted(result["created"]) == sorted(truth)
    assert len(truth) == 4
    (error,) = result["errors"]
    assert (error["count"], result["counts"]["failed"]) == (996, 996)
    assert re.match(r"996 items \((/home/u\d+; ){3}\.\.\.\): POST \S+: HTTP 500: Internal Server Error\.", error["msg"])
    assert result["failure"]["status"] == 500
    assert "quotas of volume 'v': 4 created, 996 failed. The first error: POST" in result["msg"]
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
    assert [error["count"] for error in result["errors"]] == [196]
    assert clock.now - started < 60
    assert {request.path for request in emulator.writes} == {
        f"/volumes/{volume}/quotas/{quota['id']}" for quota in emulator.quotas(volume)
    }


@pytest.mark.promise("silent-console-is-left-alone")
@pytest.mark.parametrize("fault", [Fault("reset_before", method="POST", nth=5, times=None)])
def test_a_console_that_no_longer_answers_is_left_alone(
    run: Run, emulator: Emulator, volume: int, fault: Fault
) -> None:
    emulator.inject(fault)
    result = run("quotas", volume="v", quotas=quota_items(500), concurrency=1)
    assert len(result["created"]) == 4
    assert result["counts"]["failed"] == 496
    assert result["errors"][-1]["count"] == 491
    assert "was skipped: 5 consecutive requests were unanswered" in result["errors"][-1]["msg"]
    assert len(emulator.writes) < 100
    assert len(paths(emulator, volume)) == 4


@pytest.mark.promise("list-does-what-it-can")
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


def test_updates_that_are_never_answered_do_not_keep_deletions_from_being_tried(
    run: Run, emulator: Emulator, volume: int
) -> None:
    emulator.add_quotas(volume, [{"path": f"/{number}", "size": 1} for number in range(5)])
    emulator.inject(Fault("reset_before", method="PUT", times=None))
    items = [{"path": f"/{number}", "size": 2} for number in range(4)]
    result = run("quotas", volume="v", quotas=items, purge=True, concurrency=1, retries=0)
    assert result["failed"]
    assert result["deleted"] == ["/4"]
    assert len([request for request in emulator.writes if request.method == "PUT"]) == 4


def test_one_update_that_is_never_answered_does_not_keep_others_from_being_tried(
    run: Run, emulator: Emulator, volume: int
) -> None:
    quotas = emulator.add_quotas(volume, [{"path": f"/{number}", "size": 1} for number in range(3)])
    emulator.inject(Fault("reset_before", method="PUT", path=f"quotas/{quotas[0]}$", times=None))
    items = [{"path": f"/{number}", "size": 2} for number in range(3)]
    result = run("quotas", volume="v", quotas=items, concurrency=1, retries=4)
    assert result["updated"] == ["/1", "/2"]
    assert [error["key"] for error in result["errors"]] == ["/0"]


def test_what_was_seen_to_be_absent_is_not_told_as_created(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.inject(*(Fault("reset_before", method="POST", nth=nth) for nth in (2, 4, 6)))
    emulator.inject(Fault("reset_before", method="POST", nth=7, times=None))
    items = [{"path": f"/{number}", "size": 1} for number in range(6)]
    result = run("quotas", volume="v", quotas=items, concurrency=1, retries=1)
    assert sorted(result["created"]) == sorted(quota["path"] for quota in emulator.quotas(volume))
    assert {error["key"] for error in result["errors"]} == {"/1", "/3", "/5"}


@pytest.mark.usefixtures("volume")
def test_what_was_accepted_and_does_not_show_is_not_told_as_created(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("html", method="POST", nth=2))
    items = [{"path": f"/{number}", "size": 1} for number in range(3)]
    result = run("quotas", volume="v", quotas=items, concurrency=1, wait_timeout=1)
    assert result["created"] == ["/0", "/2"]
    assert [error["key"] for error in result["errors"]] == ["/1"]
    assert sorted(result["diff"]["after"]) == ["/0", "/2"]
