# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One readable sentence from whatever an unsuccessful response holds (docs/docsite/rst/api.rst, "Errors")."""

from __future__ import annotations

import html
import http.client
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..masking import MASK, is_secret_name, mask_text
from .response import Response

MAX_LENGTH = 500
_MAX_BYTES = 20_000
_KEYS_THAT_SAY_NOTHING = ("detail", "error", "errors", "message", "msg", "non_field_errors")


def readable(response: Response) -> str:
    """Return the console's own message from a JSON, HTML or text body, or the name of the status where there is none."""
    text = response.content[:_MAX_BYTES].decode("utf-8-sig", "replace").strip()
    message = _from_json(text) or mask_text(summarize(text)) or http.client.responses.get(response.status, "no message")
    message = _printable(message)
    return message if len(message) <= MAX_LENGTH else message[:MAX_LENGTH] + "…"


def summarize(text: str) -> str:
    """Return the title of an HTML page, and any other text as it is."""
    if not text.lstrip().startswith("<"):
        return text
    start = re.search("<(title|h1)[^>]*>", text, re.IGNORECASE)
    end = start and text.lower().find(f"</{start.group(1).lower()}>", start.end())
    if start is None or end is None or end < 0:
        return "an HTML page"
    return f"an HTML page, '{_printable(html.unescape(text[start.end() : end]))}'"


def _from_json(text: str) -> str:
    try:
        return "; ".join(_sentences(json.loads(text), ""))
    except (ValueError, RecursionError):
        return ""


def _sentences(value: Any, subject: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            visible = MASK if is_secret_name(key) and not _are_sentences(inner) else inner
            yield from _sentences(visible, subject if key in _KEYS_THAT_SAY_NOTHING else f"{subject}{key}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _sentences(inner, subject)
    elif value not in (None, ""):
        yield subject + mask_text(str(value))


def _are_sentences(value: Any) -> bool:
    """Return whether what stands under the name of a field says what is wrong with it, and is not its value."""
    return isinstance(value, list) and all(isinstance(entry, str) and " " in entry.strip() for entry in value)


def _printable(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
