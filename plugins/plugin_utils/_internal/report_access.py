# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who may use the volumes of a console, by what matters most: who can write from anywhere. Pure.

Nothing is assumed about what the console does not show: that is unknown.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...module_utils._internal.model.field_types import BOOLEAN, NETWORK
from ...module_utils._internal.model.resources import EXPORT, VOLUME
from ...module_utils._internal.model.selection import record_key
from .report_drift import to_record

# The groups.
OPEN_TO_WRITE = "open_to_write"
UNKNOWN = "unknown_access"
OPEN_TO_READ = "open_to_read"
LIMITED_TO_WRITE = "limited_to_write"
LIMITED_TO_READ = "limited_to_read"

# Which addresses there are.
ANY = "any address"
SOME = "some addresses"
# What they may do. Whether appending is all is of no matter to who can write.
WRITE = "write"
APPEND = "append"
READ = "read"
# Neither is told by the console, or not in a way that can be read.
NOT_KNOWN = "unknown"

_GROUPS = {
    (ANY, WRITE): OPEN_TO_WRITE,
    (ANY, APPEND): OPEN_TO_WRITE,
    (ANY, READ): OPEN_TO_READ,
    (SOME, WRITE): LIMITED_TO_WRITE,
    (SOME, APPEND): LIMITED_TO_WRITE,
    (SOME, READ): LIMITED_TO_READ,
}
# All of IPv4, as IPv6 has it.
_MAPPED = ipaddress.ip_network("::ffff:0:0/96")


def who_may_use(volumes: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the exports and access rules of all volumes in groups.

    An access rule that says what an export of its volume says is not repeated.
    """
    groups: dict[str, list[dict[str, Any]]] = {
        group: [] for group in (OPEN_TO_WRITE, UNKNOWN, OPEN_TO_READ, LIMITED_TO_WRITE, LIMITED_TO_READ)
    }
    for volume in volumes:
        name = record_key(VOLUME, dict(volume))
        exports = [_describe(export) for export in volume[EXPORT.plural]]
        rules = [_describe(rule) for rule in _rules(volume)]
        keys = [record_key(EXPORT, to_record(EXPORT, export)) for export in volume[EXPORT.plural]]
        entries = [
            {"kind": EXPORT.plural, "volume": name, "key": key, **entry}
            for key, entry in zip(keys, exports, strict=True)
        ]
        entries.sort(key=lambda entry: (entry["key"].casefold(), entry["key"]))
        entries += [{"kind": "access_rules", "volume": name, **rule} for rule in rules if not _is_told(rule, exports)]
        for entry in entries:
            groups[_GROUPS.get((entry["from"], entry["access"]), UNKNOWN)].append(entry)
    return groups


def reach_of(iprange: Any) -> str:
    """Return how many addresses a range has: any, some, or unknown for what cannot be read as one."""
    parts = re.split(r"[\s,;]+", iprange.strip()) if isinstance(iprange, str) else [""]
    if "*" in parts:
        return ANY
    try:
        networks = [ipaddress.ip_network(part, strict=False) for part in parts]
    except ValueError:
        return NOT_KNOWN
    return ANY if any(map(_covers_everything, _collapse(networks))) else SOME


def access_of(record: Mapping[str, Any]) -> str:
    """Return what an export or access rule allows: to write, append or read, or unknown."""
    readonly, appendonly = _flag(record, "readonly"), _flag(record, "appendonly")
    if readonly is None:
        return NOT_KNOWN
    if readonly:
        return READ
    return APPEND if appendonly else WRITE


def _describe(record: Mapping[str, Any]) -> dict[str, Any]:
    iprange = record.get("iprange")
    shown = NOT_KNOWN if iprange in (None, "") else str(iprange)
    return {
        "iprange": shown,
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


def _is_told(rule: Mapping[str, Any], exports: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether an export says the same as a rule."""
    return any(
        NETWORK.equal(export["iprange"], rule["iprange"]) and export["access"] == rule["access"] for export in exports
    )


def _collapse(networks: Iterable[Any]) -> list[Any]:
    """Return networks with neighbours made one, as 0.0.0.0/1 and 128.0.0.0/1 are everything."""
    found = list(networks)
    return [
        network
        for version in (4, 6)
        for network in ipaddress.collapse_addresses([one for one in found if one.version == version])
    ]


def _covers_everything(network: Any) -> bool:
    return network.prefixlen == 0 or (network.version == 6 and bool(_MAPPED.subnet_of(network)))
