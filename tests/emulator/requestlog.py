# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of requests, for tests to read."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(slots=True)
class LoggedRequest:
    """A request to the API and its outcome."""

    number: int
    """Counted from 1, since the log was last forgotten."""
    method: str
    path: str
    """The raw path as it was on the wire, below /api/v1; the whole path where it is not below that."""
    query: str
    """The raw query as it was on the wire."""
    headers: dict[str, str]
    """By lower-case name; of a repeated header the last."""
    body: bytes
    connection: int
    """The number of the connection it came by: the same for requests that share one."""
    time: float
    """By the clock of the emulator, without its offset."""
    status: int | None = None
    """The status of the response; None where none was begun, or not yet."""
    authenticated: bool = False
    refusal: str | None = None
    """Why authentication failed."""
    fault: str | None = None
    """The kind of the fault that hit it."""
    retry_after: str | None = field(default=None)
    """The Retry-After of the response."""

    @property
    def json(self) -> Any:
        """Return the body, parsed from JSON; None where there is none."""
        return json.loads(self.body) if self.body else None

    @property
    def host(self) -> str | None:
        """Return the Host header."""
        return self.headers.get("host")

    @property
    def authorization(self) -> str | None:
        """Return the Authorization header."""
        return self.headers.get("authorization")

    @property
    def user_agent(self) -> str | None:
        """Return the User-Agent header."""
        return self.headers.get("user-agent")

    @property
    def content_type(self) -> str | None:
        """Return the Content-Type header."""
        return self.headers.get("content-type")

    def public(self) -> dict[str, Any]:
        """Return the request in a form that JSON can represent."""
        return {
            "number": self.number,
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "headers": self.headers,
            "body": self.body.decode("utf-8", "replace"),
            "json": self._json_or_none(),
            "connection": self.connection,
            "time": self.time,
            "status": self.status,
            "authenticated": self.authenticated,
            "refusal": self.refusal,
            "fault": self.fault,
            "retry_after": self.retry_after,
        }

    def _json_or_none(self) -> Any:
        """Return the body as JSON, None also where it is something else."""
        try:
            return self.json
        except ValueError:
            return None


class RequestLog:
    """The latest requests, up to a limit; a limit of 0 keeps none."""

    def __init__(self, limit: int) -> None:
        """Begin empty."""
        self._entries: deque[LoggedRequest] = deque(maxlen=limit)
        self.enabled = limit > 0
        self.count = 0

    def add(self, entry: LoggedRequest) -> None:
        """Keep a request."""
        self._entries.append(entry)

    def clear(self) -> None:
        """Forget all requests."""
        self._entries.clear()
        self.count = 0

    def snapshot(self) -> list[LoggedRequest]:
        """Return the requests kept, the oldest first."""
        return list(self._entries)
