# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON values: parsed from responses, checked for depth, and made printable. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

# Ansible walks results recursively, and Python limits the recursion.
MAX_DEPTH = 100
# A list of 50,000 records has 550,000. Each takes a few bytes of JSON, and a hundred in memory.
MAX_VALUES = 2_000_000
# A task that reads the lists of many volumes holds them all.
MAX_VALUES_OF_TASK = 4_000_000
_CONTAINERS = (dict, list, tuple)
# Whole numbers up to 308 digits fit into a float, which calculations with a result may need.
_LONG_NUMBER = b"0" * 309
_UNUSABLE_NUMBER = "infinity, NaN or a number of more than 308 digits"
_ANY_DIGIT_TO_0 = bytes.maketrans(b"123456789", b"000000000")


class UnusableJsonError(ValueError):
    """JSON that no result could hold; the message tells users what it contains."""


def parse_json(content: bytes) -> Any:
    """Return the value of a JSON text; ValueError for anything else, UnusableJsonError for what no result could hold."""
    if count_values(content) > MAX_VALUES:
        raise UnusableJsonError(f"more than {MAX_VALUES:,} values")
    return read_json(content)


def read_json(content: bytes) -> Any:
    """Return the value of a JSON text of any length, with the same errors."""
    # Ten times as fast as a regular expression. A text of so many digits is refused as well.
    if _LONG_NUMBER in content.translate(_ANY_DIGIT_TO_0):
        raise UnusableJsonError(_UNUSABLE_NUMBER)
    try:
        # Nothing holds the decoded text afterwards, which may take four times the memory.
        value = json.loads(content.decode(), parse_constant=_read_float, parse_float=_read_float)
    except RecursionError:
        raise UnusableJsonError("values nested too deeply") from None
    if is_too_deep(value):
        raise UnusableJsonError("values nested too deeply")
    # A lone surrogate cannot be printed, nor can a result that holds one.
    has_surrogates = b"\\ud" in content.lower()
    return map_text(value, lambda text: re.sub("[\ud800-\udfff]", "\ufffd", text)) if has_surrogates else value


def count_values(content: bytes) -> int:
    """Return an upper bound on the number of values in a JSON text: commas in strings count, too."""
    return content.count(b",") + content.count(b"{") + content.count(b"[") + 1


def is_too_deep(value: Any) -> bool:
    """Return whether a value is nested deeper than a result can be."""
    containers: list[Any] = [[value]]
    for _depth in range(MAX_DEPTH + 1):
        if not containers:
            return False
        containers = [
            inner
            for container in containers
            for inner in (container.values() if isinstance(container, dict) else container)
            if isinstance(inner, _CONTAINERS)
        ]
    return bool(containers)


def map_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a copy with `change` applied to each text, names included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {map_text(name, change): map_text(inner, change) for name, inner in value.items()}
    return [map_text(inner, change) for inner in value] if isinstance(value, list) else value


def printable(text: str) -> str:
    r"""Return text with each unprintable character written as an escape such as `\u202e`.

    Text must neither deceive its reader at a terminal, nor give the terminal commands.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def _read_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UnusableJsonError(_UNUSABLE_NUMBER)
    return number
