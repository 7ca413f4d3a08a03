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
from ..model.plan import CREATE, DELETE, UPDATE
from ..model.problems import Failure, list_failures
from ..model.resources import VOLUME
from ..reconcile.history import Outcome

_DONE = {CREATE: "created", UPDATE: "updated", DELETE: "deleted"}
# AWX keeps 700,000 bytes of a result, its diff included.
_MAX_KEYS = 400_000
_MAX_ERRORS = 80_000


class Entry(NamedTuple):
    """What became of an item, and in a document of volumes which volume and which list it belongs to."""

    outcome: Outcome
    volume: str = ""
    kind: str = ""

    @property
    def key(self) -> str:
        """Return what the result calls the item."""
        plan = self.outcome.plan
        if not self.volume:
            return plan.result_key
        return self.volume if plan.resource is VOLUME else f"{self.volume}: {plan.result_key}"

    @property
    def place(self) -> dict[str, str]:
        """Return what an error says beside the key."""
        return {"volume": self.volume, "kind": self.kind} if self.volume else {}


class Room:
    """The bytes that are left for a part of a result."""

    def __init__(self, size: int) -> None:
        self._left = size

    def fit(self, entries: list[Any]) -> tuple[list[Any], int]:
        """Return as many of the entries as have room, and the number of those left out."""
        for number, entry in enumerate(entries):
            self._left -= len(json.dumps(entry)) + 2
            if self._left < 0:
                return entries[:number], len(entries) - number
        return entries, 0


def summarize(outcomes: Iterable[Outcome], subject: str) -> dict[str, Any]:
    """Return the keys of what was done, how many items needed nothing, what failed, and all that as a sentence."""
    entries = [Entry(outcome) for outcome in outcomes]
    done, counts, not_listed = _sum_up(entries, Room(_MAX_KEYS))
    result = {"changed": any(entry.outcome.changed for entry in entries), **done}
    return {**result, **_with_errors(_errors(entries), counts, not_listed), "msg": f"{subject}: {_say(counts)}"}


def summarize_tree(lists: Mapping[str, Sequence[Entry]]) -> dict[str, Any]:
    """Return the same for several lists by the plural of their resource, with all errors in one list."""
    result: dict[str, Any] = {"changed": any(entry.outcome.changed for entry in chain(*lists.values()))}
    counts, not_listed = {}, {}
    room = Room(_MAX_KEYS)
    for plural, entries in lists.items():
        result[plural], counts[plural], left_out = _sum_up(entries, room)
        not_listed.update({plural: left_out} if left_out else {})
    said = [f"{plural}: {_say(count)}" for plural, count in counts.items() if any(count.values())]
    errors = _errors(chain(*lists.values()))
    return {**result, **_with_errors(errors, counts, not_listed), "msg": "; ".join(said) or "nothing to do"}


def nothing_done(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that a result has before anything is written, with what is known of the failure."""
    errors = details.get("errors", [])
    done, counts, _none = _sum_up([], Room(0))
    return {"changed": False, **done, **details, **_with_errors(errors, {**counts, "failed": _count(errors)}, {})}


def nothing_done_in_tree(details: Mapping[str, Any], plurals: Iterable[str]) -> dict[str, Any]:
    """Return the same for several lists."""
    errors = details.get("errors", [])
    done, counts = {}, {}
    for plural in plurals:
        done[plural], none, _none = _sum_up([], Room(0))
        counts[plural] = {**none, "failed": _count(error for error in errors if error["kind"] == plural)}
    return {"changed": False, **done, **details, **_with_errors(errors, counts, {})}


def _count(errors: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of items that errors are about."""
    return sum(error.get("count", 1) for error in errors)


def raise_first_error(result: Mapping[str, Any], outcomes: Iterable[Outcome]) -> None:
    """Raise the first error of a list, with the whole result, if there is one: of a request, if any of them is."""
    errors = [outcome.error for outcome in outcomes if outcome.error]
    if errors:
        error = next((error for error in errors if "failure" in error.details), errors[0])
        details = {**error.details, **result}
        raise ConsoleError(f"{details.pop('msg')}. The first error: {error}", **details)


def is_done(outcome: Outcome) -> bool:
    """Return whether something was changed, and the list shows it."""
    return outcome.changed and outcome.is_seen


def _sum_up(entries: Sequence[Entry], room: Room) -> tuple[dict[str, Any], dict[str, int], dict[str, int]]:
    """Return the keys of what was done and how much needed nothing, the counts, and how many keys had no room."""
    done: dict[str, Any] = {name: [] for name in _DONE.values()}
    unchanged = failed = 0
    for entry in entries:
        outcome = entry.outcome
        if outcome.error:
            failed += 1
        elif not outcome.changed:
            unchanged += 1
        if is_done(outcome):
            done[_DONE[outcome.plan.action]].append(entry.key)
    counts = {**{name: len(keys) for name, keys in done.items()}, "unchanged": unchanged, "failed": failed}
    left_out = {}
    for name in _DONE.values():
        done[name], left_out[name] = room.fit(done[name])
    return (
        {**done, "unchanged": counts["unchanged"]},
        counts,
        {name: number for name, number in left_out.items() if number},
    )


def _errors(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return what failed; what many have in common once."""
    failed = (entry for entry in entries if entry.outcome.error)
    return list_failures(Failure(entry.key, "", str(entry.outcome.error), entry.place) for entry in failed)


def _with_errors(
    errors: list[dict[str, Any]], counts: Mapping[str, Any], not_listed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the part of a result that tells errors, counts, and what had no room."""
    listed, left_out = Room(_MAX_ERRORS).fit(errors)
    missing = {**not_listed, **({"errors": left_out} if left_out else {})}
    return {"errors": listed, "counts": counts, **({"not_listed": missing} if missing else {})}


def _say(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to do"
