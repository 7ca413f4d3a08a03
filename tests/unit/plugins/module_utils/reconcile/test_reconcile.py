# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The loop around the writes: what is read and sent, in which order, and with which pauses."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import CircuitBreaker
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import NOTHING, Plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.operation import Operation
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.reconcile import reconcile
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.writes import carry_out
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.scripted import ScriptedStore
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import plan_export

WEB = {"id": 1, "desc": "web", "iprange": "*"}
OLD = {"id": 2, "desc": "old", "iprange": "*"}
NEW = {"desc": "new", "iprange": "*", "apionly": False, "readonly": False, "appendonly": False}
BEFORE = [WEB, OLD]
AFTER = [{**WEB, "iprange": "::1"}, {"id": 3, **NEW}]

DELETE = plan_export(BEFORE, present=False, desc="old")
UPDATE = plan_export(BEFORE, desc="web", iprange="::1")
CREATE = plan_export(BEFORE, desc="new", iprange="*")
KEEP = plan_export(BEFORE, desc="web", readonly=True)
PLANS = [DELETE, KEEP, UPDATE, CREATE]


def run(store: ScriptedStore, plans: list[Plan], *, check_mode: bool = False, concurrency: int = 1) -> list[Outcome]:
    """Return what becomes of plans, which must be made from the list as it was read first."""

    def planner(records: Records) -> list[Plan]:
        assert list(records) == BEFORE
        return plans

    return reconcile(store.as_store, planner, 10.0, check_mode, concurrency)


def summary(outcomes: list[Outcome]) -> list[tuple[Plan, Record | None, bool]]:
    """Return plan, record and change of outcomes that have no error."""
    assert not [outcome.error for outcome in outcomes if outcome.error]
    return [(outcome.plan, outcome.record, outcome.changed) for outcome in outcomes]


DONE = [(DELETE, None, True), (KEEP, WEB, False), (UPDATE, AFTER[0], True), (CREATE, AFTER[1], True)]


def test_what_is_planned_is_written_the_update_first_deletions_last() -> None:
    store = ScriptedStore([200, 201, 204], [BEFORE, AFTER])
    outcomes = run(store, PLANS)
    assert summary(outcomes) == DONE
    assert (store.methods, store.reads, store.slept) == (["PUT", "POST", "DELETE"], 3, [])
    assert outcomes[1].unverified == ("readonly",)


def test_writes_go_out_side_by_side_deletions_still_last() -> None:
    store = ScriptedStore([200, 201, 204], [BEFORE, AFTER])
    assert summary(run(store, PLANS, concurrency=4)) == DONE
    assert (sorted(store.methods[:2]), store.methods[2:]) == (["POST", "PUT"], ["DELETE"])


def run_many(concurrency: int) -> ScriptedStore:
    """Return a store after four creations."""
    plans = [plan_export(BEFORE, desc=str(number), iprange="*") for number in range(4)]
    store = ScriptedStore([201] * 4, [BEFORE, [{"id": 10 + number, **plan.body} for number, plan in enumerate(plans)]])
    store.takes = 0.05
    assert all(outcome.error is None for outcome in run(store, plans, concurrency=concurrency))
    return store


@pytest.mark.parametrize("concurrency", [1, 2, 3])
def test_no_more_writes_at_once_than_wanted(concurrency: int) -> None:
    store = run_many(concurrency)
    assert store.most_at_once == concurrency
    assert (threading.current_thread() in store.threads) is (concurrency == 1)


def test_writes_go_out_one_by_one_unless_wanted_otherwise() -> None:
    store = ScriptedStore([200, 201], [BEFORE, AFTER])
    store.takes = 0.01
    reconcile(store.as_store, lambda _records: [UPDATE, CREATE], 10.0, check_mode=False)
    assert (store.most_at_once, store.threads) == (1, {threading.current_thread()})


def test_one_write_needs_no_thread() -> None:
    store = ScriptedStore([204], [BEFORE, [WEB]])
    run(store, [DELETE], concurrency=4)
    assert store.threads == {threading.current_thread()}


