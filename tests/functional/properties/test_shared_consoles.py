# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Others write to the same console: their records are left alone, and approved plans are carried out, on any console."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import assume, event
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import Fault
from functional.properties.draws import CONSOLES, LISTS, Contents, ListTask
from functional.properties.trial import Trial
from functional.support import oracle
from functional.support.cases import cases
from functional.support.inprocess import SharedConsole

PATTERNS = {
    "export": st.lists(st.sampled_from(["web", "d*", "[a-c]", "csi-*", "", "*"]), max_size=2),
    "quota": st.lists(st.sampled_from(["/a", "/b/", "/a*", "*/b", "/csi/*", "*"]), max_size=2),
}
TASKS = LISTS.flatmap(lambda task: st.tuples(st.just(task), PATTERNS[task[0]]))
DRIVERS: dict[str, dict[str, Any]] = {
    "export": {"desc": "csi-1", "iprange": "10.0.0.1"},
    "quota": {"path": "/csi/1", "size": 5},
}
LIMITS = st.sampled_from([None, None, 0, 1, "0%", "50%"])


def is_ignored(noun: str, key: Any, patterns: list[str]) -> bool:
    """Return the documentation on a key."""
    text = str(key or "")
    if noun == "quota":
        text = oracle.meaning("path", text)
        patterns = [p.rstrip("/") if p != "/" else p for p in patterns]
    return any(fnmatchcase(text, pattern) for pattern in patterns)


class Shared(Trial):
    """A console with records of a driver."""

    def __init__(self, shared: SharedConsole, drawn: Contents, noun: str, patterns: list[str]) -> None:
        super().__init__(shared, drawn)
        self.noun = noun
        self.key = oracle.KEYS[noun]
        self.patterns = patterns
        self.driver = self.add(**DRIVERS[noun])

    def add(self, **fields: Any) -> int:
        add = self.emulator.add_export if self.noun == "export" else self.emulator.add_quota
        return int(add(self.volume, **fields))

    def theirs(self) -> dict[int, Any]:
        """Return the ignored records, with all fields that a user can set."""
        found = oracle.managed(self.state())[self.noun]
        return {
            number: record for number, record in found.items() if is_ignored(self.noun, record[self.key], self.patterns)
        }

    @property
    def shows_user_quota(self) -> bool:
        """Return whether the list that is read holds the quota of a user, which counts as ignored."""
        return self.noun == "quota" and self.emulator.dialect.user_quotas != "none"

    def churn(self) -> None:
        """Let the driver change ignored records, if there are any."""
        if is_ignored(self.noun, DRIVERS[self.noun][self.key], self.patterns):
            fields = {"iprange": "10.9.9.9"} if self.noun == "export" else {"size": 77}
            self.change(action="update", id=self.driver, fields=fields)

    def change(self, **change: Any) -> None:
        """Change a record as another user, before the next request."""
        found = {"resource": f"{self.noun}s", "volume_id": self.volume, **change}
        self.emulator.inject(Fault("meanwhile", method="GET", moment="before", change=found))

    def names_theirs(self, ids: set[int]) -> list[str]:
        """Return the writes that name an ignored record, by its id or its key."""
        return [
            f"{request.method} {request.path}"
            for request in self.emulator.writes
            if request.path.rpartition("/")[2] in map(str, ids)
            or is_ignored(self.noun, json.loads(request.body or b"{}").get(self.key, "x/"), self.patterns)
        ]


@pytest.mark.promise("ignored-is-left-alone", "approved-plan-is-what-is-done", "deletions-are-bounded")
@cases()
@drawn(console=CONSOLES, task=TASKS, limit=LIMITS)
def test_what_is_ignored_is_left_alone_and_what_was_approved_is_done(
    shared_console: SharedConsole, console: Contents, task: tuple[ListTask, list[str]], limit: Any
) -> None:
    (noun, items, given), patterns = task
    assume(items)
    trial = Shared(shared_console, console, noun, patterns)
    emulator, plural = trial.emulator, f"{noun}s"
    options = {plural: items, **given, "ignore": patterns, "max_deletions": limit}
    keys = [oracle.meaning(trial.key, item[trial.key]) for item in items]
    if any(is_ignored(noun, key, patterns) for key in keys):
        assert "is ignored, by the pattern" in trial.run(plural, options)["msg"]
        assert emulator.requests == []
        return
    planned = trial.run(plural, options, check=True)
    assert emulator.writes == []
    trial.churn()
    if planned.get("failed"):
        event("refused")
        assert trial.run(plural, options)["failed"]
        assert emulator.writes == []
        return
    checksum = planned["plan_checksum"]
    assert trial.run(plural, options, check=True)["plan_checksum"] == checksum, "what is ignored moved the checksum"
    theirs = trial.theirs()
    assert (checksum == "nothing") is not planned["changed"]
    assert planned["counts"]["ignored"] == len(theirs) + trial.shows_user_quota
    assert limit in (None, "50%") or planned["counts"]["deleted"] <= (3 if limit == "0%" else limit)
    real = trial.run(plural, {**options, "expected_plan": checksum})
    assert real["plan_checksum"] == checksum, "another plan than in check mode"
    assert trial.names_theirs(set(theirs)) == []
    assert trial.theirs() == theirs
    event(f"failed: {bool(real.get('failed'))}, changed: {real['changed']}, ignored: {len(theirs) > 0}")


@pytest.mark.promise("approved-plan-is-what-is-done")
@cases()
@drawn(console=CONSOLES, task=LISTS, position=st.integers(0, 4))
def test_a_change_by_another_hand_that_changes_the_plan_is_noticed(
    shared_console: SharedConsole, console: Contents, task: ListTask, position: int
) -> None:
    noun, items, given = task
    trial = Shared(shared_console, console, noun, [])
    plural = f"{noun}s"
    options = {plural: items, **given}
    before = trial.run(plural, options, check=True)
    found = sorted(trial.state()[noun])
    trial.change(action="delete", id=found[position % len(found)])
    # A list of several pages may miss a record while another one is deleted.
    trial.run(plural, options, check=True)
    trial.clock.now += 60
    after = trial.run(plural, options, check=True)
    assume(not before.get("failed") and not after.get("failed"))
    real = trial.run(plural, {**options, "expected_plan": before["plan_checksum"]})
    if after["diff"] == before["diff"] or not after["changed"]:
        return
    event("another plan")
    assert after["plan_checksum"] != before["plan_checksum"]
    assert "not the plan that was approved" in real["msg"]
    assert real["diff"] == after["diff"]
    assert trial.emulator.writes == []
