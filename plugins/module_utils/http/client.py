# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signed requests, repeated where that is safe, each attempt signed afresh, never for ever.

The longest time of a request is `(retries + 2) * timeout` for the attempts, one of them for a corrected clock, and
60 seconds for each pause between them.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Container
from typing import Any

from ..errors import RequestError
from .attempt import Attempts
from .clock import Clock
from .response import Outcome, Response, SendError
from .retry import (
    MAX_PAUSE,
    SUCCESS,
    TOO_MANY_REQUESTS,
    CircuitBreaker,
    RetryBudget,
    backoff,
    may_repeat_failure,
    may_repeat_response,
)
from .settings import Settings
from .skew import ClockSkew
from .transport import Transport

_FIRST_PAUSE = 0.5


class Client:
    """Makes signed requests to one console, from several threads if need be.

    What one request learns counts for all: the clock skew, how long the console wants not to be called, and that it
    does not work. `warn` is called with what the user should know and no result tells.
    """

    def __init__(self, settings: Settings, clock: Clock, warn: Callable[[str], None]) -> None:
        self.settings = settings
        self.clock = clock
        self.breaker = CircuitBreaker(settings.retries)
        self._skew = ClockSkew(warn)
        self._of_thread = threading.local()
        # Held while one request waits as long as the console asked: all others wait with it.
        self._rate_limit_gate = threading.RLock()

    def url_path(self, path: str) -> str:
        """Return the absolute path of one relative to the API, such as `volumes/7`."""
        return f"{self.settings.base_path}/{path}"

    def request(
        self,
        method: str,
        path: str,
        query: str = "",
        body: Any = None,
        budget: RetryBudget | None = None,
        accept: Container[int] = SUCCESS,
    ) -> Response:
        """Make a request and return its response, if the status is one to accept; RequestError otherwise.

        `path` is absolute, `query` raw, `body` a JSON value (None: no body). GET, PUT and DELETE are repeated; POST
        and PATCH only where they surely were not accepted.
        """
        raw = _encode(method, path, body)
        attempts = Attempts(self._transport(), self.clock, self._skew, method, path, query, raw)
        budget = budget or RetryBudget(self.settings.retries)
        pauses = backoff(_FIRST_PAUSE, MAX_PAUSE)
        with contextlib.ExitStack() as waiting:
            while True:
                with self._rate_limit_gate:
                    pass
                result = attempts.make()
                # A GET is for its body; of a write only the status counts.
                is_complete = isinstance(result, Response) and not (result.truncated and method == "GET")
                if isinstance(result, Response) and result.status in accept and is_complete:
                    self.breaker.record_success()
                    return result
                may_repeat = _may_repeat(method, result)
                if not (may_repeat and self.breaker.allows_retry(method, result.status) and budget.take()):
                    self.breaker.record_failure(method, result.status, retried=may_repeat)
                    raise attempts.error(result)
                self._wait(result, next(pauses), waiting)

    def _wait(self, result: Outcome, pause: float, waiting: contextlib.ExitStack) -> None:
        """Wait before the next attempt; where the console asked for that, all other requests wait too."""
        received = self.clock.elapsed()
        requested = result.retry_after(self.clock.time()) if isinstance(result, Response) else None
        if requested is not None or result.status == TOO_MANY_REQUESTS:
            waiting.enter_context(self._rate_limit_gate)
        seconds = pause * self.clock.jitter() if requested is None else requested
        self.clock.sleep(max(0.0, received + seconds - self.clock.elapsed()))

    def _transport(self) -> Transport:
        """Return the connections of the calling thread."""
        if not hasattr(self._of_thread, "transport"):
            self._of_thread.transport = Transport(self.settings, self.clock)
        transport: Transport = self._of_thread.transport
        return transport


def _encode(method: str, path: str, body: Any) -> bytes | None:
    try:
        return None if body is None else json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, TypeError, RecursionError) as error:
        raise RequestError(method, path, f"the body cannot be sent as JSON: {error}") from None


def _may_repeat(method: str, result: Outcome) -> bool:
    if isinstance(result, SendError):
        return may_repeat_failure(method, result.sent, result.permanent)
    return may_repeat_response(method, result.status, result.truncated)