def test_in_check_mode_everything_is_predicted_and_nothing_sent() -> None:
    store = ScriptedStore([], [BEFORE])
    outcomes = run(store, PLANS, check_mode=True)
    assert summary(outcomes) == [
        (DELETE, None, True),
        (KEEP, WEB, False),
        (UPDATE, {**WEB, "iprange": "::1"}, True),
        (CREATE, NEW, True),
    ]
    assert outcomes[1].unverified == ("readonly",)
    assert (store.sent, store.reads) == ([], 1)


def test_nothing_to_write_is_one_read() -> None:
    store = ScriptedStore([], [BEFORE])
    assert KEEP.action is NOTHING
    assert summary(run(store, [KEEP])) == [(KEEP, WEB, False)]
    assert (store.sent, store.reads) == ([], 1)


def test_the_list_is_read_after_pauses_that_grow_until_all_is_known() -> None:
    created = {"id": 3, **NEW}
    store = ScriptedStore([201, 204], [BEFORE, BEFORE, [*BEFORE, created], [WEB, created]])
    outcomes = run(store, [DELETE, CREATE])
    assert summary(outcomes) == [(DELETE, None, True), (CREATE, created, True)]
    assert (store.slept, store.reads) == ([0.1, 0.2], 4)


def test_pauses_grow_up_to_five_seconds() -> None:
    store = ScriptedStore([201], [BEFORE])
    (outcome,) = run(store, [CREATE])
    assert "is not listed after 10 s" in str(outcome.error)
    assert store.slept == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]


def test_pauses_begin_anew_with_another_request() -> None:
    flags = {"apionly": False, "readonly": True, "appendonly": False}
    before = [{**WEB, **flags}]
    wanted, reset = {**before[0], "iprange": "::1"}, {**before[0], "iprange": "::1", "readonly": False}
    store = ScriptedStore([200, 200], [before, before, before, [reset], [reset], [wanted]])
    plan = plan_export(before, desc="web", iprange="::1")
    (outcome,) = reconcile(store.as_store, lambda _records: [plan], 10.0, check_mode=False)
    assert (outcome.record, outcome.restored) == (wanted, ("readonly",))
    assert store.slept == [0.1, 0.2, 0.1]


def shown(number: int, **fields: Any) -> Record:
    """Return one of many exports."""
    return {"id": number, "desc": str(number), "iprange": "*", "readonly": True, **fields}


MANY = [shown(number) for number in range(1, 5)]


def run_updates(responses: list[Any], looks: list[Any], concurrency: int = 1) -> tuple[ScriptedStore, list[Outcome]]:
    """Return the store after a creation, three updates and a deletion, and what became of them."""
    store = ScriptedStore(responses, [MANY, *looks])
    plans = [
        plan_export(MANY, present=False, desc="4"),
        *(plan_export(MANY, desc=str(number), iprange="::1") for number in (1, 2, 3)),
        plan_export(MANY, desc="new", iprange="*"),
    ]
    return store, reconcile(store.as_store, lambda _records: plans, 10.0, check_mode=False, concurrency=concurrency)


CREATED = {"id": 9, **NEW}
UPDATED = [shown(number, iprange="::1") for number in (1, 2, 3)]
PATHS_ONE_BY_ONE = ["/exports/1", "/exports/2", "/exports/3", "/exports", "/exports/4"]
SHORT_BODY = {"desc": "2", "iprange": "::1"}
WHOLE_BODY = {**SHORT_BODY, "readonly": True}


def test_the_first_update_is_read_back_before_the_others_and_the_deletions_go_out() -> None:
    looks = [[UPDATED[0], *MANY[1:]], [*UPDATED, CREATED]]
    store, outcomes = run_updates([200, 200, 200, 201, 204], looks)
    assert [outcome.error for outcome in outcomes] == [None] * 5
    assert [sent.path for sent in store.sent] == PATHS_ONE_BY_ONE
    assert (store.reads, store.sent[1].body) == (3, SHORT_BODY)


def test_updates_wait_for_as_long_as_the_first_takes_to_show() -> None:
    store, outcomes = run_updates(
        [200, 200, 200, 201, 204],
        [MANY, MANY, [UPDATED[0], *MANY[1:]], [*UPDATED, CREATED]],
    )
    assert [outcome.error for outcome in outcomes] == [None] * 5
    assert [sent.path for sent in store.sent] == PATHS_ONE_BY_ONE
    assert store.slept == [0.1, 0.2]


