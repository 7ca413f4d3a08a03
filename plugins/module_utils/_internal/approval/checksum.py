# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The checksum by which an approval names a plan. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..model.records import format_value
from ..model.section import Section
from ..results.changes import Entry, list_entries

NO_CHANGES = "nothing"
"""The checksum of a plan that does nothing."""
_VERSION = "v2"


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
    entries = list_entries(root, is_whole=True)
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
    raise ConsoleError(
        f"expected_plan must be the plan_checksum of a result, which is {NO_CHANGES} or {_VERSION}- and 64 hexadecimal digits, not"
        f" {format_value(given[:80])}. If another version of this collection made it, make the plan again, and have that approved."
    )


def _encode(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
