# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The promise, with somebody else at the same records: what a task reports is true, whoever wrote between its requests.

Less can be promised than without other users: a change after the last reading of a list cannot be known.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn

from emulator import Dialect, Emulator, Fault
from functional.properties.draws import DISTURBED_TASKS, EXPORTS, PROMPT, PROMPT_DIALECTS, QUOTAS, Task
from functional.properties.trial import Trial
from functional.support import oracle
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock


class DisturbedTrial(Trial):
    """Runs one task while somebody else changes a record."""

    def hold_disturbed(self, noun: str, given: dict[str, Any], fault: dict[str, Any]) -> None:
        """Run a task, and judge what it reports."""
        change = {**fault["change"], "volume_id": self.volume}
        before = self.state()
        self.emulator.inject(Fault.of({**fault, "change": change}))
        real = self.run(noun, given)
        self.emulator.clear_faults()
        accepted = [entry for entry in self.emulator.writes if (entry.status or 500) < 300]
        after = self.state()
        if real["changed"]:
            assert accepted, "a change that others made"
        else:
            assert {entry.method for entry in accepted} <= {"PUT"}, "a hidden change"
        renamed = {record[oracle.KEYS[noun]] for record in oracle.target(before, noun, given)}
        self.check_others(noun, {given[oracle.KEYS[noun]], change.get("key"), *renamed}, before, after)
        if not real.get("failed") and self.was_read_afterwards(noun):
            # Changes by others to a flag cannot be known where flags are not shown.
            hidden = {"readonly"} if self.hides_fields else set()
            self.check_success(noun, given, {*real.get("unverified", []), *hidden}, after)

    def check_others(self, noun: str, keys: set[str | None], before: oracle.State, after: oracle.State) -> None:
        """Assert that records which neither the task nor the other user refers to are unchanged."""
        name = oracle.KEYS[noun]
        concerned = {oracle.meaning(name, key) for key in keys if key is not None}
        old, new = oracle.managed(before)[noun], oracle.managed(after)[noun]
        for identity, record in old.items():
            if record[name] not in concerned:
                assert new.get(identity) == record, "another record was touched"

    def was_read_afterwards(self, noun: str) -> bool:
        """Return whether a list that is never late was read from its beginning after the other user's change."""
        if any(getattr(self.emulator.dialect, name) for name in PROMPT):
            return False
        entries = self.emulator.requests
        hit = max((entry.number for entry in entries if entry.fault == "meanwhile"), default=0)
        return any(
            entry.number > hit
            and entry.method == "GET"
            and entry.path.endswith(f"/{noun}s")
            and "page=" not in entry.query
            for entry in entries
        )

    @staticmethod
    def check_success(noun: str, given: dict[str, Any], unverified: set[str], after: oracle.State) -> None:
        """Assert that the reported success is true, and that no other record has the key."""
        assert oracle.is_satisfied(after, noun, given, unverified), "an untrue success"
        if given["state"] == "present" and "id" not in given:
            assert len(oracle.with_key(after[noun], noun, given[oracle.KEYS[noun]])) == 1, "a second record"


@pytest.mark.promise("success-is-true")
@settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(dialect=PROMPT_DIALECTS, exports=EXPORTS, quotas=QUOTAS, disturbed=DISTURBED_TASKS)
def test_a_task_never_reports_what_somebody_else_has_changed(
    shared_console: tuple[Emulator, FakeClock],
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    disturbed: tuple[Task, dict[str, Any]],
) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    trial = DisturbedTrial(emulator, clock)
    for export in exports:
        emulator.add_export(trial.volume, **export)
    for quota in quotas:
        emulator.add_quota(trial.volume, **quota)
    clock.now += 60
    (noun, given, state, key), fault = disturbed
    trial.hold_disturbed(noun, trial.named(noun, {**given, **state, oracle.KEYS[noun]: key}), fault)
