# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The facts of a report on a console, which its page, its summary and its JSON all show. Pure.

They come from the records as `volume_info` returns them, and from the items that the module `volumes` would be given.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.model.access import ANY, UNKNOWN, access_of, other_rules, reach_of, read_flag
from ....module_utils._internal.model.fields import LIMIT, SIZE
from ....module_utils._internal.model.records import Patterns, format_value, read_ignored, read_only, sort_records
from ....module_utils._internal.model.resources import EXPORT, LISTS_OF_VOLUME, QUOTA, RESOURCES, VOLUME
from ....module_utils._internal.values import map_text, mask, printable
from ..files.capture import plain_values
from .drift import DIFFERENCES, NOT_COMPARED, PARTS, find_drift, to_record

Facts = dict[str, Any]
Result = Mapping[str, Any]

# A volume comes before what is in it.
_KINDS = (*RESOURCES, "access_rules")
# Who may do what, in the order in which it matters.
_OPEN_TO_WRITE, _UNKNOWN_ACCESS = "open_to_write", "unknown_access"
_GROUPS = (_OPEN_TO_WRITE, _UNKNOWN_ACCESS, "open_to_read", "limited_to_write", "limited_to_read")

_MAX_DIGITS = 4
# The name is shown beside the fields, the rules in the part on access. Nobody knows what the numbers mean: they look like usage.
_LEFT_OUT = ("name", "access_rules", "size", "inodes")


def build_facts(
    volumes: Iterable[Result],
    desired: Iterable[Result] | None = None,
    purge: Collection[str] = (),
    console: str = "",
    ignore: Any = None,
    only: Any = None,
) -> Facts:
    """Return the facts of a report on a console, secrets masked and every character printable.

    `volumes` are the records with their exports and quotas, `desired` the items to compare them with, if any, `purge`
    the kinds whose records must each be claimed by an item, `console` the address of the console, `ignore` the patterns
    of records that are not ours, by their kinds, `only` those by which the volumes were chosen.
    """
    shown: list[dict[str, Any]] = mask(plain_values(list(volumes)))
    if patterns := read_only({"only": only}):
        desired = _choose(patterns, shown, desired)
    # Sorted, so that a report changes only when its content does.
    shown.sort(key=_order)
    facts: Facts = {
        "console": host_of(console),
        "only": [*patterns.patterns],
        **find_drift(
            shown, None if desired is None else mask(plain_values(list(desired))), purge, read_ignored(ignore)
        ),
        "rotating": list(_rotating(shown)),
        "access": who_may_use(shown),
        "limits": limits_of(shown),
        "volumes": describe_volumes(shown),
    }
    facts["counts"] = _count(facts)
    printable_facts: Facts = map_text(facts, printable)
    return printable_facts


def _rotating(volumes: Iterable[Result]) -> Iterator[Facts]:
    """Yield the exports of rotations in progress, but those of a list that no task can read."""
    for volume in volumes:
        with contextlib.suppress(ConsoleError):
            exports = sort_records(EXPORT, [to_record(EXPORT, result) for result in volume[EXPORT.plural]])
            for export in filter(exports.is_rotating, sorted(exports, key=EXPORT.label)):
                yield {"kind": EXPORT.plural, "volume": VOLUME.label(volume), "key": EXPORT.label(export)}


def _choose(only: Patterns, shown: Iterable[Result], desired: Iterable[Result] | None) -> list[Result] | None:
    """Return the items that a pattern matches, as all volumes here do; ConsoleError for one that matches none of both."""
    items = list(desired or ())
    names = [volume.get("name") for volume in shown] + [item["name"] for item in items if item.get("name")]
    unmatched = only.unmatched(names)
    if unmatched is not None:
        raise ConsoleError(f"{format_value(unmatched)} of only matches no volume. Correct it.")
    ids = {str(volume["id"]) for volume in shown}
    named = ((item, item.get("name")) for item in items)
    chosen = [item for item, name in named if (only.pattern_for(name) if name else str(item.get("id")) in ids)]
    return None if desired is None else chosen


def host_of(console: str) -> str:
    """Return host and port of the address of a console; for one without an address, the name that stands for it."""
    return re.sub("^https?://([^/]*).*", r"\1", mask(console))


def _order(volume: Result) -> tuple[Any, ...]:
    """Return a volume's sort key: the name, first regardless of case, then the id, which need not be a number."""
    name, identity = str(volume.get("name")), str(volume["id"])
    return name.casefold(), name, len(identity), identity


def describe_volumes(volumes: Iterable[Result]) -> list[Facts]:
    """Return the documented fields of each volume that the console shows, and the lengths of its lists."""
    names = [field.name for field in VOLUME.fields if field.name not in _LEFT_OUT]
    return [
        {
            "volume": VOLUME.label(volume),
            **{resource.plural: len(volume[resource.plural]) for resource in LISTS_OF_VOLUME},
            "fields": {name: volume[name] for name in names if volume.get(name) not in (None, "")},
        }
        for volume in volumes
    ]


