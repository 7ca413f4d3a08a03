# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task for lists: complete in its counts, bounded in its length whatever the length of the lists."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..model.plan import DELETE, DONE
from ..model.plan_of_lists import distinct_labels
from ..model.problems import Problem, list_errors
from ..model.resources import LISTS_OF_VOLUME, VOLUME, Resource
from ..reconcile.section import Section
from ..reconcile.write import Outcome, list_unverified

_KINDS = [resource.plural for resource in (VOLUME, *LISTS_OF_VOLUME)]
# AWX keeps 700,000 bytes of a result.
_MAX_SIZE = 630_000


class Entry(NamedTuple):
    """What became of an item, and what the result calls it; in a task for volumes also the volume and the list it is of.

    `below` is what goes with a volume that is deleted, for the diff.
    """

    outcome: Outcome
    label: str
    volume: str = ""
    kind: str = ""
    below: Mapping[str, Any] = {}

    @property
    def where(self) -> dict[str, str]:
        """Return what an error says beside the key."""
        return {"volume": self.volume, "kind": self.kind} if self.kind else {}

    @property
    def keys(self) -> tuple[str, ...]:
        """Return under which keys a diff has the record of a list below a volume."""
        return (self.volume, self.kind) if self.kind not in ("", VOLUME.plural) else ()

    @property
    def key(self) -> str:
        """Return the label after that of its volume; what is about a whole list has that of the volume alone."""
        return ": ".join(filter(None, [self.volume, self.label])) if self.keys else self.label

    @property
    def is_done(self) -> bool:
        """Return whether something was changed, and the list shows it."""
        return self.outcome.changed and self.outcome.is_seen


def list_entries(root: Section) -> dict[str, list[Entry]]:
    """Return what became of the items of one list, under a blank kind; of volumes and of the lists below them, by kind."""
    if root.resource.is_in_volume:
        return {"": [Entry(outcome, outcome.action.label) for outcome in root.outcomes]}
    entries: dict[str, list[Entry]] = {kind: [] for kind in _KINDS}
    for change, name in zip(root.changes, distinct_labels(root.actions)):
        entries[VOLUME.plural].append(Entry(change.outcome, name, name, VOLUME.plural, change.lost))
        for section in change.below if change.action.verb is not DELETE else ():
            kind = section.resource.plural
            if section.error and not section.goals:
                # There is no item whose error it could be.
                entries[kind].append(Entry(Outcome(change.action, None, False, section.error), "", name, kind))
            entries[kind] += [Entry(outcome, outcome.action.label, name, kind) for outcome in section.outcomes]
    return entries


Lists = Mapping[str, Sequence[Entry]]


class Budget:
    """The bytes that are left for a result."""

    def __init__(self, size: int = _MAX_SIZE) -> None:
        self._left = size

    def take(self, entries: list[Any]) -> list[Any]:
        """Return as many of the entries as there are bytes for; after the first that is too long, none."""
        for number, entry in enumerate(entries):
            self._left -= len(json.dumps(entry)) + 2
            if self._left < 0:
                return entries[:number]
        return entries


def count_ignored(root: Section) -> Counter[str]:
    """Return how many records of each list are ignored, those of one list alone under a blank kind."""
    counts: Counter[str] = Counter()
    for section in (root, *root.all_below):
        kind = "" if root.resource.is_in_volume else section.resource.plural
        counts[kind] += 0 if section.goes_with_volume else len(section.records.ignored)
    return counts


