# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets in what a console answers, masked where they stand and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

MASK = "********"
_SECRET_NAME = re.compile(r"(^|_)token$|^secret|^password$|_key$")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# The user info of a URL; also one with a slash in its password, as long as what comes before is no host and port.
_USER_INFO = re.compile(r"(?<=://)(?:[^/?#\s\"'<>]*|[^/?#\s\"'<>@\[]*:(?!\d*[/?#])[^\s\"'<>]*)@")
_RUN = re.compile(r"[A-Za-z0-9]{12,}")


def mask(value: Any) -> Any:
    """A copy of what JSON can hold in which no secret is left, at any depth.

    Secret are the values of `token`, `*_token`, `secret*`, `password` and `*_key` (but not `access_key`), and
    the user info of URLs. Masking is by place, so that a short secret does not blot out other text.
    """
    if isinstance(value, dict):
        return {key: _hide(inner) if is_secret_name(key) else mask(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [mask(inner) for inner in value]
    return _USER_INFO.sub(MASK + "@", value) if isinstance(value, str) else value


def scrub(text: str, secrets: Iterable[str]) -> str:
    """Text of a console without user info and without what it may repeat of our own request.

    A token may come back wrapped, escaped or in another case: each longer piece of it is taken out.
    """
    known = [secret.lower() for secret in secrets]

    def hide(match: re.Match[str]) -> str:
        return MASK if any(match.group().lower() in secret for secret in known) else match.group()

    return _RUN.sub(hide, str(mask(text)))


def scrub_all(value: Any, secrets: Iterable[str]) -> Any:
    """A copy of what JSON can hold in which each text is scrubbed."""
    if isinstance(value, dict):
        return {key: scrub_all(inner, secrets) for key, inner in value.items()}
    if isinstance(value, list):
        return [scrub_all(inner, secrets) for inner in value]
    return scrub(value, secrets) if isinstance(value, str) else value


def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds a secret, in snake case or camel case."""
    snake = _WORD_START.sub("_", name).lower()
    return snake != "access_key" and bool(_SECRET_NAME.search(snake))


def _hide(value: Any) -> Any:
    return value if value in (None, "") else MASK
