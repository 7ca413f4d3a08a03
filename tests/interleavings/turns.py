# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One order of two tasks: whose turn it is, what goes wrong, and what was there after each turn.

Each request and each pause is a turn. A task runs in a thread of its own and holds the baton while it runs; it hands it over
where the order says so, and when it ends. So one thread runs at a time, time passes only in pauses, and the same order
gives the same run.
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
# What can happen to a write: it is lost, or its response is, or it is carried out after the connection was; it is refused; or
# its response is lost, and the next one is refused as a conflict with what this one did.
LATE = "late"
UNANSWERED = ("response lost", "conflict")
WRITE_FAULTS = ("lost", *UNANSWERED, LATE, "refused")
# A list from before the last write.
STALE = "stale"
READ_FAULTS = (STALE,)
# How a task alone can end early: it is killed, or the console is gone from then on. No pair is tried with these.
KILLED, GONE = ENDS = ("killed", "gone")
_LATE = 0.25
_LATER = 60.0
_START = 2_000_000_000.0


class _Killed(BaseException):
    """The end of a task that is killed."""


# At which turn something else happens than that the task goes on: a switch to the other, or a fault.
Decision = tuple[int, str]
Truth = Mapping[int, Mapping[str, Any]]


class Order(NamedTuple):
    """Which task begins, and what happens at which turn."""

    first: int = 0
    decisions: tuple[Decision, ...] = ()

    def then(self, turn: int, event: str) -> Order:
        return Order(self.first, (*self.decisions, (turn, event)))

    def count(self, *events: str) -> int:
        return sum(event in events for _turn, event in self.decisions)


class Branch(NamedTuple):
    """A turn at which something else could have happened, and a digest of everything that decides what follows."""

    turn: int
    faults: tuple[str, ...]
    can_switch: bool
    state: int


class Seat:
    """The place of a task: its clock, its connection to the console, and what it did and saw.

    `shown` is the number of the snapshot that the last list was of, `planned` that of the first one.
    """

    proxy = ""

    def __init__(self, game: Game, number: int, job: Job) -> None:
        self.game, self.number, self.job = game, number, job
        self.baton = threading.Semaphore(0)
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
        # What each list has shown, whatever was there.
        self.views: list[Truth] = []
        # The records that its requests have changed, with the snapshot of the last time.
        self.touched: dict[int, int] = {}
        # The records that it was to delete, with what its last list showed.
        self.deletions: dict[int, Truth] = {}

    def time(self) -> float:
        return self.game.now

    elapsed = time

    def jitter(self) -> float:
        return 1.0

    def warn(self, *texts: str) -> None:
        self.warnings += texts

    def sleep(self, seconds: float) -> None:
        until = self.game.now + seconds
        self.game.await_turn(self, f"pause {seconds:g}", ())
        self.game.pass_time(until)
        self.note("")

    def send(self, method: str, path: str, query: str, body: bytes | None, skew: float) -> Attempt:
        """Stand in for the transport: let the console answer when it is this task's turn."""
        request = Request(method, path.removeprefix(PREFIX), query, body or b"", origin=SETTINGS.origin)
        fault = self.game.await_turn(self, f"{method} {request.path}", self._faults(request))
        self.is_cut_off = self.is_cut_off or fault == GONE
        if self.is_cut_off:
            self.note("")
            return NoResponse(ConnectionRefusedError("refused"), sent=False, is_permanent=False)
        answer = self.game.answer(self, request, fault)
        self.note(answer)
        if answer is None:
            return NoResponse(ConnectionResetError("reset"), sent=True, is_permanent=False)
        headers = {"Content-Type": answer.content_type, **dict(answer.headers)}
        return Response(answer.status, headers, answer.body, "", self.game.now, 0.0, skew)

    def _faults(self, request: Request) -> tuple[str, ...]:
        if request.method != "GET":
            return WRITE_FAULTS
        # A list from before the task would be one that goes back in time from one task to the next.
        earlier = self.game.earlier.get(request.path)
        return READ_FAULTS if earlier and self.began is not None and earlier.written >= self.began else ()

    def note(self, seen: object) -> None:
        self.history = hash((self.history, self.pending, seen, self.game.now))

    def run(self) -> None:
        self.baton.acquire()
        try:
            self.result = self.job.act(self)
        except ConsoleError as error:
            self.result = {"changed": False, **error.details, "failed": True, "msg": str(error)}
        except _Killed:
            self.result = {"changed": False, "failed": True, "msg": KILLED}
        except Exception as error:  # noqa: BLE001
            self.result = {"failed": True, "changed": False, "msg": str(error), "traceback": repr(error)}
        self.game.end(self)


