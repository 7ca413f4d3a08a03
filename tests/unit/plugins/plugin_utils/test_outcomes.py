# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a role did on each console, as the results of its tasks say."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.desired_state import to_desired_state
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.outcomes import (
    AS_DESIRED,
    AWAY,
    CHANGED,
    DIFFERS,
    FAILED,
    NOT_COMPARED,
    Outcome,
    Run,
    outcome_of,
    sum_counts,
)

COLUMNS = ("created", "updated", "deleted", "unchanged", "failed", "ignored")
ONES = dict.fromkeys(COLUMNS, 1)
URL = "https://c.example.com"
PLAN = "v1-0"
CHECKED: dict[str, Any] = {"given": {}}
# The summary of a console of which nothing else is known.
WHY = "# `{}`\n\n```text\n{}\n```\n"
REQUEST = {"failure": {"status": None}}


def outcome(role: str, *results: dict[str, Any], given: dict[str, Any] | None = None, check: bool = False) -> Outcome:
    """Return the outcome for results of the tasks after the check of the variables."""
    checked = {"given": given or {}, "folder": "/r/h"}
    found = outcome_of(role, Run("h", checked, results, check))
    assert found
    return found


def applied(plan: str | None = PLAN, **details: Any) -> dict[str, Any]:
    """Return a result of the module `volumes`."""
    result: dict[str, Any] = {"console": URL, "msg": "quotas: 1 created", "counts": {"quotas": ONES}, "errors": []}
    return {**result, **({"plan_checksum": plan} if plan else {}), **details}


EARLY: list[tuple[Run, Any]] = [
    (Run("h", {}, [{}]), None),
    (Run("h", CHECKED, [{}]), None),
    (Run("h", {"failed": True, "msg": "wrong"}, [{}]), (FAILED, "wrong")),
    # Of an earlier run.
    (Run("h", {"failed": True, "msg": "wrong"}, [applied()]), (FAILED, "wrong")),
    (Run("h", {}, [{}], is_lost=True), (FAILED, "failed before")),
    (Run("h", CHECKED, [applied("nothing")], is_lost=True), (AS_DESIRED, "quotas: 1 created")),
]


@pytest.mark.parametrize(("run", "expected"), EARLY)
def test_a_host_counts_from_its_first_task_on(run: Run, expected: Any) -> None:
    found = outcome_of("apply", run)
    assert (found and (found.state, found.brief)) == expected


@pytest.mark.parametrize("role", ["apply", "capture", "report"])
def test_what_failed_first_is_a_summary_but_no_note_of_a_capture(role: str) -> None:
    found = outcome_of(role, Run("h", {"failed": True, "msg": "wrong"}, [{}]))
    assert found
    assert found.text == ("" if role == "capture" else WHY.format("h", "wrong"))


# What the counts of a plan say.
CHANGES = "quotas: 1 created, 1 updated, 1 deleted"
TO_DO = "quotas: 1 to create, 1 to update, 1 to delete"
APPLIED: list[tuple[dict[str, Any], bool, str]] = [
    (applied("nothing"), False, AS_DESIRED),
    (applied("nothing"), True, AS_DESIRED),
    (applied(), False, CHANGED),
    (applied(), True, DIFFERS),
    (applied(failed=True), False, FAILED),
    (applied(failed=True), True, FAILED),
    (applied(None, failed=True, **REQUEST), True, AWAY),
    (applied(None, failed=True), True, FAILED),
    ({"unreachable": True, "msg": "no ssh"}, True, AWAY),
]


@pytest.mark.parametrize(("result", "check", "state"), APPLIED)
def test_an_applied_console_has_a_state(result: dict[str, Any], check: bool, state: str) -> None:
    found = outcome("apply", result, check=check)
    is_known = "plan_checksum" in result
    brief = {CHANGED: CHANGES, DIFFERS: TO_DO}.get(state, result["msg"])
    assert (found.state, found.brief, bool(found.described)) == (state, brief, is_known)
    assert found.text == ("" if is_known else WHY.format(result.get("console", "h"), brief))
    assert found.counts == (ONES if is_known else {})
    assert found.plan == (result["plan_checksum"] if check and is_known and not result.get("failed") else "")


