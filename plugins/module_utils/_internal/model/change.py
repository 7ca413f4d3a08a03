# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One line of a plan: what is done about a record, what results call it, and what becomes of that. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ConsoleError
from .plan import DELETE, Action
from .records import Record
from .resources import VOLUME

if TYPE_CHECKING:
    from .section import Section


class Outcome(NamedTuple):
    """What became of an action.

    `record` is the last that is known of it, `changed` whether anything was written or may have been, `is_seen` whether
    the list has shown that, `unverified` the names of fields that the console does not show, `restored` those that
    changed beyond the request and were put back, `lost` those that were not; of an update that succeeded, those that are
    no longer shown, so that nobody knows.
    """

    action: Action
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_seen: bool = True
    lost: tuple[str, ...] = ()


@dataclass(eq=False)
class Change:
    """An action, and its outcome: as predicted, until it is done.

    In a task for volumes, `volume` is what results call the volume that the record is or belongs to, and `kind` the list;
    both are blank in a task for one list. `name` is what results call the record, if that is not its label. `below` holds
    the lists below a volume.
    """

    action: Action
    volume: str = ""
    kind: str = ""
    name: str | None = None
    below: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Predict the outcome."""
        action = self.action
        self.outcome = Outcome(action, action.prediction, action.changes, None, action.unverified)

    @property
    def label(self) -> str:
        """Return what the result of its list calls the record."""
        return self.action.label if self.name is None else self.name

    @property
    def where(self) -> dict[str, str]:
        """Return what an error says beside the key."""
        return {"volume": self.volume, "kind": self.kind} if self.kind else {}

    @property
    def path(self) -> tuple[str, ...]:
        """Return the keys under which a diff has the record of a list below a volume."""
        return (self.volume, self.kind) if self.kind not in ("", VOLUME.plural) else ()

    @property
    def key(self) -> str:
        """Return the label after that of its volume. What is about a whole list has that of the volume alone."""
        return ": ".join(filter(None, [self.volume, self.label])) if self.path else self.label

    @property
    def is_done(self) -> bool:
        """Return whether something was changed, and the list shows it."""
        return self.outcome.changed and self.outcome.is_seen

    @property
    def lost(self) -> Mapping[str, Any]:
        """Return the keys of what goes with a volume that is deleted, by kind."""
        return {each.resource.plural: each.lost_keys for each in self.below} if self.action.verb is DELETE else {}
