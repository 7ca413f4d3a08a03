# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a console holds: its volumes as it shows them, and the limits of their directories. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...module_utils._internal.model.limits import LIMIT, SIZE
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, QUOTA, VOLUME
from ...module_utils._internal.model.selection import record_key
from .report_drift import to_record

NO_LIMIT = "no limit"
NOT_SHOWN = "not shown"

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_MAX_DIGITS = 4
# Who may use a volume is told elsewhere.
_ELSEWHERE = (VOLUME.key, next(field for field in VOLUME.fields if field.name == "access_rules"))


def describe_volumes(volumes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the documented fields of each volume that the console shows, and how long its lists are."""
    return [
        {
            "volume": record_key(VOLUME, dict(volume)),
            **{resource.plural: len(volume[resource.plural]) for resource in LISTS_OF_VOLUME},
            "fields": {
                field.name: volume[field.name]
                for field in VOLUME.fields
                if field not in _ELSEWHERE and volume.get(field.name) not in (None, "")
            },
        }
        for volume in volumes
    ]


def limits_of(volumes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the quotas of each volume that has any, the largest first, each in proportion to the largest."""
    return [
        {"volume": record_key(VOLUME, dict(volume)), **_limits(volume[QUOTA.plural])}
        for volume in volumes
        if volume[QUOTA.plural]
    ]


def format_size(size: int) -> str:
    """Return a size as users write it; one that takes many digits that way, rounded."""
    exact = str(SIZE.to_diff(size))
    exact += "" if exact.endswith("B") else "B"
    if len(exact.rstrip("KMGTPEiB")) <= _MAX_DIGITS:
        return exact
    power = min((size.bit_length() - 1) // 10, len(_UNITS) - 1)
    return f"about {size / 1024**power:,.1f}{_UNITS[power]}"


def _limits(quotas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what is told of the quotas of a volume. No limit comes before the largest."""
    known = [(record_key(QUOTA, to_record(QUOTA, quota)), quota, _number(SIZE, quota, "size")) for quota in quotas]
    known.sort(key=lambda entry: (entry[2] != 0, -(entry[2] or 0), entry[0]))
    largest = max((size or 0 for _path, _quota, size in known), default=0)
    limits = [
        {
            "path": path,
            "bytes": size,
            "size": _describe(size, format_size),
            "percent": max(1, 100 * size // largest) if size else None,
            "inodes": _describe(_number(LIMIT, quota, "inodes"), "{:,}".format),
        }
        for path, quota, size in known
    ]
    return {"largest": format_size(largest) if largest else None, "quotas": limits}


def _describe(number: int | None, form: Callable[[int], str]) -> str:
    if number is None:
        return NOT_SHOWN
    return form(number) if number else NO_LIMIT


def _number(field_type: Any, quota: Mapping[str, Any], name: str) -> int | None:
    """Return a limit, 0 for none, and None where the console does not show it, or not as a number."""
    try:
        return int(field_type.normalize(quota[name])) if name in quota else None
    except ValueError:
        return None
