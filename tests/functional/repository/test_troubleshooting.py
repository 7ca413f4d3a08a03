# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page on troubleshooting quotes each message of the code, and no other."""

from __future__ import annotations

import ast

import pytest
import yaml

from functional.repository import messages

MESSAGES = messages.messages()
QUOTES = messages.quotes(messages.PAGE.read_text(encoding="utf-8"))


def test_every_message_is_on_the_page() -> None:
    assert [message for message in MESSAGES if message.is_whole and not messages.quote_of(message.text, QUOTES)] == []
    assert len(MESSAGES) > 200


def test_every_quote_is_a_message() -> None:
    assert [quote for quote in QUOTES if not any(messages.quote_of(text, [quote]) for _path, text in MESSAGES)] == []
    assert len(set(QUOTES)) == len(QUOTES)


def test_every_quote_says_enough_to_be_found() -> None:
    assert [quote for quote in QUOTES if messages.count_words(quote) < messages.MIN_WORDS] == []


def test_every_exception_leaves_something_out() -> None:
    texts = [f"{path}: {text}" for path, text in messages.texts() if messages.count_words(text) >= messages.MIN_WORDS]
    assert [start for start in messages.NO_MESSAGES if not any(text.startswith(start) for text in texts)] == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param('raise Error("it is here")', ["it is here"], id="a text"),
        pytest.param('warn(f"{name} is" f" in {place!r}.")', ["<> is in <>."], id="an f-string in two parts"),
        pytest.param(
            "f\"it {'is' if one else 'are'} here\"", ["it <> here", "is", "are"], id="a choice in an f-string"
        ),
        pytest.param('message += ", and here"', [", and here"], id="a continuation"),
        pytest.param('def act():\n    """Act on it."""', [], id="a docstring"),
        pytest.param('DOCUMENTATION = r"""short: text"""', [], id="documentation"),
    ],
)
def test_the_texts_of_python_are_found(code: str, found: list[str]) -> None:
    assert list(messages.texts_of_python(ast.parse(code))) == found


@pytest.mark.parametrize(
    ("task", "found"),
    [
        pytest.param("{assert: {fail_msg: it is here}}", ["it is here"], id="a text"),
        pytest.param("{block: [{ansible.builtin.fail: {msg: it is here}}]}", ["it is here"], id="fail, in a block"),
        pytest.param("{ansible.builtin.debug: {msg: it is here}}", [], id="no failure"),
        pytest.param("{fail_msg: 'in {{ dest }}.'}", ["in <>."], id="a template"),
        pytest.param("{fail_msg: \"{{ 'one' if a else 'in ' ~ b }}\"}", ["<>", "in <>", "one"], id="a choice"),
    ],
)
def test_the_texts_of_tasks_are_found(task: str, found: list[str]) -> None:
    node = yaml.compose(task)
    texts = [text for template in messages.templates(node) for text in messages.texts_of_template(template)]
    assert sorted(texts) == sorted(found)


PAGE = """
Group
-----

``it is in <place>, or it is not``
   Also: ``it is neither here nor
   there``, ``it is gone…``.

   An ``option`` is no message.
"""


def test_quotes_are_terms_and_what_stands_beside_them() -> None:
    assert messages.quotes(PAGE) == ["it is in <place>, or it is not", "it is neither here nor there", "it is gone…"]


@pytest.mark.parametrize(
    ("text", "is_quoted"),
    [
        ("it is in <>, or it is not", True),
        ("it is in <>, or it is not; look for it", True),
        ("in <>, or it is not", True),
        ("it is gone for good", True),
        ("it is on <>, or it is not", False),
        ("it was gone for good", False),
    ],
)
def test_a_quote_may_leave_out_the_rest_of_a_message_but_no_word_of_it(text: str, is_quoted: bool) -> None:
    assert (messages.quote_of(text, messages.quotes(PAGE)) is not None) == is_quoted
