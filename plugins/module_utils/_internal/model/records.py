# Copyright: (c) 2026, managedfs.console maintainers
# SPDX-License-Identifier: GPL-3.0-or-later

"""Records as a console lists them: found by id or key, compared with what is wanted, and named in messages. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..masking import mask
from .fields import LOOSE
from .resources import Field, Resource

Record = dict[str, Any]

# Stands for the value of a field that a record lacks.
_NOT_SHOWN = object()

NEXT, OLD = " (next)", " (old)"
"""Suffixes of desc while an export gets a new token: of the export that replaces it, and of the one to be deleted."""


class Records:
    """The records of one list, each with an id, indexed by id and natural key.

    `of_volume` names the volume of the list in messages: ` of volume 'projects'`, or blank. `ignored` are the records that are
    not ours. They are not among the others.
    """

    def __init__(
        self,
        resource: Resource,
        records: Iterable[Record] = (),
        of_volume: str = "",
        ignored: Sequence[Record] = (),
    ) -> None:
        self.resource = resource
        self.of_volume = of_volume
        self.ignored = ignored
        self._by_id = {str(record["id"]): record for record in records}
        # Built when first needed.
        self._by_key: dict[Any, list[Record]] | None = None
        self._by_value: dict[str, dict[Any, Record]] = {}

    def __iter__(self) -> Iterator[Record]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def where(self, is_kept: Callable[[Record], bool]) -> Records:
        """Return the records of which a function says that they are kept."""
        kept, ignored = ([record for record in part if is_kept(record)] for part in (self, self.ignored))
        return Records(self.resource, kept, self.of_volume, ignored)

    def by_id(self, identity: Any) -> Record | None:
        """Return the record with an id, given as number or text."""
        return self._by_id.get(str(identity))

    def by_key(self, key: Any) -> list[Record]:
        """Return the records whose normalized natural key equals that of `key`; none for what cannot be a key."""
        if self._by_key is None:
            self._by_key = {}
            for record in self:
                self._by_key.setdefault(self.resource.normalize_key(self.resource.key_of(record)), []).append(record)
            self._by_key.pop(None, None)
        return self._by_key.get(self.resource.normalize_key(key), [])

    @cached_property
    def ignored_records(self) -> Records:
        """Return the ignored records that have an id, to be found by id or key."""
        return Records(self.resource, [record for record in self.ignored if record.get("id") is not None])

    def unclaimed(self, claimed: Container[str]) -> list[Record]:
        """Return the records without any of these ids, but not those of a rotation in progress, which removes them."""
        return [record for record in self if str(record["id"]) not in claimed and not self.is_rotating(record)]

    def is_rotating(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record takes part in the unfinished rotation of another one, ignored or not."""
        key = self.resource.key_of(record)
        partners = rotation_partners(key) if self.resource.has_token else ()
        return any(self.by_key(partner) or self.ignored_records.by_key(partner) for partner in partners)

    def first_with(self, field: Field, value: Any) -> Record | None:
        """Return the first record whose field has a value of this meaning."""
        if field.name not in self._by_value:
            found = self._by_value[field.name] = {}
            for record in self:
                found.setdefault(field.type.normalize_or_none(record.get(field.in_api)), record)
        normal = field.type.normalize_or_none(value)
        return self._by_value[field.name].get(normal) if normal else None


def rotation_partners(key: Any) -> tuple[str, ...]:
    """Return the keys of which one is listed as well, if this key is of an export that a rotation made or left."""
    text = str(key)
    bases = [text.removesuffix(suffix) for suffix in (NEXT, OLD) if text.endswith(suffix)]
    return tuple(f"{base}{suffix}" for base in bases for suffix in ("", NEXT, OLD) if f"{base}{suffix}" != text)


class Difference(NamedTuple):
    """A field that is not as wanted, both values as results show them."""

    field: Field
    actual: Any
    wanted: Any

    def __str__(self) -> str:
        """Return the difference as messages show it."""
        return self.format("is {actual}, wanted {wanted}")

    def format(self, words: str) -> str:
        """Return the field with both values in these words, secrets masked. What is in an undocumented field may be one."""
        name = self.field.name
        if self.field.type is LOOSE:
            return f"{name} is not as wanted"
        actual, wanted = (format_value(mask({name: value})[name]) for value in self[1:])
        hint = " (the difference is in the masked part)" if actual == wanted else ""
        return f"{name} {words.format(actual=actual, wanted=wanted)}{hint}"


def compare(resource: Resource, record: Record, values: Mapping[str, Any]) -> tuple[list[Difference], list[str]]:
    """Return the differences of a record from the given values, and the names of the fields that it does not show."""
    differences, unverified = [], []
    for name, wanted in values.items():
        field = resource.managed_field(name)
        actual = record.get(field.in_api, _NOT_SHOWN)
        if actual is _NOT_SHOWN:
            unverified.append(name)
        elif not field.type.equal(actual, wanted):
            differences.append(difference(field, actual, wanted))
    return differences, unverified


def difference(field: Field, actual: Any, wanted: Any) -> Difference:
    """Return the difference between two values of a field, given as the console has them."""
    return Difference(field, field.type.to_result(actual), field.type.to_result(wanted))


def format_differences(differences: Iterable[Difference]) -> str:
    """Return differences as one part of a message."""
    return "; ".join(map(str, differences))


def managed_fields(
    resource: Resource, record: Mapping[str, Any] | None, extra_fields: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the fields of a record that a user can set, as diffs show them, secrets masked; {} without a record."""
    known = resource.fields_for(extra_fields)
    fields = [(field, record[field.in_api]) for field in known if record and field.in_api in record]
    shown: dict[str, Any] = mask({field.name: field.type.to_diff(value) for field, value in fields})
    return shown


def describe(resource: Resource, record: Mapping[str, Any]) -> str:
    """Return a record as messages name it: `volume 'a' (id 7)`."""
    key = resource.key_of(record)
    noun = resource.noun if key is None else f"{resource.noun} {format_value(key)}"
    return f"{noun} (id {record['id']})" if "id" in record else noun


def format_value(value: Any) -> str:
    """Return a value as messages show it: text in single quotes, anything else as JSON, secrets masked."""
    masked = mask(value)
    return f"'{masked}'" if isinstance(masked, str) else json.dumps(masked, ensure_ascii=False)


def of_volume(volume: Mapping[str, Any] | None) -> str:
    """Return whose list it is, for messages: ` of volume 'projects'`, blank where that is not known."""
    name = (volume or {}).get("name")
    return f" of volume {format_value(name)}" if name else ""


def ambiguous(resource: Resource, found: list[Record], option: str = "id") -> ConsoleError:
    """Return the error for several records with one natural key: their ids, and what to do."""
    ids = ", ".join(str(record["id"]) for record in found)
    key = format_value(resource.key_of(found[0]))
    return ConsoleError(
        f"there are several {resource.plural} with the {resource.key.name} {key}: ids {ids}."
        f" Choose one with {option}, if the task has that option, or remove the ones that should not exist. Tasks that ran"
        " at once may have made them: where several hosts run one task, set run_once, or throttle to 1."
    )
