# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests whose outcome is unknown: no duplicates, no false reports."""

from __future__ import annotations

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import fault_id
from functional.support.inprocess import Run
from functional.support.one_volume import Console

BUCKET = "https://a.example.com"
LOST_BEFORE = [
    Fault("reset_before", method="POST"),
    Fault("silent_before", method="POST", seconds=1.2),
    Fault("status", method="POST", status=500),
    Fault("html", method="POST", status=502),
    Fault("status", method="POST", status=503),
    Fault("status", method="POST", status=504),
    Fault("garbage", method="POST"),
]
LOST_AFTER = [
    Fault("reset_after", method="POST"),
    Fault("silent_after", method="POST", seconds=1.2),
    Fault("status", method="POST", status=500, effect=True),
    Fault("html", method="POST", status=502, effect=True),
    Fault("garbage", method="POST", effect=True),
    Fault("truncate", method="POST"),
    Fault("empty", method="POST", effect=True),
    Fault("html", method="POST", status=200, effect=True),
    Fault("wrong_json", method="POST", effect=True),
]


@pytest.mark.promise("lost-creation-is-found")
@pytest.mark.parametrize("fault", LOST_AFTER, ids=fault_id)
@pytest.mark.parametrize("retries", [0, 4])
def test_a_creation_that_took_effect_is_found_and_not_repeated(
    run: Run, emulator: Emulator, fault: Fault, retries: int
) -> None:
    emulator.inject(fault)
    result = run("volume", name="a", bucket=BUCKET, timeout=1, retries=retries)
    assert "failed" not in result
    assert result["changed"]
    assert [volume["id"] for volume in emulator.volumes()] == [result["volume"]["id"]]
    assert [request.method for request in emulator.writes] == ["POST"]


@pytest.mark.parametrize("fault", LOST_BEFORE, ids=fault_id)
def test_a_creation_that_took_no_effect_is_repeated_after_three_seconds(
    run: Run, emulator: Emulator, fault: Fault
) -> None:
    emulator.inject(fault)
    result = run("volume", name="a", bucket=BUCKET, timeout=1)
    assert "failed" not in result
    assert len(emulator.volumes()) == 1
    posts = [request for request in emulator.requests if request.method == "POST"]
    assert len(posts) == 2
    assert posts[1].time - posts[0].time >= 3


@pytest.mark.promise("lost-request-may-count-later")
@pytest.mark.parametrize("fault", LOST_BEFORE, ids=fault_id)
def test_without_retries_a_creation_that_does_not_show_may_still_be_carried_out(
    run: Run, emulator: Emulator, fault: Fault
) -> None:
    emulator.inject(fault)
    result = run("volume", name="a", bucket=BUCKET, timeout=1, retries=0)
    assert result["failed"]
    assert result["changed"] is True
    assert "POST /api/v1/volumes" in result["msg"]
    assert "may still be carried out" in result["msg"]
    assert emulator.volumes() == []
    assert len(emulator.writes) == 1


@pytest.mark.promise("lost-creation-is-found")
@pytest.mark.parametrize("late", [0.5, 2.0, 2.9])
def test_a_record_that_shows_within_three_seconds_is_the_one(run: Run, emulator: Emulator, late: float) -> None:
    emulator.reset(Dialect(appear_after=late))
    emulator.inject(Fault("reset_after", method="POST"))
    assert run("volume", name="a", bucket=BUCKET)["changed"]
    assert len(emulator.volumes()) == len(emulator.writes) == 1


@pytest.mark.promise("duplicates-are-named")
def test_two_records_of_a_repeated_creation_are_told_by_their_ids(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(appear_after=5.0))
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]
    for volume in emulator.volumes():
        assert str(volume["id"]) in result["msg"]
    assert len(emulator.volumes()) == 2


def test_a_repeated_creation_that_is_refused_is_followed_by_one_more_look(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(appear_after=3.05, unique_keys=True))
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert result["changed"]
    assert len(emulator.volumes()) == 1


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_creations_that_never_work_end_within_the_retries(run: Run, emulator: Emulator, retries: int) -> None:
    emulator.inject(Fault("reset_before", method="POST", times=None))
    result = run("volume", name="a", bucket=BUCKET, retries=retries)
    assert result["failed"]
    assert result["changed"] is True
    assert len(emulator.writes) == retries + 1


def test_a_creation_that_may_have_worked_and_cannot_be_looked_for_is_told_as_changed(
    run: Run, emulator: Emulator
) -> None:
    emulator.inject(Fault("reset_after", method="POST"))
    emulator.inject(Fault("status", method="GET", nth=2, times=None, status=403))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]
    assert "volume 'a' could not be read back to see the result" in result["msg"]


def test_a_creation_that_cannot_be_read_back_is_told_as_changed(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("html", method="GET", nth=2, times=None))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]
    assert "volume 'a' was created, but could not be read back" in result["msg"]
    assert result["failure"]["method"] == "GET"


def test_lost_creations_are_found_by_their_key(console: Console) -> None:
    console.emulator.inject(Fault("reset_after", method="POST"))
    assert console.export(desc="web", iprange="*")["changed"]
    console.emulator.inject(Fault("reset_after", method="POST"))
    assert console.quota(path="/a", size="1")["changed"]
    assert [method for method, _body in console.sent] == ["POST", "POST"]


def test_a_lost_creation_and_then_a_rate_limit_make_no_untold_second(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.dialect = Dialect(appear_after=4.0)
    emulator.inject(Fault("reset_after", method="POST"))
    emulator.inject(Fault("status", method="POST", status=429, nth=2, retry_after=10))
    result = run("export", volume="v", desc="new", iprange="*")
    there = [export for export in emulator.exports(volume) if export["desc"] == "new"]
    assert len(there) == 1
    assert "failed" not in result
    assert result["export"]["id"] == there[0]["id"]


def test_a_lost_creation_whose_repeat_is_refused_is_looked_for_again(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.dialect = Dialect(appear_after=5.0, unique_keys=True)
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("export", volume="v", desc="new", iprange="*")
    assert "failed" not in result
    assert result["changed"]
    assert len(emulator.exports(volume)) == 2


def test_a_lost_creation_whose_repeat_is_refused_and_that_never_shows_may_be_there(
    run: Run, emulator: Emulator, volume: int
) -> None:
    emulator.dialect = Dialect(appear_after=1000.0, unique_keys=True)
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("export", volume="v", desc="new", iprange="*")
    assert result["failed"]
    assert result["changed"]
    assert "An earlier request got no response, and may have been carried out" in result["msg"]
    assert len(emulator.exports(volume)) == 2
