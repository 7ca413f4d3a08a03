# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Prints how large the parts of the collection are, beside those of the last release."""

from __future__ import annotations

import re

from .places import CHECKOUT, tracked_files

RELEASE = "1.2.0"
SHARED = ("module_utils, lines", "plugin_utils, lines")
LINES, WORDS, FILES = r"\n", r"\S+", r"\A"
# By its name: in which files what is counted, and how often it was there in the last release.
FIGURES = {
    "module_utils, lines": (r"plugins/module_utils/.*\.py", LINES, 8_236),
    "module_utils, files": (r"plugins/module_utils/.*\.py", FILES, 51),
    "plugin_utils, lines": (r"plugins/plugin_utils/.*\.py", LINES, 4_051),
    "modules and other plugins, lines": (r"plugins/(?!module_utils/|plugin_utils/).*\.py", LINES, 5_658),
    "tests without lock files, lines": (r"tests/(?!requirements/lock/).*", LINES, 41_506),
    "harness, bootstrap and noxfile, lines": (r"tests/harness/.*|tests/bootstrap\.py|noxfile\.py", LINES, 1_727),
    "documentation, words": (r".*\.(?:rst|md)", WORDS, 41_527),
    "promises": (r"docs/docsite/rst/guarantees\.rst", r"\.\. promise: ", 93),
}


def main() -> None:
    texts = {str(path): (CHECKOUT / path).read_text(encoding="utf-8", errors="replace") for path in tracked_files()}
    rows = {}
    for label, (files, counted, released) in FIGURES.items():
        chosen = (text for name, text in texts.items() if re.fullmatch(files, name))
        rows[label] = (sum(len(re.findall(counted, text)) for text in chosen), released)
    now, then = (sum(figures) for figures in zip(*(rows[label] for label in SHARED), strict=True))
    promises = rows["promises"]
    rows["shared code for each promise, lines"] = (round(now / promises[0]), round(then / promises[1]))
    print(f"{'':40}{'now':>8}{RELEASE:>8}")
    for label, (figure, released) in rows.items():
        print(f"{label:40}{figure:8,}{released:8,}")


if __name__ == "__main__":
    main()
