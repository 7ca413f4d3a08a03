# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fault matrix: each operation, hit at each of its requests by each kind of trouble, once and for ever.

A task survives with exactly the right state, or fails in time, names the request and the cause, and reports the state as
it is. When it runs again without trouble, it reaches its goal. `MATRIX=whole` in the environment tries every cell and
prints the table; otherwise a selection covers each pair of operation, request, trouble and time.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest import mock

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import read_connection
from emulator import Emulator, Fault
from functional.faults import matrix
from functional.faults.matrix import EVER, METHOD, ONCE, SCENARIOS, VOLUME, Cell, Scenario
from functional.support import oracle
from functional.support.inprocess import FakeClock, Run

RETRIES, TIMEOUT, WAIT = 2, 30, 20
# The timeout in seconds of a request for which a task really has to wait.
HURRY = 0.25
CELLS = list(matrix.whole() if matrix.WHOLE else matrix.pairwise())
READABLE = {"volume": "volume", "export": "export", "quota": "quota", "exports": "export", "quotas": "quota"}
State = dict[str, dict[int, Any]]
Attempt = Callable[[Scenario], dict[str, Any]]
# The result of each scenario without faults, and the records after it.
UNTROUBLED: dict[tuple[str, str], tuple[Any, dict[str, list[Any]]]] = {}


@pytest.fixture
def attempt(run: Run, emulator: Emulator) -> Attempt:
    """Return a function that runs the module of a scenario."""

    def attempt(scenario: Scenario) -> dict[str, Any]:
        waiting = {} if scenario.module.endswith("_info") or not scenario.converges else {"wait_timeout": WAIT}
        emulator.forget_requests()
        # The diff and the plan list the content of a deleted volume, as it can be read.
        is_deletion = scenario.module.startswith("volume") and "delete" in scenario.operation
        result = run(
            scenario.module, diff=not is_deletion, retries=RETRIES, timeout=TIMEOUT, **waiting, **scenario.options
        )
        return {name: value for name, value in result.items() if name != "plan_checksum"} if is_deletion else result

    return attempt


@pytest.mark.promise("every-fault-at-every-request")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario.module} {scenario.operation}")
def test_the_matrix_has_every_request_of_a_run(attempt: Attempt, emulator: Emulator, scenario: Scenario) -> None:
    seed(emulator)
    assert "failed" not in attempt(scenario)
    kinds = [{"back": "list", "ready": "question"}.get(kind, kind) for kind in scenario.requests]
    assert [kind_of(request.method, request.path, scenario) for request in emulator.requests] == kinds


@pytest.mark.promise("every-fault-at-every-request", "requests-are-bounded")
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_matrix(
    attempt: Attempt, emulator: Emulator, clock: FakeClock, cell: Cell, request: pytest.FixtureRequest
) -> None:
    # record_property is not compatible with the JUnit XML of the whole run.
    request.node.user_properties.append(("cell", cell))
    scenario = cell.scenario
    untroubled, wanted = run_untroubled(attempt, emulator, scenario)
    seed(emulator)
    before, started = oracle.snapshot(emulator, VOLUME), clock.now

    with trouble(cell, emulator, clock):
        result = attempt(scenario)

    seconds = clock.now - started
    if cell.trouble.is_silent:
        seconds += TIMEOUT * sum(hit.fault is not None for hit in emulator.requests)
    clock.now += 60
    after = oracle.snapshot(emulator, VOLUME)
    assert ("F" if result.get("failed") else "S") == cell.outcome.replace("A", "S"), result.get("msg")
    assert not oracle.secrets_in(result, emulator)
    assert seconds <= longest_seconds(scenario)
    if cell.outcome == "S":
        uncounted = count_what_is_lost(result, untroubled)
        # What a deletion takes with it is unknown if the response that says so was spoiled. That does not stop it.
        assert uncounted <= (method_of(cell.kind) == "GET")
        assert comparable(result) == untroubled
        assert contents(after) == wanted
    elif cell.outcome == "F":
        assert_names_request_and_cause(cell, result)
        assert_reports_the_state(scenario, result, before, after)
    if scenario.converges:
        again = attempt(scenario)
        assert "failed" not in again
        assert contents(oracle.snapshot(emulator, VOLUME)) == wanted
        assert attempt(scenario)["changed"] is False


def run_untroubled(attempt: Attempt, emulator: Emulator, scenario: Scenario) -> tuple[Any, dict[str, list[Any]]]:
    """Return the result of a scenario without faults, and the records after it; run it once."""
    name = scenario.module, scenario.operation
    if name not in UNTROUBLED:
        seed(emulator)
        UNTROUBLED[name] = comparable(attempt(scenario)), contents(oracle.snapshot(emulator, VOLUME))
    return UNTROUBLED[name]


def seed(emulator: Emulator) -> None:
    """Reset the console to its state before each run."""
    emulator.reset()
    emulator.retry_delay = None
    matrix.seed(emulator)


@contextlib.contextmanager
def trouble(cell: Cell, emulator: Emulator, clock: FakeClock) -> Iterator[None]:
    """Arrange the fault of a cell."""
    settings = dict(cell.trouble.fault)
    with contextlib.ExitStack() as stack:
        stack.callback(emulator.come_back)
        stack.callback(emulator.clear_faults)
        if cell.trouble.is_silent:
            stack.enter_context(mock.patch.object(glue, "read_connection", hurried))
        if settings["kind"] != "refuse_next":
            emulator.inject(fault_of(cell))
        elif cell.position == 1:
            emulator.refuse(settings["seconds"])
        else:
            emulator.inject(Fault(nth=cell.position - 1, **settings))
        if cell.mode == ONCE:
            clock.on_sleep = emulator.come_back
        yield


