# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What becomes of single requests: what an error tells, what counts as accepted, and what is sent again."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.client import Client
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import RetryBudget
from functional.support.inprocess import FakeClock
from functional.support.rawserver import StartServer, http_response


def client_of(url: str, clock: FakeClock) -> Client:
    """Return a client for an address, with two retries."""
    return Client(Settings(url, "/api/v1", "AK", "SK", retries=2), clock, print)  # type: ignore[arg-type]


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
