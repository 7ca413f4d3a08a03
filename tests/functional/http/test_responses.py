# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Responses that are invalid are described, and those that are large or without end are refused in little memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import values
from ansible_collections.managedfs.console.plugins.module_utils._internal.api import lists
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import transport
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer, http_response

MIB = 2**20
# A part of what docs/docsite/rst/guarantees.rst promises, as the limits are that part here.
PROMISED = 900 * MIB / 32
TOO_LARGE = "the response is larger than 32 MiB"
COMPRESSED = "the response is compressed, which was not asked for"
NO_JSON = "expected JSON, got"
REDIRECTED = "redirects are not followed, and this one leads to"
DEEP = b'[{"name":' + b'{"a":' * 4000 + b"1" + b"}" * 4002
GZIPPED = gzip.compress(b"[]")


def encoded(body: bytes, encoding: str = "gzip", status: int = 200) -> bytes:
    """Return a response whose body is in an encoding."""
    return http_response(body, f"Content-Encoding: {encoding}", status=status)


RESPONSES: dict[str, tuple[bytes, str]] = {
    "an HTML page": (http_response(b"<html><title>Sign in</title></html>"), f"{NO_JSON} an HTML page, 'Sign in'"),
    "nothing": (http_response(), f"{NO_JSON} an empty response"),
    "text": (http_response(b"hello"), f"{NO_JSON} other text"),
    "no HTTP": (b"220 mail.example.com\r\n\r\n", "invalid HTTP response"),
    "headers that break off": (b"HTTP/1.1 200 OK\r\nContent-Type: appl", "invalid HTTP response"),
    "a pause that is no number": (b"HTTP/1.1 429 X\r\nRetry-After: \xb2\r\nContent-Length: 0\r\n\r\n", "429"),
    "a redirect": (
        http_response(b"", "Location: http://elsewhere.invalid/login", status=302),
        f"{REDIRECTED} elsewhere.invalid/login",
    ),
    "a redirect to a port that is none": (
        http_response(b"", "Location: http://elsewhere.invalid:port/", status=307),
        REDIRECTED,
    ),
    "deep lists": (http_response(b"[" * 100_000), NO_JSON),
    "deep objects": (http_response(DEEP), NO_JSON),
    "no number": (http_response(b"[NaN]"), NO_JSON),
    "a long number": (http_response(b'[{"id": 1' + b"0" * 5000 + b"}]"), "a number of more than 308 digits"),
    "a large exponent in an error": (http_response(b'{"detail": [1.5e400]}', status=400), "400"),
    "another encoding": (http_response(b"\xff\xfe"), f"{NO_JSON} other text"),
    "compressed, nothing": (encoded(b""), "got an empty response"),
    "compressed": (encoded(GZIPPED), COMPRESSED),
    # None of them takes time that grows with the square of its length.
    "long HTML": (http_response(b"<h1>" * 60_000, status=400), "400"),
    "many addresses": (http_response(b"https://h:8080," * 20_000, status=400), "400"),
    "many secrets": (http_response(b"token:" * 50_000, status=400), "400"),
    "a title without end": (http_response(b"<title" * 400_000), f"{NO_JSON} an HTML page"),
    "a long title": (http_response(b"<title>" + b"\x7f" * 3_000_000), f"{NO_JSON} an HTML page"),
}


@pytest.mark.parametrize(("response", "message"), RESPONSES.values(), ids=RESPONSES)
def test_an_unusual_response(run: Run, raw_server: StartServer, response: bytes, message: str) -> None:
    server = raw_server(response)
    result = run("volume_info", console_url=server.url, retries=0)
    assert message in result["msg"]
    assert "GET /api/v1/volumes" in result["msg"]
    shown = run("api_request", console_url=server.url, path="volumes", retries=0)
    assert "invocation" in json.loads(json.dumps(shown, allow_nan=False))


ODD_LENGTH = b'HTTP/1.1 200 OK\r\nContent-Length: \xb2\r\n\r\n[{"id": 1, "name": "v"}]'
READABLE: dict[str, tuple[bytes, str]] = {
    "a length that is no number": (ODD_LENGTH, "v"),
    "half a surrogate pair": (http_response(b'[{"id": 1, "name": "\\ud800"}]'), "\N{REPLACEMENT CHARACTER}"),
}


@pytest.mark.parametrize(("response", "name"), READABLE.values(), ids=READABLE)
def test_what_can_be_read_is_read(run: Run, raw_server: StartServer, response: bytes, name: str) -> None:
    server = raw_server(response)
    (volume,) = run("volume_info", console_url=server.url)["volumes"]
    assert volume["name"] == name


