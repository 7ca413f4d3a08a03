# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The records, in SQLite: a file that outlives the process, or memory.

A record is its fields as JSON text, without ``id`` and ``token``, beside the columns that are looked for.
No write does work that grows with the number of records.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from functools import cache
from typing import Any

from .resources import CHILDREN, EXPORTS, RESOURCES, VOLUMES, Record, Resource

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = OFF",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -65536",
)
_TABLE = """
CREATE TABLE IF NOT EXISTS {table} (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    volume INTEGER NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    sent TEXT NOT NULL,
    token TEXT NOT NULL,
    made REAL NOT NULL,
    deleted REAL
);
CREATE INDEX IF NOT EXISTS {table}_volume ON {table} (volume, id);
CREATE INDEX IF NOT EXISTS {table}_live ON {table} (volume, id) WHERE deleted IS NULL;
CREATE INDEX IF NOT EXISTS {table}_key ON {table} (volume, key) WHERE deleted IS NULL;
"""
_META = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
_COLUMNS = "id, volume, body, sent, token, made"
_LIVE = "deleted IS NULL"
_STATEMENTS = {
    "purge": "DELETE FROM {table} WHERE deleted IS NOT NULL",
    "clear": "DELETE FROM {table}",
    "add": "INSERT INTO {table} (id, volume, key, body, sent, token, made) VALUES (?, ?, ?, ?, ?, ?, ?)",
    "update": "UPDATE {table} SET key = ?, body = ?, sent = ? WHERE id = ?",
    "new token": "UPDATE {table} SET token = ? WHERE id = ?",
    "delete": "DELETE FROM {table} WHERE id = ?",
    "delete of": "DELETE FROM {table} WHERE volume = ?",
    "hide": "UPDATE {table} SET deleted = ? WHERE id = ? AND deleted IS NULL",
    "hide of": "UPDATE {table} SET deleted = ? WHERE volume = ? AND deleted IS NULL",
    "get": "SELECT {columns} FROM {table} WHERE id = ? AND volume = ? AND deleted IS NULL",
    "with key": "SELECT id, body FROM {table} WHERE volume = ? AND key = ? AND deleted IS NULL",
    "count": "SELECT COUNT(*) FROM {table} WHERE volume = ? AND {condition}",
    "list": "SELECT {columns} FROM {table} WHERE volume = ? AND {condition} ORDER BY id LIMIT ? OFFSET ?",
    "texts": "SELECT id, token, body FROM {table} WHERE volume = ? AND {condition} ORDER BY id",
    "rules": "SELECT {columns} FROM {table} WHERE deleted IS NULL ORDER BY volume, id",
    "rules of": "SELECT {columns} FROM {table} WHERE deleted IS NULL AND volume = ? ORDER BY id",
}

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decode = json.JSONDecoder().decode


@cache
def _statement(name: str, resource: Resource, condition: str = _LIVE) -> str:
    """Return an SQL statement for the table of a resource."""
    text = _STATEMENTS[name].replace("{table}", resource.plural).replace("{columns}", _COLUMNS)
    return text.replace("{condition}", condition)


@dataclass
class Stored:
    """A record with what is kept beside its fields."""

    id: int
    volume: int
    body: Record
    sent: list[str]
    token: str
    made: float

    def full(self) -> Record:
        """Return the record as it truly is."""
        record: Record = {"id": self.id, **self.body}
        if self.token:
            record["token"] = self.token
        return record


@dataclass(frozen=True)
class Sight:
    """What a list shows: records made until a time, and those deleted after another. None: all, none."""

    made_until: float | None = None
    deleted_after: float | None = None

    def condition(self) -> tuple[str, tuple[float, ...]]:
        """Return the condition as SQL, with its parameters."""
        text, values = _LIVE, []
        if self.deleted_after is not None:
            text = "(deleted IS NULL OR deleted > ?)"
            values.append(self.deleted_after)
        if self.made_until is not None:
            text += " AND made <= ?"
            values.append(self.made_until)
        return text, tuple(values)


ALL = Sight()