def list_result(
    lists: Lists, subject: str, diff_mode: bool, ignored: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return the keys of what was done in each list, how many items needed nothing, what failed, and that as a sentence."""
    failed = (entry for entry in chain(*lists.values()) if entry.outcome.error)
    errors = list_errors(Problem(entry.key, "", str(entry.outcome.error), entry.where) for entry in failed)
    result = _build(lists, errors, subject if diff_mode else "", ignored)
    unverified = {kind: list_unverified(entry.outcome for entry in entries) for kind, entries in lists.items()}
    unverified = {kind: names for kind, names in unverified.items() if names}
    if unverified:
        result["unverified"] = unverified.get("", unverified)
    if "" in lists:
        return {**result, "msg": f"{subject}: {_format_counts(result['counts'])}"}
    texts = [f"{kind}: {_format_counts(counts)}" for kind, counts in result["counts"].items() if any(counts.values())]
    return {**result, "msg": "; ".join(texts) or _format_counts({})}


def empty_result(resource: Resource, details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that a result has before anything is written, with what is known of the failure."""
    kinds = [""] if resource.is_in_volume else _KINDS
    return {**details, **_build({kind: [] for kind in kinds}, details.get("errors", []))}


def raise_first_error(result: Mapping[str, Any], lists: Lists) -> None:
    """Raise the first error, with the whole result, if there is one: of a request, if any of them is."""
    errors = [entry.outcome.error for entry in chain(*lists.values()) if entry.outcome.error]
    if errors:
        error = next((error for error in errors if "failure" in error.details), errors[0])
        details = {**error.details, **result}
        raise ConsoleError(f"{details.pop('msg')}. The first error: {error}", **details)


def _format_counts(counts: Mapping[str, int]) -> str:
    """Return counts as a message shows them: `2 created, 10,000 unchanged`."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to do"


def _build(
    lists: Lists, errors: list[dict[str, Any]], subject: str = "", ignored: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return a result without its message: by the names of the lists what was done in each, and how often.

    What has no room is left out: keys before errors, and the diff, if there is a `subject`, first of all.
    """
    budget = Budget()
    listed = budget.take(errors)
    shown: dict[str, Any] = {}
    counts: dict[str, Any] = {}
    not_listed: dict[str, Any] = {}
    for kind, entries in lists.items():
        done = [(entry.outcome.action.verb, entry.key) for entry in entries if entry.is_done]
        keys = {name: [key for made, key in done if made is verb] for verb, name in DONE.items()}
        unchanged = sum(not (entry.outcome.error or entry.outcome.changed) for entry in entries)
        failed = sum(error.get("count", 1) for error in errors if error.get("kind", "") == kind)
        lengths = {name: len(found) for name, found in keys.items()}
        counts[kind] = {**lengths, "unchanged": unchanged, "failed": failed, "ignored": (ignored or {}).get(kind, 0)}
        shown[kind] = {**{name: budget.take(found) for name, found in keys.items()}, "unchanged": unchanged}
        missing = {name: length - len(shown[kind][name]) for name, length in lengths.items()}
        not_listed[kind] = {name: number for name, number in missing.items() if number}
    if "" in lists:
        # A list alone needs no level for its kind.
        shown, counts, not_listed = shown[""], counts[""], not_listed[""]
    not_listed = {kind: missing for kind, missing in not_listed.items() if missing}
    if len(errors) > len(listed):
        not_listed["errors"] = len(errors) - len(listed)
    entries = list(chain(*lists.values()))
    return {
        **shown,
        "changed": any(entry.outcome.changed for entry in entries),
        "errors": listed,
        "counts": counts,
        **({"not_listed": not_listed} if not_listed else {}),
        **({"diff": _diff(entries, subject, budget)} if subject else {}),
    }


def _diff(entries: Iterable[Entry], subject: str, budget: Budget) -> dict[str, Any]:
    """Return what differs: of new and deleted records all fields, of updated ones those that changed."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    left_out = 0
    for entry in (entry for entry in entries if entry.is_done):
        action, outcome = entry.outcome.action, entry.outcome
        old = {**action.before, **entry.below}
        new = action.shown(outcome.record) if outcome.error else action.after
        if not budget.take([[*entry.keys, entry.label, old, new, entry.label]]):
            left_out += 1
            continue
        if action.current:
            old_label = entry.label if entry.kind == VOLUME.plural else action.resource.label(action.current)
            _add_fields(before, entry, old_label, old, new)
        if new:
            _add_fields(after, entry, entry.label, new, old)
    if left_out:
        after["(not shown)"] = f"and {left_out:,} more"
    return {"before_header": subject, "after_header": subject, "before": before, "after": after}


def _add_fields(
    side: dict[str, Any], entry: Entry, label: str, fields: Mapping[str, Any], others: Mapping[str, Any]
) -> None:
    """Add to one side of a diff the fields of a record that the other side does not show alike, or all if it does."""
    for key in entry.keys:
        side = side.setdefault(key, {})
    current = entry.outcome.action.current
    # Several may have the same natural key.
    name = f"{label} (id {current['id']})" if label in side and current else label
    different = {field: value for field, value in fields.items() if field not in others or others[field] != value}
    side[name] = different or dict(fields)
