# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan as data for people and policies, and the checksum by which an approval names it. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..masking import mask
from ..model.plan import Action
from ..model.records import format_value
from ..model.resources import Field, Resource
from ..model.section import Change, Section

NO_CHANGES = "nothing"
"""The checksum of a plan that does nothing."""
_VERSION = "v1"
# Types that JSON has. A network is of none of them.
_JSON = (str, int, float, list, dict)

Entry = dict[str, Any]


class Plan(NamedTuple):
    """The checksum of everything that a task is going to do, why nothing of it may be done, blank where it may, and its entries."""

    checksum: str
    refusal: str
    entries: list[Entry]

    def raise_refusal(self, result: dict[str, Any]) -> None:
        """Raise ConsoleError with the result of a plan that is not the one that was approved, as check mode returns it."""
        if self.refusal:
            raise ConsoleError(f"{self.refusal}: {result.pop('msg')}.", **{**result, "changed": False})


def check_plan(root: Section, expected: str | None, address: str) -> Plan:
    """Return the plan of sections that are planned; ConsoleError where nobody knows whether it is the expected one."""
    unread = next((section for section in root.all_below if section.error), None)
    if expected and unread and unread.error:
        why = unread.error.followed_by("Run the task again, or leave out expected_plan to do what can be done.")
        raise ConsoleError(
            "Nothing was changed: it is not known whether this is the plan that was approved, since the"
            f" {unread.resource.plural}{unread.of_volume} cannot be read. {why}",
            **why.details,
        )
    entries = list_entries(root)
    checksum = plan_checksum(address, entries)
    return Plan(checksum, _why_not_expected(checksum, expected), entries)


def _why_not_expected(checksum: str, expected: str | None) -> str:
    """Return why nothing may be written, blank where the plan is the expected one, or does nothing."""
    if expected is None or checksum in (expected, NO_CHANGES):
        return ""
    return (
        f"Nothing was changed: this is not the plan that was approved. expected_plan is {expected}, and the plan is now"
        f" {checksum}, since the console or what is wanted has changed. Look at what would be done now, and have that"
        " approved"
    )


def list_entries(root: Section) -> list[Entry]:
    """Return an entry for each change, with what is lost with a deleted volume.

    `before` holds the managed fields that the console shows, `request` everything that the request carries. Both map
    option names to normal forms of the values, with secrets masked.
    """
    return [
        {**_entry(change.action, section.volume), **_lost(change)}
        for section in root.lists
        for change in section.changes
        if change.action.changes
    ]


def _entry(action: Action, volume: Mapping[str, Any]) -> Entry:
    """Return the entry of an action on a list below `volume`, which may not exist yet."""
    return {
        **_identity(action.resource, action.current or {action.resource.key.in_api: action.key}, volume),
        "action": action.verb,
        "before": _fields(action.fields, action.current or {}),
        "request": _fields(action.fields, action.body),
    }


def _lost(change: Change) -> dict[str, Any]:
    """Return the counts of other records that are lost with a volume, and the names of its unreadable lists."""
    going = {section.kind: section for section in change.below if section.goes_with_volume}
    ignored = {kind: len(section.records.ignored) for kind, section in going.items() if section.records.ignored}
    unreadable = [kind for kind, section in going.items() if section.error]
    lost = {"ignored": ignored, "unreadable": unreadable}
    return {name: value for name, value in lost.items() if value}


def plan_checksum(address: str, entries: Iterable[Entry]) -> str:
    """Return the checksum of the changes to the console at an address, whatever the order of the entries."""
    actions = sorted(_encode(entry) for entry in entries)
    if not actions:
        return NO_CHANGES
    return f"{_VERSION}-{hashlib.sha256(_encode([address, actions]).encode()).hexdigest()}"


def read_expected(text: str | None) -> str | None:
    """Return the approved checksum, None if none is given; ConsoleError if it is malformed."""
    given = (text or "").strip()
    if not given or given == NO_CHANGES or re.fullmatch(f"{_VERSION}-[0-9a-f]{{64}}", given):
        return given or None
    if re.match("v[0-9]+-", given) and not given.startswith(f"{_VERSION}-"):
        raise ConsoleError(
            f"expected_plan {format_value(given[:80])} was made by another version of this collection. Make the plan again, and"
            " have it approved again."
        )
    raise ConsoleError(
        f"expected_plan must be the plan_checksum of a result, which is {NO_CHANGES} or {_VERSION}- and 64 hexadecimal digits,"
        f" not {format_value(given[:80])}."
    )


def _identity(resource: Resource, record: Mapping[str, Any], volume: Mapping[str, Any]) -> Entry:
    key = mask(resource.key.type.normalize_or_none(resource.key_of(record)))
    identity = {"kind": resource.plural, "key": key, "id": _text(record.get("id"))}
    if not resource.is_in_volume:
        return identity
    return {"volume": mask(volume.get("name")), "volume_id": _text(volume.get("id")), **identity}


def _text(identity: Any) -> str | None:
    """Return an id as text, since a console may show it as a number or as text."""
    return None if identity is None else str(identity)


def _fields(fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    shown = {}
    for field in (field for field in fields if field.in_api in values):
        normal = field.type.normalize_or_none(values[field.in_api])
        plain = normal if isinstance(normal, _JSON) else str(normal)
        shown[field.name] = values[field.in_api] if normal is None else plain
    masked: dict[str, Any] = mask(shown)
    return masked


def _encode(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
