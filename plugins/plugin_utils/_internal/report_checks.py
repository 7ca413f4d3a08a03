# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rotations in progress on a console. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.listing import sort_records
from ...module_utils._internal.model.records import Records
from ...module_utils._internal.model.resources import EXPORT, LISTS_OF_VOLUME, VOLUME, Resource
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


def find_rotating(lists: Iterable[Listed]) -> Entries:
    """Return the exports of rotations in progress."""
    return [
        listed.entry(record)
        for listed in lists
        if listed.records.resource is EXPORT
        for record in sorted(listed.records, key=EXPORT.label)
        if listed.records.is_rotating(record)
    ]
