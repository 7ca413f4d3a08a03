# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed requests to a console, one at a time. Every answer is kept, and their number is limited."""

from __future__ import annotations

import dataclasses
import http.client
import json
import ssl
import urllib.request
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from emulator.signature import sign_headers

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "/api/v1"
LIMIT, FOR_CLEANUP = 250, 60
"""The requests that a probe may make, and how many more its clean-up."""
_TRIES, _LONGEST_PAUSE, _LARGEST_BODY = 4, 60.0, 16 * 1024 * 1024
_FALSE = ("0", "false", "f", "no", "n", "off")


class ProbeError(Exception):
    """The probe cannot go on; the text says why."""


class Clock(Protocol):
    """What the module `time` has: seconds since the epoch, and a way to let them pass."""

    def time(self) -> float: ...

    def sleep(self, seconds: float, /) -> None: ...


@dataclasses.dataclass(frozen=True)
class Connection:
    """Where the console is, without the prefix of the API, and with which keys requests are signed."""

    url: str
    access_key: str
    secret_key: str = dataclasses.field(repr=False)
    timeout: float = 30.0
    tls: ssl.SSLContext | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Connection:
        """Return the connection that the modules would use; ProbeError where it cannot be used."""
        given = {name: value.strip() for name, value in environment.items() if value.strip()}
        names = [f"MANAGEDFS_{name}" for name in ("CONSOLE_URL", "ACCESS_KEY", "SECRET_KEY")]
        if missing := [name for name in names if name not in given]:
            raise ProbeError(f"{', '.join(missing)} must be set in the environment")
        url, access_key, secret_key = (given[name] for name in names)
        if not url.startswith(("http://", "https://")):
            raise ProbeError("MANAGEDFS_CONSOLE_URL must begin with http:// or https://")
        try:
            tls, timeout = _tls(given), float(given.get("MANAGEDFS_TIMEOUT", 30))
        except (OSError, ValueError) as error:
            raise ProbeError(f"the connection in the environment cannot be used: {error}") from error
        return cls(url.rstrip("/").removesuffix(PREFIX), access_key, secret_key, timeout, tls)


def _tls(given: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=given.get("MANAGEDFS_CA_PATH"))
    if given.get("MANAGEDFS_VALIDATE_CERTS", "").lower() in _FALSE:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certificate := given.get("MANAGEDFS_CLIENT_CERT"):
        context.load_cert_chain(certificate, given.get("MANAGEDFS_CLIENT_KEY"))
    return context


class Reply(NamedTuple):
    """An answer, of status 0 where there was none, and when it was asked for, by the clock of the probe."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: float
    skew: float | None = None
    """By how many seconds the console's clock is ahead, where the answer tells."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_refusal(self) -> bool:
        return 400 <= self.status < 500

    @property
    def value(self) -> Any:
        """Return the body, parsed from JSON; None where it is something else."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def content(self) -> str:
        """Return what the body holds: empty, html, text, array, page, id, record or other."""
        text, value = self.body.strip(), self.value
        if value is None:
            return "empty" if not text else "html" if text.startswith(b"<") else "text"
        if not isinstance(value, dict):
            return "array" if isinstance(value, list) else "other"
        return "page" if "results" in value else "id" if set(value) == {"id"} else "record"


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Takes every answer for one; redirects are not followed."""

    def http_response(self, _request: Any, response: Any) -> Any:
        return response

    https_response = http_response  # type: ignore[assignment]


class Client:
    """Sends requests and keeps the answers. `limit` is how many requests it may still make."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self.connection, self.clock, self.limit = connection, clock, LIMIT
        self.replies: list[Reply] = []
        self._opener = urllib.request.build_opener(_AnyStatus, urllib.request.HTTPSHandler(context=connection.tls))

    def request(self, method: str, path: str, body: Any = None, *, query: str = "") -> Reply:
        """Return the answer; ProbeError where a GET gets none. A GET is repeated where the console fails."""
        for attempt in range(_TRIES):
            reply = self.send(method, path, body, query=query)
            self.replies.append(reply)
            if reply.status != 429 and (method != "GET" or reply.status not in (0, 500, 502, 503, 504)):
                break
            self.clock.sleep(self._pause(reply, attempt) if reply.status == 429 else 0.5)
        if method == "GET" and not reply.status:
            raise ProbeError("the console no longer answers")
        return reply

    def send(
        self, method: str, path: str, body: Any = None, *, query: str = "", seconds_ago: int = 0, secret_key: str = ""
    ) -> Reply:
        """Send a request once; it can be signed as if that was some time ago, or with another key."""
        if self.limit <= 0:
            raise ProbeError("the probe has made as many requests as it may")
        self.limit -= 1
        to, sent = self.connection, self.clock.time()
        url = f"{to.url}{PREFIX}{path}" + (f"?{query}" if query else "")
        data, key = None if body is None else json.dumps(body).encode(), secret_key or to.secret_key
        headers = sign_headers(to.access_key, key, int(sent) - seconds_ago, method, url, body=data)
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with self._opener.open(request, timeout=to.timeout) as response:
                found = {name.lower(): text for name, text in response.headers.items()}
                content, date = response.read(_LARGEST_BODY), _date(found.get("date", ""))
                # A body that is cut off, or too long, is no answer.
                status = 0 if response.length else response.status
        except (OSError, http.client.HTTPException):
            return Reply(method, path, 0, {}, b"", sent)
        skew = None if date is None or "age" in found else date - (sent + self.clock.time()) / 2
        return Reply(method, path, status, found, content, sent, skew)

    def _pause(self, reply: Reply, attempt: int) -> float:
        """Return for how many seconds to wait after an answer 429."""
        text = reply.headers.get("retry-after", "").strip()
        pause, date = float(text) if text.isdecimal() else 0.5 * 2**attempt, _date(text)
        if date is not None:
            pause = date - self.clock.time() - (reply.skew or 0.0)
        return max(0.0, min(pause, _LONGEST_PAUSE))


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
