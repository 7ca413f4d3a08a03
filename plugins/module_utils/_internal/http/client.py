# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signed requests to one console, and what one of them learns for all others."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import RequestError
from .clock import Clock
from .response import SUCCESS, Response
from .settings import Settings
from .transport import Transport

if TYPE_CHECKING:
    from .no_response import Outcome
    from .retry import CircuitBreaker, RetryBudget


class Request(NamedTuple):
    """A request as it goes on the wire, and the statuses that its caller accepts."""

    method: str
    path: str
    query: str
    body: bytes | None
    accept: Container[int]

    def is_done(self, response: Response) -> bool:
        """Return whether this is what the caller asked for. A GET is for its body; of a write only the status counts."""
        return response.status in self.accept and not (response.defect and self.method == "GET")


class Client:
    """Makes signed requests to one console, from several threads if need be.

    Shared by all requests: `skew`, by how many seconds the console's clock is ahead; `breaker`, once one of them has
    failed; and `rate_limit_gate`, held while one waits as long as the console asked. `warn` is called with what the
    user should know and no result tells.
    """

    def __init__(self, settings: Settings, clock: Clock, warn: Callable[[str], None]) -> None:
        self.settings = settings
        self.clock = clock
        self.warn = warn
        self.skew = 0.0
        self.breaker: CircuitBreaker | None = None
        self.lock = threading.Lock()
        self.rate_limit_gate = threading.RLock()
        self._of_thread = threading.local()

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

        `path` is absolute, `query` raw, `body` a JSON value (None: no body), `budget` how often the request may be
        repeated, by default the setting `retries`. What fails is repeated where that is safe (`recovery.py`).
        """
        request = Request(method, path, query, _encode(method, path, body), accept)
        with self.rate_limit_gate:
            pass
        result = self.send(request, self.skew)
        if isinstance(result, Response) and request.is_done(result):
            if self.breaker:
                self.breaker.record_success()
            return result
        # Most tasks see no failure, and what is not loaded is not compiled: Ansible ships sources.
        from .recovery import recover  # noqa: PLC0415

        return recover(self, request, result, budget)

    def get_json(self, path: str, query: str = "") -> tuple[Any, Response]:
        """Return the JSON value at an absolute path, with its response; RequestError says what is there instead."""
        response = self.request("GET", path, query)
        try:
            return response.json(), response
        except ValueError as error:
            from .messages import explain_content  # noqa: PLC0415

            raise RequestError("GET", path, explain_content(response, error), response.status) from None

    def send(self, request: Request, skew: float) -> Outcome:
        """Make one attempt, signed for a time that is so many seconds ahead of ours."""
        return self._transport().send(request.method, request.path, request.query, request.body, skew)

    @property
    def is_proxied(self) -> bool:
        """Return whether requests go through a proxy."""
        return self._transport().is_proxied

    @property
    def is_unencrypted(self) -> bool:
        """Return whether tokens and bodies cross a network in the clear, be it only on their way to a proxy."""
        return self.settings.is_unencrypted or (self.settings.is_http and self.is_proxied)

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
