# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connections whose responses are read within one deadline, and which know whether anything was sent.

A socket's timeout starts anew with each byte that arrives, so a response that drips would never end. Here the timeout
in force when reading starts is the time for the whole response.
"""

from __future__ import annotations

import http.client
import io
import socket
import threading
import time
from typing import Any

try:
    from requests.adapters import HTTPAdapter
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
except ImportError:
    # transport.py says so to the user.
    HTTPAdapter = HTTPConnection = HTTPSConnection = object  # type: ignore[assignment, misc]
    HTTPConnectionPool = HTTPSConnectionPool = object  # type: ignore[assignment, misc]


class _DeadlineReader(io.RawIOBase):
    """A socket's byte stream whose reads share one deadline."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, seconds: float) -> None:
        super().__init__()
        self._raw = raw
        self._sock = sock
        self._ends = time.monotonic() + seconds
        self.has_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise socket.timeout("the response took too long")
        self._sock.settimeout(left)
        read = self._raw.readinto(buffer)
        self.has_ended = read == 0
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class _DeadlineResponse(http.client.HTTPResponse):
    """A response whose headers and body together share one deadline."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        seconds = sock.gettimeout()
        self._reader: _DeadlineReader | None = None
        if seconds is not None:
            self._reader = _DeadlineReader(self.fp.detach(), sock, seconds)
            self.fp = io.BufferedReader(self._reader)

    def begin(self) -> None:
        """Read status and headers; unlike the base class, do not take truncated headers for complete ones."""
        super().begin()
        if self._reader is not None and self._reader.has_ended:
            raise http.client.IncompleteRead(b"")


class _Progress(threading.local):
    """Whether the attempt that this thread makes has put a byte of its request on a connection."""

    sent = False


PROGRESS = _Progress()


class _PlainConnection(HTTPConnection):
    """A connection whose responses have a deadline, and which notes that something was sent."""

    response_class: Any = _DeadlineResponse

    def connect(self) -> None:
        try:
            super().connect()
        finally:
            # What a proxy was asked for a tunnel is not part of the request.
            PROGRESS.sent = False

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        PROGRESS.sent = True
        super().send(data)


class _SecureConnection(_PlainConnection, HTTPSConnection):
    """The same over TLS."""


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


_POOLS = {"http": _PlainPool, "https": _SecurePool}


class ConsoleAdapter(HTTPAdapter):
    """The adapter of `requests` with these connections, direct and through a proxy."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = _POOLS
        return manager
