# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who may use the volumes of a console, by what matters most: who can write from anywhere. Pure.

Nothing is assumed about what the console does not show: that is unknown.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any

from ...module_utils._internal.model.fields import BOOLEAN, NETWORK
from ...module_utils._internal.model.resources import EXPORT, VOLUME
from .report_drift import to_record

# The groups, in the order in which they matter.
OPEN_TO_WRITE = "open_to_write"
UNKNOWN = "unknown_access"
_GROUPS = (OPEN_TO_WRITE, UNKNOWN, "open_to_read", "limited_to_write", "limited_to_read")

# Which addresses there are, and what they may do.
ANY, SOME = "any address", "some addresses"
WRITE, APPEND, READ = "write", "append", "read"
# The console does not show it, or not in a way that can be read.
NOT_KNOWN = "unknown"

# All of IPv4, as IPv6 has it.
_MAPPED = ipaddress.ip_network("::ffff:0:0/96")


def who_may_use(volumes: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the exports and access rules of all volumes in groups.

    An access rule that allows what an export of its volume allows is left out.
    """
    groups: dict[str, list[dict[str, Any]]] = {group: [] for group in _GROUPS}
    for volume in volumes:
        name = VOLUME.label(dict(volume))
        entries = [
            {
                "kind": EXPORT.plural,
                "volume": name,
                "key": EXPORT.label(to_record(EXPORT, export)),
                **_describe(export),
            }
            for export in volume[EXPORT.plural]
        ]
        entries.sort(key=lambda entry: (entry["key"].casefold(), entry["key"]))
        rules = [_describe(rule) for rule in _rules(volume)]
        others = [rule for rule in rules if not _is_covered(rule, entries)]
        for entry in (*entries, *({"kind": "access_rules", "volume": name, **rule} for rule in others)):
            groups[_group_of(entry)].append(entry)
    return groups


def reach_of(iprange: Any) -> str:
    """Return how many addresses a range has: any, some, or unknown for what cannot be read as one range."""
    text = iprange.strip() if isinstance(iprange, str) else ""
    if text == "*":
        return ANY
    try:
        network: Any = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return NOT_KNOWN
    return ANY if network.prefixlen == 0 or (network.version == 6 and _MAPPED.subnet_of(network)) else SOME


def access_of(record: Mapping[str, Any]) -> str:
    """Return what an export or access rule allows: to write, append or read, or unknown."""
    readonly = _flag(record, "readonly")
    if readonly is None:
        return NOT_KNOWN
    if readonly:
        return READ
    return APPEND if _flag(record, "appendonly") else WRITE


def _group_of(entry: Mapping[str, Any]) -> str:
    """Return the group of an export or access rule. Who can append can write."""
    if NOT_KNOWN in (entry["from"], entry["access"]):
        return UNKNOWN
    return f"{'open' if entry['from'] == ANY else 'limited'}_to_{'read' if entry['access'] == READ else 'write'}"


def _describe(record: Mapping[str, Any]) -> dict[str, Any]:
    iprange = record.get("iprange")
    return {
        "iprange": NOT_KNOWN if iprange in (None, "") else str(iprange),
        "from": reach_of(iprange),
        "access": access_of(record),
        "apionly": _flag(record, "apionly"),
    }


def _flag(record: Mapping[str, Any], name: str) -> bool | None:
    """Return a boolean of a record, None where it is not shown or cannot be read."""
    if record.get(name) is None:
        return None
    try:
        return bool(BOOLEAN.normalize(record[name]))
    except ValueError:
        return None


def _rules(volume: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rules = volume.get("access_rules")
    return [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []


def _is_covered(rule: Mapping[str, Any], exports: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether an export allows the same addresses the same."""
    return any(
        NETWORK.equal(export["iprange"], rule["iprange"]) and export["access"] == rule["access"] for export in exports
    )
