# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes from a response what it repeats of the credentials in our own request.

A secret may come back wrapped, in another case, glued to other text, broken off or in escapes. What stands there as it
was sent is removed piece by piece; where it is found only after decoding, the whole text is masked.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterable

from ..json_values import map_text, parse_json
from ..masking import MASK
from .echo import MIN_LENGTH, essence, has_echo
from .response import Response

_FOLDED = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
# No error needs more; a longer body is masked as a whole.
_MAX_SCRUBBED = 2**22


class Scrubber:
    """Removes secrets, and longer pieces of them, from text."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secrets)
        self._pieces = {piece for secret in self._secrets for piece in _pieces(secret.lower())}
        self._essences = {
            piece.encode() for secret in self._secrets for piece in _pieces(essence(secret.encode()).decode())
        }

    def text(self, text: str) -> str:
        """Return a text without secrets; nothing but the mask where some are in escapes."""
        if len(text) < MIN_LENGTH:
            return text
        kept = _without_pieces(text, self._pieces)
        return MASK if self._is_in(kept.encode("utf-8", "replace")) else kept

    def body(self, content: bytes) -> bytes:
        """Return a body without secrets, in which JSON stays JSON."""
        if len(content) > _MAX_SCRUBBED:
            is_clean = not (self._is_in(content[:_MAX_SCRUBBED]) or has_echo(content, self._secrets))
            return content if is_clean else MASK.encode()
        try:
            kept = json.dumps(map_text(parse_json(content), self.text)).encode()
        except ValueError:
            kept = self.text(content.decode("utf-8", "replace")).encode("utf-8", "replace")
        return MASK.encode() if self._is_in(kept) else kept

    def _is_in(self, content: bytes) -> bool:
        found = essence(content)
        return any(piece in found for piece in self._essences)


def scrub(response: Response, secrets: Iterable[str]) -> Response:
    """Return a response without secrets, and without longer pieces of them, in body and headers."""
    scrubber = Scrubber(secrets)
    headers = {name.title(): scrubber.text(value) for name, value in response.headers.items()}
    return response._replace(headers=headers, content=scrubber.body(response.content))


def _pieces(secret: str) -> list[str]:
    return [secret[start : start + MIN_LENGTH] for start in range(len(secret) - MIN_LENGTH + 1)]


def _without_pieces(text: str, pieces: set[str]) -> str:
    """Return the text with each stretch masked that consists of pieces."""
    folded = text.translate(_FOLDED)
    if not any(piece in folded for piece in pieces):
        return text
    kept, end = [], 0
    for start in range(len(folded) - MIN_LENGTH + 1):
        if folded[start : start + MIN_LENGTH] in pieces:
            if start >= end:
                kept += [text[end:start], MASK]
            end = start + MIN_LENGTH
    return "".join([*kept, text[end:]])
