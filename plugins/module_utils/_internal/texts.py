# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What messages say of many: the first ones, and that there are more. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def shorten(text: str, most: int) -> str:
    """Return a text of at most so many characters; what was cut off shows as `...`."""
    return text if len(text) <= most else f"{text[:most]}..."


def first_of(names: Iterable[str], most: int, separator: str = ", ") -> str:
    """Return the first of some names, and `...` for further ones."""
    found = list(names)
    return separator.join(found[:most] + ["..."] * (len(found) > most))


def first_sentences(texts: Iterable[str], most: int) -> str:
    """Return the first of some sentences, and how many more there are."""
    found = list(texts)
    more = f" And {len(found) - most} more." if len(found) > most else ""
    return " ".join(found[:most]) + more


def counted(count: int, plural: str) -> str:
    """Return a number with its noun: `1 quota`, `1,200 quotas`."""
    return f"{count:,} {plural if count != 1 else plural.removesuffix('s')}"


def most_like(name: str, known: Iterable[str]) -> str:
    """Return the known name that another one may be meant for, blank if none is much like it."""
    return next(iter(get_close_matches(name, list(known), 1)), "")