@pytest.fixture
def _one_mib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits of 32 MiB and 2,000,000 values."""
    for module in (transport, lists):
        monkeypatch.setattr(module, "MAX_MIB", 1)
    for module in (values, lists):
        monkeypatch.setattr(module, "MAX_VALUES", 62_500)


def stream(_request: bytes) -> Iterator[bytes]:
    """Yield a response that has no end."""
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"10000\r\n" + b" " * 2**16 + b"\r\n"


HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
# Framing of a body that never ends: a chunk's size, its extension, a trailer, chunks of a byte, and interim responses.
ENDLESS_FRAMES = {
    "a size": (HEAD, b"0" * 2**16),
    "an extension": (HEAD + b"5;", b"x" * 2**16),
    "a trailer": (HEAD + b"2\r\n[]\r\n0\r\nX: ", b"x" * 2**16),
    "small chunks": (HEAD, b"1\r\n \r\n" * 10_000),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 10_000),
    "continuations": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 3_000),
}


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.usefixtures("_one_mib")
@pytest.mark.parametrize("response", [stream, http_response(b" " * 2 * MIB, status=401)], ids=["endless", "401"])
def test_a_large_response_is_refused_in_little_memory(run: Run, raw_server: StartServer, response: Any) -> None:
    server = raw_server(response)
    tracemalloc.start()
    result = run("volume_info", console_url=server.url)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert TOO_LARGE in result["msg"]
    assert len(server.received) == 1
    assert peak < 8 * MIB


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.usefixtures("_one_mib")
def test_the_largest_response_that_is_read(run: Run, raw_server: StartServer) -> None:
    for length, is_read in ((MIB, True), (MIB + 1, False)):
        result = run("volume_info", console_url=raw_server(http_response(b"[]".ljust(length))).url, retries=0)
        assert ("failed" in result, TOO_LARGE in result.get("msg", "")) == (not is_read, not is_read)


@pytest.mark.no_cover
@pytest.mark.promise("responses-are-bounded")
@pytest.mark.usefixtures("_one_mib")
@pytest.mark.parametrize(("start", "more"), ENDLESS_FRAMES.values(), ids=ENDLESS_FRAMES)
def test_what_frames_a_response_is_bounded(run: Run, raw_server: StartServer, start: bytes, more: bytes) -> None:
    sent = 0

    def respond(_request: bytes) -> Iterator[bytes]:
        nonlocal sent
        yield start
        while True:
            yield more
            sent += len(more)

    server = raw_server(respond)
    tracemalloc.start()
    result = run("volume_info", console_url=server.url, retries=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert any(
        reason in result["msg"] for reason in (TOO_LARGE, "the response was incomplete", "invalid HTTP response")
    )
    assert peak < 8 * MIB
    # The buffers of the system hold bytes that were sent, too.
    assert sent < 20 * MIB


def listed_json(record: bytes, number: int) -> bytes:
    return b"[" + b",".join([record] * number) + b"]"


DENSE = {
    "empty objects": listed_json(b"{}", 250_000),
    "empty lists": b'[{"id": 1, "name": "v", "x": ' + listed_json(b"[]", 250_000) + b"}]",
    "records": b"[" + b",".join(b'{"id":%d,"name":"v%d"}' % (number, number) for number in range(22_500)) + b"]",
    "fields": b'[{"id": 1, "name": "v"' + b"".join(b',"%d":1' % number for number in range(65_000)) + b"}]",
}


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.usefixtures("_one_mib")
@pytest.mark.parametrize("content", DENSE.values(), ids=DENSE)
def test_many_values_in_few_bytes_are_refused_in_little_memory(
    run: Run, raw_server: StartServer, content: bytes
) -> None:
    server = raw_server(http_response(content))
    for module, options in (("volume_info", {}), ("api_request", {"path": "volumes"})):
        tracemalloc.start()
        result = run(module, console_url=server.url, **options)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if module == "volume_info":
            assert "expected JSON, got more than 62,500 values" in result["msg"]
        assert peak < PROMISED


@pytest.mark.no_cover
@pytest.mark.promise("responses-are-bounded")
@pytest.mark.usefixtures("_one_mib")
@pytest.mark.parametrize(
    ("module", "records"),
    [
        *((module, [{"id": n, "name": f"v{n}"} for n in range(20_800)]) for module in ("volume_info", "volumes")),
        # Texts of one such character take four times the memory, and each of these names is another.
        (
            "volume_info",
            [{"id": 1, "name": "v"} | {f"{chr(2**16 + n // 10)}{n % 10}": chr(2**17 + n) for n in range(62_200)}],
        ),
    ],
    ids=["records", "records to change", "different names"],
)
def test_what_is_just_allowed_takes_little_memory(
    run: Run, raw_server: StartServer, module: str, records: list[dict[str, Any]]
) -> None:
    server = raw_server(http_response(json.dumps(records, separators=(",", ":"), ensure_ascii=False).encode()))
    options = {"volumes": [{"name": "new", "bucket": "https://b.example.com"}]} if module == "volumes" else {}
    tracemalloc.start()
    result = run(module, console_url=server.url, check=True, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "failed" not in result
    assert peak < PROMISED


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.usefixtures("_one_mib")
def test_of_a_write_the_status_counts_however_long_the_response(run: Run, raw_server: StartServer) -> None:
    def respond(request: bytes) -> bytes:
        if request.startswith(b"POST"):
            return http_response(b" " * 3 * MIB, status=201)
        is_created = any(received.startswith(b"POST") for received in server.received)
        quotas = [{"id": 1, "path": "/a", "size": 1}] if is_created else []
        return http_response(quotas if b"/quotas " in request else [{"id": 7, "name": "v"}])

    server = raw_server(respond)
    result = run("quota", console_url=server.url, volume="v", path="/a", size=1)
    assert result["changed"]
    assert "failed" not in result
    sent = run("api_request", console_url=server.url, method="POST", path="volumes/7/quotas")
    assert TOO_LARGE in sent["msg"]
    assert sent["changed"]
    assert sum(request.startswith(b"POST") for request in server.received) == 2
