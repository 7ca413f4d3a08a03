# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One interleaving of two tasks: whose turn it is, what goes wrong, and which records existed after each turn.

Each request and each pause is a turn. Each task has a thread, and a permit to run. A task hands the turn over where the
order says so, and when it ends. So one thread runs at a time, time passes only in pauses, and the same order gives the
same run.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from unittest import mock

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import client
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import (
    Attempt,
    NoResponse,
    Response,
)
from emulator import Dialect
from emulator.answers import Answer, Request
from emulator.console import Console
from emulator.faults import Change
from emulator.lists import PREFIX
from emulator.resources import EXPORTS, QUOTAS
from emulator.store import Store
from interleavings.tasks import SETTINGS, VOLUME, Job, seed

SWITCH = "switch"
# Nobody changes the volume, so a switch before these is one after them.
COMMUTING = ("GET /volumes", f"GET /volumes/{VOLUME}/is_ready")
# A write may be lost, or only its response; it may be carried out after the connection was lost; it may be refused; or its
# response is lost, and the next write is refused as a conflict with it.
LATE = "late"
UNANSWERED = ("response lost", "conflict")
WRITE_FAULTS = ("lost", *UNANSWERED, LATE, "refused")
# A list from before the last write.
STALE = "stale"
READ_FAULTS = (STALE,)
# How a task alone can end early: it is killed, or the console disappears. No pair is tried with these.
KILLED, GONE = ENDS = ("killed", "gone")
_LATE = 0.25
_LATER = 60.0
_START = 2_000_000_000.0


class _Killed(BaseException):
    """Ends a task that is killed."""


# A turn, and the event at it: a switch to the other task, or a fault.
Decision = tuple[int, str]
Truth = Mapping[int, Mapping[str, Any]]


class Order(NamedTuple):
    """The task that begins, and the events at later turns."""

    first: int = 0
    decisions: tuple[Decision, ...] = ()

    def then(self, turn: int, event: str) -> Order:
        return Order(self.first, (*self.decisions, (turn, event)))

    def count(self, *events: str) -> int:
        return sum(event in events for _turn, event in self.decisions)


class Branch(NamedTuple):
    """A turn at which another event could have happened, and a digest of all that determines what follows."""

    turn: int
    faults: tuple[str, ...]
    can_switch: bool
    state: int


class Actor:
    """A task that runs: its clock, its connection to the console, and what it did and saw.

    `shown` is the number of the snapshot in its last list, `planned` that in its first one.
    """

    proxy = ""

    def __init__(self, interleaving: Interleaving, number: int, job: Job) -> None:
        self.interleaving, self.number, self.job = interleaving, number, job
        self.permit = threading.Semaphore(0)
        self.is_done = False
        self.result: dict[str, Any] = {}
        self.warnings: list[str] = []
        self.is_cut_off = False
        self.history = 0
        self.pending = ""
        self.began: int | None = None
        self.planned: int | None = None
        self.shown = self.ended = 0
        self.sent = self.accepted = self.lost = 0
        self.is_in_conflict = False
        # The content of each list, which may be outdated.
        self.views: list[Truth] = []
        # The records that its requests changed, each with the snapshot after the last change.
        self.touched: dict[int, int] = {}
        # The records that it deletes, each with the content of its last list.
        self.deletions: dict[int, Truth] = {}

    def time(self) -> float:
        return self.interleaving.now

    elapsed = time

    def jitter(self) -> float:
        return 1.0

    def warn(self, *texts: str) -> None:
        self.warnings += texts

    def sleep(self, seconds: float) -> None:
        until = self.interleaving.now + seconds
        self.interleaving.await_turn(self, f"pause {seconds:g}", ())
        self.interleaving.pass_time(until)
        self.note("")

    def send(self, method: str, path: str, query: str, body: bytes | None, skew: float) -> Attempt:
        """Replace the transport: let the console answer when it is this task's turn."""
        request = Request(method, path.removeprefix(PREFIX), query, body or b"", origin=SETTINGS.origin)
        fault = self.interleaving.await_turn(self, f"{method} {request.path}", self._faults(request))
        self.is_cut_off = self.is_cut_off or fault == GONE
        if self.is_cut_off:
            self.note("")
            return NoResponse(ConnectionRefusedError("refused"), sent=False, is_permanent=False)
        answer = self.interleaving.answer(self, request, fault)
        self.note(answer)
        if answer is None:
            return NoResponse(ConnectionResetError("reset"), sent=True, is_permanent=False)
        headers = {"Content-Type": answer.content_type, **dict(answer.headers)}
        return Response(answer.status, headers, answer.body, "", self.interleaving.now, 0.0, skew)

    def _faults(self, request: Request) -> tuple[str, ...]:
        if request.method != "GET":
            return WRITE_FAULTS
        # Not a list from before the task: lists do not go back in time from one task to the next.
        earlier = self.interleaving.earlier.get(request.path)
        return READ_FAULTS if earlier and self.began is not None and earlier.written >= self.began else ()

    def note(self, seen: object) -> None:
        self.history = hash((self.history, self.pending, seen, self.interleaving.now))

    def run(self) -> None:
        self.permit.acquire()
        try:
            self.result = self.job.act(self)
        except ConsoleError as error:
            self.result = {"changed": False, **error.details, "failed": True, "msg": str(error)}
        except _Killed:
            self.result = {"changed": False, "failed": True, "msg": KILLED}
        except Exception as error:  # noqa: BLE001
            self.result = {"failed": True, "changed": False, "msg": str(error), "traceback": repr(error)}
        self.interleaving.end(self)


