# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans for a whole list, as tables: what each item comes to, what is purged, and which lists are refused."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.batch import distinct_keys, plan_all
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import (
    CREATE,
    DELETE,
    NOTHING,
    UPDATE,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.problems import Problem, invalid_items
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA

WEB = {"id": 1, "desc": "web", "iprange": "*"}
OLD = {"id": "2", "desc": "old", "iprange": "*"}
BLANK = {"id": 3, "desc": "", "iprange": "*"}
SAME = "refers to the same record as "
TWIN = {"id": 4, "desc": "web", "iprange": "*"}


def export(*, present: bool = True, id: int | None = None, **values: Any) -> Goal:  # noqa: A002
    """Return what is wanted of one export."""
    return Goal(present, values, id)


def named(goals: list[Goal]) -> list[Goal]:
    """Return goals as the items of a list are called."""
    return [goal._replace(position=f"item {position}") for position, goal in enumerate(goals, start=1)]


@pytest.mark.parametrize(
    ("records", "goals", "purge", "plans"),
    [
        pytest.param([], [], False, [], id="nothing wanted"),
        pytest.param([WEB], [], False, [], id="nothing wanted of what is there"),
        pytest.param(
            [WEB, OLD],
            [export(desc="new", iprange="*"), export(desc="web"), export(present=False, desc="old")],
            False,
            [(CREATE, "new"), (NOTHING, "web"), (DELETE, "old")],
            id="a plan for each item, in order",
        ),
        pytest.param([WEB, OLD], [export(desc="web")], False, [(NOTHING, "web")], id="no purge"),
        pytest.param(
            [WEB, OLD, BLANK],
            [export(desc="web")],
            True,
            [(NOTHING, "web"), (DELETE, "old"), (DELETE, "id 3")],
            id="purge what no item claims, those without a key too",
        ),
        pytest.param([OLD], [export(id=2)], True, [(NOTHING, "old")], id="claimed by id"),
        pytest.param([WEB], [export(id=1, desc="www")], True, [(UPDATE, "www")], id="claimed by id, and renamed"),
        pytest.param(
            [WEB, OLD, BLANK],
            [export(desc="web"), export(present=False, desc="old")],
            True,
            [(NOTHING, "web"), (DELETE, "old"), (DELETE, "id 3")],
            id="deleted once",
        ),
        pytest.param(
            [WEB, TWIN],
            [export(id=1, desc="web"), export(present=False, id=4, desc="web")],
            False,
            [(NOTHING, "web"), (DELETE, "web")],
            id="two records of one key, by their ids",
        ),
        pytest.param(
            [WEB, TWIN],
            [export(id=1, desc="web")],
            True,
            [(NOTHING, "web"), (DELETE, "web")],
            id="one of two records of one key claimed, the other purged",
        ),
        pytest.param(
            [WEB],
            [export(desc="new", iprange="*")],
            True,
            [(CREATE, "new"), (DELETE, "web")],
            id="a new one claims nothing that is there",
        ),
        pytest.param(
            [OLD],
            [export(id=2), export(present=False, id=9)],
            False,
            [(NOTHING, "old"), (NOTHING, "id 9")],
            id="by different ids",
        ),
    ],
)
def test_plans(records: list[Record], goals: list[Goal], purge: bool, plans: list[tuple[str, str]]) -> None:
    made = plan_all(Records(EXPORT, records), goals, purge)
    assert [(plan.action, plan.result_key) for plan in made] == plans


def test_a_purged_record_is_named_by_its_key_in_messages_and_diff() -> None:
    _claimed, plan = plan_all(Records(EXPORT, [WEB, OLD]), [export(desc="web")], purge=True)
    assert (plan.description, plan.current, plan.before) == (
        "export 'old' (id 2)",
        OLD,
        {"desc": "old", "iprange": "*"},
    )
    assert (plan.resource, plan.goal.present, str(plan.goal.id)) == (EXPORT, False, "2")


def test_a_purge_that_would_empty_the_list_is_refused() -> None:
    with pytest.raises(ConsoleError, match="exports: no item is present, so purge would delete all that there are: 2"):
        plan_all(Records(EXPORT, [WEB, OLD, BLANK]), [export(present=False, desc="web")], purge=True)


def test_a_purge_of_what_is_named_anyway_is_not_refused() -> None:
    (plan,) = plan_all(Records(EXPORT, [WEB]), [export(present=False, desc="web")], purge=True)
    assert plan.action is DELETE


@pytest.mark.parametrize(
    ("records", "goals", "problems"),
    [
        pytest.param(
            [],
            [export(desc="a", iprange="*"), export(desc="a", iprange="10.0.0.1")],
            [("a", f"item 2: {SAME}item 1.")],
            id="the same key twice, not there yet",
        ),
        pytest.param(
            [WEB],
            [export(desc="web"), export(present=False, desc="web")],
            [("web", f"item 2: {SAME}item 1.")],
            id="present and absent",
        ),
        pytest.param(
            [WEB],
            [export(desc="web"), export(id=1)],
            [("web", f"item 2: {SAME}item 1.")],
            id="key and id",
        ),
        pytest.param(
            [WEB],
            [export(id=1, desc="www"), export(desc="web")],
            [("web", f"item 2: {SAME}item 1.")],
            id="the key that a rename gives up",
        ),
        pytest.param(
            [WEB],
            [export(id=1, desc="www"), export(desc="www", iprange="*")],
            [("www", f"item 2: {SAME}item 1.")],
            id="the key that a rename takes",
        ),
        pytest.param(
            [],
            [export(desc="a", iprange="*"), export(desc="b"), export(desc="a", iprange="*"), export(id=9)],
            [
                ("b", "item 2: export 'b' does not exist, and creating it requires iprange."),
                (
                    "id 9",
                    "item 4: no export of volume 'v' has the id 9. The console assigns ids: leave id out to find or create the export by its desc.",
                ),
                ("a", f"item 3: {SAME}item 1."),
            ],
            id="all problems at once",
        ),
        pytest.param(
            [WEB],
            [export(desc="web")] * 3,
            [("web", f"item 2: {SAME}item 1."), ("web", f"item 3: {SAME}item 1.")],
            id="the same item three times",
        ),
        pytest.param(
            [WEB, OLD],
            [export(id=1, desc="www"), export(id=2, desc="www")],
            [("www", f"item 2: {SAME}item 1.")],
            id="the key that two renames take",
        ),
        pytest.param(
            [WEB, TWIN],
            [export(id=4, desc="web"), export(present=False, id=4)],
            [("web", f"item 2: {SAME}item 1.")],
            id="the same id twice, one of two records of one key",
        ),
        pytest.param(
            [],
            [export(present=False, id=9), export(present=False, id=9)],
            [("id 9", f"item 2: {SAME}item 1.")],
            id="the same unknown id twice",
        ),
    ],
)
def test_refused(records: list[Record], goals: list[Goal], problems: list[tuple[str, str]]) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan_all(Records(EXPORT, records, " of volume 'v'"), named(goals), purge=False)
    assert [(error["key"], error["msg"]) for error in caught.value.details["errors"]] == problems


def test_keys_that_mean_the_same_are_the_same() -> None:
    goals = [Goal(True, {"path": path, "size": 1}) for path in ("/a", "/a/")]
    with pytest.raises(ConsoleError, match=r"item 2: refers to the same record as item 1\."):
        plan_all(Records(QUOTA, []), named(goals), purge=False)


def test_goals_without_names_are_called_by_their_keys() -> None:
    with pytest.raises(ConsoleError) as caught:
        plan_all(
            Records(EXPORT, []), [export(desc="a", iprange="*"), export(desc="a", iprange="*"), export(desc="b")], False
        )
    first, second = (error["msg"] for error in caught.value.details["errors"])
    assert first == "b: export 'b' does not exist, and creating it requires iprange."
    assert second.endswith("refers to the same record as a.")


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
        pytest.param(20, "item 20: is bad tttttttttttttttttttt.", id="all told"),
        pytest.param(23, "item 20: is bad tttttttttttttttttttt. And 3 more.", id="too many"),
    ],
)
def test_the_message_for_many_invalid_items_tells_some(number: int, end: str) -> None:
    names = [f"item {position}" for position in range(1, number + 1)]
    error = invalid_items(Problem(name, name, f"is bad {'t' * n}.") for n, name in enumerate(names, 1))
    assert str(error).endswith(end)
    assert [entry["key"] for entry in error.details["errors"]] == names


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "item 1: is bad."),
        (2, "2 items (item 1; item 2): is bad."),
        (3, "3 items (item 1; item 2; item 3): is bad."),
        (3000, "3,000 items (item 1; item 2; item 3; ...): is bad."),
    ],
)
def test_what_is_wrong_with_many_items_is_told_once(number: int, told: str) -> None:
    error = invalid_items(Problem(f"key {n}", f"item {n}", "is bad.") for n in range(1, number + 1))
    assert str(error) == f"Nothing was changed: some items are invalid. {told}"


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


