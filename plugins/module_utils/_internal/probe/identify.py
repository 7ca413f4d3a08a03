# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which record of a list is the one that a step is about. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..api.store import is_id
from ..model.records import Record
from .observation import Reply, is_among

KEYS = {"volumes": "name", "exports": "desc", "quotas": "path"}


class Wanted(NamedTuple):
    """A record that was created: its list, its key, what the list held before it, and whether the list holds ours only."""

    list: str
    key: Any
    before: Sequence[Record]
    is_own_list: bool

    def find(self, records: Sequence[Record], identity: str | None) -> Record | None:
        """Return the record with this id, or else the new one with the key, however the console spells that.

        Where a list that holds ours only shows no keys, the only new record is the one.
        """
        if identity is not None and any(record.get("id") is not None for record in records):
            return next((record for record in records if str(record.get("id")) == identity), None)
        new = [record for record in records if not is_among(record, self.before)]
        name = KEYS[self.list]
        for spell in (str, _loosely):
            found = [
                record for record in new if record.get(name) is not None and spell(record[name]) == spell(self.key)
            ]
            if found:
                return min(found, key=_age)
        is_hidden = all(record.get(name) is None for record in new)
        return new[0] if is_hidden and self.is_own_list and len(new) == 1 else None


def created_id(reply: Reply | None) -> str | None:
    """Return the id that the reply to a creation gives."""
    identity = reply.value.get("id") if reply and isinstance(reply.value, dict) else None
    return str(identity) if is_id(identity) else None


def id_of(record: Record | None) -> str | None:
    """Return the id that a record shows."""
    identity = record.get("id") if record else None
    return str(identity) if is_id(identity) else None


def _age(record: Record) -> tuple[int, str]:
    """Return what puts records in the order of their ids, which is that of their creation if they are numbers."""
    identity = str(record.get("id"))
    return len(identity), identity


def _loosely(key: Any) -> str:
    return "/".join(part for part in str(key).strip().lower().split("/") if part)
