# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What on a console is worth checking, whatever the desired state: keys that look alike, limits that are never reached. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.listing import sort_records
from ...module_utils._internal.model.nested_limits import nested_limits
from ...module_utils._internal.model.records import Records
from ...module_utils._internal.model.resources import EXPORT, LISTS_OF_VOLUME, QUOTA, VOLUME, Resource
from .report_drift import to_record

Entries = list[dict[str, Any]]


class Listed(NamedTuple):
    """A list of a console: that of its volumes, or one of a volume of this label."""

    volume: str | None
    records: Records

    def entry(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the identity of a record, as in the other facts."""
        resource = self.records.resource
        label = resource.label(record)
        place = {"volume": label} if self.volume is None else {"volume": self.volume, "key": label}
        return {"kind": resource.plural, **place}


def read_lists(volumes: Iterable[Mapping[str, Any]]) -> Iterator[Listed]:
    """Yield the lists of a console, from what `volume_info` returned, except those that no task can read."""
    every = list(volumes)
    yield from _read(None, VOLUME, every)
    for volume in every:
        for resource in LISTS_OF_VOLUME:
            yield from _read(VOLUME.label(volume), resource, volume[resource.plural])


def _read(volume: str | None, resource: Resource, listed: Iterable[Mapping[str, Any]]) -> Iterator[Listed]:
    try:
        records = sort_records(resource, [to_record(resource, record) for record in listed])
    except ConsoleError:
        return
    yield Listed(volume, records)


def find_near_misses(lists: Iterable[Listed]) -> Entries:
    """Return the records whose keys differ from that of another one only in what some consoles do not distinguish."""
    found: Entries = []
    for listed in lists:
        resource = listed.records.resource
        # Of those that look alike, each is compared with the first alone: there may be thousands.
        done = set()
        for record in sorted(listed.records, key=resource.label):
            key = resource.key_of(record)
            folded = resource.fold_key(key)
            if folded is None or folded in done:
                continue
            done.add(folded)
            for other in sorted(listed.records.near_misses(key), key=resource.label):
                difference = resource.near_miss(key, resource.key_of(other))
                found.append({**listed.entry(other), "like": resource.label(record), "difference": difference})
    return found


def find_nested_limits(lists: Iterable[Listed]) -> Entries:
    """Return the quotas with a limit above that of a directory around theirs."""
    return [
        {
            **listed.entry(nested.record),
            "field": nested.field.name,
            "limit": nested.limit,
            "around": QUOTA.label(nested.around),
            "limit_around": nested.limit_around,
        }
        for listed in lists
        if listed.records.resource is QUOTA
        for nested in nested_limits(listed.records)
    ]


def find_rotating(lists: Iterable[Listed]) -> Entries:
    """Return the exports of rotations in progress."""
    return [
        listed.entry(record)
        for listed in lists
        if listed.records.resource is EXPORT
        for record in sorted(listed.records, key=EXPORT.label)
        if listed.records.is_rotating(record)
    ]