FAIL = {"fail_on_changes": True}
MESSAGE = f"{URL} differs from the desired state: {TO_DO}."
FAILURES: list[tuple[dict[str, Any], dict[str, Any], bool, str]] = [
    (applied(), FAIL, True, MESSAGE),
    (applied("nothing"), FAIL, True, ""),
    (applied(failed=True), FAIL, True, ""),
    (applied(), {}, True, ""),
    (applied(), FAIL, False, ""),
]


@pytest.mark.parametrize(("result", "given", "check", "message"), FAILURES)
def test_changes_fail_where_they_are_to(
    result: dict[str, Any], given: dict[str, Any], check: bool, message: str
) -> None:
    assert outcome("apply", result, given=given, check=check).failure == message


NOBODY_LOOKS = {"created": 0, "updated": 0, "deleted": 0, "unchanged": 3, "failed": 0, "ignored": 2, "unmanaged": 0}
PLAIN: list[tuple[dict[str, Any], bool]] = [
    (applied("nothing", counts={"quotas": NOBODY_LOOKS}), True),
    (applied("nothing", counts={"quotas": NOBODY_LOOKS}, doubts=[{"kind": "quotas"}]), False),
    (applied("nothing", counts={"quotas": NOBODY_LOOKS | {"unmanaged": 1}}), False),
    (applied(counts={"quotas": NOBODY_LOOKS | {"created": 1}}), False),
]


@pytest.mark.parametrize(("result", "plain"), PLAIN)
def test_a_console_without_changes_is_plain_unless_something_else_is_to_be_seen(
    result: dict[str, Any], plain: bool
) -> None:
    assert outcome("apply", result, check=True).is_plain is plain


TITLES = [
    (PLAN, {}, False, "What was done"),
    (PLAN, {}, True, "What would be done"),
    (PLAN, {"expected_plan": PLAN}, False, "What was done"),
    (PLAN, {"expected_plan": "v1-1"}, False, "What would be done"),
    ("nothing", {"expected_plan": "v1-1"}, False, "What was done"),
]


@pytest.mark.parametrize(("plan", "given", "check", "title"), TITLES)
def test_the_title_says_whether_it_was_done(plan: str, given: dict[str, Any], check: bool, title: str) -> None:
    found = outcome("apply", applied(plan, failed=title.endswith("be done")), given=given, check=check)
    assert found.described
    assert found.described.is_ahead is (title == "What would be done")


LISTED = {"console": "c:443", "volumes": []}


def written(**counts: int) -> dict[str, Any]:
    """Return a result of `report_files`."""
    return {"summary": ["# `c`", "", "- 1 volume"], "counts": {"consoles_compared": 1, **counts}}


REPORTED: list[tuple[dict[str, Any], str, str]] = [
    (written(), AS_DESIRED, ""),
    (written(open_to_write=3), AS_DESIRED, ""),
    (written(consoles_compared=0), NOT_COMPARED, ""),
    (written(to_create=1, not_in_desired_state=2), DIFFERS, "1 to create, 2 not in desired state"),
    (written(cannot_be_applied=1), DIFFERS, "1 cannot be applied"),
]


@pytest.mark.parametrize(("result", "state", "brief"), REPORTED)
def test_a_reported_console_has_a_state(result: dict[str, Any], state: str, brief: str) -> None:
    for fails in (False, True):
        found = outcome("report", LISTED, result, given={"fail_on_drift": fails})
        assert (found.state, found.brief, found.text) == (state, brief, "# `c`\n\n- 1 volume\n")
        assert found.failure == (f"c:443 differs from the desired state: {brief}." if fails and brief else "")
        assert found.footer == "The page is /r/h/report.html"
    assert outcome("report", LISTED, result, check=True).footer == "The page would be /r/h/report.html"


def test_what_could_not_be_read_is_told_from_a_mistake_in_files() -> None:
    found = outcome("report", {"failed": True, "console": "c:443", "msg": "no answer", **REQUEST}, {})
    message = "The console could not be read: no answer"
    assert (found.state, found.failure, found.text) == (AWAY, message, WHY.format("c:443", message))
    found = outcome("report", {"failed": True, "console": "c:443", "msg": "see ``` @team\n<b>"}, {})
    assert found.text.splitlines()[2:] == ["````text", "The console could not be read: see ``` @team", "<b>", "````"]
    found = outcome("report", {"failed": True, "msg": "console.yml: wrong"}, {})
    assert (found.state, found.failure) == (FAILED, "console.yml: wrong")
    assert found.text == WHY.format("h", "console.yml: wrong")


