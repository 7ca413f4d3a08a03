# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One write on its way: what it sends, with which retries, and what is made of a list that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import CircuitBreaker
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.operation import Operation
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.scripted import ScriptedStore, Sent
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    MAY_STILL,
    plan_export,
)

WEB = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
AFTER = {**WEB, "iprange": "*"}
RESET = {**AFTER, "readonly": False}
CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
UPDATE = plan_export([WEB], desc="web", iprange="*")
DELETE = plan_export([WEB], present=False, desc="web")
UNREADABLE = RequestError("GET", "/exports", "no list", 500)


def lost(method: str) -> RequestError:
    """Return the error of a request that got no response."""
    return RequestError(method, "/exports", "cut off", None, maybe_applied=True)


def refused(method: str) -> RequestError:
    """Return the error of a request that was refused."""
    return RequestError(method, "/exports", "no", 400)


def start(store: ScriptedStore, plan: Plan) -> Operation:
    """Return an operation whose first request is sent."""
    before = [plan.current] if plan.current else []
    operation = Operation(store.as_store, Records(EXPORT, before), plan, 10.0)
    operation.send()
    operation.start_watching()
    return operation


def outcome_of(operation: Operation) -> Outcome | None:
    """Return the outcome as it is now."""
    return operation.outcome


def observe(operation: Operation, records: list[Record]) -> None:
    """Show a list to an operation."""
    operation.observe(Records(EXPORT, records))


@pytest.mark.parametrize(
    ("plan", "sent"),
    [
        pytest.param(CREATE, Sent("POST", "/exports", CREATE.body, 4), id="create"),
        pytest.param(UPDATE, Sent("PUT", "/exports/1", {"desc": "web", "iprange": "*"}, None), id="update"),
        pytest.param(DELETE, Sent("DELETE", "/exports/1", None, None), id="delete"),
    ],
)
def test_the_first_request(plan: Plan, sent: Sent) -> None:
    store = ScriptedStore([200], [[]])
    before = [plan.current] if plan.current else []
    operation = Operation(store.as_store, Records(EXPORT, before), plan, 10.0)
    assert operation.needs_request
    operation.send()
    assert store.sent == [sent]
    assert (operation.needs_request, operation.outcome) == (False, None)


def test_a_write_that_shows_is_done() -> None:
    operation = start(ScriptedStore([201], [[]]), CREATE)
    observe(operation, [{"id": 7, **CREATE.body}])
    assert operation.outcome
    assert (operation.outcome.changed, operation.outcome.error, operation.needs_request) == (True, None, False)


def test_an_update_is_followed_by_the_whole_record_where_that_is_needed() -> None:
    store = ScriptedStore([200, 200], [[]])
    before = {**WEB, "readonly": True}
    operation = start(store, plan_export([before], desc="web", iprange="*"))
    observe(operation, [RESET])
    assert (operation.needs_request, operation.outcome) == (True, None)
    operation.send()
    assert store.sent[1].body == {"desc": "web", "iprange": "*", "readonly": True}


def test_a_lost_creation_is_repeated_within_its_retries_and_each_at_one_attempt() -> None:
    store = ScriptedStore([lost("POST")] * 3, [[]], retries=2)
    operation = start(store, CREATE)
    while operation.outcome is None:
        store.sleep(3)
        observe(operation, [])
        if operation.needs_request:
            operation.send()
            operation.start_watching()
    assert [sent.retries for sent in store.sent] == [2, 0, 0]
    assert str(operation.outcome.error) == f"{lost('POST')}. {MAY_STILL}"


def test_the_effect_is_looked_for_since_the_last_request_was_sent() -> None:
    store = ScriptedStore([201], [[]])
    store.sleep(100)
    operation = start(store, CREATE)
    store.sleep(9.9)
    observe(operation, [])
    assert outcome_of(operation) is None
    store.sleep(0.1)
    observe(operation, [])
    assert operation.outcome


def test_a_creation_is_compared_for_3_s_since_it_was_first_seen() -> None:
    store = ScriptedStore([201], [[]])
    operation = start(store, CREATE)
    store.sleep(5)
    for pause in (0, 2.9):
        store.sleep(pause)
        observe(operation, [{**CREATE.body, "id": 1, "iprange": "*"}])
        assert outcome_of(operation) is None
    store.sleep(0.1)
    observe(operation, [{**CREATE.body, "id": 1, "iprange": "*"}])
    assert outcome_of(operation)


def test_a_creation_that_shows_after_another_is_watched_for_as_long_as_they_were_apart() -> None:
    store = ScriptedStore([lost("POST"), lost("POST")], [[]])
    operation = start(store, CREATE)
    store.sleep(3)
    observe(operation, [])
    operation.send()
    operation.start_watching()
    observe(operation, [{**CREATE.body, "id": 1}])
    assert outcome_of(operation) is None
    store.sleep(3)
    observe(operation, [{**CREATE.body, "id": 1}])
    assert outcome_of(operation)


def test_the_status_of_a_refusal_counts() -> None:
    operation = start(ScriptedStore([RequestError("DELETE", "/exports/1", "no", 405)], [[]]), DELETE)
    observe(operation, [WEB])
    outcome = outcome_of(operation)
    assert outcome
    assert "this console does not delete exports" in str(outcome.error)


