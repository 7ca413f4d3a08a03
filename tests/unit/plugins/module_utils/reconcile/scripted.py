# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A store that responds according to a script, and a clock that moves only when somebody sleeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from ansible_collections.managedfs.console.plugins.module_utils._internal.api.lists import Store
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.messages import said
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import CircuitBreaker, RetryBudget
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT


class Request(NamedTuple):
    """A request that was sent, and the number of its further attempts."""

    method: str
    path: str
    body: Any
    retries: int | None


class ScriptedStore:
    """Responds to requests with these statuses, responses or errors in turn, and to reads with these lists or errors.

    The last list stays; none is an empty one. `takes` is how many seconds a request really takes, so that others can be under
    way at the same time.
    """

    def __init__(
        self,
        responses: Sequence[int | Response | ConsoleError],
        lists: Sequence[list[Record] | ConsoleError] = (),
        retries: int = 4,
    ) -> None:
        self.resource = EXPORT
        self.path = "/exports"
        self.client = self
        self.clock: ScriptedStore = self
        self.settings = SimpleNamespace(retries=retries)
        self.breaker = CircuitBreaker(retries=0)
        self.takes = 0.0
        self.sent: list[Request] = []
        self.slept: list[float] = []
        self.reads = 0
        self.threads: set[threading.Thread] = set()
        self.most_at_once = 0
        self._at_once = 0
        self._responses = list(responses)
        self._lists = list(lists)

    @property
    def as_store(self) -> Store:
        """Return this store under the type that it replaces."""
        return cast(Store, self)

    @property
    def methods(self) -> list[str]:
        """Return the methods of the requests, in order."""
        return [sent.method for sent in self.sent]

    def request(self, method: str, path: str, *, body: Any, budget: RetryBudget | None) -> Response:
        self.threads.add(threading.current_thread())
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        if self.takes:
            time.sleep(self.takes)
        self.sent.append(Request(method, path, body, None if budget is None else budget.left))
        response = self._responses.pop(0)
        self._at_once -= 1
        if isinstance(response, ConsoleError):
            raise response
        return response if isinstance(response, Response) else Response(response, {}, b"")

    def words_in(self, body: bytes) -> str:
        return said(body)

    def read(self) -> Records:
        self.reads += 1
        if not self._lists:
            return Records(EXPORT)
        found = self._lists.pop(0) if len(self._lists) > 1 else self._lists[0]
        if isinstance(found, ConsoleError):
            raise found
        return Records(EXPORT, found)

    def elapsed(self) -> float:
        return round(sum(self.slept), 6)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
