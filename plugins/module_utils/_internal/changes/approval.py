# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a plan must be before anything is written: within the limit, free of likely mistakes, and the one that was approved."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..files import replace_file
from ..model.records import format_value
from ..model.section import Section
from ..values import Echoes, first_sentences
from .entries import Entry, list_entries
from .limit import DeletionLimit, read_limit, refuse_excess

# The checksum of a plan that does nothing.
NO_CHANGES = "nothing"
_VERSION = "v2"
_MODE = 0o600
_MAX_NAMED = 3


class Terms(NamedTuple):
    """The conditions that a task sets for its plan."""

    limit: DeletionLimit | None
    expected: str | None
    file: str | None
    fail_on_plan_warnings: bool = False


class Plan(NamedTuple):
    """The checksum of everything that a task is going to do, and the reason why none of it may be done, blank if it may."""

    checksum: str
    refusal: str

    def raise_refusal(self, result: dict[str, Any]) -> None:
        """Raise ConsoleError with the result of a plan that is not the one that was approved, as check mode returns it."""
        if self.refusal:
            raise ConsoleError(f"{self.refusal}. The plan is: {result.pop('msg')}.", **{**result, "changed": False})


def read_terms(params: Mapping[str, Any]) -> Terms:
    """Return the conditions that the options set; ConsoleError if one is invalid."""
    file = params.get("plan_file") or ""
    if file.strip() and not Path(file).is_absolute():
        raise ConsoleError(f"plan_file {file} must be an absolute path.")
    limit = read_limit("max_deletions", params.get("max_deletions"), "apply_max_deletions")
    is_strict = params.get("fail_on_plan_warnings", False)
    return Terms(limit, read_expected(params["expected_plan"]), file.strip() or None, is_strict)


def make_plan(root: Section, terms: Terms, address: str, echoes: Echoes) -> Plan:
    """Return the plan of sections that are planned, and write it to the plan file, if wanted.

    ConsoleError if it exceeds the limit, if nobody knows whether it is the approved one, and if it cannot be written.
    """
    refuse_excess(root, terms.limit)
    unread = next((section for section in root.all_below if section.error), None)
    if terms.expected and unread and unread.error:
        raise ConsoleError(
            "Nothing was changed: the plan cannot be compared with the approved one. Run the task again, or leave out"
            f" expected_plan to do what can be done. The {unread.resource.plural}{unread.of_volume} cannot be read: {unread.error}",
            **unread.error.details,
        )
    entries = list_entries(root, is_whole=True)
    checksum = plan_checksum(address, entries)
    if terms.file:
        _write(terms.file, echoes.clean({"plan": entries})["plan"])
    return Plan(checksum, _why_refused(root, checksum, terms))


def _why_refused(root: Section, checksum: str, terms: Terms) -> str:
    """Return the reason why nothing may be written; blank if the plan is as wanted or does nothing."""
    if terms.expected and checksum not in (terms.expected, NO_CHANGES):
        return (
            f"Nothing was changed: this is not the plan that was approved. expected_plan is {terms.expected}, and the plan is now"
            f" {checksum}, since the console or what is wanted has changed. Run check mode, and have that approved"
        )
    changes = [change for section in root.lists for change in section.changes if change.action.plan_warnings]
    if not (terms.fail_on_plan_warnings and changes):
        return ""
    texts = first_sentences((f"{change.key}: {change.action.plan_warnings[0]}" for change in changes), _MAX_NAMED)
    return (
        f"Nothing was changed: fail_on_plan_warnings is set, and {len(changes):,} changes are probably not what is meant. {texts}"
        " Correct them, or leave out fail_on_plan_warnings, in the role apply_fail_on_plan_warnings"
    )


def _write(path: str, entries: list[Entry]) -> None:
    """Write a plan as JSON for policies: whole or not at all, and readable only by the user of the task."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise ConsoleError(f"plan_file {path} must be a regular file. Nothing was changed.")
        replace_file(path, f"{json.dumps(entries, indent=1, sort_keys=True)}\n".encode(), _MODE)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConsoleError(f"plan_file {path} must be writable: {reason}. Nothing was changed.") from None


def plan_checksum(address: str, entries: Iterable[Entry]) -> str:
    """Return the checksum of the changes to the console at an address, whatever the order of the entries."""
    if not (actions := sorted(_encode(entry) for entry in entries)):
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
