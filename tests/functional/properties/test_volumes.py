# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""On any console: a document does what its lists do one by one, and a report says what the document would do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, event, note
from hypothesis import given as drawn
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from emulator import Dialect, Emulator
from emulator.lists import USER_QUOTA_ID
from functional.properties import draws
from functional.properties.draws import STATES, Contents, ListTask, Records, fill, options
from functional.properties.trial import UPDATE_WATCHED
from functional.support import oracle
from functional.support.cases import cases
from functional.support.inprocess import SharedConsole, connection_to, run_module

BUCKET = "https://v.example.com"
OTHER_BUCKET = "https://other.example.com"
BUCKETS = st.sampled_from([None] * 8 + [BUCKET, f"{BUCKET}/", OTHER_BUCKET])
NAMES = ("v", "w")
DONE = ("created", "updated", "deleted")


@pytest.fixture(scope="module")
def other_console(shared_console: SharedConsole) -> Iterator[Emulator]:
    """Yield a second console with the same clock."""
    with Emulator(dialect=Dialect(), clock=shared_console[1].time) as emulator:
        yield emulator


def seed(emulator: Emulator, console: Contents, bucket: str) -> None:
    """Put two volumes on a console, both with the same contents."""
    emulator.reset(console.dialect)
    for name in NAMES:
        fill(emulator, emulator.add_volume(name=name, bucket=bucket), console.exports, console.quotas)


def contents(emulator: Emulator) -> list[Any]:
    """Return the content that users have set on a console, in canonical order."""
    found: list[Any] = []
    for volume in emulator.volumes():
        for record in emulator.exports(volume["id"]) + emulator.quotas(volume["id"]):
            fields = [str(field) for field in record.items() if field[0] not in ("id", "token")]
            found.append((volume["name"], sorted(fields)))
    return sorted(found)


@pytest.mark.promise("success-is-true")
@cases(1 / 2)
@drawn(drawn_console=draws.CONSOLES, task=draws.LISTS, bucket=BUCKETS)
def test_a_document_does_what_its_lists_do(
    shared_console: SharedConsole, other_console: Emulator, drawn_console: Contents, task: ListTask, bucket: str | None
) -> None:
    # A document does not even read a list without goals.
    assume(task[1] or task[2].get("purge"))
    emulator, clock = shared_console
    for console in (emulator, other_console):
        seed(console, drawn_console, BUCKET)
    dialect = drawn_console.dialect
    # Longer than any list lags behind an earlier task.
    clock.now += 100_000
    noun, items, given = task
    plural = f"{noun}s"
    options = {name: value for name, value in given.items() if name != "purge"}
    document = [{"name": name, "bucket": bucket, plural: items} for name in NAMES]
    purge = [plural] if given.get("purge") else []

    def apply(check: bool = False) -> dict[str, Any]:
        emulator.forget_requests()
        arguments = {**connection_to(emulator), **options, "volumes": document, "purge": purge, "wait": False}
        return run_module("volumes", arguments, clock, check=check)

    predicted = apply(check=True)
    assert emulator.writes == []
    whole = apply()
    assert not oracle.secrets_in(whole, emulator)
    if bucket == OTHER_BUCKET:
        # No console can change a volume, whatever the task allows.
        assert (predicted["failed"], whole["failed"], emulator.writes) == (True, True, [])
        return
    assert emulator.strays == []
    alone = []
    for name in NAMES:
        arguments = {**connection_to(other_console), **given, "volume": name, plural: items}
        alone.append(run_module(plural, arguments, clock))
    note(str([result.get("msg") for result in (whole, *alone)]))
    event(f"failed: {bool(whole.get('failed'))}, changed: {whole['changed']}")
    # One update that loses something stops those of all lists of a task.
    is_lossy = dialect.put in ("reset", "lose") or dialect.put_hides != "nothing" or dialect.put_alters == "token"
    has_stopped = is_lossy and any("was skipped: " in error["msg"] for error in whole["errors"])
    # Whether an update is seen that shows later than it is watched for depends on what else the task waits for.
    is_late = dialect.update_appear_after > UPDATE_WATCHED
    assert has_stopped or is_late or bool(whole.get("failed")) == any(result.get("failed") for result in alone)
    if whole.get("failed") or is_late:
        return
    assert contents(emulator) == contents(other_console)
    for action in DONE:
        keys = [f"{name}: {key}" for name, result in zip(NAMES, alone, strict=True) for key in result[action]]
        assert sorted(whole[plural][action]) == sorted(keys)
    for key in ("changed", "diff", plural, "counts"):
        assert predicted[key] == whole[key], key
    assert predicted["msg"].removesuffix(" (check mode: nothing was written)") == whole["msg"]
    clock.now += 100_000
    again = apply()
    assert (again["changed"], emulator.writes) == (False, [])


