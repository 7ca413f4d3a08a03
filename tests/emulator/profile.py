# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The profile of a console, as ``make probe`` writes it: which dialect plays that console."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .dialect import CHOICES

if TYPE_CHECKING:
    from pathlib import Path

OFFSET = "clock_offset"
"""An entry of a profile that is no setting of a dialect: by how many seconds the console's clock is ahead."""


def read_profile(path: Path) -> tuple[dict[str, Any], float]:
    """Return the settings that a profile has values for, and the offset of the clock."""
    try:
        profile = json.loads(path.read_text(encoding="utf-8"))
        entries = profile.get("profile", profile)
        values = {name: entry["value"] for name, entry in entries.items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise ValueError(f"{path} is not a profile, as make probe writes it") from None
    return settings_of(values)


def settings_of(values: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the settings of a profile, without those that were not found, and the offset of the clock."""
    found = {name: value for name, value in values.items() if value is not None}
    offset = found.pop(OFFSET, 0)
    if not isinstance(offset, (int, float)) or isinstance(offset, bool):
        raise ValueError(f"{OFFSET}: {offset!r} is not a number")
    for name in found:
        if name not in CHOICES:
            raise ValueError(f"a dialect has no setting {name!r}; there are {', '.join(sorted(CHOICES))}")
    return found, offset
