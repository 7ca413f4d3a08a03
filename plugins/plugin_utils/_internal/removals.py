# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much of what was captured before a capture may remove: a key that sees less must not empty the files. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.records import format_value
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME, Resource

DEFAULT = "50%"
# A share of so few is no sign of anything.
_MAX_UNSHARED = 3
_MAX_NAMES = 3
_MAX_SHOWN = 80
_NUMBER = re.compile(r"([0-9]{1,9})\s*(%?)")

Item = Mapping[str, Any]


class MaxRemovals(NamedTuple):
    """The most that may be removed of the files, and of each kind of records in them: a number, or a share in percent."""

    amount: int
    is_share: bool

    @classmethod
    def read(cls, text: str) -> MaxRemovals:
        """Return what an option says, if it is not blank; ConsoleError for anything but a number or a share."""
        found = _NUMBER.fullmatch(text.strip() or DEFAULT)
        if found is None or (found[2] and int(found[1]) > 100):
            raise ConsoleError(
                f"max_removals must be a number of removals, or a share from 0% to 100%, not {format_value(text[:_MAX_SHOWN])}. In the"
                " role capture it is the variable capture_max_removals."
            )
        return cls(int(found[1]), bool(found[2]))

    def __str__(self) -> str:
        return f"{self.amount}%" if self.is_share else str(self.amount)

    def is_exceeded(self, removed: int, total: int) -> bool:
        """Return whether so many are too many of all that were there."""
        if self.is_share:
            return removed * 100 > self.amount * total and total > _MAX_UNSHARED
        return removed > self.amount


def check_removals(before: Mapping[str, Item | None], after: Mapping[str, Item], allowed: MaxRemovals) -> None:
    """Refuse a capture that would remove too much; ConsoleError with what, and how to do it on purpose.

    `before` are the volumes that captured files describe, by the names of the files, None for one that cannot be read;
    `after` are those that files are to describe.
    """
    if before and not after:
        raise ConsoleError(
            f"Nothing was written: the console shows no volume, but there are files of a capture, such as {min(before)}. The"
            " access key may see nothing. If the console is empty, delete these files by hand."
        )
    present = {name: item for name, item in before.items() if item is None or _is_present(item)}
    kept = {_key(VOLUME, item) for item in after.values()}
    gone = [
        name for name, item in present.items() if name not in after and (item is None or _key(VOLUME, item) not in kept)
    ]
    losses = [("files", gone, len(present))]
    for resource in LISTS_OF_VOLUME:
        records = Counter(_records(resource, filter(None, present.values())))
        removed = records - Counter(_records(resource, after.values()))
        losses.append((resource.plural, list(removed.elements()), sum(records.values())))
    exceeded = [loss for loss in losses if allowed.is_exceeded(len(loss[1]), loss[2])]
    if exceeded:
        parts = ", ".join(f"{len(gone)} of {total} {kind} ({_names(gone)})" for kind, gone, total in exceeded)
        raise ConsoleError(
            f"Nothing was written: of what was captured before, this would remove {parts}, and max_removals allows"
            f" {allowed}. The access key may no longer see everything. If the console is as it should be, set max_removals"
            f" (in the role capture, capture_max_removals) to {max(len(gone) for _kind, gone, _total in exceeded)}."
        )


def _is_present(item: Item) -> bool:
    """Return whether an item wants its record to exist: one that does not may go once it was applied."""
    return bool(item.get("state", "present") == "present")


def _records(resource: Resource, items: Iterable[Item]) -> list[str]:
    """Return the exports or quotas of volumes, each as messages name it."""
    lists = [(item, item[resource.plural]) for item in items if isinstance(item.get(resource.plural), list)]
    return [
        f"{_key(VOLUME, item)}: {_key(resource, entry)}"
        for item, entries in lists
        for entry in entries
        if isinstance(entry, Mapping) and _is_present(entry)
    ]


def _key(resource: Resource, item: Item) -> str:
    """Return what identifies an item: its natural key, else its id."""
    key = resource.normalize_key(item.get(resource.key.name)) if resource.key else None
    return f"id {item.get('id')}" if key is None else str(key)


def _names(gone: list[str]) -> str:
    shown = ", ".join(format_value(name[:_MAX_SHOWN]) for name in sorted(gone)[:_MAX_NAMES])
    return f"{shown}, …" if len(gone) > _MAX_NAMES else shown
