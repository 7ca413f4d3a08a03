# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plans of updates, as tables: what a PUT carries, and what counts as changed beyond it."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import UPDATE
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import plan, wanted

B = {"id": "2", "name": "b", "bucket": "https://b"}
WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
BARE = {"id": 1, "desc": "web"}
HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}


@pytest.mark.parametrize(
    ("record", "goal", "changing", "body"),
    [
        pytest.param(
            WEB, wanted(EXPORT, desc="web", iprange="*"), ("iprange",), {"desc": "web", "iprange": "*"}, id="one field"
        ),
        pytest.param(
            WEB,
            wanted(EXPORT, id=1, desc="www"),
            ("desc",),
            {"desc": "www", "iprange": "10.0.0.0/8"},
            id="the key: the other is sent as the console shows it",
        ),
        pytest.param(
            WEB,
            wanted(EXPORT, id=1, iprange="*"),
            ("iprange",),
            {"desc": "web", "iprange": "*"},
            id="by id: the key is sent as the console shows it",
        ),
        pytest.param(
            {**HOME, "size": None},
            wanted(QUOTA, id=1, path="/b"),
            ("path",),
            {"path": "/b", "size": None},
            id="null is sent as null",
        ),
        pytest.param(
            {"id": 1, "path": "/a"},
            wanted(QUOTA, id=1, path="/b", size=5),
            ("path",),
            {"path": "/b", "size": 5},
            id="what the console does not show, and the task gives",
        ),
        pytest.param(
            HOME,
            wanted(QUOTA, path="/a", size=1, inodes=7),
            ("size",),
            {"path": "/a", "size": 1},
            id="no create-only field that is as wanted",
        ),
        pytest.param(
            WEB,
            wanted(EXPORT, desc="web", iprange="*", readonly=False)._replace(update_create_only=True),
            ("iprange", "readonly"),
            {"desc": "web", "iprange": "*", "readonly": False},
            id="a create-only field, where that is allowed",
        ),
        pytest.param(
            WEB,
            wanted(EXPORT, desc="web", readonly=False)._replace(update_create_only=True),
            ("readonly",),
            {"desc": "web", "iprange": "10.0.0.0/8", "readonly": False},
            id="a create-only field alone",
        ),
    ],
)
def test_update(record: Record, goal: Goal, changing: tuple[str, ...], body: dict[str, Any]) -> None:
    action = plan([record], goal)
    assert (action.verb, action.changes, action.changing, action.body) == (UPDATE, True, changing, body)
    assert (action.current, action.values) == (record, goal.values)


def test_an_update_needs_what_the_console_does_not_show() -> None:
    record = {"id": 1, "path": "/a"}
    with pytest.raises(ConsoleError) as caught:
        plan([record], wanted(QUOTA, id=1, path="/b"))
    assert str(caught.value) == (
        "quota '/a' (id 1) cannot be changed without size: the request must include it, and the console does not show its"
        " current value. Give size in the task."
    )
    assert caught.value.details["record"] == record


@pytest.mark.parametrize(
    ("record", "goal", "message"),
    [
        pytest.param(
            B,
            wanted(VOLUME, name="b", bucket="https://c"),
            "volume 'b' (id 2) differs in fields that can only be set at creation: bucket is 'https://b', wanted 'https://c'."
            " Leave the option out to keep the current value.",
            id="without an update",
        ),
        pytest.param(
            WEB,
            wanted(EXPORT, desc="web", readonly=False, iprange="*"),
            "export 'web' (id 1) differs in fields that can only be set at creation: readonly is true, wanted false."
            " Leave the option out to keep the current value, set create_only_changes to update to try"
            " it, or remove the record and create it again.",
            id="with an update",
        ),
    ],
)
def test_a_create_only_field_is_not_changed(record: Record, goal: Goal, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan([record], goal)
    assert str(caught.value) == message
    assert caught.value.details["record"] == record


@pytest.mark.parametrize(
    ("record", "goal", "unverified"),
    [
        (WEB, wanted(EXPORT, desc="web"), ()),
        ({"id": 1, "desc": "web"}, wanted(EXPORT, desc="web", iprange="*", readonly=True), ("iprange", "readonly")),
        (
            {"id": 1, "desc": "web", "iprange": "*"},
            wanted(EXPORT, desc="web", iprange="10.0.0.1", readonly=True),
            ("readonly",),
        ),
    ],
)
def test_what_cannot_be_verified(record: Record, goal: Goal, unverified: tuple[str, ...]) -> None:
    assert plan([record], goal).unverified == unverified


@pytest.mark.parametrize(
    ("record", "body"),
    [
        pytest.param(
            WEB,
            {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False},
            id="all shown",
        ),
        pytest.param(
            {"id": 1, "desc": "web", "iprange": "::/0", "x": 1}, {"desc": "web", "iprange": "*"}, id="some shown"
        ),
    ],
)
def test_whole_body(record: Record, body: dict[str, Any]) -> None:
    assert plan([record], wanted(EXPORT, desc="web", iprange="*")).whole_body == body


@pytest.mark.parametrize(
    ("goal", "changes_key"),
    [
        pytest.param(wanted(EXPORT, id=1, desc="www"), True, id="renamed"),
        pytest.param(wanted(EXPORT, id=1, desc="web", iprange="*"), False, id="the same name"),
        pytest.param(wanted(EXPORT, id=1, iprange="*"), False, id="no name"),
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
    assert plan([before], wanted(EXPORT, id=1, desc="www", iprange="*")).unshown(record) == unshown


@pytest.mark.parametrize(
    ("record", "changes"),
    [
        pytest.param(WEB, [], id="nothing changed"),
        pytest.param({**WEB, "iprange": "::/0", "x": 1}, [], id="what was to be changed, or is unknown"),
        pytest.param({**WEB, "apionly": "false"}, [], id="equal by meaning"),
        pytest.param(
            {**WEB, "readonly": 0, "desc": "x"}, [("desc", "x", "web"), ("readonly", False, True)], id="two changed"
        ),
        pytest.param({"id": 1, "desc": "web"}, [], id="not shown any more"),
    ],
)
def test_unrequested_changes(record: Record, changes: list[tuple[str, Any, Any]]) -> None:
    found = plan([WEB], wanted(EXPORT, desc="web", iprange="*")).unrequested_changes(record)
    assert [(change.field.name, change.actual, change.wanted) for change in found] == changes
