# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a role did on each console, as the results of its tasks say, and the summary of a run on any number of them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.roles.summary import (
    AS_DESIRED,
    CHANGED,
    DIFFERS,
    FAILED,
    NOT_COMPARED,
    Summary,
    cut,
    describe_plan,
    hand_on,
    lines_of,
    outcome_of,
    summarize,
    to_file,
)

URL = "https://c.example.com"
PLAN = "v2-0"
NONE = dict.fromkeys(("created", "updated", "deleted", "unchanged", "failed", "ignored", "unmanaged"), 0)
ONES = dict.fromkeys(NONE, 1)
# The summary of a console of which nothing else is known.
WHY = "# `{}`\n\n```text\n{}\n```\n"


def outcome(role: str, *results: dict[str, Any], check: bool = False, **given: Any) -> Summary:
    """Return the outcome for results of the tasks after the check of the variables."""
    found = outcome_of(role, "h", {"given": given}, results, check)
    assert found
    return found


def applied(plan: str | None = PLAN, **details: Any) -> dict[str, Any]:
    """Return a result of the module `volumes`."""
    lists = {"counts": {"exports": NONE, "quotas": ONES}, "changes": [], "unmanaged": {"quotas": ["v: /a"]}}
    return {"console": URL, "msg": "said", **lists, **({"plan_checksum": plan} if plan else {}), **details}


WRONG = {"failed": True, "msg": "wrong"}
LISTED = {"console": "c:443", "volumes": []}
# The role, the check of its variables, the results of its tasks, the console in the summary, and the message to fail with.
FAILURES: list[tuple[str, dict[str, Any], list[dict[str, Any]], str, str]] = [
    ("apply", WRONG, [{}], "h", ""),
    # Of an earlier run.
    ("apply", WRONG, [applied()], "h", ""),
    ("apply", {}, [applied(None, **WRONG)], URL, ""),
    ("apply", {}, [{"unreachable": True, "msg": "wrong"}], "h", ""),
    ("capture", {}, [{**LISTED, **WRONG}, {}], "c:443", ""),
    ("capture", {}, [LISTED, WRONG], "c:443", ""),
    ("report", {}, [{**LISTED, **WRONG}, {}], "c:443", "The console could not be read: wrong"),
    ("report", {}, [{"unreachable": True, "msg": "wrong"}, {}], "h", "wrong"),
    # The console is not read where files have mistakes.
    ("report", {}, [WRONG, {}], "h", "wrong"),
    ("report", {}, [LISTED, WRONG], "c:443", ""),
]


@pytest.mark.parametrize(("role", "checked", "results", "console", "failure"), FAILURES)
def test_of_what_failed_the_reason_is_told(
    role: str, checked: dict[str, Any], results: list[dict[str, Any]], console: str, failure: str
) -> None:
    found = outcome_of(role, "h", checked, results, False)
    reason = "The console could not be read: wrong" if results[0] == {**LISTED, **WRONG} else "wrong"
    text = WHY.format(console, reason)
    assert found == Summary("h", FAILED, reason, text, {"failed": 1}, failure=failure, is_brief=True)


TO_DO, DONE = "quotas: 1 to create, 1 to update, 1 to delete", "quotas: 1 created, 1 updated, 1 deleted"
AHEAD, BEHIND = "What would be done", "What was done"
REFUSED: dict[str, Any] = {"failed": True, "errors": []}
BROKEN: dict[str, Any] = {"failed": True, "changed": True, "errors": [{"kind": "quotas", "key": "/a", "msg": "no"}]}
# What the module returned, whether in check mode, and the state, the line, the title and whether the plan can be approved.
APPLIED: list[tuple[dict[str, Any], bool, tuple[str, str, str, bool]]] = [
    (applied("nothing"), False, (AS_DESIRED, "said", "Nothing to do", False)),
    (applied("nothing"), True, (AS_DESIRED, "said", "Nothing to do", True)),
    (applied(changed=True), False, (CHANGED, DONE, BEHIND, False)),
    (applied(changed=True), True, (DIFFERS, TO_DO, AHEAD, True)),
    (applied(**BROKEN), False, (FAILED, "said", BEHIND, False)),
    (applied(**{**BROKEN, "changed": False}), False, (FAILED, "said", BEHIND, False)),
    (applied(**REFUSED), False, (FAILED, "said", AHEAD, False)),
    (applied(**REFUSED), True, (FAILED, "said", AHEAD, False)),
    (applied("nothing", **REFUSED), False, (FAILED, "said", BEHIND, False)),
]