def test_a_report_that_was_not_written_has_failed() -> None:
    found = outcome("report", LISTED, {"failed": True, "msg": "a.yml: wrong"})
    assert (found.state, found.text, found.counts) == (FAILED, WHY.format("c:443", "a.yml: wrong"), {})
    found = outcome("report", LISTED, {**written(to_create=1), "failed": True, "msg": "disk full"})
    assert (found.state, found.brief, found.text) == (FAILED, "disk full", "# `c`\n\n- 1 volume\n")
    assert (found.counts["to_create"], found.footer, found.failure) == (1, "", "")


def test_a_capture_says_what_it_knows_by_id_only_or_does_not_carry() -> None:
    def notes(**done: Any) -> str:
        volumes = [
            {"id": id_, "name": name, "exports": [{"id": 2}], "quotas": []} for id_, name in ((1, "v"), (2, "w"))
        ]
        done = {"changed": True, "msg": "files in d: 1 created", **done}
        return outcome("capture", {"volumes": volumes}, done, given=given).text.split("\n", 1)[1]

    given: dict[str, Any] = {}
    assert notes() == f"{BY_ID.format('2 records')}\n"
    given = {"volumes": ["v"]}
    assert notes() == f"{BY_ID.format('1 record')}\n"
    given = {"volumes": ["x"]}
    assert notes() == ""
    assert notes(not_carried=["a", "b"]) == "a\nb\n"
    assert notes(not_carried=[]).startswith("Everything is carried over, but for bucket and region")


def test_a_capture_that_failed_has_no_notes() -> None:
    for results, state in (
        ([{"failed": True, "msg": "m", **REQUEST}, {}], AWAY),
        ([{"volumes": []}, {"failed": True, "msg": "m"}], FAILED),
    ):
        found = outcome("capture", *results)
        assert (found.state, found.brief, found.text) == (state, "m", "")


def test_sums_have_what_only_some_have() -> None:
    assert sum_counts([{"a": 1, "b": 0}, {}, {"a": 2, "c": 3}]) == {"a": 3, "b": 0, "c": 3}


BY_ID = "{} captured by id, without a unique description or path. Give each one, and capture again."
# The descriptions of exports, and how many of them are captured by id.
NAMELESS: list[tuple[list[Any], str]] = [
    (["a", "b"], ""),
    (["a", "b", "b", ""], "3 records"),
    (["web", "web "], ""),
    ([None], "1 record"),
    ([False, "a"], "1 record"),
    (["********", "a"], "1 record"),
    (["a", None], "1 record"),
]


@pytest.mark.parametrize(("descs", "count"), NAMELESS)
def test_a_capture_says_how_many_records_it_knows_by_id_only(descs: list[Any], count: str) -> None:
    exports = [{"id": number, "desc": desc} for number, desc in enumerate(descs)]
    listed = {"volumes": [{"id": 1, "name": "v", "exports": exports, "quotas": []}]}
    notes = outcome("capture", listed, {"msg": "files in d: 1 unchanged"}).text.splitlines()[1:]
    assert notes == ([BY_ID.format(count)] if count else [])
    (item,) = to_desired_state(listed["volumes"])
    assert sum("id" in export for export in item["exports"]) == int(count.partition(" ")[0] or 0)
    # A record with an id is not carried over.
    assert "by id" not in outcome("capture", listed, {"not_carried": ["export v: web"]}).text


def test_a_capture_says_how_much_it_read() -> None:
    volumes = [{"name": "v", "exports": [{"desc": name} for name in "abc"], "quotas": [{"path": "/a"}]}]
    text = outcome("capture", {"volumes": volumes}, {"changed": False, "msg": "files in /x/Data: 1 unchanged"}).text
    assert text == "Read: 1 volume, 3 exports, 1 quota. Files in /x/Data: 1 unchanged.\n"
