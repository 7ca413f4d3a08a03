# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What looks at lists tell: how late they are, and whether they go back in time. Pure."""

from __future__ import annotations

from ..observation import Reply, Seen
from ..timing import Timing, timing
from .finding import Finding, nothing


def _lag(seen: Seen, steps: dict[str, str], what: str) -> Finding:
    """Return the lag after the first of these steps that shows one; the others are told of where they are later."""
    found: list[tuple[str, float, float, Reply | None]] = []
    for name, noun in steps.items():
        step = seen.step(name)
        told = timing(step.looks) if step else None
        if step and told and told.lag is not None:
            found.append((noun, told.lag, told.missing_until, step.reply))
    if not found:
        is_late = any(seen.steps[name].looks for name in steps if name in seen.steps)
        return nothing("the console made the probe wait before it could look" if is_late else seen.why_not(*steps))
    noun, lag, missing, reply = max(found, key=lambda entry: entry[1])
    note = f"{noun}: after {missing:.1f} s not yet" if missing >= 0 else "at the first look"
    soonest = min(found, key=lambda entry: entry[1])
    is_other = missing > soonest[1]
    return Finding(lag, reply, note, unknown=(f"{what} later in {noun} than in {soonest[0]}.",) if is_other else ())


def appear_after(seen: Seen) -> Finding:
    """Return after how many seconds a new record is listed."""
    steps = {"create_export": "exports", "create_quota": "quotas", "create_volume": "volumes"}
    return _lag(seen, steps, "A new record is listed")


def update_appear_after(seen: Seen) -> Finding:
    """Return after how many seconds an update is listed."""
    return _lag(seen, {"update_export": "exports", "update_quota": "quotas"}, "An update is listed")


def vanish_after(seen: Seen) -> Finding:
    """Return after how many seconds a deleted record is no longer listed."""
    steps = {"delete_export": "exports", "delete_quota": "quotas", "delete_volume": "volumes"}
    return _lag(seen, steps, "A deleted record is gone from lists")


def _stale(seen: Seen) -> tuple[Timing, Reply | None] | None:
    """Return what is known of readings that go back."""
    for name in ("create_export", "update_export", "delete_export"):
        step = seen.step(name)
        found = timing(step.looks) if step else None
        if step and found and found.stale_every:
            return found, step.reply
    return None


def stale_every(seen: Seen) -> Finding:
    """Return which readings of a list go back to before a write."""
    found = _stale(seen)
    if found:
        return Finding(found[0].stale_every, found[1], "readings after the effect had shown")
    watched = [seen.step(name) for name in ("create_export", "update_export", "delete_export")]
    if not any(step and len(step.looks) > 2 for step in watched):
        return nothing(seen.why_not("create_export"))
    return Finding(0, note="no reading went back")


def stale_for(seen: Seen) -> Finding:
    """Return by how many seconds such readings go back."""
    found = _stale(seen)
    if found is None:
        return nothing("no reading went back")
    if found[0].stale_for is None:
        return nothing("readings went back for longer than was watched")
    return Finding(found[0].stale_for, found[1], "when no reading went back any more")
