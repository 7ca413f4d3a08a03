# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits on how much a task may remove, as tables."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.limit import (
    Removal,
    read_limit,
    refuse_excess,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Section
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import volume

# The limit, the removals, the total, whether some are implied, and whether that is too much.
REMOVALS: list[tuple[Any, int, int, bool, bool]] = [
    (None, 5, 5, False, False),
    (None, 4, 5, True, False),
    (None, 5, 5, True, True),
    (None, 0, 0, True, False),
    (0, 0, 5, True, False),
    ("0", 1, 5, False, True),
    (3, 3, 3, True, False),
    ("3", 4, 100, True, True),
    ("3.0", 4, 100, True, True),
    (3.0, 3, 3, True, False),
    ("30.0%", 4, 10, True, True),
    ("30%", 3, 4, True, False),
    ("30%", 3, 3, True, True),
    ("30%", 3, 3, False, False),
    ("30%", 4, 10, True, True),
    ("30%", 4, 4, False, True),
    ("1%", 1, 1, True, True),
    ("99%", 1, 1, True, True),
    (" 30 % ", 31, 100, False, True),
    (" 30 % ", 30, 100, False, False),
    ("0%", 0, 0, True, False),
    ("0%", 1, 1000, False, True),
    ("100%", 7, 7, True, False),
]


@pytest.mark.parametrize(("given", "removed", "total", "is_implied", "too_much"), REMOVALS)
def test_what_exceeds_a_limit(given: Any, removed: int, total: int, is_implied: bool, too_much: bool) -> None:
    limit = read_limit("max_deletions", given, "apply_max_deletions")
    assert Removal(removed, total, is_implied).exceeds(limit) is too_much


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_blank_is_no_limit(blank: Any) -> None:
    assert read_limit("max_deletions", blank, "apply_max_deletions") is None


@pytest.mark.parametrize("bad", ["101%", "-1", "1.5", "30 percent", "%", True, "3%%"])
def test_what_is_no_limit(bad: Any) -> None:
    with pytest.raises(
        ConsoleError, match=r"^max_deletions must be a number, or a share from 0% to 100%, not .*apply_max_d"
    ):
        read_limit("max_deletions", bad, "apply_max_deletions")


@pytest.mark.parametrize(
    ("is_kept", "limit", "is_refused"), [(True, "5", False), (False, "5", True), (False, "100%", False)]
)
def test_a_list_that_cannot_be_read_matters_only_where_it_goes_with_its_volume(
    is_kept: bool, limit: str, is_refused: bool
) -> None:
    root = Section(VOLUME, [volume(name="v", present=is_kept)._replace(children={"quotas": [], "exports": []})])
    root.records = Records(VOLUME, [{"id": 1, "name": "v"}])
    assert root.plan() == []
    for section in root.all_below:
        section.fail(ConsoleError("HTTP 500"))
    if is_refused:
        with pytest.raises(ConsoleError, match="it is not known how much goes with the volume"):
            refuse_excess(root, read_limit("max_deletions", limit, "apply_max_deletions"))
    else:
        refuse_excess(root, read_limit("max_deletions", limit, "apply_max_deletions"))
