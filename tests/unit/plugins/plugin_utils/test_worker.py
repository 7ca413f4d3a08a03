# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is refused before a module is started."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller import worker

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a list as a key": ({"secret_key": ["a"]}, "secret_key must be text, not a list or a dictionary."),
    "a dictionary as a key": ({"access_key": {}}, "access_key must be text, not a list or a dictionary."),
    "a NUL": ({"a": "b", "name": "x\0"}, "name contains a NUL character. Remove it."),
    "a NUL within": ({"a": [{"b": "\\\0"}]}, "a contains a NUL character. Remove it."),
    "text that looks like one": ({"name": "\\u0000"}, ""),
}


@pytest.mark.parametrize(("given", "message"), REFUSED.values(), ids=REFUSED)
def test_what_no_module_takes_is_refused_before_one_is_started(given: dict[str, Any], message: str) -> None:
    assert worker._problem(given) == message
