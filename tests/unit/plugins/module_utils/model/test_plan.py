# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan as a table: what is there, what is wanted, what is done."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import CREATE, DELETE, NOTHING
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import plan, wanted

A = {"id": 1, "name": "a", "bucket": "https://a/", "blockSize": "4096", "compress": "lz4", "extend": None}
B = {"id": "2", "name": "b", "bucket": "https://b"}
OTHER_A = {"id": 3, "name": "a"}
WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}


@pytest.mark.parametrize(
    ("records", "goal", "verb"),
    [
        ([], wanted(VOLUME, name="a"), CREATE),
        ([B], wanted(VOLUME, name="a"), CREATE),
        ([A, B], wanted(VOLUME, name="a"), NOTHING),
        ([A, B], wanted(VOLUME, name="a", bucket="https://a"), NOTHING),
        ([A, B], wanted(VOLUME, name="a", block_size=4096, extend=""), NOTHING),
        ([A, B], wanted(VOLUME, id=2, name="b"), NOTHING),
        ([], wanted(VOLUME, present=False, name="a"), NOTHING),
        ([A], wanted(VOLUME, present=False, name="a"), DELETE),
        ([A], wanted(VOLUME, present=False, name="a", compress="zstd"), DELETE),
        ([A, OTHER_A], wanted(VOLUME, present=False, id=3), DELETE),
        ([A], wanted(VOLUME, present=False, id=9, name="a"), NOTHING),
    ],
)
def test_verb(records: list[Record], goal: Goal, verb: str) -> None:
    action = plan(records, goal)
    assert (action.resource, action.verb, action.changes) == (VOLUME, verb, verb is not NOTHING)


@pytest.mark.parametrize(
    ("records", "goal", "fragment"),
    [
        ([A, OTHER_A], wanted(VOLUME, present=False, name="a"), "several volumes with the name 'a': ids 1, 3."),
        ([A], wanted(VOLUME, id=9, name="c"), "no volume has the id 9."),
        ([A], wanted(VOLUME, name="a", bucket="https://c"), "bucket is 'https://a/', wanted 'https://c'"),
        (
            [A],
            wanted(VOLUME, name="a", block_size=8, compress="x"),
            "block_size is 4096, wanted 8; compress is 'lz4', wanted 'x'",
        ),
        ([{**A, "trashtime": 7}], wanted(VOLUME, name="a", trashtime=30), "trashtime is 7, wanted 30"),
        ([], wanted(EXPORT, desc="web"), "export 'web' does not exist, and creating it requires iprange."),
        ([], wanted(QUOTA, path="/a"), "quota '/a' does not exist, and creating it requires size or inodes."),
    ],
)
def test_refused(records: list[Record], goal: Goal, fragment: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan(records, goal)
    assert fragment in str(caught.value)


def test_a_creation_sends_what_was_given_and_nothing_else() -> None:
    goal = wanted(VOLUME, name="a", block_size=8, extend="", trashtime=7)
    assert plan([], goal).body == {"name": "a", "blockSize": 8, "extend": "", "trashtime": 7}


def test_the_password_in_a_url_is_in_no_diff_and_no_message() -> None:
    goal = wanted(VOLUME, name="a", bucket="https://me:hunter2@a")
    assert "hunter2" not in str(plan([], goal).after)
    with pytest.raises(ConsoleError) as caught:
        plan([{**A, "bucket": "https://me:hunter3@a"}], goal)
    assert "hunter" not in str(caught.value)


def test_an_option_that_the_console_does_not_show_is_not_compared() -> None:
    assert plan([B], wanted(VOLUME, name="b", compress="zstd")).verb is NOTHING


def test_an_extra_field_is_compared_where_the_record_shows_it() -> None:
    goal = wanted(VOLUME, name="a", trashtime=7)
    actions = [plan([record], goal) for record in ({**A, "trashtime": "7"}, A)]
    assert [(action.verb, action.unverified) for action in actions] == [(NOTHING, ()), (NOTHING, ("trashtime",))]


def test_a_creation_sends_the_defaults_of_what_is_left_out() -> None:
    action = plan([], wanted(EXPORT, desc="web", iprange="*", readonly=True))
    assert action.body == {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False}
    assert action.values == action.body
    assert action.changing == tuple(action.body) == tuple(field.name for field in EXPORT.managed)


@pytest.mark.parametrize("given", [{"size": 1}, {"inodes": 0}, {"size": 1, "inodes": 0}])
def test_a_creation_requires_one_of_the_fields(given: dict[str, Any]) -> None:
    assert plan([], wanted(QUOTA, path="/a", **given)).body == {"path": "/a", **given}


@pytest.mark.parametrize(
    ("records", "goal", "prediction", "before", "after"),
    [
        pytest.param(
            [],
            wanted(QUOTA, path="/a", size=1024),
            {"path": "/a", "size": 1024},
            {},
            {"path": "/a", "size": "1KiB"},
            id="created",
        ),
        pytest.param(
            [HOME],
            wanted(QUOTA, path="/a", size=1),
            {**HOME, "size": 1},
            {"path": "/a", "size": "1KiB", "inodes": 7},
            {"path": "/a", "size": 1, "inodes": 7},
            id="updated",
        ),
        pytest.param(
            [{"id": 1, "path": "/a/"}],
            wanted(QUOTA, id=1, path="/b", size=5),
            {"id": 1, "path": "/b"},
            {"path": "/a/"},
            {"path": "/b"},
            id="updated, with what is not shown",
        ),
        pytest.param(
            [HOME],
            wanted(QUOTA, path="/a"),
            HOME,
            {"path": "/a", "size": "1KiB", "inodes": 7},
            {"path": "/a", "size": "1KiB", "inodes": 7},
            id="unchanged",
        ),
        pytest.param(
            [HOME],
            wanted(QUOTA, present=False, path="/a"),
            None,
            {"path": "/a", "size": "1KiB", "inodes": 7},
            {},
            id="deleted",
        ),
        pytest.param([], wanted(QUOTA, present=False, path="/a"), None, {}, {}, id="not there, and not wanted"),
    ],
)
def test_prediction(
    records: list[Record], goal: Goal, prediction: dict[str, Any] | None, before: dict[str, Any], after: dict[str, Any]
) -> None:
    action = plan(records, goal)
    assert (action.prediction, action.before, action.after) == (prediction, before, after)


@pytest.mark.parametrize(
    ("records", "goal", "key", "description", "label"),
    [
        pytest.param([], wanted(VOLUME, name="a"), "a", "volume 'a'", "a", id="new"),
        pytest.param([B], wanted(VOLUME, id=2), "b", "volume 'b' (id 2)", "b", id="by id"),
        pytest.param([WEB], wanted(EXPORT, id=1, desc="www"), "www", "export 'web' (id 1)", "www", id="renamed"),
        pytest.param([], wanted(VOLUME, present=False, id=9), None, "volume (id 9)", "id 9", id="unknown"),
    ],
)
def test_what_an_action_is_called(records: list[Record], goal: Goal, key: Any, description: str, label: str) -> None:
    action = plan(records, goal)
    assert (action.key, action.description, action.label) == (key, description, label)
