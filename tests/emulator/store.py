# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The records, and a log of the writes of the last seconds, so that lists can show an earlier state."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from .resources import CHILDREN, RESOURCES, VOLUMES, Record, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .dialect import Dialect

MEMORY = ":memory:"
LARGEST_ID = 10**18 - 1

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_Key = tuple[str, int]


@dataclass(frozen=True)
class Stored:
    """A record with data that is kept beside its fields. It is immutable: an update replaces it."""

    id: int
    volume: int
    body: Record
    sent: tuple[str, ...] = ()
    token: str = ""
    made: float = 0.0

    @property
    def full(self) -> Record:
        """The record as it truly is."""
        return {"id": self.id, **self.body} | ({"token": self.token} if self.token else {})

    @cached_property
    def text(self) -> str:
        """The record as it truly is, as JSON: long lists are joined from these."""
        return _encode(self.full)


class Write(NamedTuple):
    """A record as it was before and after a write; None: it did not exist."""

    at: float
    id: int
    before: Stored | None
    after: Stored | None


class Store:
    """The lists, in memory and, if wanted, in a file to which each write is added. Not safe for threads by itself."""

    def __init__(self, database: str = MEMORY) -> None:
        """Read the file, if there is one; ValueError where it is something else."""
        self._lists: defaultdict[_Key, dict[int, Stored]] = defaultdict(dict)
        self._last_ids = {plural: resource.first_id - 1 for plural, resource in RESOURCES.items()}
        self._log: defaultdict[_Key, deque[Write]] = defaultdict(deque)
        self._memory: dict[str, str] = {}
        self._file: IO[str] | None = None
        self.dialect: Dialect | None = None
        if database != MEMORY:
            self._file = Path(database).open("a+", encoding="utf-8")  # noqa: SIM115
            try:
                self._file.seek(0)
                for line in self._file:
                    self._replay(json.loads(line))
            except (AttributeError, KeyError, TypeError, ValueError):
                self._file.close()
                raise ValueError(f"{database} is not a file of the emulator") from None

    def _replay(self, line: dict[str, Any]) -> None:
        if "remember" in line:
            self._memory |= line["remember"]
            return
        resource, record = RESOURCES[line["list"]], line["record"]
        if record is None:
            self._drop(resource, line["volume"], line["id"])
        else:
            self._keep(resource, Stored(**{**record, "sent": tuple(record["sent"])}))

    def _save(self, **line: Any) -> None:
        if self._file is not None:
            self._file.write(_encode(line) + "\n")
            self._file.flush()

    def _keep(self, resource: Resource, record: Stored) -> None:
        self._lists[resource.plural, record.volume][record.id] = record
        self._last_ids[resource.plural] = max(self._last_ids[resource.plural], record.id)

    def _drop(self, resource: Resource, volume: int, id_: int) -> None:
        del self._lists[resource.plural, volume][id_]
        for child in CHILDREN if resource is VOLUMES else ():
            self._lists.pop((child.plural, id_), None)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def clear(self) -> None:
        self._lists.clear()
        self._log.clear()
        self._last_ids = {plural: resource.first_id - 1 for plural, resource in RESOURCES.items()}
        if self._file is not None:
            self._file.truncate(0)
            self._save(remember=self._memory)

    def remember(self, **values: str) -> None:
        self._memory |= values
        self._save(remember=values)

    def remembered(self, name: str) -> str | None:
        return self._memory.get(name)

    def speak(self, dialect: Dialect) -> None:
        """Use the lags of another dialect; earlier writes show at once."""
        self.dialect = dialect
        self._log.clear()

    def add(self, resource: Resource, record: Stored, at: float | None = None) -> int:
        """Store a new record; with an id of 0, it gets the next one. Without a time, it shows in lists at once."""
        if record.id and not (0 < record.id <= LARGEST_ID and self._is_unused(resource, record.id)):
            raise ValueError(f"the record cannot be kept: the id {record.id} is taken, or no id")
        record = replace(record, id=record.id or self._last_ids[resource.plural] + 1)
        self._keep(resource, record)
        self._save(list=resource.plural, record=asdict(record))
        self._note(resource, record.volume, None if at is None else Write(at, record.id, None, record))
        return record.id

    def _is_unused(self, resource: Resource, id_: int) -> bool:
        return not any(id_ in records for key, records in self._lists.items() if key[0] == resource.plural)

    def update(self, resource: Resource, before: Stored, after: Stored, at: float) -> None:
        self._keep(resource, after)
        self._save(list=resource.plural, record=asdict(after))
        self._note(resource, after.volume, Write(at, after.id, before, after))

    def delete(self, resource: Resource, record: Stored, at: float) -> None:
        """Delete a record, and everything in it if it is a volume."""
        self._drop(resource, record.volume, record.id)
        self._save(list=resource.plural, volume=record.volume, id=record.id, record=None)
        self._note(resource, record.volume, Write(at, record.id, record, None))

    def _note(self, resource: Resource, volume: int, write: Write | None) -> None:
        """Record a write for as long as the dialect can hide it."""
        if write is None or self.dialect is None or not self.dialect.longest_lag:
            return
        log = self._log[resource.plural, volume]
        while log and log[0].at <= write.at - self.dialect.longest_lag:
            log.popleft()
        log.append(write)

    @property
    def state(self) -> str:
        """Everything that determines lists at a time, as text."""
        return f"{dict(self._lists)} {dict(self._log)}"

    def get(self, resource: Resource, volume: int, id_: int) -> Stored | None:
        return self._lists[resource.plural, volume].get(id_)

    def has_volume(self, id_: int) -> bool:
        return id_ in self._lists[VOLUMES.plural, 0]

    def records(self, resource: Resource, volume: int) -> list[Stored]:
        """Return a list as it truly is, in the order of the ids."""
        return _in_order(self._lists[resource.plural, volume].values())

    def shown(self, resource: Resource, volume: int, now: float, *, stale: bool) -> list[Stored]:
        """Return a list as the dialect shows it: without the writes that do not show yet, the latest undone first."""
        dialect, log = self.dialect, self._log.get((resource.plural, volume))
        if dialect is None or not log:
            return self.records(resource, volume)
        found = dict(self._lists[resource.plural, volume])
        for write in reversed(log):
            if write.at <= now - max(dialect.lag(write), dialect.stale_for if stale else 0.0):
                continue
            if write.before is None:
                found.pop(write.id, None)
            elif write.after is None or write.id in found:
                found[write.id] = write.before
        return _in_order(found.values())


def _in_order(records: Iterable[Stored]) -> list[Stored]:
    return sorted(records, key=lambda record: record.id)
