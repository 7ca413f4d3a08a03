# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files of the desired state: what they hold, and what their JSON Schemas say of a value."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.reading import read_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import FOLDER


def items_in(source: Path, shown: str, decrypt: Callable[[bytes], bytes]) -> list[dict[str, Any]]:
    """Return the items in the files at a path, as they are written there."""
    return [entry.item for entry in read_state(source, shown, decrypt).entries]


@cache
def schema(name: str) -> Draft7Validator:
    """Return the validator of a schema."""
    return Draft7Validator(json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")))


def complaints(name: str, value: Any) -> list[str]:
    """Return what a schema says against a value."""
    return [f"{error.json_path}: {error.message}" for error in schema(name).iter_errors(value)]