class Store:
    """The tables; not safe for threads by itself."""

    def __init__(self, database: str = ":memory:") -> None:
        """Open a database, and make its tables where they are not there yet."""
        self._sql = sqlite3.connect(database, isolation_level=None, check_same_thread=False, cached_statements=256)
        try:
            self._prepare()
        except sqlite3.Error:
            self._sql.close()
            raise

    def _prepare(self) -> None:
        """Make the tables; what was deleted in an earlier life is not shown any more."""
        for pragma in _PRAGMAS:
            self._sql.execute(pragma)
        self._sql.execute(_META)
        for resource in RESOURCES.values():
            self._sql.executescript(_TABLE.format(table=resource.plural))
            self._sql.execute(_statement("purge", resource))
        self._begin_ids()

    def _begin_ids(self) -> None:
        """Let ids of each kind begin where they cannot be taken for those of another kind."""
        for table, resource in RESOURCES.items():
            if self._sql.execute("SELECT 1 FROM sqlite_sequence WHERE name = ?", (table,)).fetchone() is None:
                first = resource.first_id - 1
                self._sql.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, first))

    def close(self) -> None:
        """Close the database."""
        self._sql.close()

    def clear(self) -> None:
        """Forget all records, and begin with the first ids again."""
        self._sql.execute("BEGIN")
        for resource in RESOURCES.values():
            self._sql.execute(_statement("clear", resource))
        self._sql.execute("DELETE FROM sqlite_sequence")
        self._begin_ids()
        self._sql.execute("COMMIT")

    def remember(self, name: str, value: str) -> None:
        """Keep a value beside the records."""
        self._sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def remembered(self, name: str) -> str | None:
        """Return a value that was kept beside the records."""
        row = self._sql.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def add(self, resource: Resource, record: Stored) -> int:
        """Keep a new record; with an id of 0 it gets the next one, which is given back."""
        key, body = resource.normal_key(record.body.get(resource.key)), _encode(record.body)
        values = (record.id or None, record.volume, key, body, " ".join(record.sent), record.token, record.made)
        return int(self._sql.execute(_statement("add", resource), values).lastrowid or 0)

    def update(self, resource: Resource, id_: int, body: Record, sent: list[str]) -> None:
        """Replace the fields of a record."""
        key = resource.normal_key(body.get(resource.key))
        self._sql.execute(_statement("update", resource), (key, _encode(body), " ".join(sent), id_))

    def change_token(self, resource: Resource, id_: int, token: str) -> None:
        """Give a record another token."""
        self._sql.execute(_statement("new token", resource), (token, id_))

    def delete(self, resource: Resource, id_: int, at: float | None) -> None:
        """Delete a record, of a volume with all it holds; with a time, lists can still show it."""
        verb, values = ("delete", (id_,)) if at is None else ("hide", (at, id_))
        self._sql.execute(_statement(verb, resource), values)
        if resource is VOLUMES:
            for child in CHILDREN:
                self._sql.execute(_statement(f"{verb} of", child), values)

    def get(self, resource: Resource, volume: int, id_: int) -> Stored | None:
        """Return a record that was not deleted."""
        row = self._sql.execute(_statement("get", resource), (id_, volume)).fetchone()
        return None if row is None else _stored(row)

    def has_volume(self, id_: int) -> bool:
        """Return whether there is such a volume."""
        return self._sql.execute(_statement("get", VOLUMES), (id_, 0)).fetchone() is not None

    def with_key(self, resource: Resource, volume: int, value: Any) -> list[tuple[int, Any]]:
        """Return ids and natural keys of the records whose key has the same normal form."""
        rows = self._sql.execute(_statement("with key", resource), (volume, resource.normal_key(value)))
        return [(row[0], _decode(row[1]).get(resource.key)) for row in rows]

    def count(self, resource: Resource, volume: int, sight: Sight = ALL) -> int:
        """Return the number of records in a list."""
        condition, values = sight.condition()
        return int(self._sql.execute(_statement("count", resource, condition), (volume, *values)).fetchone()[0])

    def records(
        self, resource: Resource, volume: int, sight: Sight = ALL, *, start: int = 0, most: int = -1
    ) -> list[Stored]:
        """Return the records of a list, or a part of them, in the order of their ids."""
        condition, values = sight.condition()
        rows = self._sql.execute(_statement("list", resource, condition), (volume, *values, most, start))
        return [_stored(row) for row in rows]

    def texts(self, resource: Resource, volume: int, sight: Sight = ALL) -> str:
        """Return the whole list as JSON text, just as the records are kept: quick."""
        condition, values = sight.condition()
        rows = self._sql.execute(_statement("texts", resource, condition), (volume, *values))
        if resource is EXPORTS:
            parts = [f'{{"id":{id_},"token":{_encode(token)},{body[1:]}' for id_, token, body in rows]
        else:
            parts = [f'{{"id":{id_},{body[1:]}' for id_, _token, body in rows]
        return "[" + ",".join(parts) + "]"

    def rules(self, volume: int | None = None) -> dict[int, list[Stored]]:
        """Return the exports that exist, by volume."""
        if volume is None:
            rows = self._sql.execute(_statement("rules", EXPORTS))
        else:
            rows = self._sql.execute(_statement("rules of", EXPORTS), (volume,))
        found: dict[int, list[Stored]] = {}
        for row in rows:
            found.setdefault(row[1], []).append(_stored(row))
        return found


def _stored(row: tuple[Any, ...]) -> Stored:
    """Return a row as a record."""
    return Stored(row[0], row[1], _decode(row[2]), row[3].split(), row[4], row[5])
