# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The diff of a task for many records: only what differs, by key, and bounded in its length."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..model.comparison import managed_fields
from ..model.plan import Plan
from ..model.selection import record_key
from ..reconcile.history import Outcome
from .summary import is_done

_MAX_SIZE = 150_000


class Diff:
    """Collects what differs: of new and deleted records all fields, of updated ones those that changed."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._before: dict[str, Any] = {}
        self._after: dict[str, Any] = {}
        self._room = _MAX_SIZE
        self._left_out = 0

    def add(
        self, outcome: Outcome, place: tuple[str, ...] = (), key: str = "", below: Mapping[str, Any] | None = None
    ) -> None:
        """Add a record if anything was done to it, under the keys of `place`; `below` is what goes with a deleted one."""
        if not is_done(outcome):
            return
        plan = outcome.plan
        old = {**plan.before, **(below or {})}
        new = managed_fields(plan.resource, outcome.record) if outcome.error else plan.after
        self._room -= len(json.dumps([*place, plan.result_key, old, new, plan.result_key]))
        if self._room < 0:
            self._left_out += 1
            return
        if plan.current:
            before = _descend(self._before, place)
            before[_free_key(before, key or record_key(plan.resource, plan.current), plan)] = _without(old, new)
        if new:
            after = _descend(self._after, place)
            after[_free_key(after, key or plan.result_key, plan)] = _without(new, old)

    def to_result(self) -> dict[str, Any]:
        """Return the diff as the result of a task has it."""
        if self._left_out:
            self._after["(not shown)"] = f"and {self._left_out:,} more"
        headers = {"before_header": self._subject, "after_header": self._subject}
        return {**headers, "before": self._before, "after": self._after}


def _descend(tree: dict[str, Any], place: tuple[str, ...]) -> dict[str, Any]:
    """Return the part of one side of a diff that is about a place."""
    for key in place:
        tree = tree.setdefault(key, {})
    return tree


def _without(fields: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that the other side of a diff does not show alike."""
    return {name: value for name, value in fields.items() if name not in other or other[name] != value} or fields


def _free_key(taken: Mapping[str, Any], key: str, plan: Plan) -> str:
    """Return a key under which no record is shown yet: several may have the same natural key."""
    return f"{key} (id {plan.current['id']})" if key in taken and plan.current else key
