# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits on how much a task may remove, as tables."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.limit import read_limit


@pytest.mark.parametrize(
    ("given", "removed", "total", "exceeded"),
    [
        (0, 0, 5, False),
        ("0", 1, 5, True),
        (3, 3, 3, False),
        ("3", 4, 100, True),
        ("30%", 3, 10, False),
        ("30%", 4, 10, True),
        (" 30 % ", 31, 100, True),
        ("0%", 0, 0, False),
        ("100%", 7, 7, False),
    ],
)
def test_what_exceeds_a_limit(given: Any, removed: int, total: int, exceeded: bool) -> None:
    limit = read_limit("max_deletions", given, "apply_max_deletions")
    assert limit
    assert limit.is_exceeded(removed, total) is exceeded


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_blank_is_no_limit(blank: Any) -> None:
    assert read_limit("max_deletions", blank, "apply_max_deletions") is None


@pytest.mark.parametrize("bad", ["101%", "-1", "1.5", "30 percent", "%", True, "3%%"])
def test_what_is_no_limit(bad: Any) -> None:
    with pytest.raises(
        ConsoleError, match=r"^max_deletions must be a number, or a share from 0% to 100%, not .*apply_max_d"
    ):
        read_limit("max_deletions", bad, "apply_max_deletions")
