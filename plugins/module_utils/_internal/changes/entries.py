# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The entries of a plan, and of what became of it: one for each record that is created, updated or deleted. Pure.

Plan files, checksums, results, their lines and the drift of a report are made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..model.plan import DELETE
from ..model.resources import RESOURCES
from ..model.section import Change, Section
from ..values import mask

Entry = dict[str, Any]
# What only plan files show of an entry.
_WHOLE = ("volume_id", "before", "after")


def list_entries(root: Section, is_whole: bool = False) -> list[Entry]:
    """Return an entry for each change that is made and seen, grouped by volume, in the order in which they are made.

    If `is_whole`, what goes with a deleted volume has entries as well.
    """
    if root.resource.is_in_volume:
        return _list(root.changes, root.volume)
    entries: list[Entry] = []
    # Volumes are deleted last.
    for volume in sorted(root.changes, key=lambda change: change.action.verb is DELETE):
        entries += _list([volume], {})
        for section in volume.below:
            entries += _list(section.changes, section.volume) if is_whole or not section.goes_with_volume else []
    return entries


def _list(changes: Iterable[Change], volume: Mapping[str, Any]) -> list[Entry]:
    return [entry_of(change, volume) for change in changes if change.is_done]


def entry_of(change: Change, volume: Mapping[str, Any]) -> Entry:
    """Return the entry of a change. The argument `volume` holds the name and id of its volume, as far as they are known.

    It holds `volume`, `volume_id`, `kind`, `key` and `id` of the record, the `action`, and what the record shows `before` and
    `after`, by the names of options: values as in results, secrets masked. For a deleted volume, `lost` counts how many
    records of each kind go with it, null where they cannot be read, and how many of them are ignored.
    """
    action, outcome = change.outcome.action, change.outcome
    known = outcome.record or action.current or {"id": action.goal.id}
    return {
        "volume": change.volume or str(mask(volume.get("name") or "")),
        "volume_id": volume.get("id") if action.resource.is_in_volume else known.get("id"),
        "kind": action.resource.plural,
        "key": change.label,
        "id": known.get("id"),
        "action": action.verb,
        "before": action.shown(action.current, in_diff=False),
        # A change that failed has the record as it was found afterwards, if anything.
        "after": action.shown(outcome.record if outcome.error else action.prediction, in_diff=False),
        **({"lost": lost} if (lost := lost_with(change)) else {}),
    }


def lost_with(change: Change) -> dict[str, int | None]:
    """Return by kind how many records go with a deleted volume, None where they cannot be read, and how many are ignored."""
    going = [section for section in change.below if section.goes_with_volume]
    lost = {each.kind: None if each.error else len(each.records) + len(each.records.ignored) for each in going}
    ignored = sum(len(section.records.ignored) for section in going)
    return {**lost, **({"ignored": ignored} if ignored else {})}


def to_change(entry: Mapping[str, Any]) -> Entry:
    """Return an entry as results show it: with the `fields` that differ, `before` and `after`, instead of the whole record."""
    kept = {name: value for name, value in entry.items() if name not in _WHOLE}
    return {**kept, "fields": dict(_differences(entry))}


def _differences(entry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the fields that differ, null where the record lacks one; the key only if it changes."""
    key = RESOURCES[entry["kind"]].key.name
    for name in {**entry["before"], **entry["after"]}:
        old, new = (entry[side].get(name) for side in ("before", "after"))
        if old != new and not (name == key and None in (old, new)):
            yield name, {"before": old, "after": new}
