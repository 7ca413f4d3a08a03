# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values that JSON can hold: read from a response, and walked through at any depth. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

# Ansible walks through results recursively, and Python bounds the depth of that.
MAX_DEPTH = 100
_CONTAINERS = (dict, list, tuple)


def parse_json(content: bytes) -> Any:
    """Return the value of a JSON text; ValueError for anything else, and for one nested too deeply to be shown."""
    try:
        value = json.loads(content.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if is_too_deep(value):
        raise ValueError("nested too deeply")
    # Half of a surrogate pair cannot be printed, and so no result with it.
    return map_text(value, _without_surrogates) if b"\\ud" in content.lower() else value


def parse_loosely(text: str) -> Any:
    """Return the value of a text that is nearly JSON: with NaN, or numbers that are too long; ValueError otherwise."""
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str, strict=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_too_deep(value: Any) -> bool:
    """Return whether a value is nested deeper than a result can be."""
    containers = [value] if isinstance(value, _CONTAINERS) else []
    for _depth in range(MAX_DEPTH + 1):
        if not containers:
            return False
        containers = [
            inner
            for container in containers
            for inner in (container.values() if isinstance(container, dict) else container)
            if isinstance(inner, _CONTAINERS)
        ]
    return True


def map_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a copy in which each text, names included, is what `change` makes of it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {map_text(name, change): map_text(inner, change) for name, inner in value.items()}
    return [map_text(inner, change) for inner in value] if isinstance(value, list) else value


def _without_surrogates(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
