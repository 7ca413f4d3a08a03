# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Records as a console lists them: found by id or natural key, and named in messages. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import ConsoleError
from ..masking import mask
from .resources import Field, Resource

Record = dict[str, Any]


class Records:
    """The records of one list, each with an id, indexed by id and natural key; `place` says where, for messages."""

    def __init__(self, resource: Resource, records: Iterable[Record], place: str = "") -> None:
        self.resource = resource
        self.place = place
        self._by_id = {str(record["id"]): record for record in records}
        self._by_key: dict[Any, list[Record]] = {}
        self._by_trimmed_key: dict[Any, list[Record]] | None = None
        self._by_value: dict[str, dict[Any, Record]] = {}
        for record in self:
            self._by_key.setdefault(resource.normalize_key(resource.key_of(record)), []).append(record)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._by_id.values())

    def by_id(self, identity: Any) -> Record | None:
        """Return the record with an id, given as number or text."""
        return self._by_id.get(str(identity))

    def by_key(self, key: Any) -> list[Record]:
        """Return the records whose natural key equals `key`; none for what cannot be a key."""
        normal = self.resource.normalize_key(key)
        return [] if normal is None else self._by_key.get(normal, [])

    def first_with(self, field: Field, value: Any) -> Record | None:
        """Return the first record in which a field has a value, by its meaning."""
        if field.name not in self._by_value:
            found = self._by_value[field.name] = {}
            for record in self:
                found.setdefault(_normal(field, record.get(field.in_api)), record)
        normal = _normal(field, value)
        return self._by_value[field.name].get(normal) if normal else None

    def lookalikes(self, key: Any) -> list[Record]:
        """Return the records whose key differs from `key` only in white space at its ends."""
        if self._by_trimmed_key is None:
            self._by_trimmed_key = {}
            for record in self:
                self._by_trimmed_key.setdefault(self.resource.trim_key(self.resource.key_of(record)), []).append(record)
        trimmed = self.resource.trim_key(key)
        found = [] if trimmed is None else self._by_trimmed_key.get(trimmed, [])
        return [record for record in found if record not in self.by_key(key)]


def _normal(field: Field, value: Any) -> Any:
    """Return what equal values have in common, None for one that cannot be read."""
    try:
        return field.type.normalize(value)
    except ValueError:
        return None


def describe(resource: Resource, record: Record) -> str:
    """Return a record as messages name it: `volume 'a' (id 7)`."""
    key = resource.key_of(record)
    noun = resource.noun if key is None else f"{resource.noun} {format_value(key)}"
    return f"{noun} (id {record['id']})" if "id" in record else noun


def format_value(value: Any) -> str:
    """Return a value as messages show it: text in single quotes, anything else as JSON, secrets masked."""
    masked = mask(value)
    return f"'{masked}'" if isinstance(masked, str) else json.dumps(masked, ensure_ascii=False)


def ambiguous(resource: Resource, found: Iterable[Record], option: str = "id") -> ConsoleError:
    """Return the error for several records with one natural key: their ids, and what to do."""
    records = list(found)
    ids = ", ".join(str(record["id"]) for record in records)
    name = f"{resource.key.name} " if resource.key else ""
    key = format_value(resource.key_of(records[0]))
    return ConsoleError(
        f"there are several {resource.plural} with the {name}{key}: ids {ids}."
        f" Choose one with {option}, or remove the ones that should not exist."
    )


def lookalike(resource: Resource, record: Record, key: Any) -> ConsoleError:
    """Return the error for a record whose key differs from the wanted one only in white space."""
    return ConsoleError(
        f"{describe(resource, record)} differs from {format_value(key)} only in white space at its ends, so it may or may"
        f" not be the one that is meant. Use its exact {resource.key.name if resource.key else 'id'}, or id {record['id']}.",
        record=record,
    )
