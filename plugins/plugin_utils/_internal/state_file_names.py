# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""File names for volumes. Pure.

The name follows from the volume alone, so that it stays the same whatever other volumes there are, and no two volumes
share one, also where the file system does not tell upper from lower case.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

SUFFIX = ".yml"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
# Names of devices on Windows, with any ending.
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_MAX_SLUG = 60
_DIGITS = 12


def file_name(item: Mapping[str, Any]) -> str:
    """Return the name of the file for an item of `volumes`."""
    name, identity = str(item.get("name") or ""), item.get("id")
    # No plain name has a tilde, and no hash has the letter i.
    if identity is not None:
        return f"{_slug(name)}~id{identity}{SUFFIX}"
    if _PLAIN.fullmatch(name) and not _RESERVED.fullmatch(name):
        return f"{name}{SUFFIX}"
    return f"{_slug(name)}~{hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]}{SUFFIX}"


def _slug(name: str) -> str:
    """Return what is left of a name in letters, digits and hyphens, for people to recognise it."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", letters)[:_MAX_SLUG].strip("-") or "volume"