@pytest.mark.parametrize(
    ("content", "is_ours"),
    [
        pytest.param(b'{"id": 1}', True, id="its id"),
        pytest.param(b'{"id": "1"}', True, id="its id as text"),
        pytest.param(b'{"id": 7}', False, id="another id"),
        pytest.param(b'{"id": "x-7"}', False, id="another id as text"),
        pytest.param(b'{"id": true}', True, id="no usable id"),
        pytest.param(b'{"id": null}', True, id="null"),
        pytest.param(b'{"desc": "web"}', True, id="no id"),
        pytest.param(b'[{"id": 7}]', True, id="a list"),
        pytest.param(b"<html>", True, id="a page"),
        pytest.param(b"", True, id="nothing"),
    ],
)
def test_the_id_in_the_response_to_a_creation_tells_which_record_is_ours(content: bytes, is_ours: bool) -> None:
    operation = start(ScriptedStore([Response(201, {}, content)], [[]]), CREATE)
    observe(operation, [{"id": 1, **CREATE.body}])
    assert (operation.outcome is not None) is is_ours


def test_the_id_in_the_response_to_an_update_tells_nothing() -> None:
    operation = start(ScriptedStore([Response(200, {}, b'{"id": 7}')], [[]]), UPDATE)
    observe(operation, [AFTER])
    outcome = outcome_of(operation)
    assert outcome
    assert (outcome.changed, outcome.error) == (True, None)


def test_an_update_can_be_told_to_carry_the_whole_record() -> None:
    store = ScriptedStore([200], [[]])
    before = {**WEB, "readonly": True}
    plan = plan_export([before], desc="web", iprange="*")
    operation = Operation(store.as_store, Records(EXPORT, [before]), plan, 10.0)
    operation.use_whole_body()
    operation.send()
    assert store.sent[0].body == {"desc": "web", "iprange": "*", "readonly": True}


def test_an_update_that_was_followed_by_another_suggests_whole_records() -> None:
    operation = start(
        ScriptedStore([200, 200], [[]]), plan_export([{**WEB, "readonly": True}], desc="web", iprange="*")
    )
    observe(operation, [RESET])
    operation.send()
    observe(operation, [{**WEB, "iprange": "*", "readonly": True}])
    assert operation.outcome
    assert operation.suggests_whole_body


def test_an_update_that_shows_as_wanted_suggests_nothing() -> None:
    operation = start(ScriptedStore([200], [[]]), plan_export([WEB], desc="web", iprange="*"))
    observe(operation, [{**WEB, "iprange": "*"}])
    assert operation.outcome
    assert not operation.suggests_whole_body


def test_an_open_circuit_keeps_a_write_back() -> None:
    store = ScriptedStore([], [[]])
    store.breaker = CircuitBreaker(0)
    store.breaker.unanswered = 3
    operation = start(store, UPDATE)
    assert operation.outcome
    assert (store.sent, operation.outcome.changed, operation.outcome.record) == ([], False, WEB)
    assert str(operation.outcome.error) == (
        "export 'web' (id 1) was skipped: 3 consecutive requests were unanswered or rate-limited"
    )


def test_a_closed_circuit_lets_a_write_through() -> None:
    store = ScriptedStore([200], [[]])
    store.breaker = CircuitBreaker(0)
    start(store, UPDATE)
    assert store.methods == ["PUT"]


@pytest.mark.parametrize(
    ("plan", "response", "changed", "message"),
    [
        pytest.param(
            CREATE, 201, True, f"export 'web' was created, but could not be read back: {UNREADABLE}", id="created"
        ),
        pytest.param(
            UPDATE,
            200,
            True,
            f"export 'web' (id 1) was updated, but could not be read back: {UNREADABLE}",
            id="updated",
        ),
        pytest.param(
            DELETE,
            204,
            True,
            f"export 'web' (id 1) was deleted, but could not be read back: {UNREADABLE}",
            id="deleted",
        ),
        pytest.param(
            UPDATE,
            lost("PUT"),
            True,
            f"{lost('PUT')}. export 'web' (id 1) could not be read back to see the result: {UNREADABLE}. {MAY_STILL}",
            id="lost",
        ),
        pytest.param(
            UPDATE,
            refused("PUT"),
            False,
            f"{refused('PUT')}. export 'web' (id 1) could not be read back to see the result: {UNREADABLE}",
            id="refused",
        ),
    ],
)
def test_a_list_that_cannot_be_read_for_3_s(plan: Plan, response: Any, changed: bool, message: str) -> None:
    store = ScriptedStore([response], [[]])
    operation = start(store, plan)
    store.sleep(5)
    operation.observe_error(UNREADABLE)
    store.sleep(2.9)
    operation.observe_error(UNREADABLE)
    assert outcome_of(operation) is None
    store.sleep(0.1)
    operation.observe_error(UNREADABLE)
    assert operation.outcome
    assert (operation.outcome.changed, str(operation.outcome.error)) == (changed, message)
    assert isinstance(operation.outcome.error, ConsoleError)
    assert operation.outcome.error.details == UNREADABLE.details
    assert not operation.outcome.is_seen


def test_a_list_that_can_be_read_again_is_given_3_s_more() -> None:
    store = ScriptedStore([200], [[]])
    operation = start(store, CREATE)
    operation.observe_error(UNREADABLE)
    store.sleep(2)
    observe(operation, [])
    operation.observe_error(UNREADABLE)
    store.sleep(2)
    operation.observe_error(UNREADABLE)
    assert outcome_of(operation) is None
