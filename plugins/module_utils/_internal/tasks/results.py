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

from ..errors import ConsoleError
from ..model.plan import DONE
from ..model.problems import Problem, list_errors
from ..model.resources import LISTS_OF_VOLUME, VOLUME, Resource
from ..model.section import Change, Section
from .warnings import list_unverified

_KINDS = [resource.plural for resource in (VOLUME, *LISTS_OF_VOLUME)]
# AWX keeps 700,000 bytes of a result.
_MAX_SIZE = 630_000


Lists = Mapping[str, Sequence[Change]]


def list_changes(root: Section) -> dict[str, list[Change]]:
    """Return the changes by kind: those of volumes and of the lists below, or those of one list under a blank kind."""
    lists: dict[str, list[Change]] = {kind: [] for kind in ([""] if root.resource.is_in_volume else _KINDS)}
    for section in root.lists:
        lists[section.kind] += [] if section.goes_with_volume else section.changes
    return lists


class Budget:
    """The number of bytes that are left for a result."""

    def __init__(self, size: int = _MAX_SIZE) -> None:
        self._left = size

    def take(self, values: list[Any]) -> list[Any]:
        """Return as many of the values as fit; none after the first that does not."""
        for number, value in enumerate(values):
            self._left -= len(json.dumps(value)) + 2
            if self._left < 0:
                return values[:number]
        return values


def count_ignored(root: Section) -> Counter[str]:
    """Return the number of ignored records by kind, or that of one list alone under a blank kind."""
    counts: Counter[str] = Counter()
    for section in root.lists:
        counts[section.kind] += 0 if section.goes_with_volume else len(section.records.ignored)
    return counts


def list_result(
    lists: Lists, subject: str, diff_mode: bool, ignored: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return the result of all lists: the keys of changed records, counts, errors, and a message that sums them up."""
    failed = (change for change in chain(*lists.values()) if change.outcome.error)
    errors = list_errors(Problem(change.key, "", str(change.outcome.error), change.where) for change in failed)
    result = _build(lists, errors, subject if diff_mode else "", ignored)
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
    kinds = [""] if resource.is_in_volume else _KINDS
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
    lists: Lists, errors: list[dict[str, Any]], subject: str = "", ignored: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return a result without its message: the keys of changed records and the counts, by list name.

    Whatever does not fit is left out: the diff, which needs a `subject`, before keys, and keys before errors.
    """
    budget = Budget()
    listed = budget.take(errors)
    shown: dict[str, Any] = {}
    counts: dict[str, Any] = {}
    not_listed: dict[str, Any] = {}
    for kind, changes in lists.items():
        done = [(change.outcome.action.verb, change.key) for change in changes if change.is_done]
        keys = {name: [key for made, key in done if made is verb] for verb, name in DONE.items()}
        unchanged = sum(not (change.outcome.error or change.outcome.changed) for change in changes)
        failed = sum(error.get("count", 1) for error in errors if error.get("kind", "") == kind)
        lengths = {name: len(found) for name, found in keys.items()}
        counts[kind] = {**lengths, "unchanged": unchanged, "failed": failed, "ignored": (ignored or {}).get(kind, 0)}
        shown[kind] = {**{name: budget.take(found) for name, found in keys.items()}, "unchanged": unchanged}
        missing = {name: length - len(shown[kind][name]) for name, length in lengths.items()}
        not_listed[kind] = {name: number for name, number in missing.items() if number}
    if "" in lists:
        # One list alone needs no level for its kind.
        shown, counts, not_listed = shown[""], counts[""], not_listed[""]
    not_listed = {kind: missing for kind, missing in not_listed.items() if missing}
    if len(errors) > len(listed):
        not_listed["errors"] = len(errors) - len(listed)
    changes = list(chain(*lists.values()))
    return {
        **shown,
        "changed": any(change.outcome.changed for change in changes),
        "errors": listed,
        "counts": counts,
        **({"not_listed": not_listed} if not_listed else {}),
        **({"diff": _diff(changes, subject, budget)} if subject else {}),
    }


def _diff(changes: Iterable[Change], subject: str, budget: Budget) -> dict[str, Any]:
    """Return the differences: all fields of new and deleted records, and the changed fields of updated ones."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    left_out = 0
    for change in (change for change in changes if change.is_done):
        action, outcome = change.outcome.action, change.outcome
        old = {**action.before, **change.lost}
        new = action.shown(outcome.record) if outcome.error else action.after
        if not budget.take([[*change.path, change.label, old, new, change.label]]):
            left_out += 1
            continue
        if action.current:
            old_label = change.label if change.kind == VOLUME.plural else action.resource.label(action.current)
            _add_fields(before, change, old_label, old, new)
        if new:
            _add_fields(after, change, change.label, new, old)
    if left_out:
        after["(not shown)"] = f"and {left_out:,} more"
    return {"before_header": subject, "after_header": subject, "before": before, "after": after}


def _add_fields(
    side: dict[str, Any], change: Change, label: str, fields: Mapping[str, Any], others: Mapping[str, Any]
) -> None:
    """Add a record to one side of a diff: the fields that differ from the other side, or all fields if none does."""
    for key in change.path:
        side = side.setdefault(key, {})
    current = change.outcome.action.current
    # Several records may have the same natural key.
    name = f"{label} (id {current['id']})" if label in side and current else label
    different = {field: value for field, value in fields.items() if field not in others or others[field] != value}
    side[name] = different or dict(fields)
