# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Asks the search of the built site what users ask: the page that answers must be among the first three hits.

The search is Sphinx' own: it wants every word of a question on the page, but for stop words and numbers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import quickjs

ANSWERS = {
    "delete a volume": "docsite/guide_existing_console",
    "undo a change": "docsite/guide_existing_console",
    "two people change at once": "docsite/guide_shared_console",
    "HTTP 401": "docsite/troubleshooting",
    "self-signed certificate": "docsite/troubleshooting",
    "quotas for 5,000 users": "docsite/guide_existing_console",
    "who may write from an address": "docsite/guide_shared_console",
    "rotate a token": "docsite/guide_shared_console",
    "AWX approval": "docsite/guide_awx",
    "remove the collection": "docsite/troubleshooting",
}
SCRIPTS = ("_static/language_data.js", "_static/searchtools.js", "searchindex.js")
# What these scripts expect of a browser. Nothing is shown.
BROWSER = """
var window = globalThis, document = {getElementById: () => null}, SPHINX_HIGHLIGHT_ENABLED = false;
var _ = text => text, _ready = () => {};
"""
# The last hit is shown first.
HITS = "JSON.stringify(Search._performSearch(...Search._parseQuery({})).reverse().map(hit => hit[0]))"


def main(site: Path) -> int:
    """Print each question that is not answered, with its hits, and return how many there are."""
    context = quickjs.Context()
    context.eval(BROWSER + "\n".join((site / name).read_text(encoding="utf-8") for name in SCRIPTS))
    unanswered = 0
    for question, answer in ANSWERS.items():
        hits = json.loads(context.eval(HITS.format(json.dumps(question))))
        if answer not in hits[:3]:
            unanswered += 1
            print(f"{question}: {answer} is not among the first three of {hits}")
    return unanswered


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
