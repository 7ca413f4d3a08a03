# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which messages the code has, and which of them the page on troubleshooting quotes.

A message is found by its form, since many are put together from parts: in Python every text of three words or more that
is no documentation, in YAML every `fail_msg` and every `msg` of `fail`. What is put in when the task runs is a placeholder
here. `NO_MESSAGES` names the texts that nobody is shown when something goes wrong. What is not seen: texts of one or two words,
the rest of a message after an ellipsis, and what Ansible, the system or a console say.

To print the messages by file: `PYTHONPATH=tests python -m functional.repository.messages`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import jinja2
import yaml
from jinja2 import nodes

from harness.places import CHECKOUT

PAGE = CHECKOUT / "docs/docsite/rst/troubleshooting.rst"
PLACEHOLDER = "<>"
MIN_WORDS = 3

# By the beginning of a path, or path and text: what is not shown when something goes wrong.
NO_MESSAGES = {
    "plugins/doc_fragments/": "documentation",
    "plugins/module_utils/_internal/tasks/results.py: nothing to do": "a success",
    "plugins/action/desired_state_files.py: nothing to write": "a success",
    "plugins/module_utils/_internal/module.py: (nested too deeply)": "in place of an option, beside the message",
    "plugins/module_utils/_internal/model/resources.py: the natural key": "a name for readers of the code",
    "plugins/module_utils/_internal/model/resources.py: set ": "a name for readers of the code",
    "plugins/module_utils/_internal/http/transport.py: managedfs.console/": "a header",
    "plugins/module_utils/_internal/http/messages.py: wrong version number": "part of a message of OpenSSL",
    "plugins/module_utils/_internal/http/messages.py: record layer failure": "part of a message of OpenSSL",
    "plugins/module_utils/_internal/http/signing.py: only a body of bytes": "a mistake in the code",
    "plugins/module_utils/_internal/http/signing.py: a request without a host": "addresses are checked before",
    "plugins/module_utils/_internal/connection.py: a request without a host": "addresses are checked before",
    "plugins/module_utils/_internal/http/transport.py: the response took too long": "a cause, for which http/messages.py has words",
    "plugins/module_utils/_internal/json_values.py: <> is not JSON": "a cause, for which http/messages.py has words",
    "plugins/plugin_utils/_internal/state_yaml.py: # ": "the comment at the top of a file",
}

_DOCUMENTATION = {"DOCUMENTATION", "EXAMPLES", "RETURN"}
_LITERAL = re.compile("``(.+?)``", re.DOTALL)
# Terms of definition lists, and what stands after "Also:" in a definition.
_QUOTED = re.compile(r"^(``.+``)$|^ +Also: ((?:.+\n)+)", re.MULTILINE)


class Message(NamedTuple):
    """A text of the code, with placeholders, and the file that it is in."""

    path: str
    text: str

    @property
    def is_whole(self) -> bool:
        """Return whether the text stands for itself; one that begins with a space or a comma continues another."""
        return re.match(r"[\w<(\"']", self.text) is not None


def messages() -> list[Message]:
    """Return all messages of the code."""
    return [message for message in texts() if _is_message(message)]


def texts() -> Iterator[Message]:
    """Yield all texts of the code, messages or not."""
    for path in _files("plugins", "*.py"):
        for text in texts_of_python(ast.parse(path.read_text(encoding="utf-8"))):
            yield Message(_name(path), text)
    for path in chain.from_iterable(_files(folder, "*.yml") for folder in ("roles", "playbooks", "examples")):
        for template in templates(yaml.compose(path.read_text(encoding="utf-8"))):
            for text in texts_of_template(template):
                yield Message(_name(path), text)


def quotes(page: str) -> list[str]:
    """Return the messages that the page quotes."""
    found = ["".join(groups) for groups in _QUOTED.findall(page)]
    return [" ".join(literal.split()) for text in found for literal in _LITERAL.findall(text)]


def quote_of(text: str, among: Iterable[str]) -> str | None:
    """Return the quote that is an instance of a text, or the beginning or another part of it."""
    return next((quote for quote in among if _regex(text).search(quote) or _regex(quote).search(text)), None)


def count_words(text: str) -> int:
    """Return how many words a text has, without placeholders."""
    return len(re.findall(r"(?<!\S)[('\"]?[A-Za-z_]{2,}", text))


@cache
def _regex(text: str) -> re.Pattern[str]:
    """Return a regular expression for a text in which placeholders, and an ellipsis, stand for anything."""
    return re.compile(".*".join(re.escape(part.strip()) for part in re.split("<[^>]*>|…", text)))


def _is_message(message: Message) -> bool:
    is_excluded = any(f"{message.path}: {message.text}".startswith(start) for start in NO_MESSAGES)
    return count_words(message.text) >= MIN_WORDS and not is_excluded


def _files(folder: str, pattern: str) -> list[Path]:
    return sorted((CHECKOUT / folder).rglob(pattern))


def _name(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def texts_of_python(node: ast.AST) -> Iterator[str]:
    """Yield the texts in a part of the code; those of an f-string as one, then what it chooses from."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in _DOCUMENTATION:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.strip("\n")
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.JoinedStr):
        constants = [str(part.value) if isinstance(part, ast.Constant) else PLACEHOLDER for part in parts]
        yield "".join(constants)
        parts = [part for part in parts if not isinstance(part, ast.Constant)]
    for part in parts:
        yield from texts_of_python(part)


def templates(node: yaml.Node | None) -> Iterator[str]:
    """Yield what tasks fail with, at any depth of YAML."""
    if isinstance(node, yaml.SequenceNode):
        for inner in node.value:
            yield from templates(inner)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "ansible.builtin.fail":
                yield from (inner.value for name, inner in value.value if name.value == "msg")
            elif key.value == "fail_msg":
                yield value.value
            yield from templates(value)


def texts_of_template(template: str) -> Iterator[str]:
    """Yield the texts in a template."""
    yield from _texts_of_jinja(jinja2.Environment(autoescape=True).parse(template))


def _texts_of_jinja(node: nodes.Node) -> Iterator[str]:
    """Yield the texts in a part of a template, in the same way."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    parts = list(node.iter_child_nodes())
    if isinstance(node, (nodes.Output, nodes.Concat)):
        constants = [_constant(part) for part in parts]
        yield "".join(constants)
        parts = [part for part, constant in zip(parts, constants, strict=True) if constant is PLACEHOLDER]
    for part in parts:
        yield from _texts_of_jinja(part)


def _constant(part: nodes.Node) -> str:
    if isinstance(part, nodes.TemplateData):
        return part.data
    return part.value if isinstance(part, nodes.Const) and isinstance(part.value, str) else PLACEHOLDER


def main() -> None:
    """Print the messages of the code, by file, and before each the quote of it on the page."""
    quoted = quotes(PAGE.read_text(encoding="utf-8"))
    for message in messages():
        mark = " " if quote_of(message.text, quoted) else "-" if message.is_whole else "~"
        print(f"{mark} {message.path}: {message.text}")


if __name__ == "__main__":
    main()
