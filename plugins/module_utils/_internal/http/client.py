# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signed requests to one console: the attempts at each, and what one request learns for all others.

A request takes at most `(retries + 2) * timeout` for its attempts, one of them with a corrected clock, and 60 seconds
for each pause between them. Each attempt is signed anew.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Container
from typing import Any, NamedTuple

from ..connection import Settings
from ..errors import RequestError
from ..values import Echoes, Shown
from . import policy
from .policy import SUCCESS, ClockCorrection, RetryBudget
from .transport import Attempt, Clock, Response, Transport

_FIRST_PAUSE = 0.5


class Request(NamedTuple):
    """A request as it goes on the wire, the statuses that its caller accepts, and whether every console has its route."""

    method: str
    path: str
    query: str
    body: bytes | None
    accept: Container[int]
    is_root: bool

    def is_done(self, response: Response) -> bool:
        """Return whether a response is what the caller asked for. A GET needs its body, a write only the status."""
        return response.status in self.accept and not (response.defect and self.method == "GET")


class Client:
    """Makes signed requests to one console, from several threads if need be.

    All requests share the circuit breaker, the skew of the console's clock in seconds, and a gate that one holds while it
    waits as the console asked; `echoes` has the secrets of them all. `warn` is called with what the user should
    know and no result shows. `has_written` means that anything but a GET may have been sent, `accepted` counts those that the
    console accepted. `is_unencrypted` means that tokens and bodies cross a network in the clear.
    """

    def __init__(self, settings: Settings, clock: Clock, warn: Callable[[str], None]) -> None:
        self.settings = settings
        self.clock = clock
        self.warn = warn
        self.breaker = policy.CircuitBreaker(settings.retries)
        self.has_written = False
        self.accepted = 0
        self._skew = 0.0
        self._lock = threading.Lock()
        self._held: dict[str, int] = {}
        self._shown = Shown()
        self._rate_limit_gate = threading.RLock()
        self.echoes = Echoes()
        self._transports = [Transport(settings, clock, self.echoes)]
        self._idle = [*self._transports]
        # The way to a proxy counts, too.
        self.is_unencrypted = settings.is_unencrypted or (settings.is_http and self._transports[0].has_proxy)

    def close(self) -> None:
        """Close all connections: the worker of a loop lives for all its items."""
        for transport in self._transports:
            transport.close()

    def url_path(self, path: str) -> str:
        """Return the absolute path for one relative to the API, such as `volumes/7`."""
        return f"{self.settings.base_path}/{path}"

    def hold(self, path: str, records: list[Any], number: int) -> int:
        """Remember the list at a path, for its tokens, and how many values it has; return how many all lists have."""
        self._shown.add(path, records)
        with self._lock:
            self._held[path] = number
            return sum(self._held.values())

    def get_json(self, path: str, query: str = "", is_root: bool = False) -> tuple[Any, Response]:
        """Return the JSON value at an absolute path, with its response; RequestError says what is there instead."""
        response = self.request("GET", path, query, is_root=is_root)
        try:
            return response.json(), response
        except ValueError as error:
            from .messages import explain_content  # noqa: PLC0415

            message = self._shown.clean(explain_content(response, error))
            raise RequestError("GET", path, message, response.status) from None

    def words_in(self, body: bytes) -> str:
        """Return what the response to a request that was accepted says in words, blank for nothing."""
        from .messages import said  # noqa: PLC0415

        return self._shown.clean(said(body))

    def request(
        self,
        method: str,
        path: str,
        query: str = "",
        body: Any = None,
        budget: RetryBudget | None = None,
        accept: Container[int] = SUCCESS,
        is_root: bool = False,
    ) -> Response:
        """Make a request and return its response if its status is in `accept`; RequestError otherwise.

        `path` is absolute, `query` raw, `body` a JSON value (None: no body). `budget` limits repetitions, by default to
        the setting `retries`. `is_root` means that every console has this route. GET, PUT and DELETE are repeated; POST
        and PATCH only if they were surely not accepted.
        """
        request = Request(method, path, query, _encode(method, path, body), accept, is_root)
        # Wait for whoever was asked to wait.
        with self._rate_limit_gate:
            pass
        with contextlib.ExitStack() as waiting:
            return self._repeat(request, budget or RetryBudget(self.settings.retries), waiting)

    def _repeat(self, request: Request, budget: RetryBudget, waiting: contextlib.ExitStack) -> Response:
        method = request.method
        pauses = policy.backoff(_FIRST_PAUSE, policy.MAX_PAUSE)
        correction: ClockCorrection | None = None
        maybe_applied = False
        while True:
            attempt = self._attempt(request, correction)
            if isinstance(attempt, Response) and request.is_done(attempt):
                self.breaker.record_success()
                with self._lock:
                    self.accepted += method != "GET"
                return attempt
            # Few tasks see a failure. Ansible ships sources, and compiling these takes 7 of a quota's 430 CPU milliseconds.
            from . import messages  # noqa: PLC0415

            was_lost = maybe_applied
            maybe_applied = was_lost or (method != "GET" and policy.maybe_applied(attempt))
            if correction is None and isinstance(attempt, Response):
                refusal = messages.readable(attempt)
                correction = policy.find_correction(attempt, refusal, self.settings, self.is_unencrypted)
                if correction and not correction.obstacle:
                    continue
            can_repeat = policy.may_repeat(method, attempt)
            if not (can_repeat and self.breaker.allows_retry(method, attempt.status) and budget.take()):
                self.breaker.record_failure(method, attempt.status, can_repeat)
                message = messages.explain(attempt, self.settings, request.is_root, correction)
                pause = policy.retry_after(attempt.headers, self.clock.time()) or 0.0
                message = self._shown.clean(message)
                raise RequestError(method, request.path, message, attempt.status, maybe_applied, pause, was_lost)
            self._wait(attempt, next(pauses), waiting)

    def _attempt(self, request: Request, correction: ClockCorrection | None) -> Attempt:
        """Make one attempt, with a corrected time if there is one, and keep that for the rest of the task if accepted."""
        corrected = None if correction is None or correction.obstacle else correction.seconds
        skew = self._skew if corrected is None else corrected
        self.has_written = self.has_written or request.method != "GET"
        transport = self._take_transport()
        attempt = transport.send(request.method, request.path, request.query, request.body, skew)
        # Not if the task is interrupted: part of a response may be left to read.
        self._idle.append(transport)
        if corrected is not None and policy.has_accepted_time(attempt):
            self._keep_skew(corrected)
        return attempt

    def _take_transport(self) -> Transport:
        """Return the idle transport that was used last, or a new one. Threads come and go, but connections stay open."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        transport = Transport(self.settings, self.clock, self.echoes)
        self._transports.append(transport)
        return transport

    def _keep_skew(self, seconds: float) -> None:
        with self._lock:
            if abs(self._skew - seconds) <= policy.MIN_SKEW:
                return
            self._skew = seconds
        self.warn(
            f"The console's clock is {policy.format_skew(seconds)} this machine's. Requests of this task are signed with"
            " the console's time; synchronize the clocks."
        )

    def _wait(self, attempt: Attempt, pause: float, waiting: contextlib.ExitStack) -> None:
        """Wait before the next attempt; if the console asked for that, all other requests wait, too."""
        received = self.clock.elapsed()
        requested = policy.retry_after(attempt.headers, self.clock.time())
        if requested is not None or attempt.status == policy.TOO_MANY_REQUESTS:
            waiting.enter_context(self._rate_limit_gate)
        seconds = pause * self.clock.jitter() if requested is None else requested
        self.clock.sleep(max(0.0, received + seconds - self.clock.elapsed()))
        # Wait for whoever was asked to wait.
        with self._rate_limit_gate:
            pass


def _encode(method: str, path: str, body: Any) -> bytes | None:
    try:
        return None if body is None else json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, TypeError, RecursionError) as error:
        raise RequestError(method, path, f"the body must be JSON: {error}") from None
