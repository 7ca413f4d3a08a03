# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The changes of a task: as data, and as lines of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.entries import (
    Entry,
    entry_of,
    list_entries,
    to_change,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.lines import format_changes
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT, QUOTA, VOLUME
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Change, Outcome, Section
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, plan, quota, volume

HOME: Record = {"id": 1, "path": "/a", "size": "1024", "inodes": 7}
WEB: Record = {"id": 3, "desc": "web", "iprange": "*", "readonly": True, "appendonly": False, "apionly": False}
GIB = 2**30


def entries(
    records: list[Record], goal: Any, record: Record | None = None, error: str = "", **changed: Any
) -> list[Entry]:
    """Return the entries of one planned action, with the outcome that is predicted unless an error is given."""
    change = Change(plan(records, goal))
    if error:
        change.outcome = Outcome(change.action, record, True, ConsoleError(error), **changed)
    return [to_change(entry_of(change, {"name": "v", "id": 1}))] if change.is_done else []


def lines(found: list[Entry]) -> list[str]:
    return format_changes(found, lambda _line: True)


CHANGES: dict[str, tuple[list[Entry], dict[str, Any], str]] = {
    "created": (
        entries([], quota(path="/new", size=10 * GIB)),
        {"key": "/new", "id": None, "action": "create", "fields": {"size": {"before": None, "after": 10 * GIB}}},
        "+ quota /new: size 10GiB",
    ),
    "created with flags": (
        entries([], export(desc="web", iprange="*", readonly=True)),
        {
            "fields": {
                "iprange": {"before": None, "after": "*"},
                "apionly": {"before": None, "after": False},
                "readonly": {"before": None, "after": True},
                "appendonly": {"before": None, "after": False},
            }
        },
        "+ export web: *, read-only",
    ),
    "updated": (
        entries([HOME], quota(path="/a", size=1024 * GIB)),
        {"key": "/a", "id": 1, "action": "update", "fields": {"size": {"before": 1024, "after": 1024 * GIB}}},
        "~ quota /a: size 1KiB → 1TiB",
    ),
    "renamed": (
        entries([HOME], quota(path="/b", id=1)),
        {"key": "/b", "fields": {"path": {"before": "/a", "after": "/b"}}},
        "~ quota /b: path /a → /b",
    ),
    "not shown": (
        entries([{"id": 3, "desc": "web"}], export(desc="www", id=3, iprange="10.0.0.0/8")),
        {"fields": {"desc": {"before": "web", "after": "www"}, "iprange": {"before": None, "after": "10.0.0.0/8"}}},
        "~ export www: desc web → www, iprange null → 10.0.0.0/8",
    ),
    "deleted": (
        entries([HOME], quota(path="/a", present=False)),
        {
            "action": "delete",
            "fields": {"size": {"before": 1024, "after": None}, "inodes": {"before": 7, "after": None}},
        },
        "- quota /a: size 1KiB, inodes 7",
    ),
    "something else was done than planned": (
        entries([HOME], quota(path="/a", size=2048), {**HOME, "size": 4096}, "no"),
        {"fields": {"size": {"before": 1024, "after": 4096}}},
        "~ quota /a: size 1KiB → 4KiB",
    ),
    "gone meanwhile": (
        entries([HOME], quota(path="/a", size=2048), None, "no"),
        {"fields": {"size": {"before": 1024, "after": None}, "inodes": {"before": 7, "after": None}}},
        "~ quota /a: size 1KiB → null, inodes 7 → null",
    ),
    "unprintable": (
        entries([], export(desc="a\u202eb", iprange="10.0.0.0/8")),
        {"key": "a\u202eb"},
        "+ export a\\u202eb: 10.0.0.0/8",
    ),
    "a secret": (
        entries([], volume(name="w", bucket="https://user:hunter2@b.example.com")),
        {"fields": {"bucket": {"before": None, "after": "https://********@b.example.com"}}},
        "+ volume w: bucket https://********@b.example.com",
    ),
    "long": (
        entries([], volume(name="w", bucket="https://" + "b" * 300)),
        {},
        f"+ volume w: bucket https://{'b' * 192}...",
    ),
}


