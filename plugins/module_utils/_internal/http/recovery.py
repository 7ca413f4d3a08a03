# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is done about a request that did not succeed: repeated where that is safe, at the end explained.

The longest time of a request is `(retries + 2) * timeout` for the attempts, one of them for a corrected clock, and
60 seconds for each pause between them. Each attempt is signed afresh.
"""

from __future__ import annotations

import contextlib

from ..errors import RequestError
from . import retry
from .client import Client, Request
from .messages import explain_no_response, explain_response
from .no_response import NoResponse, Outcome
from .response import TOO_LARGE, Response
from .skew import ClockSkewCorrection, correction_for, has_accepted_time, keep_skew

_FIRST_PAUSE = 0.5


def recover(client: Client, request: Request, result: Outcome, budget: retry.RetryBudget | None) -> Response:
    """Return the response of a request whose first attempt ended with `result`; RequestError where none is acceptable.

    GET, PUT and DELETE are repeated; POST and PATCH only where they surely were not accepted.
    """
    return _Recovery(client, request, budget or retry.RetryBudget(client.settings.retries)).run(result)


class _Recovery:
    """The further attempts at one request."""

    def __init__(self, client: Client, request: Request, budget: retry.RetryBudget) -> None:
        self._client = client
        self._clock = client.clock
        self._request = request
        self._budget = budget
        self._pauses = retry.backoff(_FIRST_PAUSE, retry.MAX_PAUSE)
        self._correction: ClockSkewCorrection | None = None
        self._corrected_skew: float | None = None
        self._maybe_applied = False
        with client.lock:
            client.breaker = client.breaker or retry.CircuitBreaker(client.settings.retries)
        self._breaker = client.breaker

    def run(self, result: Outcome) -> Response:
        """Repeat the request until it succeeds or is given up."""
        result = self._correct_time(result)
        with contextlib.ExitStack() as waiting:
            while not (isinstance(result, Response) and self._request.is_done(result)):
                may_repeat = self._may_repeat(result)
                if not (may_repeat and self._budget.take()):
                    self._breaker.record_failure(self._request.method, result.status, self._is_repeatable(result))
                    raise self._error(result)
                self._wait(result, waiting)
                skew = self._client.skew if self._corrected_skew is None else self._corrected_skew
                result = self._correct_time(self._client.send(self._request, skew))
        self._breaker.record_success()
        return result

    def _correct_time(self, result: Outcome) -> Outcome:
        """Make another attempt, once in a request, where a refusal may be due to the time of signing."""
        self._note(result)
        if self._correction is None:
            self._correction = correction_for(result, self._client)
            if self._correction and not self._correction.obstacle:
                self._corrected_skew = self._correction.seconds
                result = self._client.send(self._request, self._corrected_skew)
                self._note(result)
        if self._corrected_skew is not None and has_accepted_time(result):
            keep_skew(self._client, self._corrected_skew)
        return result

    def _note(self, result: Outcome) -> None:
        applied = result.sent if isinstance(result, NoResponse) else retry.maybe_applied(result.status)
        self._maybe_applied = self._maybe_applied or (self._request.method != "GET" and applied)

    def _may_repeat(self, result: Outcome) -> bool:
        return self._is_repeatable(result) and self._breaker.allows_retry(self._request.method, result.status)

    def _is_repeatable(self, result: Outcome) -> bool:
        method = self._request.method
        if isinstance(result, NoResponse):
            return retry.may_repeat_failure(method, result.sent, result.is_permanent)
        is_too_large = result.defect == TOO_LARGE
        return not is_too_large and retry.may_repeat_response(method, result.status, bool(result.defect))

    def _wait(self, result: Outcome, waiting: contextlib.ExitStack) -> None:
        """Wait before the next attempt; where the console asked for that, all other requests wait too."""
        received = self._clock.elapsed()
        pause = next(self._pauses) * self._clock.jitter()
        requested = retry.retry_after(result.headers, self._clock.time()) if isinstance(result, Response) else None
        if requested is not None or result.status == retry.TOO_MANY_REQUESTS:
            waiting.enter_context(self._client.rate_limit_gate)
        seconds = pause if requested is None else requested
        self._clock.sleep(max(0.0, received + seconds - self._clock.elapsed()))
        with self._client.rate_limit_gate:
            pass

    def _error(self, result: Outcome) -> RequestError:
        """Return the error of a request that is given up."""
        method, path = self._request.method, self._request.path
        if isinstance(result, NoResponse):
            message = explain_no_response(result, self._client.settings, self._client.is_proxied)
            return RequestError(method, path, message, None, self._maybe_applied)
        is_first_list = method == "GET" and path == f"{self._client.settings.base_path}/volumes"
        hint = self._correction.explain(result) if self._correction else ""
        message = explain_response(result, is_first_list) + hint
        pause = retry.retry_after(result.headers, self._clock.time()) or 0.0
        return RequestError(method, path, message, result.status, self._maybe_applied, pause)
