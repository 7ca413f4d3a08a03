# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes what a console may repeat: secrets of our requests from a result, and those of its own lists from its messages. Pure.

A secret is known by its first characters, as it is and as JSON and URLs write it, since it may be cut short. It is removed to
the end of the word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from .json_values import map_text
from .masking import MASK, secrets_in

# A shorter beginning could occur by chance.
_LENGTH = 12
_WORD = r"[^\s\"'<>(),]*"
# Each Authorization header of ours begins with the base64 of `{"access_key`. A signature has this form, if it is cut short, too.
_HEADER = re.compile(f"eyJhY2Nlc3Nfa2V5{_WORD}")
_SIGNATURE = re.compile(f"[0-9a-f]{{{_LENGTH},}}", re.IGNORECASE)


class Echoes:
    """The secrets in a task's requests; removes their echoes from its result."""

    def __init__(self) -> None:
        self._signatures: set[str] = set()
        self._others: set[str] = set()

    def add(self, *secrets: str) -> None:
        """Remember the secrets of a request about to be sent."""
        for secret in secrets:
            if _SIGNATURE.fullmatch(secret):
                self._signatures.add(secret[:_LENGTH])
            elif not _HEADER.match(secret):
                self._others |= _beginnings([secret])

    def clean(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result without echoes."""
        # Hardly any result has one, and to look into each text takes longer.
        whole = "" if self._others else json.dumps(result)
        is_clean = whole and self._clean_text(whole) == whole
        return dict(result) if is_clean else dict(map_text(result, self._clean_text))

    def _clean_text(self, text: str) -> str:
        for beginning in self._others:
            text = _remove(beginning, text)
        text = _HEADER.sub(MASK, text)
        return _SIGNATURE.sub(lambda found: MASK if found[0][:_LENGTH].lower() in self._signatures else found[0], text)


class Shown:
    """The secrets in the lists that a console has shown; removes them from its messages, which may quote the token of an export."""

    def __init__(self) -> None:
        self._lists: dict[str, Any] = {}
        self._beginnings: dict[str, set[str]] = {}

    def add(self, path: str, records: list[Any]) -> None:
        """Remember the records of the list at a path, instead of earlier ones."""
        self._lists[path] = records
        self._beginnings.pop(path, None)

    def clean(self, message: str) -> str:
        """Return a message with the mask for each secret."""
        found = {message[start : start + _LENGTH] for start in range(len(message))}
        for path, records in list(self._lists.items()):
            # Few tasks see a failure, and those that do may see thousands.
            if path not in self._beginnings:
                self._beginnings[path] = _beginnings(secrets_in(records))
            for beginning in found & self._beginnings[path]:
                message = _remove(beginning, message)
        return message


def _beginnings(secrets: Iterable[str]) -> set[str]:
    """Return the first characters of secrets in each form, without those that are short."""
    forms = (
        form
        for secret in secrets
        for form in (secret, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), quote(secret, safe=""))
        if len(secret) >= _LENGTH
    )
    return {form[:_LENGTH] for form in forms}


def _remove(beginning: str, text: str) -> str:
    return re.sub(f"{re.escape(beginning)}{_WORD}", MASK, text) if beginning in text else text
