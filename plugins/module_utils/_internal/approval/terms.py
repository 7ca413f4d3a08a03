# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a plan has to pass before anything is written: how much it may delete, and whether it is the one that was approved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..echoes import Echoes
from ..errors import ConsoleError
from ..files import replace_file
from ..model.section import Section
from .checksum import NO_CHANGES, Entry, list_entries, plan_checksum, read_expected
from .limit import Limit, read_limit, refuse_excess

_MODE = 0o600


class Terms(NamedTuple):
    """What a task demands of its plan."""

    limit: Limit | None
    expected: str | None
    file: str | None


def read_terms(params: Mapping[str, Any]) -> Terms:
    """Return what the options demand; ConsoleError for one that cannot be meant."""
    file = params.get("plan_file") or ""
    if file.strip() and not Path(file).is_absolute():
        raise ConsoleError(f"plan_file {file} must be an absolute path.")
    limit = read_limit("max_deletions", params.get("max_deletions"), "apply_max_deletions")
    return Terms(limit, read_expected(params["expected_plan"]), file.strip() or None)


class Plan(NamedTuple):
    """The checksum of everything that a task is going to do, and why nothing of it may be done, blank where it may."""

    checksum: str
    refusal: str

    def raise_refusal(self, result: dict[str, Any]) -> None:
        """Raise ConsoleError with the result of a plan that is not the one that was approved, as check mode returns it."""
        if self.refusal:
            raise ConsoleError(f"{self.refusal}: {result.pop('msg')}.", **{**result, "changed": False})


def make_plan(root: Section, terms: Terms, address: str, echoes: Echoes) -> Plan:
    """Return the plan of sections that are planned, and write it to the file that is wanted; ConsoleError if it goes too far."""
    refuse_excess(root, terms.limit)
    entries = list_entries(root)
    checksum = plan_checksum(address, entries)
    unread = next((section for section in root.all_below if section.error), None)
    if terms.expected and unread and unread.error:
        why = unread.error.followed_by("Run the task again, or leave out expected_plan to do what can be done.")
        raise ConsoleError(
            "Nothing was changed: it is not known whether this is the plan that was approved, since the"
            f" {unread.resource.plural}{unread.of_volume} cannot be read. {why}",
            **why.details,
        )
    if terms.file:
        _write(terms.file, echoes.clean({"plan": entries})["plan"])
    return Plan(checksum, _why_not_expected(checksum, terms.expected))


def _why_not_expected(checksum: str, expected: str | None) -> str:
    """Return why nothing may be written, blank where the plan is the expected one, or does nothing."""
    if expected is None or checksum in (expected, NO_CHANGES):
        return ""
    return (
        f"Nothing was changed: this is not the plan that was approved. expected_plan is {expected}, and the plan is now"
        f" {checksum}, since the console or what is wanted has changed. Look at what would be done now, and have that"
        " approved"
    )


def _write(path: str, entries: list[Entry]) -> None:
    """Write a plan as JSON, for policies: whole or not at all, and for nobody else to read."""
    if Path(path).exists() and not Path(path).is_file():
        raise ConsoleError(f"plan_file {path} is not a regular file. Nothing was changed.")
    try:
        replace_file(path, f"{json.dumps(entries, indent=1, sort_keys=True)}\n".encode(), _MODE)
    except OSError as error:
        raise ConsoleError(f"plan_file {path} cannot be written: {error.strerror}. Nothing was changed.") from None
