# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What creations tell: what they need, and which keys may be doubled. Pure."""

from __future__ import annotations

from typing import Any

from ..observation import Reply, Seen
from .finding import Finding, agreed, nothing

_DOUBLES = (
    ("create_other_export", "create_same_export", "exports"),
    ("create_unlimited_quota", "create_same_quota", "quotas"),
)
# Two fields of the incomplete volume are wrong in any case.
_WRONG = ("compress", "compatible")


def _required(seen: Seen, field: str) -> Finding:
    """Return whether a creation of a volume needs a field."""
    created, incomplete = seen.step("create_volume"), seen.step("incomplete_volume")
    if created and created.is_accepted and field not in created.sent:
        return Finding(False, created.reply)
    if incomplete is None or incomplete.reply is None:
        return nothing(seen.why_not("incomplete_volume"))
    if incomplete.is_accepted:
        return Finding(False, incomplete.reply)
    text = incomplete.reply.text.lower()
    if field in text:
        return Finding(True, incomplete.reply)
    if all(name in text for name in _WRONG):
        return Finding(False, incomplete.reply)
    return nothing("the console does not name all that is wrong with a creation")


def region_required(seen: Seen) -> Finding:
    """Return whether a creation of a volume needs a region."""
    return _required(seen, "region")


def bucket_required(seen: Seen) -> Finding:
    """Return whether a creation of a volume needs a bucket."""
    return _required(seen, "bucket")


def unique_keys(seen: Seen) -> Finding:
    """Return whether two records of a list may have the same key."""
    values: list[tuple[str, Any, Reply | None]] = []
    for first, name, noun in _DOUBLES:
        found, other = seen.step(name), seen.step(first)
        if found and found.reply and other and other.is_accepted and (found.is_accepted or found.is_refused):
            values.append((noun, found.is_refused, found.reply))
    finding = agreed(values, (True, False), seen.why_not("create_same_export"), "Whether keys are unique")
    capital = seen.step("create_export_in_capitals")
    ignores_case = capital is not None and capital.is_refused and finding.value is True
    odd = ("Keys that differ only in case count as the same.",) if ignores_case else ()
    return finding._replace(unknown=finding.unknown + odd)
