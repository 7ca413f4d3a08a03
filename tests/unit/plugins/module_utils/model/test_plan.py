# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan as tables: what is there, what is wanted, what is done, and what a PUT carries."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import (
    CREATE,
    DELETE,
    NOTHING,
    UPDATE,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, VOLUME
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, plan, quota, volume

A = {"id": 1, "name": "a", "bucket": "https://a/", "blockSize": "4096", "compress": "lz4", "extend": None}
B = {"id": "2", "name": "b", "bucket": "https://b"}
OTHER_A = {"id": 3, "name": "a"}
WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
BARE = {"id": 1, "desc": "web"}
HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}


@pytest.mark.parametrize(
    ("records", "goal", "verb"),
    [
        ([], volume(name="a"), CREATE),
        ([B], volume(name="a"), CREATE),
        ([A, B], volume(name="a"), NOTHING),
        ([A, B], volume(name="a", bucket="https://a"), NOTHING),
        ([A, B], volume(name="a", block_size=4096, extend=""), NOTHING),
        ([A, B], volume(id=2, name="b"), NOTHING),
        ([], volume(present=False, name="a"), NOTHING),
        ([A], volume(present=False, name="a"), DELETE),
        ([A], volume(present=False, name="a", compress="zstd"), DELETE),
        ([A, OTHER_A], volume(present=False, id=3), DELETE),
        ([A], volume(present=False, id=9, name="a"), NOTHING),
    ],
)
def test_verb(records: list[Record], goal: Goal, verb: str) -> None:
    action = plan(records, goal)
    assert (action.resource, action.verb, action.changes) == (VOLUME, verb, verb is not NOTHING)