class Earlier(NamedTuple):
    """What a list showed before the last write to it, the oldest snapshot of that, and the turn of the write."""

    answer: Answer
    view: Truth
    snapshot: int
    written: int


class Game:
    """One run: the console, the time, and the two tasks. `snapshots` holds what was there, with the time, as it changed."""

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
        self.seats = tuple(Seat(self, number, job) for number, job in enumerate(jobs))
        self._tokens = itertools.count()
        self._over = threading.Semaphore(0)

    def play(self) -> Game:
        """Run both tasks to their end."""
        with self._stand_ins():
            threads = [threading.Thread(target=seat.run, daemon=True) for seat in self.seats]
            for thread in threads:
                thread.start()
            self.seats[self.order.first].baton.release()
            self._over.acquire()
            for thread in threads:
                thread.join()
        return self

    @contextlib.contextmanager
    def _stand_ins(self) -> Iterator[None]:
        """Let tasks talk to the console directly, and let it make tokens that are the same in each run."""
        with (
            mock.patch.object(client, "Transport", lambda _settings, seat, _echoes: seat),
            mock.patch.object(secrets, "token_hex", lambda _length: f"token-{next(self._tokens)}"),
        ):
            yield

    def other(self, seat: Seat) -> Seat:
        return self.seats[1 - seat.number]

    def await_turn(self, seat: Seat, pending: str, faults: tuple[str, ...]) -> str:
        """Return once the task has its turn, with the fault that its request meets, blank for none."""
        seat.pending = pending
        while True:
            if self._decided == len(self.order.decisions):
                can_switch = not (self.other(seat).is_done or pending in COMMUTING)
                self.branches.append(Branch(self.turn, faults, can_switch, self._digest(seat)))
                event = ""
            else:
                turn, event = self.order.decisions[self._decided]
                event = event if turn == self.turn else ""
            self._decided += bool(event)
            if event != SWITCH:
                break
            self.other(seat).baton.release()
            seat.baton.acquire()
        self.trace.append(f"{'AB'[seat.number]} {pending}{f' ({event})' if event else ''}")
        self.turn += 1
        if seat.began is None:
            seat.began = self.turn
        if event == KILLED:
            raise _Killed
        return event

    def _digest(self, seat: Seat) -> int:
        """Return a digest of what decides the rest: what each task has seen, what the console holds and held, and the time."""
        seen = tuple(
            (each.history, each.pending, each.is_done, each.planned, each.shown, each.is_in_conflict)
            for each in self.seats
        )
        past = tuple(str(truth) for _time, truth in self.snapshots)
        earlier = tuple((path, entry.answer.body) for path, entry in self.earlier.items())
        faulty = self.order.count(*WRITE_FAULTS, *READ_FAULTS) if self._decided else 0
        return hash((seat.number, seen, past, self.console.state, earlier, self.now, faulty))

    def pass_time(self, until: float) -> None:
        self.now = max(self.now, until)
        self._look()

    def answer(self, seat: Seat, request: Request, fault: str) -> Answer | None:
        """Answer a request, None where the response is lost."""
        self._requests += 1
        limit = self.console.dialect.rate_limit
        if limit and self._requests % limit == 0:
            return Answer(429)
        return self._read(seat, request, fault) if request.method == "GET" else self._write(seat, request, fault)

    def _read(self, seat: Seat, request: Request, fault: str) -> Answer:
        """Answer a reading; of a list, note which snapshot it shows."""
        answer, view, shown = self.console.answer(request), self._view(), self._shown()
        if fault == STALE:
            answer, view, shown, _written = self.earlier[request.path]
        if request.path.endswith(("quotas", "exports")):
            seat.shown = shown
            seat.views.append(view)
            seat.planned = shown if seat.planned is None else seat.planned
        return answer

    def _shown(self) -> int:
        """Return the number of the oldest snapshot that a list may show now."""
        lag = self.console.dialect.longest_lag
        number = len(self.snapshots) - 1
        while lag and number and self.snapshots[number][0] > self.now - lag:
            number -= 1
        return number

    def _write(self, seat: Seat, request: Request, fault: str) -> Answer | None:
        """Carry out a write, unless it is lost; return None where its response is."""
        seat.sent += 1
        is_refused, seat.is_in_conflict = fault == "refused" or seat.is_in_conflict, fault == "conflict"
        if is_refused:
            return Answer(409, b'{"detail": "Conflict."}')
        is_lost = fault in UNANSWERED
        seat.lost += is_lost or fault in ("lost", LATE)
        self._keep_lists()
        if request.method == "DELETE":
            seat.deletions[int(request.path.rpartition("/")[2])] = seat.views[-1]
        if fault == LATE:
            self._note_target(seat, request)
            self.console.postpone(request, _LATE)
        if fault in ("lost", LATE):
            return None
        answer = self.console.answer(request)
        seat.accepted += answer.status < 300
        self._note_changes(seat)
        return None if is_lost else answer

    def _view(self) -> Truth:
        """Return what lists show now."""
        shown = (self.console.store.shown(kind, VOLUME, self.now, stale=False) for kind in (EXPORTS, QUOTAS))
        return {record.id: record.full for records in shown for record in records}

    def _keep_lists(self) -> None:
        for resource in (EXPORTS, QUOTAS):
            path = f"/volumes/{VOLUME}/{resource.plural}"
            if self.console.store.has_volume(VOLUME):
                answer = self.console.answer(Request("GET", path))
                self.earlier[path] = Earlier(answer, self._view(), self._shown(), self.turn)

    def apply(self, seat: Seat, change: Change) -> None:
        """Let another hand change a record, when it is its turn."""
        self.await_turn(seat, f"{change.action} {change.key}", ())
        self._keep_lists()
        self.console.apply(change)
        self._note_changes(seat)

    def _note_target(self, seat: Seat, request: Request) -> None:
        """Take note of the record that a request is going to change."""
        identity = request.path.rpartition("/")[2]
        if identity.isdigit():
            seat.touched[int(identity)] = len(self.snapshots)

    def _note_changes(self, seat: Seat) -> None:
        """Take note of what a write has changed."""
        before = self.snapshots[-1][1]
        if self._look():
            now = self.snapshots[-1][1]
            changed = (id_ for id_ in {*before, *now} if before.get(id_) != now.get(id_))
            seat.touched.update(dict.fromkeys(changed, len(self.snapshots) - 1))

    def _look(self) -> bool:
        """Keep what is there now; return whether that is another thing than before."""
        self.console.catch_up()
        truth = self.truth()
        if truth == self.snapshots[-1][1]:
            return False
        self.snapshots.append((self.now, truth))
        return True

    def run_again(self, job: Job) -> Seat:
        """Run a task alone, later, or what is run after it; return its seat."""
        job = job.again or job
        self.now += _LATER
        self._look()
        self.order, self._decided = Order(), 0
        seat, nobody = Seat(self, 0, job), Seat(self, 1, job)
        nobody.is_done = True
        self.seats = (seat, nobody)
        seat.baton.release()
        with self._stand_ins():
            seat.run()
        self._over.acquire()
        return seat

    def truth(self) -> Truth:
        """Return all exports and quotas of the volume by id."""
        records = [record for kind in (EXPORTS, QUOTAS) for record in self.console.store.records(kind, VOLUME)]
        return {record.id: record.full for record in records}

    def end(self, seat: Seat) -> None:
        seat.is_done, seat.ended = True, len(self.snapshots) - 1
        other = self.other(seat)
        (self._over if other.is_done else other.baton).release()
