# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rounds of writes: requests and readings, their order, retries and pauses, and the updates that go ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.rounds import carry_out, send
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write_state import Write
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile import timeline
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    Request,
    ScriptedStore,
)

WEB = {"id": 1, "desc": "web", "iprange": "*"}
OLD = {"id": 2, "desc": "old", "iprange": "*"}
NEW = {"desc": "new", "iprange": "*", "apionly": False, "readonly": False, "appendonly": False}
BEFORE = [WEB, OLD]
FLAGS = ("apionly", "readonly", "appendonly")
UPDATED, CREATED = {**WEB, "iprange": "::1"}, {"id": 9, **NEW}

DELETE = timeline.plan_export(BEFORE, present=False, desc="old")
UPDATE = timeline.plan_export(BEFORE, desc="web", iprange="::1")
CREATE = timeline.plan_export(BEFORE, desc="new", iprange="*")
ACTIONS = [DELETE, UPDATE, CREATE]
DONE = [Outcome(DELETE, None, True), Outcome(UPDATE, UPDATED, True, None, FLAGS), Outcome(CREATE, CREATED, True)]


def open_write(store: ScriptedStore, action: Action, before: Iterable[Record] = (WEB, OLD)) -> Write:
    return Write(action, Records(EXPORT, before), store.as_store, 10.0)


def run(
    store: ScriptedStore, actions: list[Action], concurrency: int = 1, before: Iterable[Record] = (WEB, OLD)
) -> list[Outcome]:
    writes = [open_write(store, action, before) for action in actions]
    carry_out(writes, concurrency)
    return [write.outcome for write in writes if write.outcome]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_update_goes_first_and_deletions_last(concurrency: int) -> None:
    store = ScriptedStore([200, 201, 204], [[UPDATED, CREATED]])
    assert run(store, ACTIONS, concurrency) == DONE
    # Side by side, all writes but deletions are sent in any order.
    sent = store.sent if concurrency == 1 else [*sorted(store.sent[:2], reverse=True), *store.sent[2:]]
    assert sent == [
        Request("PUT", "/exports/1", {"desc": "web", "iprange": "::1"}, None),
        Request("POST", "/exports", CREATE.body, 4),
        Request("DELETE", "/exports/2", None, None),
    ]
    assert (store.reads, store.slept) == (2, [])


@pytest.mark.parametrize("concurrency", [1, 2, 3])
def test_no_more_writes_at_once_than_wanted(concurrency: int) -> None:
    actions = [timeline.plan_export(BEFORE, desc=str(number), iprange="*") for number in range(4)]
    store = ScriptedStore([201] * 4, [[{"id": 10 + number, **action.body} for number, action in enumerate(actions)]])
    store.takes = 0.05
    assert [outcome.error for outcome in run(store, actions, concurrency)] == [None] * 4
    assert store.most_at_once == concurrency
    assert (threading.current_thread() in store.threads) is (concurrency == 1)


def test_pauses_begin_anew_with_another_request() -> None:
    before = {**WEB, "apionly": False, "readonly": True, "appendonly": False}
    wanted, reset = {**before, "iprange": "::1"}, {**before, "iprange": "::1", "readonly": False}
    store = ScriptedStore([200, 200], [[before], [before], [reset], [reset], [wanted]])
    (outcome,) = run(store, [timeline.plan_export([before], desc="web", iprange="::1")], before=[before])
    assert (outcome.record, outcome.restored) == (wanted, ("readonly",))
    assert store.slept == [0.1, 0.2, 0.1]


def refused(method: str, status: int | None = 400) -> RequestError:
    """Return the error of a request that was refused, or got no response."""
    return RequestError(method, "/exports", "no", status, maybe_applied=status is None)


NO_LIST, UNREAD = ConsoleError("no list"), "could not be read back, so run the task again: no list"
LOST_POST, SHORT_PAUSES = refused("POST", None), [0.1, 0.2, 0.4, 0.8, 1.6]
# Responses, lists, actions, pauses, and the common part of the errors.
PAUSES: dict[str, tuple[Any, ...]] = {
    "until all is known": ([201, 204], [BEFORE, [*BEFORE, CREATED], [WEB, CREATED]], [DELETE, CREATE], [0.1, 0.2], ""),
    "up to five seconds": ([201], [BEFORE], [CREATE], [*SHORT_PAUSES, 3.2, 5.0], "is not listed after 10 s"),
    "shown after another": ([LOST_POST, 201], [*[BEFORE] * 6, [*BEFORE, CREATED]], [CREATE], SHORT_PAUSES * 2, ""),
}


@pytest.mark.parametrize(("responses", "lists", "actions", "slept", "message"), PAUSES.values(), ids=PAUSES)
def test_the_list_is_read_after_pauses_that_grow(
    responses: Any, lists: Any, actions: list[Action], slept: list[float], message: str
) -> None:
    store = ScriptedStore(responses, lists)
    outcomes = run(store, actions)
    assert store.slept == slept
    if message:
        assert [message in str(outcome.error) for outcome in outcomes] == [True] * len(actions)
    else:
        assert outcomes == [DONE[ACTIONS.index(action)] for action in actions]


def test_each_group_of_writes_begins_with_a_closed_circuit() -> None:
    store = ScriptedStore([201, 204], [[WEB, CREATED]])
    store.breaker.unanswered = 3
    assert [outcome.error for outcome in run(store, [DELETE, CREATE])] == [None, None]


def test_an_open_circuit_keeps_a_write_back() -> None:
    store = ScriptedStore([200])
    store.breaker.unanswered = 3
    write = open_write(store, UPDATE)
    send(write)
    assert write.outcome
    assert (store.methods, write.outcome.changed, write.outcome.record) == ([], False, WEB)
    reason = "3 consecutive requests were unanswered or rate-limited"
    assert str(write.outcome.error) == f"export 'web' (id 1) was skipped: {reason}"


