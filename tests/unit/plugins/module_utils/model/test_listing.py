# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sorted lists, as tables: the records that tasks work with, ignored ones, and unidentifiable ones."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import (
    Patterns,
    Record,
    read_patterns,
    sort_records,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    VOLUME,
    Resource,
)

A, BLANK, BAD = {"id": 1, "path": "/a"}, {"id": 2, "path": ""}, {"id": 3, "path": [1]}
ABSENT, NULL, AS_TEXT = {"id": 7, "uid": 1000}, {"id": 8, "path": None}, {"id": "9"}
NUMBER = {"id": 4, "path": 5}

SORTED: dict[str, tuple[list[Record], dict[str, Any], list[list[Record]]]] = {
    "nothing": ([], {}, [[], []]),
    "all with a key": ([A, BLANK, NUMBER], {}, [[A, BLANK, NUMBER], []]),
    "absent, in front": ([ABSENT, A], {}, [[A], [ABSENT]]),
    "an id that is text": ([A, AS_TEXT, ABSENT], {}, [[A], [AS_TEXT, ABSENT]]),
    "so does a number": ([NUMBER, NULL], {}, [[NUMBER], [NULL]]),
    "so does what is ignored": ([A, NULL], {"ignore": ["/a"]}, [[], [A, NULL]]),
    "so does what was shown before": ([NULL], {"shown": {"1"}}, [[], [NULL]]),
    "ignored as one without a key": ([A, NULL], {"ignore": [""]}, [[A], [NULL]]),
}


@pytest.mark.parametrize(("listed", "given", "expected"), SORTED.values(), ids=SORTED)
def test_sorted(listed: list[Record], given: dict[str, Any], expected: list[list[Record]]) -> None:
    ignore = Patterns(QUOTA, given.get("ignore", ()))
    records = sort_records(QUOTA, listed, " of volume 'v'", ignore, given.get("shown", ()))
    assert [list(records), list(records.ignored)] == expected
    assert (records.resource, records.of_volume) == (QUOTA, " of volume 'v'")


WEB, NO_DESC, NULL_DESC = {"id": 1, "desc": "web"}, {"id": 7, "iprange": "*"}, {"id": 8, "desc": None}
EXPORTS = {
    "null, alone": [NULL_DESC],
    "null, beside another": [NULL_DESC, WEB],
    "missing, where another is shown": [NO_DESC, WEB],
    "missing, where another is blank": [NO_DESC, {"id": 9, "desc": ""}],
    "missing, where another is null": [NO_DESC, NULL_DESC],
}


@pytest.mark.parametrize("listed", EXPORTS.values(), ids=EXPORTS)
def test_an_export_without_a_description_has_a_blank_one(listed: list[Record]) -> None:
    records = sort_records(EXPORT, listed)
    assert (list(records), records.ignored) == ([{"desc": None, **record} for record in listed], [])
    assert records.by_key("") == records.by_key(None) == []


NO_PATH, NO_ID = "without a usable path (ids {})", "without a usable id"
REFUSED: dict[str, tuple[Resource, list[Record], set[str], str]] = {
    "none shows a key": (QUOTA, [ABSENT, NULL], set(), NO_PATH.format("7, 8")),
    "a key of a wrong type": (QUOTA, [A, BAD], set(), NO_PATH.format("3")),
    "a key of a wrong type shows no key": (QUOTA, [BAD, NULL], set(), NO_PATH.format("3, 8")),
    "one that has lost its key": (QUOTA, [A, NULL], {"8"}, NO_PATH.format("8")),
    "no id": (QUOTA, [A, {"uid": 1000}], set(), NO_ID),
    "a bad id": (QUOTA, [A, {"id": "7/8"}], set(), NO_ID),
    "exports of which none shows a description": (
        EXPORT,
        [NO_DESC, {"id": 8}],
        set(),
        "without a usable desc (ids 7, 8)",
    ),
    "a volume": (VOLUME, [{"id": 1, "name": "v"}, NULL], set(), "without a usable name (ids 8)"),
}


@pytest.mark.parametrize(("resource", "listed", "shown", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(resource: Resource, listed: list[Record], shown: set[str], message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        sort_records(resource, listed, shown=shown)
    assert (
        str(caught.value)
        == f"the console shows {resource.plural} {message}: they cannot be identified. Correct them there"
    )


@pytest.mark.parametrize("other", [{"id": "1", "uid": 5}, {"id": 1, "path": "/b"}])
def test_an_id_of_two_is_refused(other: Record) -> None:
    with pytest.raises(ConsoleError, match=r"different quotas with the same id \(ids 1\): they cannot be identified"):
        sort_records(QUOTA, [A, other])


@pytest.mark.parametrize(
    ("resource", "pattern", "key", "matches"),
    [
        (EXPORT, "csi-*", "csi-1", True),
        (EXPORT, "csi-*", "CSI-1", False),
        (EXPORT, "csi-*", "my csi-1", False),
        (EXPORT, "csi-?", "csi-12", False),
        (EXPORT, "a*", "a/b\nc", True),
        (EXPORT, "[[]x]", "[x]", True),
        (EXPORT, "web", "web ", False),
        (EXPORT, "*", None, True),
        (EXPORT, "", None, True),
        (EXPORT, "", "web", False),
        (EXPORT, "7", 7, True),
        (EXPORT, "rsync:*", "rsync://backup@nas", True),
        (EXPORT, "*backup@nas", "rsync://backup@nas", True),
        (EXPORT, "*://?*@nas", "https://user:pw@nas", True),
        (EXPORT, "rsync://********@nas", "rsync://backup@nas", True),
        (EXPORT, "", "https://user:pw@nas", False),
        (EXPORT, "https:*", "rsync://backup@nas", False),
        (QUOTA, "/pvc-*", "/pvc-1/", True),
        (QUOTA, "/pvc-*", "pvc-1", True),
        (QUOTA, "//pvc-*/./x/", "/pvc-a/b/x", True),
        (QUOTA, "/pvc-*", "/home/pvc-1", False),
        (QUOTA, "*/tmp/", "/home/tmp", True),
        (QUOTA, "*", None, True),
        (QUOTA, "/*", None, False),
        (QUOTA, "/a", "/a/../a", False),
        (QUOTA, "/a", "/a ", False),
        (QUOTA, "/a", " /a", False),
        (VOLUME, "k8s-*", "k8s-1", True),
    ],
)
def test_what_a_pattern_matches(resource: Resource, pattern: str, key: Any, matches: bool) -> None:
    record = {"id": 1} if key is None else {"id": 1, resource.key.in_api: key}
    assert (
        read_patterns(resource, ["nothing" if resource is not QUOTA else "/nothing", pattern]).matches(record)
        is matches
    )


@pytest.mark.parametrize(
    ("resource", "given", "message"),
    [
        (EXPORT, "web", "ignore must be a list of patterns, not 'web'."),
        (EXPORT, [5], "ignore: the pattern 5 must be text."),
        (EXPORT, [None], "ignore: the pattern null must be text."),
        (QUOTA, ["pvc"], "ignore: the pattern 'pvc' must begin with / or *, since each path begins with /."),
        (QUOTA, [""], "ignore: the pattern '' must begin with / or *, since each path begins with /."),
        (
            QUOTA,
            ["/a/../b"],
            "ignore: the pattern '/a/../b' cannot be used, correct it: must be a path without .., not '/a/../b'.",
        ),
    ],
)
def test_what_is_no_pattern(resource: Resource, given: Any, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        read_patterns(resource, given)
    assert str(caught.value) == message
