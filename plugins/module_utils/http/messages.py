# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A readable sentence from whatever an unsuccessful answer holds (the specification's "Errors": shape not shown)."""

from __future__ import annotations

import html
import http.client
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..masking import MASK, is_secret_name, mask_text, scrub
from .transport import Answer

LONGEST = 500
# Of a body no more is looked at: the message is cut to far less.
_MOST_BYTES = 20_000
_TITLE = re.compile("<(title|h1)[^>]*>", re.IGNORECASE)
# Under these keys stands the message itself; under any other, what the message is about.
_PLAIN_KEYS = ("detail", "error", "errors", "message", "msg", "non_field_errors")


def readable(answer: Answer) -> str:
    """The console's own words from a JSON, HTML or text body, or the name of the status where there are none."""
    text = answer.content[:_MOST_BYTES].decode("utf-8-sig", "replace").strip()
    words = _from_json(text) or mask_text(describe(text)) or http.client.responses.get(answer.status, "no message")
    shown: str = scrub(_collapse(words), answer.secrets)
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + "…"


def describe(text: str) -> str:
    """What a body that is no JSON is: an HTML page becomes its title."""
    if not text.lstrip().startswith("<"):
        return text
    start = _TITLE.search(text)
    end = start and text.lower().find(f"</{start.group(1).lower()}>", start.end())
    if start is None or end is None or end < 0:
        return "an HTML page"
    return f"an HTML page, '{_collapse(html.unescape(text[start.end() : end]))}'"


def _from_json(text: str) -> str:
    try:
        return "; ".join(_sentences(json.loads(text), ""))
    except (ValueError, RecursionError):
        return ""


def _sentences(value: Any, about: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            hidden = MASK if is_secret_name(key) and not _are_sentences(inner) else inner
            yield from _sentences(hidden, about if key in _PLAIN_KEYS else f"{about}{key}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _sentences(inner, about)
    elif value not in (None, ""):
        yield about + mask_text(str(value))


def _are_sentences(value: Any) -> bool:
    """Whether what stands under the name of a field is what is wrong with it, and not its value."""
    return isinstance(value, list) and all(isinstance(entry, str) and " " in entry.strip() for entry in value)


def _collapse(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