def test_a_lost_creation_is_repeated_within_its_retries_and_each_at_one_attempt() -> None:
    store = ScriptedStore([LOST_POST] * 3, retries=2)
    (outcome,) = run(store, [CREATE])
    assert [request.retries for request in store.sent] == [2, 0, 0]
    assert store.slept == SHORT_PAUSES * 3
    assert str(outcome.error) == f"{LOST_POST}. {timeline.MAY_STILL}"


def test_the_status_of_a_refusal_counts() -> None:
    (outcome,) = run(ScriptedStore([refused("DELETE", 405)], [BEFORE]), [DELETE])
    assert "this console does not delete exports" in str(outcome.error)


OURS = [b'{"id": 9}', b'{"id": "9"}', b'{"id": true}', b'{"id": null}', b"{}", b'[{"id": 7}]', b"<html>", b""]


@pytest.mark.parametrize(
    ("content", "is_ours"), [*((content, True) for content in OURS), (b'{"id": 7}', False), (b'{"id": "x-7"}', False)]
)
def test_the_id_in_the_response_to_a_creation_says_which_record_is_ours(content: bytes, is_ours: bool) -> None:
    (outcome,) = run(ScriptedStore([Response(201, {}, content)], [[*BEFORE, CREATED]]), [CREATE])
    assert (outcome.error is None) is is_ours


UNREADABLE = RequestError("GET", "/exports", "no list", 500)
NOT_READ = f"could not be read back, so run the task again: {UNREADABLE}"
NOT_SEEN = f"export 'web' (id 1) could not be read back, so run the task again: {UNREADABLE}"
LOST_PUT, REFUSED_PUT = refused("PUT", None), refused("PUT")
NOT_READ_BACK: dict[str, tuple[Any, ...]] = {
    "created": (CREATE, 201, True, f"export 'new' was created, but {NOT_READ}"),
    "updated": (UPDATE, 200, True, f"export 'web' (id 1) was updated, but {NOT_READ}"),
    "deleted": (DELETE, 204, True, f"export 'old' (id 2) was deleted, but {NOT_READ}"),
    "lost": (UPDATE, LOST_PUT, True, f"{LOST_PUT}. {NOT_SEEN}. {timeline.MAY_STILL}"),
    "refused": (UPDATE, REFUSED_PUT, False, f"{REFUSED_PUT}. {NOT_SEEN}"),
}


@pytest.mark.parametrize(("action", "response", "changed", "message"), NOT_READ_BACK.values(), ids=NOT_READ_BACK)
def test_what_is_said_where_the_list_cannot_be_read(action: Action, response: Any, changed: bool, message: str) -> None:
    (outcome,) = run(ScriptedStore([response], [UNREADABLE]), [action])
    assert outcome.error
    assert (outcome.changed, outcome.is_seen, str(outcome.error)) == (changed, False, message)
    assert outcome.error.details == UNREADABLE.details


def test_lists_of_several_stores_are_read_once_each() -> None:
    first, second = ScriptedStore([200, 201], [[UPDATED, CREATED]]), ScriptedStore([201], [[CREATED]])
    writes = [open_write(first, CREATE), open_write(second, CREATE), open_write(first, UPDATE)]
    carry_out(writes, 1)
    assert [write.outcome is not None for write in writes] == [True] * 3
    assert (first.methods, second.methods) == (["PUT", "POST"], ["POST"])
    assert (first.reads, second.reads) == (2, 1)


def shown(number: int, **fields: Any) -> Record:
    return {"id": number, "desc": str(number), "iprange": "*", "readonly": True, **fields}


MANY = [shown(number) for number in range(1, 5)]


def run_updates(responses: list[Any], lists: list[Any], concurrency: int = 1) -> tuple[ScriptedStore, list[Outcome]]:
    """Return the store after a creation, three updates and a deletion, and their outcomes."""
    store = ScriptedStore(responses, lists)
    actions = [
        timeline.plan_export(MANY, present=False, desc="4"),
        *(timeline.plan_export(MANY, desc=str(number), iprange="::1") for number in (1, 2, 3)),
        timeline.plan_export(MANY, desc="new", iprange="*"),
    ]
    return store, run(store, actions, concurrency, MANY)


UPDATES = [shown(number, iprange="::1") for number in (1, 2, 3)]
PATHS_ONE_BY_ONE = ["/exports/1", "/exports/2", "/exports/3", "/exports", "/exports/4"]
SHORT_BODY = {"desc": "2", "iprange": "::1"}


def test_the_first_update_is_read_back_before_the_others_and_the_deletions_go_out() -> None:
    store, outcomes = run_updates([200, 200, 200, 201, 204], [MANY, MANY, [UPDATES[0], *MANY[1:]], [*UPDATES, CREATED]])
    assert [outcome.error for outcome in outcomes] == [None] * 5
    assert [sent.path for sent in store.sent] == PATHS_ONE_BY_ONE
    assert (store.slept, store.reads, store.sent[1].body) == ([0.1, 0.2], 4, SHORT_BODY)


def test_once_the_first_update_is_known_the_others_go_out_side_by_side() -> None:
    store, outcomes = run_updates(
        [200, 200, 200, 201, 204], [[UPDATES[0], *MANY[1:], CREATED], [*UPDATES, CREATED]], concurrency=4
    )
    assert [outcome.error for outcome in outcomes] == [None] * 5
    assert (store.methods[0], sorted(store.methods[1:4])) == ("PUT", ["POST", "PUT", "PUT"])
    assert store.methods[4:] == ["DELETE"]
