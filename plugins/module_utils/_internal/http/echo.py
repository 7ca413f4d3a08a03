# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a console repeats the credentials of our own request, in whatever way it writes them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A shorter piece of a secret says little, and could be found by chance.
MIN_LENGTH = 12
_MIN_CORE = 8
_MAX_ROUNDS = 8
# A character of ASCII as JSON, URLs and HTML write it, each at any depth: \u003d, %3D, %253D, &#61;, &amp;#x3d;
_ESCAPE = re.compile(
    rb"[\\%&](?:"
    rb"(?:\\*(?:u\{?0*|x)|(?:25)*(?:u00)?|(?:amp;)*#x0*)([2-7][0-9a-f])[;}]?"
    rb"|(?:amp;)*#0*([0-9]{2,3});?"
    # What stands for no letter or digit: the other escapes of JSON, and the named ones of HTML.
    rb"|\\*[bfnrt]|(?:amp;)+|[a-z]{2,8};)"
)
_BACKSLASHES = re.compile(rb"\\{2,}")
_OTHERS = bytes(set(range(256)) - set(b"0123456789abcdefghijklmnopqrstuvwxyz"))


def essence(content: bytes) -> bytes:
    """Return the letters and digits of a text in lower case, escapes decoded: the same however a text is written."""
    text = content.lower()
    for _round in range(_MAX_ROUNDS):
        # Any number of backslashes escapes like one, and a long run of them would be looked through once for each.
        text = _BACKSLASHES.sub(rb"\\", text)
        decoded = _ESCAPE.sub(_decode, text).lower() if _has_escapes(text) else text
        if decoded == text:
            break
        text = decoded
    return text.translate(None, _OTHERS)


def has_echo(content: bytes, secrets: Iterable[str]) -> bool:
    """Return whether a text repeats one of the secrets as a whole."""
    found = essence(content)
    return any(core in found for core in map(_core, secrets) if len(core) >= _MIN_CORE)


def _core(secret: str) -> bytes:
    """Return the essence of a secret without its ends, which what it is glued to may turn into a part of an escape."""
    return essence(secret.encode())[2:-2]


def _has_escapes(text: bytes) -> bool:
    return b"\\" in text or b"%" in text or b"&" in text


def _decode(escape: re.Match[bytes]) -> bytes:
    hexadecimal, decimal = escape.groups()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal or 0)
    return bytes((code,)) if 32 <= code < 127 else b""