WEB_AND_SPACE = {"id": 5, "desc": "web ", "iprange": "*"}
ABSENT, ABSENT_SPACE = export(present=False, desc="web"), export(present=False, desc="web ")
PRESENT, PRESENT_SPACE = export(desc="web", iprange="*"), export(desc="web ", iprange="*")


@pytest.mark.parametrize(
    ("records", "goals", "refused"),
    [
        pytest.param([], [PRESENT, PRESENT_SPACE], True, id="both to be created"),
        pytest.param([], [PRESENT, ABSENT_SPACE], True, id="one to be created, the other absent"),
        pytest.param([], [ABSENT, PRESENT_SPACE], True, id="one absent, the other to be created"),
        pytest.param([], [ABSENT, ABSENT_SPACE], False, id="both absent"),
        pytest.param([WEB, WEB_AND_SPACE], [PRESENT, PRESENT_SPACE], False, id="both there"),
        pytest.param([WEB, WEB_AND_SPACE], [ABSENT, ABSENT_SPACE], False, id="both to be deleted"),
        pytest.param([WEB, WEB_AND_SPACE], [PRESENT, ABSENT_SPACE], False, id="one to be deleted"),
    ],
)
def test_items_that_differ_only_in_white_space(records: list[Record], goals: list[Goal], refused: bool) -> None:
    try:
        plan_all(Records(EXPORT, records), named(goals), purge=False)
        messages = []
    except ConsoleError as error:
        messages = [entry["msg"] for entry in error.details["errors"]]
    assert messages == (["item 2: differs from item 1 only in white space."] if refused else [])


def test_records_that_share_a_key_are_told_apart_by_their_ids() -> None:
    twins = [{"id": 1, "desc": "web"}, {"id": 2, "desc": "web"}, {"id": 3, "desc": "db"}]
    plans = plan_all(Records(EXPORT, twins), named([export(id=number) for number in (1, 2, 3)]), purge=False)
    assert list(distinct_keys(plans)) == ["web (id 1)", "web (id 2)", "db"]
