# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests that may fail on the way: repeated where that is safe, signed afresh each time, never for ever.

The longest a request can take is `(retries + 2) * timeout` for the attempts, one of them for a corrected
clock, and 60 seconds for each pause between them.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable, Container, Mapping
from typing import Any
from urllib.parse import urlsplit

from ..errors import RequestError
from ..masking import mask, mask_text, scrub
from .clock import Clock
from .messages import readable
from .settings import Settings
from .skew import LEAST_SKEW, Correction, http_date, told
from .transport import Answer, Outcome, SendError, Transport

LONGEST_PAUSE = 60.0
_FIRST_PAUSE = 0.5
SUCCESS = range(200, 300)
_BUSY = 429
_PASSING = (500, 502, 503, 504)
_REPEATABLE = ("GET", "PUT", "DELETE")
_HINTS = {
    401: "check access_key and secret_key",
    403: "check access_key and secret_key, and whether this key may do that",
}


class Tries:
    """How many further attempts are left, shared by all that serves one purpose."""

    def __init__(self, retries: int) -> None:
        self.made = 0
        self._left = retries

    def another(self) -> bool:
        """Take one further attempt, if there is one."""
        if self._left <= 0:
            return False
        self._left -= 1
        self.made += 1
        return True


class Client:
    """Makes signed requests of one console, from several threads if need be.

    What one request learns counts for all: how far the console's clock is off, how long it wants to be left alone,
    and that it is not well. `warn` is called with what the user should know and no result tells.
    """

    def __init__(self, settings: Settings, clock: Clock, warn: Callable[[str], None]) -> None:
        self.settings = settings
        self.clock = clock
        self.warn = warn
        self._own = threading.local()
        self._lock = threading.Lock()
        self._skew = 0.0
        self._is_failing = False
        # Held while one request waits until the console wants to be asked again: all others wait with it.
        self._turn = threading.RLock()

    def url_path(self, path: str) -> str:
        """The absolute path of one relative to the API, as `volumes/7`."""
        return f"{self.settings.base_path}/{path}"

    def tries(self, retries: int | None = None) -> Tries:
        """A fresh budget of further attempts, by default as many as the settings allow."""
        return Tries(self.settings.retries if retries is None else retries)

    def request(
        self,
        method: str,
        path: str,
        query: str = "",
        body: Any = None,
        tries: Tries | None = None,
        accept: Container[int] = SUCCESS,
    ) -> Answer:
        """Make a request and give its answer, if the status is one to accept; RequestError for any other end.

        `path` is absolute, `query` raw, `body` what JSON can hold (None: no body). GET, PUT and DELETE are
        repeated; POST and PATCH only where they surely were not accepted.
        """
        raw = _encode(method, path, body)
        tries = tries or self.tries()
        correction = Correction()
        maybe_applied = False
        with contextlib.ExitStack() as alone:
            while True:
                with self._turn:
                    pass
                result = self._attempt(method, path, query, raw, correction)
                if isinstance(result, Answer) and result.status in accept and not (result.cut and method == "GET"):
                    self._is_failing = False
                    return result
                maybe_applied = maybe_applied or (method != "GET" and _may_be_applied(result))
                if not self._may_repeat(method, result, tries):
                    raise self._error(method, path, result, correction, maybe_applied)
                self._rest(result, tries.made, alone)

    def _may_repeat(self, method: str, result: Outcome, tries: Tries) -> bool:
        """Whether another attempt is safe and may help.

        After one request was repeated in vain each write is tried only once, until the console answers again.
        """
        if not _is_repeatable(method, result):
            return False
        hopeless = self._is_failing and method != "GET" and _is_unwell(result)
        if not hopeless and tries.another():
            return True
        self._is_failing = self._is_failing or _is_unwell(result)
        return False

    def _rest(self, result: Outcome, made: int, alone: contextlib.ExitStack) -> None:
        """Pause before the next attempt; where the console asked for the pause, nobody else asks it anything."""
        answered = self.clock.elapsed()
        pause = asked = self._asked_pause(result)
        if pause is None:
            pause = min(_FIRST_PAUSE * 2.0 ** min(made - 1, 10), LONGEST_PAUSE) * self.clock.jitter()
        if asked is not None or (isinstance(result, Answer) and result.status == _BUSY):
            alone.enter_context(self._turn)
        self.clock.sleep(max(0.0, answered + pause - self.clock.elapsed()))

    def _error(
        self, method: str, path: str, result: Outcome, correction: Correction, maybe_applied: bool
    ) -> RequestError:
        if isinstance(result, SendError):
            return RequestError(method, path, str(result), None, maybe_applied)
        words, pause = _explain(result) + correction.told_of(result), self._asked_pause(result)
        return RequestError(method, path, words, result.status, maybe_applied, pause or 0.0)

    def _attempt(self, method: str, path: str, query: str, body: bytes | None, correction: Correction) -> Outcome:
        """One attempt, and once in a request one more where the refusal may be for the time of signing."""
        skew = correction.or_else(self._skew)
        result = self._send(method, path, query, body, skew)
        if correction.may_help(result, skew):
            skew = correction.or_else(skew)
            result = self._send(method, path, query, body, skew)
        if correction.is_accepted(result):
            self._keep_skew(skew)
        return result

    def _send(self, method: str, path: str, query: str, body: bytes | None, skew: float) -> Outcome:
        if not hasattr(self._own, "transport"):
            self._own.transport = Transport(self.settings, self.clock)
        transport: Transport = self._own.transport
        try:
            return transport.send(method, path, query, body, int(self.clock.time() + skew))
        except SendError as error:
            return error

    def _keep_skew(self, skew: float) -> None:
        with self._lock:
            if abs(self._skew - skew) <= LEAST_SKEW:
                return
            self._skew = skew
        self.warn(
            f"The console's clock is {told(skew)} this machine's. Requests of this task are signed with the"
            " console's time; set the clock of this machine, or the console's, right."
        )

    def _asked_pause(self, result: Outcome) -> float | None:
        """The seconds for which an answer asks to be left alone, bounded; None where it does not."""
        asked = self._retry_after(result) if isinstance(result, Answer) else None
        return None if asked is None else min(max(asked, 0.0), LONGEST_PAUSE)

    def _retry_after(self, answer: Answer) -> float | None:
        text = answer.headers.get("Retry-After", "").strip()
        if re.fullmatch("[0-9]+", text):
            return float(text[:6])
        until = http_date(text)
        if until is None:
            return None
        now = http_date(answer.headers.get("Date"))
        return until - (self.clock.time() if now is None else now)


