# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sorts a list into the records that tasks work with, and those that are ignored. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ConsoleError
from ..texts import first_of
from .records import Record, Records
from .resources import BLANK, IGNORED, Resource

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
    """Return the records of a list, apart from those that are ignored.

    If others show their natural key, a quota without one is ignored, since it is that of a user or a group, and an export without
    one is given None: no item can have that. ConsoleError if none shows one, as the console may hide the keys, if
    a key has a wrong type, and if an id is unusable or that of two records: each could be the one wanted, so nothing can be
    decided. `shown` holds the ids of records that have shown their key before.
    """
    kept, ignored = ignore.split(listed) if ignore else (list(listed), [])
    _refuse(resource, "id", [record for record in kept if not is_id(record.get("id"))])
    _refuse_shared_ids(resource, listed)
    if resource.without_key is IGNORED and (shown or any(is_key(resource.key_of(record)) for record in listed)):
        others = {str(record["id"]) for record in kept if resource.key_of(record) is None} - {*shown}
        ignored += [record for record in kept if str(record["id"]) in others]
        kept = [record for record in kept if str(record["id"]) not in others]
    unusable = [record for record in kept if not is_key(resource.key_of(record))]
    if resource.without_key is BLANK and any(resource.key.in_api in record for record in listed):
        unusable = [record for record in unusable if resource.key_of(record) is not None]
        kept = [{resource.key.in_api: None, **record} for record in kept]
    _refuse(resource, resource.key.in_api, unusable)
    return Records(resource, kept, of_volume, ignored)


def _refuse_shared_ids(resource: Resource, listed: Iterable[Record]) -> None:
    """Refuse records that share their id: a request could name either."""
    uses = Counter(str(record["id"]) for record in listed if record.get("id") is not None)
    if shared := [identity for identity, count in uses.items() if count > 1]:
        what = f"different {resource.plural} with the same id (ids {first_of(shared, _MAX_IDS)})"
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


def _format_ids(records: Iterable[Record]) -> str:
    return first_of((str(record["id"]) for record in records), _MAX_IDS)