def fault_of(cell: Cell) -> Fault:
    """Return the fault of a cell, counted so that it first hits the cell's request."""
    method = method_of(cell.kind) if cell.mode == METHOD else None
    earlier = [kind for kind in cell.scenario.requests[: cell.position - 1] if method in (None, method_of(kind))]
    return Fault(method=method, nth=len(earlier) + 1, times=1 if cell.mode == ONCE else None, **cell.trouble.fault)


def hurried(values: Mapping[str, Any]) -> Any:
    """Return the settings of a task with less time for a request than the option allows."""
    return read_connection(values)._replace(timeout=HURRY)  # type: ignore[arg-type]


def longest_seconds(scenario: Scenario) -> int:
    """Return the time that a task may take, by the documented formulas (`timeout`, and the notes on tasks that write)."""
    request = (RETRIES + 2) * TIMEOUT + RETRIES * 60
    if not scenario.converges or scenario.module.endswith("_info"):
        return request * len(scenario.requests)
    items = len(scenario.requests) if scenario.module in ("exports", "quotas", "volumes") else 0
    once = request * (3 * RETRIES + 9) + 3 * (RETRIES + 1) + 2 * WAIT + (2 * request + 3) * items
    return 3 * once + 2 * (WAIT + 4 * request) if scenario.module == "volumes" else once


def assert_names_request_and_cause(cell: Cell, result: dict[str, Any]) -> None:
    """Assert that message and failure name the method, the path and the cause."""
    failure = result["failure"]
    assert re.search(cell.trouble.cause, result["msg"])
    assert failure["path"].startswith("/api/v1/volumes")
    assert failure["message"]
    assert f"{failure['method']} {failure['path']}" in result["msg"]
    assert method_of(cell.kind) == failure["method"] or cell.mode == EVER


def assert_reports_the_state(scenario: Scenario, result: dict[str, Any], before: State, after: State) -> None:
    """Assert that the failed task reports the true state, and that no record exists twice."""
    touched = contents(before) != contents(after)
    unknown = "could not be read back" in result["msg"] or not scenario.converges
    assert result["changed"] or not touched, "a change that is hidden"
    noun = READABLE.get(scenario.module)
    if noun is None:
        return
    key = oracle.KEYS[noun]
    meanings = [oracle.meaning(key, record[key]) for record in after[noun].values()]
    assert len(meanings) == len(set(meanings)), "a second record"
    if not unknown and scenario.module == noun and result["changed"]:
        assert touched or "accepted" in result["msg"] or "may still be carried out" in result["msg"]
    if scenario.module != noun:
        assert_reports_the_keys(noun, result, before, after)
    elif result[noun] and not unknown:
        found = oracle.target(after, noun, scenario.options)
        assert found
        assert not oracle.wrong_fields(found[0], noun, result[noun])


def assert_reports_the_keys(noun: str, result: dict[str, Any], before: State, after: State) -> None:
    """Assert that reported changes were made, and that any other change is among the errors."""
    key = oracle.KEYS[noun]
    old, new = oracle.managed(before)[noun], oracle.managed(after)[noun]
    truly = {
        "created": {new[identity][key] for identity in new.keys() - old.keys()},
        "updated": {new[identity][key] for identity in new.keys() & old.keys() if new[identity] != old[identity]},
        "deleted": {old[identity][key] for identity in old.keys() - new.keys()},
    }
    failed = {oracle.meaning(key, error["key"]) for error in result["errors"]}
    for what, keys in truly.items():
        reported = {oracle.meaning(key, text) for text in result[what]}
        assert keys <= reported | failed, what
        assert reported <= keys | failed, what


def method_of(kind: str) -> str:
    """Return the HTTP method of a kind of request."""
    return "GET" if kind in ("list", "back", "question", "ready") else kind.removeprefix("own-")


def kind_of(method: str, path: str, scenario: Scenario) -> str:
    """Return the kind of a request that was made."""
    if not scenario.converges:
        return f"own-{method}"
    if method != "GET":
        return method
    return "question" if path.endswith("/is_ready") else "list"


def comparable(result: Any) -> Any:
    """Return a result without fields that the console assigns or the trouble adds."""
    if isinstance(result, dict):
        assigned = ("id", "token", "created", "uuid", "warnings", "invocation")
        return {name: comparable(value) for name, value in result.items() if name not in assigned}
    return [comparable(value) for value in result] if isinstance(result, list) else result


def count_what_is_lost(result: dict[str, Any], untroubled: dict[str, Any]) -> int:
    """Replace the unknown counts of what deletions take with them, and return how many there were."""
    found = zip(result.get("changes", []), untroubled.get("changes", []), strict=False)
    places = [(change.get("lost", {}), other.get("lost", {})) for change, other in found]
    # A task for one volume shows them beside its fields.
    places.append((result.get("diff", {}).get("before", {}), untroubled.get("diff", {}).get("before", {})))
    unknown = 0
    for counts, others in places:
        for kind in ("exports", "quotas"):
            if counts.get(kind, 0) is None:
                counts[kind] = others[kind]
                unknown += 1
    return unknown


def contents(state: State) -> dict[str, list[Any]]:
    """Return the fields of records that users manage, regardless of ids."""
    return {noun: sorted(records.values(), key=str) for noun, records in oracle.managed(state).items()}
