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

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise socket.timeout("the answer took too long")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class DeadlineResponse(http.client.HTTPResponse):
    """Give this to an `http.client.HTTPConnection` as its `response_class`."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        seconds = sock.gettimeout()
        if seconds is not None:
            raw = self.fp.detach()
            self.fp = io.BufferedReader(_DeadlineReader(raw, sock, seconds))