@pytest.mark.parametrize(
    ("records", "goal", "fragment"),
    [
        ([A], volume(name="a", bucket="https://c"), "bucket is 'https://a/', wanted 'https://c'"),
        (
            [A],
            volume(name="a", block_size=8, compress="x"),
            "block_size is 4096, wanted 8; compress is 'lz4', wanted 'x'",
        ),
        ([{**A, "trashtime": 7}], volume(name="a", trashtime=30), "trashtime is 7, wanted 30"),
        ([], export(desc="web"), "export 'web' does not exist, and creating it requires iprange."),
        ([], quota(path="/a"), "quota '/a' does not exist, and creating it requires size or inodes."),
    ],
)
def test_refused(records: list[Record], goal: Goal, fragment: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan(records, goal)
    assert fragment in str(caught.value)


def test_a_creation_sends_what_was_given_and_nothing_else() -> None:
    goal = volume(name="a", block_size=8, extend="", trashtime=7)
    assert plan([], goal).body == {"name": "a", "blockSize": 8, "extend": "", "trashtime": 7}


def test_the_password_in_a_url_is_in_no_diff_and_no_message() -> None:
    goal = volume(name="a", bucket="https://me:hunter2@a")
    assert "hunter2" not in str(plan([], goal).after)
    with pytest.raises(ConsoleError) as caught:
        plan([{**A, "bucket": "https://me:hunter3@a"}], goal)
    assert "hunter" not in str(caught.value)


def test_an_option_that_the_console_does_not_show_is_not_compared() -> None:
    assert plan([B], volume(name="b", compress="zstd")).verb is NOTHING


def test_an_extra_field_is_compared_where_the_record_shows_it() -> None:
    goal = volume(name="a", trashtime=7)
    actions = [plan([record], goal) for record in ({**A, "trashtime": "7"}, A)]
    assert [(action.verb, action.unverified) for action in actions] == [(NOTHING, ()), (NOTHING, ("trashtime",))]


def test_a_creation_sends_the_defaults_of_what_is_left_out() -> None:
    action = plan([], export(desc="web", iprange="*", readonly=True))
    assert action.body == {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False}
    assert action.values == action.body
    assert action.changing == tuple(action.body) == tuple(field.name for field in EXPORT.managed)


@pytest.mark.parametrize("given", [{"size": 1}, {"inodes": 0}, {"size": 1, "inodes": 0}])
def test_a_creation_requires_one_of_the_fields(given: dict[str, Any]) -> None:
    assert plan([], quota(path="/a", **given)).body == {"path": "/a", **given}


PREDICTIONS: dict[str, tuple[Any, ...]] = {
    "created": ([], quota(path="/a", size=1024), {"path": "/a", "size": 1024}, {}, {"path": "/a", "size": "1KiB"}),
    "updated": (
        [HOME],
        quota(path="/a", size=1),
        {**HOME, "size": 1},
        {"path": "/a", "size": "1KiB", "inodes": 7},
        {"path": "/a", "size": 1, "inodes": 7},
    ),
    "updated, with what is not shown": (
        [{"id": 1, "path": "/a/"}],
        quota(id=1, path="/b", size=5),
        {"id": 1, "path": "/b"},
        {"path": "/a/"},
        {"path": "/b"},
    ),
    "unchanged": (
        [HOME],
        quota(path="/a"),
        HOME,
        {"path": "/a", "size": "1KiB", "inodes": 7},
        {"path": "/a", "size": "1KiB", "inodes": 7},
    ),
    "deleted": ([HOME], quota(present=False, path="/a"), None, {"path": "/a", "size": "1KiB", "inodes": 7}, {}),
    "not there, and not wanted": ([], quota(present=False, path="/a"), None, {}, {}),
}


@pytest.mark.parametrize(("records", "goal", "prediction", "before", "after"), PREDICTIONS.values(), ids=PREDICTIONS)
def test_prediction(
    records: list[Record], goal: Goal, prediction: dict[str, Any] | None, before: dict[str, Any], after: dict[str, Any]
) -> None:
    action = plan(records, goal)
    assert (action.prediction, action.before, action.after) == (prediction, before, after)


@pytest.mark.parametrize(
    ("records", "goal", "key", "description", "label"),
    [
        pytest.param([], volume(name="a"), "a", "volume 'a'", "a", id="new"),
        pytest.param([B], volume(id=2), "b", "volume 'b' (id 2)", "b", id="by id"),
        pytest.param([WEB], export(id=1, desc="www"), "www", "export 'web' (id 1)", "www", id="renamed"),
        pytest.param([], volume(present=False, id=9), None, "volume (id 9)", "id 9", id="unknown"),
    ],
)
def test_what_an_action_is_called(records: list[Record], goal: Goal, key: Any, description: str, label: str) -> None:
    action = plan(records, goal)
    assert (action.key, action.description, action.label) == (key, description, label)


UPDATES: dict[str, tuple[Any, ...]] = {
    "one field": (WEB, export(desc="web", iprange="*"), ("iprange",), {"desc": "web", "iprange": "*"}),
    "the key: the other is sent as the console shows it": (
        WEB,
        export(id=1, desc="www"),
        ("desc",),
        {"desc": "www", "iprange": "10.0.0.0/8"},
    ),
    "by id: the key is sent as the console shows it": (
        WEB,
        export(id=1, iprange="*"),
        ("iprange",),
        {"desc": "web", "iprange": "*"},
    ),
    "null is sent as null": ({**HOME, "size": None}, quota(id=1, path="/b"), ("path",), {"path": "/b", "size": None}),
    "what the console does not show, and the task gives": (
        {"id": 1, "path": "/a"},
        quota(id=1, path="/b", size=5),
        ("path",),
        {"path": "/b", "size": 5},
    ),
    "no create-only field that is as wanted": (
        HOME,
        quota(path="/a", size=1, inodes=7),
        ("size",),
        {"path": "/a", "size": 1},
    ),
    "a create-only field, where that is allowed": (
        WEB,
        export(desc="web", iprange="*", readonly=False)._replace(update_create_only=True),
        ("iprange", "readonly"),
        {"desc": "web", "iprange": "*", "readonly": False},
    ),
    "a create-only field alone": (
        WEB,
        export(desc="web", readonly=False)._replace(update_create_only=True),
        ("readonly",),
        {"desc": "web", "iprange": "10.0.0.0/8", "readonly": False},
    ),
}


@pytest.mark.parametrize(("record", "goal", "changing", "body"), UPDATES.values(), ids=UPDATES)
def test_update(record: Record, goal: Goal, changing: tuple[str, ...], body: dict[str, Any]) -> None:
    action = plan([record], goal)
    assert (action.verb, action.changes, action.changing, action.body) == (UPDATE, True, changing, body)
    assert (action.current, action.values) == (record, goal.values)


def test_an_update_needs_what_the_console_does_not_show() -> None:
    record = {"id": 1, "path": "/a"}
    with pytest.raises(ConsoleError) as caught:
        plan([record], quota(id=1, path="/b"))
    assert str(caught.value) == (
        "quota '/a' (id 1) cannot be changed without size: the request must include it, and the console does not show its"
        " current value. Give size in the task."
    )
    assert caught.value.details["record"] == record


CREATE_ONLY_REFUSED: dict[str, tuple[Any, ...]] = {
    "without an update": (
        B,
        volume(name="b", bucket="https://c"),
        (
            "volume 'b' (id 2) differs in fields that can only be set at creation: bucket is 'https://b', wanted 'https://c'."
            " Leave the option out to keep the current value."
        ),
    ),
    "with an update": (
        WEB,
        export(desc="web", readonly=False, iprange="*"),
        (
            "export 'web' (id 1) differs in fields that can only be set at creation: readonly is true, wanted false."
            " Leave the option out to keep the current value, set create_only_changes to update to try"
            " it, or remove the record and create it again."
        ),
    ),
}


@pytest.mark.parametrize(("record", "goal", "message"), CREATE_ONLY_REFUSED.values(), ids=CREATE_ONLY_REFUSED)
def test_a_create_only_field_is_not_changed(record: Record, goal: Goal, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan([record], goal)
    assert str(caught.value) == message
    assert caught.value.details["record"] == record


@pytest.mark.parametrize(
    ("record", "goal", "unverified"),
    [
        (WEB, export(desc="web"), ()),
        ({"id": 1, "desc": "web"}, export(desc="web", iprange="*", readonly=True), ("iprange", "readonly")),
        (
            {"id": 1, "desc": "web", "iprange": "*"},
            export(desc="web", iprange="10.0.0.1", readonly=True),
            ("readonly",),
        ),
    ],
)
def test_what_cannot_be_verified(record: Record, goal: Goal, unverified: tuple[str, ...]) -> None:
    assert plan([record], goal).unverified == unverified


WHOLE_BODY: dict[str, tuple[Any, ...]] = {
    "all shown": (WEB, {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False}),
    "some shown": ({"id": 1, "desc": "web", "iprange": "::/0", "x": 1}, {"desc": "web", "iprange": "*"}),
}


@pytest.mark.parametrize(("record", "body"), WHOLE_BODY.values(), ids=WHOLE_BODY)
def test_whole_body(record: Record, body: dict[str, Any]) -> None:
    assert plan([record], export(desc="web", iprange="*")).whole_body == body


@pytest.mark.parametrize(
    ("goal", "changes_key"),
    [
        pytest.param(export(id=1, desc="www"), True, id="renamed"),
        pytest.param(export(id=1, desc="web", iprange="*"), False, id="the same name"),
        pytest.param(export(id=1, iprange="*"), False, id="no name"),
    ],
)
def test_changes_key(goal: Goal, changes_key: bool) -> None:
    assert plan([WEB], goal).changes_key is changes_key


@pytest.mark.parametrize(
    ("before", "record", "unshown"),
    [
        pytest.param(WEB, WEB, (), id="all shown"),
        pytest.param(WEB, {**BARE, "iprange": "*"}, ("apionly", "readonly", "appendonly"), id="what is not sent"),
        pytest.param(BARE, BARE, ("iprange", "apionly", "readonly", "appendonly"), id="what is sent"),
        pytest.param(BARE, {**WEB, "iprange": "*"}, (), id="all shown by now"),
    ],
)
def test_what_an_update_may_change_unseen(before: Record, record: Record, unshown: tuple[str, ...]) -> None:
    assert plan([before], export(id=1, desc="www", iprange="*")).unshown(record) == unshown


UNREQUESTED_CHANGES: dict[str, tuple[Any, ...]] = {
    "nothing changed": (WEB, []),
    "what was to be changed, or is unknown": ({**WEB, "iprange": "::/0", "x": 1}, []),
    "equal by meaning": ({**WEB, "apionly": "false"}, []),
    "two changed": ({**WEB, "readonly": 0, "desc": "x"}, [("desc", "x", "web"), ("readonly", False, True)]),
    "not shown any more": ({"id": 1, "desc": "web"}, []),
}


@pytest.mark.parametrize(("record", "changes"), UNREQUESTED_CHANGES.values(), ids=UNREQUESTED_CHANGES)
def test_unrequested_changes(record: Record, changes: list[tuple[str, Any, Any]]) -> None:
    found = plan([WEB], export(desc="web", iprange="*")).unrequested_changes(record)
    assert [(change.field.name, change.actual, change.wanted) for change in found] == changes


@pytest.mark.parametrize(
    ("before", "now", "is_change"),
    [
        pytest.param({"token": "T"}, {"token": "X"}, True, id="another"),
        pytest.param({"token": "T"}, {"token": "T"}, False, id="the same"),
        pytest.param({"token": "T"}, {}, False, id="no longer shown"),
        pytest.param({}, {"token": None}, False, id="none"),
    ],
)
def test_a_new_token_is_a_change_that_nobody_requested(
    before: dict[str, Any], now: dict[str, Any], is_change: bool
) -> None:
    changes = plan([{**WEB, **before}], export(desc="web", iprange="*")).unrequested_changes({**WEB, **now})
    assert [change.field.name for change in changes] == (["token"] if is_change else [])
    quotas = plan([{**HOME, **before}], quota(path="/a", size=1)).unrequested_changes({**HOME, **now})
    assert quotas == []


def test_what_an_update_leaves_out_and_what_is_shown_of_that() -> None:
    action = plan([WEB], export(desc="web", iprange="*"))
    assert action.left_out == {"apionly": "", "readonly": "True", "appendonly": ""}
    assert action.vanished({**BARE, "apionly": True}) == ("readonly", "appendonly")
