# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each promise of the page on guarantees is held by a test, and each test that is marked holds one.

The page has an identifier before each statement, in a comment that users do not see: `.. promise: success-is-true`. A
test that holds the statement is marked with it: `@pytest.mark.promise("success-is-true")`.
"""

from __future__ import annotations

import ast
import re

from harness.places import CHECKOUT

PAGE = (CHECKOUT / "docs/docsite/rst/guarantees.rst").read_text(encoding="utf-8")
# What the page lists as not promised.
NOT_PROMISED = {"name-lookup-is-not-bounded", "what-you-write-is-yours"}
# Identifier and first line of each; the identifier is empty where there is none.
STATEMENTS = re.findall(r"(?:^\.\. promise: (\S+)\n\n)?^- (.+)", PAGE, re.MULTILINE)


def claimed() -> set[str]:
    return {
        ast.literal_eval(argument)
        for path in (CHECKOUT / "tests" / "functional").rglob("test_*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.promise"
        for argument in mark.args
    }


def test_every_statement_has_an_identifier_of_its_own() -> None:
    assert [text for identifier, text in STATEMENTS if not identifier] == []
    assert len({identifier for identifier, _text in STATEMENTS}) == len(STATEMENTS) > 35


def test_every_statement_is_held_by_a_test_and_every_marked_test_holds_one() -> None:
    assert {identifier for identifier, _text in STATEMENTS} ^ claimed() == NOT_PROMISED
