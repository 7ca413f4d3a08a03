# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each promise of the page on guarantees is held by a test, and each marked test holds one."""

from __future__ import annotations

from functional.repository import promises

STATEMENTS = promises.statements(promises.PAGE.read_text(encoding="utf-8"))
IDENTIFIERS = [identifier for identifier, _text in STATEMENTS]


def test_every_statement_has_an_identifier_of_its_own() -> None:
    assert [text for identifier, text in STATEMENTS if not identifier] == []
    assert len(set(IDENTIFIERS)) == len(IDENTIFIERS) > 35


def test_every_statement_is_held_by_a_test() -> None:
    assert set(IDENTIFIERS) - set(promises.holders()) == promises.NOT_PROMISED


def test_every_marked_test_holds_a_statement() -> None:
    assert set(promises.holders()) - set(IDENTIFIERS) == set()


def test_statements_are_read_with_and_without_an_identifier() -> None:
    page = "Page\n====\n\n.. promise: one\n\n- The first\n  of two.\n\n- The second.\n"
    assert promises.statements(page) == [("one", "The first of two."), ("", "The second.")]
