# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The records that a run has made: their ids, and how they were last shown. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.records import Record
from .identify import KEYS, Wanted, created_id, id_of
from .observation import Reply, is_among


class OwnRecords:
    """Records by what the steps call them.

    `shown` are the records as last seen, `ids` their ids, and `given_ids`, by list, those that the console itself gave in
    reply to a creation.
    """

    def __init__(self, *, is_own_volume: bool) -> None:
        self.is_own_volume = is_own_volume
        self.ids: dict[str, str] = {}
        self.given_ids: dict[str, set[str]] = {}
        self.shown: dict[str, Record] = {}
        self._history: dict[str, list[Record]] = {}
        self._wanted: dict[str, Wanted] = {}
        self._met: dict[str, list[Record]] = {}

    def want(self, name: str, list_name: str, sent: Any, reply: Reply | None) -> None:
        """Look for the record of a creation from now on."""
        is_own_list = self.is_own_volume and list_name != "volumes"
        before = tuple(self._met.get(list_name, ()))
        self._wanted[name] = Wanted(list_name, sent[KEYS[list_name]], before, is_own_list)
        identity = created_id(reply)
        if identity:
            self.ids[name] = identity
            self.given_ids.setdefault(list_name, set()).add(identity)

    def note_list(self, list_name: str, records: Sequence[Record]) -> list[str]:
        """Find our records in a list as it has just been read; return the names of those found."""
        met = self._met.setdefault(list_name, [])
        met += [record for record in records if not is_among(record, met)]
        return [name for name, wanted in self._wanted.items() if wanted.list == list_name and self._find(name, records)]

    def keep(self, name: str, record: Record) -> None:
        """Keep a record as it was shown; the latest reading may have been an older one."""
        self.shown[name] = record
        self._history.setdefault(name, []).append(record)

    def values_so_far(self, name: str, field: str) -> set[str]:
        """Return the values that a field of a record has had, which an older reading may show again."""
        return {str(record.get(field)) for record in self._history.get(name, ())}

    def forget(self, name: str) -> None:
        """Forget a record that was deleted."""
        for known in (self.ids, self.shown, self._wanted):
            known.pop(name, None)

    def _find(self, name: str, records: Sequence[Record]) -> bool:
        others = [record for other, record in self.shown.items() if other != name]
        free = [record for record in records if not is_among(record, others)]
        record = self._wanted[name].find(free, self.ids.get(name))
        if record is None:
            self.shown.pop(name, None)
            return False
        self.shown[name] = record
        identity = id_of(record)
        if identity:
            self.ids[name] = identity
        return True
