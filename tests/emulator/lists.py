# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists as they are shown: whole or in parts, late, or as they were some seconds ago."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import render
from .answers import Answer, json_answer
from .history import History, Write, undone
from .paging import Pager
from .resources import VOLUMES, Record, Resource
from .store import Sight, Store, Stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .dialect import Dialect
    from .request import Request


class Lists:
    """Answers the readings of lists from a store, in a dialect."""

    def __init__(self, store: Store, clock: Callable[[], float], dialect: Dialect) -> None:
        """Begin with no list read and nothing written."""
        self._store = store
        self._clock = clock
        self._dialect = dialect
        self._plain = render.is_plain(dialect)
        self._pager = Pager(dialect)
        self._history = History(dialect)
        self._hidden: dict[tuple[str, int], set[str]] = {}

    def hide(self, resource: Resource, id_: int, sent: Iterable[str]) -> None:
        """Show some fields of an updated record no longer, as the dialect has it."""
        if self._dialect.put_hides == "nothing":
            return
        is_sent, names = self._dialect.put_hides == "sent", set(sent)
        hidden = {name for name in resource.by_name if (name in names) is is_sent and name != resource.key}
        self._hidden.setdefault((resource.plural, id_), set()).update(hidden)

    def note(
        self, resource: Resource, volume: int, id_: int, before: Stored | None = None, *, is_update: bool = False
    ) -> None:
        """Take note of a write that has just taken effect."""
        self._history.note(resource, volume, Write(id_, before, is_update, self._clock()))

    def answer(self, request: Request, resource: Resource, volume: int) -> Answer:
        """Return a list, whole or a part of it."""
        whole = self._dialect.list_shape == "array"
        number = 1 if whole else self._pager.number(request.query)
        self._pager.read(request.path, number)
        stale = self._pager.is_stale(request.path)
        if whole:
            return self._whole(resource, volume, stale)
        total, records = self._part(resource, volume, number, stale=stale)
        return self._pager.answer(request, number, total, records)

    def first_page(self, request: Request, resource: Resource, volume: int, status: int) -> Answer:
        """Return the first page of a list, as a write may return it."""
        total, records = self._part(resource, volume, 1)
        return json_answer(status, self._pager.page(request, 1, total, records))

    def _sight(self) -> Sight:
        """Return what lists show now."""
        appear, vanish = self._dialect.appear_after, self._dialect.vanish_after
        if not appear and not vanish:
            return Sight()
        now = self._clock()
        return Sight(now - appear if appear else None, now - vanish if vanish else None)

    def _whole(self, resource: Resource, volume: int, stale: bool) -> Answer:
        """Return all of a list."""
        sight = self._sight()
        past = self._past(resource, volume, sight, stale)
        if past is None and self._plain and not self._hidden and resource is not VOLUMES:
            return Answer(200, self._store.texts(resource, volume, sight).encode())
        stored = self._store.records(resource, volume, sight) if past is None else past
        return json_answer(200, self._shown(resource, stored))

    def _part(self, resource: Resource, volume: int, number: int, *, stale: bool = False) -> tuple[int, list[Record]]:
        """Return the length of a list, and the records of one page."""
        sight = self._sight()
        past = self._past(resource, volume, sight, stale)
        total = self._store.count(resource, volume, sight) if past is None else len(past)
        start, most = self._pager.part(number, total)
        if past is None:
            stored = self._store.records(resource, volume, sight, start=start, most=most)
        else:
            stored = past[start : start + most]
        return total, self._shown(resource, stored)

    def _past(self, resource: Resource, volume: int, sight: Sight, stale: bool) -> list[Stored] | None:
        """Return the records of a list that hides writes; None where it hides none."""
        hidden = self._history.hidden(resource, volume, self._clock(), stale=stale)
        return undone(self._store.records(resource, volume, sight), hidden, sight) if hidden else None

    def _shown(self, resource: Resource, stored: list[Stored]) -> list[Record]:
        """Return records as they are shown."""
        if resource is not VOLUMES:
            return [
                self._without_hidden(resource, render.record(resource, entry, self._dialect), entry) for entry in stored
            ]
        rules = self._store.rules(stored[0].id if len(stored) == 1 else None)
        return [render.record(resource, entry, self._dialect, rules.get(entry.id)) for entry in stored]

    def _without_hidden(self, resource: Resource, record: Record, stored: Stored) -> Record:
        """Return what is shown of a record, once updates have hidden some of it."""
        hidden = self._hidden.get((resource.plural, stored.id))
        return {name: value for name, value in record.items() if name not in hidden} if hidden else record
