# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The size of the collection, which only falls."""

from __future__ import annotations

import pytest

from harness import size

CODE = '''\
"""Not counted."""

import os
from sys import (
    argv,
)

TEXT = """This is
no docstring, and counts."""


class Thing:
    """Not counted
    either."""

    # Nor is a comment.
    def method(self):
        import json  # in a function, too

        return TEXT  # 5 lines by now
'''


def test_code_is_what_is_neither_documentation_nor_import() -> None:
    assert size.count_code(CODE) == 5


@pytest.mark.parametrize("part", size.ratchet())
def test_no_part_grows(part: str) -> None:
    now, noted = size.ratchet()[part]
    assert now <= noted, "say it with fewer lines, or delete something"
    assert now == noted, "it is smaller: lower the figure in tests/harness/size.py"
