# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Prints how large the parts of the collection are, beside those of the last release."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from .places import CHECKOUT, tracked_files

RELEASE, RELEASED = (
    "1.1.0",
    {
        "module_utils, lines": 6_363,
        "module_utils, files": 38,
        "plugin_utils, lines": 1_863,
        "modules and other plugins, lines": 4_401,
        "tests without lock files, lines": 29_601,
        "harness, bootstrap and noxfile, lines": 1_303,
        "documentation, words": 49_076,
        "promises": 84,
        "shared code for each promise, lines": 98,
    },
)


def measure() -> dict[str, int]:
    """Return the figures of the checkout by their names."""
    files = sorted(map(str, tracked_files()))
    code = [name for name in files if name.startswith("plugins/") and name.endswith(".py")]
    utils, own = (select(code, f"plugins/{kind}_utils/") for kind in ("module", "plugin"))
    promises = text("docs/docsite/rst/guarantees.rst").count(".. promise: ")
    return {
        "module_utils, lines": lines(utils),
        "module_utils, files": len(utils),
        "plugin_utils, lines": lines(own),
        "modules and other plugins, lines": lines(set(code) - {*utils, *own}),
        "tests without lock files, lines": lines(select(files, "tests/(?!requirements/lock/)")),
        "harness, bootstrap and noxfile, lines": lines(select(files, "tests/harness/|tests/bootstrap.py|noxfile.py")),
        "documentation, words": sum(len(text(name).split()) for name in select(files, r".*\.(rst|md)$")),
        "promises": promises,
        "shared code for each promise, lines": round((lines(utils) + lines(own)) / promises),
    }


def select(files: Iterable[str], pattern: str) -> list[str]:
    return [name for name in files if re.match(pattern, name)]


def text(name: str) -> str:
    return Path(CHECKOUT, name).read_text(encoding="utf-8", errors="replace")


def lines(names: Iterable[str]) -> int:
    return sum(len(text(name).splitlines()) for name in names)


if __name__ == "__main__":
    print(f"{'':40}{'now':>8}{RELEASE:>8}")
    for label, figure in measure().items():
        print(f"{label:40}{figure:8,}{RELEASED[label]:8,}")
