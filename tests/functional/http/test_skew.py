# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clocks that disagree."""

from __future__ import annotations

import json
import re
import threading
from email.utils import formatdate

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import RawServer, StartServer
from functional.support.tokens import authorization_in, signed_at

HOUR, DAY, YEAR = 3600, 86400, 365 * 86400


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("offset", [HOUR, -HOUR, 301, -301, 600])
@pytest.mark.parametrize("answers", ["plain", "terse", "html"])
def test_skew_is_corrected_once_and_kept(run: Run, emulator: Emulator, offset: int, answers: str) -> None:
    emulator.reset(Dialect(answers=answers))
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
    assert "Signed with that time, the request was refused as well" in result["msg"]
    assert "not the cause" not in result["msg"]
    assert result["warnings"] == []


def no_signature_for_later(server: RawServer, clock: FakeClock) -> bool:
    """Return whether no request was signed for a time that is still to come."""
    return all(signed_at(authorization_in(request)) <= clock.now for request in server.received)


@pytest.mark.promise("skew-is-bounded")
@pytest.mark.parametrize("ahead", [HOUR + 10, -HOUR - 10, DAY, -DAY, 75 * YEAR])
@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_difference_of_more_than_an_hour_is_told_and_never_signed_for(
    run: Run, raw_server: StartServer, clock: FakeClock, ahead: int, status: int
) -> None:
    server = raw_server(refusal(status, clock.now + ahead, b'{"detail": "The timestamp has expired."}'))
    for name, options in (("volume_info", {}), ("api_request", {"path": "volumes", "method": "POST"})):
        result = run(name, console_url=server.url, **options)
        (_whole, seconds, direction) = find_difference(result["msg"])
        assert int(seconds) == pytest.approx(abs(ahead), abs=1)
        assert direction == ("ahead of" if ahead > 0 else "behind")
        assert "a difference of more than an hour is never corrected. Synchronize the clocks." in result["msg"]
        assert result["warnings"] == []
    assert len(server.received) == 2
    assert no_signature_for_later(server, clock)


def refusal(status: int, time: float, body: bytes) -> bytes:
    """Return a response that refuses a request, with the Date of a time."""
    head = b"HTTP/1.1 %d No\r\nDate: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % (status, formatdate(time, usegmt=True).encode(), len(body)) + body


def find_difference(message: str) -> tuple[str, str, str]:
    """Return what a message says of the clocks: all of it, the seconds, and which clock is ahead."""
    match = re.search(
        r"The console's clock is (\d+) s (ahead of|behind) this machine's, as its Date header tells", message
    )
    assert match, message
    return match[0], match[1], match[2]


@pytest.mark.promise("skew-needs-evidence")
@pytest.mark.parametrize(
    ("status", "detail", "is_about_time"),
    [
        (400, "Request time too skewed", True),
        (400, "RequestTimeTooSkewed", True),
        (400, "code: CLOCK_SKEW", True),
        (400, "this field must be unique; timestamp: invalid", True),
        (400, "Your token has expired.", True),
        (400, "out of date", True),
        (400, "The bucket cannot be updated at runtime.", False),
        (400, "validated sometimes", False),
        (400, "", False),
        (408, "time", False),
        (410, "expired", False),
        (418, "The timestamp is wrong", False),
    ],
)
def test_only_a_refusal_that_is_about_the_time_is_signed_again(
    run: Run, raw_server: StartServer, clock: FakeClock, status: int, detail: str, is_about_time: bool
) -> None:
    server = raw_server(refusal(status, clock.now + 600, json.dumps({"detail": detail}).encode()))
    result = run("volume_info", console_url=server.url)
    assert result["failure"]["status"] == status
    assert len(server.received) == 1 + is_about_time
    assert find_difference(result["msg"])[1] in ("599", "600")
    assert ("Signed with that time" in result["msg"]) is is_about_time
    assert ("neither the status" in result["msg"]) is not is_about_time
    assert ("Synchronize the clocks" in result["msg"]) is not is_about_time


