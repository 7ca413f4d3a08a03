# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clocks that disagree."""

from __future__ import annotations

import re
from email.utils import formatdate

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import StartServer
from functional.support.tokens import authorization_in, signed_at

HOUR, DAY, YEAR = 3600, 86400, 365 * 86400


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("offset", [HOUR, -HOUR, DAY, -DAY, YEAR, 301, -301, 600])
@pytest.mark.parametrize("status", [400, 401, 403, 418])
def test_skew_is_corrected_once_and_kept(run: Run, emulator: Emulator, offset: int, status: int) -> None:
    emulator.reset(Dialect(auth_status=status))
    emulator.clock_offset = offset
    result = run("volume", name="a", bucket="https://a.example.com")
    assert result["changed"]
    refused = [request for request in emulator.requests if not request.authenticated]
    assert len(refused) == 1
    assert len(emulator.writes) == 1
    (warning,) = result["warnings"]
    match = re.search(r"is (\d+) s (ahead of|behind) this machine's", warning)
    assert match
    assert int(match[1]) == pytest.approx(abs(offset), abs=1)
    assert match[2] == ("ahead of" if offset > 0 else "behind")


@pytest.mark.parametrize("offset", [0, 200, -200, 290])
def test_a_skew_that_is_accepted_is_not_mentioned(run: Run, emulator: Emulator, offset: int) -> None:
    emulator.clock_offset = offset
    assert run("volume_info")["warnings"] == []
    assert len(emulator.requests) == 1


@pytest.mark.promise("wrong-key-is-not-the-clock")
def test_a_wrong_key_is_not_blamed_on_the_clock(run: Run, emulator: Emulator) -> None:
    result = run("volume_info", secret_key="not-the-secret")
    assert result["failure"]["status"] == 401
    assert "clock" not in result["msg"]
    assert "check access_key and secret_key" in result["msg"]
    assert len(emulator.requests) == 1


@pytest.mark.promise("wrong-key-is-not-the-clock")
def test_a_wrong_key_and_a_wrong_clock_cost_one_more_request_and_both_are_named(run: Run, emulator: Emulator) -> None:
    emulator.clock_offset = HOUR
    result = run("volume_info", secret_key="not-the-secret")
    assert len(emulator.requests) == 2
    assert re.search("(3599|3600|3601) s ahead of", result["msg"])
    assert "the time is not the cause" in result["msg"]
    assert result["warnings"] == []


def test_a_clock_is_corrected_once_in_a_request_whatever_follows(
    run: Run, raw_server: StartServer, clock: FakeClock
) -> None:
    date = formatdate(clock.time() + HOUR, usegmt=True).encode()

    def refuse_or_fail(request: bytes) -> bytes:
        status = b"401 No" if abs(signed_at(authorization_in(request)) - clock.time()) < HOUR / 2 else b"500 Oh"
        return b"HTTP/1.1 %s\r\nDate: %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" % (status, date)

    server = raw_server(refuse_or_fail)
    result = run("volume_info", console_url=server.url, retries=3)
    assert result["failure"]["status"] == 500
    times = [signed_at(authorization_in(request)) - int(clock.now) for request in server.received]
    assert len(times) == 5
    assert times[0] <= 0
    assert all(time > HOUR / 2 for time in times[1:])


@pytest.mark.promise("skew-needs-evidence")
@pytest.mark.parametrize("hidden", ["age", "date"])
def test_without_a_date_that_can_be_trusted_nothing_is_corrected(run: Run, emulator: Emulator, hidden: str) -> None:
    emulator.clock_offset = HOUR
    if hidden == "age":
        emulator.age = "5"
    else:
        emulator.send_date = False
    result = run("volume_info")
    assert result["failed"]
    assert len(emulator.requests) == 1


@pytest.mark.promise("skew-needs-evidence")
def test_an_answer_that_took_long_is_not_trusted(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.clock_offset = HOUR
    readings = iter([0.0, 31.0])
    clock.elapsed = lambda: next(readings)  # type: ignore[method-assign]
    try:
        assert run("volume_info")["failed"]
    finally:
        del clock.elapsed
    assert len(emulator.requests) == 1


@pytest.mark.parametrize("status", [404, 405, 409, 415, 422])
def test_refusals_with_a_meaning_of_their_own_are_not_signed_again(run: Run, emulator: Emulator, status: int) -> None:
    emulator.clock_offset = HOUR
    emulator.inject(Fault("status", status=status, times=None))
    assert run("volume_info")["failure"]["status"] == status
    assert len(emulator.requests) == 1


def test_a_refused_creation_is_signed_again_and_made_once(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(Fault("slow", method="GET", seconds=0))
    original = emulator.clock_offset

    def shift() -> None:
        emulator.clock_offset = HOUR

    emulator.inject(Fault("status", method="POST", status=429, retry_after=1))
    clock.on_sleep = shift
    result = run("volume", name="a", bucket="https://a.example.com")
    emulator.clock_offset = original
    assert result["changed"]
    assert len(emulator.volumes()) == 1
