# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One attempt at a request, and what one request learns for all others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container
from typing import TYPE_CHECKING

from .clock import Clock
from .response import Outcome, Response, SendError
from .settings import Settings
from .transport import Transport

if TYPE_CHECKING:
    from .retry import CircuitBreaker


class Request:
    """A request as it goes on the wire, and the statuses that its caller accepts."""

    def __init__(self, method: str, path: str, query: str, body: bytes | None, accept: Container[int]) -> None:
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.accept = accept

    def is_done(self, response: Response) -> bool:
        """Return whether this is what the caller asked for. A GET is for its body; of a write only the status counts."""
        return response.status in self.accept and not (response.truncated and self.method == "GET")


class Exchange:
    """Makes attempts at requests to one console, from several threads if need be.

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

    def send(self, request: Request, skew: float) -> Outcome:
        """Make one attempt, signed for a time that is so many seconds ahead of ours."""
        timestamp = int(self.clock.time() + skew)
        try:
            return self._transport().send(request.method, request.path, request.query, request.body, timestamp)
        except SendError as error:
            return error

    @property
    def is_proxied(self) -> bool:
        """Return whether requests go through a proxy."""
        return bool(self._transport().proxies)

    def _transport(self) -> Transport:
        """Return the connections of the calling thread."""
        if not hasattr(self._of_thread, "transport"):
            self._of_thread.transport = Transport(self.settings, self.clock)
        transport: Transport = self._of_thread.transport
        return transport
