# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator: a console on a port of this machine, with authentication and faults."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from math import ceil
from typing import TYPE_CHECKING, Any

from aiohttp import web

from . import control
from .answers import WRITES, Answer, LoggedRequest, Request, error_answer, html_answer, json_answer, reason_of
from .console import Console
from .dialect import Dialect
from .faults import UNEXPECTED, Change, Faults, flawed
from .lists import PREFIX, names_user_quota
from .network import Network, WireResponse, cut, head_of, http_date, tls_context
from .resources import EXPORTS, QUOTAS, VOLUMES, Record
from .signature import SignatureError, verify
from .store import MEMORY, Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from .faults import Fault

LOG_LIMIT = 100_000
_BELOW = PREFIX + "/"
_GARBAGE = b"\x16\x03\x01 this is no HTTP \x00\xff\r\n\r\n"


class Emulator:
    """Listens from ``start`` to ``stop``, or within ``with``."""

    def __init__(
        self,
        dialect: Dialect | None = None,
        clock: Callable[[], float] = time.time,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        database: str = MEMORY,
        access_key: str | None = None,
        secret_key: str | None = None,
        log_limit: int = LOG_LIMIT,
        tls_cert: str | None = None,
        tls_key: str | None = None,
        client_ca: str | None = None,
    ) -> None:
        """Prepare; a database file remembers its keys, otherwise they are made at random."""
        tls = tls_context(tls_cert, tls_key, client_ca) if tls_cert is not None else None
        self._network = Network(self._handle, host, port, tls)
        store = Store(database)
        self.access_key = access_key or store.remembered("access_key") or secrets.token_hex(10)
        self.secret_key = secret_key or store.remembered("secret_key") or secrets.token_hex(32)
        store.remember(access_key=self.access_key, secret_key=self.secret_key)
        self.clock = clock
        self.console = Console(store, clock, dialect or Dialect())
        self.faults = Faults()
        self.log: deque[LoggedRequest] = deque(maxlen=log_limit)
        self.count = 0
        self.lock = threading.RLock()
        """Held by whoever touches records, log, faults or settings."""
        self._be_on_time()

    def _be_on_time(self) -> None:
        """Start with a correct clock, no latency and no limit reached."""
        self.clock_offset = self.latency = 0.0
        """The seconds by which the console's clock is ahead, and for which each request waits before it is processed."""
        self.age: str | None = None
        self.send_date = True
        self.retry_delay: int | None = 1
        """The seconds that the dialect's Retry-After asks for; None for no such header."""
        self._limited = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen; raises OSError if the port is not free."""
        self._network.start()

    def stop(self) -> None:
        """Stop listening, end all connections and close the database, for good."""
        self._network.stop()
        self.console.store.close()

    @property
    def url(self) -> str:
        return self._network.origin

    @property
    def api_url(self) -> str:
        """Return the base address of all routes of the API."""
        return self._network.origin + PREFIX

    @property
    def dialect(self) -> Dialect:
        return self.console.dialect

    @dialect.setter
    def dialect(self, dialect: Dialect) -> None:
        with self.lock:
            self.console.speak(dialect)

    @property
    def requests(self) -> list[LoggedRequest]:
        """Return the requests so far, without those to the control routes."""
        with self.lock:
            return list(self.log)

    @property
    def writes(self) -> list[LoggedRequest]:
        return [entry for entry in self.requests if entry.method in WRITES]

    @property
    def strays(self) -> list[LoggedRequest]:
        """Return the requests that name the quota of a user, as none should."""
        return [entry for entry in self.requests if names_user_quota(entry.path)]

    def forget_requests(self) -> None:
        with self.lock:
            self.log.clear()
            self.count = 0

    def reset(self, dialect: Dialect | None = None) -> None:
        """Forget everything but address, keys and clock; use this dialect, or the default one; listen."""
        with self.lock:
            self.console.reset(dialect or Dialect())
            self.faults.clear()
            self.forget_requests()
            self._be_on_time()
            self._network.cut_off()
        self.come_back()

    def inject(self, *faults: Fault) -> None:
        with self.lock:
            self.faults.inject(*faults)

    def clear_faults(self) -> None:
        with self.lock:
            self.faults.clear()

    def refuse(self, seconds: float) -> None:
        """Go away: refuse connections and end idle ones, then listen again."""
        self._network.refuse(seconds)

    def come_back(self) -> None:
        self._network.come_back()

    def add_volume(self, **fields: Any) -> int:
        """Add a volume that is visible and ready at once; no request, no checks. ``id`` may be given."""
        with self.lock:
            return self.console.make(VOLUMES, 0, fields)

    def add_export(self, volume_id: int, **fields: Any) -> int:
        """Add an export; ``id`` and ``token`` may be given."""
        with self.lock:
            return self.console.make(EXPORTS, volume_id, fields)

    def add_quota(self, volume_id: int, **fields: Any) -> int:
        with self.lock:
            return self.console.make(QUOTAS, volume_id, fields)

    def add_quotas(self, volume_id: int, records: list[Record]) -> list[int]:
        return [self.add_quota(volume_id, **record) for record in records]

    def volumes(self) -> list[Record]:
        """Return the true volumes; the two methods below do so for exports and quotas."""
        with self.lock:
            return self.console.truth(VOLUMES, 0)

    def exports(self, volume_id: int) -> list[Record]:
        with self.lock:
            return self.console.truth(EXPORTS, volume_id)

    def quotas(self, volume_id: int) -> list[Record]:
        with self.lock:
            return self.console.truth(QUOTAS, volume_id)

    def tokens(self) -> list[str]:
        return [export["token"] for volume in self.volumes() for export in self.exports(volume["id"])]

    def now(self) -> float:
        return self.clock() + self.clock_offset

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if "Expect" in request.headers and request.transport is not None:
            request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        received = LoggedRequest(method=request.method, time=self.clock())
        try:
            received.body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            answer = error_answer(self.console.style.error, 413, "The body is too large.")
            return self._response(request, received, answer, keep=False)
        except (web.RequestPayloadError, ConnectionError):
            return cut(request)
        target = request.raw_path
        if not target.startswith("/"):
            target = "/" + target.partition("://")[2].partition("/")[2]
        path, _mark, received.query = target.partition("?")
        if path.startswith(control.PREFIX) and control.is_local(request.transport):
            return self._response(request, received, control.answer(self, request.method, path, received.body))
        if self.latency and not await self._network.wait(self.latency, request):
            return cut(request)
        received.path = path
        return await self._api(request, received)

    async def _api(self, request: web.BaseRequest, received: LoggedRequest) -> web.StreamResponse:
        with self.lock:
            if not self._note(request, received):
                return self._response(request, received, self.console.unknown())
            if not self.faults:
                return self._response(request, received, self._authenticated(request, received))
            fault, aside = self.faults.hit(request.method, received.path)
            received.fault = next((found.kind for found in (fault, *aside) if found), None)
            self._happen(aside, "before")
            answer = self._authenticated(request, received) if fault is None else self._faulty(fault, request, received)
            self._happen(aside, "after")
            if fault is None:
                return self._response(request, received, answer)
        return await self._misbehave(fault, request, received, answer)

    def _note(self, request: web.BaseRequest, received: LoggedRequest) -> bool:
        """Log a request, unless the log is switched off; return whether it is one to the API."""
        self.count += 1
        received.number, received.time = self.count, self.clock()
        is_inside = received.path.startswith(_BELOW)
        received.path = received.path.removeprefix(PREFIX) if is_inside else received.path
        if self.log.maxlen:
            received.headers = {name.lower(): value for name, value in request.headers.items()}
            received.connection = self._network.number(request)
            self.log.append(received)
        return is_inside

    def _happen(self, faults: list[Fault], moment: str) -> None:
        """Apply the side effects of these faults: set the clock, or change a record."""
        for fault in faults:
            if fault.kind == "clock" and moment == "before":
                self.clock_offset = fault.wait
            if fault.change is not None and fault.moment == moment:
                self.console.apply(Change(**fault.change))

    def _authenticated(self, request: web.BaseRequest, received: LoggedRequest, later: float = 0.0) -> Answer:
        """Let a request take effect, if it is signed; or after some seconds, without an answer of its own."""
        style = self.console.style
        try:
            host = self._verify(request, received)
        except SignatureError as error:
            received.refusal = str(error)
            return error_answer(style.error, style.unsigned, f"Authentication failed: {error}.")
        received.authenticated = True
        if self.dialect.rate_limit:
            self._limited += 1
            if self._limited % self.dialect.rate_limit == 0:
                return self._delaying(error_answer(style.error, 429, "Too many requests."))
        content_type = request.headers.get("Content-Type", "")
        origin = f"{self._network.scheme}://{host}"
        admitted = Request(request.method, received.path, received.query, received.body, content_type, origin)
        if later:
            self.console.postpone(admitted, later)
            return Answer(202)
        return self.console.answer(admitted)

    def _verify(self, request: web.BaseRequest, received: LoggedRequest) -> str:
        tokens, hosts = request.headers.getall("Authorization", []), request.headers.getall("Host", [])
        if len(tokens) > 1 or len(hosts) > 1:
            raise SignatureError("a header is repeated")
        host = hosts[0] if hosts else ""
        keys: dict[str, Any] = {"access_key": self.access_key, "secret_key": self.secret_key}
        target: dict[str, Any] = {"method": request.method, "path": PREFIX + received.path, "query": received.query}
        scheme, token = self._network.scheme, tokens[0] if tokens else None
        verify(token, **keys, **target, host=host, scheme=scheme, now=self.now(), body=received.body)
        return host

    def _delaying(self, answer: Answer, value: int | str | None = None) -> Answer:
        """Add Retry-After: a given value, or on responses 429 and 503 the one of the dialect."""
        how, delay = self.console.style.retry_after, self.retry_delay
        if value is None and answer.status in (429, 503) and how != "none" and delay is not None:
            value = delay if how == "seconds" else http_date(ceil(self.now()) + delay)
        return answer if value is None else answer.with_headers(("Retry-After", str(value)))

    def _faulty(self, fault: Fault, request: web.BaseRequest, received: LoggedRequest) -> Answer:
        """Carry out a request if the fault allows it, and return the response."""
        answer = Answer(500)
        if fault.takes_effect:
            answer = self._authenticated(request, received, fault.effect_after)
        status, given = fault.answer_status, json_answer(fault.answer_status, fault.value)
        error = error_answer(self.console.style.error, status, f"{reason_of(status)}.")
        answers = {
            "status": self._delaying(error, fault.retry_after),
            "html": html_answer(status, "Sign in"),
            "empty": Answer(status),
            "wrong_json": given,
            "malformed_json": flawed(answer if fault.value == UNEXPECTED else given, fault.flaw),
            "redirect": Answer(status).with_headers(("Location", fault.location)),
        }
        return answers.get(fault.kind, answer)

    async def _misbehave(
        self, fault: Fault, request: web.BaseRequest, received: LoggedRequest, answer: Answer
    ) -> web.StreamResponse:
        kind = fault.kind
        if kind == "refuse_next":
            await self._network.disconnect(fault.wait)
        if kind in ("slow", "silent_before", "silent_after"):
            await self._network.wait(fault.wait, request)
        if kind in ("drip_body", "drip_headers"):
            head = self._head(received, answer)
            parts = (b"", head + answer.body) if kind == "drip_headers" else (head, answer.body)
            return await self._network.drip(*parts, fault.interval, request)
        if kind == "truncate":
            answer = Answer(200) if answer.status == 204 else answer
            head = self._head(received, answer, length=max(len(answer.body), 64))
            return WireResponse(head + answer.body[: len(answer.body) // 2], keep_alive=False)
        if kind == "garbage":
            return WireResponse(_GARBAGE, keep_alive=False)
        if kind in ("reset_before", "reset_after", "silent_before", "silent_after"):
            return cut(request)
        return self._response(request, received, answer, keep=kind != "refuse_next")

    def _response(
        self, request: web.BaseRequest, received: LoggedRequest, answer: Answer, *, keep: bool = True
    ) -> WireResponse:
        keep = keep and request.keep_alive
        head = self._head(received, answer, keep=keep)
        return WireResponse(head if request.method == "HEAD" else head + answer.body, keep_alive=keep)

    def _head(self, received: LoggedRequest, answer: Answer, *, keep: bool = False, length: int | None = None) -> bytes:
        received.status = answer.status
        received.retry_after = dict(answer.headers).get("Retry-After")
        date = http_date(int(self.now())) if self.send_date else None
        return head_of(answer, keep_alive=keep, date=date, age=self.age, length=length)
