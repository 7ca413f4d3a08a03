# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets, masked in what a console sends: in records, in free text, and where it repeats our own request. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from .json_values import map_text, parse_json

MASK = "********"
NOT_SHOWN = "(not shown: it is not valid JSON, and contains the name of a secret)"
_AFTER_SCHEME = r"(?<=://)(?:(?!://)[^\s\"'<>])+"
# A name and what is assigned to it, as in `token=abc`, "token": "abc" or token: [abc].
_ASSIGNMENT = (
    r"(?<![\w-])([A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)
# Fewer letters and digits could be found by chance.
_MIN_CORE = 8
_MAX_ROUNDS = 8
# No error needs more; a longer body that repeats a secret is masked as a whole.
_MAX_BODY = 2**22
# A character of ASCII as JSON, URLs and HTML write it, each at any depth: \u003d, %3D, %253D, &#61;, &amp;#x3d;
_ESCAPE = re.compile(
    rb"[\\%&](?:"
    rb"(?:\\*(?:u00|u\{0*|x)|(?:25)*(?:u00)?|(?:amp;)*#x0*)([0-7][0-9a-f])[;}]?"
    rb"|(?:amp;)*#0*([0-9]{2,3});?"
    # What stands for no letter or digit: the other escapes of JSON, and the named ones of HTML.
    rb"|\\*[bfnrt]|(?:amp;)+|[a-z]{2,8};)"
)
_BACKSLASHES = re.compile(rb"\\{2,}")
_OTHERS = bytes(set(range(256)) - set(b"0123456789abcdefghijklmnopqrstuvwxyz"))


def mask(value: Any) -> Any:
    """Return a copy of a JSON value in which no secret is left, at any depth.

    Secrets are the values of `token`, `*_token`, `secret*`, `password` and `*_key` (but not `access_key`), and the
    user info of URLs. Masking is by place, so that a short secret does not blot out other text.
    """
    if isinstance(value, dict):
        return {
            name: MASK if is_secret_name(name) and inner not in (None, "") else mask(inner)
            for name, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [mask(inner) for inner in value]
    if isinstance(value, str) and "://" in value and "@" in value:
        return re.sub(_AFTER_SCHEME, _without_user_info, value)
    return value


def has_secret(text: Any) -> bool:
    """Return whether text holds a secret, or what is left where one was masked."""
    return isinstance(text, str) and MASK in mask(text)


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Return whether a field of this name, in snake case or camel case, holds a secret."""
    snake = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    is_key = snake.endswith("_key") and snake != "access_key"
    return is_key or snake in ("token", "password") or snake.endswith("_token") or snake.startswith("secret")


def mask_text(text: str) -> str:
    """Return free text without user info in URLs, and without what it assigns to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, separator, assigned = match.groups()
        # As in "token: expired", which says what is wrong.
        is_word = assigned.isalpha() and "=" not in separator
        return f"{name}{separator}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return re.sub(_ASSIGNMENT, hide, str(mask(text)))


def may_hide_secret(text: str) -> bool:
    """Return whether text that nothing could parse names a secret, or is in an encoding that would hide one."""
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    return "\0" in text or any(map(is_secret_name, set(re.findall(r"[A-Za-z_][\w-]*", plain))))


def mask_echoes(text: str, secrets: Collection[str]) -> str:
    """Return text without these secrets, in any case; nothing but the mask where it holds one in escapes."""
    for secret in filter(_core, secrets):
        text = re.sub(re.escape(secret.rstrip("=")), MASK, text, flags=re.IGNORECASE | re.ASCII)
    return MASK if has_echo(text.encode("utf-8", "replace"), secrets) else text


def mask_echoes_in_body(content: bytes, secrets: Collection[str]) -> bytes:
    """Return the body of a response without these secrets; JSON stays JSON."""
    if not has_echo(content, secrets):
        return content
    if len(content) > _MAX_BODY:
        return MASK.encode()
    try:
        kept = json.dumps(map_text(parse_json(content), lambda text: mask_echoes(text, secrets))).encode()
    except ValueError:
        kept = mask_echoes(content.decode("utf-8", "replace"), secrets).encode("utf-8", "replace")
    return MASK.encode() if has_echo(kept, secrets) else kept


def has_echo(content: bytes, secrets: Collection[str]) -> bool:
    """Return whether a text repeats one of these secrets as a whole, however it is written."""
    found = essence(content)
    return any(core in found for core in filter(None, map(_core, secrets)))


def essence(content: bytes) -> bytes:
    """Return the letters and digits of a text in lower case, escapes decoded: the same however a text is written."""
    text = content.lower()
    for _round in range(_MAX_ROUNDS):
        # Any number of backslashes escapes like one, and a long run of them would be looked through once for each.
        text = _BACKSLASHES.sub(rb"\\", text)
        has_escapes = b"\\" in text or b"%" in text or b"&" in text
        decoded = _ESCAPE.sub(_decode, text).lower() if has_escapes else text
        if decoded == text:
            break
        text = decoded
    return text.translate(None, _OTHERS)


def _core(secret: str) -> bytes:
    """Return what an echo of a secret has in any case: what it is glued to may turn its ends into parts of an escape."""
    core = essence(secret.encode())[2:-2]
    return core if len(core) >= _MIN_CORE else b""


def _decode(escape: re.Match[bytes]) -> bytes:
    hexadecimal, decimal = escape.groups()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal or 0)
    return bytes((code,)) if 32 <= code < 127 else b""


def _without_user_info(after_scheme: re.Match[str]) -> str:
    """Return what follows the scheme of a URL, its user info masked; also one with a slash in its password."""
    part = after_scheme.group()
    authority = re.split("[/?#]", part, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    _name, colon, port = host.rpartition(":")
    # What follows a colon and is no port is the beginning of a password.
    is_password = colon and not host.startswith("[") and not port.isdigit()
    before, at, _after = (part if is_password else authority).rpartition("@")
    return MASK + part[len(before) :] if at else part
