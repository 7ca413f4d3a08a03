# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What follows from what a console does that the emulator cannot play."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.observation import (
    JSON,
    Attempt,
    Listing,
    Look,
    Observation,
    Reply,
    Seen,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.profile import make_profile
from ansible_collections.managedfs.console.plugins.module_utils._internal.probe.steps import ALL

STEPS = {step.name: step for step in ALL}
EXPORT = {"id": 1, "desc": "a", "iprange": "192.0.2.1/24", "apionly": True, "readonly": True, "appendonly": False}
QUOTA = {"id": 2, "path": "/{mark}-a/", "size": 5000, "inodes": 7}


def reply(status: int, value: Any = None, method: str = "POST") -> Reply:
    """Return a reply with JSON in it."""
    return Reply(method, "/volumes/{volume_id}/exports", status, JSON, value if value is not None else {"id": 1}, {})


def update(name: str, before: dict[str, Any], *, status: int = 200, settled: bool = True, **after: Any) -> Observation:
    """Return an update, with what the record shows afterwards."""
    sent = dict(STEPS[name].body or {})
    shown = {**before, **after}
    looks = (Look(0.0, 0.0, settled),)
    return Observation(sent, reply(status, method="PUT"), before=before, after=shown, looks=looks, is_settled=settled)


def creation(name: str, status: int = 201, after: dict[str, Any] | None = None, value: Any = None) -> Observation:
    """Return a creation."""
    return Observation(dict(STEPS[name].body or {}), reply(status, value), after=after, is_settled=after is not None)


def seen_with(**steps: Observation) -> Seen:
    """Return what was seen in these steps and no other."""
    seen = Seen()
    seen.steps.update(steps)
    return seen


FLAGS_TAKEN: dict[str, Any] = {"iprange": "203.0.113.0/24", "apionly": False, "readonly": False, "appendonly": True}


@pytest.mark.parametrize(
    ("steps", "value", "unknown"),
    [
        pytest.param(
            {
                "update_export": update("update_export", EXPORT, iprange="198.18.0.0/15", readonly=False),
                "update_flags": update("update_flags", EXPORT, **FLAGS_TAKEN),
            },
            "reset",
            ["An update resets readonly, but not apionly."],
            id="one field is reset",
        ),
        pytest.param(
            {
                "update_export": update("update_export", EXPORT, iprange="198.18.0.0/15"),
                "update_flags": update("update_flags", EXPORT, **{**FLAGS_TAKEN, "apionly": True}),
            },
            "any",
            ["An update takes appendonly, readonly, but not apionly."],
            id="one flag is not taken",
        ),
        pytest.param(
            {
                "update_export": update("update_export", EXPORT, iprange="198.18.0.0/15"),
                "update_flags": update("update_flags", EXPORT, status=400),
                "update_quota": update("update_quota", QUOTA, size=2147483649),
                "update_inodes": update("update_inodes", QUOTA, size=10001, inodes=9),
            },
            "reject",
            ["An update with apionly, appendonly, readonly is refused, and one with inodes is not."],
            id="exports and quotas differ",
        ),
        pytest.param(
            {
                "update_export": update("update_export", EXPORT, status=405),
                "update_flags": update("update_flags", EXPORT, status=405),
            },
            None,
            ["An update of the iprange of an export is refused with HTTP 405."],
            id="there are no updates",
        ),
        pytest.param(
            {
                "update_export": update("update_export", EXPORT, iprange="198.18.0.0/15"),
                "update_flags": update("update_flags", EXPORT, **FLAGS_TAKEN),
                "rename_export": update("rename_export", EXPORT, status=400),
                "update_spaced_export": update("update_spaced_export", EXPORT, settled=False),
            },
            "any",
            [
                "An update that leaves out iprange is refused.",
                "An update of the iprange of an export with white space in its desc is accepted, and its effect is not listed.",
            ],
            id="iprange is needed, and one update has no effect",
        ),
        pytest.param(
            {
                "update_export": update("update_export", {**EXPORT, "readonly": 1}, iprange="198.18.0.0/15"),
                "update_flags": update("update_flags", {**EXPORT, "readonly": 1}, **{**FLAGS_TAKEN, "readonly": 0}),
            },
            "any",
            [],
            id="flags as numbers",
        ),
    ],
)
def test_put(steps: dict[str, Observation], value: Any, unknown: list[str]) -> None:
    profile, words = make_profile(seen_with(**steps))
    assert (profile["put"]["value"], words) == (value, unknown)


