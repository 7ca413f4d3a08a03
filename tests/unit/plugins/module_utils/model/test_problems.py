# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is said of invalid items: all of them, what repeats once, and never without end."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.problems import Problem, invalid_items


def test_the_error_for_invalid_items_names_them_all() -> None:
    error = invalid_items(
        iter([Problem("a", "item 1 ('a')", "is bad."), Problem("item 2", "item 2", "is worse.", {"kind": "quotas"})])
    )
    assert str(error) == "Nothing was changed: some items are invalid. item 1 ('a'): is bad. item 2: is worse."
    assert error.details == {
        "errors": [
            {"key": "a", "msg": "item 1 ('a'): is bad."},
            {"kind": "quotas", "key": "item 2", "msg": "item 2: is worse."},
        ]
    }


@pytest.mark.parametrize(
    ("number", "end"),
    [
        pytest.param(20, "item 20: is bad tttttttttttttttttttt.", id="all"),
        pytest.param(23, "item 20: is bad tttttttttttttttttttt. And 3 more.", id="too many"),
    ],
)
def test_the_message_for_many_invalid_items_names_some(number: int, end: str) -> None:
    names = [f"item {position}" for position in range(1, number + 1)]
    error = invalid_items(Problem(name, name, f"is bad {'t' * n}.") for n, name in enumerate(names, 1))
    assert str(error).endswith(end)
    assert [entry["key"] for entry in error.details["errors"]] == names


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "item 1: is bad."),
        (2, "2 items (item 1; item 2): is bad."),
        (3, "3 items (item 1; item 2; item 3): is bad."),
        (3000, "3,000 items (item 1; item 2; item 3; ...): is bad."),
    ],
)
def test_what_is_wrong_with_many_items_is_said_once(number: int, text: str) -> None:
    error = invalid_items(Problem(f"key {n}", f"item {n}", "is bad.") for n in range(1, number + 1))
    assert str(error) == f"Nothing was changed: some items are invalid. {text}"


@pytest.mark.parametrize(("number", "texts"), [(10, 10), (11, 1)])
def test_errors_that_differ_in_what_they_quote_are_equal_where_they_are_many(number: int, texts: int) -> None:
    problems = [Problem(f"key {n}", f"item {n}", f"must be text, not '{n}' (id {n}).") for n in range(number)]
    error = invalid_items([*problems, Problem("x", "item x", "must be a number, not 'x'.")])
    assert str(error).count("must be text") == texts
    assert [entry.get("count") for entry in error.details["errors"]] == ([None] * 11 if texts > 1 else [11, None])


@pytest.mark.parametrize("kind", ["quotas", "exports"])
def test_an_error_that_more_than_ten_items_share_is_one_entry_of_each_kind(kind: str) -> None:
    problems = [Problem(f"key {n}", f"item {n}", "is bad.", {"kind": kind}) for n in range(1, 11)]
    listed = invalid_items(problems).details["errors"]
    assert listed == [{"kind": kind, "key": f"key {n}", "msg": f"item {n}: is bad."} for n in range(1, 11)]
    other = [
        Problem("key 0", "item 0", "is bad.", {"kind": "volumes"}),
        Problem("key 9", "item 9", "is worse.", {"kind": kind}),
    ]
    more = [*problems, Problem("key 11", "item 11", "is bad.", {"kind": kind})]
    assert invalid_items([*more, *other]).details["errors"] == [
        {"kind": kind, "key": "key 1", "count": 11, "msg": "11 items (item 1; item 2; item 3; ...): is bad."},
        {"kind": "volumes", "key": "key 0", "msg": "item 0: is bad."},
        {"kind": kind, "key": "key 9", "msg": "item 9: is worse."},
    ]


def test_the_message_for_invalid_items_is_bounded_however_long_a_value_is() -> None:
    error = invalid_items([Problem("a", "item 1", "x" * 30_000), Problem("b", "item 2", "is bad.")])
    assert len(str(error)) < 21_000
