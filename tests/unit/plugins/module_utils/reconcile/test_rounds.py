# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One write in a round: what it sends, with which retries, and what is made of a list that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
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
CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
UPDATE = plan_export([WEB], desc="web", iprange="*")
DELETE = plan_export([WEB], present=False, desc="web")
UNREADABLE = RequestError("GET", "/exports", "no list", 500)


def refused(method: str, status: int | None = 400) -> RequestError:
    """Return the error of a request that was refused, or got no response."""
    return RequestError(method, "/exports", "no", status, maybe_applied=status is None)


LOST_POST, LOST_PUT, REFUSED_PUT = refused("POST", None), refused("PUT", None), refused("PUT")


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


def test_a_lost_creation_is_repeated_within_its_retries_and_each_at_one_attempt() -> None:
    store = ScriptedStore([LOST_POST] * 3, retries=2)
    write = due(store, CREATE)
    while (outcome := show(send_now(write), [], after=3)) is None:
        pass
    assert [request.retries for request in store.sent] == [2, 0, 0]
    assert str(outcome.error) == f"{LOST_POST}. {MAY_STILL}"


def test_the_status_of_a_refusal_counts() -> None:
    outcome = show(send_now(due(ScriptedStore([refused("DELETE", 405)]), DELETE)), [WEB])
    assert outcome
    assert "this console does not delete exports" in str(outcome.error)


@pytest.mark.parametrize(
    "content", [b'{"id": 1}', b'{"id": "1"}', b'{"id": true}', b'{"id": null}', b"{}", b"[{}]", b"<"]
)
def test_a_created_record_with_the_id_in_the_response_is_ours(content: bytes) -> None:
    write = send_now(due(ScriptedStore([Response(201, {}, content)]), CREATE))
    assert show(write, [{"id": 1, **CREATE.body}])


@pytest.mark.parametrize("content", [b'{"id": 7}', b'{"id": "x-7"}'])
def test_a_created_record_with_another_id_is_not(content: bytes) -> None:
    write = send_now(due(ScriptedStore([Response(201, {}, content)]), CREATE))
    assert show(write, [{"id": 1, **CREATE.body}]) is None


def test_an_open_circuit_keeps_a_write_back() -> None:
    store = ScriptedStore([200])
    store.breaker.unanswered = 3
    outcome = send_now(due(store, UPDATE)).outcome
    assert outcome
    assert (store.methods, outcome.changed, outcome.record) == ([], False, WEB)
    reason = "3 consecutive requests were unanswered or rate-limited"
    assert str(outcome.error) == f"export 'web' (id 1) was skipped: {reason}"


NOT_READ = f"could not be read back: {UNREADABLE}"
NOT_READ_TO_SEE = f"export 'web' (id 1) could not be read back to see the result: {UNREADABLE}"


@pytest.mark.parametrize(
    ("action", "response", "changed", "message"),
    [
        pytest.param(CREATE, 201, True, f"export 'web' was created, but {NOT_READ}", id="created"),
        pytest.param(UPDATE, 200, True, f"export 'web' (id 1) was updated, but {NOT_READ}", id="updated"),
        pytest.param(DELETE, 204, True, f"export 'web' (id 1) was deleted, but {NOT_READ}", id="deleted"),
        pytest.param(UPDATE, LOST_PUT, True, f"{LOST_PUT}. {NOT_READ_TO_SEE}. {MAY_STILL}", id="lost"),
        pytest.param(UPDATE, REFUSED_PUT, False, f"{REFUSED_PUT}. {NOT_READ_TO_SEE}", id="refused"),
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
