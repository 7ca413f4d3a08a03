# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes what a probe has made, in this run or in one that was killed, and names what it could not remove.

Nothing is touched but what bears the mark of a probe. Where a console shows no keys, only those records count as ours
whose ids the console itself gave when they were created.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...errors import ConsoleError
from ...http.retry import backoff
from ...model.records import Record
from ..identify import KEYS, id_of
from ..marks import is_marked, is_scratch_name
from ..observation import Look, Observation, Reply
from ..steps import DELETE_VOLUME
from .runner import VOLUME, Runner
from .watching import Watch

# For how many seconds a record is looked for whose creation got no reply.
_LATE = 5.0
_LONGEST_PAUSE = 60.0
CHILDREN = ("exports", "quotas")


class _Ours(NamedTuple):
    """Which records of a list are to be removed, and what is said where even that cannot be found out."""

    list: str
    bears_mark: Callable[[str], bool]
    doubt: str


class Cleanup:
    """Removes marked records, and waits until they are gone. `left` says in words what is still there."""

    def __init__(self, runner: Runner, wait_timeout: float) -> None:
        self._runner = runner
        self._wire = runner.wire
        self._wait_timeout = wait_timeout
        self.left: list[str] = []
        self.removed = 0

    def remove_volumes(self, volume: str, *, is_made: bool = False, is_doubtful: bool = False) -> None:
        """Delete the scratch volumes for this name; one that `is_made` is looked for until it is listed, however late."""
        doubt = f"a volume whose name begins with {volume}-probe- may be left"
        patience = self._wait_timeout if is_made else _LATE * is_doubtful
        self._remove(_Ours("volumes", lambda name: is_scratch_name(name, volume), doubt), patience)

    def remove_children(self, *, is_expected: bool) -> None:
        """Delete the exports and quotas that bear a mark."""
        for name in CHILDREN:
            doubt = f"{name} whose {KEYS[name]} begins with probe- may be left in the volume"
            self._remove(_Ours(name, is_marked, doubt), _LATE * is_expected)

    def _remove(self, ours: _Ours, patience: float) -> None:
        try:
            found = self._look_for(ours, patience)
            if found:
                self._delete_all(ours, found)
        except ConsoleError as error:
            self.left.append(f"{ours.doubt} ({str(error).rstrip('.')})")

    def _look_for(self, ours: _Ours, patience: float) -> list[Record]:
        clock = self._wire.clock
        deadline = clock.elapsed() + patience
        pauses = backoff(0.5, _LONGEST_PAUSE)
        while True:
            found = self._read(ours)
            if found or clock.elapsed() >= deadline:
                return found
            clock.sleep(min(next(pauses), deadline - clock.elapsed()))

    def _read(self, ours: _Ours) -> list[Record]:
        """Return the records in the list that are ours."""
        given = self._runner.own.given_ids.get(ours.list, ())
        key = KEYS[ours.list]

        def is_ours(record: Record) -> bool:
            return id_of(record) in given if record.get(key) is None else ours.bears_mark(record[key])

        return [record for record in self._runner.read(ours.list) if is_ours(record)]

    def _delete_all(self, ours: _Ours, found: list[Record]) -> None:
        """Delete records, and wait until they are gone."""
        refusals, accepted = "", 0
        for record in found:
            reply = self._delete(ours.list, record)
            accepted += reply is not None and reply.is_success
            if reply is None:
                refusals = " (the console shows no id by which it could be deleted)"
            elif not reply.is_success:
                refusals = f" (DELETE was answered with HTTP {reply.status})"
        still = found if not accepted else self._wait_until_gone(ours, len(found) - accepted)
        self.removed += len(found) - len(still)
        key = KEYS[ours.list]
        self.left += [f"{ours.list[:-1]} {record.get(key)} (id {record.get('id')}){refusals}" for record in still]

    def _delete(self, name: str, record: Record) -> Reply | None:
        identity = id_of(record) or (self._runner.own.ids.get(VOLUME) if name == "volumes" else None)
        if identity is None:
            return None
        if name == "volumes":
            reply = self._wire.ask("DELETE", f"volumes/{identity}", DELETE_VOLUME.path)
            self._runner.seen.steps[DELETE_VOLUME.name] = Observation({}, reply)
            return reply
        template = f"volumes/{{volume_id}}/{name}/{{{name[:-1]}_id}}"
        ids = {"volume_id": self._runner.own.ids[VOLUME], "export_id": identity, "quota_id": identity}
        return self._wire.ask("DELETE", template.format(**ids), template)

    def _wait_until_gone(self, ours: _Ours, refused: int) -> list[Record]:
        """Return what is still there when only refused records are left, or the time is over."""
        still: list[Record] = []

        def look() -> tuple[float, bool]:
            still[:] = self._read(ours)
            return self._wire.sent_at, len(still) <= refused

        watch = Watch(self._wire.clock, self._wire.clock.elapsed(), look, per_moment=2)
        watch.until_shown(0.0, self._wait_timeout)
        self._note_looks(ours, watch.looks)
        return still

    def _note_looks(self, ours: _Ours, looks: list[Look]) -> None:
        steps = self._runner.seen.steps
        if ours.list == "volumes" and DELETE_VOLUME.name in steps:
            steps[DELETE_VOLUME.name] = steps[DELETE_VOLUME.name]._replace(
                looks=tuple(looks), is_settled=looks[-1].shown
            )
