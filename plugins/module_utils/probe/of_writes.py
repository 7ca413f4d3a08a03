# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What writes tell: what a creation needs, which keys may be doubled, what an update takes, resets and alters. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any

from ..model.records import Record
from .finding import Finding, agreed, nothing
from .observation import Observation, Reply, Seen
from .steps import ODD_SIZE, WIDE_NETWORK

_STEP = 4096
_UPDATES = ("update_export", "update_flags", "rename_export", "update_quota", "update_inodes", "rename_quota")
_UPDATES += ("update_spaced_export",)
_FIELDS = ("iprange", "apionly", "readonly", "appendonly", "size", "inodes")
_DOCUMENTED = ("desc", "iprange", "path", "size")
# Two fields of the incomplete volume are wrong in any case.
_WRONG = ("compress", "compatible")


def _required(seen: Seen, field: str) -> Finding:
    """Return whether a creation of a volume needs a field."""
    created, incomplete = seen.step("create_volume"), seen.step("incomplete_volume")
    if created and created.is_accepted and field not in created.sent:
        return Finding(False, created.reply)
    if incomplete is None or incomplete.reply is None:
        return nothing(seen.why_not("incomplete_volume"))
    if incomplete.is_accepted:
        return Finding(False, incomplete.reply)
    text = incomplete.reply.text.lower()
    if field in text:
        return Finding(True, incomplete.reply)
    if all(name in text for name in _WRONG):
        return Finding(False, incomplete.reply)
    return nothing("the console does not name all that is wrong with a creation")


def region_required(seen: Seen) -> Finding:
    """Return whether a creation of a volume needs a region."""
    return _required(seen, "region")


def bucket_required(seen: Seen) -> Finding:
    """Return whether a creation of a volume needs a bucket."""
    return _required(seen, "bucket")


def unique_keys(seen: Seen) -> Finding:
    """Return whether two records of a list may have the same key."""
    values: list[tuple[str, Any, Reply | None]] = []
    for name, noun in (("create_same_export", "exports"), ("create_same_quota", "quotas")):
        found = seen.step(name)
        if found and found.reply and (found.is_accepted or found.is_refused):
            values.append((noun, found.is_refused, found.reply))
    finding = agreed(values, (True, False), seen.why_not("create_same_export"), "Whether keys are unique")
    capital = seen.step("create_export_in_capitals")
    ignores_case = capital is not None and capital.is_refused and finding.value is True
    odd = ("Keys that differ only in case count as the same.",) if ignores_case else ()
    return finding._replace(unknown=finding.unknown + odd)


def _settled(seen: Seen, *names: str) -> Iterator[tuple[str, Observation, Record, Record]]:
    """Yield the updates that were accepted and have come to an end, with the record before and after."""
    for name in names:
        found = seen.step(name)
        if found and found.is_accepted and found.is_settled and found.before is not None and found.after is not None:
            yield name, found, found.before, found.after


def _same(one: Any, other: Any) -> bool:
    """Return whether two values of a field are the same; no limit is 0, and a flag that is missing is false."""
    return str(one or 0) == str(other or 0)


def put(seen: Seen) -> Finding:
    """Return which fields an update takes, and whether it resets those that it leaves out."""
    reset, kept, taken, ignored = set(), set(), set(), set()
    for name, update, before, after in _settled(seen, *_UPDATES):
        for field in _FIELDS:
            if field not in update.sent and field in before and before[field]:
                (kept if _same(before[field], after.get(field)) else reset).add(field)
            elif field in update.sent and field not in _DOCUMENTED and field in after:
                (taken if _same(update.sent[field], after[field]) else ignored).add(field)
    refused = {name for name in ("update_flags", "update_inodes") if name in seen.steps and seen.steps[name].is_refused}
    return _decide(seen, reset, kept, taken, ignored, refused)


def _decide(seen: Seen, reset: set[str], kept: set[str], taken: set[str], ignored: set[str], refused: set[str]) -> Finding:
    """Return how updates work, from the fields that they reset, kept, took and ignored, and from what was refused."""
    reply = seen.reply("update_flags") or seen.reply("update_inodes")
    words = [f"An update resets {_listed(reset)}, but not {_listed(kept)}."] if reset and kept else []
    if taken and ignored:
        words.append(f"An update takes {_listed(taken)}, but not {_listed(ignored)}.")
    if refused and (taken or ignored):
        words.append(f"An update of some fields is refused, and takes or ignores {_listed(taken | ignored)}.")
    words += [
        f"An update that leaves out {field} is refused."
        for name, field in (("rename_export", "iprange"), ("rename_quota", "size"))
        if name in seen.steps and seen.steps[name].is_refused
    ]
    words += [
        f"An update ({name}) was accepted and is not listed."
        for name in _UPDATES
        if name in seen.steps and seen.steps[name].is_accepted and not seen.steps[name].is_settled
    ]
    value = "reset" if reset else "reject" if refused else "any" if taken else "documented" if ignored else None
    note = "; ".join(
        f"{verb} {_listed(names)}"
        for verb, names in (("resets", reset), ("keeps", kept), ("takes", taken), ("ignores", ignored))
        if names
    )
    if value is None:
        return nothing(seen.why_not("update_flags", "update_inodes"), *words)
    return Finding(value, reply, note, unknown=tuple(words))


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def put_alters(seen: Seen) -> Finding:
    """Return what an update makes of a large and odd size, and of a wide network."""
    sizes = [after["size"] for *_update, after in _settled(seen, "update_quota") if after.get("size") is not None]
    networks = [after["iprange"] for *_update, after in _settled(seen, "update_export") if after.get("iprange")]
    size = _size_alteration(sizes[0]) if sizes else None
    network = _network_alteration(networks[0]) if networks else None
    words = ()
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