@pytest.mark.parametrize(
    ("name", "steps", "value", "unknown"),
    [
        pytest.param(
            "create_status",
            {"create_export": creation("create_export"), "create_quota": creation("create_quota", 200)},
            None,
            ["The status of a creation differs: 201 for exports, 200 for quotas."],
            id="statuses differ",
        ),
        pytest.param(
            "create_status",
            {"create_export": creation("create_export", 203)},
            None,
            ["The status of a creation is 203."],
            id="another status",
        ),
        pytest.param(
            "create_status",
            {"create_export": creation("create_export"), "update_export": update("update_export", EXPORT, status=202)},
            201,
            ["An update is answered with HTTP 202."],
            id="updates have another status",
        ),
        pytest.param(
            "put_alters",
            {"update_quota": update("update_quota", QUOTA, size=2148532224)},
            "rounds_up",
            ["Sizes are rounded up, but not to multiples of 4096."],
            id="sizes are rounded to a mebibyte",
        ),
        pytest.param(
            "put_alters",
            {"update_quota": update("update_quota", QUOTA, size="2 GiB")},
            None,
            ["An update changes a size in a way of its own."],
            id="sizes are written in words",
        ),
        pytest.param(
            "unique_keys",
            {
                "create_other_export": creation("create_other_export"),
                "create_same_export": creation("create_same_export", 409),
                "create_export_in_capitals": creation("create_export_in_capitals", 409),
            },
            True,
            ["Keys that differ only in case count as the same."],
            id="case is ignored",
        ),
        pytest.param(
            "unique_keys",
            {
                "create_other_export": creation("create_other_export", 400),
                "create_same_export": creation("create_same_export", 400),
            },
            None,
            [],
            id="a creation that is refused anyway says nothing of doubles",
        ),
        pytest.param(
            "normalise_networks",
            {
                "create_export": creation("create_export", after={**EXPORT, "iprange": "192.0.2.0/24"}),
                "create_plain_export": creation("create_plain_export", after={**EXPORT, "iprange": "192.0.2.7"}),
            },
            None,
            ["Whether networks are normalised differs: True for 192.0.2.1/24, False for 192.0.2.7."],
            id="only host bits are removed",
        ),
        pytest.param(
            "error_body",
            {"create_bad_export": creation("create_bad_export", 422, value={"errors": [{"code": 5}]})},
            None,
            ["The body of an error has a shape of its own, with the fields errors."],
            id="errors of another shape",
        ),
        pytest.param(
            "error_body",
            {"create_bad_export": creation("create_bad_export")},
            None,
            ["An export whose iprange is no network is accepted."],
            id="a bad export is accepted",
        ),
        pytest.param(
            "auth_status",
            {
                "old_timestamp": Observation({}, reply(200, [])),
                "wrong_signature": Observation({}, reply(401)),
            },
            401,
            ["A request that was signed an hour ago is accepted."],
            id="time is not checked",
        ),
        pytest.param(
            "trim_keys",
            {
                "create_spaced_export": Observation(
                    {"desc": " Probe "}, reply(201), after={**EXPORT, "desc": "probe"}, is_settled=True
                )
            },
            True,
            ["The case of a desc is changed."],
            id="keys in small letters",
        ),
        pytest.param(
            "numbers",
            {"create_quota": creation("create_quota", after={**QUOTA, "id": "8c1f"})},
            "number",
            ["Ids are shown as strings, unlike limits."],
            id="ids are text",
        ),
        pytest.param(
            "no_limit",
            {
                "create_quota": creation("create_quota", after={**QUOTA, "size": 8192}),
                "create_unlimited_quota": creation("create_unlimited_quota", after={**QUOTA, "size": -1}),
            },
            None,
            ["A creation changes the size of a quota.", "A quota of size 0 shows another size."],
            id="no limit is a number of its own",
        ),
    ],
)
def test_what_no_setting_describes(name: str, steps: dict[str, Observation], value: Any, unknown: list[str]) -> None:
    profile, words = make_profile(seen_with(**steps))
    assert profile[name]["value"] == value
    assert words == unknown


def test_lists_of_another_form() -> None:
    seen = Seen()
    page = Reply("GET", "/volumes/{volume_id}/exports", 200, JSON, {"results": [EXPORT], "more": False}, {})
    seen.listings.append(Listing("exports", (page,), ((EXPORT,),), (), True))
    profile, words = make_profile(seen)
    assert profile["list_shape"]["value"] is None
    assert words == ["The shape of lists is results without a total."]


def test_a_limit_of_rates_without_a_rule() -> None:
    seen = Seen()
    seen.attempts += [Attempt(status, {"Retry-After": "soon"}, None) for status in (200, 429, 200, 429, 429)]
    profile, words = make_profile(seen)
    assert profile["rate_limit"]["value"] is None
    assert words == [
        "3 of 5 requests were answered with 429, one at a time and at no fixed distance.",
        "Retry-After is neither a number nor a date.",
    ]
