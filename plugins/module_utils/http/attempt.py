# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The attempts at one request: signed for the time that the console is thought to have, corrected once."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from ..errors import RequestError
from ..masking import mask, mask_text
from .clock import Clock
from .messages import readable
from .response import Outcome, Response, SendError
from .retry import SUCCESS, is_redirect, maybe_applied
from .skew import ClockSkew, ClockSkewCorrection, correction_for
from .transport import Transport

_HINTS = {
    401: "check access_key and secret_key",
    403: "check access_key and secret_key, and whether this key may do that",
}


class Attempts:
    """Makes attempts at one request, and remembers what they have in common."""

    def __init__(
        self,
        transport: Transport,
        clock: Clock,
        skew: ClockSkew,
        method: str,
        path: str,
        query: str,
        body: bytes | None,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._skew = skew
        self._method = method
        self._path = path
        self._query = query
        self._body = body
        self._correction: ClockSkewCorrection | None = None
        self._maybe_applied = False

    def make(self) -> Outcome:
        """Make one attempt, and once in a request another where the refusal may be due to the time of signing."""
        skew = self._correction.seconds if self._correction else self._skew.seconds
        result = self._send(skew)
        if self._correction is None:
            self._correction = correction_for(result, skew)
            if self._correction:
                result = self._send(self._correction.seconds)
        if self._correction and self._correction.has_helped(result):
            self._skew.keep(self._correction.seconds)
        return result

    def error(self, result: Outcome) -> RequestError:
        """Return the error of a request that is given up."""
        if isinstance(result, SendError):
            return RequestError(self._method, self._path, str(result), None, self._maybe_applied)
        message = _explain(result) + (self._correction.explain(result) if self._correction else "")
        pause = result.retry_after(self._clock.time()) or 0.0
        return RequestError(self._method, self._path, message, result.status, self._maybe_applied, pause)

    def _send(self, skew: float) -> Outcome:
        timestamp = int(self._clock.time() + skew)
        result: Outcome
        try:
            result = self._transport.send(self._method, self._path, self._query, self._body, timestamp)
        except SendError as error:
            result = error
        applied = result.sent if isinstance(result, SendError) else maybe_applied(result.status)
        self._maybe_applied = self._maybe_applied or (self._method != "GET" and applied)
        return result


def _explain(response: Response) -> str:
    if response.truncated and response.status in SUCCESS:
        return "the response was incomplete"
    if is_redirect(response.status):
        place = mask_text(_location(response.headers))
        return f"redirects are not followed, and this one leads to {place}. Check console_url"
    message = readable(response)
    hint = _HINTS.get(response.status)
    return f"{message.rstrip('.')} ({hint})" if hint else message


def _location(headers: Mapping[str, str]) -> str:
    """Return where a redirect leads, without user info and query, which may hold secrets."""
    try:
        parts = urlsplit(mask(headers.get("Location", "")))
    except ValueError:
        return "nowhere"
    return f"{parts.netloc}{parts.path}".rpartition("@")[2] or "nowhere"
