# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The summary of a plan: what an approver sees, and how much of it."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.plan_summary import describe_plan

NONE = dict.fromkeys(("created", "updated", "deleted", "unchanged", "failed", "ignored", "unmanaged"), 0)
SIZE = {"size": {"before": 1024, "after": 2048}}


def change(number: int) -> dict[str, Any]:
    return {"volume": "v", "kind": "quotas", "key": f"/{number:03}", "id": number, "action": "update", "fields": SIZE}


def result(number: int = 1, **given: Any) -> dict[str, Any]:
    counts = {"volumes": NONE, "exports": NONE, "quotas": {**NONE, "updated": number}}
    changes = [change(each) for each in range(number)]
    return {"console": "https://c.example.com", "counts": counts, "changes": changes, "plan_checksum": "v1-0", **given}


def test_a_plan_says_how_much_what_and_which_it_is() -> None:
    assert describe_plan(result(), True, 10_000, 200).splitlines() == [
        "# https://c.example.com",
        "",
        "## What would be done",
        "",
        "| | created | updated | deleted | unchanged | failed | ignored | unmanaged |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        "| volumes | 0 | 0 | 0 | 0 | 0 | 0 | 0 |",
        "| exports | 0 | 0 | 0 | 0 | 0 | 0 | 0 |",
        "| quotas | 0 | 1 | 0 | 0 | 0 | 0 | 0 |",
        "",
        "### Changes",
        "",
        "```text",
        "volume v",
        "  ~ quota /000: size 1KiB → 2KiB",
        "```",
        "",
        "Plan: `v1-0`",
    ]
    assert "## What was done" in describe_plan(result(), False, 10_000, 200)
    assert "### Changes" not in describe_plan(result(0), True, 10_000, 200)


@pytest.mark.parametrize(
    ("number", "most", "shown", "left_out"),
    [(199, 100_000, 199, 0), (200, 100_000, 199, 1), (566, 100_000, 199, 367), (566, 2_000, 41, 525)],
)
def test_it_has_as_many_lines_as_there_is_room_for(number: int, most: int, shown: int, left_out: int) -> None:
    text = describe_plan(result(number), True, most, 200)
    assert len([line for line in text.splitlines() if "~ quota" in line]) == shown
    assert (f"Not shown: v {left_out} ~" in text) is bool(left_out)
    assert text.endswith("\n```\n\nPlan: `v1-0`\n")
    assert len(text.encode()) <= most


def test_changes_that_the_result_does_not_list_are_counted() -> None:
    assert "And 9,000 further changes that the result does not list." in describe_plan(
        result(not_listed={"changes": 9000}), True, 10_000, 200
    )


OPEN = [
    (
        [f"v: `@team/{number}" for number in range(7)],
        "``v: `@team/0``, ``v: `@team/1``, ``v: `@team/2``, ``v: `@team/3``, ``v: `@team/4``, ...",
    ),
    (["v: a\n\n@team ![x](http://x.example.com)\r\n"], r"`v: a\n\n@team ![x](http://x.example.com)\r\n`"),
    ([f"v: {'a' * 1000}"], f"`v: {'a' * 197}...`"),
]


@pytest.mark.parametrize(("exports", "shown"), OPEN)
def test_what_no_file_names_is_told_in_a_line(exports: list[str], shown: str) -> None:
    counts = {"volumes": NONE, "exports": {**NONE, "unmanaged": 7}, "quotas": {**NONE, "unmanaged": 1200}}
    lines = describe_plan(result(counts=counts, unmanaged_open=exports), True, 10_000, 200).splitlines()
    told = "No file names 7 exports, 1,200 quotas that stay as they are. Exports that let any address in:"
    assert f"{told} {shown}." in lines


def test_it_begins_with_why_it_failed_unless_records_say_so() -> None:
    failure: dict[str, Any] = {"failed": True, "msg": "see ` @team\nthere"}
    lines = describe_plan(result(**failure), True, 10_000, 200).splitlines()
    assert lines[2:6] == ["## What would be done", "", "``see ` @team\\nthere``", ""]
    long = describe_plan(result(failed=True, msg="x" * 1_001), True, 10_000, 200).splitlines()[4]
    assert (len(long) < 1_010, long[-1]) == (True, "`")
    errors = [{"kind": "quotas", "key": "/a", "msg": "no"}]
    assert "team" not in describe_plan(result(**failure, errors=errors), False, 10_000, 200)
    assert "team" not in describe_plan({**result(), "msg": failure["msg"]}, False, 10_000, 200)


@pytest.mark.parametrize(("name", "title"), [("doubts", "In doubt"), ("errors", "Failed")])
def test_doubts_and_errors_are_code_whatever_they_contain(name: str, title: str) -> None:
    entries: Any = [
        {"kind": "quotas", "key": f"v: /{number}", "msg": "see ```` @team #7\nthere"} for number in range(22)
    ]
    lines = describe_plan({**result(), name: entries}, True, 10_000, 200).splitlines()
    start = lines.index(f"### {title}")
    assert lines[start + 1 : start + 4] == ["", "`````text", "quotas, v: /0: see ```` @team #7 there"]
    assert lines[start + 23 : start + 25] == ["and 2 more", "`````"]
