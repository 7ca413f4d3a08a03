# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Patterns for records that are somebody else's, as tables: their matches, and refused patterns."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import (
    read_ignored,
    read_patterns,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    VOLUME,
    Resource,
)


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
        (QUOTA, ["/a/../b"], "ignore: the pattern '/a/../b' cannot be used: must be a path without .., not '/a/../b'."),
    ],
)
def test_what_is_no_pattern(resource: Resource, given: Any, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        read_patterns(resource, given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["web"], 'ignore must be a dictionary of patterns for volumes, exports, quotas, not ["web"].'),
        (
            {"export": ["web"]},
            'ignore must be a dictionary of patterns for volumes, exports, quotas, not {"export": ["web"]}.',
        ),
        ({"quotas": ["x"]}, "ignore.quotas: the pattern 'x' must begin with / or *, since each path begins with /."),
    ],
)
def test_what_are_no_patterns_of_lists(given: Any, message: str) -> None:
    with pytest.raises(ConsoleError) as caught:
        read_ignored(given)
    assert str(caught.value) == message


@pytest.mark.parametrize(("patterns", "kept"), [(None, ["a", "b", None]), ([], ["a", "b", None]), (["b", ""], ["a"])])
def test_records_are_split(patterns: list[str] | None, kept: list[str | None]) -> None:
    records = [{"desc": desc} for desc in ("a", "b", None)]
    ours, others = read_patterns(EXPORT, patterns).split(records)
    assert [record["desc"] for record in ours] == kept
    assert [record for record in records if record not in ours] == others
