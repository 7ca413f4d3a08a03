# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task for lists: its counts are complete, and its length is bounded, however long the lists are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from ..errors import ConsoleError, Problem, list_errors
from ..model.access import ANY, reach_of
from ..model.plan import DONE
from ..model.resources import EXPORT, RESOURCES, Resource
from ..model.section import Change, Section, list_unverified
from .entries import Entry, to_change
from .lines import format_changes

# AWX keeps 700,000 bytes of a result.
_MAX_SIZE = 630_000
Lists = Mapping[str, Sequence[Section]]
_MAX_OPEN, _MAX_OPEN_SIZE = 100, 20_000
_MAX_UNMANAGED = 10
# Ansible spends more on the entries of thousands of changes than a task does on making them.
_MAX_CHANGES_SIZE = 100_000


def lists_of(root: Section) -> Lists:
    """Return the lists of a task by kind: those of volumes and below, or one list under a blank kind."""
    lists: dict[str, list[Section]] = {kind: [] for kind in ([""] if root.resource.is_in_volume else RESOURCES)}
    for section in root.lists:
        lists[section.kind] += [] if section.goes_with_volume else [section]
    return lists


def changes_of(sections: Iterable[Section]) -> list[Change]:
    """Return the changes of some lists."""
    return list(chain(*(section.changes for section in sections)))


class Budget:
    """The number of bytes that are left for a result."""

    def __init__(self, size: int = _MAX_SIZE) -> None:
        self._left = size

    def part(self, most: int) -> Budget:
        """Return a budget of at most so many of the bytes that are left."""
        return Budget(min(self._left, most))

    def fits(self, value: Any) -> bool:
        """Take the bytes of a value, and return whether they were left. After the first that does not fit, none does."""
        self._left -= len(json.dumps(value)) + 2
        return self._left >= 0

    def take(self, values: list[Any]) -> list[Any]:
        """Return as many of the values as fit; none after the first that does not."""
        return next((values[:number] for number, value in enumerate(values) if not self.fits(value)), values)


def list_unmanaged(root: Section) -> dict[str, Any]:
    """Return the first names of records that no item names and that stay, by kind, and of exports that let any address in."""
    names: dict[str, list[str]] = {}
    exposed: list[str] = []
    for section in root.lists:
        above = f"{section.owner.label}: " if section.owner else ""
        for record in section.unmanaged:
            name = above + section.resource.label(record)
            names.setdefault(section.resource.plural, []).append(name)
            exposed += [name] if section.resource is EXPORT and reach_of(record.get("iprange")) == ANY else []
    shown = {kind: Budget(_MAX_OPEN_SIZE).take(found[:_MAX_UNMANAGED]) for kind, found in names.items()}
    return {"unmanaged": shown, "unmanaged_open": Budget(_MAX_OPEN_SIZE).take(exposed[:_MAX_OPEN])}


def list_result(lists: Lists, entries: Iterable[Entry], subject: str, diff_mode: bool) -> dict[str, Any]:
    """Return the result of all lists: keys of changed records, changes, counts, errors, likely mistakes, and a message."""
    failed = (change for change in changes_of(chain(*lists.values())) if change.outcome.error)
    errors = list_errors(Problem(change.key, "", str(change.outcome.error), change.where) for change in failed)
    result = _build(lists, errors, entries, diff_mode)
    unverified = {kind: list_unverified(each.outcome for each in changes_of(found)) for kind, found in lists.items()}
    unverified = {kind: names for kind, names in unverified.items() if names}
    if unverified:
        result["unverified"] = unverified.get("", unverified)
    if "" in lists:
        return {**result, "msg": f"{subject}: {_format_counts(result['counts'])}"}
    texts = [f"{kind}: {_format_counts(counts)}" for kind, counts in result["counts"].items() if any(counts.values())]
    return {**result, "msg": "; ".join(texts) or _format_counts({})}


def empty_result(resource: Resource, details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a task that failed before it wrote anything, with the details of the failure."""
    kinds = [""] if resource.is_in_volume else RESOURCES
    return {**details, **_build({kind: [] for kind in kinds}, details.get("errors", []))}


def raise_first_error(result: Mapping[str, Any], lists: Lists) -> None:
    """Raise the first error, if any, with the whole result. Errors of requests take precedence."""
    if errors := [change.outcome.error for change in changes_of(chain(*lists.values())) if change.outcome.error]:
        error = next((error for error in errors if "failure" in error.details), errors[0])
        details = {**error.details, **result}
        raise ConsoleError(f"{details.pop('msg')}. The first error: {error}", **details)


def _format_counts(counts: Mapping[str, int]) -> str:
    """Return counts as text for a message: `2 created, 10,000 unchanged`."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to do"


def _build(
    lists: Lists, errors: list[dict[str, Any]], entries: Iterable[Entry] = (), diff_mode: bool = False
) -> dict[str, Any]:
    """Return a result without its message. Errors have room first, then likely mistakes, keys, diff, and changes."""
    budget = Budget()
    warnings = list_errors(
        Problem(each.key, "", text, each.where)
        for each in changes_of(chain(*lists.values()))
        for text in each.action.plan_warnings
    )
    listed = {"errors": budget.take(errors), "plan_warnings": budget.take(warnings)}
    counts = {kind: _count(sections, kind, errors) for kind, sections in lists.items()}
    keys = {kind: _list_keys(changes_of(sections), budget) for kind, sections in lists.items()}
    changes = list(map(to_change, entries))
    diff = {"diff": {"prepared": _to_text(format_changes(changes, budget.fits))}} if diff_mode else {}
    listed["changes"] = budget.part(_MAX_CHANGES_SIZE).take(changes)
    of_kinds: Any = (
        {kind: {**found, "unchanged": counts[kind]["unchanged"]} for kind, found in keys.items()},
        counts,
        {kind: _difference(counts[kind], found) for kind, found in keys.items()},
    )
    # A list alone needs no level for its kind.
    shown, shown_counts, missing = (each.get("", each) for each in of_kinds)
    missing |= _difference({"errors": len(errors), "plan_warnings": len(warnings), "changes": len(changes)}, listed)
    not_listed = {name: number for name, number in missing.items() if number}
    changed = any(change.outcome.changed for change in changes_of(chain(*lists.values())))
    return {
        **shown,
        "changed": changed,
        **listed,
        "counts": shown_counts,
        **({"not_listed": not_listed} if not_listed else {}),
        **diff,
    }


def _count(sections: Sequence[Section], kind: str, errors: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many records of a kind were changed, and how many were not."""
    changes = changes_of(sections)
    done = Counter(change.outcome.action.verb for change in changes if change.is_done)
    return {
        **{name: done[verb] for verb, name in DONE.items()},
        "unchanged": sum(not (change.outcome.error or change.outcome.changed) for change in changes),
        "failed": sum(error.get("kind", "") == kind for error in errors),
        "ignored": sum(len(section.counted.ignored) for section in sections),
        "unmanaged": sum(len(section.unmanaged) for section in sections),
    }


def _list_keys(changes: Sequence[Change], budget: Budget) -> dict[str, list[str]]:
    """Return the keys of the records that were created, updated and deleted, as far as there is room."""
    done = [(change.outcome.action.verb, change.key) for change in changes if change.is_done]
    return {name: budget.take([key for made, key in done if made is verb]) for verb, name in DONE.items()}


def _difference(counts: Mapping[str, int], listed: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return how many entries each list lacks, if any."""
    missing = {name: counts[name] - len(found) for name, found in listed.items()}
    return {name: number for name, number in missing.items() if number}


def _to_text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
