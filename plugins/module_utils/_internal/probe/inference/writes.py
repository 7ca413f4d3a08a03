# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What updates tell: which fields they take, reset and alter. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...model.records import Record
from ..observation import Observation, Seen
from ..steps import ODD_SIZE, WIDE_NETWORK
from .finding import Finding, nothing

_STEP = 4096
_UPDATES = {
    "update_export": "the iprange of an export",
    "update_flags": "the flags of an export",
    "rename_export": "the desc of an export",
    "update_spaced_export": "the iprange of an export with white space in its desc",
    "update_quota": "the size of a quota",
    "update_inodes": "the inodes of a quota",
    "rename_quota": "the path of a quota",
}
_WITH_MORE = {"update_flags": ("apionly", "readonly", "appendonly"), "update_inodes": ("inodes",)}
_PARTIAL = {"rename_export": ("update_export", "iprange"), "rename_quota": ("update_quota", "size")}
_PLAIN = {"update_flags": "update_export", "update_inodes": "update_quota"}
_FIELDS = ("iprange", "apionly", "readonly", "appendonly", "size", "inodes")
_DOCUMENTED = ("desc", "iprange", "path", "size")


def _settled(seen: Seen, *names: str) -> Iterator[tuple[str, Observation, Record, Record]]:
    """Yield the updates that were accepted and have come to an end, with the record before and after."""
    for name in names:
        found = seen.step(name)
        if found and found.is_accepted and found.is_settled and found.before is not None and found.after is not None:
            yield name, found, found.before, found.after


def _same(one: Any, other: Any) -> bool:
    """Return whether two values of a field are the same, whether numbers and flags are shown as such or as text."""
    return _plain(one) == _plain(other)


def _plain(value: Any) -> str:
    """Return a value as text: no limit is 0, and so is a flag that is false or missing."""
    text = str(value).lower()
    return {"none": "0", "": "0", "false": "0", "true": "1"}.get(text, text)


class _Effects(NamedTuple):
    """What updates did to fields: to those that they left out, and to those that are not documented for an update."""

    reset: set[str]
    kept: set[str]
    taken: set[str]
    ignored: set[str]
    refused: set[str]

    @property
    def value(self) -> str | None:
        """Return the value of the setting, None where no effect is shown."""
        values = {"reset": self.reset, "reject": self.refused, "any": self.taken, "documented": self.ignored}
        return next((value for value, fields in values.items() if fields), None)

    @property
    def note(self) -> str:
        """Return what is to be seen, in words."""
        verbs = {"resets": self.reset, "keeps": self.kept, "takes": self.taken, "ignores": self.ignored}
        return "; ".join(f"{verb} {_listed(fields)}" for verb, fields in verbs.items() if fields)

    def oddities(self) -> Iterator[str]:
        """Yield what no value of the setting describes."""
        if self.reset and self.kept:
            yield f"An update resets {_listed(self.reset)}, but not {_listed(self.kept)}."
        if self.taken and self.ignored:
            yield f"An update takes {_listed(self.taken)}, but not {_listed(self.ignored)}."
        if self.refused and (self.taken or self.ignored):
            yield f"An update with {_listed(self.refused)} is refused, and one with {_listed(self.taken | self.ignored)} is not."
        if self.reset and (self.refused or (self.ignored and not self.taken)):
            yield "An update resets what it leaves out, but does not take other fields than the documented ones."


def put(seen: Seen) -> Finding:
    """Return which fields an update takes, and whether it resets those that it leaves out."""
    effects = _effects(seen)
    oddities = (*effects.oddities(), *_odd_updates(seen))
    if effects.value is None:
        return nothing(seen.why_not("update_flags", "update_inodes"), *oddities)
    reply = seen.reply("update_flags") or seen.reply("update_inodes")
    return Finding(effects.value, reply, effects.note, unknown=oddities)


def _effects(seen: Seen) -> _Effects:
    """Return what the updates did, field by field."""
    effects = _Effects(set(), set(), set(), set(), set())
    for _name, update, before, after in _settled(seen, *_UPDATES):
        for field in _FIELDS:
            if field not in update.sent and not _same(before.get(field), None):
                (effects.kept if _same(before[field], after.get(field)) else effects.reset).add(field)
            elif field in update.sent and field not in _DOCUMENTED and field in after:
                (effects.taken if _same(update.sent[field], after[field]) else effects.ignored).add(field)
    for name, fields in _WITH_MORE.items():
        plain, with_more = seen.step(_PLAIN[name]), seen.step(name)
        if plain and plain.is_accepted and with_more and with_more.is_refused:
            effects.refused.update(fields)
    return effects


def _odd_updates(seen: Seen) -> Iterator[str]:
    """Yield what is odd about single updates: refused where a field is left out, or accepted without effect."""
    for name, (plain, field) in _PARTIAL.items():
        update, whole = seen.step(name), seen.step(plain)
        if update and update.is_refused and whole and whole.is_accepted:
            yield f"An update that leaves out {field} is refused."
    for plain in ("update_export", "update_quota"):
        update = seen.step(plain)
        if update and update.is_refused and update.reply:
            yield f"An update of {_UPDATES[plain]} is refused with HTTP {update.reply.status}."
    for name, what in _UPDATES.items():
        update = seen.step(name)
        if update and update.is_accepted and not update.is_settled:
            yield f"An update of {what} is accepted, and its effect is not listed."


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def put_alters(seen: Seen) -> Finding:
    """Return what an update makes of a large and odd size, and of a wide network."""
    sizes = [after["size"] for *_update, after in _settled(seen, "update_quota") if after.get("size") is not None]
    networks = [after["iprange"] for *_update, after in _settled(seen, "update_export") if after.get("iprange")]
    size = _size_alteration(sizes[0]) if sizes else None
    network = _network_alteration(networks[0]) if networks else None
    words: tuple[str, ...] = ()
    if size == "rounds_up" and int(str(sizes[0])) != -(-ODD_SIZE // _STEP) * _STEP:
        words = (f"Sizes are rounded up, but not to multiples of {_STEP}.",)
    if size == "other":
        return nothing("sizes are changed in another way", "An update changes a size in a way of its own.")
    if size in ("rounds_up", "caps"):
        both = ("An update changes sizes and networks.",) if network == "rewrites" else ()
        return Finding(size, seen.reply("update_quota"), unknown=words + both)
    if network == "rewrites":
        return Finding(network, seen.reply("update_export"))
    if size is None or network is None:
        return nothing(seen.why_not("update_quota", "update_export"))
    return Finding("nothing", seen.reply("update_quota"))


def _size_alteration(shown: Any) -> str:
    """Return what has become of the odd size."""
    try:
        size = int(str(shown))
    except ValueError:
        return "other"
    if size == ODD_SIZE:
        return "nothing"
    if size > ODD_SIZE:
        return "rounds_up"
    return "caps" if size else "other"


def _network_alteration(shown: Any) -> str:
    """Return what has become of the wide network."""
    try:
        is_same = ipaddress.ip_network(str(shown), strict=False) == ipaddress.ip_network(WIDE_NETWORK)
    except ValueError:
        is_same = False
    return "nothing" if is_same else "rewrites"
