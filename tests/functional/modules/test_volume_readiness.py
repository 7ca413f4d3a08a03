# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting until a volume is ready."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import CHOICES, Dialect, Emulator, Fault
from emulator.client import Client
from functional.support.inprocess import FakeClock, Run

BUCKET = "https://a.example.com"


def test_waits_until_the_volume_is_ready(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    started = clock.now
    assert run("volume", name="a", bucket=BUCKET)["changed"]
    assert 20 <= clock.now - started < 30


@pytest.mark.promise("contradictions-are-looked-at-twice")
@pytest.mark.parametrize("ready_after", [0.5, 1.0, 2.0])
def test_one_list_from_before_its_creation_does_not_make_a_volume_disappear(
    run: Run, emulator: Emulator, ready_after: float
) -> None:
    emulator.reset(Dialect(ready_after=ready_after, stale_every=2, stale_for=1.0))
    result = run("volume", name="a", bucket=BUCKET)
    assert (result.get("failed"), result["changed"]) == (None, True)


@pytest.mark.promise("contradictions-are-looked-at-twice")
@pytest.mark.parametrize(("times", "is_gone"), [(1, False), (3, False), (4, True)])
def test_a_volume_has_disappeared_only_if_four_lists_say_so(
    run: Run, emulator: Emulator, times: int, is_gone: bool
) -> None:
    emulator.reset(Dialect(ready_after=1.0))
    emulator.inject(Fault("wrong_json", method="GET", path="/volumes$", nth=3, times=times, value=[]))
    result = run("volume", name="a", bucket=BUCKET)
    assert ("disappeared while" in result["msg"]) is is_gone


def test_waits_for_a_volume_that_exists_already(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    run("volume", name="a", bucket=BUCKET, wait=False)
    started = clock.now
    assert run("volume", name="a")["changed"] is False
    assert clock.now - started >= 10


def test_wait_false_and_check_mode_do_not_wait(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    run("volume", name="a", bucket=BUCKET, wait=False)
    run("volume", name="a", check=True)
    assert clock.slept == []
    assert not any("is_ready" in request.path for request in emulator.requests)


def test_a_volume_that_does_not_get_ready_is_told_as_created(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(ready_after=1000.0))
    result = run("volume", name="a", bucket=BUCKET, wait_timeout=30)
    assert result["failed"]
    assert result["changed"]
    assert result["volume"]["name"] == "a"
    assert "not ready within 30 s" in result["msg"]
    assert "wait_timeout" in result["msg"]


@pytest.mark.parametrize("answers", CHOICES["answers"])
def test_a_console_without_readiness_is_not_waited_for(
    run: Run, emulator: Emulator, clock: FakeClock, answers: str
) -> None:
    emulator.reset(Dialect(answers=answers, ready_after="unknown"))
    assert run("volume", name="a", bucket=BUCKET)["changed"]
    assert clock.slept == []


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", path="is_ready", status=503),
        Fault("status", path="is_ready", status=429),
        Fault("status", path="is_ready", status=500, times=3),
    ],
)
def test_readiness_is_asked_again_after_a_passing_failure(run: Run, emulator: Emulator, fault: Fault) -> None:
    emulator.inject(fault)
    result = run("volume", name="a", bucket=BUCKET)
    assert result["changed"]
    assert "failed" not in result


@pytest.mark.parametrize("value", [{"is_ready": "yes"}, {"is_ready": None}, [], "true", True, {}])
def test_an_answer_without_a_boolean_is_no_question_of_readiness(run: Run, emulator: Emulator, value: Any) -> None:
    emulator.inject(Fault("wrong_json", path="is_ready", value=value, times=None))
    assert run("volume", name="a", bucket=BUCKET)["changed"]


def test_readiness_that_is_cut_off_for_ever_is_not_ready(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("truncate", path="is_ready", times=None))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]


@pytest.mark.parametrize(
    "glitch",
    [{"kind": "html"}, {"kind": "empty"}, {"kind": "status", "status": 401}, {"kind": "status", "status": 404}],
    ids=str,
)
def test_a_console_that_said_not_ready_is_believed(
    run: Run, emulator: Emulator, clock: FakeClock, glitch: dict[str, Any]
) -> None:
    emulator.reset(Dialect(ready_after=5.0))
    started = clock.now
    emulator.inject(Fault(path="is_ready", nth=3, **glitch))
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert clock.now - started >= 5


@pytest.mark.parametrize("wait_timeout", [2, 60])
def test_a_volume_that_goes_while_it_is_waited_for_is_an_error(
    run: Run, emulator: Emulator, clock: FakeClock, wait_timeout: int
) -> None:
    emulator.reset(Dialect(ready_after=10.0))

    def remove() -> None:
        with Client.of(emulator, clock=clock.time) as other:
            other.send("DELETE", f"/volumes/{emulator.volumes()[0]['id']}")

    clock.on_next_sleep(remove)
    result = run("volume", name="a", bucket=BUCKET, wait_timeout=wait_timeout)
    assert result["failed"]
    assert "disappeared while" in result["msg"]