WITH_PASSWORD = "https://me:password@v.example.com"
KINDS = ("volumes", "exports", "quotas")
PARTS = {"to_create": "created", "to_update": "updated", "to_delete": "deleted"}
DRAWN_NAMES = st.sampled_from(["v", "w", "new", "v ", "Δ"])
OTHER_BUCKETS = st.sampled_from(["https://v.example.com", WITH_PASSWORD, "https://other.example.com/"])
IDS = {"id": st.sampled_from([1, 2, 2001, 2002, USER_QUOTA_ID + 101])}
# Items of all kinds, some of them invalid.
EXPORT_ITEMS = st.fixed_dictionaries(
    {"desc": draws.DESCS, "iprange": draws.IPRANGES},
    optional={**draws.FLAGS, **STATES, **IDS, "renamed_from": draws.DESCS},
)
QUOTA_LIMITS = {"size": draws.SIZES, "inodes": draws.INODES}
FORMER_PATHS = {"renamed_from": draws.PATHS}
QUOTA_ITEMS = st.fixed_dictionaries(
    {"path": draws.PATHS | st.just("..")}, optional={**QUOTA_LIMITS, **STATES, **FORMER_PATHS}
)
DRAWN_LISTS = {"exports": st.lists(EXPORT_ITEMS, max_size=4), "quotas": st.lists(QUOTA_ITEMS, max_size=4)}
PATTERNS = {
    "exports": st.lists(st.sampled_from(["db*", "c", "", "w*"]), max_size=1),
    "quotas": st.lists(st.sampled_from(["/b*", "/a/?", "*/"]), max_size=1),
}
IGNORED = options(**PATTERNS, volumes=st.lists(st.sampled_from(["w", "Δ", "v?"]), max_size=1))
VOLUMES = st.fixed_dictionaries(
    {"name": DRAWN_NAMES}, optional={"bucket": OTHER_BUCKETS, **STATES, **DRAWN_LISTS}
) | options(id=st.sampled_from([101, 102]), **DRAWN_LISTS)
DOCUMENTS = st.lists(VOLUMES, max_size=4)
PURGES = st.lists(st.sampled_from(["exports", "quotas"]), unique=True)


def keys_of(drift: dict[str, Any], part: str, kind: str) -> list[str]:
    """Return the keys of a kind in the module's result."""
    found = [entry for entry in drift[part] if entry["kind"] == kind]
    return sorted(f"{entry['volume']}: {entry['key']}" if "key" in entry else entry["volume"] for entry in found)


def is_reported(error: dict[str, Any], reported: set[tuple[str, str]]) -> bool:
    """Return whether a report has an error of a task. It shows problems with the console's records without the request."""
    if "the console shows " in error["msg"]:
        return any(kind == error["kind"] and error["msg"].endswith(message) for kind, message in reported)
    return (error["kind"], error["msg"]) in reported


