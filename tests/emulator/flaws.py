# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses in malformed JSON that lenient readers accept all the same."""

from __future__ import annotations

import codecs
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answers import Answer

FLAWS: dict[str, str] = {
    "bom": "a byte order mark stands before it",
    "nan": "every object begins with NaN and -Infinity",
    "bad_utf8": "every object begins with a text that is not UTF-8",
    "long_number": "every object begins with a number of 5,000 digits",
    "escaped_names": "every name is written with \\u escapes",
}
"""What a response can contain that JSON does not allow or that readers refuse."""

_BEGINNINGS = {
    "nan": '"ratio":NaN,"least":-Infinity',
    "bad_utf8": '"note":"\udcff\udcc3"',
    "long_number": f'"inode":{"7" * 5000}',
}
"""Members; half a surrogate pair stands for the byte that it escapes."""


def flawed(answer: Answer, flaw: str) -> Answer:
    """Return a response with a flaw; one that holds no JSON stays as it is."""
    try:
        value = json.loads(answer.body)
    except ValueError:
        return answer
    text = _written(value, _BEGINNINGS.get(flaw, ""), escaped=flaw == "escaped_names")
    mark = codecs.BOM_UTF8 if flaw == "bom" else b""
    return replace(answer, body=mark + text.encode("ascii", "surrogateescape"))


def _written(value: Any, beginning: str, *, escaped: bool) -> str:
    """Return a value as JSON whose objects have a beginning, and names that may be escaped."""
    if isinstance(value, dict):
        members = [
            f"{_name(name, escaped)}:{_written(entry, beginning, escaped=escaped)}" for name, entry in value.items()
        ]
        return "{" + ",".join([beginning] * bool(beginning) + members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_written(entry, beginning, escaped=escaped) for entry in value) + "]"
    return json.dumps(value)


def _name(name: str, escaped: bool) -> str:
    """Return a name as JSON, each of its characters as an escape where asked for."""
    if not escaped:
        return json.dumps(name)
    units = name.encode("utf-16-be", "surrogatepass").hex()
    return '"' + "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4)) + '"'
