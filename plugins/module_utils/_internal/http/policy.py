# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the outcome of an attempt means: whether to repeat it, and after which pause. Pure.

What a status means for the next attempt is decided only here (docs/docsite/rst/api.rst, "Errors" and "Clock").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from ..connection import Settings
from .transport import INCOMPLETE, TOO_LARGE, Attempt, NoResponse, Response

SUCCESS = range(200, 300)
# These only name another location.
REDIRECT = range(300, 400)
TOO_MANY_REQUESTS = 429
NOT_FOUND = 404
NOT_IMPLEMENTED = 501
MAX_PAUSE = 60.0
_REQUEST_TIMEOUT = 408
# No response, or one of a console or proxy that is unwell for now.
_UNWELL = (None, 500, 502, 503, 504)
# What a console may answer for a route that it does not have.
NO_SUCH_ROUTE = (NOT_FOUND, 405, NOT_IMPLEMENTED)
_NOT_ABOUT_TIME = (NOT_FOUND, 405, 409, 415, 422, TOO_MANY_REQUESTS)
REFUSALS_OF_SIGNATURE = (401, 403)
_WORD_OF_TIME = "(?<![a-z])(?:times?|timestamps?|clocks?|skew(?:ed)?|expired|dates?)(?![a-z])"
_SAFE_TO_REPEAT = ("GET", "PUT", "DELETE")
# The console refuses above 300 s. Below this, the clock cannot be the cause.
MIN_SKEW = 240
# A signature can be used until its time has passed, so none is made for a time further ahead.
_MAX_SKEW = 3600
_MAX_ROUND_TRIP = 30
# A list gives up its other writes after this many unanswered ones, or more if more retries are wanted.
_MIN_BREAKER_THRESHOLD = 3


def is_answered(status: int | None) -> bool:
    """Return whether the console handled a request, rather than being unreachable, busy or broken."""
    return status is not None and status != TOO_MANY_REQUESTS and (status < 500 or status == NOT_IMPLEMENTED)


def maybe_applied(attempt: Attempt) -> bool:
    """Return whether a write may have been carried out; a redirect, or a time-out in the console, leaves it open."""
    if isinstance(attempt, NoResponse):
        return attempt.sent
    status = attempt.status
    return status < 400 or status == _REQUEST_TIMEOUT or (status >= 500 and status != NOT_IMPLEMENTED)


