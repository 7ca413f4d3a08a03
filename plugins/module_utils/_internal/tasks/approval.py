# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a plan has to pass before anything is written: how much it may delete, and whether it is the one that was approved."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..model.checksum import NO_CHANGES, Entry, lost_entry, plan_checksum, plan_entry, read_expected
from ..model.limit import Limit, read_limit
from ..model.problems import Problem, list_errors
from ..model.records import format_value
from ..reconcile.section import Section

_MAX_NAMES = 3


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


def make_plan(root: Section, address: str, terms: Terms) -> Plan:
    """Return the plan of sections that are planned, and write it to the file that is wanted; ConsoleError if it goes too far."""
    _refuse_excess(root, terms.limit)
    entries = _list_entries(root)
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
        # Without a list, nothing comes from the console.
        _write(terms.file, root.store.client.echoes.clean({"plan": entries})["plan"] if root.store else entries)
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


def _list_entries(root: Section) -> list[Entry]:
    """Return an entry for each action that changes something, and for what goes with a volume that is deleted."""
    due = [change for change in root.changes if change.action.changes]
    entries = [{**plan_entry(change.action, root.volume), **_lost(change.below)} for change in due]
    for section in root.all_below:
        if not section.error:
            entries += [plan_entry(action, section.volume) for action in section.actions if action.changes]
        if section.goes_with_volume:
            entries += [lost_entry(section.resource, record, section.volume) for record in section.records]
    return entries


def _lost(below: Iterable[Section]) -> dict[str, Any]:
    """Return what goes with a volume beside the records that are listed: how much is left alone, and what cannot be read."""
    going = [section for section in below if section.goes_with_volume]
    ignored = {section.resource.plural: len(section.records.ignored) for section in going if section.records.ignored}
    foreign = {section.resource.plural: len(section.records.foreign) for section in going if section.records.foreign}
    unreadable = [section.resource.plural for section in going if section.error]
    lost = {"ignored": ignored, "other_kinds": foreign, "unreadable": unreadable}
    return {name: value for name, value in lost.items() if value}


def _refuse_excess(root: Section, limit: Limit | None) -> None:
    """Refuse a plan that deletes more of a list than the limit allows; ConsoleError names each such list."""
    problems, most = [], 0
    for section in root.lists:
        removal, gone = section.removal, section.deletions
        if limit and not limit.allows_all and section.goes_with_volume and section.error:
            error = section.error.followed_by("If all of it may be deleted, allow 100%.")
            message = f"it is not known how much goes with the volume. {error}"
        elif removal.exceeds(limit):
            most = max(most, removal.removed)
            emptied = ", which would leave the list empty" if removal.empties else ""
            message = f"{removal.removed:,} of {removal.total:,} would be deleted ({_first(gone)}){emptied}."
        else:
            continue
        where = {"volume": str(section.volume["name"]), "kind": section.resource.plural} if section.owner else {}
        problems.append(Problem("max_deletions", f"{section.resource.plural}{section.of_volume}", message, where))
    if problems:
        texts = " ".join(f"{problem.name}: {problem.message}" for problem in problems[:_MAX_NAMES])
        more = f" And {len(problems) - _MAX_NAMES} more lists." if len(problems) > _MAX_NAMES else ""
        advice = (
            f" If that is meant, set max_deletions (in the role apply, apply_max_deletions) to {most}." if most else ""
        )
        why = f"more would be deleted than max_deletions, {limit}, allows" if limit else "purge would empty a list"
        raise ConsoleError(f"Nothing was changed: {why}. {texts}{more}{advice}", errors=list_errors(problems))


def _first(names: list[str]) -> str:
    more = ", ..." if len(names) > _MAX_NAMES else ""
    return f"{', '.join(map(format_value, names[:_MAX_NAMES]))}{more}"


def _write(path: str, entries: list[Entry]) -> None:
    """Write a plan as JSON, for policies: whole or not at all, and for nobody else to read."""
    place = Path(path)
    if place.exists() and not place.is_file():
        raise ConsoleError(f"plan_file {path} is not a regular file. Nothing was changed.")
    try:
        # Made with mode 0600.
        number, temporary = tempfile.mkstemp(dir=place.parent, prefix=".plan.")
        try:
            with os.fdopen(number, "w", encoding="utf-8") as file:
                json.dump(entries, file, indent=1, sort_keys=True)
                file.write("\n")
            Path(temporary).replace(place)
        except BaseException:
            Path(temporary).unlink()
            raise
    except OSError as error:
        raise ConsoleError(f"plan_file {path} cannot be written: {error.strerror}. Nothing was changed.") from None
