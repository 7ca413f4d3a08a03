# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pictures of the documentation: used, and described in words."""

from __future__ import annotations

import re

from harness.places import CHECKOUT

FOLDER = CHECKOUT / "docs" / "docsite" / "rst" / "pictures"
RST = re.compile(r"^\.\. (?:image|figure):: pictures/(\S+)\n((?:   +.*\n)*)", re.MULTILINE)


def used() -> list[tuple[str, str]]:
    """Return the pictures that pages show, each with its description."""
    pages = [path.read_text(encoding="utf-8") for path in FOLDER.parent.glob("*.rst")]
    return [(name, options.partition(":alt:")[2]) for page in pages for name, options in RST.findall(page)]


def test_each_picture_is_shown_and_described_in_words() -> None:
    pictures = {path.name for path in FOLDER.iterdir() if path.suffix in {".svg", ".png"}}
    assert {name for name, _words in used()} == pictures
    assert [name for name, words in used() if len(words.split()) < 20] == []