@pytest.mark.parametrize(("result", "check", "expected"), APPLIED)
def test_an_applied_console_has_a_state(
    result: dict[str, Any], check: bool, expected: tuple[str, str, str, bool]
) -> None:
    found = outcome("apply", result, check=check)
    title = found.text.splitlines()[2].removeprefix("## ")
    assert (found.state, found.brief, title, found.is_approvable) == expected
    assert found.checksum == result["plan_checksum"]
    # Nothing of a refused plan was done.
    assert found.counts == ({"failed": 1} if result.get("errors") == [] and not check else ONES)
    failing = outcome("apply", result, check=check, fail_on_changes=True).failure
    assert failing == (f"{URL} differs from the desired state: {TO_DO}." if found.state == DIFFERS else "")
    assert found.failure == ""


NOBODY_LOOKS = {**NONE, "unchanged": 3, "ignored": 2}
BRIEF: list[tuple[dict[str, Any], bool]] = [
    (applied("nothing", counts={"quotas": NOBODY_LOOKS}), True),
    (
        applied(
            "nothing", counts={"quotas": NOBODY_LOOKS}, plan_warnings=[{"kind": "quotas", "key": "/a", "msg": "odd"}]
        ),
        False,
    ),
    (applied("nothing"), False),
    (applied(counts={"quotas": {**NOBODY_LOOKS, "created": 1}}), False),
]


@pytest.mark.parametrize(("result", "is_brief"), BRIEF)
def test_of_a_console_without_changes_a_line_says_all_unless_something_else_is_to_be_seen(
    result: dict[str, Any], is_brief: bool
) -> None:
    assert outcome("apply", result, check=True).is_brief is is_brief


def written(**counts: int) -> dict[str, Any]:
    """Return a result of the step that writes a report."""
    return {"summary": ["# `c`", "", "- 1 volume"], "counts": {"consoles_compared": 1, **counts}, "page": "/p"}


REPORTED: list[tuple[dict[str, Any], str, str]] = [
    (written(), AS_DESIRED, ""),
    (written(open_to_write=3), AS_DESIRED, ""),
    (written(consoles_compared=0), NOT_COMPARED, ""),
    (written(to_create=1, unmanaged=2), DIFFERS, "1 to create, 2 unmanaged"),
    (written(cannot_be_applied=1), DIFFERS, "1 cannot be applied"),
]


@pytest.mark.parametrize(("result", "state", "brief"), REPORTED)
def test_a_reported_console_has_a_state(result: dict[str, Any], state: str, brief: str) -> None:
    for fails in (False, True):
        found = outcome("report", LISTED, result, fail_on_drift=fails)
        assert (found.state, found.brief, found.text, found.page) == (state, brief, "# `c`\n\n- 1 volume\n", "/p")
        assert found.failure == (f"c:443 differs from the desired state: {brief}." if fails and brief else "")
        assert (found.counts, found.is_brief) == (result["counts"], state == AS_DESIRED)


@pytest.mark.parametrize(("changed", "state"), [(True, CHANGED), (False, AS_DESIRED)])
def test_a_capture_says_what_it_wrote_and_what_is_left_out(changed: bool, state: str) -> None:
    found = outcome("capture", LISTED, {"changed": changed, "msg": "1 volume.", "notes": ["a", "b"]})
    text = f"# {LISTED['console']}\n\n1 volume.\na\nb\n"
    assert (found.state, found.brief, found.text, found.counts) == (state, "1 volume.", text, {})
    assert not found.is_brief


SIZE = {"size": {"before": 1024, "after": 2048}}


def plan(number: int = 1, **given: Any) -> dict[str, Any]:
    """Return a result of the module `volumes` with updates."""
    counts = {"volumes": {**NONE, "unchanged": 1}, "exports": NONE, "quotas": {**NONE, "updated": number}}
    change = {"volume": "v", "kind": "quotas", "action": "update", "fields": SIZE}
    changes = [{**change, "key": f"/{each:03}", "id": each} for each in range(number)]
    return applied(counts=counts, changes=changes, unmanaged={}, **given)


