# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plans of updates, as tables: what a PUT carries, and what counts as changed beyond it."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.field_types import INTEGER, TEXT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goal import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import UPDATE, Plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import make_plan as plan_for
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    UPDATABLE,
    VOLUME,
    Field,
    Resource,
)

B = {"id": "2", "name": "b", "bucket": "https://b"}
WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False}
BARE = {"id": 1, "desc": "web"}
HOME = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}


def make_plan(resource: Resource, records: list[dict[str, Any]], goal: Goal) -> Plan:
    """Return the plan, given a list of records."""
    return plan_for(Records(resource, records), goal)


def wanted(*, present: bool = True, id: int | None = None, **values: Any) -> Goal:  # noqa: A002
    """Return a goal, for short."""
    return Goal(present, values, id)


@pytest.mark.parametrize(
    ("resource", "record", "goal", "changing", "body"),
    [
        pytest.param(
            EXPORT, WEB, wanted(desc="web", iprange="*"), ("iprange",), {"desc": "web", "iprange": "*"}, id="one field"
        ),
        pytest.param(
            EXPORT,
            WEB,
            wanted(id=1, desc="www"),
            ("desc",),
            {"desc": "www", "iprange": "10.0.0.0/8"},
            id="the key: the other is sent as the console shows it",
        ),
        pytest.param(
            EXPORT,
            WEB,
            wanted(id=1, iprange="*"),
            ("iprange",),
            {"desc": "web", "iprange": "*"},
            id="by id: the key is sent as the console shows it",
        ),
        pytest.param(
            QUOTA,
            {**HOME, "size": None},
            wanted(id=1, path="/b"),
            ("path",),
            {"path": "/b", "size": None},
            id="null is sent as null",
        ),
        pytest.param(
            QUOTA,
            {"id": 1, "path": "/a"},
            wanted(id=1, path="/b", size=5),
            ("path",),
            {"path": "/b", "size": 5},
            id="what the console does not show, and the task gives",
        ),
        pytest.param(
            QUOTA,
            HOME,
            wanted(path="/a", size=1, inodes=7),
            ("size",),
            {"path": "/a", "size": 1},
            id="no create-only field that is as wanted",
        ),
        pytest.param(
            EXPORT,
            WEB,
            wanted(desc="web", iprange="*", readonly=False)._replace(update_create_only=True),
            ("iprange", "readonly"),
            {"desc": "web", "iprange": "*", "readonly": False},
            id="a create-only field, where that is allowed",
        ),
        pytest.param(
            EXPORT,
            WEB,
            wanted(desc="web", readonly=False)._replace(update_create_only=True),
            ("readonly",),
            {"desc": "web", "iprange": "10.0.0.0/8", "readonly": False},
            id="a create-only field alone",
        ),
    ],
)
def test_update(
    resource: Resource, record: dict[str, Any], goal: Goal, changing: tuple[str, ...], body: dict[str, Any]
) -> None:
    plan = make_plan(resource, [record], goal)
    assert (plan.action, plan.changed, plan.changing, plan.body) == (UPDATE, True, changing, body)
    assert (plan.current, plan.values) == (record, goal.values)


def test_an_update_needs_what_the_console_does_not_show() -> None:
    record = {"id": 1, "path": "/a"}
    with pytest.raises(ConsoleError) as caught:
        make_plan(QUOTA, [record], wanted(id=1, path="/b"))
    assert str(caught.value) == (
        "quota '/a' (id 1) cannot be changed without size: the request must include it, and the console does not show its"
        " current value. Give size in the task."
    )
    assert caught.value.details["record"] == record


@pytest.mark.parametrize(
    ("resource", "record", "goal", "message"),
    [
        pytest.param(
            VOLUME,
            B,
            wanted(name="b", bucket="https://c"),
            "volume 'b' (id 2) differs in fields that can only be set at creation: bucket is 'https://b', wanted 'https://c'."
            " Leave the option out to keep the current value.",
            id="without an update",
        ),
        pytest.param(
            EXPORT,
            WEB,
            wanted(desc="web", readonly=False, iprange="*"),
            "export 'web' (id 1) differs in fields that can only be set at creation: readonly is true, wanted false."
            " Leave the option out to keep the current value, set create_only_changes to update to try"
            " it, or remove the record and create it again.",
            id="with an update",
        ),
    ],
)
def test_a_create_only_field_is_not_changed(
    resource: Resource, record: dict[str, Any], goal: Goal, message: str
) -> None:
    with pytest.raises(ConsoleError) as caught:
        make_plan(resource, [record], goal)
    assert str(caught.value) == message
    assert caught.value.details["record"] == record


@pytest.mark.parametrize(
    ("record", "goal", "unverified"),
    [
        (WEB, wanted(desc="web"), ()),
        ({"id": 1, "desc": "web"}, wanted(desc="web", iprange="*", readonly=True), ("iprange", "readonly")),
        (
            {"id": 1, "desc": "web", "iprange": "*"},
            wanted(desc="web", iprange="10.0.0.1", readonly=True),
            ("readonly",),
        ),
    ],
)
def test_what_cannot_be_verified(record: dict[str, Any], goal: Goal, unverified: tuple[str, ...]) -> None:
    assert make_plan(EXPORT, [record], goal).unverified == unverified


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
def test_whole_body(record: dict[str, Any], body: dict[str, Any]) -> None:
    assert make_plan(EXPORT, [record], wanted(desc="web", iprange="*")).whole_body == body


@pytest.mark.parametrize(
    ("goal", "changes_key"),
    [
        pytest.param(wanted(id=1, desc="www"), True, id="renamed"),
        pytest.param(wanted(id=1, desc="web", iprange="*"), False, id="the same name"),
        pytest.param(wanted(id=1, iprange="*"), False, id="no name"),
    ],
)
def test_changes_key(goal: Goal, changes_key: bool) -> None:
    assert make_plan(EXPORT, [WEB], goal).changes_key is changes_key


def test_without_a_natural_key_none_is_changed() -> None:
    memo = Resource("memo", "memos", "memos", (Field("id", INTEGER), Field("text", TEXT, UPDATABLE)), has_update=True)
    plan = make_plan(memo, [{"id": 1, "text": "a"}], wanted(id=1, text="b"))
    assert (plan.action, plan.changes_key, plan.key) == (UPDATE, False, None)


@pytest.mark.parametrize(
    ("before", "record", "unshown"),
    [
        pytest.param(WEB, WEB, (), id="all shown"),
        pytest.param(WEB, {**BARE, "iprange": "*"}, ("apionly", "readonly", "appendonly"), id="what is not sent"),
        pytest.param(BARE, BARE, ("iprange", "apionly", "readonly", "appendonly"), id="what is sent"),
        pytest.param(BARE, {**WEB, "iprange": "*"}, (), id="all shown by now"),
    ],
)
def test_what_an_update_may_change_unseen(
    before: dict[str, Any], record: dict[str, Any], unshown: tuple[str, ...]
) -> None:
    plan = make_plan(EXPORT, [before], wanted(id=1, desc="www", iprange="*"))
    assert plan.unshown(record) == unshown


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
def test_unrequested_changes(record: dict[str, Any], changes: list[tuple[str, Any, Any]]) -> None:
    plan = make_plan(EXPORT, [WEB], wanted(desc="web", iprange="*"))
    found = plan.unrequested_changes(record)
    assert [(change.field.name, change.actual, change.wanted) for change in found] == changes
