# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The summary of a run on any number of consoles."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.outcomes import (
    AS_DESIRED,
    AWAY,
    CHANGED,
    DIFFERS,
    FAILED,
    NOT_COMPARED,
    Outcome,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.summaries import (
    cut,
    handed_on,
    show,
    show_notes,
    sum_up,
    summarize,
    to_file,
)


def read(host: str, state: str, brief: str = "", **details: Any) -> Outcome:
    """Return the outcome of a console that was read."""
    return Outcome(host, state, brief, f"# {host}\n", {"consoles": 1, "created": 2}, **details)


OSLO = Outcome("oslo", AWAY, "no\n answer", "# `oslo`\n")
ROME = Outcome("rome", FAILED, "wrong")
A, B = read("a", AS_DESIRED), read("b", DIFFERS, "2 created", plan="v1-0")
C, D = read("c", AS_DESIRED, plan="nothing"), read("d", DIFFERS)
HEADS: list[tuple[list[Outcome], str]] = [
    ([A], "1 console: 1 as desired"),
    ([A, B], "2 consoles: 1 differs, 1 as desired"),
    ([B, D, OSLO, ROME], "4 consoles: 2 differ, 1 away, 1 failed"),
    ([read("x", CHANGED), read("y", NOT_COMPARED)], "2 consoles: 1 changed, 1 not compared"),
]


@pytest.mark.parametrize(("outcomes", "head"), HEADS)
def test_the_first_line_counts(outcomes: list[Outcome], head: str) -> None:
    assert summarize(outcomes, False, 2000).splitlines()[0] == head


def test_of_several_those_that_failed_come_first_then_those_that_differ() -> None:
    assert summarize([A, B, ROME, C, OSLO, D], False, 2000).splitlines() == [
        "6 consoles: 2 differ, 1 away, 1 failed, 2 as desired",
        "",
        "- rome: failed: `wrong`",
        "- oslo: away: `no answer`",
        "- b: differs: 2 created",
        "- d: differs",
        "",
        "# b: b",
        "",
        "# d: d",
        "",
        "# a: a",
        "",
        "# c: c",
    ]


# How many consoles failed, the characters that there are for each, and how many are named.
LENGTHS = [(2, 200, 2), (20, 60, 14), (200, 40, 19)]


@pytest.mark.parametrize(("count", "brief", "named"), LENGTHS)
def test_what_does_not_fit_is_counted_and_more_consoles_have_shorter_lines(count: int, brief: int, named: int) -> None:
    many = [Outcome(f"h{number:03}", AWAY, "ü" * 500) for number in range(count)]
    text = summarize(many, False, 2000)
    assert len(text.encode()) <= 2000
    assert text.splitlines() == [
        f"{count} consoles: {count} away",
        "",
        *(f"- h{number:03}: away: `{'ü' * brief}...`" for number in range(named)),
        *([f"- and {count - named} more"] if named < count else []),
    ]


@pytest.mark.parametrize("most", range(50, 120))
def test_any_budget_is_kept(most: int) -> None:
    many = [read(f"h{number}", DIFFERS, "ü") for number in range(9)]
    assert len(summarize(many, False, most).encode()) <= most


BRIEFS = [
    (FAILED, "see `@team`\n\n<b>", "- h: failed: ``see `@team` <b>``"),
    (AWAY, "@" * 201, f"- h: away: `{'@' * 200}...`"),
    (AWAY, "", "- h: away"),
    (DIFFERS, "quotas: 1 to create", "- h: differs: quotas: 1 to create"),
]


@pytest.mark.parametrize(("state", "brief", "line"), BRIEFS)
def test_a_message_of_a_console_is_code_in_its_line(state: str, brief: str, line: str) -> None:
    assert summarize([Outcome("h", state, brief), A], False, 2000).splitlines()[2] == line


def test_of_one_there_is_its_own_summary() -> None:
    assert summarize([A], True, 2000) == "# a\n"
    assert summarize([Outcome("a", AWAY, "no", "# `a`\n\nno\n")], True, 2000) == "# `a`\n\nno\n"
    assert summarize([ROME], True, 2000) == ""


CUTS = [
    ("aüb", ["", "a", "a", "aü", "aüb"]),
    ("a\n`@b`", ["", "a", "a\n", "a\n", "a\n", "a\n", "a\n`@b`"]),
    ("```\na`b", ["", "", "", "", "```\n", "```\na", "```\na`", "```\na`b"]),
]


@pytest.mark.parametrize(("text", "parts"), CUTS)
def test_a_cut_is_never_within_a_character_or_code(text: str, parts: list[str]) -> None:
    assert [cut(text, most) for most in range(len(parts))] == parts


def test_a_file_says_that_it_was_cut() -> None:
    lines = "- `@team`\n" * 10_000
    text = to_file([Outcome("a", AS_DESIRED, text=lines)], True)
    assert text.startswith("<!-- managedfs: same -->\n- `@team`\n")
    assert text.endswith("\n- `@team`\n\n\nThe rest is cut off here.\n")
    assert len(text) < 60_100
    assert to_file([Outcome("a", AS_DESIRED, text=lines[:60_000])], True).endswith("\n- `@team`\n")


MARKS = [
    ([AS_DESIRED, AS_DESIRED], "same"),
    ([AS_DESIRED, NOT_COMPARED], "unknown"),
    ([NOT_COMPARED, CHANGED], "differs"),
    ([DIFFERS, AS_DESIRED], "differs"),
    ([DIFFERS, AWAY], "failed"),
    ([NOT_COMPARED, FAILED], "failed"),
]


@pytest.mark.parametrize(("states", "mark"), MARKS)
def test_the_first_line_of_a_file_is_about_the_worst(states: list[str], mark: str) -> None:
    assert to_file([Outcome("h", state) for state in states], False).startswith(f"<!-- managedfs: {mark} -->\n")


def test_what_is_shown_has_footers_and_repeats_no_failure() -> None:
    page = read("a", AS_DESIRED, footer="The page is /a")
    assert show([page], True) == ["# a", "", "The page is /a"]
    assert show([ROME], True) == show([Outcome("a", AWAY, "no", "# a\n")], True) == []
    assert show([page, OSLO], False)[-1] == "The page is /a"
    assert show([ROME, OSLO], False)[0] == "2 consoles: 1 away, 1 failed"


def test_notes_name_their_consoles_where_there_are_several() -> None:
    noted = [Outcome("a", CHANGED, text="one\ntwo\n"), Outcome("b", AWAY, "no"), Outcome("c", CHANGED, text="{0}\n")]
    assert show_notes(noted[:1], True) == ["one", "two"]
    assert show_notes(noted, False) == ["a: one", "a: two", "c: {0}"]


def test_sums_count_all_consoles_where_there_are_several() -> None:
    assert sum_up([A], True) == {"consoles": 1, "created": 2}
    assert sum_up([OSLO], True) == {}
    assert sum_up([A, OSLO, B, ROME], False) == {"consoles": 4, "created": 4, "away": 1}


def test_a_workflow_gets_what_is_known() -> None:
    assert handed_on([ROME], True) == {}
    assert handed_on([OSLO], True) == {"managedfs_summary": "# `oslo`\n"}
    found = handed_on([B, OSLO, C], False)
    assert found["managedfs_plan"] == {"b": "v1-0", "c": "nothing"}
    assert found["managedfs_report"] == {"consoles": 3, "created": 4, "away": 1}
    assert found["managedfs_summary"].startswith("3 consoles: 1 differs, 1 away, 1 as desired\n")
