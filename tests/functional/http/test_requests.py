# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a request is signed, even if clocks disagree, how often it is sent and after which pauses, and that it ends.

The tables of the policy cover what is repeated at all, and which refusals are evidence of clocks that disagree; the fault
matrix covers how long tasks take.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import itertools
import json
import math
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from email.utils import formatdate
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings, read_connection
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import transport
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.client import Client
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import RetryBudget
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.signing import SignatureAuth
from emulator import Dialect, Emulator, Fault, signature
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import StartServer, http_response
from functional.support.tokens import authorization_in, signed_at

BUCKET = "https://v.example.com"
HOUR, YEAR = 3600, 365 * 86400
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
URLS = st.builds(
    "{}://{}{}/api/v1/{}".format,
    st.sampled_from(["http", "https"]),
    st.sampled_from(["h.example", "H.Example", "127.0.0.1", "[2001:DB8::1]", "xn--bcher-kva.example"]),
    st.sampled_from(["", ":80", ":443", ":8443"]),
    st.lists(TEXT, max_size=4).map("/".join).map(quote),
)
QUERIES = st.lists(st.tuples(TEXT, TEXT), max_size=6)
METHODS = st.sampled_from(["GET", "POST", "PATCH", "PUT", "DELETE"])


@given(URLS, QUERIES, METHODS, st.none() | st.binary(max_size=50), st.integers(0, 2**40))
def test_two_implementations_of_the_signature_agree_on_any_request(
    url: str, query: list[tuple[str, str]], method: str, body: bytes | None, timestamp: int
) -> None:
    auth = SignatureAuth("AK", "SK", timestamp)
    sent = requests.Request(method, url, params=query, data=body, auth=auth).prepare()
    assert isinstance(sent.body, bytes | None)
    other = signature.sign("AK", "SK", timestamp, method, str(sent.url), body=sent.body or None)
    assert json.loads(base64.b64decode(sent.headers["Authorization"])) == json.loads(other.token_json)
    assert sent.headers["Host"] == other.host
    assert urlsplit(str(sent.url)).query == other.query