def _encode(method: str, path: str, body: Any) -> bytes | None:
    try:
        return None if body is None else json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, TypeError, RecursionError) as error:
        raise RequestError(method, path, f"the body cannot be sent as JSON: {error}") from None


def _may_be_applied(result: Outcome) -> bool:
    """Whether the request may have been carried out; a redirect and a time-out of the console's own do not tell."""
    if isinstance(result, SendError):
        return result.sent
    return result.status < 400 or result.status == 408 or (result.status >= 500 and result.status != 501)


def _is_unwell(result: Outcome) -> bool:
    return isinstance(result, SendError) or result.status in _PASSING


def _is_repeatable(method: str, result: Outcome) -> bool:
    if isinstance(result, SendError):
        return not result.lasting and (method in _REPEATABLE or not result.sent)
    if result.status == _BUSY:
        return True
    return method in _REPEATABLE and (result.status in _PASSING or (result.cut and result.status in SUCCESS))


def _explain(answer: Answer) -> str:
    if answer.cut and answer.status in SUCCESS:
        return "the answer broke off"
    if 300 <= answer.status < 400:
        place = scrub(mask_text(_place(answer.headers)), answer.secrets)
        return f"redirects are not followed; this one leads to {place}. Is console_url right?"
    words = readable(answer)
    hint = _HINTS.get(answer.status)
    return f"{words.rstrip('.')} ({hint})" if hint else words


def _place(headers: Mapping[str, str]) -> str:
    """Where a redirect leads, without user info and query, which may hold secrets."""
    try:
        parts = urlsplit(mask(headers.get("Location", "")))
    except ValueError:
        return "nowhere"
    return f"{parts.netloc}{parts.path}".rpartition("@")[2] or "nowhere"