@pytest.mark.promise("skew-needs-evidence")
def test_over_http_the_time_of_another_host_is_not_believed(
    run: Run, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", emulator.url)
    emulator.clock_offset = 600
    # The first host is another one; to the second one, requests go through a proxy.
    for url in ("http://console.invalid", "http://127.0.0.1:1"):
        emulator.forget_requests()
        result = run("volume_info", console_url=url)
        assert find_difference(result["msg"])
        assert "over http anybody could have sent it. Synchronize the clocks." in result["msg"]
        assert len(emulator.requests) == 1


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


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("ahead", [HOUR, -HOUR, 600])
@pytest.mark.parametrize("nth", [1, 3, 6, 12])
@pytest.mark.parametrize(("concurrency", "back"), [(8, None), (1, 45)])
def test_a_clock_that_jumps_while_requests_run_side_by_side_fails_none(
    run: Run, emulator: Emulator, volume: int, ahead: int, nth: int, concurrency: int, back: int | None
) -> None:
    emulator.inject(Fault("clock", method="POST", nth=nth, seconds=ahead))
    if back:
        # Side by side, a request that was refused for the first jump could be signed again only after the second.
        emulator.inject(Fault("clock", method="POST", nth=back, seconds=0))
    quotas = [{"path": f"/{number}", "size": 1} for number in range(60)]
    result = run("quotas", volume_id=volume, quotas=quotas, concurrency=concurrency)
    assert "failed" not in result
    assert len(result["created"]) == len(emulator.quotas(volume)) == 60


class JumpingConsole:
    """A console whose clock jumps: the second of two refused creations hears of it only when the first one's client knows."""

    def __init__(self, clock: FakeClock) -> None:
        self.created: list[str] = []
        self._clock = clock
        self._lock = threading.Lock()
        self._refused = 0
        self._both_refused = threading.Event()
        self._is_known = threading.Event()

    def __call__(self, request: bytes) -> bytes:
        """Respond to a request."""
        head, _blank, body = request.partition(b"\r\n\r\n")
        if head.startswith(b"GET"):
            with self._lock:
                quotas = [{"id": number, "path": path, "size": 1} for number, path in enumerate(self.created)]
            return self._response(200, quotas if b"/quotas " in head else [{"id": 7, "name": "v"}])
        if abs(signed_at(authorization_in(request)) - self._clock.now) < HOUR / 2:
            return self._refuse()
        with self._lock:
            self.created.append(json.loads(body)["path"])
            if len(self.created) > 1:
                # The sender of the first creation sends the next one: it has kept the corrected time by now.
                self._is_known.set()
        return self._response(201, {})

    def _refuse(self) -> bytes:
        with self._lock:
            self._refused += 1
            is_second = self._refused == 2
        if is_second:
            self._both_refused.set()
            assert self._is_known.wait(60)
        assert self._both_refused.wait(60)
        return self._response(401, {"detail": "no"})

    def _response(self, status: int, value: object) -> bytes:
        body = json.dumps(value).encode()
        date = formatdate(self._clock.now + HOUR, usegmt=True).encode()
        head = b"HTTP/1.1 %d X\r\nDate: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        return head % (status, date, len(body)) + body


@pytest.mark.promise("skew-is-corrected")
def test_a_refusal_is_judged_by_the_time_that_its_own_request_was_signed_with(
    run: Run, raw_server: StartServer, clock: FakeClock
) -> None:
    console = JumpingConsole(clock)
    server = raw_server(console)
    quotas = [{"path": f"/{number}", "size": 1} for number in range(4)]
    result = run("quotas", console_url=server.url, volume="v", quotas=quotas, concurrency=2)
    assert "failed" not in result
    assert sorted(console.created) == ["/0", "/1", "/2", "/3"]
