# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Masks secrets in what a console sends: in records and in free text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

MASK = "********"
NOT_SHOWN = "(not shown: it is not valid JSON, and contains the name of a secret)"
_MAX_NAME = 1_000
_MAX_ADDRESSES = 100_000
# An address ends with what a sentence, JSON or HTML may put behind it. A single quotation mark within a word is part of it.
_AFTER_SCHEME = re.compile(r"(?<=://)(?:(?!://)(?:[^\s\"'<>]|'(?=\w)))+")
# A text that begins with a user and a password, and not with a host and a port, is one address: its password may have blanks.
_HAS_PASSWORD = re.compile(r"[A-Za-z][\w+.-]*://[^\s:/?#@\[]*:(?![/\s]|[0-9]+(?:[/\s]|\Z))")
_TO_THE_END = re.compile("(?<=://).+", re.DOTALL)
_AUTHORITY_END = re.compile("[/?#]")
# A word begins with a capital, even after an acronym: accessToken, APIToken.
_CAMEL = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# A name and what is assigned to it, as in `token=abc`, "token": "abc" or token: [abc].
_ASSIGNMENT = (
    r"(?<![\w-])(-*[A-Za-z_][\w-]*)(\\*[\"']?\s*[:=]\s*)"
    r"(\\*\"[^\"]*\"?|\\*'[^']*'?|\[[^\[\]]*\]?|[^\s,;&(){}\[\]<>\"']+)"
)


def mask(value: Any) -> Any:
    """Return a copy of a JSON value with its secrets masked, at any depth.

    Secrets are the values of `token`, `*_token`, `secret*`, `*_secret`, `password` and `*_key` (but not `access_key`), and
    the user info of URLs. Masking goes by position, so that a short secret does not blot out other text.
    """
    # The most frequent types come first: there are hundreds of thousands of texts and numbers.
    if isinstance(value, str):
        if "://" not in value or "@" not in value:
            return value
        # Nobody writes more addresses into one text, and each would take memory.
        is_text = value.count("://") <= _MAX_ADDRESSES
        return _pattern_for(value).sub(_without_user_info, value) if is_text else MASK
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, dict):
        return {
            name: MASK if is_secret_name(name) and inner not in (None, "") else mask(inner)
            for name, inner in value.items()
        }
    return [mask(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def secrets_in(value: Any) -> Iterator[str]:
    """Yield the secrets of a JSON value that `mask` would mask; of the user info of a URL, the password if it has one."""
    if isinstance(value, str):
        for part in _pattern_for(value).finditer(value) if "@" in value else ():
            if user_info := _user_info(part.group()):
                yield user_info.partition(":")[2] or user_info
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner) if is_secret_name(name) else secrets_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from secrets_in(inner)


def has_secret(text: Any) -> bool:
    """Return whether text holds a secret, or the mask of one."""
    return isinstance(text, str) and MASK in mask(text)


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Return whether a field of this name holds a secret; an overlong name counts as one.

    Names are in snake or camel case, or those of headers and of options of commands.
    """
    if len(name) > _MAX_NAME:
        return True
    snake = _CAMEL.sub("_", name).lower().replace("-", "_").lstrip("_")
    is_key = snake.endswith("_key") and snake != "access_key"
    return (
        is_key or snake in ("token", "password") or snake.endswith(("_token", "_secret")) or snake.startswith("secret")
    )


def mask_text(text: str) -> str:
    """Return free text with user info of URLs masked, and what it assigns to secret names, as in `token=abc`."""

    def hide(match: re.Match[str]) -> str:
        name, separator, assigned = match.groups()
        # "token: expired" says what is wrong.
        is_word = assigned.isalpha() and "=" not in separator
        return f"{name}{separator}{MASK}" if is_secret_name(name) and not is_word else match.group()

    return re.sub(_ASSIGNMENT, hide, str(mask(text)))


def secrets_in_text(text: str) -> Iterator[str]:
    """Yield the secrets that `mask_text` would mask."""
    yield from secrets_in(text)
    for match in re.finditer(_ASSIGNMENT, text):
        if is_secret_name(match[1]):
            yield match[3].strip("\\\"'[]")


def may_hide_secret(text: str) -> bool:
    """Return whether unparsable text names a secret, or is in an encoding that would hide one."""
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    return "\0" in text or any(is_secret_name(found.group()) for found in re.finditer(r"[A-Za-z_][\w-]*", plain))


def _leaves(value: Any) -> Iterator[str]:
    """Yield the texts and numbers of a JSON value."""
    if isinstance(value, (dict, list, tuple)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _pattern_for(text: str) -> re.Pattern[str]:
    return _TO_THE_END if _HAS_PASSWORD.match(text) and text.count("://") == 1 else _AFTER_SCHEME


def _without_user_info(after_scheme: re.Match[str]) -> str:
    """Return the part of a URL after its scheme, with user info masked."""
    part = after_scheme.group()
    length = len(_user_info(part))
    return MASK + part[length:] if part[length : length + 1] == "@" else part


def _user_info(part: str) -> str:
    """Return the user info at the beginning of the part of a URL after its scheme, even if its password has a slash; or blank."""
    authority = _AUTHORITY_END.split(part, maxsplit=1)[0]
    host = authority.rpartition("@")[2]
    _name, colon, port = host.rpartition(":")
    # Text after a colon that is not a port begins a password.
    is_password = colon and not host.startswith("[") and not port.isdigit()
    return (part if is_password else authority).rpartition("@")[0]
