# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a request is signed, with which time, how often it is sent and after which pauses, and that it ends."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import math
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from email.utils import formatdate
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings, read_connection
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.client import Client
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import SignatureAuth
from emulator import Dialect, Emulator, Fault, signature
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import StartServer, authorization_in, http_response, signed_at

BUCKET = "https://v.example.com"
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


def test_every_attempt_is_signed_afresh(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", status=503, times=3, retry_after=60))
    run("volume_info")
    times = [signed_at(request.authorization or "") for request in emulator.requests]
    assert [later - earlier for earlier, later in itertools.pairwise(times)] == [60, 60, 60]


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
def test_all_addresses_of_a_host_share_the_timeout(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Unreachable(socket.socket):
        def connect(self, _address: Any) -> None:
            waits.append(self.gettimeout() or math.inf)
            raise TimeoutError

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{number}", 80)) for number in range(1, 5)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: found)
    monkeypatch.setattr(socket, "socket", Unreachable)
    result = run("volume_info", console_url="http://many.example", timeout=30, retries=1)
    assert "no complete response within 30 s" in result["msg"]
    assert waits == [7.5] * 8


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