def may_repeat(method: str, attempt: Attempt) -> bool:
    """Return whether a request may be repeated; one that may have been carried out, only if it is idempotent."""
    is_safe = method in _SAFE_TO_REPEAT
    if isinstance(attempt, NoResponse):
        return not attempt.is_permanent and (is_safe or not attempt.sent)
    if attempt.defect == TOO_LARGE:
        return False
    is_broken = attempt.status in _UNWELL or (attempt.defect == INCOMPLETE and attempt.status in SUCCESS)
    return attempt.status == TOO_MANY_REQUESTS or (is_safe and is_broken)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return for how many seconds the console asks not to be called, within bounds; None if it does not."""
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch("[0-9]+", text):
        return min(float(text), MAX_PAUSE)
    until = parse_http_date(text)
    return None if until is None else min(max(until - (parse_http_date(headers.get("Date")) or now), 0.0), MAX_PAUSE)


def parse_http_date(text: str | None) -> float | None:
    """Return the epoch seconds of an HTTP date, None for anything else."""
    try:
        made = parsedate_to_datetime(text or "")
        # HTTP dates are in UTC, also in the obsolete forms that do not say so.
        return (made if made.tzinfo else made.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def backoff(pause: float, longest: float) -> Iterator[float]:
    """Yield pauses in seconds, each twice the one before, up to the longest."""
    while True:
        yield pause
        pause = min(pause * 2, longest)


class ClockCorrection(NamedTuple):
    """The console's time, after a refusal that may be due to the time of the signature.

    `seconds` is how far the console's clock is ahead of ours, `obstacle` the reason not to sign with that time, blank
    for none.
    """

    seconds: float
    obstacle: str


def find_correction(
    response: Response, refusal: str, settings: Settings, is_unencrypted: bool
) -> ClockCorrection | None:
    """Return the correction for a refusal with this message; None if the time of the signature is not the cause."""
    if (made := parse_http_date(response.headers.get("Date"))) is None or not maybe_refused_for_time(response.status):
        return None
    seconds = made - (response.sent_at + response.took / 2)
    # A cached response has an Age, and the Date of a slow one is imprecise.
    is_old = "Age" in response.headers or response.took > _MAX_ROUND_TRIP
    # Compare with the time that this request was signed with: another one may have corrected it since.
    if is_old or abs(seconds - response.skew) <= MIN_SKEW:
        return None
    words = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", refusal).lower()
    says_time = response.status == 400 and re.search(_WORD_OF_TIME, words)
    # A forged answer could ask for signatures that become valid in the future.
    obstacle = ""
    if response.status not in REFUSALS_OF_SIGNATURE and not says_time:
        obstacle = f"neither the status {response.status} nor the message says that it is about the time"
    elif not settings.validate_certs:
        obstacle = "validate_certs is false, so that anybody could have sent it"
    elif is_unencrypted:
        obstacle = "over http anybody could have sent it"
    # A Date has whole seconds, and is from some moment between sending and receiving.
    elif abs(seconds) > _MAX_SKEW + 1 + response.took / 2:
        obstacle = "a difference of more than an hour is never corrected"
    return ClockCorrection(seconds, obstacle)


def maybe_refused_for_time(status: int) -> bool:
    """Return whether a status can mean that the signature's timestamp was refused."""
    return 400 <= status < 500 and status not in _NOT_ABOUT_TIME


def has_accepted_time(attempt: Attempt) -> bool:
    """Return whether the console accepted the time of a request; a 5xx may be a proxy's, and proves nothing."""
    return attempt.status is not None and attempt.status < 500 and not maybe_refused_for_time(attempt.status)


def format_skew(seconds: float) -> str:
    """Return a skew in words."""
    return f"{round(abs(seconds))} s {'ahead of' if seconds > 0 else 'behind'}"


class RetryBudget:
    """The further attempts that are left, shared by all requests for one purpose."""

    def __init__(self, retries: int) -> None:
        self.left = retries

    def take(self) -> bool:
        """Take one further attempt; return whether there was one."""
        if self.left > 0:
            self.left -= 1
            return True
        return False


class CircuitBreaker:
    """Detects a console that no longer works, so that thousands of writes do not each wait for it in vain.

    Once a request failed after all its retries, later writes are not retried. Once several writes in a row got no
    response or were rate-limited, the circuit is open: no more are sent until a request succeeds.
    """

    def __init__(self, retries: int) -> None:
        self.unanswered = 0
        self._threshold = max(retries + 1, _MIN_BREAKER_THRESHOLD)
        self._is_failing = False

    @property
    def is_open(self) -> bool:
        """Return whether writes should not be sent."""
        return self.unanswered >= self._threshold

    @property
    def reason(self) -> str:
        """Return the reason why the circuit is open, for messages."""
        return f"{self.unanswered} consecutive requests were unanswered or rate-limited"

    def allows_retry(self, method: str, status: int | None) -> bool:
        """Return whether a request that could be repeated should be."""
        return method == "GET" or not self._is_failing or status not in _UNWELL

    def record_failure(self, method: str, status: int | None, retried: bool) -> None:
        """Record a request that was given up; `status` is None without a response."""
        self._is_failing = self._is_failing or (retried and status in _UNWELL)
        if method != "GET":
            self.count(status)

    def count(self, status: int | None) -> None:
        """Record the last status of a request, None without a response."""
        self.unanswered = self.unanswered + 1 if status in (None, TOO_MANY_REQUESTS) else 0

    def close(self) -> None:
        """Allow writes again: those by other methods may well be answered."""
        self.unanswered = 0

    def record_success(self) -> None:
        self._is_failing = False
        self.unanswered = 0
