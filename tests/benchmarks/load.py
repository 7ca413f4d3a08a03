# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many requests per second the emulator handles, to show that it is not the bottleneck of what is measured.

The client is another process that sends signed requests, prepared beforehand, over kept-alive connections.
"""

from __future__ import annotations

import multiprocessing
import socket
import time
from collections.abc import Iterable

from benchmarks.bench import Bench, Row
from emulator.signature import sign_headers

REQUESTS = 6000
CONNECTIONS = 4
LEAST = 1500


def rows(bench: Bench) -> Iterable[Row]:
    """Yield how many signed creations the emulator handles per second."""
    bench.reset()
    emulator = bench.emulator
    volume = emulator.volumes()[0]["id"]
    requests = []
    for number in range(REQUESTS):
        body = b'{"path":"/load/%d","size":1024}' % number
        url = f"{emulator.api_url}/volumes/{volume}/quotas"
        headers = sign_headers(emulator.access_key, emulator.secret_key, int(time.time()), "POST", url, body=body)
        lines = [
            f"POST /api/v1/volumes/{volume}/quotas HTTP/1.1",
            *(f"{name}: {text}" for name, text in headers.items()),
        ]
        requests.append("\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body)
    address = emulator.url.removeprefix("http://").rsplit(":", 1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds = pool.apply(send, ((address[0], int(address[1])), requests))
    rate = REQUESTS / seconds
    yield Row("emulator: signed creations a second", rate, LEAST, rate / LEAST, f">= {LEAST}/s", rate >= LEAST)


def send(address: tuple[str, int], requests: list[bytes]) -> float:
    """Send all requests, one after another on each of a few connections, and return the seconds it took."""
    connections = [socket.create_connection(address) for _number in range(CONNECTIONS)]
    started = time.perf_counter()
    for first in range(0, len(requests), CONNECTIONS):
        batch = list(zip(connections, requests[first : first + CONNECTIONS], strict=False))
        for connection, request in batch:
            connection.sendall(request)
        for connection, _request in batch:
            response = connection.recv(65536)
            if not response.startswith(b"HTTP/1.1 201 "):
                raise RuntimeError(response.decode("utf-8", "replace"))
    return time.perf_counter() - started
