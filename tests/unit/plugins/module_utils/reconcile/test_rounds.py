# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One write in a round: what it sends, with which retries, and what is made of a list that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import CircuitBreaker
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.rounds import (
    observe,
    observe_error,
    send,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write import Outcome, Write
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.scripted import (
    Request,
    ScriptedStore,
)
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    MAY_STILL,
    as_before,
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


def due(store: ScriptedStore, action: Action) -> Write:
    """Return a write whose first request is due."""
    return Write(action, Records(EXPORT, as_before(action)), store.as_store, 10.0)


def send_now(write: Write) -> Write:
    """Send the request that is due."""
    send(write)
    write.watching_since = write.store.client.clock.elapsed()
    return write


def show(write: Write, list_: list[Record] | ConsoleError, after: float = 0.0) -> Outcome | None:
    """Let so many seconds pass, show a write the list or why it cannot be read, and return its outcome."""
    write.store.client.clock.sleep(after)
    if isinstance(list_, ConsoleError):
        observe_error(write, list_)
    else:
        observe(write, Records(EXPORT, list_))
    return write.outcome


@pytest.mark.parametrize(
    ("action", "request_"),
    [
        pytest.param(CREATE, Request("POST", "/exports", CREATE.body, 4), id="create"),
        pytest.param(UPDATE, Request("PUT", "/exports/1", {"desc": "web", "iprange": "*"}, None), id="update"),
        pytest.param(DELETE, Request("DELETE", "/exports/1", None, None), id="delete"),
    ],
)
def test_the_first_request(action: Action, request_: Request) -> None:
    store = ScriptedStore([200])
    write = send_now(due(store, action))
    assert (store.sent, write.body, write.outcome) == ([request_], None, None)


def test_a_write_that_shows_is_done() -> None:
    write = send_now(due(ScriptedStore([201]), CREATE))
    created = {"id": 7, **CREATE.body}
    assert show(write, [created]) == Outcome(CREATE, created, True)
    assert write.body is None


def test_an_update_is_followed_by_the_whole_record_where_that_is_needed() -> None:
    store = ScriptedStore([200, 200])
    write = send_now(due(store, plan_export([{**WEB, "readonly": True}], desc="web", iprange="*")))
    assert show(write, [RESET]) is None
    send(write)
    assert store.sent[1].body == {"desc": "web", "iprange": "*", "readonly": True}


def test_a_lost_creation_is_repeated_within_its_retries_and_each_at_one_attempt() -> None:
    store = ScriptedStore([lost("POST")] * 3, retries=2)
    write = due(store, CREATE)
    while (outcome := show(send_now(write), [], after=3)) is None:
        pass
    assert [request.retries for request in store.sent] == [2, 0, 0]
    assert str(outcome.error) == f"{lost('POST')}. {MAY_STILL}"


def test_the_effect_is_looked_for_since_the_last_request_was_sent() -> None:
    store = ScriptedStore([201])
    store.sleep(100)
    write = send_now(due(store, CREATE))
    assert show(write, [], after=9.9) is None
    assert show(write, [], after=0.1)


def test_a_creation_is_compared_for_3_s_since_it_was_first_seen() -> None:
    write = send_now(due(ScriptedStore([201]), CREATE))
    other = [{**CREATE.body, "id": 1, "iprange": "*"}]
    assert show(write, other, after=5) is None
    assert show(write, other, after=2.9) is None
    assert show(write, other, after=0.1)


def test_a_creation_that_shows_after_another_is_watched_for_as_long_as_they_were_apart() -> None:
    write = send_now(due(ScriptedStore([lost("POST"), lost("POST")]), CREATE))
    assert show(write, [], after=3) is None
    send_now(write)
    assert show(write, [{**CREATE.body, "id": 1}]) is None
    assert show(write, [{**CREATE.body, "id": 1}], after=3)


def test_the_status_of_a_refusal_counts() -> None:
    outcome = show(send_now(due(ScriptedStore([RequestError("DELETE", "/exports/1", "no", 405)]), DELETE)), [WEB])
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
def test_the_id_in_the_response_to_a_creation_says_which_record_is_ours(content: bytes, is_ours: bool) -> None:
    write = send_now(due(ScriptedStore([Response(201, {}, content)]), CREATE))
    assert (show(write, [{"id": 1, **CREATE.body}]) is not None) is is_ours


def test_the_id_in_the_response_to_an_update_says_nothing() -> None:
    write = send_now(due(ScriptedStore([Response(200, {}, b'{"id": 7}')]), UPDATE))
    outcome = show(write, [AFTER])
    assert outcome
    assert (outcome.changed, outcome.error) == (True, None)


@pytest.mark.parametrize("is_open", [True, False])
def test_an_open_circuit_keeps_a_write_back(is_open: bool) -> None:
    store = ScriptedStore([200])
    store.breaker = CircuitBreaker(0)
    store.breaker.unanswered = 3 if is_open else 0
    outcome = send_now(due(store, UPDATE)).outcome
    assert store.methods == ([] if is_open else ["PUT"])
    if is_open:
        assert outcome
        assert (outcome.changed, outcome.record) == (False, WEB)
        assert str(outcome.error) == (
            "export 'web' (id 1) was skipped: 3 consecutive requests were unanswered or rate-limited"
        )


NOT_READ = f"could not be read back: {UNREADABLE}"
NOT_READ_TO_SEE = f"export 'web' (id 1) could not be read back to see the result: {UNREADABLE}"


@pytest.mark.parametrize(
    ("action", "response", "changed", "message"),
    [
        pytest.param(CREATE, 201, True, f"export 'web' was created, but {NOT_READ}", id="created"),
        pytest.param(UPDATE, 200, True, f"export 'web' (id 1) was updated, but {NOT_READ}", id="updated"),
        pytest.param(DELETE, 204, True, f"export 'web' (id 1) was deleted, but {NOT_READ}", id="deleted"),
        pytest.param(UPDATE, lost("PUT"), True, f"{lost('PUT')}. {NOT_READ_TO_SEE}. {MAY_STILL}", id="lost"),
        pytest.param(UPDATE, refused("PUT"), False, f"{refused('PUT')}. {NOT_READ_TO_SEE}", id="refused"),
    ],
)
def test_a_list_that_cannot_be_read_for_3_s(action: Action, response: Any, changed: bool, message: str) -> None:
    write = send_now(due(ScriptedStore([response]), action))
    assert show(write, UNREADABLE, after=5) is None
    assert show(write, UNREADABLE, after=2.9) is None
    outcome = show(write, UNREADABLE, after=0.1)
    assert outcome
    assert isinstance(outcome.error, ConsoleError)
    assert (outcome.changed, outcome.is_seen, str(outcome.error)) == (changed, False, message)
    assert outcome.error.details == UNREADABLE.details


def test_a_list_that_can_be_read_again_is_given_3_s_more() -> None:
    write = send_now(due(ScriptedStore([200]), CREATE))
    lists: list[list[Record] | ConsoleError] = [UNREADABLE, [], UNREADABLE, UNREADABLE]
    for list_ in lists:
        assert show(write, list_, after=2) is None
