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

from ..masking import MASK, is_secret_name, scrub
from .transport import Answer

LONGEST = 500
_TITLE = re.compile(r"<(title|h1)[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
# Under these keys stands the message itself; under any other, what the message is about.
_PLAIN_KEYS = ("detail", "error", "errors", "message", "msg", "non_field_errors")


def readable(answer: Answer) -> str:
    """The console's own words from a JSON, HTML or text body, or the name of the status where there are none."""
    text = answer.content.decode("utf-8", "replace").strip()
    words = _collapse(_from_json(text) or describe(text) or http.client.responses.get(answer.status, "no message"))
    words = scrub(words, answer.secrets)
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


def describe(text: str) -> str:
    """What a body that is no JSON is: an HTML page becomes its title."""
    if not text.lstrip().startswith("<"):
        return text
    title = _TITLE.search(text)
    return f"an HTML page, '{_collapse(html.unescape(title.group(2)))}'" if title else "an HTML page"


def _from_json(text: str) -> str:
    try:
        return "; ".join(_sentences(json.loads(text), ""))
    except (ValueError, RecursionError):
        return ""


def _sentences(value: Any, about: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            # Under the name of a field a list holds what is wrong with it, a text would be its value.
            hidden = MASK if is_secret_name(key) and not isinstance(inner, list) else inner
            yield from _sentences(hidden, about if key in _PLAIN_KEYS else f"{about}{key}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _sentences(inner, about)
    elif value not in (None, ""):
        yield about + str(value)


def _collapse(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
