# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Servers that are not there, not consoles, or not well: always a failed task with a message to act on."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.mark.parametrize("module", ["volume_info", "volume"])
def test_nobody_listens(run: Run, module: str) -> None:
    options = {} if module == "volume_info" else {"name": "a", "bucket": "https://a.example.com"}
    result = run(module, console_url=f"http://127.0.0.1:{free_port()}", **options)
    assert result["failed"]
    assert result["changed"] is False
    assert "Connection refused" in result["msg"]
    assert "GET /api/v1/volumes" in result["msg"]
    assert result["failure"]["status"] is None


def test_a_host_that_has_no_address(run: Run) -> None:
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert result["failure"]["status"] is None


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault("html", times=None), "an HTML page"),
        (Fault("html", status=404, times=None), "an HTML page"),
        (Fault("empty", times=None), "the answer is nothing"),
        (Fault("truncate", times=None), "the answer broke off"),
        (Fault("redirect", times=None), "redirects are not followed; this one leads to elsewhere.invalid/login"),
        (Fault("status", times=None), "HTTP 500"),
        (Fault("garbage", times=None), "not HTTP"),
        (Fault("reset_before", times=None), "GET /api/v1/volumes"),
        (Fault("silent_before", seconds=2, times=None), "no complete answer within 1 s"),
        (Fault("drip_body", times=None), "the answer broke off"),
        (Fault("drip_headers", times=None), "no complete answer within 1 s"),
        (Fault("wrong_json", times=None), "a list of records was expected"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else None,
)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_for_ever(run: Run, emulator: Emulator, fault: Fault, told: str, state: str) -> None:
    emulator.add_volume(name="a", bucket="https://a.example.com")
    emulator.add_volume(name="b", bucket="https://a.example.com")
    emulator.inject(fault)
    started = time.monotonic()
    result = run("volume", name="a", state=state, timeout=1, retries=1)
    assert time.monotonic() - started < 4
    assert result["failed"]
    assert result["changed"] is False
    assert told in result["msg"]
    assert "Traceback" not in str(result)
    assert emulator.writes == []


@pytest.mark.parametrize("body", ["field", "detail", "error", "text", "html", "empty"])
@pytest.mark.parametrize("status", [400, 401, 403, 418])
def test_wrong_credentials(run: Run, emulator: Emulator, body: str, status: int) -> None:
    emulator.reset(Dialect(error_body=body, auth_status=status))
    for wrong in ({"secret_key": "wrong-secret"}, {"access_key": "wrong-access"}):
        result = run("volume", name="a", bucket="https://a.example.com", **wrong)
        assert result["failed"]
        assert result["failure"]["status"] == status
        assert result["failure"]["message"]
        assert "<" not in result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize("route", ["404", "405", "501", "html"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_wrong_address_is_never_ok(run: Run, emulator: Emulator, route: str, state: str) -> None:
    emulator.reset(Dialect(unknown_route=route))
    result = run("volume", name="a", state=state, console_url=emulator.url + "/elsewhere")
    assert result["failed"]
    assert result["changed"] is False
    assert emulator.writes == []


@pytest.mark.parametrize(
    "value",
    ["not a url", "https://", "https://me:pw@console.example.com", "ftp://console.example.com", "https://h:port"],
)
def test_an_address_that_is_none(run: Run, emulator: Emulator, value: str) -> None:
    result = run("volume_info", console_url=value)
    assert "console_url is not the address of a console" in result["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize(
    "options",
    [
        {"name": "a", "region": "north"},
        {"name": "a", "block_size": "4k"},
        {"name": "a", "compatible": "maybe"},
        {"name": "a", "state": "gone"},
        {"name": "a", "extra_fields": "x"},
        {"name": "a", "wait": "perhaps"},
        {"name": ["a"], "id": "x"},
        {"name": "a", "unknown": 1},
        {"name": "a", "wait_timeout": "long"},
    ],
)
def test_options_of_a_wrong_type(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    result = run("volume", **options)
    assert result["failed"]
    assert result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize(
    "options",
    [
        {"name": "a\nb\x00\u202e"},
        {"name": "ä€😀" * 100},
        {"name": "x" * 10_000},
        {"name": "a", "region": 10**30},
        {"name": "a", "extra_fields": {"deep": {"deeper": [{"deepest": [None, True, 1.5]}]}}},
        {"id": 10**30, "state": "absent"},
    ],
)
def test_unusual_values_reach_the_console_or_are_refused_cleanly(
    run: Run, emulator: Emulator, options: dict[str, Any]
) -> None:
    result = run("volume", bucket="https://a.example.com", **options)
    assert "failed" not in result or "Traceback" not in str(result)
    assert all(request.authenticated for request in emulator.requests)


def test_half_a_surrogate_pair_in_an_answer_can_be_shown(run: Run, raw_server: Any) -> None:
    body = b'[{"id":1,"name":"\\ud800"}]'
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    (volume,) = run("volume_info", console_url=server.url)["volumes"]
    volume["name"].encode("utf-8")


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b"[NaN]", b'[{"id": 1' + b"0" * 5000 + b"}]", b"\xff\xfe", b'{"results": [], "next": [1]}']
)
def test_hostile_json_is_a_clean_failure(run: Run, raw_server: Any, body: bytes) -> None:
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    result = run("volume_info", console_url=server.url)
    assert result["failed"]
    assert "GET /api/v1/volumes" in result["msg"]


@pytest.mark.parametrize("fault", ["drip_body", "drip_headers"])
def test_an_answer_that_drips_is_cut_off_at_the_timeout(run: Run, emulator: Emulator, fault: str) -> None:
    for number in range(20):
        emulator.add_volume(name=f"v{number}", bucket="https://a.example.com")
    emulator.inject(Fault(fault, times=None))
    started = time.monotonic()
    assert run("volume_info", timeout=2, retries=0)["failed"]
    assert 1.5 < time.monotonic() - started < 3


@pytest.mark.parametrize("body", [b"<h1>" * 60_000, b"https://h:8080," * 20_000, b"token:" * 50_000, b"{" * 200_000])
def test_a_long_answer_takes_no_long_time(run: Run, raw_server: Any, body: bytes) -> None:
    head = b"HTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    server = raw_server(head + body)
    started = time.monotonic()
    assert run("volume_info", console_url=server.url, retries=0)["failed"]
    assert time.monotonic() - started < 5
