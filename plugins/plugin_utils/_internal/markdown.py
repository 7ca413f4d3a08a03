# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from elsewhere in Markdown, as code, so that nothing in it mentions anybody, or becomes a link or an image. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...module_utils._internal.texts import shorten


def to_code(text: str, most: int | None = None) -> str:
    """Return a code span that nothing in the text can end, with at most so many characters of it.

    A span must never be cut itself: without its end, it is none. Blanks beside the fence are not part of it.
    """
    shown = text if most is None else shorten(text, most)
    fence = "`" * (_longest_run(shown) + 1)
    blank = " " if shown[:1] in "` " or shown[-1:] in "` " else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


def to_block(lines: Iterable[str]) -> list[str]:
    """Return lines as a code block, whatever is in them."""
    text = [" ".join(line.splitlines()) if "\n" in line else line for line in lines]
    fence = "`" * max(3, max(map(_longest_run, text), default=0) + 1)
    return [f"{fence}text", *text, fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
