# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests are signed with the time of the console where clocks disagree, and where that can be trusted.

The tables of the policy cover which refusals are evidence of that.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from email.utils import formatdate

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.client import Client
from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import StartServer, http_response
from functional.support.tokens import authorization_in, signed_at

BUCKET = "https://v.example.com"
HOUR, YEAR = 3600, 365 * 86400


def refusal(time: float, detail: str = "no", status: int = 401) -> bytes:
    """Return a response that refuses a request, with a Date."""
    return http_response({"detail": detail}, f"Date: {formatdate(time, usegmt=True)}", status=status)


def difference(message: str) -> int:
    """Return the seconds by which the console's clock is ahead, according to a message."""
    match = re.search(r"The console's clock is (\d+) s (ahead of|behind) this machine's", message)
    assert match, message
    return int(match[1]) if match[2] == "ahead of" else -int(match[1])


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize(("offset", "answers"), [(HOUR, "plain"), (-HOUR, "terse"), (301, "html"), (-301, "plain")])
def test_a_skew_is_corrected_once_and_kept(run: Run, emulator: Emulator, offset: int, answers: str) -> None:
    emulator.reset(Dialect(answers=answers))
    emulator.clock_offset = offset
    result = run("volume", name="a", bucket=BUCKET)
    assert result["changed"]
    assert sum(not request.authenticated for request in emulator.requests) == 1
    assert len(emulator.writes) == 1
    (warning,) = result["warnings"]
    assert difference(warning) == pytest.approx(offset, abs=1)
    # A skew that the console accepts is not mentioned.
    emulator.clock_offset = offset * 290 / abs(offset)
    emulator.forget_requests()
    assert (run("volume_info")["warnings"], len(emulator.requests)) == ([], 1)


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("offset", [0, HOUR])
@pytest.mark.parametrize("key", ["access_key", "secret_key"])
def test_a_wrong_key_is_not_blamed_on_the_clock(run: Run, emulator: Emulator, key: str, offset: int) -> None:
    emulator.clock_offset = offset
    result = run("volume_info", **{key: "another key"})
    assert result["failure"]["status"] == 401
    assert "check access_key and secret_key" in result["msg"]
    # The console answers the same to an unknown key, whatever the time.
    phrases = ("clock", "Signed with that time, the request was refused as well.")
    assert [words in result["msg"] for words in phrases] == [bool(offset)] * 2
    assert (len(emulator.requests), result["warnings"]) == (1 + bool(offset), [])


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("ahead", [HOUR + 10, -HOUR - 10, 75 * YEAR])
def test_a_difference_of_more_than_an_hour_is_never_signed_for(
    run: Run, raw_server: StartServer, clock: FakeClock, ahead: int
) -> None:
    server = raw_server(refusal(clock.now + ahead))
    for name, options in (("volume_info", {}), ("api_request", {"path": "volumes", "method": "POST"})):
        result = run(name, console_url=server.url, **options)
        assert difference(result["msg"]) == pytest.approx(ahead, abs=1)
        assert "a difference of more than an hour is never corrected. Synchronize the clocks." in result["msg"]
        assert result["warnings"] == []
    assert len(server.received) == 2
    assert all(signed_at(authorization_in(request)) <= clock.now for request in server.received)


ABOUT_TIME = ["Request time too skewed", "RequestTimeTooSkewed", "code: CLOCK_SKEW", "Your token has expired."]
ABOUT_TIME += ["out of date", "this field must be unique; timestamp: invalid"]
REFUSALS = [*((400, detail, True) for detail in ABOUT_TIME), (400, "The bucket cannot be updated at runtime.", False)]
REFUSALS += [(400, "validated sometimes", False), (408, "time", False), (418, "The timestamp is wrong", False)]


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize(("status", "detail", "is_about_time"), REFUSALS)
def test_only_a_refusal_that_is_about_the_time_is_signed_again(
    run: Run, raw_server: StartServer, clock: FakeClock, status: int, detail: str, is_about_time: bool
) -> None:
    server = raw_server(refusal(clock.now + 600, detail, status))
    result = run("volume_info", console_url=server.url)
    assert (result["failure"]["status"], len(server.received)) == (status, 1 + is_about_time)
    assert difference(result["msg"]) == pytest.approx(600, abs=1)
    phrases = ("Signed with that time", "neither the status", "Synchronize the clocks")
    assert [words in result["msg"] for words in phrases] == [is_about_time, *[not is_about_time] * 2]


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("url", ["http://console.invalid", "http://127.0.0.1:1"], ids=["another host", "by a proxy"])
def test_over_http_the_time_of_another_host_is_not_believed(
    run: Run, emulator: Emulator, use_proxy: Callable[..., None], url: str
) -> None:
    use_proxy(emulator.url)
    emulator.clock_offset = 600
    result = run("volume_info", console_url=url)
    assert difference(result["msg"])
    assert "over http anybody could have sent it. Synchronize the clocks." in result["msg"]
    assert len(emulator.requests) == 1


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize("why", ["from a cache", "no date", "slow"])
def test_without_a_date_that_can_be_trusted_nothing_is_corrected(
    run: Run, emulator: Emulator, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    emulator.clock_offset = HOUR
    emulator.age = "5" if why == "from a cache" else None
    emulator.send_date = why != "no date"
    if why == "slow":
        readings = itertools.count(0.0, 31.0)
        monkeypatch.setattr(clock, "elapsed", lambda: next(readings))
    assert run("volume_info")["failed"]
    assert len(emulator.requests) == 1


@pytest.mark.promise("skew-is-corrected")
@pytest.mark.parametrize(
    ("ahead", "nth", "concurrency", "back"),
    # Side by side, a request that was refused for the first jump could be signed again only after the second.
    [(HOUR, 1, 8, None), (-HOUR, 3, 8, None), (600, 12, 8, None), (HOUR, 6, 1, 45)],
)
def test_a_clock_that_jumps_while_requests_run_side_by_side_fails_none(
    run: Run, emulator: Emulator, volume: int, ahead: int, nth: int, concurrency: int, back: int | None
) -> None:
    emulator.inject(Fault("clock", method="POST", nth=nth, seconds=ahead))
    if back:
        emulator.inject(Fault("clock", method="POST", nth=back, seconds=0))
    quotas = [{"path": f"/{number}", "size": 1} for number in range(60)]
    result = run("quotas", volume_id=volume, quotas=quotas, concurrency=concurrency)
    assert "failed" not in result
    assert len(result["created"]) == len(emulator.quotas(volume)) == 60


@pytest.mark.promise("skew-is-corrected")
def test_a_refusal_is_judged_by_the_time_that_its_own_request_was_signed_with(
    raw_server: StartServer, clock: FakeClock
) -> None:
    def respond(request: bytes) -> bytes:
        if signed_at(authorization_in(request)) > clock.now + HOUR / 2:
            return http_response([])
        if b"/first" in request:
            # Another refused request has corrected the time before the first one hears of its refusal.
            client.request("GET", "/second")
        return refusal(clock.now + HOUR)

    server = raw_server(respond)
    warnings: list[str] = []
    client = Client(Settings(server.url, "/api/v1", "AK", "SK"), clock, warnings.append)  # type: ignore[arg-type]
    client.request("GET", "/first")
    paths = [b"/first", b"/second", b"/second", b"/first"]
    assert [request.split()[1] for request in server.received] == paths
    assert len(warnings) == 1
