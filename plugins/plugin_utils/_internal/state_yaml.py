# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The YAML text of a volume's file. Pure.

The text is made here and not by PyYAML, since a diff is to show one record per line: no line is wrapped, and the order
of fields is that of the resource.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME, Resource

MARK = "# Written by managedfs.console.desired_state_files."
_HEADER = (
    MARK,
    "# The role managedfs.console.apply brings a console to what this file says. The next capture overwrites the file:",
    "# edits that have not been applied, and comments, are lost then.",
    "---",
)
# Text that YAML reads as itself wherever it stands, unless it looks like a number, a boolean or a date.
_CHARACTER = r"(?:[\w/.@+-]|:(?=[\w/]))"
_PLAIN = re.compile(rf"[\w/]{_CHARACTER}*(?: {_CHARACTER}+)*")
_TEXT_TAG = "tag:yaml.org,2002:str"
_RESOLVER: Any = yaml.resolver.Resolver()


def to_yaml(item: Mapping[str, Any]) -> str:
    """Return the content of the file for an item of `volumes`."""
    lines = list(_HEADER)
    lists = {child.plural: child for child in LISTS_OF_VOLUME if isinstance(item.get(child.plural), list)}
    lines += [f"{_text(name)}: {_flow(item[name])}" for name in _ordered(VOLUME, item) if name not in lists]
    for plural, child in lists.items():
        lines.append(f"{plural}:" if item[plural] else f"{plural}: []")
        lines += [f"  - {_flow({name: entry[name] for name in _ordered(child, entry)})}" for entry in item[plural]]
    return "\n".join([*lines, ""])


def _ordered(resource: Resource, item: Mapping[str, Any]) -> list[str]:
    """Return the names of an item's options: the natural key first, the id, the other fields, then anything else."""
    known = [field.name for field in resource.managed]
    order = [*known[:1], "id", *known[1:]]
    return [*(name for name in order if name in item), *sorted(name for name in item if name not in order)]


def _flow(value: Any) -> str:
    """Return a value in YAML's flow style, on one line."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(str(name))}: {_flow(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    number = json.dumps(value)
    # Without a dot, YAML 1.1 reads an exponent as text.
    return number.replace("e", ".0e", 1) if isinstance(value, float) and "." not in number else number


def _text(text: str) -> str:
    """Return a text plain where YAML reads it as that text, else quoted, with escapes for what cannot be seen."""
    if _PLAIN.fullmatch(text) and _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) == _TEXT_TAG:
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in json.dumps(text, ensure_ascii=False))


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
