# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The comment by which a file names its schema for editors."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.schema_files import with_line

OURS = "# yaml-language-server: $schema=x.json"
THEIRS = "#yaml-language-server:$schema=other.json"
# The text of a file, its text before, whether the comment is wanted, and the new text.
LINES: list[tuple[str, str | None, bool, str]] = [
    ("# mark\nname: v\n", None, False, "# mark\nname: v\n"),
    ("# mark\nname: v\n", None, True, f"# mark\n{OURS}\nname: v\n"),
    ("console: [a]\n", "", True, f"{OURS}\nconsole: [a]\n"),
    (f"{OURS}\nconsole: [a]\n", None, True, f"{OURS}\nconsole: [a]\n"),
    # What a person made of it stays.
    ("# mark\nname: v\n", f"# mark\n{THEIRS}\n", True, f"# mark\n{THEIRS}\nname: v\n"),
    ("# mark\nname: v\n", f"# mark\n{THEIRS}\n", False, f"# mark\n{THEIRS}\nname: v\n"),
]


@pytest.mark.parametrize(("text", "before", "is_wanted", "after"), LINES)
def test_a_file_names_its_schema_once(text: str, before: str | None, is_wanted: bool, after: str) -> None:
    assert with_line(text, before, "x.json", is_wanted) == after
