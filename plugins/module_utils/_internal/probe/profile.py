# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The profile of a console: every setting with its value, evidence and meaning, and nothing that names anybody. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .inference.oddities import oddities
from .observation import JSON, Reply, Seen
from .settings import answers, lists, records

SETTINGS = (*answers.SETTINGS, *lists.SETTINGS, *records.SETTINGS)

_MAX_EXCERPT = 200
_MAX_FIELDS = 16
_FIELD = re.compile("[A-Za-z_][A-Za-z0-9_]{0,31}")
# What the probe itself has sent, and what it may have become: networks and limits.
_NETWORK = re.compile(r"(192\.0\.2|198\.1[89]|198\.51\.100|203\.0\.113)\.[0-9.]{1,7}(/[0-9]{1,2})?")
_LIMITS = ("size", "inodes")


def make_profile(seen: Seen) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return an entry for each setting, and sentences about what no setting describes."""
    names = {str(record.get("name")) for listing in seen.readings("volumes") for record in listing.records}
    profile: dict[str, dict[str, Any]] = {}
    unknown = list(oddities(seen))
    for setting in SETTINGS:
        finding = setting.find(seen)
        entry = {
            "value": finding.value,
            "meaning": setting.meaning(finding.value),
            "evidence": _evidence(finding.reply, finding.note, names),
        }
        if finding.value is None:
            entry["reason"] = finding.reason or seen.why_not()
        profile[setting.name] = entry
        unknown += [sentence for sentence in finding.unknown if sentence not in unknown]
    return profile, unknown


def _evidence(reply: Reply | None, note: str, names: Iterable[str]) -> dict[str, Any] | None:
    """Return the response that shows a value, or what many of them have shown."""
    if reply is None:
        return {"method": None, "path": None, "status": None, "excerpt": note} if note else None
    text = (
        outline(reply.value, "{volume_id}/" in reply.path, frozenset(names))
        if reply.kind is JSON
        else f"({reply.kind})"
    )
    excerpt = text if len(text) <= _MAX_EXCERPT else f"{text[:_MAX_EXCERPT]}…"
    return {
        "method": reply.method,
        "path": reply.path,
        "status": reply.status,
        "excerpt": f"{excerpt}; {note}" if note else excerpt,
    }


def outline(value: Any, is_ours: bool, names: frozenset[str]) -> str:
    """Return the form of a JSON value: the names of its fields, but no text and no number that is not the probe's."""
    if isinstance(value, dict):
        fields = [f"{_field(name, names)}: {_inner(name, inner, is_ours, names)}" for name, inner in value.items()]
        more = ["…"] if len(fields) > _MAX_FIELDS else []
        return "{" + ", ".join(fields[:_MAX_FIELDS] + more) + "}"
    if isinstance(value, list):
        first = [outline(value[0], is_ours, names)] if value else []
        return "[" + ", ".join([*first, *(["…"] if len(value) > 1 else [])]) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f'"{value}"' if is_ours and _NETWORK.fullmatch(value) else '"…"' if value else '""'
    return "<number>"


def _inner(name: str, value: Any, is_ours: bool, names: frozenset[str]) -> str:
    """Return the form of a field; that of a limit that the probe has set is its value."""
    is_limit = is_ours and name in _LIMITS and re.fullmatch("[0-9]{1,20}", str(value))
    if is_limit and not isinstance(value, bool):
        return str(value) if isinstance(value, int) else f'"{value}"'
    return outline(value, is_ours, names)


def _field(name: str, names: frozenset[str]) -> str:
    """Return the name of a field, unless it is something else."""
    return name if _FIELD.fullmatch(name) and name not in names else "…"
