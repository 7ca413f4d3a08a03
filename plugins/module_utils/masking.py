# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets in what a console sends, masked where they stand and nowhere else. Pure."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from .json_values import map_text

MASK = "********"
_FOLDED = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_PIECE = 12
# A name and what is assigned to it, as in `token=abc`, "token": "abc" or token: [abc].
_ASSIGNMENT = (
    r"(?<![\w-])([A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)


def mask(value: Any) -> Any:
    """Return a copy of a JSON value in which no secret is left, at any depth.

    Secrets are the values of `token`, `*_token`, `secret*`, `password` and `*_key` (but not `access_key`), and the
    user info of URLs. Masking is by place, so that a short secret does not blot out other text.
    """
    if isinstance(value, dict):
        return {name: _hide(inner) if is_secret_name(name) else mask(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [mask(inner) for inner in value]
    if isinstance(value, str) and "://" in value and "@" in value:
        return re.sub(r"[^\s\"'<>]+", lambda match: _without_user_info(match.group()), value)
    return value


def mask_text(text: str) -> str:
    """Return free text without user info in URLs, and without what it assigns to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, separator, assigned = match.groups()
        # As in "token: expired", which says what is wrong.
        is_word = assigned.isalpha() and "=" not in separator
        return f"{name}{separator}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return re.sub(_ASSIGNMENT, hide, str(mask(text)))


def scrubber(secrets: Iterable[str]) -> Callable[[Any], Any]:
    """Return a function that removes from a JSON value what a console repeats of our own request.

    A secret may come back wrapped, escaped, in another case or glued to other text: each longer piece is removed.
    """
    folded = [secret.lower() for secret in secrets]
    pieces = {secret[start : start + _PIECE] for secret in folded for start in range(len(secret) - _PIECE + 1)}
    return lambda value: map_text(value, lambda text: _without_pieces(text, pieces))


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Return whether a field of this name, in snake case or camel case, holds a secret."""
    snake = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    is_key = snake.endswith("_key") and snake != "access_key"
    return is_key or snake in ("token", "password") or snake.endswith("_token") or snake.startswith("secret")


def _hide(value: Any) -> Any:
    return value if value in (None, "") else MASK


def _without_user_info(chunk: str) -> str:
    """Return a piece of text with the user info of each URL in it masked."""
    first, *parts = chunk.split("://")
    return "://".join([first, *map(_without_first_user_info, parts)])


def _without_first_user_info(part: str) -> str:
    """Return what follows the scheme of a URL, its user info masked; also one with a slash in its password."""
    authority = re.split("[/?#]", part, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    _name, colon, port = host.rpartition(":")
    # What follows a colon and is no port is the beginning of a password.
    is_password = colon and not host.startswith("[") and not port.isdigit()
    before, at, _after = (part if is_password else authority).rpartition("@")
    return MASK + part[len(before) :] if at else part


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
