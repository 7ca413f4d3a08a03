# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What follows from what was seen: the value of one setting, with its evidence. Pure."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, NamedTuple

from ..observation import Reply, Seen


class Finding(NamedTuple):
    """The value of a setting and the response that shows it, with a `note`; or None, and the reason why.

    `unknown` are sentences about what no value describes.
    """

    value: Any
    reply: Reply | None = None
    note: str = ""
    reason: str = ""
    unknown: tuple[str, ...] = ()


class Setting(NamedTuple):
    """A setting of the emulator: what is sent and looked at to find it, when it cannot be seen, what its values mean.

    `meanings` are by value; that of OTHER is for any other number, which stands for `{value}` in it.
    """

    name: str
    looked_at: str
    unseen: str
    find: Callable[[Seen], Finding]
    meanings: Mapping[Any, str]

    def meaning(self, value: Any) -> str:
        """Return what a value means for playbooks."""
        if value is None:
            return NO_MEANING
        known = {(type(key), key): text for key, text in self.meanings.items()}
        return known.get((type(value), value), self.meanings.get(OTHER, "")).format(value=value)


OTHER = "any other number"
NO_MEANING = "Rehearse with any value: the modules allow for all of them."


def nothing(reason: str, *unknown: str) -> Finding:
    """Return that a value was not found, and why."""
    return Finding(None, reason=reason, unknown=unknown)


def agreed(values: Iterable[tuple[str, Any, Reply | None]], choices: Container[Any], reason: str, what: str) -> Finding:
    """Return the value that all agree on, each given with where it was seen; `what` is the subject of a sentence."""
    seen = list(values)
    kinds = {value for _place, value, _reply in seen}
    if not seen:
        return nothing(reason)
    places = ", ".join(f"{value} for {place}" for place, value, _reply in seen)
    if len(kinds) > 1:
        return nothing(f"it differs: {places}", f"{what} differs: {places}.")
    _place, value, reply = seen[0]
    if value not in choices:
        return nothing(f"the console has another way: {value}", f"{what} is {value}.")
    return Finding(value, reply)
