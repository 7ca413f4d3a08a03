# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the value of a role's variable means, and whether it still is what somebody wrote. Pure.

It is strict because of AWX: ansible-core 2.19 and later read each answer of a survey as a YAML scalar, so that the text `010`
arrives as the number 8.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from ...module_utils._internal.model.records import format_value
from ...module_utils._internal.model.resources import is_blank

_SIZES = {"tenant_size"}


def holds_dictionaries(option: Mapping[str, Any]) -> bool:
    """Return whether an option is a list of something else than text."""
    return option["type"] == "list" and option.get("elements") != "str"


def clean(name: str, option: Mapping[str, Any], value: Any) -> Any:
    """Return a value as it was written, without blanks and quotation marks around it; None if nothing is left.

    ValueError if it may have been something else when it was written.
    """
    if option["type"] == "list":
        return _clean_list(name, option, value)
    if isinstance(value, str):
        value = _unquote(value)
    if value is None or value == "":
        return None
    if name in _SIZES:
        return _size(name, value)
    if option["type"] == "int":
        return _whole_number(name, value)
    if option["type"] in ("str", "path") and "choices" not in option:
        return _text(name, value)
    return value


def _clean_list(name: str, option: Mapping[str, Any], value: Any) -> Any:
    """Return a list, of which text is one with commas."""
    if value is None or is_blank(value):
        return None
    if holds_dictionaries(option):
        return value
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    item_option = {**option, "type": "str"}
    cleaned = [clean(f"An item of {name}", item_option, item) for item in items]
    return [item for item in cleaned if item is not None]


def _unquote(text: str) -> str:
    """Return a text without blanks around it, and without the one pair of quotation marks that keeps it from YAML."""
    text = text.strip()
    match = re.fullmatch(r"""(['"])(.*)\1""", text, re.DOTALL)
    is_quoted = match is not None and match[1] not in match[2]
    return text[1:-1].strip() if is_quoted else text


def _text(name: str, value: Any) -> str:
    if isinstance(value, (list, tuple, Mapping)):
        raise ValueError(f"{name} must be text, not a list or a dictionary.")
    if isinstance(value, bool):
        shown, kind, example = str(value).lower(), "true or false", "no"
    elif isinstance(value, (int, float)):
        shown, kind, example = f"the number {value}", "a number", "1.10" if isinstance(value, float) else "010"
    elif isinstance(value, dt.date):
        shown, kind, example = f"the date {value}", "a date", f"{value}"
    else:
        return str(value)
    also = f" or {value}" if kind == "a number" else ""
    raise ValueError(
        f"{name} must be text, but arrived as {shown}; ansible-core reads an answer such as {example}{also} as {kind}. Write it"
        f" in quotation marks, such as '{example}'."
    )


def _size(name: str, value: Any) -> str:
    """Return a size as text; a number without a unit may have been 1:30 or 010 when it was written."""
    if value == "0" or (_is_whole(value) and value == 0):
        return "0"
    if isinstance(value, str) and re.search("[A-Za-z]", value):
        return value
    shown = format_value(value) if isinstance(value, str) else value
    raise ValueError(
        f"{name} must be a size with a unit, such as 10GiB or 10B for bytes, or 0 for no limit, not {shown}."
    )


def _whole_number(name: str, value: Any) -> int:
    if _is_whole(value) or (isinstance(value, str) and re.fullmatch("-?(0|[1-9][0-9]*)", value)):
        return int(value)
    shown = format_value(value) if isinstance(value, str) else value
    raise ValueError(f"{name} must be a whole number in plain digits, such as 8, not {shown}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
