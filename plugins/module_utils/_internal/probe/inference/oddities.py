# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a console does that no setting of the emulator is about, in sentences. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from ..observation import Seen
from ..steps import SIZE

_FLAGS = ("apionly", "readonly", "appendonly")


def oddities(seen: Seen) -> Iterator[str]:
    """Yield what was noticed beside the settings."""
    created = seen.step("create_volume")
    if created and created.is_accepted:
        yield from _new_volume(seen)
    yield from _exports(seen)
    for quota in seen.records_after("create_quota"):
        if "size" in quota and str(quota["size"]) != str(SIZE):
            yield "A creation changes the size of a quota."
    plain, whole = seen.step("create_plain_export"), seen.step("create_export")
    if plain and plain.is_refused and whole and whole.is_accepted:
        yield "A creation of an export with only desc and iprange is refused."


def _new_volume(seen: Seen) -> Iterator[str]:
    """Yield what a new volume has already."""
    for name in ("exports", "quotas"):
        first = seen.readings(name)[:1]
        if first and first[0].records:
            yield f"A new volume has {name} already."


def _exports(seen: Seen) -> Iterator[str]:
    """Yield what is odd about the fields of an export."""
    for export in seen.records_after("create_export"):
        shown = [export[name] for name in _FLAGS if export.get(name) is not None]
        if not all(isinstance(value, bool) for value in shown):
            yield "The flags of an export are not shown as booleans."
