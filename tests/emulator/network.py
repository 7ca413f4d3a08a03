# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The port, a listener that can go away for a while; and responses as bytes, whole or broken as faults ask for."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import itertools
import logging
import socket
import ssl
import struct
import threading
from email.utils import formatdate
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from .answers import Answer, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from aiohttp.abc import AbstractStreamWriter

    Handler = Callable[[web.BaseRequest], Coroutine[Any, Any, web.StreamResponse]]

_BACKLOG = 1024
_TICK = 0.02
_LARGEST_BODY = 16 * 1024 * 1024
SERVER_NAME = "managedfs-console-emulator"
_RESET = struct.pack("ii", 1, 0)


class WireResponse(web.StreamResponse):
    """Bytes that are sent just as they are: head, body and all."""

    def __init__(self, data: bytes, keep_alive: bool) -> None:
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


@lru_cache(maxsize=4)
def http_date(seconds: int) -> str:
    """Return a time as HTTP writes it; what no calendar knows becomes the epoch."""
    try:
        return formatdate(seconds, usegmt=True)
    except (OverflowError, OSError, ValueError):
        return formatdate(0, usegmt=True)


def head_of(answer: Answer, *, keep_alive: bool, date: str | None, age: str | None, length: int | None = None) -> bytes:
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
    reset(request.transport)
    return WireResponse(b"", keep_alive=False)


def is_gone(transport: asyncio.Transport | None) -> bool:
    return transport is None or transport.is_closing()


