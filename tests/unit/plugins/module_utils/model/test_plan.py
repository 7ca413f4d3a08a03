# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan as a table: what is there, what is wanted, what is done."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import (
    CREATE,
    DELETE,
    NOTHING,
    Plan,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import make_plan as plan_for
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    VOLUME,
    Resource,
)

A = {"id": 1, "name": "a", "bucket": "https://a/", "blockSize": "4096", "compress": "lz4", "extend": None}
B = {"id": "2", "name": "b", "bucket": "https://b"}
OTHER_A = {"id": 3, "name": "a"}
WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}


def make_plan(resource: Resource, records: list[dict[str, Any]], goal: Goal) -> Plan:
    """Return the plan, given a list of records."""
    return plan_for(Records(resource, records), goal)


def wanted(*, present: bool = True, id: int | None = None, **values: Any) -> Goal:  # noqa: A002
    """Return a goal, for short."""
    return Goal(present, values, id)


@pytest.mark.parametrize(
    ("records", "goal", "action"),
    [
        ([], wanted(name="a"), CREATE),
        ([B], wanted(name="a"), CREATE),
        ([A, B], wanted(name="a"), NOTHING),
        ([A, B], wanted(name="a", bucket="https://a"), NOTHING),
        ([A, B], wanted(name="a", block_size=4096, extend=""), NOTHING),
        ([A, B], wanted(id=2), NOTHING),
        ([A, B], wanted(id=2, name="b"), NOTHING),
        ([A, OTHER_A], wanted(id=3, name="a"), NOTHING),
        ([], wanted(present=False, name="a"), NOTHING),
        ([A], wanted(present=False, name="a"), DELETE),
        ([A], wanted(present=False, name="a", compress="zstd"), DELETE),
        ([A, OTHER_A], wanted(present=False, id=3), DELETE),
        ([A], wanted(present=False, id=9), NOTHING),
        ([], wanted(present=False, id=9, name="a"), NOTHING),
        ([A], wanted(present=False, id=9, name="a"), NOTHING),
    ],
)
def test_action(records: list[dict[str, Any]], goal: Goal, action: str) -> None:
    plan = make_plan(VOLUME, records, goal)
    assert plan.action is action
    assert plan.changed is (action is not NOTHING)


@pytest.mark.parametrize(
    ("records", "goal", "fragments"),
    [
        ([A, B, OTHER_A], wanted(name="a"), ["several volumes", "1, 3", "id"]),
        ([A, OTHER_A], wanted(present=False, name="a"), ["several volumes", "1, 3"]),
        ([A], wanted(id=9), ["no volume has the id 9"]),
        ([A], wanted(id=9, name="c"), ["no volume has the id 9"]),
        ([A, B], wanted(id=2, name="a"), ["name of id 2", "'b'", "name of id 1"]),
        ([A, B], wanted(present=False, id=2, name="a"), ["not the same volume"]),
        ([A], wanted(name="a", bucket="https://c"), ["bucket", "'https://a/'", "'https://c'"]),
        ([A], wanted(name="a", block_size=8, compress="x"), ["block_size is 4096, wanted 8", "compress is 'lz4'"]),
        ([{**A, "trashtime": 7}], wanted(name="a", trashtime=30), ["trashtime is 7, wanted 30"]),
        ([{**A, "name": "a "}], wanted(name="a"), ["volume 'a ' (id 1)", "only in white space"]),
        ([{**A, "name": "a "}], wanted(present=False, name="a"), ["volume 'a ' (id 1)", "only in white space"]),
    ],
)
def test_refused(records: list[dict[str, Any]], goal: Goal, fragments: list[str]) -> None:
    with pytest.raises(ConsoleError) as caught:
        make_plan(VOLUME, records, goal)
    for fragment in fragments:
        assert fragment in str(caught.value)


def test_a_creation_sends_what_was_given_and_nothing_else() -> None:
    goal = Goal(True, {"name": "a", "block_size": 8, "extend": "", "trashtime": 7})
    assert make_plan(VOLUME, [], goal).body == {"name": "a", "blockSize": 8, "extend": "", "trashtime": 7}


def test_diff_of_a_creation() -> None:
    plan = make_plan(VOLUME, [], wanted(name="a", block_size=8))
    assert (plan.before, plan.after) == ({}, {"name": "a", "block_size": 8})


def test_diff_of_a_deletion() -> None:
    plan = make_plan(VOLUME, [B], wanted(present=False, name="b"))
    assert (plan.before, plan.after) == ({"name": "b", "bucket": "https://b"}, {})


def test_diff_of_no_change_has_both_sides_alike() -> None:
    plan = make_plan(VOLUME, [A], wanted(name="a", bucket="https://a"))
    assert plan.before == plan.after != {}


