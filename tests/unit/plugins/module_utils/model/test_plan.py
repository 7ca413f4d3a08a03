# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The plan as tables: the record, the goal, the action, and the body of a PUT."""

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
    Action,
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
HOME_SHOWN = {"path": "/a", "size": "1KiB", "inodes": 7}
PATH_ONLY = {"id": 1, "path": "/a"}


@pytest.mark.parametrize(
    ("records", "goal", "verb"),
    [
        ([], volume(name="a"), CREATE),
        ([B], volume(name="a"), CREATE),
        ([A, B], volume(name="a"), NOTHING),
        ([A, B], volume(name="a", bucket="https://a"), NOTHING),
        ([A, B], volume(name="a", block_size=4096, extend=""), NOTHING),
        ([A, B], volume(id=2, name="b"), NOTHING),
        ([B], volume(name="b", compress="zstd", trashtime=7), NOTHING),
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


SECRET_A = [{**A, "bucket": "s3://x:y@a"}]
REFUSED: dict[str, tuple[Any, ...]] = {
    "bucket is 'https://a/', wanted 'https://c'": ([A], volume(name="a", bucket="https://c")),
    "block_size is 4096, wanted 8; compress is 'lz4', wanted 'x'": ([A], volume(name="a", block_size=8, compress="x")),
    "trashtime is not as wanted": ([{**A, "trashtime": 7}], volume(name="a", trashtime=30)),
    "export 'web' does not exist: to create it, give iprange.": ([], export(desc="web")),
    "no export is given the desc 'web ', with white space at its ends": (
        [],
        export(desc="web ", iprange="*"),
    ),
    r"no export is given the desc 'a\x00b', with white space": ([], export(desc="a\x00b", iprange="*")),
    "no export is given the desc 'new ', with white space": (
        [{"id": 1, "desc": "web"}],
        export(id=1, desc="new "),
    ),
    "quota '/a' does not exist: to create it, give size or inodes.": ([], quota(path="/a")),
    "is 's3://********@a', wanted 's3://********@b'": (SECRET_A, volume(name="a", bucket="s3://x:z@b")),
}


@pytest.mark.parametrize(("fragment", "records", "goal"), [(text, *row) for text, row in REFUSED.items()], ids=REFUSED)
def test_refused(fragment: str, records: list[Record], goal: Goal) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan(records, goal)
    assert fragment in str(caught.value)


def test_a_creation_sends_what_was_given_and_the_documented_defaults() -> None:
    goal = volume(name="a", block_size=8, extend="", trashtime=7)
    assert plan([], goal).body == {"name": "a", "blockSize": 8, "extend": "", "trashtime": 7}
    action = plan([], export(desc="web", iprange="*", readonly=True))
    assert action.body == {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False}
    assert action.values == action.body
    assert action.changing == tuple(action.body) == tuple(field.name for field in EXPORT.managed)


def shown_after(action: Action) -> dict[str, Any]:
    return action.shown(action.prediction)


PREDICTIONS: dict[str, tuple[Any, ...]] = {
    "created": ([], quota(path="/a", size=1024), {"path": "/a", "size": 1024}, {}, {"path": "/a", "size": "1KiB"}),
    "updated": ([HOME], quota(path="/a", size=1), {**HOME, "size": 1}, HOME_SHOWN, {**HOME_SHOWN, "size": 1}),
    "unchanged": ([HOME], quota(path="/a"), HOME, HOME_SHOWN, HOME_SHOWN),
    "deleted": ([HOME], quota(present=False, path="/a"), None, HOME_SHOWN, {}),
    "not there, and not wanted": ([], quota(present=False, path="/a"), None, {}, {}),
}


@pytest.mark.parametrize(("records", "goal", "prediction", "before", "after"), PREDICTIONS.values(), ids=PREDICTIONS)
def test_prediction(
    records: list[Record], goal: Goal, prediction: Record | None, before: Record, after: Record
) -> None:
    action = plan(records, goal)
    assert (action.prediction, action.shown(action.current), shown_after(action)) == (prediction, before, after)


CALLED: dict[str, tuple[Any, ...]] = {
    "by id": ([B], volume(id=2), "b", "volume 'b' (id 2)", "b"),
    "renamed": ([WEB], export(id=1, desc="www"), "www", "export 'web' (id 1)", "www"),
    "without a key": ([{"id": 1, "desc": ""}], export(id=1), "", "export '' (id 1)", "id 1"),
}


@pytest.mark.parametrize(("records", "goal", "key", "description", "label"), CALLED.values(), ids=CALLED)
def test_what_an_action_is_called(records: list[Record], goal: Goal, key: Any, description: str, label: str) -> None:
    action = plan(records, goal)
    assert (action.key, action.description, action.label) == (key, description, label)


def create_only(**values: Any) -> Goal:
    """Return a goal for an export that may update fields which are set at creation."""
    return export(desc="web", **values)._replace(update_create_only=True)


WEB_NOW, BOTH_GIVEN = {"desc": "web", "iprange": "10.0.0.0/8"}, create_only(iprange="*", readonly=False)
UPDATES: dict[str, tuple[Any, ...]] = {
    "one field": (WEB, export(desc="web", iprange="*"), ("iprange",), {"desc": "web", "iprange": "*"}),
    "the key, the other as it is shown": (WEB, export(id=1, desc="www"), ("desc",), {**WEB_NOW, "desc": "www"}),
    "null is sent as null": ({**HOME, "size": None}, quota(id=1, path="/b"), ("path",), {"path": "/b", "size": None}),
    "no create-only field": (HOME, quota(path="/a", size=1, inodes=7), ("size",), {"path": "/a", "size": 1}),
    "a create-only field, where that is allowed": (WEB, BOTH_GIVEN, ("iprange", "readonly"), BOTH_GIVEN.values),
    "a create-only field alone": (WEB, create_only(readonly=False), ("readonly",), {**WEB_NOW, "readonly": False}),
}


@pytest.mark.parametrize(("record", "goal", "changing", "body"), UPDATES.values(), ids=UPDATES)
def test_update(record: Record, goal: Goal, changing: tuple[str, ...], body: dict[str, Any]) -> None:
    action = plan([record], goal)
    assert (action.verb, action.changes, action.changing, action.body) == (UPDATE, True, changing, body)
    assert (action.current, action.values) == (record, goal.values)


NOT_SHOWN = (
    "quota '/a' (id 1) cannot be changed without size: the request must include it, and the console does not show its"
    " current value. Give size in the task."
)
CREATE_ONLY = "differs in fields that can only be set at creation"
KEEP = "Leave the option out to keep the current value"
NO_UPDATE = f"volume 'b' (id 2) {CREATE_ONLY}: bucket is 'https://b', wanted 'https://c'. {KEEP}."
NOT_IN_UPDATE = (
    f"export 'web' (id 1) {CREATE_ONLY}: readonly is true, wanted false. {KEEP}, try create_only_changes: update (not in a role),"
    " or remove the record and create it again."
)
CANNOT_BE_UPDATED: dict[str, tuple[Any, ...]] = {
    "a field that the request needs is not shown": (PATH_ONLY, quota(id=1, path="/b"), NOT_SHOWN),
    "create-only, without an update": (B, volume(name="b", bucket="https://c"), NO_UPDATE),
    "create-only, with an update": (WEB, export(desc="web", readonly=False, iprange="*"), NOT_IN_UPDATE),
}


@pytest.mark.parametrize(("record", "goal", "message"), CANNOT_BE_UPDATED.values(), ids=CANNOT_BE_UPDATED)
def test_what_cannot_be_updated(record: Record, goal: Goal, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        plan([record], goal)
    assert (str(caught.value), caught.value.details["record"]) == (message, record)


UNVERIFIED: dict[str, tuple[Any, ...]] = {
    "nothing given": (WEB, export(desc="web"), ()),
    "two": (BARE, export(desc="web", iprange="*", readonly=True), ("iprange", "readonly")),
    "one, and an update": ({**BARE, "iprange": "*"}, export(desc="web", iprange="::1", readonly=True), ("readonly",)),
    "an extra field": (A, volume(name="a", trashtime=7), ("trashtime",)),
    "an extra field that is shown": ({**A, "trashtime": "7"}, volume(name="a", trashtime=7), ()),
}


@pytest.mark.parametrize(("record", "goal", "unverified"), UNVERIFIED.values(), ids=UNVERIFIED)
def test_what_cannot_be_verified(record: Record, goal: Goal, unverified: tuple[str, ...]) -> None:
    assert plan([record], goal).unverified == unverified


def test_the_whole_body_holds_what_is_shown() -> None:
    goal = export(desc="web", iprange="*")
    flags = {"apionly": False, "readonly": True, "appendonly": False}
    assert plan([WEB], goal).whole_body == {"desc": "web", "iprange": "*", **flags}
    assert plan([{**BARE, "iprange": "::/0", "x": 1}], goal).whole_body == {"desc": "web", "iprange": "*"}


def test_what_an_update_may_change_unseen() -> None:
    flags = ("apionly", "readonly", "appendonly")
    goal, now = export(id=1, desc="www", iprange="*"), {**WEB, "iprange": "*"}
    assert [plan([WEB], goal).unshown(record) for record in (WEB, {**BARE, "iprange": "*"})] == [(), flags]
    assert [plan([BARE], goal).unshown(record) for record in (BARE, now)] == [("iprange", *flags), ()]


UNREQUESTED_CHANGES: dict[str, tuple[Any, ...]] = {
    "nothing changed": (WEB, []),
    "what was to be changed, or is unknown": ({**WEB, "iprange": "::/0", "x": 1}, []),
    "two changed": ({**WEB, "readonly": 0, "desc": "x"}, [("desc", "x", "web"), ("readonly", False, True)]),
    "one is null, which is no longer its value": ({**WEB, "readonly": None}, [("readonly", None, True)]),
}


@pytest.mark.parametrize(("record", "changes"), UNREQUESTED_CHANGES.values(), ids=UNREQUESTED_CHANGES)
def test_unrequested_changes(record: Record, changes: list[tuple[str, Any, Any]]) -> None:
    found = plan([WEB], export(desc="web", iprange="*")).unrequested_changes(record)
    assert [(change.field.name, change.actual, change.wanted) for change in found] == changes


TOKENS: dict[str, tuple[Any, ...]] = {
    "another": ({"token": "T"}, {"token": "X"}, ["token"]),
    "the same": ({"token": "T"}, {"token": "T"}, []),
    "no longer shown": ({"token": "T"}, {}, []),
}


@pytest.mark.parametrize(("before", "now", "changes"), TOKENS.values(), ids=TOKENS)
def test_a_new_token_is_a_change_that_nobody_requested(before: Record, now: Record, changes: list[str]) -> None:
    action = plan([{**WEB, **before}], export(desc="web", iprange="*"))
    assert [change.field.name for change in action.unrequested_changes({**WEB, **now})] == changes
    assert plan([{**HOME, **before}], quota(path="/a", size=1)).unrequested_changes({**HOME, **now}) == []


def test_what_an_update_leaves_out_and_what_is_shown_of_that() -> None:
    action = plan([WEB], export(desc="web", iprange="*"))
    assert action.left_out == {"readonly"}
    assert action.vanished({**BARE, "apionly": True}) == ("readonly", "appendonly")


OPEN = {**WEB, "iprange": "*", "readonly": False}
ACCESS: list[tuple[list[Record], Goal, bool]] = [
    ([], export(desc="web", iprange="*", readonly=False), True),
    ([], export(desc="web", iprange="*", readonly=True), False),
    ([], export(desc="web", iprange="10.0.0.0/8"), False),
    ([{**OPEN, "iprange": "10.0.0.0/8"}], export(desc="web", iprange="0.0.0.0/0"), True),
    ([OPEN], export(desc="web", iprange="::/0"), False),
    ([OPEN], export(present=False, desc="web"), False),
]


@pytest.mark.parametrize(("records", "goal", "is_warned_of"), ACCESS)
def test_an_export_that_becomes_open_to_any_writer_is_a_likely_mistake(
    records: list[Record], goal: Goal, is_warned_of: bool
) -> None:
    warnings = plan(records, goal).plan_warnings
    assert ["will let any address write" in warning for warning in warnings] == [True] * is_warned_of


def test_a_deletion_keeps_the_likely_mistakes_of_its_item() -> None:
    goal = export(present=False, desc="web")._replace(plan_warnings=("desc is a number.",))
    assert plan([WEB], goal).plan_warnings == ("desc is a number.",)
