# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The server: takes requests off the wire, checks who sent them, and sees to it that faults happen."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from . import control
from .answers import Answer, error_answer, html_answer, json_answer, reason_of
from .console import Console
from .faults import UNEXPECTED, Faults, apply_changes
from .flaws import flawed
from .listener import Listener
from .paging import PREFIX
from .request import Request
from .requestlog import LoggedRequest, RequestLog
from .signature import SignatureError, verify
from .wire import Dates, WireResponse, head_of, http_date, is_gone, reset

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    from .dialect import Dialect
    from .faults import Fault
    from .store import Store

_BELOW = PREFIX + "/"
_EFFECTIVE = frozenset(
    {"reset_after", "slow", "silent_after", "drip_body", "drip_headers", "truncate", "refuse_next", "malformed_json"}
)
_REPLACING = frozenset({"status", "html", "empty", "wrong_json", "malformed_json", "redirect"})
_WAITING = frozenset({"slow", "silent_before", "silent_after"})
_TICK = 0.02
_GARBAGE = b"\x16\x03\x01 this is no HTTP \x00\xff\r\n\r\n"
_LARGEST_BODY = 16 * 1024 * 1024


@dataclass
class Keys:
    """The pair of keys that requests are signed with."""

    access_key: str
    secret_key: str


@dataclass
class Received:
    """A request as it came off the wire."""

    request: web.BaseRequest
    path: str
    query: str
    body: bytes
    entry: LoggedRequest | None = None
    """Its place in the log."""


class _NoWord(logging.Filter):
    """Lets errors of the emulator through, but not those of clients that speak no HTTP."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is worth logging."""
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, HttpProcessingError)


_logger = logging.getLogger("emulator")
_logger.addFilter(_NoWord())


