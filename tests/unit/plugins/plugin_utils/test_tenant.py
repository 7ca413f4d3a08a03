# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The names of a team's records, what the role may touch, and the words for what was done."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal import tenant
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.tenant import Done, Names

GIVEN = {"name": "blue", "volume": "v", "state": "present"}
BOUNDS = {"path_prefix": "//tenants/", "desc_prefix": "tenant-"}
# By what is given: the path and the description.
NAMES: list[tuple[dict[str, Any], str, str]] = [
    ({}, "/blue", "blue"),
    (BOUNDS, "/tenants/blue", "tenant-blue"),
    ({"path_prefix": "/"}, "/blue", "blue"),
    ({**BOUNDS, "path": "/a", "desc": "b"}, "/a", "b"),
    ({"path": "a//b/"}, "a//b/", "blue"),
]


@pytest.mark.parametrize(("given", "path", "desc"), NAMES)
def test_names_follow_from_that_of_the_team(given: dict[str, Any], path: str, desc: str) -> None:
    assert tenant.names_of({**GIVEN, **given}) == Names(path, desc)


BELOW = "tenant_path must be a directory below {}, not {}."
OF_FILES = " of volume v is part of the desired state in tenant_source."
DESIRED: list[dict[str, Any]] = [
    {"name": "w", "exports": [{"desc": "blue"}], "quotas": [{"path": "/blue"}]},
    {
        "name": "v",
        "exports": [{"desc": "web", "renamed_from": "old"}, {"desc": 2024}],
        "quotas": [{"path": "//home/./a/"}],
    },
    {"name": "v", "quotas": [{"path": "/new", "renamed_from": "/former"}], "exports": None},
    {"id": 7},
]
# By what is given: the beginning of what is said.
BOUND: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"volumes": ["a", "v"]}, ""),
    ({"volumes": ["a", "b"]}, "tenant_volume must be one of a, b, not v."),
    ({"path": "/"}, BELOW.format("/", "/")),
    ({"path": "//."}, BELOW.format("/", "//.")),
    ({"path": "relative"}, BELOW.format("/", "relative")),
    ({"path": "/a/../b"}, BELOW.format("/", "/a/../b")),
    ({"path": "/a..b"}, ""),
    ({"path_prefix": "/t", "path": "/t"}, BELOW.format("/t", "/t")),
    ({"path_prefix": "/t/", "path": "/t/"}, BELOW.format("/t/", "/t/")),
    ({"path_prefix": "/t", "path": "/t2/a"}, BELOW.format("/t", "/t2/a")),
    ({"path_prefix": "/t", "path": "//t//a"}, ""),
    ({"name": "../a", "path_prefix": "/t"}, BELOW.format("/t", "/t/../a")),
    ({"desc_prefix": "t-", "desc": "a"}, "tenant_desc must begin with t-, not a."),
    ({"desc_prefix": "t-", "desc": "t-"}, ""),
    ({"desc": "web"}, f"export web{OF_FILES}"),
    ({"desc": "old"}, f"export old{OF_FILES}"),
    ({"desc": "2024"}, f"export 2024{OF_FILES}"),
    ({"path": "/home/a"}, f"quota /home/a{OF_FILES}"),
    ({"path": "/former"}, f"quota /former{OF_FILES}"),
    ({"path": "/new/", "desc": "web"}, f"export web and quota /new/{OF_FILES}"),
]


@pytest.mark.parametrize(("given", "said"), BOUND)
def test_what_the_role_may_not_touch_is_said(given: dict[str, Any], said: str) -> None:
    given = {**GIVEN, **given}
    problems = tenant.out_of_bounds(given, tenant.names_of(given), DESIRED)
    assert len(problems) == bool(said)
    assert "".join(problems).startswith(said)


def test_all_problems_are_said_at_once() -> None:
    given = {**GIVEN, "volumes": ["a"], "path": "/", "desc_prefix": "t-", "desc": "web"}
    assert len(tenant.out_of_bounds(given, tenant.names_of(given), DESIRED)) == 4