@pytest.mark.parametrize(("found", "entry", "line"), CHANGES.values(), ids=CHANGES)
def test_a_change(found: list[Entry], entry: dict[str, Any], line: str) -> None:
    (only,) = found
    assert only == {**only, **entry}
    assert [each.strip() for each in lines(found)][-1] == line


def test_what_was_not_done_is_no_change() -> None:
    assert entries([HOME], quota(path="/a", size=1024)) == []
    assert entries([HOME], quota(path="/a", size=2048), HOME, "no", is_seen=False) == []


def console() -> Section:
    """Return a planned console: a volume that stays, one that goes with its lists, and a new one."""
    below = {"exports": [export(desc="web", iprange="10.0.0.0/8")], "quotas": [quota(path="/a", size=2048)]}
    goals = [
        volume(name="old", present=False),
        volume(name="v")._replace(children=below),
        volume(name="new", bucket="b")._replace(children={"quotas": [quota(path="/b", size=1)]}),
        volume(name="same"),
    ]
    root = Section(VOLUME, goals)
    root.records = Records(VOLUME, [{"id": number, "name": name} for number, name in enumerate(("old", "v", "same"))])
    root.plan()
    lists = {(section.volume["name"], section.kind): section for section in root.all_below}
    lists["old", "exports"].fail(ConsoleError("unreadable"))
    lists["old", "quotas"].records = Records(QUOTA, [HOME], "", [{"id": 2, "path": "/csi"}])
    lists["v", "quotas"].records = Records(QUOTA, [HOME, {"id": 2, "path": "/b"}])
    lists["v", "exports"].records = Records(EXPORT, [WEB])
    for section in root.all_below:
        section.plan()
    return root


def of_console() -> list[Entry]:
    return list(map(to_change, list_entries(console())))


def test_changes_are_grouped_by_volume_and_volumes_are_deleted_last() -> None:
    assert lines(of_console()) == [
        "volume v",
        "  ~ export web: iprange * → 10.0.0.0/8",
        "  ~ quota /a: size 1KiB → 2KiB",
        "+ volume new: bucket b",
        "  + quota /b: size 1",
        "- volume old, with exports that cannot be read and 2 quotas, 1 of them ignored",
    ]
    assert of_console()[-1]["lost"] == {"exports": None, "quotas": 2, "ignored": 1}


def test_the_entries_of_a_whole_plan_name_what_goes_with_a_volume_too_and_show_all_of_each_record() -> None:
    *others, old, gone = list_entries(console(), is_whole=True)
    assert (old["key"], old["volume_id"], gone["key"], gone["volume"], gone["volume_id"]) == ("old", 0, "/a", "old", 0)
    assert others[0] == {
        "volume": "v",
        "volume_id": 1,
        "kind": "exports",
        "key": "web",
        "id": 3,
        "action": "update",
        "before": {"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": False},
        "after": {"desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": False},
    }
    assert (others[-1]["before"], others[-1]["after"], others[-1]["volume_id"]) == ({}, {"path": "/b", "size": 1}, None)
    assert (gone["before"], gone["after"]) == ({"path": "/a", "size": 1024, "inodes": 7}, {})


def first(number: int) -> Callable[[str], bool]:
    """Return a function that has room for so many lines."""
    left = list(range(number))
    return lambda _line: bool(left and [left.pop()])


@pytest.mark.parametrize(
    ("room", "last"),
    [
        (6, "- volume old, with exports that cannot be read and 2 quotas, 1 of them ignored"),
        (5, "Not shown: old 1 -"),
        (2, "Not shown: v 1 ~; new 2 +; old 1 -"),
        (0, "Not shown: v 2 ~; new 2 +; old 1 -"),
    ],
)
def test_changes_without_room_are_counted_by_volume(room: int, last: str) -> None:
    shown = format_changes(of_console(), first(room))
    assert (len(shown), shown[-1]) == (min(room + 1, 6), last)
