# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets in what a console sends, masked where they stand and nowhere else. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

MASK = "********"


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
