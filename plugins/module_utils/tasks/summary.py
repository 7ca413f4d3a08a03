# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task for a list: complete in its counts, bounded in its length whatever the length of the list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..model.comparison import managed_fields
from ..model.plan import CREATE, DELETE, UPDATE, Plan
from ..model.selection import record_key
from ..reconcile.history import Outcome

_DONE = {CREATE: "created", UPDATE: "updated", DELETE: "deleted"}
# AWX keeps 700,000 bytes of a result, its diff included.
_MAX_KEYS = 400_000
_MAX_ERRORS = 80_000
_MAX_DIFF = 150_000
# So many equal errors are given in full, further ones in short.
_MAX_EQUAL_ERRORS = 10
_MAX_SHORT_ERROR = 80


def nothing_done(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys that a result has before anything is written, with what is known of the failure."""
    found = details.get("errors", [])
    errors, left_out = _bounded(found, _MAX_ERRORS)
    counts = {**dict.fromkeys((*_DONE.values(), "unchanged"), 0), "failed": len(found)}
    result = {**_lists([]), **details, "errors": errors, "counts": counts}
    return {**result, "not_listed": {"errors": left_out}} if left_out else result


def summarize(outcomes: list[Outcome], subject: str) -> dict[str, Any]:
    """Return the keys of what was done, how many items needed nothing, what failed, and all that as a sentence."""
    result = _lists(outcomes)
    counts = {name: len(result[name]) for name in _DONE.values()}
    counts["unchanged"] = result["unchanged"]
    counts["failed"] = len(result["errors"])
    not_listed = {}
    room = _MAX_KEYS
    for name in _DONE.values():
        result[name], not_listed[name] = _bounded(result[name], room)
        room -= len(json.dumps(result[name]))
    result["errors"], not_listed["errors"] = _bounded(result["errors"], _MAX_ERRORS)
    if any(not_listed.values()):
        result["not_listed"] = {name: count for name, count in not_listed.items() if count}
    said = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to do"
    return {**result, "counts": counts, "msg": f"{subject}: {said}"}


def diff_of(outcomes: Iterable[Outcome], subject: str) -> dict[str, Any]:
    """Return what differs, by key: of new and deleted records all fields, of updated ones those that changed."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    size = left_out = 0
    for outcome in filter(_is_done, outcomes):
        plan = outcome.plan
        old = plan.before
        new = managed_fields(plan.resource, outcome.record) if outcome.error else plan.after
        size += len(json.dumps([plan.result_key, old, new, plan.result_key]))
        if size > _MAX_DIFF:
            left_out += 1
            continue
        if plan.current:
            before[_free_key(before, record_key(plan.resource, plan.current), plan)] = _without(old, new)
        if new:
            after[_free_key(after, plan.result_key, plan)] = _without(new, old)
    if left_out:
        after["(not shown)"] = f"and {left_out:,} more"
    return {"before_header": subject, "after_header": subject, "before": before, "after": after}


def _lists(outcomes: list[Outcome]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "changed": any(outcome.changed for outcome in outcomes),
        "created": [],
        "updated": [],
        "deleted": [],
        "unchanged": sum(not outcome.changed and not outcome.error for outcome in outcomes),
        "errors": [],
    }
    equal: dict[str, int] = {}
    for outcome in outcomes:
        if _is_done(outcome):
            result[_DONE[outcome.plan.action]].append(outcome.plan.result_key)
        if outcome.error:
            cause = str(outcome.error.details.get("failure", {}).get("message", outcome.error))
            equal[cause] = equal.get(cause, 0) + 1
            message = str(outcome.error) if equal[cause] <= _MAX_EQUAL_ERRORS else cause[:_MAX_SHORT_ERROR]
            result["errors"].append({"key": outcome.plan.result_key, "msg": message})
    return result


def _is_done(outcome: Outcome) -> bool:
    """Return whether something was changed, and the list shows it."""
    return outcome.changed and outcome.is_seen


def _bounded(entries: list[Any], size: int) -> tuple[list[Any], int]:
    """Return as many of the entries as have no more than so many bytes, and the number of those left out."""
    for number, entry in enumerate(entries):
        size -= len(json.dumps(entry)) + 2
        if size < 0:
            return entries[:number], len(entries) - number
    return entries, 0


def _without(fields: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that the other side of a diff does not show alike."""
    return {name: value for name, value in fields.items() if name not in other or other[name] != value} or fields


def _free_key(taken: Mapping[str, Any], key: str, plan: Plan) -> str:
    """Return a key of a diff under which no record is shown yet: several may have the same natural key."""
    return f"{key} (id {plan.current['id']})" if key in taken and plan.current else key
