# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes by somebody else: another user of the same console, who needs no request of ours."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from .resources import RESOURCES, VOLUMES, Record, Resource

if TYPE_CHECKING:
    from .console import Console
    from .store import Stored

ACTIONS = ("create", "update", "delete")
_TYPES: dict[str, tuple[type, ...]] = {
    "volume_id": (int,),
    "id": (int, type(None)),
    "key": (str, type(None)),
    "fields": (Mapping,),
}


@dataclass(frozen=True)
class Change:
    """A record that somebody creates, updates or deletes, with all fields as given and without checks.

    Of a record that is not there, nothing is updated or deleted; nothing is created in a volume that is not there, or
    with an id that is taken.
    """

    action: str
    """create, update or delete."""
    resource: str
    """volumes, exports or quotas."""
    volume_id: int = 0
    """The volume of an export or a quota."""
    id: int | None = None
    """The record to be updated or deleted."""
    key: str | None = None
    """Its name, desc or path, in place of its id: the records whose key is exactly this."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What it is created with, or what is changed of it."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.action not in ACTIONS:
            raise ValueError(f"action: {self.action!r} is none of {', '.join(ACTIONS)}")
        if self.resource not in RESOURCES:
            raise ValueError(f"resource: {self.resource!r} is none of {', '.join(RESOURCES)}")
        if self.action != "create" and (self.id is None) == (self.key is None):
            raise ValueError(f"{self.action} needs either id or key")
        for name, types in _TYPES.items():
            value = getattr(self, name)
            if not isinstance(value, types) or isinstance(value, bool):
                raise ValueError(f"{name}: {value!r} is not of the right type")

    @classmethod
    def of(cls, settings: Any) -> Change:
        """Return a change from a mapping, as it comes from JSON; an unknown name is refused."""
        known = {entry.name for entry in fields(cls)}
        if not isinstance(settings, Mapping) or not {"action", "resource"} <= set(settings) <= known:
            raise ValueError(f"a change is an object with action and resource, and some of {', '.join(sorted(known))}")
        return cls(**settings)

    def apply(self, console: Console) -> None:
        """Let it happen now."""
        resource = RESOURCES[self.resource]
        if self.action != "create":
            for stored in self._concerned(console, resource):
                self._change(console, resource, stored)
        elif resource is VOLUMES or console.store.has_volume(self.volume_id):
            with contextlib.suppress(sqlite3.IntegrityError):
                console.make(resource, 0 if resource is VOLUMES else self.volume_id, dict(self.fields))

    def _concerned(self, console: Console, resource: Resource) -> list[Stored]:
        """Return the records that are updated or deleted."""
        volume = 0 if resource is VOLUMES else self.volume_id
        found = (
            [self.id]
            if self.id is not None
            else [identity for identity, key in console.store.with_key(resource, volume, self.key) if key == self.key]
        )
        records = [console.store.get(resource, volume, identity) for identity in found]
        return [record for record in records if record is not None]

    def _change(self, console: Console, resource: Resource, stored: Stored) -> None:
        """Update or delete a record."""
        if self.action == "delete":
            console.remove(resource, stored)
            return
        body: Record = {**stored.body, **self.fields}
        console.change(resource, stored, body, self.fields)