def test_where_the_first_update_reset_a_field_the_others_carry_the_whole_record() -> None:
    reset = {**UPDATED[0], "readonly": False}
    store, outcomes = run_updates(
        [200, 200, 200, 200, 201, 204],
        [[reset, *MANY[1:]], [UPDATED[0], *MANY[1:]], [*UPDATED, CREATED]],
    )
    assert [outcome.error for outcome in outcomes] == [None] * 5
    assert [outcome.restored for outcome in outcomes] == [(), ("readonly",), (), (), ()]
    assert [sent.path for sent in store.sent] == ["/exports/1", *PATHS_ONE_BY_ONE]
    assert store.sent[2].body == WHOLE_BODY


def test_where_it_is_not_known_what_the_first_update_did_the_others_carry_the_whole_record() -> None:
    later = [[*UPDATED[1:], MANY[0], CREATED]]
    store, outcomes = run_updates([200, 200, 200, 201, 204], [*[MANY] * 6, *later])
    assert [outcome.error is not None for outcome in outcomes] == [False, True, False, False, False]
    assert store.sent[1].body == WHOLE_BODY


def test_a_first_update_that_fails_does_not_keep_the_others_back() -> None:
    refusal = RequestError("PUT", "/exports/1", "no", 400)
    store, outcomes = run_updates([refusal, 200, 200, 201, 204], [MANY, [MANY[0], *UPDATED[1:], CREATED]])
    assert [outcome.error for outcome in outcomes] == [None, refusal, None, None, None]
    assert [sent.path for sent in store.sent] == PATHS_ONE_BY_ONE
    assert store.sent[1].body == SHORT_BODY


def test_once_the_first_update_is_known_the_others_go_out_side_by_side() -> None:
    store, outcomes = run_updates(
        [200, 200, 200, 201, 204], [[UPDATED[0], *MANY[1:], CREATED], [*UPDATED, CREATED]], concurrency=4
    )
    assert [outcome.error for outcome in outcomes] == [None] * 5
    assert (store.methods[0], sorted(store.methods[1:4]), store.methods[4:]) == (
        "PUT",
        ["POST", "PUT", "PUT"],
        ["DELETE"],
    )


def test_a_list_that_cannot_be_read_is_tried_for_3_s() -> None:
    store = ScriptedStore([201, 204], [BEFORE, ConsoleError("no list")])
    outcomes = run(store, [DELETE, CREATE])
    assert [str(outcome.error).endswith("could not be read back: no list") for outcome in outcomes] == [True, True]
    assert store.slept == [0.1, 0.2, 0.4, 0.8, 1.6]


def test_each_group_of_writes_begins_with_a_closed_circuit() -> None:
    store = ScriptedStore([201, 204], [BEFORE, [WEB, {"id": 3, **NEW}]])
    store.breaker = CircuitBreaker(0)
    store.breaker.unanswered = 3
    assert [outcome.error for outcome in run(store, [DELETE, CREATE])] == [None, None]


def test_a_list_that_cannot_be_read_does_not_keep_others_from_being_read() -> None:
    first, second = (ScriptedStore([201], [ConsoleError("no list")]) for _store in range(2))
    second.clock = first
    records = Records(EXPORT, BEFORE)
    carry_out([Operation(store.as_store, records, CREATE, 10.0) for store in (first, second)], 1)
    assert (first.reads, second.reads) == (6, 6)


def test_lists_of_several_stores_are_read_once_each() -> None:
    first = ScriptedStore([200, 201], [[{**WEB, "iprange": "::1"}, {"id": 3, **NEW}]])
    second = ScriptedStore([201], [[{"id": 3, **NEW}]])
    records = Records(EXPORT, BEFORE)
    operations = [
        Operation(first.as_store, records, CREATE, 10.0),
        Operation(second.as_store, records, CREATE, 10.0),
        Operation(first.as_store, records, UPDATE, 10.0),
    ]
    carry_out(operations, 1)
    assert [operation.outcome is not None for operation in operations] == [True] * 3
    assert (first.methods, second.methods) == (["PUT", "POST"], ["POST"])
    assert (first.reads, second.reads) == (2, 1)
