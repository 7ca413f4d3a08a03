# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Responses without end: what is read of them has a limit, and so has the memory that it takes."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.api import lists
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer

MIB = 2**20
TOO_LARGE = "the response is larger than 256 MiB"
READ: list[tuple[str, dict[str, Any]]] = [("volume_info", {}), ("api_request", {"path": "volumes"})]


def response(body: bytes, *headers: str, status: int = 200) -> bytes:
    """Return a response with a body and further headers."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def bomb(mib: int) -> bytes:
    """Return a text in JSON of so many MiB, compressed."""
    compressor = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    pieces = [compressor.compress(b'"'), *(compressor.compress(b"x" * MIB) for _mib in range(mib))]
    return b"".join([*pieces, compressor.compress(b'"'), compressor.flush()])


@pytest.fixture(scope="module")
def gigabyte() -> bytes:
    """Return a gigabyte, compressed."""
    return bomb(1024)


def stream(_request: bytes) -> Iterator[bytes]:
    """Yield a response that has no end."""
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"100000\r\n" + b" " * MIB + b"\r\n"


def peak_of(act: Callable[[], Any]) -> tuple[Any, int]:
    """Return what a function returns, and how many MiB more it took at the most."""
    tracemalloc.start()
    try:
        return act(), tracemalloc.get_traced_memory()[1] // MIB
    finally:
        tracemalloc.stop()


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.parametrize(("module", "options"), READ)
@pytest.mark.parametrize("status", [200, 401, 500])
def test_a_compressed_gigabyte_is_refused_in_little_memory(
    run: Run, raw_server: StartServer, gigabyte: bytes, module: str, options: dict[str, Any], status: int
) -> None:
    server = raw_server(response(gigabyte, "Content-Encoding: gzip", status=status))
    result, peak = peak_of(lambda: run(module, console_url=server.url, timeout=60, **options))
    assert TOO_LARGE in result["failure"]["message"]
    assert result["failure"]["status"] == status
    assert len(server.received) == 1
    assert peak < 300


@pytest.mark.promise("responses-are-bounded")
def test_a_response_without_end_is_refused(run: Run, raw_server: StartServer) -> None:
    server = raw_server(stream)
    result, peak = peak_of(lambda: run("volume_info", console_url=server.url, timeout=60))
    assert TOO_LARGE in result["msg"]
    assert len(server.received) == 1
    assert peak < 300


@pytest.mark.promise("responses-are-bounded")
def test_of_a_write_the_status_counts_however_long_the_response(
    run: Run, raw_server: StartServer, gigabyte: bytes
) -> None:
    created: list[bytes] = []

    def answer(request: bytes) -> bytes:
        if request.startswith(b"POST"):
            created.append(request)
            return response(gigabyte, "Content-Encoding: gzip", status=201)
        quotas = [{"id": 1, "path": "/a", "size": 1}] if created else []
        return response(json.dumps(quotas if b"/quotas " in request else [{"id": 7, "name": "v"}]).encode())

    server = raw_server(answer)
    result = run("quota", console_url=server.url, volume="v", path="/a", size=1)
    assert result["changed"]
    assert "failed" not in result
    assert len(created) == 1
    own = run("api_request", console_url=server.url, method="POST", path="volumes/7/quotas")
    assert TOO_LARGE in own["msg"]
    assert own["changed"]


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZip", "deflate"])
def test_a_compressed_response_is_read(run: Run, raw_server: StartServer, encoding: str) -> None:
    body = json.dumps([{"id": 1, "name": "a" * 200_000}]).encode()
    compressed = zlib.compress(body) if encoding == "deflate" else gzip.compress(body)
    server = raw_server(response(compressed, f"Content-Encoding: {encoding}"))
    (volume,) = run("volume_info", console_url=server.url)["volumes"]
    assert volume["name"] == "a" * 200_000


@pytest.mark.parametrize(
    ("body", "encoding", "message"),
    [
        (b"", "gzip", "got an empty response"),
        (b"", "deflate", "got an empty response"),
        (gzip.compress(b"[]")[:-4], "gzip", "the response was incomplete"),
        (gzip.compress(b"[]") + b"x" * 100_000, "gzip", "the response was incomplete"),
        (b"no such format", "gzip", "the response was incomplete"),
        (gzip.compress(gzip.compress(b"[]")), "gzip, gzip", "expected JSON"),
        (b"[]\x03", "br", "expected JSON"),
    ],
    ids=[
        "nothing",
        "nothing at all",
        "cut off",
        "something after the end",
        "nothing compressed",
        "compressed twice",
        "unknown",
    ],
)
def test_what_cannot_be_decoded_is_an_error(
    run: Run, raw_server: StartServer, body: bytes, encoding: str, message: str
) -> None:
    server = raw_server(response(body, f"Content-Encoding: {encoding}"))
    assert message in run("volume_info", console_url=server.url, retries=0)["msg"]


@pytest.mark.promise("responses-are-bounded")
def test_all_pages_of_a_list_have_one_limit(run: Run, raw_server: StartServer) -> None:
    def answer(_request: bytes) -> bytes:
        number = len(server.received)
        page = {
            "results": [{"id": number, "name": f"v{number}"}],
            "next": f"?page={number}" if number < 9 else None,
            "padding": "x" * (40 * MIB),
        }
        return response(gzip.compress(json.dumps(page).encode(), 1), "Content-Encoding: gzip")

    server = raw_server(answer)
    result = run("volume_info", console_url=server.url)
    assert "the pages of the list are larger than 256 MiB" in result["msg"]
    assert len(server.received) == 7


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.parametrize("header", ["", "Link: " + ",".join(f"<{number}>; rel=a" for number in range(4_000))])
def test_pages_have_an_end(run: Run, raw_server: StartServer, monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    monkeypatch.setattr(lists, "MAX_PAGES", 30)

    def answer(_request: bytes) -> bytes:
        number = len(server.received)
        page = {"results": [{"id": number, "name": f"v{number}"}], "next": f"?page={number}"}
        return response(json.dumps(page).encode(), *filter(None, [header]))

    server = raw_server(answer)
    assert "the list does not end within 30 pages" in run("volume_info", console_url=server.url)["msg"]
    assert len(server.received) == 30


def test_a_connection_stays_open_after_a_response_of_any_form(run: Run, emulator: Any) -> None:
    emulator.add_volume(name="v", bucket="https://v.example.com")
    run("quotas", volume="v", quotas=[{"path": f"/{number}", "size": 1} for number in range(5)], concurrency=1)
    assert len({request.connection for request in emulator.requests}) == 1