def test_a_plan_says_how_much_which_it_is_and_what() -> None:
    assert describe_plan(plan(), True).splitlines() == [
        f"# {URL}",
        "",
        f"## {AHEAD}",
        "",
        "- volumes: 1 unchanged",
        "- quotas: 1 to update",
        "",
        "Plan: `v2-0`",
        "",
        "### Changes",
        "",
        "```text",
        "volume v",
        "  ~ quota /000: size 1KiB → 2KiB",
        "```",
    ]
    assert "- quotas: 1,234 updated\n" in describe_plan(plan(1234), False)
    nothing = describe_plan(applied(counts={"quotas": NONE}), True)
    assert nothing.splitlines()[4:] == ["- nothing", "", "Plan: `v2-0`"]


HOSTILE = "see ```` @team #7\nthere"
OPEN = [
    ([], ""),
    (
        [f"v: `@team/{number}" for number in range(7)],
        "``v: `@team/0``, ``v: `@team/1``, ``v: `@team/2``, ``v: `@team/3``, ``v: `@team/4``, ...",
    ),
    (["v: a\n\n@team ![x](http://x.example.com)\r\n"], r"`v: a\n\n@team ![x](http://x.example.com)\r\n`"),
    ([f"v: {'a' * 1000}"], f"`v: {'a' * 197}...`"),
]


@pytest.mark.parametrize(("exports", "shown"), OPEN)
def test_what_no_file_names_is_named_and_what_of_it_is_open(exports: list[str], shown: str) -> None:
    counts = {"volumes": NONE, "exports": {**NONE, "unmanaged": 2}, "quotas": {**NONE, "unmanaged": 1200}}
    names = {"exports": [f"v: {HOSTILE}", "b" * 300], "quotas": [f"v: /{number}" for number in range(10)]}
    lines = describe_plan(applied(counts=counts, unmanaged=names, unmanaged_open=exports), True).splitlines()
    told = f" Exports that let any address in: {shown}." if shown else ""
    assert lines[6:24] == [
        "",
        f"Unmanaged, since on the console but in no file: 2 exports, 1,200 quotas.{told}",
        "",
        "`````text",
        r"export v: see ```` @team #7\nthere",
        f"export {'b' * 200}...",
        *(f"quota v: /{number}" for number in range(10)),
        "quota ...",
        "`````",
    ]


def console(host: str, state: str, brief: str = "", **details: Any) -> Summary:
    """Return the outcome of a console that was read."""
    return Summary(host, state, brief, f"# {host}\n", {"created": 2}, is_brief=state == AS_DESIRED, **details)


OSLO = Summary("oslo", FAILED, "no\n answer", "# `oslo`\n", {"failed": 1}, is_brief=True)
A, B = console("a", AS_DESIRED), console("b", DIFFERS, "2 created", checksum=PLAN, is_approvable=True)
C, D = console("c", AS_DESIRED)._replace(is_brief=False), console("d", DIFFERS)
HEADS: list[tuple[list[Summary], str]] = [
    ([A], "1 console: 1 as desired"),
    ([A, B], "2 consoles: 1 differs, 1 as desired"),
    ([B, D, OSLO, OSLO], "4 consoles: 2 failed, 2 differ"),
    ([console("y", NOT_COMPARED), console("x", CHANGED)], "2 consoles: 1 changed, 1 not compared"),
]


@pytest.mark.parametrize(("outcomes", "head"), HEADS)
def test_the_first_line_counts(outcomes: list[Summary], head: str) -> None:
    assert summarize(outcomes).splitlines()[0] == head


def test_of_several_those_to_look_at_come_first_and_those_that_say_no_more_are_not_described() -> None:
    assert summarize([A, B, C, OSLO, D]).splitlines() == [
        "5 consoles: 1 failed, 2 differ, 2 as desired",
        "",
        "- oslo: failed: `no answer`",
        "- b: differs: 2 created",
        "- d: differs",
        "",
        "# b: b",
        "",
        "# d: d",
        "",
        "# c: c",
    ]