class Earlier(NamedTuple):
    """The content of a list before the last write to it, its oldest snapshot, and the turn of the write."""

    answer: Answer
    view: Truth
    snapshot: int
    written: int


class Interleaving:
    """One run of two tasks: the console, the time and the actors. `snapshots` holds each state of the records and its time."""

    def __init__(self, jobs: tuple[Job, Job], dialect: Dialect, order: Order) -> None:
        self.now = _START
        self.console = Console(Store(), lambda: self.now, dialect)
        seed(self.console, jobs)
        self.order = order
        self.turn = self._decided = self._requests = 0
        self.branches: list[Branch] = []
        self.trace: list[str] = []
        self.earlier: dict[str, Earlier] = {}
        self.snapshots: list[tuple[float, Truth]] = [(self.now, self.truth())]
        self.actors = tuple(Actor(self, number, job) for number, job in enumerate(jobs))
        self._tokens = itertools.count()
        self._over = threading.Semaphore(0)

    def run(self) -> Interleaving:
        """Run both tasks to their end."""
        with self._stand_ins():
            threads = [threading.Thread(target=actor.run, daemon=True) for actor in self.actors]
            for thread in threads:
                thread.start()
            self.actors[self.order.first].permit.release()
            self._over.acquire()
            for thread in threads:
                thread.join()
        return self

    @contextlib.contextmanager
    def _stand_ins(self) -> Iterator[None]:
        """Connect tasks to the console directly, and make its tokens the same in each run."""
        with (
            mock.patch.object(client, "Transport", lambda _settings, actor, *_shared: actor),
            mock.patch.object(secrets, "token_hex", lambda _length: f"token-{next(self._tokens)}"),
        ):
            yield

    def other(self, actor: Actor) -> Actor:
        return self.actors[1 - actor.number]

    def await_turn(self, actor: Actor, pending: str, faults: tuple[str, ...]) -> str:
        """Wait for the task's turn, and return the fault of its request, blank for none."""
        actor.pending = pending
        while True:
            if self._decided == len(self.order.decisions):
                can_switch = not (self.other(actor).is_done or pending in COMMUTING)
                self.branches.append(Branch(self.turn, faults, can_switch, self._digest(actor)))
                event = ""
            else:
                turn, event = self.order.decisions[self._decided]
                event = event if turn == self.turn else ""
            self._decided += bool(event)
            if event != SWITCH:
                break
            self.other(actor).permit.release()
            actor.permit.acquire()
        self.trace.append(f"{'AB'[actor.number]} {pending}{f' ({event})' if event else ''}")
        self.turn += 1
        if actor.began is None:
            actor.began = self.turn
        if event == KILLED:
            raise _Killed
        return event

    def _digest(self, actor: Actor) -> int:
        """Return a digest of what determines the rest: what tasks have seen, what the console holds and held, and the time."""
        seen = tuple(
            (each.history, each.pending, each.is_done, each.planned, each.shown, each.is_in_conflict)
            for each in self.actors
        )
        past = tuple(str(truth) for _time, truth in self.snapshots)
        earlier = tuple((path, entry.answer.body) for path, entry in self.earlier.items())
        faulty = self.order.count(*WRITE_FAULTS, *READ_FAULTS) if self._decided else 0
        return hash((actor.number, seen, past, self.console.state, earlier, self.now, faulty))

    def pass_time(self, until: float) -> None:
        self.now = max(self.now, until)
        self._take_snapshot()

    def answer(self, actor: Actor, request: Request, fault: str) -> Answer | None:
        """Answer a request; return None if the response is lost."""
        self._requests += 1
        limit = self.console.dialect.rate_limit
        if limit and self._requests % limit == 0:
            return Answer(429)
        return self._read(actor, request, fault) if request.method == "GET" else self._write(actor, request, fault)

    def _read(self, actor: Actor, request: Request, fault: str) -> Answer:
        """Answer a reading, and note the snapshot that a list shows."""
        answer, view, shown = self.console.answer(request), self._view(), self._shown()
        if fault == STALE:
            answer, view, shown, _written = self.earlier[request.path]
        if request.path.endswith(("quotas", "exports")):
            actor.shown = shown
            actor.views.append(view)
            actor.planned = shown if actor.planned is None else actor.planned
        return answer

    def _shown(self) -> int:
        """Return the number of the oldest snapshot that a list may show now."""
        lag = self.console.dialect.longest_lag
        number = len(self.snapshots) - 1
        while lag and number and self.snapshots[number][0] > self.now - lag:
            number -= 1
        return number

    def _write(self, actor: Actor, request: Request, fault: str) -> Answer | None:
        """Carry out a write, unless it is lost; return None if the response is lost."""
        actor.sent += 1
        is_refused, actor.is_in_conflict = fault == "refused" or actor.is_in_conflict, fault == "conflict"
        if is_refused:
            return Answer(409, b'{"detail": "Conflict."}')
        is_lost = fault in UNANSWERED
        actor.lost += is_lost or fault in ("lost", LATE)
        self._keep_lists()
        if request.method == "DELETE":
            actor.deletions[int(request.path.rpartition("/")[2])] = actor.views[-1]
        if fault == LATE:
            self._note_target(actor, request)
            self.console.postpone(request, _LATE)
        if fault in ("lost", LATE):
            return None
        answer = self.console.answer(request)
        actor.accepted += answer.status < 300
        self._note_changes(actor)
        return None if is_lost else answer

    def _view(self) -> Truth:
        """Return the records in lists now."""
        shown = (self.console.store.shown(kind, VOLUME, self.now, stale=False) for kind in (EXPORTS, QUOTAS))
        return {record.id: record.full for records in shown for record in records}

    def _keep_lists(self) -> None:
        for resource in (EXPORTS, QUOTAS):
            path = f"/volumes/{VOLUME}/{resource.plural}"
            if self.console.store.has_volume(VOLUME):
                answer = self.console.answer(Request("GET", path))
                self.earlier[path] = Earlier(answer, self._view(), self._shown(), self.turn)

    def apply(self, actor: Actor, change: Change) -> None:
        """Change a record as another user, when it is the actor's turn."""
        self.await_turn(actor, f"{change.action} {change.key}", ())
        self._keep_lists()
        self.console.apply(change)
        self._note_changes(actor)

    def _note_target(self, actor: Actor, request: Request) -> None:
        """Note the record that a request is going to change."""
        identity = request.path.rpartition("/")[2]
        if identity.isdigit():
            actor.touched[int(identity)] = len(self.snapshots)

    def _note_changes(self, actor: Actor) -> None:
        """Note the records that a write changed."""
        before = self.snapshots[-1][1]
        if self._take_snapshot():
            now = self.snapshots[-1][1]
            changed = (id_ for id_ in {*before, *now} if before.get(id_) != now.get(id_))
            actor.touched.update(dict.fromkeys(changed, len(self.snapshots) - 1))

    def _take_snapshot(self) -> bool:
        """Take a snapshot if the records changed; return whether they did."""
        self.console.catch_up()
        truth = self.truth()
        if truth == self.snapshots[-1][1]:
            return False
        self.snapshots.append((self.now, truth))
        return True

    def run_again(self, job: Job) -> Actor:
        """Run a task, or the one to run after it, alone and later; return its actor."""
        job = job.again or job
        self.now += _LATER
        self._take_snapshot()
        self.order, self._decided = Order(), 0
        actor, nobody = Actor(self, 0, job), Actor(self, 1, job)
        nobody.is_done = True
        self.actors = (actor, nobody)
        actor.permit.release()
        with self._stand_ins():
            actor.run()
        self._over.acquire()
        return actor

    def truth(self) -> Truth:
        """Return all exports and quotas of the volume by id."""
        records = [record for kind in (EXPORTS, QUOTAS) for record in self.console.store.records(kind, VOLUME)]
        return {record.id: record.full for record in records}

    def end(self, actor: Actor) -> None:
        actor.is_done, actor.ended = True, len(self.snapshots) - 1
        other = self.other(actor)
        (self._over if other.is_done else other.permit).release()