@cases()
@drawn(console=draws.CONSOLES, document=DOCUMENTS, purge=PURGES, ignore=IGNORED)
def test_a_report_says_what_check_mode_says_and_the_task_does(
    shared_console: SharedConsole, console: Contents, document: Records, purge: list[str], ignore: dict[str, Any]
) -> None:
    emulator, clock = shared_console
    seed(emulator, console, WITH_PASSWORD)
    clock.now += 100_000
    connection = connection_to(emulator)
    listed = run_module("volume_info", {**connection, "gather": ["exports", "quotas"]}, clock)
    given = {**connection, "volumes": document, "purge": purge, "ignore": ignore, "max_deletions": "100%"}
    predicted = run_module("volumes", given, clock, check=True)
    if listed.get("failed"):
        event("the console cannot be read")
        return
    facts = build_facts(listed["volumes"], document, purge, ignore=ignore)
    drift = facts["drift"]
    note(str(predicted.get("msg")))
    note(str(drift))
    event(f"failed: {bool(predicted.get('failed'))}, changed: {predicted['changed']}")
    assert not oracle.secrets_in(facts, emulator)
    assert bool(drift["cannot_be_applied"]) == bool(predicted.get("failed"))
    if predicted.get("failed"):
        reported = {(problem["kind"], problem["message"]) for problem in drift["cannot_be_applied"]}
        assert all(is_reported(error, reported) for error in predicted["errors"])
        return
    for part, action in PARTS.items():
        for kind in KINDS:
            assert keys_of(drift, part, kind) == sorted(predicted[kind][action]), (part, kind)
    for kind in KINDS:
        unverified = {entry["field"] for entry in drift["not_compared"] if entry["kind"] == kind}
        assert set(predicted.get("unverified", {}).get(kind, [])) <= unverified
    ignored = {entry["kind"]: entry["count"] for entry in facts["ignored"]}
    assert all(predicted["counts"][kind]["ignored"] <= ignored.get(kind, 0) for kind in KINDS)


# Items that can mostly be planned: volumes that exist, and one that does not.
DESIRED = st.fixed_dictionaries(
    {"bucket": st.just(BUCKET)},
    optional={**STATES, **{f"{noun}s": items for noun, items in draws.ITEMS.items()}},
)
CONSOLE_FILES = st.fixed_dictionaries({"v": DESIRED, "new": DESIRED}, optional={"w": DESIRED})
LIMITS = st.sampled_from(["100%", "50%", 0, None])


@pytest.mark.promise("approved-plan-is-what-is-done")
@cases(1 / 2)
@drawn(console=draws.CONSOLES, volumes=CONSOLE_FILES, purge=PURGES, ignore=IGNORED, limit=LIMITS)
def test_a_document_that_was_approved_is_what_is_done(
    shared_console: SharedConsole,
    console: Contents,
    volumes: dict[str, Any],
    purge: list[str],
    ignore: dict[str, Any],
    limit: Any,
) -> None:
    emulator, clock = shared_console
    seed(emulator, console, BUCKET)
    document = [{"name": name, **item} for name, item in volumes.items()]
    given = {"volumes": document, "purge": purge, "ignore": ignore, "max_deletions": limit, "wait": False}

    def apply(check: bool = False, expected: str = "") -> dict[str, Any]:
        clock.now += 100_000
        emulator.forget_requests()
        return run_module(
            "volumes", {**connection_to(emulator), **given, "expected_plan": expected}, clock, check=check
        )

    planned = apply(check=True)
    if planned.get("failed"):
        event("refused")
        return
    refused = apply(expected=f"v2-{64 * '0'}")
    assert emulator.writes == []
    if "it is not known whether this is the plan" in refused["msg"]:
        event("a list that goes with a volume cannot be read")
        return
    done = apply(expected=planned["plan_checksum"])
    assert emulator.strays == []
    note(done["msg"])
    event(f"failed: {bool(done.get('failed'))}, changed: {done['changed']}")
    assert bool(refused.get("failed")) is planned["changed"] is (planned["plan_checksum"] != "nothing")
    for name in ("diff", "counts", "plan_checksum", *KINDS):
        assert refused[name] == planned[name], name
        assert done.get("failed") or done[name] == planned[name], name
    assert done["plan_checksum"] == planned["plan_checksum"], "another plan than in check mode"
    again = apply(expected=planned["plan_checksum"])
    # Where the deleted record has left one whose key differs from its own only in white space, that one is refused; where it has
    # left none but that of a user, the list.
    is_refused = "only in white space" in again["msg"] or "without a usable" in again["msg"]
    if not done.get("failed") and not is_refused:
        assert (again["changed"], again["plan_checksum"]) == (False, "nothing")
