# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a request is signed, how often it is sent and after which pauses, and that it ends.

The tables of the policy cover what is repeated at all; the fault matrix covers how long tasks take.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import math
import re
import socket
import threading
from collections.abc import Iterator, Mapping
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
from emulator import Emulator, Fault, signature
from functional.support.inprocess import FakeClock, Run
from functional.support.rawserver import StartServer, http_response
from functional.support.tokens import authorization_in, signed_at

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
