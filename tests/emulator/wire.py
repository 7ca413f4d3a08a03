# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses as bytes on a connection, whole or broken in the ways that faults ask for."""

from __future__ import annotations

import contextlib
import socket
import struct
from email.utils import formatdate
from typing import TYPE_CHECKING

from aiohttp import web

from .answers import Answer, reason_of

if TYPE_CHECKING:
    import asyncio

    from aiohttp.abc import AbstractStreamWriter

SERVER_NAME = "managedfs-console-emulator"
_RESET = struct.pack("ii", 1, 0)


class WireResponse(web.StreamResponse):
    """Bytes that are sent just as they are: head, body and all."""

    def __init__(self, data: bytes, keep_alive: bool) -> None:
        """Send these bytes; none where everything was sent already."""
        super().__init__()
        self._data = data
        self._lasting = keep_alive

    @property
    def keep_alive(self) -> bool:
        return self._lasting

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        transport = request.transport
        if transport is None or transport.is_closing():
            raise ConnectionResetError("the client has gone")
        if self._data:
            transport.write(self._data)
        return None

    async def write_eof(self, data: bytes = b"") -> None:
        """Do nothing: there is nothing left to send."""


class Dates:
    """The text of a Date header, made once a second."""

    def __init__(self) -> None:
        """Begin with none."""
        self._second: int | None = None
        self._text = ""

    def text(self, now: float) -> str:
        second = int(now)
        if second != self._second:
            self._second, self._text = second, http_date(second)
        return self._text


def http_date(seconds: float) -> str:
    """Return a time as HTTP writes it; what no calendar knows becomes the epoch."""
    try:
        return formatdate(seconds, usegmt=True)
    except (OverflowError, OSError, ValueError):
        return formatdate(0, usegmt=True)


def head_of(answer: Answer, *, keep_alive: bool, date: str | None, age: str | None, length: int | None = None) -> bytes:
    """Return the status line and headers of a response, with the empty line."""
    lines = [f"HTTP/1.1 {answer.status} {reason_of(answer.status)}", f"Server: {SERVER_NAME}"]
    if date is not None:
        lines.append(f"Date: {date}")
    if age is not None:
        lines.append(f"Age: {age}")
    if answer.body:
        lines.append(f"Content-Type: {answer.content_type}")
    if answer.status not in (204, 304):
        lines.append(f"Content-Length: {len(answer.body) if length is None else length}")
    lines.extend(f"{name}: {value}" for name, value in answer.headers)
    if not keep_alive:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def reset(transport: asyncio.Transport | None) -> None:
    """End a connection with RST."""
    if transport is None:
        return
    plain = transport.get_extra_info("socket")
    if plain is not None:
        with contextlib.suppress(OSError):
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    transport.abort()


def cut(request: web.BaseRequest) -> WireResponse:
    """Reset the connection instead of responding."""
    reset(request.transport)
    return WireResponse(b"", keep_alive=False)


def is_gone(transport: asyncio.Transport | None) -> bool:
    return transport is None or transport.is_closing()
