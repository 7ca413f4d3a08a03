# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values in the wrappings of Ansible, of any depth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.json_values import MAX_DEPTH
from ansible_collections.managedfs.console.plugins.plugin_utils._internal import wrapped
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.wrapped import unwrap


def test_a_copy_is_made_unless_a_value_is_nested_too_deeply() -> None:
    given: dict[str, Any] = {"a": [1, ("b", {"c": None})]}
    assert unwrap(given) == {"a": [1, ["b", {"c": None}]]}
    assert unwrap(given)["a"] is not given["a"]
    deep: list[Any] = []
    for _level in range(2 * MAX_DEPTH):
        deep = [deep]
    assert unwrap(deep) is deep


def test_text_that_is_encrypted_is_decrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrapped, "VaultedText", Path)
    assert unwrap({"a": [Path("decrypted")]}) == {"a": ["decrypted"]}
