# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The names that a probe gives to what it makes, by which the next run knows what a killed one left. Pure.

A mark is eight random digits and a checksum of them, so that no name that somebody else chose is taken for ours.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

_DIGITS = 8
_MARK = re.compile(rf"probe-([0-9a-f]{{{_DIGITS}}})([0-9a-f]{{{_DIGITS}}})")


def make_mark(digits: str) -> str:
    """Return the mark of a run, from eight random hexadecimal digits."""
    return f"probe-{digits}{_checksum(digits)}"


def is_marked(key: Any) -> bool:
    """Return whether a probe has given this key to an export or a quota, however the console spells it now."""
    found = _MARK.match(str(key).strip().lstrip("/").lower())
    return found is not None and found.group(2) == _checksum(found.group(1))


def scratch_name(volume: str, mark: str) -> str:
    """Return the name of the scratch volume of a run."""
    return f"{volume}-{mark}"


def is_scratch_name(name: Any, volume: str) -> bool:
    """Return whether a probe has given this name to a scratch volume, for a task with the same `volume`."""
    text, prefix = str(name).strip().lower(), f"{volume.strip().lower()}-"
    rest = text[len(prefix) :]
    return text.startswith(prefix) and _MARK.fullmatch(rest) is not None and is_marked(rest)


def _checksum(digits: str) -> str:
    return hashlib.sha256(f"managedfs.console.probe {digits}".encode()).hexdigest()[:_DIGITS]