def who_may_use(volumes: Iterable[Result]) -> dict[str, list[Facts]]:
    """Return the exports and access rules of all volumes in groups. What the console does not show is unknown.

    Access rules that an export of their volume accounts for are left out.
    """
    groups: dict[str, list[Facts]] = {group: [] for group in _GROUPS}
    for volume in volumes:
        name = VOLUME.label(volume)
        exports = [
            {"kind": EXPORT.plural, "volume": name, "key": EXPORT.label(to_record(EXPORT, export)), **_access(export)}
            for export in volume[EXPORT.plural]
        ]
        exports.sort(key=lambda entry: (entry["key"].casefold(), entry["key"]))
        rules = [_access(rule) for rule in other_rules(volume, volume[EXPORT.plural])]
        for entry in (*exports, *({"kind": "access_rules", "volume": name, **rule} for rule in rules)):
            groups[_group_of(entry)].append(entry)
    return groups


def _access(record: Result) -> Facts:
    """Return the addresses and rights of an export or access rule."""
    iprange = record.get("iprange")
    return {
        "iprange": UNKNOWN if iprange in (None, "") else str(iprange),
        "from": reach_of(iprange),
        "access": access_of(record),
        "apionly": read_flag(record, "apionly"),
    }


def _group_of(entry: Result) -> str:
    """Return the group of an export or access rule. Who can append can write."""
    if UNKNOWN in (entry["from"], entry["access"]):
        return _UNKNOWN_ACCESS
    return f"{'open' if entry['from'] == ANY else 'limited'}_to_{'read' if entry['access'] == 'read' else 'write'}"


def limits_of(volumes: Iterable[Result]) -> list[Facts]:
    """Return the quotas of each volume that has any, with the sum of their limits, the largest sum first."""
    found = [{"volume": VOLUME.label(each), **_limits(quotas)} for each in volumes if (quotas := each[QUOTA.plural])]
    return sorted(found, key=lambda limits: -limits["bytes"])


def _limits(quotas: Iterable[Result]) -> Facts:
    """Return limits as numbers, 0 for none and None for one that is not shown. No limit comes first, then the largest."""
    limits: list[Facts] = [
        {
            "path": QUOTA.label(to_record(QUOTA, quota)),
            "bytes": SIZE.normalize_or_none(quota["size"]) if "size" in quota else None,
            "inodes": LIMIT.normalize_or_none(quota["inodes"]) if "inodes" in quota else None,
        }
        for quota in quotas
    ]
    limits.sort(key=lambda limit: (limit["bytes"] != 0, -(limit["bytes"] or 0), limit["path"]))
    sizes = [limit["bytes"] for limit in limits]
    return {"bytes": sum(filter(None, sizes)), "unlimited": sizes.count(0), "quotas": limits}


def format_size(size: int | None) -> str:
    """Return a limit in bytes as users write it, rounded if that takes many digits."""
    if not size:
        return "not shown" if size is None else "no size limit"
    exact = str(SIZE.to_diff(size))
    exact += "" if exact.endswith("B") else "B"
    if len(exact.rstrip("KMGTPEiB")) <= _MAX_DIGITS:
        return exact
    power = min((size.bit_length() - 1) // 10, 6)
    return f"about {size / 1024**power:,.1f}{' KMGTPE'[power]}iB"


def _count(facts: Facts) -> dict[str, int]:
    """Return the number of each kind of fact. Numbers of several consoles can be added up."""
    drift = facts["drift"] or {}
    counts = {"consoles": 1, "consoles_compared": int(facts["drift"] is not None), "volumes": len(facts["volumes"])}
    for resource in LISTS_OF_VOLUME:
        counts[resource.plural] = sum(volume[resource.plural] for volume in facts["volumes"])
    counts["quota_bytes"] = sum(volume["bytes"] for volume in facts["limits"])
    counts |= {name: len(facts["access"][name]) for name in (_OPEN_TO_WRITE, _UNKNOWN_ACCESS)}
    counts |= {part: len(drift.get(part, ())) for part in PARTS}
    counts[NOT_COMPARED] = sum(entry["count"] for entry in drift.get(NOT_COMPARED, ()))
    return counts


def group(entries: Iterable[Mapping[str, Any]]) -> list[Facts]:
    """Return the entries by volume and kind, so that neither has to be said of each."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for entry in entries:
        groups.setdefault((entry["volume"], entry["kind"]), []).append(entry)
    keys = sorted(groups, key=lambda key: (*_by_name(key[0]), _KINDS.index(key[1])))
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
        found[entry["volume"]]["bytes"] += entry["bytes"]
    return [{"volume": name, "differences": differences[name], **found[name]} for name in sorted(found, key=_by_name)]


def _by_name(name: str) -> tuple[str, str]:
    return str(name).casefold(), str(name)
