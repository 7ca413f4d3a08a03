# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets in text that has no structure to go by: named in it, or repeated from our own request. Pure."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from typing import Any

from .json_values import map_text
from .masking import MASK, is_secret_name, mask

_FOLDED = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_PIECE = 12
# A name and what is assigned to it, as in `token=abc`, "token": "abc" or token: [abc].
_ASSIGNMENT = (
    r"(?<![\w-])([A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)


def mask_text(text: str) -> str:
    """Return free text without user info in URLs, and without what it assigns to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, separator, assigned = match.groups()
        # As in "token: expired", which says what is wrong.
        is_word = assigned.isalpha() and "=" not in separator
        return f"{name}{separator}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return re.sub(_ASSIGNMENT, hide, str(mask(text)))


def may_hide_secret(text: str) -> bool:
    """Return whether text that is almost JSON may hold a secret that `mask_text` does not find.

    Its name may be written with escapes, its value may be a structure, and the text may be in an encoding of its own.
    """
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    names = r"([A-Za-z_][\w-]*)" if plain.lstrip()[:1] in ("{", "[") else r"([A-Za-z_][\w-]*)\\*[\"']?\s*:\s*[\[{]"
    return "\0" in text or any(is_secret_name(name) for name in re.findall(names, plain))


def scrubber(secrets: Iterable[str]) -> Callable[[Any], Any]:
    """Return a function that removes from a JSON value what a console repeats of our own request.

    A secret may come back wrapped, escaped, in another case or glued to other text: each longer piece is removed.
    """
    folded = [secret.lower() for secret in secrets]
    pieces = {secret[start : start + _PIECE] for secret in folded for start in range(len(secret) - _PIECE + 1)}
    return lambda value: map_text(value, lambda text: _without_pieces(text, pieces))


def _without_pieces(text: str, pieces: set[str]) -> str:
    """Return the text with each stretch masked that consists of pieces."""
    folded = text.translate(_FOLDED)
    if not any(piece in folded for piece in pieces):
        return text
    kept, end = [], 0
    for start in range(len(folded) - _PIECE + 1):
        if folded[start : start + _PIECE] in pieces:
            if start >= end:
                kept += [text[end:start], MASK]
            end = start + _PIECE
    return "".join([*kept, text[end:]])
