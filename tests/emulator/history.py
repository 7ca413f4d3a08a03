# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The writes of the last seconds, so that lists can show an earlier state."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dialect import Dialect
    from .resources import Resource
    from .store import Sight, Stored


@dataclass(frozen=True)
class Write:
    """A write that took effect."""

    id: int
    before: Stored | None
    """The record as it was; None where the write created it."""
    is_update: bool
    at: float


class History:
    """Remembers writes for as long as the dialect can hide them."""

    def __init__(self, dialect: Dialect) -> None:
        """Begin with none."""
        self._stale_for = dialect.stale_for if dialect.stale_every else 0.0
        self._update_appear_after = dialect.update_appear_after
        self._longest = max(self._stale_for, self._update_appear_after)
        self._writes: defaultdict[tuple[str, int], deque[Write]] = defaultdict(deque)

    def note(self, resource: Resource, volume: int, write: Write) -> None:
        """Record a write, and forget those that are visible by now."""
        if not self._longest:
            return
        writes = self._writes[resource.plural, volume]
        while writes and writes[0].at <= write.at - self._longest:
            writes.popleft()
        writes.append(write)

    def hidden(self, resource: Resource, volume: int, now: float, *, stale: bool) -> list[Write]:
        """Return the writes that a list does not show yet, the latest first."""
        if not self._longest:
            return []
        updates_until = now - self._update_appear_after
        all_until = now - self._stale_for if stale else now
        return [
            write
            for write in reversed(self._writes[resource.plural, volume])
            if write.at > all_until or (write.is_update and write.at > updates_until)
        ]


def undone(records: list[Stored], writes: list[Write], sight: Sight) -> list[Stored]:
    """Return the records of a list without these writes, which come with the latest first."""
    shown = {record.id: record for record in records}
    for write in writes:
        before = write.before
        if write.is_update and write.id not in shown:
            continue
        if before is None or (sight.made_until is not None and before.made > sight.made_until):
            shown.pop(write.id, None)
        else:
            shown[write.id] = before
    return [shown[identity] for identity in sorted(shown)]