def tls_context(cert: str, key: str | None = None, client_ca: str | None = None) -> ssl.SSLContext:
    """Return the TLS context of a server; with an authority for clients, they must present a certificate of it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    if client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_ca)
    return context


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        uvloop = importlib.import_module("uvloop")
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


def _is_ours(record: logging.LogRecord) -> bool:
    """Let errors of the emulator through, but not those of clients that speak no HTTP."""
    return not isinstance(record.exc_info[1] if record.exc_info else None, HttpProcessingError)


_logger = logging.getLogger("emulator")
_logger.addFilter(_is_ours)


class _Connections(web.Server):
    """The connections, each with a number, and those among them that have a request to be answered."""

    def __init__(self, handler: Handler, loop: asyncio.AbstractEventLoop) -> None:
        options: dict[str, Any] = {"access_log": None, "logger": _logger, "auto_decompress": False}
        super().__init__(handler, request_factory=self._request, loop=loop, **options)
        self._event_loop = loop
        self.numbers: dict[object, int] = {}
        self._next_number = itertools.count(1)

    def _request(self, *parts: object) -> web.BaseRequest:
        return web.BaseRequest(*parts, self._event_loop, client_max_size=_LARGEST_BODY)  # type: ignore[arg-type, misc]

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        self.numbers[handler] = next(self._next_number)
        super().connection_made(handler, transport)

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        self.numbers.pop(handler, None)
        super().connection_lost(handler, exc)


class Network:
    """Takes requests on a port, in its own thread, and passes them to a handler."""

    def __init__(self, handler: Handler, host: str, port: int, tls: ssl.SSLContext | None) -> None:
        self._handler, self._host, self._port, self._tls = handler, host, port, tls
        self.scheme, self.origin = "https" if tls else "http", ""
        self._thread: threading.Thread | None = None
        self._listening: asyncio.AbstractServer | None = None
        self._placeholder: socket.socket | None = None
        self._back: asyncio.TimerHandle | None = None
        self._busy: set[object] = set()
        self._generation = 0

    def start(self) -> None:
        if self._thread is not None:
            raise RuntimeError("the emulator runs already")
        self._loop = _new_loop()
        self._one_at_a_time = asyncio.Lock()
        self._connections = _Connections(self._handle, self._loop)
        self._thread = threading.Thread(target=self._run, name="emulator", daemon=True)
        self._thread.start()
        try:
            self._call(self._open())
        except BaseException:
            self._end()
            raise

    def stop(self) -> None:
        if self._thread is not None:
            self._call(self._close())
            self._end()

    def _run(self) -> None:
        """Run the event loop in the thread, and end its tasks when it stops."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.close()

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a function in the thread; wait for it, unless this is the thread."""
        done = asyncio.run_coroutine_threadsafe(work, self._loop)
        if threading.current_thread() is not self._thread:
            done.result(30)

    def _end(self) -> None:
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(30)
        self._thread = None

    async def _open(self) -> None:
        """Bind a socket that never listens, but keeps the port ours while we are away; then listen."""
        self._placeholder = self._socket(self._port)
        self._port = self._placeholder.getsockname()[1]
        await self._listen()
        name = f"[{self._host}]" if ":" in self._host else self._host
        self.origin = f"{self.scheme}://{name}:{self._port}"

    async def _close(self) -> None:
        self.cut_off()
        if self._back is not None:
            self._back.cancel()
        self._stop_listening()
        self._release()
        for connection in self._connections.connections:
            reset(connection.transport)
        await asyncio.sleep(0)
        await self._connections.shutdown(1.0)

    def _socket(self, port: int) -> socket.socket:
        bound = socket.socket(socket.AF_INET6 if ":" in self._host else socket.AF_INET, socket.SOCK_STREAM)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((self._host, port))
        except (OSError, OverflowError):
            bound.close()
            raise
        bound.setblocking(False)
        return bound

    async def _listen(self) -> None:
        """Take connections. Where a system binds no two sockets to a port, the placeholder yields."""
        async with self._one_at_a_time:
            if self._listening is not None:
                return
            try:
                bound = self._socket(self._port)
            except OSError:
                self._release()
                bound = self._socket(self._port)
            options: dict[str, Any] = {"sock": bound, "ssl": self._tls, "backlog": _BACKLOG}
            self._listening = await self._loop.create_server(self._connections, **options)

    def _stop_listening(self) -> None:
        """Refuse whoever connects. Connections that are open stay open."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def _release(self) -> None:
        if self._placeholder is not None:
            self._placeholder.close()
            self._placeholder = None

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self._busy.add(request.protocol)
        try:
            return await self._handler(request)
        finally:
            self._busy.discard(request.protocol)

    def number(self, request: web.BaseRequest) -> int:
        return self._connections.numbers.get(request.protocol, 0)

    def cut_off(self) -> None:
        """Reset the connections of all requests that wait."""
        self._generation += 1

    async def wait(self, seconds: float, request: web.BaseRequest) -> bool:
        """Wait, unless the client leaves or is cut off; return whether the client is still there."""
        generation, end = self._generation, self._loop.time() + seconds
        while not is_gone(request.transport) and generation == self._generation:
            left = end - self._loop.time()
            if left <= 0:
                return True
            await asyncio.sleep(min(left, _TICK))
        reset(request.transport)
        return False

    async def drip(self, at_once: bytes, slowly: bytes, interval: float, request: web.BaseRequest) -> WireResponse:
        """Send bytes one by one, for as long as the client waits for them."""
        if request.transport is not None:
            request.transport.write(at_once)
        for byte in slowly:
            if not await self.wait(interval, request) or request.transport is None:
                return cut(request)
            request.transport.write(bytes((byte,)))
        return WireResponse(b"", keep_alive=False)

    async def disconnect(self, seconds: float) -> None:
        """Stop listening and end idle connections; come back after some time."""
        self._stop_listening()
        for connection in self._connections.connections:
            if connection not in self._busy and connection.transport is not None:
                connection.transport.close()
        if self._back is not None:
            self._back.cancel()
        self._back = self._loop.call_later(seconds, self.come_back)

    def refuse(self, seconds: float) -> None:
        self._call(self.disconnect(seconds))

    async def _come_back(self) -> None:
        back = self._back
        if back is not None:
            back.cancel()
        await self._listen()
        if self._back is back:
            self._back = None

    def come_back(self) -> None:
        """Listen again, sooner than was meant."""
        if self._back is not None:
            self._call(self._come_back())
