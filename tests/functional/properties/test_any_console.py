# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The promise: on any console that the specification allows, a task never reports what is not true.

Hypothesis draws a dialect (a choice for each gap in the specification), what is there, and a sequence of tasks,
and checks the report of each task against the truth. `CASES=5000` in the environment draws that many cases, at
random; a failing case is printed, with the line that replays it.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import Dialect, Emulator, Fault
from functional.properties.draws import DIALECTS, EXPORTS, FAULTS, LISTS, QUOTAS, TASKS
from functional.properties.trial import ListTrial, Trial
from functional.support import oracle
from functional.support.cases import CASES
from functional.support.inprocess import FakeClock


@pytest.mark.promise("success-is-true")
@settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(
    dialect=DIALECTS,
    exports=EXPORTS,
    quotas=QUOTAS,
    tasks=st.lists(TASKS, min_size=1, max_size=4),
)
def test_a_task_never_reports_what_is_not_so(
    shared_console: tuple[Emulator, FakeClock],
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    tasks: list[tuple[str, dict[str, Any], dict[str, Any], str]],
) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    trial = Trial(emulator, clock)
    for export in exports:
        emulator.add_export(trial.volume, **export)
    for quota in quotas:
        emulator.add_quota(trial.volume, **quota)
    clock.now += 60  # Long enough for all of it to show.
    for noun, given, state, key in tasks:
        trial.check(noun, trial.named(noun, {**given, **state, oracle.KEYS[noun]: key}))
        if trial.volume not in trial.state()["volume"]:
            break


@pytest.mark.promise("success-is-true")
@settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@drawn(
    dialect=DIALECTS,
    exports=EXPORTS,
    quotas=QUOTAS,
    task=LISTS,
    faults=st.just([]) | FAULTS,
)
def test_a_list_never_reports_what_is_not_so(
    shared_console: tuple[Emulator, FakeClock],
    dialect: Dialect,
    exports: list[dict[str, Any]],
    quotas: list[dict[str, Any]],
    task: tuple[str, list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]],
    faults: list[Fault],
) -> None:
    emulator, clock = shared_console
    emulator.reset(dialect)
    trial = ListTrial(emulator, clock)
    for export in exports:
        emulator.add_export(trial.volume, **export)
    for quota in quotas:
        emulator.add_quota(trial.volume, **quota)
    clock.now += 60
    noun, items, extra, given = task
    wanted = [{**more, **item} for item, more in zip(items, extra, strict=False)]
    trial.hold_list(noun, wanted, given, faults=faults)
