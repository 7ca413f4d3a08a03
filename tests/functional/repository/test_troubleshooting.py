# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page on troubleshooting quotes each message of the code that does not say what to do, and none that the code lacks.

A message is found by its form, since many are put together from parts: in Python every text of three words or more outside
of docstrings, in YAML every `fail_msg` and every `msg` of `fail`. Values that are inserted at run time are placeholders
here. Not found are texts of one or two words, the rest of a message after an ellipsis, and messages of Ansible, the system
or a console.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import jinja2
from ansible.parsing.dataloader import DataLoader
from jinja2 import nodes

from harness.places import CHECKOUT

PLACEHOLDER, MIN_WORDS = "<>", 3

# By the beginning of a path, or path and text: texts that are not shown when something goes wrong, and parts of messages
# that say at another place what to do.
NO_MESSAGES = {
    "examples/": "what to run again is plain in AWX",
    "plugins/doc_fragments/": "documentation",
    "plugins/module_utils/_internal/api/lists.py: <>. Report this": "an advice alone",
    "plugins/module_utils/_internal/api/lists.py: different ": "a reason",
    "plugins/module_utils/_internal/api/lists.py: the console shows": "a reason",
    "plugins/module_utils/_internal/api/lists.py: its Link": "a reason",
    "plugins/module_utils/_internal/api/lists.py: the link to": "a reason",
    "plugins/module_utils/_internal/api/lists.py: the list goes on": "a reason",
    "plugins/module_utils/_internal/api/lists.py: the pages of the list form": "a reason",
    "plugins/module_utils/_internal/changes/limit.py: ": "parts of a message that gives advice",
    "plugins/module_utils/_internal/changes/lines.py: ": "a part of the diff",
    "plugins/module_utils/_internal/changes/result.py: <>. The first error": "the error gives advice",
    "plugins/module_utils/_internal/changes/result.py: nothing to do": "a success",
    "plugins/module_utils/_internal/connection.py: a request without a host": "addresses are checked before",
    "plugins/module_utils/_internal/connection.py: it": "a reason",
    "plugins/module_utils/_internal/http/messages.py: ": "causes",
    "plugins/module_utils/_internal/http/policy.py: ": "reasons",
    "plugins/module_utils/_internal/http/transport.py: ": "a header, and causes",
    "plugins/module_utils/_internal/model/fields.py: ": "what is wrong with a value",
    "plugins/module_utils/_internal/model/goals.py: the <> of id": "a part of a message that gives advice",
    "plugins/module_utils/_internal/model/plan.py: <> differs in": "a message that ends with advice",
    "plugins/module_utils/_internal/model/plan.py: refers to the same": "what is wrong with an item",
    "plugins/module_utils/_internal/model/records.py: <> is not as": "a part of a message that gives advice",
    "plugins/module_utils/_internal/model/records.py: different ": "a part of a message that gives advice",
    "plugins/module_utils/_internal/model/resources.py: set ": "a name for readers of the code",
    "plugins/module_utils/_internal/model/resources.py: the natural key": "a name for readers of the code",
    "plugins/module_utils/_internal/model/section.py: And <> further": "after others that give advice",
    "plugins/module_utils/_internal/model/section.py: With the update": "a success",
    "plugins/module_utils/_internal/reconcile/after_request.py: <>, since it": "a part of a message that gives advice",
    "plugins/module_utils/_internal/reconcile/after_request.py: fields that": "a part of a message that gives advice",
    "plugins/module_utils/_internal/reconcile/after_request.py: not all": "a part of a message that gives advice",
    "plugins/module_utils/_internal/reconcile/after_request.py: the last": "a part of a message that gives advice",
    "plugins/module_utils/_internal/reconcile/sections.py: Nothing was": "after another error",
    "plugins/module_utils/_internal/reconcile/write_state.py: <>. The console": "after another error",
    "plugins/module_utils/_internal/rotation/steps.py: id is not given": "part of a message that gives advice",
    "plugins/module_utils/_internal/rotation/steps.py: it is gone": "part of a message that gives advice",
    "plugins/module_utils/_internal/rotation/steps.py: the console does not": "part of a message that gives advice",
    "plugins/module_utils/_internal/task.py: (too long to be shown)": "in place of an option, beside the message",
    "plugins/module_utils/_internal/task.py: begins or ends": "part of a message that gives advice",
    "plugins/module_utils/_internal/tasks/api_request.py: <> <> is not sent": "a skipped task",
    "plugins/module_utils/_internal/tasks/api_request.py: contains an empty": "part of a message that gives advice",
    "plugins/module_utils/_internal/tasks/api_request.py: is not relative": "part of a message that gives advice",
    "plugins/module_utils/_internal/tasks/items.py: there is no option": "the options that there are follow",
    "plugins/module_utils/_internal/tasks/record.py: there is no <>: nothing to delete": "a success",
    "plugins/module_utils/_internal/tasks/token_file.py: The folder": "a message that ends with advice",
    "plugins/module_utils/_internal/values.py: ": "reasons, and what is shown in place of a response",
    "plugins/plugin_utils/_internal/controller/action.py: <> of <> files": "a part of a message that gives advice",
    "plugins/plugin_utils/_internal/controller/action.py: Further files": "a part of the diff",
    "plugins/plugin_utils/_internal/controller/action.py: no file was": "a part of a message that gives advice",
    "plugins/plugin_utils/_internal/controller/worker.py: Unsupported parameters": "a message of Ansible",
    "plugins/plugin_utils/_internal/controller/worker.py: environment must be": "a message of Ansible",
    "plugins/plugin_utils/_internal/files/capture.py: nothing to write": "a success",
    "plugins/plugin_utils/_internal/files/reading.py: (?:there": "the beginnings of messages that are elsewhere",
    "plugins/plugin_utils/_internal/files/reading.py: it ": "what is wrong with a file",
    "plugins/plugin_utils/_internal/files/validation.py: nothing is wrong": "a success",
    "plugins/plugin_utils/_internal/files/writing.py: <> Nothing was": "what is wrong with a file comes first",
    "plugins/plugin_utils/_internal/files/writing.py: it does not": "part of a message that gives advice",
    "plugins/plugin_utils/_internal/files/yaml_text.py: ": "what is wrong at a line",
    "plugins/plugin_utils/_internal/roles/summary.py: ": "parts of the summary, and failures that were asked for",
}

