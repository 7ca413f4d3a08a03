# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task for lists: its counts are complete, and its length is bounded, however long the lists are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from ..errors import ConsoleError
from ..model.access import ANY, reach_of
from ..model.outcome import list_unverified
from ..model.plan import DONE
from ..model.problems import Problem, list_errors
from ..model.records import Record
from ..model.resources import EXPORT, RESOURCES, Resource
from ..model.section import Change, Section
from .entries import Entry, to_change
from .lines import format_changes

# AWX keeps 700,000 bytes of a result.
_MAX_SIZE = 630_000
Lists = Mapping[str, Sequence[Change]]
"""The changes of each list by kind, those of a task for one list under a blank kind."""
_MAX_OPEN, _MAX_OPEN_SIZE = 100, 20_000
_MAX_UNMANAGED = 10
# Ansible spends more on the entries of thousands of changes than a task does on making them.
_MAX_CHANGES = 100_000


def list_changes(root: Section) -> dict[str, list[Change]]:
    """Return the changes by kind: those of volumes and of the lists below, or those of one list under a blank kind."""
    lists: dict[str, list[Change]] = {kind: [] for kind in ([""] if root.resource.is_in_volume else RESOURCES)}
    for section in root.lists:
        lists[section.kind] += [] if section.goes_with_volume else section.changes
    return lists


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


def count_left_alone(root: Section) -> dict[str, dict[str, int]]:
    """Return by kind, that of one list alone a blank one, how many records are ignored, and how many no item names."""
    counts: dict[str, Counter[str]] = {section.kind: Counter() for section in root.lists}
    for section in (section for section in root.lists if not section.goes_with_volume):
        counts[section.kind] += Counter(ignored=len(section.counted.ignored), unmanaged=len(section.unmanaged))
    return {kind: dict(numbers) for kind, numbers in counts.items()}


def _unmanaged(root: Section) -> Iterator[tuple[str, str, Record]]:
    """Yield the records that no item names and that stay, each with its kind and its name in results."""
    for section in root.lists:
        above = f"{section.owner.label}: " if section.owner else ""
        for record in section.unmanaged:
            yield section.resource.plural, above + section.resource.label(record), record


def list_unmanaged(root: Section) -> dict[str, list[str]]:
    """Return the names of the records that no item names and that stay, by kind, the first of them if there are many."""
    found: dict[str, list[str]] = {}
    for kind, name, _record in _unmanaged(root):
        found.setdefault(kind, []).append(name)
    return {kind: Budget(_MAX_OPEN_SIZE).take(names[:_MAX_UNMANAGED]) for kind, names in found.items()}


def list_open(root: Section) -> list[str]:
    """Return the names of exports among them that let any address in, the first of them if there are many."""
    records = (each for each in _unmanaged(root) if each[0] == EXPORT.plural)
    found = (name for _kind, name, record in records if reach_of(record.get("iprange")) == ANY)
    return Budget(_MAX_OPEN_SIZE).take(list(islice(found, _MAX_OPEN)))


def list_result(
    lists: Lists,
    entries: Iterable[Entry],
    subject: str,
    diff_mode: bool,
    left_alone: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, Any]:
    """Return the result of all lists: keys of changed records, changes, counts, errors, likely mistakes, and a message."""
    failed = (change for change in chain(*lists.values()) if change.outcome.error)
    errors = list_errors(Problem(change.key, "", str(change.outcome.error), change.where) for change in failed)
    result = _build(lists, errors, entries, diff_mode, left_alone)
    unverified = {kind: list_unverified(change.outcome for change in changes) for kind, changes in lists.items()}
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
    errors = [change.outcome.error for change in chain(*lists.values()) if change.outcome.error]
    if errors:
        error = next((error for error in errors if "failure" in error.details), errors[0])
        details = {**error.details, **result}
        raise ConsoleError(f"{details.pop('msg')}. The first error: {error}", **details)


def _format_counts(counts: Mapping[str, int]) -> str:
    """Return counts as text for a message: `2 created, 10,000 unchanged`."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to do"


def _build(
    lists: Lists,
    errors: list[dict[str, Any]],
    entries: Iterable[Entry] = (),
    diff_mode: bool = False,
    left_alone: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, Any]:
    """Return a result without its message. Errors have room first, then likely mistakes, keys, diff, and changes."""
    budget = Budget()
    warnings = list_errors(
        Problem(each.key, "", text, each.where) for each in chain(*lists.values()) for text in each.action.plan_warnings
    )
    listed = {"errors": budget.take(errors), "plan_warnings": budget.take(warnings)}
    counts = {kind: _count(changes, kind, errors, (left_alone or {}).get(kind, {})) for kind, changes in lists.items()}
    keys = {kind: _list_keys(changes, budget) for kind, changes in lists.items()}
    changes = list(map(to_change, entries))
    diff = {"diff": {"prepared": _to_text(format_changes(changes, budget.fits))}} if diff_mode else {}
    listed["changes"] = budget.part(_MAX_CHANGES).take(changes)
    of_kinds: Any = (
        {kind: {**found, "unchanged": counts[kind]["unchanged"]} for kind, found in keys.items()},
        counts,
        {kind: _difference(counts[kind], found) for kind, found in keys.items()},
    )
    # A list alone needs no level for its kind.
    shown, shown_counts, missing = (each.get("", each) for each in of_kinds)
    missing |= _difference({"errors": len(errors), "plan_warnings": len(warnings), "changes": len(changes)}, listed)
    not_listed = {name: number for name, number in missing.items() if number}
    changed = any(change.outcome.changed for change in chain(*lists.values()))
    return {
        **shown,
        "changed": changed,
        **listed,
        "counts": shown_counts,
        **({"not_listed": not_listed} if not_listed else {}),
        **diff,
    }


def _count(
    changes: Sequence[Change], kind: str, errors: Iterable[Mapping[str, Any]], left_alone: Mapping[str, int]
) -> dict[str, int]:
    """Return how many records of a list were changed, and how many were not."""
    done = Counter(change.outcome.action.verb for change in changes if change.is_done)
    return {
        **{name: done[verb] for verb, name in DONE.items()},
        "unchanged": sum(not (change.outcome.error or change.outcome.changed) for change in changes),
        "failed": sum(error.get("kind", "") == kind for error in errors),
        "ignored": 0,
        "unmanaged": 0,
        **left_alone,
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
