# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The changes of a task as data: one entry for each, grouped by volume, in the order in which they are made. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ..masking import mask
from ..model.plan import DELETE, Action
from ..model.records import Record
from ..model.resources import VOLUME
from ..model.section import Change, Section

Lists = Mapping[str, Sequence[Change]]
"""The changes of each list by kind, those of a task for one list under a blank kind."""
Entry = dict[str, Any]


def list_entries(lists: Lists, volume: str) -> list[Entry]:
    """Return an entry for each change that was made and seen; `volume` is the volume of a task for one list.

    An entry holds `volume`, `kind`, `key` and `id` of a record, the `action`, and by the names of options the `fields` that
    differ, `before` and `after`: null for what a record lacks. Values are as in results, secrets masked. That of a deleted
    volume counts in `lost` what goes with it.
    """
    return [_entry(change, volume) for change in _by_volume(lists) if change.is_done]


def _by_volume(lists: Lists) -> list[Change]:
    """Return all changes, those in a volume after its own. Volumes are deleted last."""
    if VOLUME.plural not in lists:
        return list(chain(*lists.values()))
    groups = [[volume, *_changes_in(volume)] for volume in lists[VOLUME.plural]]
    return list(chain(*sorted(groups, key=lambda changes: changes[0].action.verb is DELETE)))


def _changes_in(volume: Change) -> Iterator[Change]:
    return chain(*(section.changes for section in volume.below if not section.goes_with_volume))


def _entry(change: Change, volume: str) -> Entry:
    action, outcome = change.outcome.action, change.outcome
    # A change that failed has the record as it was found afterwards, if anything.
    record = outcome.record if outcome.error else action.prediction
    known = outcome.record or action.current or {"id": action.goal.id}
    return {
        "volume": change.volume or volume,
        "kind": action.resource.plural,
        "key": change.label,
        "id": known.get("id"),
        "action": action.verb,
        "fields": dict(_differences(action, record)),
        **({"lost": lost} if (lost := _lost(change)) else {}),
    }


def _differences(action: Action, record: Record | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the fields that differ between a record as it was and as it is; the key only if it changes."""
    before, after = _values(action, action.current), _values(action, record)
    for field in action.fields:
        old, new = before.get(field.name), after.get(field.name)
        is_named_already = field is action.resource.key and (old is None or new is None)
        if old != new and not is_named_already:
            yield field.name, {"before": old, "after": new}


def _values(action: Action, record: Record | None) -> dict[str, Any]:
    fields = [(field, record[field.in_api]) for field in action.fields if record and field.in_api in record]
    values: dict[str, Any] = mask({field.name: field.type.to_result(value) for field, value in fields})
    return values


def _lost(change: Change) -> dict[str, Any]:
    """Return how many records of each kind go with a volume, null where they cannot be read, and how many are ignored."""
    going = [section for section in change.below if section.goes_with_volume]
    ignored = sum(len(section.records.ignored) for section in going)
    return {**{section.kind: _size(section) for section in going}, **({"ignored": ignored} if ignored else {})}


def _size(section: Section) -> int | None:
    records = section.records
    return None if section.error else len(records) + len(records.ignored)
