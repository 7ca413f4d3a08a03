# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON Schemas of the collection, asked what they say of a value."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft7Validator

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.schema_files import FOLDER


@cache
def schema(name: str, closed: bool = False) -> Draft7Validator:
    """Return a schema; a closed one allows no keys but those that it describes."""
    content = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    if closed:
        _close(content)
    return Draft7Validator(content)


def complaints(name: str, value: Any, closed: bool = False) -> list[str]:
    """Return what a schema says against a value."""
    return [f"{error.json_path}: {error.message}" for error in schema(name, closed).iter_errors(value)]


def _close(content: Any) -> None:
    for inner in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        _close(inner)
    if isinstance(content, dict) and isinstance(content.get("properties"), dict):
        content.setdefault("additionalProperties", False)
