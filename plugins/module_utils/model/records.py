# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Records as a console lists them: found by id or natural key, compared with what is wanted, named in messages. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..masking import mask
from .resources import Field, Resource

Record = dict[str, Any]


class Records:
    """The records of one list, each with an id and a natural key, indexed by both."""

    def __init__(self, resource: Resource, records: Iterable[Record]) -> None:
        self.resource = resource
        self._by_id = {str(record["id"]): record for record in records}
        self._by_key: dict[Any, list[Record]] = {}
        for record in self._by_id.values():
            key = resource.key_meaning(record[resource.key.wire])
            if key is not None:
                self._by_key.setdefault(key, []).append(record)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._by_id.values())

    def of_id(self, identity: Any) -> Record | None:
        """The record with an id, given as number or text."""
        return self._by_id.get(str(identity))

    def of_key(self, key: Any) -> list[Record]:
        """The records whose natural key means the same as `key`."""
        return self._by_key.get(self.resource.key_meaning(key), [])


class Difference(NamedTuple):
    """A field that is not as wanted, both values as results show them."""

    field: Field
    actual: Any
    wanted: Any

    def __str__(self) -> str:
        actual, wanted = say(self.actual), say(self.wanted)
        masked = " (they differ in what is masked)" if actual == wanted else ""
        return f"{self.field.name} is {actual}, wanted is {wanted}{masked}"


def compare(resource: Resource, record: Record, values: Mapping[str, Any]) -> tuple[list[Difference], list[str]]:
    """Where a record is not as the given values want it, and the names of those that it does not show."""
    differences, unverified = [], []
    for field in resource.managed:
        if field.name not in values:
            continue
        wanted = values[field.name]
        if field.wire not in record:
            unverified.append(field.name)
        elif not field.kind.same(record[field.wire], wanted):
            shown = field.kind.shown
            differences.append(Difference(field, shown(record[field.wire]), shown(field.kind.sent(wanted))))
    return differences, unverified


def managed_fields(resource: Resource, record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record that a user can set, as results show them, secrets masked."""
    shown = {field.name: field.kind.shown(record[field.wire]) for field in resource.managed if field.wire in record}
    return mask(shown)  # type: ignore[no-any-return]


def label(resource: Resource, key: Any, identity: Any = None) -> str:
    """A record in a message, as `volume 'a' (id 7)`."""
    name = resource.noun if key is None else f"{resource.noun} {say(key)}"
    return name if identity is None else f"{name} (id {identity})"


def say(value: Any) -> str:
    """A value in a message: text in single quotes, anything else as JSON, secrets masked."""
    shown = mask(value)
    if isinstance(shown, str):
        # What cannot be printed could be an order to the terminal.
        return "'{}'".format("".join(char if char.isprintable() else "\ufffd" for char in shown))
    return json.dumps(shown, ensure_ascii=False)


def ambiguity(resource: Resource, key: Any, found: Iterable[Record], option: str = "id") -> ConsoleError:
    """The error for several records under one natural key: their ids, and what to do."""
    ids = ", ".join(str(record["id"]) for record in found)
    return ConsoleError(
        f"there are several {resource.plural} with the {resource.key.name} {say(key)}, their ids are {ids}."
        f" Say with {option} which one is meant, or remove those that should not be."
    )
