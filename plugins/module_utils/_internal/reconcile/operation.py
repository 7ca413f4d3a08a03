# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One write on its way: its requests, and the looks at the list that tell what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api.lists import Store, is_id
from ..errors import ConsoleError, RequestError
from ..http.policy import RetryBudget
from ..http.transport import Response
from ..model.plan import CREATE, DELETE, UPDATE, Plan
from ..model.records import Records
from . import create, delete, update
from .history import WATCH_SECONDS, History, Outcome, Request, Send

_KINDS: Mapping[str, Any] = {CREATE: create, UPDATE: update, DELETE: delete}


class Operation:
    """The write that a plan needs.

    `needs_request` is true while a request is to be sent; `outcome` is there once it is known what came of it.
    """

    def __init__(self, store: Store, before: Records, plan: Plan, wait_timeout: float) -> None:
        self.plan = plan
        self.store = store
        self.body: Mapping[str, Any] | None = plan.body
        self.outcome: Outcome | None = None
        self._kind = _KINDS[plan.action]
        path = store.path if plan.current is None else f"{store.path}/{plan.current['id']}"
        self._history = History(plan, before, path, wait_timeout)
        self._clock = store.client.clock
        self._budget = RetryBudget(store.client.settings.retries)
        self._unreadable_since: float | None = None

    @property
    def needs_request(self) -> bool:
        """Return whether a request is to be sent."""
        return self.body is not None

    def send(self) -> None:
        """Send the request that is due, unless the console has stopped working."""
        breaker = self.store.client.breaker
        if breaker and breaker.is_open:
            self.skip(breaker.reason)
            return
        body, self.body = self.body or {}, None
        sent_at = self._clock.elapsed()
        try:
            response = self._request(body)
            request = Request(sent_at, None, response.status, self._created_id(response))
        except RequestError as error:
            request = Request(sent_at, error, error.status)
        self._history.add_request(request)

    def start_watching(self) -> None:
        """Begin to look for the effect of the request."""
        self._history.watching_since = self._clock.elapsed()

    def observe(self, records: Records) -> None:
        """Take note of the list as it is now, and decide what comes next."""
        now = self._clock.elapsed()
        self._unreadable_since = None
        self._history.add_look(records, now)
        self._history.can_retry = self._budget.left > 0
        decision = self._kind.decide(self._history, now)
        if isinstance(decision, Send):
            self.body = decision.body
        else:
            self.outcome = decision

    def observe_error(self, error: ConsoleError) -> None:
        """Take note that the list could not be read. After a while, all that is known is how the request ended."""
        now = self._clock.elapsed()
        self._unreadable_since = now if self._unreadable_since is None else self._unreadable_since
        if now - self._unreadable_since < WATCH_SECONDS:
            return
        last = self._history.last
        message = f"{self.plan.description} was {self._kind.DONE}, but could not be read back: {error}"
        if last.error:
            message = f"{str(last.error).rstrip('.')}. {self.plan.description} could not be read back to see the result: {error}"
        outcome = self._history.fail(ConsoleError(message, **error.details))
        self.outcome = outcome._replace(changed=outcome.changed or self._history.maybe_applied)

    def skip(self, reason: str) -> None:
        """Do not send the request."""
        self.body = None
        self.outcome = self._history.fail(ConsoleError(f"{self.plan.description} was skipped: {reason}"))

    def use_whole_body(self) -> None:
        """Let an update carry the whole record, on a console that resets what an update leaves out."""
        self.body = self.plan.whole_body

    @property
    def suggests_whole_body(self) -> bool:
        """Return whether this update had to be followed by one that restores other fields, or was accepted and does not show."""
        requests = self._history.requests
        is_restored = len(requests) > 1 and requests[-1].maybe_applied
        is_seen = self.outcome is not None and self.outcome.is_seen
        return is_restored or (not is_seen and any(request.is_accepted for request in requests))

    def _created_id(self, response: Response) -> str | None:
        """Return the id that the response to a creation gives."""
        if self.plan.action is not CREATE:
            return None
        try:
            content = response.json()
        except ValueError:
            return None
        identity = content.get("id") if isinstance(content, dict) else None
        return str(identity) if is_id(identity) else None

    def _request(self, body: Mapping[str, Any]) -> Response:
        budget = None
        if self.plan.action is CREATE:
            # Between any two POSTs the list is looked at, so a repeated one is not retried blindly either.
            is_repeated = bool(self._history.requests) and self._budget.take()
            budget = RetryBudget(0) if is_repeated else self._budget
        return self.store.client.request(self._kind.METHOD, self._history.path, body=body or None, budget=budget)
