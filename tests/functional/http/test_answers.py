# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Responses that no console should send: each ends in a message that describes the response."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault("html", times=None), "an HTML page"),
        (Fault("html", status=404, times=None), "an HTML page"),
        (Fault("empty", times=None), "got an empty response"),
        (Fault("truncate", times=None), "the response was incomplete"),
        (Fault("redirect", times=None), "redirects are not followed, and this one leads to elsewhere.invalid/login"),
        (Fault("status", times=None), "HTTP 500"),
        (Fault("garbage", times=None), "invalid HTTP"),
        (Fault("reset_before", times=None), "GET /api/v1/volumes"),
        (Fault("silent_before", seconds=2, times=None), "no complete response within 1 s"),
        (Fault("drip_body", times=None), "the response was incomplete"),
        (Fault("drip_headers", times=None), "no complete response within 1 s"),
        (Fault("wrong_json", times=None), "expected a list of records"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else None,
)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_what_goes_wrong_for_ever_is_told_with_its_cause(
    run: Run, emulator: Emulator, fault: Fault, message: str, state: str
) -> None:
    emulator.add_volume(name="a", bucket="https://a.example.com")
    emulator.add_volume(name="b", bucket="https://a.example.com")
    emulator.inject(fault)
    started = time.monotonic()
    result = run("volume", name="a", state=state, timeout=1, retries=1)
    assert time.monotonic() - started < 4
    assert result["failed"]
    assert result["changed"] is False
    assert message in result["msg"]
    assert "Traceback" not in str(result)
    assert emulator.writes == []


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b"[NaN]", b'[{"id": 1' + b"0" * 5000 + b"}]", b"\xff\xfe", b'{"results": [], "next": [1]}']
)
def test_hostile_json_is_a_clean_failure(run: Run, raw_server: StartServer, body: bytes) -> None:
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    result = run("volume_info", console_url=server.url)
    assert result["failed"]
    assert "GET /api/v1/volumes" in result["msg"]


NUMBERS = [b"1e999", b"-1e999", b"1" + b"0" * 308, b"1" + b"0" * 5000, b"-" + b"9" * 5000, b"1.5e400"]


@pytest.mark.promise("never-a-traceback")
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:6].decode())
@pytest.mark.parametrize("module", ["volume_info", "volume", "api_request"])
@pytest.mark.parametrize("status", [200, 400])
def test_a_number_that_nobody_can_compute_with_is_a_clean_failure(
    run: Run, raw_server: StartServer, number: bytes, module: str, status: int
) -> None:
    body = b'[{"id": 1, "name": "v", "size": %s, "detail": [%s]}]' % (number, number)
    server = raw_server(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body))
    options: dict[str, Any] = {"volume": {"name": "v"}, "api_request": {"path": "volumes"}}.get(module, {})
    result = run(module, console_url=server.url, **options)
    json.dumps(result, allow_nan=False)
    if module == "api_request" and status == 200:
        assert result["content"]
    elif status == 200:
        assert "expected JSON, got a number of more than 308 digits" in result["msg"]
    else:
        assert result["failure"]["status"] == 400


def test_half_a_surrogate_pair_in_an_answer_can_be_shown(run: Run, raw_server: StartServer) -> None:
    body = b'[{"id":1,"name":"\\ud800"}]'
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    (volume,) = run("volume_info", console_url=server.url)["volumes"]
    volume["name"].encode("utf-8")


@pytest.mark.parametrize("body", [b"<h1>" * 60_000, b"https://h:8080," * 20_000, b"token:" * 50_000, b"{" * 200_000])
def test_a_long_answer_takes_no_long_time(run: Run, raw_server: StartServer, body: bytes) -> None:
    head = b"HTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    server = raw_server(head + body)
    started = time.monotonic()
    assert run("volume_info", console_url=server.url, retries=0)["failed"]
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 429 No\r\nRetry-After: \xb2\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: \xb2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20012\r\n\r\n" + b'[{"name":' + b'{"a":' * 4000 + b"1" + b"}" * 4002,
    ],
)
@pytest.mark.parametrize("module", ["volume_info", "api_request"])
def test_odd_answers_end_in_a_result(run: Run, raw_server: StartServer, answer: bytes, module: str) -> None:
    server = raw_server(answer)
    options = {"path": "volumes"} if module == "api_request" else {}
    assert "invocation" in run(module, console_url=server.url, retries=1, **options)


def test_headers_that_break_off_are_no_answer(run: Run, raw_server: StartServer) -> None:
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Type: appl")
    result = run("volume_info", console_url=server.url, retries=1)
    assert result["failure"]["status"] is None
    assert len(server.received) == 2


@pytest.mark.parametrize("place", [b"http://[", b"\xe9", b"http://elsewhere.invalid:port/"])
def test_a_redirect_is_told_as_one_wherever_it_leads(run: Run, raw_server: StartServer, place: bytes) -> None:
    server = raw_server(b"HTTP/1.1 301 X\r\nConnection: close\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n" % place)
    result = run("volume_info", console_url=server.url, retries=0)
    assert result["failure"]["status"] == 301
    assert "redirects are not followed" in result["msg"]