class Connections(web.Server):
    """The connections, each with a number."""

    def __init__(self, handler: Callable[[web.BaseRequest], object], loop: asyncio.AbstractEventLoop) -> None:
        """Serve HTTP/1.1, bodies left as they come."""
        super().__init__(
            handler,  # type: ignore[arg-type]
            request_factory=self._request,
            loop=loop,
            access_log=None,
            logger=_logger,
            auto_decompress=False,
        )
        self._own_loop = loop
        self._numbers: dict[object, int] = {}
        self._next_number = itertools.count(1)

    def _request(self, *parts: object) -> web.BaseRequest:
        """Return a request whose body may be larger than usual."""
        return web.BaseRequest(*parts, self._own_loop, client_max_size=_LARGEST_BODY)  # type: ignore[arg-type, misc]

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Give a connection its number."""
        self._numbers[handler] = next(self._next_number)
        super().connection_made(handler, transport)

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        """Forget a connection."""
        self._numbers.pop(handler, None)
        super().connection_lost(handler, exc)

    def number(self, handler: object) -> int:
        """Return the number of a connection; 0 where it has gone."""
        return self._numbers.get(handler, 0)


class Service:
    """One emulated console on one port."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        dialect: Dialect,
        clock: Callable[[], float],
        *,
        log_limit: int,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Put the parts together; nothing listens yet."""
        self.keys = keys
        self.clock = clock
        self.console = Console(store, clock, dialect)
        self.faults = Faults()
        self.log = RequestLog(log_limit)
        self.lock = threading.RLock()
        """Held by whoever touches records, log, faults or settings."""
        self.clock_offset = 0.0
        self.latency = 0.0
        self.age: str | None = None
        self.send_date = True
        self.retry_delay: int | None = 1
        self.origin = ""
        self._tls = tls
        self._scheme = "https" if tls else "http"
        self._dates = Dates()
        self._limited = 0
        self._generation = 0
        self._busy: set[object] = set()
        self._back: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int) -> None:
        """Begin to listen."""
        self._connections = Connections(self.handle, asyncio.get_running_loop())
        self._listener = Listener(self._connections, host, port, self._tls)
        await self._listener.listen()
        name = f"[{host}]" if ":" in host else host
        self.origin = f"{self._scheme}://{name}:{self._listener.port}"

    async def stop(self) -> None:
        """Stop listening, and end all connections."""
        self._generation += 1
        if self._back is not None:
            self._back.cancel()
        self._listener.close()
        for connection in self._connections.connections:
            reset(connection.transport)
        await asyncio.sleep(0)
        await self._connections.shutdown(1.0)

    def reset(self, dialect: Dialect) -> None:
        """Forget everything but address, keys and clock."""
        with self.lock:
            self.console.reset(dialect)
            self.faults.clear()
            self.log.clear()
            self.clock_offset = self.latency = 0.0
            self.age, self.send_date, self.retry_delay = None, True, 1
            self._limited = 0
            self._generation += 1

    def now(self) -> float:
        """Return the time that the console believes it is."""
        return self.clock() + self.clock_offset

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request."""
        protocol = request.protocol
        self._busy.add(protocol)
        try:
            return await self._handle(request)
        finally:
            self._busy.discard(protocol)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Read a request, and send it where it belongs."""
        if "Expect" in request.headers and request.transport is not None:
            request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            answer = error_answer(self.console.style.error, 413, "The body is too large.")
            return self._response(Received(request, "", "", b""), answer, keep=False)
        except (web.RequestPayloadError, ConnectionError):
            return _cut(request)
        target = request.raw_path
        if not target.startswith("/"):
            target = "/" + target.partition("://")[2].partition("/")[2]
        path, _mark, query = target.partition("?")
        received = Received(request, path, query, body)
        if path.startswith(control.PREFIX) and control.is_local(request.transport):
            return self._response(received, control.answer(self, request.method, path, body))
        if self.latency and not await self._wait(self.latency, request):
            return _cut(request)
        return await self._api(received)

    async def _api(self, received: Received) -> web.StreamResponse:
        """Answer a request to the API."""
        request, path = received.request, received.path
        with self.lock:
            received.entry = self._logged(received)
            if not path.startswith(_BELOW):
                return self._response(received, self.console.unknown())
            if not self.faults:
                return self._response(received, self._authenticated(received))
            fault, aside = self.faults.hit(request.method, path.removeprefix(PREFIX))
            if aside and received.entry is not None:
                received.entry.fault = aside[0].kind
            for jump in (found for found in aside if found.kind == "clock"):
                self.clock_offset = jump.wait
            apply_changes(self.console, aside, "before")
            answer = self._authenticated(received) if fault is None else self._faulty(fault, received)
            apply_changes(self.console, aside, "after")
            if fault is None:
                return self._response(received, answer)
        return await self._misbehave(fault, received, answer)

    def _logged(self, received: Received) -> LoggedRequest | None:
        """Log a request, unless the log is switched off."""
        log = self.log
        log.count += 1
        if not log.enabled:
            return None
        request, path = received.request, received.path
        entry = LoggedRequest(
            number=log.count,
            method=request.method,
            path=path.removeprefix(PREFIX) if path.startswith(_BELOW) else path,
            query=received.query,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=received.body,
            connection=self._connections.number(request.protocol),
            time=self.clock(),
        )
        log.add(entry)
        return entry

    def _authenticated(self, received: Received, later: float = 0.0) -> Answer:
        """Let a request take effect, if it is signed; or after some seconds, without an answer of its own."""
        request, entry, dialect = received.request, received.entry, self.console.dialect
        try:
            host = self._verify(received)
        except SignatureError as error:
            if entry is not None:
                entry.refusal = str(error)
            style = self.console.style
            return error_answer(style.error, style.unsigned, f"Authentication failed: {error}.")
        if entry is not None:
            entry.authenticated = True
        if dialect.rate_limit:
            self._limited += 1
            if self._limited % dialect.rate_limit == 0:
                return self._delaying(error_answer(self.console.style.error, 429, "Too many requests."))
        admitted = Request(
            method=request.method,
            path=received.path.removeprefix(PREFIX),
            query=received.query,
            body=received.body,
            content_type=request.headers.get("Content-Type", ""),
            origin=f"{self._scheme}://{host}",
        )
        if later:
            self.console.postpone(admitted, later)
            return Answer(202)
        return self.console.answer(admitted)

    def _verify(self, received: Received) -> str:
        """Check the signature of a request and return its Host header."""
        headers = received.request.headers
        tokens, hosts = headers.getall("Authorization", []), headers.getall("Host", [])
        if len(tokens) > 1 or len(hosts) > 1:
            raise SignatureError("a header is repeated")
        host = hosts[0] if hosts else ""
        verify(
            tokens[0] if tokens else None,
            access_key=self.keys.access_key,
            secret_key=self.keys.secret_key,
            now=self.now(),
            method=received.request.method,
            path=received.path,
            query=received.query,
            host=host,
            scheme=self._scheme,
            body=received.body,
        )
        return host

    def _delaying(self, answer: Answer, value: int | str | None = None) -> Answer:
        """Add Retry-After: a given value, or on responses 429 and 503 the one of the dialect."""
        if value is not None:
            return answer.with_headers(("Retry-After", str(value)))
        how, delay = self.console.style.retry_after, self.retry_delay
        if answer.status not in (429, 503) or how == "none" or delay is None:
            return answer
        text = str(delay) if how == "seconds" else http_date(ceil(self.now()) + delay)
        return answer.with_headers(("Retry-After", text))

    def _faulty(self, fault: Fault, received: Received) -> Answer:
        """Let a request take effect where the fault allows it, and return the response."""
        if received.entry is not None:
            received.entry.fault = fault.kind
        answer = Answer(500)
        if fault.effect or fault.kind in _EFFECTIVE:
            answer = self._authenticated(received, fault.effect_after)
        if fault.kind == "malformed_json":
            own = fault.value == UNEXPECTED
            return flawed(answer if own else json_answer(fault.answer_status, fault.value), fault.flaw)
        return self._replacement(fault) if fault.kind in _REPLACING else answer

    def _replacement(self, fault: Fault) -> Answer:
        """Return the response of a fault in place of that of the console."""
        status = fault.answer_status
        if fault.kind == "html":
            return html_answer(status, "Sign in")
        if fault.kind == "wrong_json":
            return json_answer(status, fault.value)
        if fault.kind == "status":
            answer = error_answer(self.console.style.error, status, f"{reason_of(status)}.")
            return self._delaying(answer, fault.retry_after)
        answer = Answer(status)
        return answer.with_headers(("Location", fault.location)) if fault.kind == "redirect" else answer

    async def _misbehave(self, fault: Fault, received: Received, answer: Answer) -> web.StreamResponse:
        """Send a response as a fault shapes it, or none."""
        kind, request = fault.kind, received.request
        if kind in ("refuse", "refuse_next"):
            self.disconnect(fault.wait)
        if kind in _WAITING:
            await self._wait(fault.wait, request)
        if kind in _REPLACING or kind in ("slow", "refuse_next"):
            return self._response(received, answer, keep=kind != "refuse_next")
        if kind in ("drip_body", "drip_headers"):
            return await self._drip(fault, received, answer)
        if kind == "truncate":
            return self._truncated(received, answer)
        return WireResponse(_GARBAGE, keep_alive=False) if kind == "garbage" else _cut(request)

    def _response(self, received: Received, answer: Answer, *, keep: bool = True) -> WireResponse:
        """Return a whole response."""
        keep = keep and received.request.keep_alive
        head = self._head(received, answer, keep=keep)
        return WireResponse(head if received.request.method == "HEAD" else head + answer.body, keep_alive=keep)

    def _head(self, received: Received, answer: Answer, *, keep: bool = False, length: int | None = None) -> bytes:
        """Return the head of a response, and log the response."""
        if received.entry is not None:
            received.entry.status = answer.status
            received.entry.retry_after = dict(answer.headers).get("Retry-After")
        date = self._dates.text(self.now()) if self.send_date else None
        return head_of(answer, keep_alive=keep, date=date, age=self.age, length=length)

    def _truncated(self, received: Received, answer: Answer) -> WireResponse:
        """Return half a response."""
        if answer.status == 204:
            answer = Answer(200)
        length = len(answer.body)
        head = self._head(received, answer, length=max(length, 64))
        return WireResponse(head + answer.body[: length // 2], keep_alive=False)

    async def _drip(self, fault: Fault, received: Received, answer: Answer) -> WireResponse:
        """Send a response byte by byte, for as long as anybody waits for it."""
        request, head = received.request, self._head(received, answer)
        at_once, slowly = (b"", head + answer.body) if fault.kind == "drip_headers" else (head, answer.body)
        if request.transport is not None:
            request.transport.write(at_once)
        for byte in slowly:
            if not await self._wait(fault.interval, request) or request.transport is None:
                return _cut(request)
            request.transport.write(bytes((byte,)))
        return WireResponse(b"", keep_alive=False)

    async def _wait(self, seconds: float, request: web.BaseRequest) -> bool:
        """Wait, unless the client leaves or everything is reset; return whether the client is still there."""
        loop = asyncio.get_running_loop()
        generation, end = self._generation, loop.time() + seconds
        while not is_gone(request.transport) and generation == self._generation:
            left = end - loop.time()
            if left <= 0:
                return True
            await asyncio.sleep(min(left, _TICK))
        reset(request.transport)
        return False

    def disconnect(self, seconds: float) -> None:
        """Stop listening and end idle connections; come back after some time."""
        self._listener.stop_listening()
        for connection in self._connections.connections:
            if connection not in self._busy and connection.transport is not None:
                connection.transport.close()
        if self._back is not None:
            self._back.cancel()
        self._back = asyncio.get_running_loop().call_later(seconds, self.come_back_soon)

    @property
    def away(self) -> bool:
        """Return whether nobody is listening just now."""
        return self._back is not None

    async def come_back(self) -> None:
        """Listen again."""
        back = self._back
        if back is not None:
            back.cancel()
        await self._listener.listen()
        if self._back is back:
            self._back = None

    def come_back_soon(self) -> None:
        """Listen again, without waiting for it."""
        task = asyncio.get_running_loop().create_task(self.come_back())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _cut(request: web.BaseRequest) -> WireResponse:
    """Reset the connection instead of responding."""
    reset(request.transport)
    return WireResponse(b"", keep_alive=False)