BRIEFS = [
    (FAILED, "see `@team`\n\n<b>", "- h: failed: ``see `@team` <b>``"),
    (FAILED, "@" * 201, f"- h: failed: `{'@' * 200}...`"),
    (FAILED, "", "- h: failed"),
    (CHANGED, "quotas: 1 created", "- h: changed: quotas: 1 created"),
    (DIFFERS, "a" * 201, f"- h: differs: {'a' * 200}..."),
]


@pytest.mark.parametrize(("state", "brief", "line"), BRIEFS)
def test_a_message_of_a_console_is_code_in_its_line(state: str, brief: str, line: str) -> None:
    assert summarize([Summary("h", state, brief), A]).splitlines()[2] == line


def test_the_only_one_is_described_in_any_case() -> None:
    assert summarize([A]).splitlines() == ["1 console: 1 as desired", "", "# a: a"]


LINES = "".join(f"{number}\n" for number in range(100, 150))
# A text, the bytes that there are for it, and what is left.
CUTS = [
    (LINES, 200, LINES),
    (LINES, 199, LINES[:168] + "(8 more lines)\n"),
    ("ü\n" * 100, 90, "ü\n" * 20 + "(80 more lines)\n"),
    ("ü\n" * 40, 90, "ü\n" * 20 + "(20 more lines)\n"),
    ("x" * 100, 90, "(1 more line)\n"),
]


@pytest.mark.parametrize(("text", "most", "left"), CUTS)
def test_a_text_is_cut_at_a_line_and_says_so(text: str, most: int, left: str) -> None:
    assert cut(text, most) == left
    assert len(left.encode()) <= most


def test_a_comment_a_workflow_and_an_event_get_what_fits() -> None:
    many = [Summary("a", DIFFERS, text="- `@team`\n" * 100_000)]
    assert 59_000 < len(to_file(many)) < 65_000
    assert 1_900 < len(hand_on(many)["managedfs_summary"]) <= 2_000
    assert 290_000 < len("\n".join(lines_of(many))) <= 300_000
    assert to_file([Summary("a", AS_DESIRED, text="é\n")]).endswith("\né\n")


MARKS = [
    ([AS_DESIRED, AS_DESIRED], "same"),
    ([AS_DESIRED, NOT_COMPARED], "unknown"),
    ([NOT_COMPARED, CHANGED], "differs"),
    ([DIFFERS, AS_DESIRED], "differs"),
    ([DIFFERS, FAILED], "failed"),
    ([], "same"),
]


@pytest.mark.parametrize(("states", "mark"), MARKS)
def test_the_first_line_of_a_file_is_about_the_worst(states: list[str], mark: str) -> None:
    assert to_file([Summary("h", state) for state in states]).startswith(f"<!-- managedfs: {mark} -->\n")


def test_the_first_line_of_a_file_tells_whether_any_plan_has_changed() -> None:
    def line(*outcomes: Summary) -> str:
        return to_file(list(outcomes)).splitlines()[0]

    other = D._replace(checksum="v2-1")
    assert line(B) == line(B, OSLO).replace("failed", "differs") == "<!-- managedfs: differs v2-0 -->"
    both = hashlib.sha256(b"b=v2-0\nd=v2-1").hexdigest()
    assert line(B, other) == f"<!-- managedfs: differs {both} -->"


def test_what_is_shown_names_pages_and_repeats_no_failure() -> None:
    page = console("a", AS_DESIRED, page="/a")
    assert lines_of([page]) == [*summarize([page]).splitlines(), "The page is /a"]
    assert lines_of([OSLO]) == lines_of([]) == []
    assert lines_of([OSLO, page]) == [*summarize([OSLO, page]).splitlines(), "The page is /a"]
    # A plan was made.
    assert lines_of([OSLO._replace(is_brief=False)])[-1] == "# oslo: `oslo`"


def test_a_workflow_gets_what_is_known() -> None:
    assert hand_on([A])["managedfs_report"] == {"created": 2, "consoles": 1}
    found = hand_on([B, OSLO._replace(checksum=PLAN), C])
    assert found["managedfs_plan"] == {"b": PLAN}
    assert found["managedfs_report"] == {"consoles": 3, "created": 4, "failed": 1}
    assert found["managedfs_summary"].startswith("3 consoles: 1 failed, 1 differs, 1 as desired\n")
