# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The steps of a guide, as a reader would take them.

A code block of language `shell` is a command. The classes of other blocks say what they are: `terminal` is a command
for another terminal, `file` is to be saved under the name in its caption, `job` as well, and a CI server then runs its
commands, `captured` is what such a file contains, `printed` is part of what the last command printed. A comment that
begins with `run:` is what happens behind the reader's back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives


class Step(NamedTuple):
    """Something to do, of a kind that a class names, or to `run`."""

    kind: str
    text: str
    name: str = ""


class CodeBlock(Directive):
    """Sphinx's directive, as far as guides use it."""

    has_content = True
    optional_arguments = 1
    option_spec = {"class": directives.unchanged, "caption": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return a literal block that knows its language and class."""
        block = nodes.literal_block(text="\n".join(self.content))
        block["language"] = (self.arguments or [""])[0]
        block["kind"] = self.options.get("class", "")
        block["name"] = self.options.get("caption", "")
        return [block]


def steps(guide: Path) -> list[Step]:
    """Return the steps of a guide in their order."""
    directives.register_directive("code-block", CodeBlock)
    settings: dict[str, Any] = {"report_level": 5, "file_insertion_enabled": False}
    tree = publish_doctree(guide.read_text(encoding="utf-8"), settings_overrides=settings)
    found = [_step(node) for node in tree.findall() if isinstance(node, (nodes.literal_block, nodes.comment))]
    return [step for step in found if step]


def _step(node: nodes.Element) -> Step | None:
    text = node.astext()
    if isinstance(node, nodes.comment):
        return Step("run", text.removeprefix("run: ")) if text.startswith("run: ") else None
    if node.get("kind"):
        return Step(node["kind"], text, node["name"])
    return Step("run", text) if node.get("language") == "shell" else None
