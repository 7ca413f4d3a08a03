# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An HTTP response that is read within one deadline, headers and body together.

A socket's time-out starts anew with each byte that arrives, so an answer that drips would never end. Here the
time-out that holds when reading starts is the time for the whole answer.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from typing import Any


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
            raise socket.timeout("the answer took too long")
        self._sock.settimeout(left)
        read = self._raw.readinto(buffer)
        self.has_ended = read == 0
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class DeadlineResponse(http.client.HTTPResponse):
    """Give this to an `http.client.HTTPConnection` as its `response_class`."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        seconds = sock.gettimeout()
        self._reader: _DeadlineReader | None = None
        if seconds is not None:
            self._reader = _DeadlineReader(self.fp.detach(), sock, seconds)
            self.fp = io.BufferedReader(self._reader)

    def begin(self) -> None:
        """Read status and headers; unlike the base, do not take headers that break off for whole ones."""
        super().begin()
        if self._reader is not None and self._reader.has_ended:
            raise http.client.IncompleteRead(b"")
