# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How deep options and answers may be nested: Ansible goes through results recursively, and Python bounds that."""

from __future__ import annotations

from typing import Any

DEEPEST = 100


def is_too_deep(value: Any) -> bool:
    """Whether what JSON can hold is nested deeper than a result can be."""
    level = [value]
    for _depth in range(DEEPEST + 1):
        containers = [entry for entry in level if isinstance(entry, (dict, list, tuple))]
        if not containers:
            return False
        level = [inner for entry in containers for inner in (entry.values() if isinstance(entry, dict) else entry)]
    return True
