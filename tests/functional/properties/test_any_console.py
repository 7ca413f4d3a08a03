# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The promise: on any console that the specification allows, each report of a task is true.

Hypothesis draws a dialect (a choice for each gap in the specification), records, and a sequence of tasks, and checks the
report of each task against the truth. `CASES=5000` in the environment draws that many cases, and `SEED=random` others
each time; a failing case is printed, with the line that replays it.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from emulator import Emulator, Fault
from functional.properties import draws, situations
from functional.properties.draws import Contents, ListTask, Task
from functional.properties.situations import SITUATIONS, Case
from functional.properties.trial import Trial
from functional.support import oracle
from functional.support.cases import CASES, MANY, cases
from functional.support.inprocess import Run, SharedConsole


@pytest.mark.promise("success-is-true", "ignored-is-left-alone")
@cases()
@drawn(console=draws.CONSOLES, tasks=st.lists(draws.TASKS, min_size=1, max_size=4))
def test_a_task_never_reports_what_is_not_so(
    shared_console: SharedConsole, console: Contents, tasks: list[Task]
) -> None:
    trial = Trial(shared_console, console)
    for noun, given, state, key in tasks:
        trial.check(noun, trial.named(noun, {**given, **state, oracle.KEYS[noun]: key}))
        if trial.volume not in trial.state()["volume"]:
            break


@pytest.mark.promise("success-is-true", "ignored-is-left-alone")
@cases()
@drawn(console=draws.CONSOLES, task=draws.LISTS, faults=draws.FAULTS | st.just([]))
def test_a_list_never_reports_what_is_not_so(
    shared_console: SharedConsole, console: Contents, task: ListTask, faults: list[Fault]
) -> None:
    Trial(shared_console, console).hold_list(*task, faults)


@pytest.mark.promise("success-is-true", "ignored-is-left-alone")
@cases()
@drawn(console=draws.PROMPT_CONSOLES, disturbed=draws.DISTURBED_TASKS)
def test_a_task_never_reports_what_somebody_else_has_changed(
    shared_console: SharedConsole, console: Contents, disturbed: tuple[Task, dict[str, Any]]
) -> None:
    trial = Trial(shared_console, console)
    (noun, given, state, key), fault = disturbed
    trial.hold_disturbed(noun, trial.named(noun, {**given, **state, oracle.KEYS[noun]: key}), fault)


def test_every_situation_was_met(request: pytest.FixtureRequest) -> None:
    # After the tests that meet them, as conftest.py sorts.
    assert request.session.items[-1] is request.node
    if CASES >= MANY:
        situations.require_all(situations.met)


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_that_was_never_met_is_found(name: str) -> None:
    counts = dict.fromkeys(SITUATIONS, 1)
    situations.require_all(counts)
    with pytest.raises(AssertionError, match=f": {name}$"):
        situations.require_all({**counts, name: 0})


def test_a_task_that_goes_well_meets_no_situation(emulator: Emulator, run: Run) -> None:
    volume = {"name": "v", "bucket": "https://v.example.com"}
    export = {"volume": "v", "desc": "web", "iprange": "*"}
    for module, options in (("volume", volume), ("export", export), ("export", {**export, "iprange": "10.0.0.0/8"})):
        result = run(module, **options)
        assert result["changed"]
        assert situations.met_in(Case([], emulator.requests, result)) == []