# What a message has that says by itself what to do.
ADVICE = re.compile(
    r"(?:^|[.:;,(] )(?:or |and |that |perhaps |please |so )?(?:abort|add|allow|begin|change|check|choose|correct|create|delete"
    r"|edit|encrypt|expected something like|finish|give|indent|install|keep|leave|let|look|make|move|name|pass|put|quote|read|remove"
    r"|rename|replace|report|run|save|see|set|start|synchronize|take|use|wait|write)\b"
    r"|\bmust (?:be|begin|have|not|say|stand)\b|\b(?:is|are) required\b|mutually exclusive|should console_url|did you mean",
    re.IGNORECASE,
)
LITERAL = re.compile("``(.+?)``", re.DOTALL)
# Terms of definition lists, and what stands after "Also:" in a definition.
QUOTED = re.compile(r"^(``.+``)$|^ +Also: ((?:.+\n)+)", re.MULTILINE)


def all_texts() -> Iterator[str]:
    """Yield all texts of the code that are long enough, messages or not, each after the path of its file."""
    for folder in ("plugins", "roles", "playbooks", "examples"):
        for path in sorted((CHECKOUT / folder).rglob("*.py" if folder == "plugins" else "*.yml")):
            text = path.read_text(encoding="utf-8")
            found = texts_of_python(ast.parse(text)) if folder == "plugins" else texts_of_tasks(DataLoader().load(text))
            name = path.relative_to(CHECKOUT).as_posix()
            yield from (f"{name}: {text}" for text in found if count_words(text) >= MIN_WORDS)


def texts_of_python(node: ast.AST) -> Iterator[str]:
    """Yield the texts in a part of the code; those of an f-string as one, then what it chooses from."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("DOCUMENTATION", "EXAMPLES", "RETURN"):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.strip("\n")
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else PLACEHOLDER for part in parts)
        parts = [part for part in parts if not isinstance(part, ast.Constant)]
    for part in parts:
        yield from texts_of_python(part)


def texts_of_tasks(value: Any) -> Iterator[str]:
    """Yield the texts of tasks that fail, at any depth of YAML."""
    if isinstance(value, dict):
        failures = [value.get("fail_msg"), value.get("ansible.builtin.fail", {}).get("msg")]
        for template in filter(None, failures):
            yield from texts_of_template(jinja2.Environment(autoescape=True).parse(template))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_of_tasks(inner)


def texts_of_template(node: nodes.Node) -> Iterator[str]:
    """Yield the texts in a part of a template, in the same way as those of the code."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    parts = list(node.iter_child_nodes())
    if isinstance(node, (nodes.Output, nodes.Concat)):
        constants = [part.data if isinstance(part, nodes.TemplateData) else constant(part) for part in parts]
        yield "".join(constants)
        parts = [part for part, text in zip(parts, constants, strict=True) if text is PLACEHOLDER]
    for part in parts:
        yield from texts_of_template(part)


def constant(part: nodes.Node) -> str:
    return part.value if isinstance(part, nodes.Const) and isinstance(part.value, str) else PLACEHOLDER


def count_words(text: str) -> int:
    return len(re.findall(r"(?<!\S)[('\"]?[A-Za-z_]{2,}", text))


def is_quoted(text: str, quotes: Iterable[str]) -> bool:
    """Return whether a quote is an instance of a text, or the beginning or another part of it."""
    return any(regex(text).search(quote) or regex(quote).search(text) for quote in quotes)


@cache
def regex(text: str) -> re.Pattern[str]:
    """Return a regular expression for a text in which placeholders, and an ellipsis, stand for anything."""
    return re.compile(".*".join(re.escape(part.strip()) for part in re.split("<[^>]*>|…", text)))


TEXTS = list(all_texts())
MESSAGES = [text.split(": ", 1)[1] for text in TEXTS if not text.startswith(tuple(NO_MESSAGES))]
PAGE = (CHECKOUT / "docs/docsite/rst/troubleshooting.rst").read_text(encoding="utf-8")
QUOTES = [" ".join(text.split()) for groups in QUOTED.findall(PAGE) for text in LITERAL.findall("".join(groups))]


def test_every_message_that_gives_no_advice_is_on_the_page() -> None:
    # A text that begins with a space or a comma continues another.
    whole = [text for text in MESSAGES if re.match(r"[\w<(\"']", text) and not ADVICE.search(text)]
    assert [text for text in whole if not is_quoted(text, QUOTES)] == []
    assert len(MESSAGES) > 200
    assert not is_quoted("it was gone for good", QUOTES)


def test_every_quote_is_a_message_and_says_enough_to_be_found() -> None:
    assert [quote for quote in QUOTES if not any(is_quoted(text, [quote]) for text in MESSAGES)] == []
    assert [quote for quote in QUOTES if count_words(quote) < MIN_WORDS or QUOTES.count(quote) > 1] == []


def test_every_exception_leaves_something_out() -> None:
    assert [start for start in NO_MESSAGES if not any(text.startswith(start) for text in TEXTS)] == []
