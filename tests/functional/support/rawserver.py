# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A server that sends exactly the given bytes, in one piece or in many, for responses that no console would send."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import socket
import socketserver
import threading
from collections.abc import Callable, Iterable
from typing import Any

from typing_extensions import Self

Response = bytes | Callable[[bytes], bytes | Iterable[bytes]]


def http_response(body: Any = b"", *headers: str, status: int = 200) -> bytes:
    """Return a response with a body, which is JSON unless it is given as bytes, and further headers."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + content


class RawServer:
    """Listens on a free port while entered. `received` holds the requests, as bytes."""

    def __init__(self, response: Response) -> None:
        self.received: list[bytes] = []
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                if request := _receive(self.request):
                    outer.received.append(request)
                    answer = response if isinstance(response, bytes) else response(request)
                    # A client that has read enough leaves.
                    with contextlib.suppress(ConnectionError):
                        for piece in (answer,) if isinstance(answer, bytes) else answer:
                            self.request.sendall(piece)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _receive(connection: socket.socket) -> bytes:
    """Return a request whose body may come in a separate piece; anything but HTTP as it comes first."""
    request = connection.recv(65536)
    head, _blank, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *([0-9]+)", head)
    missing = int(length[1]) - len(body) if length else 0
    while missing > 0 and (piece := connection.recv(missing)):
        request, missing = request + piece, missing - len(piece)
    return request


# The type of the fixture `raw_server`: starts a server with this response.
StartServer = Callable[[Response], RawServer]


def authorization_in(request: bytes) -> str:
    """Return the Authorization header of a request as it came over the wire."""
    found = re.search(rb"(?im)^authorization: (\S+)", request)
    assert found
    return found[1].decode()


def signed_at(authorization: str) -> int:
    return int(json.loads(base64.b64decode(authorization))["timestamp"])


def signature_in(authorization: str) -> str:
    return str(json.loads(base64.b64decode(authorization))["signature"])
