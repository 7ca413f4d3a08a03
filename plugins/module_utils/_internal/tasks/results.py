# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task for lists: complete in its counts, bounded in its length whatever the length of the lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..model.batch import distinct_labels
from ..model.plan import DONE
from ..model.problems import Problem, list_errors
from ..model.records import managed_fields
from ..model.resources import LISTS_OF_VOLUME, VOLUME
from ..reconcile.section import Section
from ..reconcile.write import Outcome

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

    def does(self, verb: str) -> bool:
        """Return whether this was done."""
        return self.outcome.action.verb is verb and self.is_done


def list_entries(section: Section) -> list[Entry]:
    """Return what became of the items of one list."""
    return [Entry(outcome, outcome.action.label) for outcome in section.outcomes]


def volume_entries(root: Section, below: Mapping[int, Mapping[str, Any]]) -> dict[str, list[Entry]]:
    """Return what became of volumes and of the lists below them, by kind.

    `below` is what goes with volumes that are deleted, by the identity of the action.
    """
    entries: dict[str, list[Entry]] = {kind: [] for kind in _KINDS}
    for action, name, sections in zip(root.actions, distinct_labels(root.actions), root.below):
        entries[VOLUME.plural].append(Entry(root.outcome(action), name, name, VOLUME.plural, below.get(id(action), {})))
        for section in sections:
            kind = section.resource.plural
            if section.error and not section.goals:
                # There is no item whose error it could be.
                entries[kind].append(Entry(Outcome(action, None, False, section.error), "", name, kind))
            entries[kind] += [Entry(outcome, outcome.action.label, name, kind) for outcome in section.outcomes]
    return entries


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


def list_result(entries: Sequence[Entry], subject: str, diff_mode: bool) -> dict[str, Any]:
    """Return the keys of what was done in a list, how many items needed nothing, what failed, and that as a sentence."""
    result = _build({"": entries}, _errors(entries), subject if diff_mode else "")
    return {**_of_one_list(result), "msg": f"{subject}: {format_counts(result['counts'][''])}"}


def volumes_result(lists: Mapping[str, Sequence[Entry]], diff_mode: bool) -> dict[str, Any]:
    """Return the same for several lists by their kind, with all errors in one list."""
    result = _build(lists, _errors(chain(*lists.values())), VOLUME.plural if diff_mode else "")
    counted = {kind: counts for kind, counts in result["counts"].items() if any(counts.values())}
    texts = [f"{kind}: {format_counts(counts)}" for kind, counts in counted.items()]
    return {**result, "msg": "; ".join(texts) or "nothing to do"}


def empty_list_result(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that a result has before anything is written, with what is known of the failure."""
    return {**details, **_of_one_list(_build({"": []}, details.get("errors", [])))}


def empty_volumes_result(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same for several lists."""
    return {**details, **_build({kind: [] for kind in _KINDS}, details.get("errors", []))}


def raise_first_error(result: Mapping[str, Any], outcomes: Iterable[Outcome]) -> None:
    """Raise the first error of a list, with the whole result, if there is one: of a request, if any of them is."""
    errors = [outcome.error for outcome in outcomes if outcome.error]
    if errors:
        error = next((error for error in errors if "failure" in error.details), errors[0])
        details = {**error.details, **result}
        raise ConsoleError(f"{details.pop('msg')}. The first error: {error}", **details)


def format_counts(counts: Mapping[str, int]) -> str:
    """Return counts as a message shows them: `2 created, 10,000 unchanged`."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to do"


def _build(lists: Mapping[str, Sequence[Entry]], errors: list[dict[str, Any]], subject: str = "") -> dict[str, Any]:
    """Return a result without its message: by the names of the lists what was done in each, and how often.

    What has no room is left out: keys before errors, and the diff, if there is a `subject`, first of all.
    """
    budget = Budget()
    listed = budget.take(errors)
    entries = list(chain(*lists.values()))
    result: dict[str, Any] = {
        "changed": any(entry.outcome.changed for entry in entries),
        "errors": listed,
        "counts": {},
    }
    not_listed: dict[str, Any] = {}
    for kind, found in lists.items():
        keys = {done: [entry.key for entry in found if entry.does(verb)] for verb, done in DONE.items()}
        counts = {done: len(all_keys) for done, all_keys in keys.items()}
        counts["unchanged"] = sum(not (entry.outcome.error or entry.outcome.changed) for entry in found)
        counts["failed"] = sum(error.get("count", 1) for error in errors if error.get("kind", "") == kind)
        result["counts"][kind] = counts
        shown = {done: budget.take(all_keys) for done, all_keys in keys.items()}
        result[kind] = {**shown, "unchanged": counts["unchanged"]}
        missing = {done: counts[done] - len(some) for done, some in shown.items() if counts[done] > len(some)}
        not_listed.update({kind: missing} if missing else {})
    not_listed.update({"errors": len(errors) - len(listed)} if len(errors) > len(listed) else {})
    result.update({"not_listed": not_listed} if not_listed else {})
    return {**result, **({"diff": _diff(entries, subject, budget)} if subject else {})}


def _of_one_list(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result for a single list, whose name is blank, without that level."""
    flat = {**{name: value for name, value in result.items() if name}, **result[""], "counts": result["counts"][""]}
    if "not_listed" in flat:
        flat["not_listed"] = {**result["not_listed"].get("", {}), **flat["not_listed"]}
        flat["not_listed"].pop("", None)
    return flat


def _errors(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return what failed; what many have in common once."""
    failed = (entry for entry in entries if entry.outcome.error)
    return list_errors(Problem(entry.key, "", str(entry.outcome.error), entry.where) for entry in failed)


def _diff(entries: Iterable[Entry], subject: str, budget: Budget) -> dict[str, Any]:
    """Return what differs: of new and deleted records all fields, of updated ones those that changed."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    left_out = 0
    for entry in (entry for entry in entries if entry.is_done):
        action, outcome = entry.outcome.action, entry.outcome
        old = {**action.before, **entry.below}
        new = managed_fields(action.resource, outcome.record) if outcome.error else action.after
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