def test_the_password_in_a_url_is_in_no_diff_and_no_message() -> None:
    goal = wanted(name="a", bucket="https://me:hunter2@a")
    assert "hunter2" not in str(make_plan(VOLUME, [], goal).after)
    with pytest.raises(ConsoleError) as caught:
        make_plan(VOLUME, [{**A, "bucket": "https://me:hunter3@a"}], goal)
    assert "hunter" not in str(caught.value)


def test_an_option_that_the_console_does_not_show_is_not_compared() -> None:
    assert make_plan(VOLUME, [B], wanted(name="b", compress="zstd")).action is NOTHING


def test_an_extra_field_is_compared_where_the_record_shows_it() -> None:
    goal = wanted(name="a", trashtime=7)
    plans = [make_plan(VOLUME, [record], goal) for record in ({**A, "trashtime": "7"}, A)]
    assert [(plan.action, plan.unverified) for plan in plans] == [(NOTHING, ()), (NOTHING, ("trashtime",))]


def test_a_creation_sends_the_defaults_of_what_is_left_out() -> None:
    plan = make_plan(EXPORT, [], wanted(desc="web", iprange="*", readonly=True))
    assert plan.body == {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False}
    assert plan.values == plan.body
    assert plan.changing == tuple(plan.body) == tuple(field.name for field in EXPORT.managed)


@pytest.mark.parametrize(
    ("resource", "goal", "message"),
    [
        (EXPORT, wanted(desc="web"), "export 'web' does not exist, and creating it requires iprange."),
        (QUOTA, wanted(path="/a"), "quota '/a' does not exist, and creating it requires size or inodes."),
    ],
)
def test_a_creation_without_what_it_requires(resource: Resource, goal: Goal, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        make_plan(resource, [], goal)
    assert str(caught.value) == message


@pytest.mark.parametrize("given", [{"size": 1}, {"inodes": 0}, {"size": 1, "inodes": 0}])
def test_a_creation_requires_one_of_the_fields(given: dict[str, Any]) -> None:
    assert make_plan(QUOTA, [], wanted(path="/a", **given)).body == {"path": "/a", **given}


@pytest.mark.parametrize(
    ("records", "goal", "prediction", "before", "after"),
    [
        pytest.param(
            [], wanted(path="/a", size=1), {"path": "/a", "size": 1}, {}, {"path": "/a", "size": 1}, id="created"
        ),
        pytest.param(
            [HOME],
            wanted(path="/a", size=1),
            {**HOME, "size": 1},
            {"path": "/a", "size": "1KiB", "inodes": 7},
            {"path": "/a", "size": 1, "inodes": 7},
            id="updated",
        ),
        pytest.param(
            [{"id": 1, "path": "/a/"}],
            wanted(id=1, path="/b", size=5),
            {"id": 1, "path": "/b"},
            {"path": "/a/"},
            {"path": "/b"},
            id="updated, with what is not shown",
        ),
        pytest.param(
            [HOME],
            wanted(path="/a"),
            HOME,
            {"path": "/a", "size": "1KiB", "inodes": 7},
            {"path": "/a", "size": "1KiB", "inodes": 7},
            id="unchanged",
        ),
        pytest.param(
            [HOME],
            wanted(present=False, path="/a"),
            None,
            {"path": "/a", "size": "1KiB", "inodes": 7},
            {},
            id="deleted",
        ),
        pytest.param([], wanted(present=False, path="/a"), None, {}, {}, id="not there, and not wanted"),
    ],
)
def test_prediction(
    records: list[dict[str, Any]],
    goal: Goal,
    prediction: dict[str, Any] | None,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    plan = make_plan(QUOTA, records, goal)
    assert (plan.prediction, plan.before, plan.after) == (prediction, before, after)


@pytest.mark.parametrize(
    ("resource", "records", "goal", "key", "description", "result_key"),
    [
        pytest.param(VOLUME, [], wanted(name="a"), "a", "volume 'a'", "a", id="new"),
        pytest.param(VOLUME, [B], wanted(id=2), "b", "volume 'b' (id 2)", "b", id="by id"),
        pytest.param(EXPORT, [WEB], wanted(id=1, desc="www"), "www", "export 'web' (id 1)", "www", id="renamed"),
        pytest.param(VOLUME, [], wanted(present=False, id=9), None, "volume (id 9)", "id 9", id="unknown"),
    ],
)
def test_what_a_plan_is_called(
    resource: Resource, records: list[dict[str, Any]], goal: Goal, key: Any, description: str, result_key: str
) -> None:
    plan = make_plan(resource, records, goal)
    assert (plan.key, plan.description, plan.result_key) == (key, description, result_key)