@pytest.mark.promise("every-attempt-is-signed")
def test_every_attempt_is_signed_afresh(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", status=503, times=3, retry_after=60))
    run("volume_info")
    times = [signed_at(request.authorization or "") for request in emulator.requests]
    assert [later - earlier for earlier, later in itertools.pairwise(times)] == [60, 60, 60]


def test_one_connection_serves_a_whole_task(run: Run, emulator: Emulator, volume: int) -> None:
    quotas = [{"path": f"/{number}", "size": 1} for number in range(5)]
    assert "failed" not in run("quotas", volume_id=volume, quotas=quotas, concurrency=1)
    assert len({request.connection for request in emulator.requests}) == 1


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.parametrize(
    ("retry_after", "pauses"),
    [(None, []), (None, [0.5, 1, 2, 4, 8, 16, 32, 60, 60]), (7, [7]), (3600, [60] * 4), ("by its own clock", [20] * 2)],
)
def test_pauses(run: Run, emulator: Emulator, clock: FakeClock, retry_after: int | str, pauses: list[float]) -> None:
    emulator.retry_delay = None
    emulator.clock_offset = 100.0
    for number in range(len(pauses) + 1):
        date = formatdate(clock.now + 100 + 20 * (number + 1), usegmt=True)
        value = date if isinstance(retry_after, str) else retry_after
        emulator.inject(Fault("status", status=503, retry_after=value, nth=number + 1))
    result = run("volume_info", retries=len(pauses))
    assert result["failure"]["status"] == 503
    assert clock.slept == [pytest.approx(pause, abs=isinstance(retry_after, str)) for pause in pauses]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_connection_that_is_closed_is_made_again_if_nothing_was_sent(
    run: Run, raw_server: StartServer, scheme: str, method: str
) -> None:
    server = raw_server(b"")
    url = server.url.replace("http", scheme)
    result = run("api_request", console_url=url, method=method, path="volumes", retries=4)
    # With TLS, it is closed during the handshake.
    assert len(server.received) == (1 if (scheme, method) == ("http", "POST") else 5)
    assert "the connection was closed without a response" in result["msg"]
    assert "ca_path" not in result["msg"]


def test_an_error_of_tls_after_a_request_was_sent_is_not_permanent(
    run: Run, raw_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = http.client.HTTPResponse.begin

    def fail(response: http.client.HTTPResponse) -> None:
        # The server has the request by then.
        begin(response)
        raise ssl.SSLError(1, "bad record mac")

    monkeypatch.setattr(http.client.HTTPResponse, "begin", fail)
    server = raw_server(http_response([]))
    result = run("volume_info", console_url=server.url, retries=1)
    assert "bad record mac" in result["msg"]
    assert "ca_path" not in result["msg"]
    assert len(server.received) == 2


@pytest.mark.parametrize(("status", "pause"), [(429, 5), (503, 20)])
def test_a_creation_waits_as_long_as_the_console_asks(run: Run, emulator: Emulator, status: int, pause: int) -> None:
    emulator.inject(Fault("status", method="POST", status=status, times=2, retry_after=pause))
    assert run("volume", name="a", bucket=BUCKET)["changed"]
    methods = [request.method for request in emulator.requests]
    # A request that was surely not accepted is repeated without reading the list first.
    assert (methods[:4] == ["GET", "POST", "POST", "POST"]) is (status == 429)
    times = [request.time for request in emulator.writes]
    assert all(later - earlier >= pause for earlier, later in itertools.pairwise(times))
    assert len(emulator.volumes()) == 1


@pytest.mark.parametrize(
    ("status", "header", "pause"),
    [(503, "Retry-After: 30", 30), (429, "Retry-After: 30", 30), (429, "X-Header: x", 0.5)],
)
def test_while_the_console_asks_to_wait_no_other_request_is_sent(
    clock: FakeClock, raw_server: StartServer, status: int, header: str, pause: float
) -> None:
    def respond(_request: bytes) -> bytes:
        return http_response([], header, status=status if len(server.received) == 1 else 200)

    def let_another_try() -> None:
        other.start()
        # It waits, however long it is given.
        other.join(0.2)

    server = raw_server(respond)
    client = Client(Settings(server.url, "/api/v1", "AK", "SK"), clock, print)  # type: ignore[arg-type]
    other = threading.Thread(target=client.request, args=("GET", "/other"))
    clock.on_next_sleep(let_another_try)
    client.request("GET", "/limited")
    other.join()
    assert [request.split()[1] for request in server.received] == [b"/limited", b"/limited", b"/other"]
    assert clock.slept == [pause]


def hurried(values: Mapping[str, Any]) -> Settings:
    """Return the settings of a task with a quarter of a second for each request, whatever the option says."""
    return read_connection(values)._replace(timeout=0.25)  # type: ignore[arg-type]


@pytest.fixture
def quarter_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each request a quarter of a second."""
    monkeypatch.setattr(glue, "read_connection", hurried)


def silence(_request: bytes) -> bytes:
    """Send nothing, for longer than anybody waits."""
    threading.Event().wait(60)
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


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.usefixtures("quarter_second")
def test_a_console_that_says_nothing(run: Run, raw_server: StartServer) -> None:
    server = raw_server(silence)
    with full_queue() as unconnected:
        for url in (server.url, server.url.replace("http", "https"), unconnected):
            result = run("api_request", path="volumes", retries=1, console_url=url, validate_certs=False)
            assert "no complete response within 0.25 s" in result["msg"]
    # A busy server may not have seen the last ones.
    assert len(server.received) <= 4


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.parametrize("number", [1, 4])
def test_all_addresses_of_a_host_share_the_timeout(run: Run, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    waits: list[float] = []

    class Unreachable(socket.socket):
        def connect(self, _address: Any) -> None:
            waits.append(self.gettimeout() or math.inf)
            raise TimeoutError

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{last}", 80)) for last in range(1, number + 1)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: found)
    monkeypatch.setattr(socket, "socket", Unreachable)
    result = run("volume_info", console_url="http://many.example", timeout=30, retries=1)
    assert "no complete response within 30 s" in result["msg"]
    assert waits == [30 / number] * number * 2


@pytest.fixture
def ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ten seconds pass each time that a connection looks at the time."""
    readings = itertools.count(500.0, 10.0)
    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=lambda: next(readings)))


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list that gets the seconds that sockets are told to wait."""
    waits: list[float] = []

    def record(waiting: socket.socket, seconds: float | None) -> None:
        waits.extend([] if seconds is None else [seconds])
        socket.SocketType.settimeout(waiting, seconds)

    monkeypatch.setattr(socket.socket, "settimeout", record, raising=False)
    return waits


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.usefixtures("ten_seconds")
def test_each_step_of_a_request_has_the_time_that_is_left(
    run: Run, raw_server: StartServer, waits: list[float]
) -> None:
    server = raw_server(http_response([]))
    assert "failed" not in run("volume_info", console_url=server.url, timeout=100)
    # That it connects, that TLS would be agreed on, that it gets an answer, and each part of that.
    assert [round(seconds) for seconds in waits if seconds > 60][:4] == [100, 90, 100, 90]


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.usefixtures("ten_seconds")
def test_what_comes_too_late_is_not_read(run: Run, raw_server: StartServer) -> None:
    server = raw_server(http_response([], *(f"X-{number}: {'x' * 1000}" for number in range(90))))
    result = run("volume_info", console_url=server.url, timeout=30, retries=0)
    assert "no complete response within 30 s" in result["msg"]


def test_a_second_is_enough_for_a_console_that_answers_at_once(run: Run) -> None:
    assert "failed" not in run("volume_info", timeout=1)


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.usefixtures("quarter_second")
@pytest.mark.parametrize("part", ["headers", "body"])
def test_a_response_that_comes_byte_by_byte(run: Run, emulator: Emulator, part: str) -> None:
    for number in range(5):
        emulator.add_volume(name=f"v{number}", bucket=BUCKET)
    emulator.inject(Fault(f"drip_{part}", times=None, interval=0.1))
    result = run("volume_info", retries=1)
    assert re.search(r"no complete response within 0\.25 s|the response was incomplete", result["msg"])
    assert len(emulator.requests) <= 2


@pytest.mark.promise("requests-are-bounded")
@pytest.mark.usefixtures("quarter_second")
def test_a_correction_of_the_clock_costs_one_more_attempt(run: Run, clock: FakeClock, raw_server: StartServer) -> None:
    ahead = 3600
    date = formatdate(clock.time() + ahead, usegmt=True)

    def refuse_or_say_nothing(request: bytes) -> bytes:
        if signed_at(authorization_in(request)) - clock.time() > ahead / 2:
            return silence(request)
        return http_response(b"", f"Date: {date}", status=401)

    server = raw_server(refuse_or_say_nothing)
    assert run("api_request", path="volumes", retries=1, console_url=server.url)["failed"]
    assert 2 <= len(server.received) <= 3


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


@pytest.mark.promise("wrong-key-is-not-the-clock")
@pytest.mark.parametrize("offset", [0, HOUR])
@pytest.mark.parametrize("key", ["access_key", "secret_key"])
def test_a_wrong_key_is_not_blamed_on_the_clock(run: Run, emulator: Emulator, key: str, offset: int) -> None:
    emulator.clock_offset = offset
    result = run("volume_info", **{key: "another key"})
    assert result["failure"]["status"] == 401
    assert "check access_key and secret_key" in result["msg"]
    # The console answers the same to an unknown key, whatever the time.
    phrases = ("clock", "Signed with that time, the request was refused as well.", "The first refusal was: ")
    assert [words in result["msg"] for words in phrases] == [bool(offset)] * 2 + [bool(offset) and key == "secret_key"]
    assert (len(emulator.requests), result["warnings"]) == (1 + bool(offset), [])


@pytest.mark.promise("skew-is-bounded")
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


@pytest.mark.promise("skew-needs-evidence")
@pytest.mark.parametrize(("status", "detail", "is_about_time"), REFUSALS)
def test_only_a_refusal_that_is_about_the_time_is_signed_again(
    run: Run, raw_server: StartServer, clock: FakeClock, status: int, detail: str, is_about_time: bool
) -> None:
    server = raw_server(refusal(clock.now + 600, detail, status))
    result = run("volume_info", console_url=server.url)
    assert (result["failure"]["status"], len(server.received)) == (status, 1 + is_about_time)
    assert difference(result["msg"]) == pytest.approx(600, abs=1)
    phrases = ("Signed with that time", "neither the status", "Synchronize the clocks", "The first refusal was")
    assert [words in result["msg"] for words in phrases] == [is_about_time, *[not is_about_time] * 2, False]


@pytest.mark.promise("skew-needs-evidence")
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


@pytest.mark.promise("skew-needs-evidence")
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


def test_a_clock_is_corrected_once_in_a_request_whatever_follows(
    run: Run, raw_server: StartServer, clock: FakeClock
) -> None:
    def refuse_or_fail(request: bytes) -> bytes:
        is_corrected = signed_at(authorization_in(request)) > clock.time() + HOUR / 2
        return refusal(clock.time() + HOUR, status=500 if is_corrected else 401)

    server = raw_server(refuse_or_fail)
    result = run("volume_info", console_url=server.url, retries=3)
    assert result["failure"]["status"] == 500
    assert "clock" not in result["msg"]
    ahead = [signed_at(authorization_in(request)) > clock.now + HOUR / 2 for request in server.received]
    assert ahead == [False, True, True, True, True]


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


def client_of(url: str, clock: FakeClock, warnings: list[str] | None = None) -> Client:
    """Return a client for an address, with two retries."""
    warn = ([] if warnings is None else warnings).append
    return Client(Settings(url, "/api/v1", "AK", "SK", retries=2), clock, warn)  # type: ignore[arg-type]


@pytest.mark.promise("skew-is-corrected")
def test_a_clock_that_jumps_to_the_other_side_is_warned_of_again(raw_server: StartServer, clock: FakeClock) -> None:
    ahead = 600

    def respond(request: bytes) -> bytes:
        is_right = abs(signed_at(authorization_in(request)) - clock.now - ahead) < 300
        return http_response([]) if is_right else refusal(clock.now + ahead)

    warnings: list[str] = []
    client = client_of(raw_server(respond).url, clock, warnings)
    client.request("GET", "/first")
    ahead = -600
    client.request("GET", "/second")
    assert [difference(warning) for warning in warnings] == [pytest.approx(600, abs=1), pytest.approx(-600, abs=1)]


@pytest.mark.parametrize(
    ("method", "statuses", "maybe_applied"),
    [
        ("GET", [500, 500, 500], False),
        ("POST", [429, 400], False),
        ("POST", [500], True),
        ("PUT", [500, 400], True),
        ("PUT", [429, 429, 429], False),
    ],
)
def test_an_error_tells_whether_a_write_may_have_been_carried_out(
    raw_server: StartServer, clock: FakeClock, method: str, statuses: list[int], maybe_applied: bool
) -> None:
    server = raw_server(lambda _request: http_response(status=statuses[len(server.received) - 1]))
    client = client_of(server.url, clock)
    assert client.has_written is False
    with pytest.raises(RequestError) as caught:
        client.request(method, "/a")
    assert caught.value.details["failure"]["status"] == statuses[-1]
    assert (caught.value.maybe_applied, client.has_written) == (maybe_applied, method != "GET")
    assert (len(server.received), client.accepted) == (len(statuses), 0)


def test_writes_that_were_accepted_are_counted(raw_server: StartServer, clock: FakeClock) -> None:
    client = client_of(raw_server(http_response([])).url, clock)
    for method in ("POST", "GET", "PUT", "GET"):
        client.request(method, "/a")
    assert (client.accepted, client.has_written) == (2, True)


@pytest.mark.parametrize(("header", "pause"), [("Retry-After: 7", 7), ("X-Header: x", 0)])
def test_an_error_has_the_pause_that_the_console_asked_for(
    raw_server: StartServer, clock: FakeClock, header: str, pause: float
) -> None:
    server = raw_server(http_response(b"", header, status=429))
    with pytest.raises(RequestError) as caught:
        client_of(server.url, clock).request("PUT", "/a", budget=RetryBudget(1))
    assert (caught.value.pause, len(server.received)) == (pause, 2)


def test_after_a_write_that_failed_the_next_is_not_repeated_until_a_request_succeeds(
    raw_server: StartServer, clock: FakeClock
) -> None:
    server = raw_server(lambda request: http_response([], status=200 if request.startswith(b"GET") else 503))
    client = client_of(server.url, clock)
    for method, number in (("PUT", 3), ("PUT", 1), ("GET", 1), ("PUT", 3)):
        server.received.clear()
        with contextlib.suppress(RequestError):
            client.request(method, "/a")
        assert len(server.received) == number


def test_a_route_that_only_some_consoles_have_is_no_wrong_address(raw_server: StartServer, clock: FakeClock) -> None:
    client = client_of(raw_server(http_response(status=404)).url, clock)
    for get in (client.get_json, lambda path: client.request("GET", path)):
        with pytest.raises(RequestError) as caught:
            get("/a")
        assert "console_url" not in str(caught.value)


@pytest.mark.parametrize("body", [math.nan, {1, 2}], ids=["no number", "a set"])
def test_what_is_no_json_is_not_sent(raw_server: StartServer, clock: FakeClock, body: Any) -> None:
    server = raw_server(http_response())
    with pytest.raises(RequestError, match="POST /a: no usable response: the body cannot be sent as JSON: "):
        client_of(server.url, clock).request("POST", "/a", body=body)
    assert server.received == []


@pytest.mark.parametrize(
    ("method", "requests", "is_accepted"), [("GET", 3, False), ("PUT", 1, True), ("POST", 1, True)]
)
def test_a_response_that_breaks_off_is_enough_for_a_write(
    raw_server: StartServer, clock: FakeClock, method: str, requests: int, is_accepted: bool
) -> None:
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]")
    client = client_of(server.url, clock)
    with contextlib.nullcontext() if is_accepted else pytest.raises(RequestError, match="incomplete"):
        client.request(method, "/a")
    assert (len(server.received), client.accepted) == (requests, is_accepted)
