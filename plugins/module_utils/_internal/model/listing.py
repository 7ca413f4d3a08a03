# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sorts a list into the records that tasks work with, and those that they leave alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ConsoleError
from ..texts import first_of
from .records import Record, Records
from .resources import Resource

if TYPE_CHECKING:
    from .ignore import Ignore

_MAX_IDS = 10


def sort_records(
    resource: Resource,
    listed: Sequence[Record],
    of_volume: str = "",
    ignore: Ignore | None = None,
    shown: Collection[str] = (),
) -> Records:
    """Return the records of a list, apart from those that are ignored and those of another kind.

    A record without a natural key is of another kind if others show theirs. ConsoleError if none does, as the console may
    hide the keys, if a key has a wrong type, and if an id is unusable: that record could be the one wanted, so nothing can
    be decided without it. Blank text is a key that no item can have: consoles create exports without a description.
    `shown` holds the ids of records that have shown their key before.
    """
    kept, ignored = ignore.split(listed) if ignore else (list(listed), [])
    _refuse(resource, "id", [record for record in kept if not is_id(record.get("id"))])
    foreign = []
    if resource.has_other_kinds and (shown or any(is_key(resource.key_of(record)) for record in listed)):
        keyless = [record for record in kept if resource.key_of(record) is None]
        foreign = [record for record in keyless if str(record["id"]) not in shown]
    _refuse_shared_ids(resource, listed, foreign)
    if foreign:
        ids = {str(record["id"]) for record in foreign}
        kept = [record for record in kept if str(record["id"]) not in ids]
    _refuse(resource, resource.key.in_api, [record for record in kept if not is_key(resource.key_of(record))])
    return Records(resource, kept, of_volume, ignored, foreign)


def _refuse_shared_ids(resource: Resource, listed: Iterable[Record], foreign: Sequence[Record]) -> None:
    """Refuse records of another kind that share their id with one of ours: a request could name either."""
    ids = {str(record.get("id")) for record in listed if resource.key_of(record) is not None} if foreign else set()
    if shared := [record for record in foreign if str(record["id"]) in ids]:
        what = f"{resource.plural} of different kinds with the same id (ids {_format_ids(shared)})"
        raise ConsoleError(f"the console shows {what}: they cannot be identified")


def _refuse(resource: Resource, name: str, bad: Sequence[Record]) -> None:
    """Refuse records whose field of this name is unusable."""
    if bad:
        which = "" if name == "id" else f" (ids {_format_ids(bad)})"
        what = f"{resource.plural} without a usable {name}{which}"
        raise ConsoleError(f"the console shows {what}: they cannot be identified")


def is_id(value: Any) -> bool:
    """Return whether a value is a number, or text that has no other meaning in a path."""
    if isinstance(value, str):
        return re.fullmatch("[A-Za-z0-9_-]{1,100}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def is_key(value: Any) -> bool:
    """Return whether a value can be a natural key; blank text is one, though no item can have it."""
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


def describe_foreign(records: Records) -> str:
    """Return the notice about the records of another kind in a list: how many, and which."""
    resource, found = records.resource, records.foreign
    return (
        f"Left alone: {len(found):,} of the {resource.plural}{records.of_volume} (ids {_format_ids(found)}), without a"
        f" {resource.key.name} and so of another kind."
    )


def _format_ids(records: Iterable[Record]) -> str:
    return first_of((str(record["id"]) for record in records), _MAX_IDS)
