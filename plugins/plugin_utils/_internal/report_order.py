# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The facts of a report in the order in which its page shows them: by volume, and the largest limits first. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...module_utils._internal.model.resources import LISTS_OF_VOLUME
from .report_drift import DIFFERENCES
from .report_facts import Facts, format_size

# A volume comes before what is in it.
_KINDS = ("volumes", *(resource.plural for resource in LISTS_OF_VOLUME), "access_rules")


def group(entries: Iterable[Mapping[str, Any]]) -> list[Facts]:
    """Return the entries by volume and kind, so that neither has to be said of each."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for entry in entries:
        groups.setdefault((entry["volume"], entry["kind"]), []).append(entry)
    keys = sorted(groups, key=lambda key: (*_order(key[0]), _KINDS.index(key[1])))
    return [{"volume": volume, "kind": kind, "entries": groups[volume, kind]} for volume, kind in keys]


def list_volumes(facts: Mapping[str, Any]) -> list[Facts]:
    """Return the volumes of the console and of the desired state by their names, which two may share.

    Each has its counts, the sum of its limits in bytes, and its position if it exists.
    """
    drift = facts["drift"] or {}
    differences = Counter(entry["volume"] for part in DIFFERENCES for entry in drift.get(part, ()) if entry["volume"])
    kinds = [resource.plural for resource in LISTS_OF_VOLUME]
    nothing = {"position": None, "bytes": 0, **dict.fromkeys(kinds, 0)}
    found: dict[str, Facts] = {name: {**nothing} for name in differences}
    for position, volume in enumerate(facts["volumes"], 1):
        known = found.setdefault(volume["volume"], {**nothing})
        known["position"] = known["position"] or position
        for kind in kinds:
            known[kind] += volume[kind]
    for entry in facts["limits"]:
        found[entry["volume"]]["bytes"] += sum(quota["bytes"] or 0 for quota in entry["quotas"])
    return [{"volume": name, "differences": differences[name], **found[name]} for name in sorted(found, key=_order)]


def rank_limits(limits: Iterable[Mapping[str, Any]]) -> list[Facts]:
    """Return the limits of each volume with their sum, the largest sum first, as parts of it in percent.

    `percent` is the proportion to the largest sum, `share` that of the volume's largest limit. Without a limit that is
    known, there is neither.
    """
    ranked = [{**entry, **_sum(entry["quotas"])} for entry in limits]
    ranked.sort(key=lambda entry: -entry["bytes"])
    most = ranked[0]["bytes"] if ranked else 0
    for entry in ranked:
        first = entry["first"]
        entry["percent"] = _percent(entry["bytes"], most)
        entry["share"] = _percent(first["bytes"], most) if first else None
    return ranked


def _sum(quotas: Sequence[Mapping[str, Any]]) -> Facts:
    """Return the sum of a volume's limits, the largest of them, and how many quotas have none."""
    first = next((quota for quota in quotas if quota["bytes"]), None)
    total = sum(quota["bytes"] or 0 for quota in quotas)
    unlimited = sum(quota["bytes"] == 0 for quota in quotas)
    return {"bytes": total, "sum": format_size(total) if total else None, "first": first, "unlimited": unlimited}


def _percent(part: int, whole: int) -> int | None:
    return max(1, 100 * part // whole) if part else None


def _order(name: str) -> tuple[str, str]:
    return str(name).casefold(), str(name)
