# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets in what a console answers, masked where they stand and nowhere else."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import Any

MASK = "********"
_SECRET_NAME = re.compile(r"(^|_)token$|^secret|^password$|_key$")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What can be a URL, in a text.
_CHUNK = re.compile(r"[^\s\"'<>]+")
# A name and its value in a text that is no JSON, or JSON within JSON, or broken off.
_NAMED = re.compile(
    r"(?<![\w-])([A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)
# As many characters as before, which str.lower does not promise.
_FOLDED = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
# Pieces of a secret that are shorter give nothing away, and may be there by chance.
_PIECE = 12


def mask(value: Any) -> Any:
    """A copy of what JSON can hold in which no secret is left, at any depth.

    Secret are the values of `token`, `*_token`, `secret*`, `password` and `*_key` (but not `access_key`), and
    the user info of URLs. Masking is by place, so that a short secret does not blot out other text.
    """
    if isinstance(value, dict):
        return {key: _hide(inner) if is_secret_name(key) else mask(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [mask(inner) for inner in value]
    if isinstance(value, str) and "://" in value and "@" in value:
        return _CHUNK.sub(lambda match: _without_user_info(match.group()), value)
    return value


def mask_text(text: str) -> str:
    """Free text without user info and without the values that it gives to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, between, given = match.groups()
        # As in "token: expired", which says what is wrong.
        is_word = given.isalpha() and "=" not in between
        return f"{name}{between}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return _NAMED.sub(hide, str(mask(text)))


def scrub(value: Any, secrets: Iterable[str]) -> Any:
    """A copy of what JSON can hold, names too, without what a console may repeat of our own request.

    A token may come back wrapped, escaped, in another case or glued to other text: each longer piece is taken out.
    """
    known = [secret.lower() for secret in secrets]
    pieces = {secret[start : start + _PIECE] for secret in known for start in range(len(secret) - _PIECE + 1)}
    return _scrubbed(value, pieces)


def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret, in snake case or camel case."""
    snake = _WORD_START.sub("_", name).lower()
    return snake != "access_key" and bool(_SECRET_NAME.search(snake))


def _hide(value: Any) -> Any:
    return value if value in (None, "") else MASK


def _without_user_info(chunk: str) -> str:
    """A piece of text with the user info of each URL in it masked."""
    first, *parts = chunk.split("://")
    return "://".join([first, *map(_without_first_user_info, parts)])


def _without_first_user_info(part: str) -> str:
    """What follows the scheme of a URL, its user info masked; also one with a slash in its password."""
    authority = re.split("[/?#]", part, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    _name, colon, port = host.rpartition(":")
    # What stands after a colon and is no port is the begin of a password.
    is_password = colon and not host.startswith("[") and not port.isdigit()
    before, at, _after = (part if is_password else authority).rpartition("@")
    return MASK + part[len(before) :] if at else part


def _scrubbed(value: Any, pieces: set[str]) -> Any:
    if isinstance(value, dict):
        return {_scrubbed(key, pieces): _scrubbed(inner, pieces) for key, inner in value.items()}
    if isinstance(value, list):
        return [_scrubbed(inner, pieces) for inner in value]
    return _scrubbed_text(value, pieces) if isinstance(value, str) else value


def _scrubbed_text(text: str, pieces: set[str]) -> str:
    """The text with each stretch replaced that is made of pieces."""
    folded = text.translate(_FOLDED)
    shown, end = [], 0
    for start in range(len(folded) - _PIECE + 1):
        if folded[start : start + _PIECE] in pieces:
            if start >= end:
                shown += [text[end:start], MASK]
            end = start + _PIECE
    return "".join([*shown, text[end:]])
