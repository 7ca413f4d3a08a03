# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored records as a console of a given dialect shows them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from .resources import (
    EXPORTS,
    QUOTAS,
    VOLUMES,
    Record,
    Resource,
    normal_bucket,
    normal_network,
    normal_path,
)

if TYPE_CHECKING:
    from .dialect import Dialect
    from .store import Stored

_LONG_AGO = 1_767_225_600.0
"""The creation time of records that were there from the start."""

_PLAIN = (
    ("record_fields", "all"),
    ("numbers", "number"),
    ("ids", "shown"),
    ("keys", "shown"),
    ("normalise", "no"),
)


def timestamp(seconds: float) -> str:
    """Return a time in ISO 8601, in UTC with fractional seconds and a trailing Z."""
    try:
        moment = datetime.fromtimestamp(seconds or _LONG_AGO, timezone.utc)
    except (OverflowError, OSError, ValueError):
        moment = datetime.fromtimestamp(_LONG_AGO, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_plain(dialect: Dialect) -> bool:
    """Return whether exports and quotas are shown just as they are kept."""
    return all(getattr(dialect, name) == value for name, value in _PLAIN)


def record(resource: Resource, stored: Stored, dialect: Dialect, exports: list[Stored] | None = None) -> Record:
    """Return a record as the dialect shows it; a volume with its exports."""
    shown: Record = {"id": stored.id}
    if resource is VOLUMES:
        shown.update(stored.body)
        shown.setdefault("access_rules", [_rule(export, dialect) for export in exports or ()])
    else:
        shown.update(_child_fields(resource, stored, dialect))
    _normalise(shown, dialect)
    if resource is QUOTAS:
        _show_limits(shown, dialect)
    _hide_identity(shown, resource, dialect)
    return _as_strings(shown) if dialect.numbers == "string" else shown


def _rule(export: Stored, dialect: Dialect) -> Record:
    iprange = export.body.get("iprange", "")
    if dialect.normalise != "no" and isinstance(iprange, str):
        iprange = normal_network(iprange)
    return {
        "iprange": iprange,
        "token": export.token,
        "readonly": export.body.get("readonly", False),
        "appendonly": export.body.get("appendonly", False),
    }


def _child_fields(resource: Resource, stored: Stored, dialect: Dialect) -> Record:
    """Return the fields of an export or a quota that are shown at all."""
    if dialect.record_fields == "sent":
        return {name: stored.body[name] for name in stored.sent if name in stored.body}
    if dialect.record_fields == "some":
        return {name: value for name, value in stored.body.items() if name in resource.updated}
    shown = dict(stored.body)
    if resource is EXPORTS:
        shown["token"] = stored.token
    if dialect.record_fields == "more":
        shown["created"] = timestamp(stored.made)
        shown["volume"] = {"id": stored.volume, "labels": ["one", "two"], "parent": None}
        if resource is EXPORTS:
            shown["mount"] = {"command": "mount", "credentials": {"token": stored.token}}
        else:
            shown["usage"] = {"size": 0, "inodes": 0, "ratio": 0.5}
    return shown


def _normalise(shown: Record, dialect: Dialect) -> None:
    if dialect.normalise == "no":
        return
    if isinstance(shown.get("iprange"), str):
        shown["iprange"] = normal_network(shown["iprange"])
    if isinstance(shown.get("path"), str) and shown["path"]:
        shown["path"] = normal_path(shown["path"])
    if isinstance(shown.get("bucket"), str) and shown["bucket"]:
        shown["bucket"] = normal_bucket(shown["bucket"], dialect.normalise)


def _show_limits(shown: Record, dialect: Dialect) -> None:
    if dialect.numbers not in ("null", "omitted"):
        return
    for name in ("size", "inodes"):
        if name in shown and not shown[name]:
            if dialect.numbers == "null":
                shown[name] = None
            else:
                del shown[name]


def _hide_identity(shown: Record, resource: Resource, dialect: Dialect) -> None:
    if dialect.ids == "missing":
        del shown["id"]
    if dialect.keys == "missing":
        shown.pop(resource.key, None)
    elif dialect.keys == "null":
        shown[resource.key] = None


def _as_strings(value: Any) -> Any:
    """Return the value with all numbers as strings, at any depth."""
    if isinstance(value, dict):
        return {name: _as_strings(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_as_strings(entry) for entry in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value
