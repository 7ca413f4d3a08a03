# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A request in the log, for tests to read."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclasses.dataclass(slots=True)
class LoggedRequest:
    """A request to the API and its outcome."""

    method: str
    time: float
    """By the clock of the emulator, without its offset."""
    number: int = 0
    """Counted from 1, since the log was last forgotten."""
    path: str = ""
    """The raw path as it was on the wire, below /api/v1; the whole path where it is not below that."""
    is_outside: bool = False
    """Whether it is not below /api/v1."""
    query: str = ""
    """The raw query as it was on the wire."""
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    """By lower-case name; of a repeated header the last."""
    body: bytes = b""
    connection: int = 0
    """The number of the connection it came by: the same for requests that share one."""
    status: int | None = None
    """The status of the response; None where none was begun, or not yet."""
    authenticated: bool = False
    refusal: str | None = None
    """Why authentication failed."""
    fault: str | None = None
    """The kind of the fault that hit it."""
    retry_after: str | None = None
    """The Retry-After of the response."""

    @property
    def json(self) -> Any:
        """Return the body, parsed from JSON; None where there is none."""
        return json.loads(self.body) if self.body else None

    @property
    def authorization(self) -> str | None:
        return self.headers.get("authorization")

    @property
    def host(self) -> str | None:
        return self.headers.get("host")

    @property
    def user_agent(self) -> str | None:
        return self.headers.get("user-agent")

    @property
    def content_type(self) -> str | None:
        return self.headers.get("content-type")

    def public(self) -> dict[str, Any]:
        """Return the request in a form that JSON can represent."""
        try:
            parsed = self.json
        except ValueError:
            parsed = None
        return {**dataclasses.asdict(self), "body": self.body.decode("utf-8", "replace"), "json": parsed}
