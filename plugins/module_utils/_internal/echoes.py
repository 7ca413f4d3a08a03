# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes what a console may repeat: the signatures of our requests from a task's result, and secrets of records from messages. Pure.

An echo is found in any case, in escapes, between other characters, and cut short. The work is bounded by the length of the
text, not by how it is written.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from .json_values import map_text
from .masking import MASK, secrets_in

# This many letters and digits of a secret in a row are an echo. Fewer could be chance.
_LENGTH = 12
# One of two texts is cut at multiples of this alone. A common run of _LENGTH + _STEP - 1 always holds such a piece.
_STEP = 4
_MAX_ROUNDS = 8
# The most escapes to decode, and characters to scan one by one: about a second's work.
_MAX_WORK = 1_000_000
# An ASCII character as JSON, URLs and HTML escape it, at any depth: \u003d, %3D, %253D, &#61;, &amp;#x3d;
_ESCAPE = re.compile(
    rb"[\\%&](?:"
    rb"(?:\\*(?:u00|u\{0*|x)|(?:25)*(?:u00)?|(?:amp;)*#x0*)([0-7][0-9a-f])[;}]?"
    rb"|(?:amp;)*#0*([0-9]{2,3});?"
    # Escapes that stand for no letter or digit: the others of JSON, and the named ones of HTML.
    rb"|\\*[bfnrt]|(?:amp;)+|[a-z]{2,8};)"
)
_BACKSLASHES = re.compile(rb"\\{2,}")
_OTHERS = bytes(set(range(256)) - set(b"0123456789abcdefghijklmnopqrstuvwxyz"))


class Echoes:
    """The secrets in a task's requests; removes their echoes from its result.

    Secrets of fewer than 12 letters and digits are not searched for: they could occur by chance.
    """

    def __init__(self) -> None:
        self._secrets: list[str] = []

    def add(self, *secrets: str) -> None:
        """Remember the secrets of a request about to be sent."""
        self._secrets += secrets

    def clean(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result without echoes. A value that holds one in pieces becomes the mask."""
        sent = b" ".join(_letters(secret.lower().encode()) for secret in dict.fromkeys(self._secrets))
        budget = _Budget()
        found = _normalize_value(result, budget)
        if found is not None and not _share(found, sent):
            return dict(result)
        cleaner = _Cleaner(set(_pieces(sent, 1)))
        return {cleaner.clean_text(name): cleaner.clean(value) for name, value in result.items()}


class Shown:
    """The secrets in the lists that a console has shown; removes them from its messages, which may quote the token of an export.

    Each is known by its first 12 characters, since a message may be cut. Shorter ones could occur by chance.
    """

    def __init__(self) -> None:
        self._lists: dict[str, Any] = {}
        self._beginnings: dict[str, set[str]] = {}

    def add(self, path: str, records: list[Any]) -> None:
        """Remember the records of the list at a path, instead of earlier ones."""
        self._lists[path] = records
        self._beginnings.pop(path, None)

    def clean(self, message: str) -> str:
        """Return a message with the mask for each secret, to the end of the word that it is in."""
        found = {message[start : start + _LENGTH] for start in range(len(message))}
        for path, records in list(self._lists.items()):
            # Few tasks see a failure, and those that do may see thousands.
            beginnings = self._beginnings.get(path)
            if beginnings is None:
                beginnings = {each[:_LENGTH] for each in secrets_in(records) if len(each) >= _LENGTH}
                self._beginnings[path] = beginnings
            for beginning in found & beginnings:
                message = re.sub(rf"{re.escape(beginning)}\S*", MASK, message)
        return message


class _Budget:
    """The escapes that may still be decoded, and characters that may still be scanned."""

    def __init__(self) -> None:
        self._left = _MAX_WORK

    def take(self, number: int) -> bool:
        self._left -= number
        return self._left >= 0


class _Cleaner:
    """Removes text that contains one of these pieces of secrets."""

    def __init__(self, pieces: set[bytes]) -> None:
        self._pieces = pieces
        self._budget = _Budget()

    def clean(self, value: Any) -> Any:
        """Return a value without echoes; the mask for one whose echo is spread over several texts."""
        kept = map_text(value, self.clean_text)
        return (
            kept
            if kept is None or isinstance(kept, (bool, int)) or not self._is_in(_normalize_value(kept, _Budget()))
            else MASK
        )

    def clean_text(self, text: str) -> str:
        """Return text without echoes; the mask where an echo is escaped, or the text too long to locate it."""
        found = _normalize_text(text.encode("utf-8", "replace"), self._budget)
        if not self._is_in(found):
            return text
        if found is None or not self._budget.take(len(text)):
            return MASK
        kept = "".join(self._without_plain_echoes(text))
        return MASK if self._is_in(_normalize_text(kept.encode("utf-8", "replace"), self._budget)) else kept

    def _is_in(self, found: bytes | None) -> bool:
        return found is None or not self._pieces.isdisjoint(_pieces(found, _STEP))

    def _without_plain_echoes(self, text: str) -> Iterator[str]:
        """Yield the parts of a text, with the mask for each echo."""
        # Encoded first: lower case may change the length of other alphabets' text.
        lower = text.encode("ascii", "replace").lower()
        end = 0
        for start in range(len(lower) - _LENGTH + 1):
            if lower[start : start + _LENGTH] not in self._pieces:
                continue
            if start >= end:
                yield text[end:start]
                yield MASK
            end = start + _LENGTH
        yield text[end:]


def _normalize_text(content: bytes, budget: _Budget) -> bytes | None:
    """Return the lower-case letters and digits of a text, escapes decoded: the same however it is written.

    None if it has more escapes than the budget, or too many layers of them.
    """
    text = content.lower()
    for _round in range(_MAX_ROUNDS):
        escapes = text.count(b"\\") + text.count(b"%") + text.count(b"&")
        if not escapes:
            break
        # Several backslashes escape like one, and the search would rescan a long run for each of them.
        text = _BACKSLASHES.sub(rb"\\", text)
        if not budget.take(escapes):
            return None
        decoded = _ESCAPE.sub(_decode, text).lower()
        if decoded == text:
            break
        text = decoded
    else:
        # No honest text is escaped this often.
        return None
    return _letters(text)


def _normalize_value(value: Any, budget: _Budget) -> bytes | None:
    return _normalize_text(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), budget)


def _letters(text: bytes) -> bytes:
    return text.translate(None, _OTHERS)


def _share(one: bytes, other: bytes) -> bool:
    """Return whether two texts share a run that is long enough for an echo; fast if either is short."""
    shorter, longer = sorted((one, other), key=len)
    return not set(_pieces(shorter, 1)).isdisjoint(_pieces(longer, _STEP))


def _pieces(text: bytes, step: int) -> Iterator[bytes]:
    """Yield the pieces of a text that begin at multiples of a step."""
    ends = ((start, start + (len(text) - start) // _LENGTH * _LENGTH) for start in range(0, _LENGTH, step))
    runs = (struct.iter_unpack(f"{_LENGTH}s", text[start:end]) for start, end in ends)
    return chain.from_iterable(chain.from_iterable(runs))


def _decode(escape: re.Match[bytes]) -> bytes:
    hexadecimal, decimal = escape.groups()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal or 0)
    return bytes((code,)) if 32 <= code < 127 else b""
