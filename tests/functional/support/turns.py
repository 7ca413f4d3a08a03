# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tasks on one console whose requests take turns, in an order that the test decides, or that are killed at one of them.

The console is the emulator's, without the network between.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

from requests.structures import CaseInsensitiveDict

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.client import Client
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.module import Task
from emulator.answers import Request
from emulator.console import Console
from emulator.dialect import Dialect
from emulator.resources import EXPORTS, VOLUMES
from emulator.store import Store
from functional.support.cases import CASES, DERANDOMIZED
from functional.support.inprocess import FakeClock

SETTINGS = Settings("http://console.invalid", "/api/v1", "key", "secret")
Act = Callable[[Task], dict[str, Any]]


class Killed(BaseException):
    """The end of a process, which nothing in it survives."""


class Site:
    """A console with a volume. `check` is called after each request, with its number."""

    def __init__(self, dialect: Dialect) -> None:
        self.clock = FakeClock()
        self.console = Console(Store(), self.clock.time, dialect)
        self.volume = self.console.make(VOLUMES, 0, {"name": "v", "bucket": "https://v.example.com"})
        self.writes: list[str] = []
        self.check: Callable[[], None] = lambda: None

    def add_export(self, **fields: Any) -> int:
        return self.console.make(EXPORTS, self.volume, fields)

    @property
    def exports(self) -> list[dict[str, Any]]:
        return self.console.truth(EXPORTS, self.volume)

    def run(
        self,
        act: Act,
        params: dict[str, Any],
        before: Callable[[], None] | None = None,
        after: Callable[[], None] | None = None,
    ) -> dict[str, Any]:
        """Return the result of a task, that of a failed one with `failed`; `before` and `after` are called for each request."""

        def send(method: str, path: str, query: str, body: bytes | None, _skew: float) -> Response:
            (before or (lambda: None))()
            answer = self.console.answer(
                Request(method, path.removeprefix("/api/v1"), query, body or b"", origin=SETTINGS.origin)
            )
            if method != "GET":
                self.writes.append(f"{method} {path}")
            self.check()
            (after or (lambda: None))()
            return Response(answer.status, CaseInsensitiveDict(answer.headers), answer.body)

        client = Client(SETTINGS, cast(Any, self.clock), lambda _message: None)
        client._transport = cast(Any, SimpleNamespace(send=send))
        given = {
            "volume": "v",
            "volume_id": None,
            "wait_timeout": 300,
            "expected_plan": None,
            "include_tokens": True,
            **params,
        }
        warnings: list[str] = []
        task = SimpleNamespace(
            params=given, check_mode=False, diff_mode=True, client=client, warn=lambda *texts: warnings.extend(texts)
        )
        try:
            return {**act(cast(Any, task)), "warnings": warnings}
        except ConsoleError as error:
            return {"failed": True, "msg": str(error), "warnings": warnings, **error.details}


def kill_at(number: int, is_done: bool) -> dict[str, Callable[[], None]]:
    """Return what ends a task at its request of this number, before or after that takes effect."""
    count = itertools.count(1)

    def step() -> None:
        if next(count) == number:
            raise Killed

    return {"after" if is_done else "before": step}


def take_turns(tasks: Sequence[Callable[[Callable[[], None]], object]], choices: Sequence[int]) -> list[int]:
    """Run tasks side by side, one request at a time; each is handed what to call before a request.

    `choices` says which of those that wait goes on, the first one where it has no more to say. Return how many waited each time.
    """
    resume = [threading.Semaphore(0) for _task in tasks]
    paused = threading.Semaphore(0)
    running = set(range(len(tasks)))
    errors: list[BaseException] = []

    def work(number: int) -> None:
        resume[number].acquire()

        def wait() -> None:
            paused.release()
            resume[number].acquire()

        try:
            tasks[number](wait)
        except BaseException as error:  # noqa: BLE001 - raised again, in the thread of the test
            errors.append(error)
        running.discard(number)
        paused.release()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(tasks))]
    for thread in threads:
        thread.start()
    waited = []
    for turn in itertools.count():
        waiting = sorted(running)
        if not waiting:
            break
        waited.append(len(waiting))
        resume[waiting[choices[turn] % len(waiting) if turn < len(choices) else 0]].release()
        paused.acquire()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return waited


def orders(play: Callable[[Sequence[int]], list[int]]) -> Iterator[Sequence[int]]:
    """Yield the choices of orders after `play` has run them: all there are where CASES is set, and else some hundreds."""
    if not DERANDOMIZED:
        yield from _all_orders(play)
        return
    for number in range(CASES):
        draw = random.Random(number)
        choices = [draw.randrange(2) for _turn in range(30)]
        play(choices)
        yield choices


def _all_orders(play: Callable[[Sequence[int]], list[int]]) -> Iterator[list[int]]:
    """Yield the choices of each order; `play` returns how many there were to choose from each time."""
    choices: list[int] | None = []
    while choices is not None:
        waited = play(choices)
        choices += [0] * (len(waited) - len(choices))
        yield choices
        last = next((turn for turn in reversed(range(len(waited))) if choices[turn] + 1 < waited[turn]), None)
        choices = None if last is None else [*choices[:last], choices[last] + 1]
