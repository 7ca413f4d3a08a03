# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The names of a team's records, what the role may touch, and the words for what was done."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles import tenant
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.tenant import Names

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


def result(msg: str, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a module for a record."""
    return {"console": "https://c.example.com", "msg": msg, "diff": {"before": before, "after": after}}


RECORD = {"desc": "blue", "iprange": "10.0.0.0/8", "readonly": True, "apionly": False}
MOVED = {**RECORD, "iprange": "*"}
FILE = {"token_file": "/t"}
# The sides of the diff, and the values in the sentence.
VALUES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, RECORD, "done"),
    (RECORD, {}, "done, 10.0.0.0/8, read-only"),
    (RECORD, RECORD, "done"),
    (RECORD, MOVED, "done, iprange 10.0.0.0/8 → *"),
    ({}, {}, "done"),
    (RECORD, {**RECORD, **FILE}, "done"),
    ({**RECORD, **FILE}, {}, "done, 10.0.0.0/8, read-only"),
]


@pytest.mark.parametrize(("before", "after", "told"), VALUES)
def test_a_sentence_says_what_was_done_and_what_changed(before: Any, after: Any, told: str) -> None:
    found = tenant.summarize(GIVEN, Names("/blue", "blue"), {"export": result("done", before, after)})
    assert found == (f"https://c.example.com: Tenant blue: {told}.", "")


WANTED = {**GIVEN, "state": "absent", "must_exist": True}
# What is given, the kinds of which a record was there, and what was not found.
MISSING: list[tuple[dict[str, Any], tuple[str, ...], str]] = [
    (WANTED, (), "Not found: export blue, quota /blue. Check tenant_name"),
    (WANTED, ("quota",), "Not found: export blue. Check"),
    (WANTED, ("export", "quota"), ""),
    ({**WANTED, "must_exist": False}, (), ""),
    ({**WANTED, "state": "present"}, (), ""),
]


@pytest.mark.parametrize(("given", "there", "message"), MISSING)
def test_what_had_to_exist_is_named(given: dict[str, Any], there: tuple[str, ...], message: str) -> None:
    records: dict[str, dict[str, Any]] = {"export": RECORD, "quota": {"path": "/blue"}}
    # A file that another run left is no export.
    results = {kind: result("", records[kind] if kind in there else {**FILE}, {}) for kind in records}
    _told, found = tenant.summarize(given, Names("/blue", "blue"), results)
    assert (bool(found), found.startswith(message)) == (bool(message), True)
