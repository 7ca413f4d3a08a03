# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""No request takes longer than the documentation says (`timeout`), whatever the console does with it.

The formula for whole tasks is held by the fault matrix.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import StartServer
from functional.support.tokens import authorization_in, signed_at

TIMEOUT = 1
SECONDS_OF_OURS = 1.0


def longest_attempts(retries: int) -> int:
    """Return the seconds that the attempts of a request may take."""
    return (retries + 2) * TIMEOUT


def longest_pauses(retries: int) -> int:
    """Return the seconds that the pauses of a request may take, by the clock that the tests move."""
    return retries * 60


def silence(_request: bytes) -> bytes:
    """Stay silent for longer than a request may take."""
    time.sleep(TIMEOUT * 3)
    return b""


@contextlib.contextmanager
def full_queue() -> Iterator[str]:
    """Yield the address of a port that neither accepts nor refuses connections."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _number in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def assert_in_time(run: Run, clock: FakeClock, retries: int, **options: Any) -> dict[str, Any]:
    """Run a module that makes one request, check that it stays within its time, and return its result."""
    by_the_tests, in_truth = clock.now, time.monotonic()
    result = run("api_request", path="volumes", timeout=TIMEOUT, retries=retries, **options)
    assert time.monotonic() - in_truth <= longest_attempts(retries) + SECONDS_OF_OURS
    assert clock.now - by_the_tests <= longest_pauses(retries)
    assert result["failed"]
    return result


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.parametrize("retries", [0, 1])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_console_that_says_nothing(
    run: Run, clock: FakeClock, raw_server: StartServer, scheme: str, retries: int
) -> None:
    server = raw_server(silence)
    url = server.url.replace("http", scheme)
    result = assert_in_time(run, clock, retries, console_url=url, validate_certs=False)
    assert "no complete response within 1 s" in result["msg"]


@pytest.mark.promise("requests-are-bounded")
def test_a_connection_that_is_never_made(run: Run, clock: FakeClock) -> None:
    with full_queue() as url:
        result = assert_in_time(run, clock, 1, console_url=url)
    assert "no complete response within 1 s" in result["msg"]


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.parametrize("kind", ["drip_headers", "drip_body"])
def test_an_answer_that_drips(run: Run, clock: FakeClock, emulator: Emulator, kind: str) -> None:
    emulator.inject(Fault(kind, times=None, interval=0.7))
    assert_in_time(run, clock, 1)


@pytest.mark.promise("requests-are-bounded")
def test_a_clock_that_is_off_and_then_silence(run: Run, clock: FakeClock, raw_server: StartServer) -> None:
    ahead = 3600
    date = formatdate(clock.time() + ahead, usegmt=True).encode()

    def refuse_late_or_say_nothing(request: bytes) -> bytes:
        if signed_at(authorization_in(request)) - clock.time() > ahead / 2:
            return silence(request)
        time.sleep(TIMEOUT * 0.8)
        return b"HTTP/1.1 401 No\r\nConnection: close\r\nDate: %s\r\nContent-Length: 0\r\n\r\n" % date

    server = raw_server(refuse_late_or_say_nothing)
    assert_in_time(run, clock, 1, console_url=server.url)
    assert len(server.received) == 3


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.parametrize("retries", [1, 4])
def test_a_console_that_asks_for_an_hour(run: Run, clock: FakeClock, emulator: Emulator, retries: int) -> None:
    emulator.inject(Fault("status", status=429, retry_after=3600, times=None))
    assert_in_time(run, clock, retries)
    assert clock.slept == [60] * retries


@pytest.mark.promise("requests-are-bounded")
def test_pauses_never_grow_beyond_a_minute(run: Run, clock: FakeClock, emulator: Emulator) -> None:
    emulator.inject(Fault("reset_before", times=None))
    assert_in_time(run, clock, 12)
    assert max(clock.slept) == 60


@pytest.mark.parametrize("fault", ["drip_body", "drip_headers"])
def test_an_answer_that_drips_is_cut_off_at_the_timeout(run: Run, emulator: Emulator, fault: str) -> None:
    for number in range(20):
        emulator.add_volume(name=f"v{number}", bucket="https://a.example.com")
    emulator.inject(Fault(fault, times=None))
    started = time.monotonic()
    assert run("volume_info", timeout=2, retries=0)["failed"]
    assert 1.5 < time.monotonic() - started < 3
