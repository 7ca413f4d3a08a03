# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Text from elsewhere in a code block, which nothing in it can end."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.markdown import to_block

BLOCKS: list[tuple[list[str], str, list[str]]] = [
    ([], "```", []),
    (["a", "b `c`"], "```", ["a", "b `c`"]),
    (["a\nb\r\nc"], "```", ["a b c"]),
    (["a ``` b", "``"], "````", ["a ``` b", "``"]),
    (["`````"], "``````", ["`````"]),
]


@pytest.mark.parametrize(("lines", "fence", "shown"), BLOCKS)
def test_a_fence_is_longer_than_any_in_its_block(lines: list[str], fence: str, shown: list[str]) -> None:
    assert to_block(lines) == [f"{fence}text", *shown, fence]
