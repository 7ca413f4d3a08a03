# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What messages say of many: as much as they have room for, and whether there is more."""

from __future__ import annotations

from ansible_collections.managedfs.console.plugins.module_utils._internal.texts import (
    counted,
    first_of,
    first_sentences,
    shorten,
)


def test_what_is_cut_off_shows_as_three_dots() -> None:
    assert [shorten(text, 3) for text in ("", "abc", "abcd")] == ["", "abc", "abc..."]


def test_further_names_show_as_three_dots() -> None:
    assert [first_of(names, 2) for names in ("", "a", "ab", "abc", "abcd")] == [
        "",
        "a",
        "a, b",
        "a, b, ...",
        "a, b, ...",
    ]
    assert first_of(iter("abc"), 2, "; ") == "a; b; ..."


def test_further_sentences_are_counted() -> None:
    sentences = ["One.", "Two.", "Three.", "Four."]
    assert [first_sentences(iter(sentences[:count]), 2) for count in range(5)] == [
        *("", "One.", "One. Two."),
        *("One. Two. And 1 more.", "One. Two. And 2 more."),
    ]
    assert first_sentences(sentences, 1, " of the items") == "One. And 3 more of the items."


def test_a_noun_is_in_the_plural_unless_there_is_one() -> None:
    assert [counted(count, "quotas") for count in (0, 1, 2, 1200)] == [
        "0 quotas",
        "1 quota",
        "2 quotas",
        "1,200 quotas",
    ]
