# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is repeated, how often, and after which pause; every attempt signed afresh."""

from __future__ import annotations

import itertools
import time
from email.utils import formatdate

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.tokens import signed_at

PASSING = [
    Fault("reset_before"),
    Fault("silent_before", seconds=1.2),
    Fault("truncate"),
    Fault("garbage"),
    Fault("status", status=429),
    Fault("status", status=500),
    Fault("html", status=502),
    Fault("status", status=503),
    Fault("status", status=504),
]


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: f"{fault.kind}-{fault.answer_status}")
def test_a_read_survives_a_passing_failure(run: Run, emulator: Emulator, fault: Fault) -> None:
    emulator.add_volume(name="a", bucket="https://a.example.com")
    emulator.inject(fault)
    result = run("volume_info", timeout=1)
    assert [volume["name"] for volume in result["volumes"]] == ["a"]
    assert len(emulator.requests) == 2


@pytest.mark.promise("every-attempt-is-signed")
def test_every_attempt_is_signed_afresh(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", status=503, times=3, retry_after=60))
    run("volume_info")
    times = [signed_at(request.authorization or "") for request in emulator.requests]
    assert [later - earlier for earlier, later in itertools.pairwise(times)] == [60, 60, 60]
    assert len({request.authorization for request in emulator.requests}) == 4


def test_pauses_grow_and_have_a_jitter(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.retry_delay = None
    emulator.inject(Fault("status", status=500, times=4))
    run("volume_info")
    assert clock.slept == [0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("retry_after", "pause"),
    [(7, 7), ("7", 7), (0, 0), (3600, 60), ("99999999999999999999", 60), ("soon", 0.5), ("-5", 0.5), ("", 0.5)],
)
def test_retry_after_in_seconds(
    run: Run, emulator: Emulator, clock: FakeClock, retry_after: int | str, pause: float
) -> None:
    emulator.retry_delay = None
    emulator.inject(Fault("status", status=429, retry_after=retry_after))
    run("volume_info")
    assert clock.slept == [pause]


@pytest.mark.parametrize(("ahead", "pause"), [(20, 20), (3600, 60), (-20, 0)])
def test_retry_after_as_a_date_is_told_by_the_consoles_own_clock(
    run: Run, emulator: Emulator, clock: FakeClock, ahead: int, pause: int
) -> None:
    emulator.clock_offset = 100.0
    emulator.inject(Fault("status", status=503, retry_after=formatdate(clock.now + 100 + ahead, usegmt=True)))
    run("volume_info")
    assert clock.slept == [pytest.approx(pause, abs=1)]


@pytest.mark.parametrize("retries", [0, 1, 4])
def test_retries_bound_the_attempts(run: Run, emulator: Emulator, retries: int) -> None:
    emulator.inject(Fault("status", status=500, times=None))
    result = run("volume_info", retries=retries)
    assert result["failure"]["status"] == 500
    assert len(emulator.requests) == retries + 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 415, 422, 501])
def test_a_refusal_is_final(run: Run, emulator: Emulator, status: int) -> None:
    emulator.inject(Fault("status", status=status, times=None))
    assert run("volume_info")["failure"]["status"] == status
    assert len(emulator.requests) == 1


def test_a_creation_is_repeated_at_once_where_it_surely_was_not_accepted(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", status=429, times=2, retry_after=5))
    assert run("volume", name="a", bucket="https://a.example.com")["changed"]
    assert [request.method for request in emulator.requests][:4] == ["GET", "POST", "POST", "POST"]
    assert len(emulator.volumes()) == 1


def test_a_connection_that_is_refused_is_tried_again(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(Fault("refuse_next", method="GET", seconds=0.3))
    clock.on_sleep = lambda: time.sleep(0.15)
    assert run("volume", name="a", bucket="https://a.example.com")["changed"]
    assert [request.method for request in emulator.writes] == ["POST"]


def test_one_connection_serves_a_whole_task(run: Run, emulator: Emulator) -> None:
    run("volume", name="a", bucket="https://a.example.com")
    assert len(emulator.requests) == 4
    assert len({request.connection for request in emulator.requests}) == 1


@pytest.mark.usefixtures("volume")
def test_a_creation_waits_as_long_as_the_console_asks(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", status=503, retry_after=20))
    assert run("export", volume="v", desc="a", iprange="*")["changed"]
    first, second = (request.time for request in emulator.writes)
    assert second - first >= 20