def result(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a module for a record."""
    return {"console": "https://c.example.com", "diff": {"before": before, "after": after}}


SKIPPED = {"skipped": True}
RECORD = {"desc": "blue", "iprange": "10.0.0.0/8", "readonly": True, "apionly": False}
MOVED = {**RECORD, "iprange": "*"}
FILE = {"token_file": "/t"}
# The sides of the diff, what became of the record, and its values as far as they changed.
OUTCOMES: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({}, RECORD, "created", ""),
    (RECORD, {}, "removed", "10.0.0.0/8, read-only"),
    (RECORD, RECORD, "unchanged", ""),
    (RECORD, MOVED, "updated", "iprange 10.0.0.0/8 → *"),
    ({}, {}, "not found", ""),
    (FILE, {}, "not found", ""),
    (RECORD, {**RECORD, **FILE}, "unchanged", ""),
]


@pytest.mark.parametrize(("before", "after", "outcome", "values"), OUTCOMES)
def test_an_outcome_follows_from_the_difference(
    before: dict[str, Any], after: dict[str, Any], outcome: str, values: str
) -> None:
    done = tenant.read_results(result(before, after), SKIPPED)
    has_file = "token_file" in {**before, **after}
    assert done == Done({"export": outcome}, {"export": values}, has_file, True, "https://c.example.com")


def test_the_values_of_a_quota_have_units() -> None:
    old, new = ({"path": "/blue", "size": size, "inodes": 0} for size in ("10GiB", "1TiB"))
    found = [tenant.read_results(SKIPPED, result(*sides)) for sides in ((old, new), (old, {}))]
    assert [done.values for done in found] == [{"quota": "size 10GiB → 1TiB"}, {"quota": "size 10GiB"}]


@pytest.mark.parametrize("volumes", [[], [{"id": 7}]])
def test_a_volume_is_looked_for_where_something_is_removed(volumes: list[Any]) -> None:
    found = tenant.read_results(result({}, {}), result({}, {}), {"volumes": volumes})
    assert found.has_volume is bool(volumes)
    assert list(found.outcomes) == ["export", "quota"]


BLANK = {"export": "", "quota": ""}
BOTH = {"export": "created", "quota": "unchanged"}
NEITHER = {"export": "not found", "quota": "not found"}
HERE = "c: Tenant blue on volume v: "
# What is given beside the names, what was done, whether in check mode, and the sentence.
SENTENCES: list[tuple[dict[str, Any], Done, bool, str]] = [
    ({}, Done(BOTH, BLANK, False, True, "c"), False, "export 'blue' created; quota '/blue' unchanged."),
    ({}, Done(BOTH, BLANK, False, True, "c"), True, "export 'blue' would be created; quota '/blue' unchanged."),
    (
        FILE,
        Done({"export": "updated"}, {"export": "iprange * → ::1"}, True, True, "c"),
        False,
        "export 'blue' (iprange * → ::1) updated; file '/t' written.",
    ),
    (FILE, Done({"export": "updated"}, BLANK, False, True, "c"), False, "export 'blue' updated."),
    (
        {**FILE, "state": "absent"},
        Done({"export": "removed"}, {"export": "10.0.0.0/8"}, True, True, "c"),
        True,
        "export 'blue' (10.0.0.0/8) would be removed; file '/t' would be removed.",
    ),
    (
        {**FILE, "state": "absent"},
        Done(NEITHER, BLANK, False, True, "c"),
        True,
        "export 'blue' not found; quota '/blue' not found.",
    ),
    ({"state": "absent"}, Done(NEITHER, BLANK, False, False, "c"), False, "this volume was not found."),
]


@pytest.mark.parametrize(("given", "done", "check_mode", "sentence"), SENTENCES)
def test_a_sentence_says_what_was_done(given: dict[str, Any], done: Done, check_mode: bool, sentence: str) -> None:
    text = tenant.summarize({**GIVEN, **given}, Names("/blue", "blue"), done, check_mode)
    assert text == HERE + sentence


WANTED = {**GIVEN, "state": "absent", "must_exist": True}
MISSING: list[tuple[dict[str, Any], Done, str]] = [
    (WANTED, Done(NEITHER, BLANK, False, True, "c"), "Not found: export blue, quota /blue. Check tenant_name"),
    (WANTED, Done({**NEITHER, "quota": "removed"}, BLANK, False, True, "c"), "Not found: export blue. Check"),
    (WANTED, Done(NEITHER, BLANK, False, False, "c"), "Not found: volume v. Check"),
    (WANTED, Done({"export": "removed", "quota": "removed"}, BLANK, False, True, "c"), ""),
    ({**WANTED, "must_exist": False}, Done(NEITHER, BLANK, False, True, "c"), ""),
    ({**WANTED, "state": "present"}, Done(NEITHER, BLANK, False, True, "c"), ""),
]


@pytest.mark.parametrize(("given", "done", "message"), MISSING)
def test_what_had_to_exist_is_named(given: dict[str, Any], done: Done, message: str) -> None:
    found = tenant.not_found(given, Names("/blue", "blue"), done)
    assert (bool(found), found.startswith(message)) == (bool(message), True)
