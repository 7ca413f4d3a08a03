# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a POST, as a table: what happened so far, and what is decided then."""

from __future__ import annotations

from functools import partial

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.decide import Send
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    BROKEN,
    LOST,
    MAY_STILL,
    NOT_SENT,
    RATE_LIMITED,
    REDIRECTED,
    WATCH,
    End,
    Event,
    Expected,
    Table,
    decided,
    error_of,
    failed_request,
    failure,
    plan_export,
    refusal,
    refused,
    rows_of,
    success,
    unchanged,
    unseen,
    verified,
)

CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
error, not_verified = partial(error_of, CREATE), partial(verified, CREATE)
AS_ONE, AS_TWO, AS_SEVEN = (ACCEPTED._replace(status=201, created_id=identity) for identity in ("1", "2", "7"))
AGAIN = Send({"desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": False, "appendonly": False})

WEB = {"id": 1, **CREATE.body}
TWIN = {**WEB, "id": 2}
OPEN = {**WEB, "iprange": "*"}
BARE = {"id": 1, "desc": "web"}
FIXED = {**BARE, "readonly": True}
AS_TEXT = {**WEB, "id": "1"}
OLD = {"id": 8, "desc": "old"}
RENAMED = {"id": 9, "desc": "Web"}

AMBIGUOUS = "there are several exports with the desc 'web': ids 1, 2. Choose one with id, or remove the ones that should not exist."
CREATED_WITH = "export 'web' was created, but not all of it was accepted: "
NOT_ACCEPTED = f"{CREATED_WITH}iprange is '*', wanted '10.0.0.0/8'"
FOUND_INSTEAD = "the cause. export 'web' (id 1) was created by somebody else in the meantime, and is not as wanted: "
BY_OTHERS = f"{FOUND_INSTEAD}iprange is '*', wanted '10.0.0.0/8'."
NOT_OURS = (
    "the console said that it created export 'web' with the id 7, but lists export 'web' (id 1) instead, which somebody"
    " else may have created. Check which of them should exist, and remove the other"
)
NOT_LISTED = "export 'web' was accepted, but is not listed after 10 s. New in the list: "
MANY = ", ".join(f"export 'x' (id {number})" for number in range(10))
OTHER_NAME = " If the console stored it under another name, use that name in the task."
MAYBE_CREATED = "the cause. An earlier request got no response, and may have been carried out."


TABLE: Table = {
    # The record is there.
    "accepted, listed": ([(0, ACCEPTED), (0, WEB)], success(WEB)),
    "accepted, listed at last": ([(0, ACCEPTED), (1, []), (9, WEB)], success(WEB)),
    "accepted, listed too late": ([(0, ACCEPTED), (9, []), (11, WEB)], success(WEB)),
    "lost, listed": ([(0, LOST), (0, WEB)], success(WEB)),
    "broken, listed": ([(0, BROKEN), (0, WEB)], success(WEB)),
    "accepted, not shown": ([(0, ACCEPTED), (0, BARE)], success(BARE, ("iprange",))),
    # It is there, but not as wanted.
    "accepted, other values at first": ([(0, ACCEPTED), (0, OPEN), (2.9, OPEN)], WATCH),
    "accepted, other values, then as wanted": ([(0, ACCEPTED), (0, OPEN), (1, WEB)], success(WEB)),
    "accepted, other values for 3 s": (
        [(0, ACCEPTED), (1, OPEN), (4, OPEN)],
        failure(OPEN, not_verified(200, NOT_ACCEPTED)),
    ),
    "lost, other values for more than 3 s": (
        [(0, LOST), (0, OPEN), (5, OPEN)],
        failure(OPEN, not_verified(None, NOT_ACCEPTED)),
    ),
    "accepted, other values, one not shown": (
        [(0, ACCEPTED), (0, FIXED), (3, FIXED)],
        failure(FIXED, not_verified(200, f"{CREATED_WITH}readonly is true, wanted false"), ("iprange",)),
    ),
    # It is there, though the only request was not carried out: somebody else's, once two readings agree.
    "refused, listed": ([(0, refused(409)), (0, WEB)], WATCH),
    "refused, listed twice": ([(0, refused(409)), (0, WEB), (1, WEB)], unchanged(WEB)),
    "refused, listed otherwise at first": ([(0, refused(409)), (0, OPEN), (1, WEB)], WATCH),
    "refused, listed after 3 s": ([(0, refused(409)), (2, OPEN), (3, WEB)], unchanged(WEB)),
    "not sent, listed": ([(0, NOT_SENT), (0, WEB)], WATCH),
    "not sent, listed twice": ([(0, NOT_SENT), (0, WEB), (1, WEB)], unchanged(WEB)),
    "refused, listed twice, not shown": ([(0, refused(409)), (0, BARE), (1, BARE)], unchanged(BARE, ("iprange",))),
    "refused, listed with other values": ([(0, refused(409)), (0, OPEN)], WATCH),
    "refused, listed twice with other values": (
        [(0, refused(409)), (0, OPEN), (1, OPEN)],
        refusal(OPEN, error(409, BY_OTHERS)),
    ),
    "refused, listed twice with other values, one not shown": (
        [(0, refused(409)), (0, FIXED), (1, FIXED)],
        refusal(FIXED, error(409, f"{FOUND_INSTEAD}readonly is true, wanted false."), ("iprange",)),
    ),
    "refused, listed, then gone": ([(0, refused(409)), (0, WEB), (1, [])], refusal(None, error(409))),
    # The console gave an id: a record with another is not ours, and ours may yet show.
    "accepted with its id": ([(0, AS_ONE), (0, WEB)], success(WEB)),
    "accepted with its id, listed as text": ([(0, AS_ONE), (0, AS_TEXT)], success(AS_TEXT)),
    "accepted with another id": ([(0, AS_SEVEN), (9.9, WEB)], WATCH),
    "accepted with another id, for too long": (
        [(1, AS_SEVEN), (1, WEB), (11, WEB)],
        failure(WEB, not_verified(201, NOT_OURS)),
    ),
    "accepted with another id, that shows at last": (
        [(0, AS_SEVEN), (0, WEB), (1, {**WEB, "id": 7})],
        success({**WEB, "id": 7}),
    ),
    "accepted with another id, both listed": ([(0, AS_TWO), (0, WEB), (1, [WEB, TWIN])], failure(WEB, AMBIGUOUS)),
    "lost, accepted with another id": ([(0, LOST), (3, AS_SEVEN), (12.9, WEB)], WATCH),
    "lost, accepted with another id, for too long": (
        [(0, LOST), (3, AS_SEVEN), (13, WEB)],
        failure(WEB, not_verified(201, NOT_OURS)),
    ),
    "lost, refused, listed": ([(0, LOST), (3, refused(409)), (3, []), (6, WEB)], WATCH),
    # There are two.
    "accepted, two listed": ([(0, ACCEPTED), (0, [WEB, TWIN])], failure(WEB, AMBIGUOUS)),
    "refused, two listed": ([(0, refused(409)), (0, [WEB, TWIN])], refusal(WEB, AMBIGUOUS)),
    "lost, accepted, two listed": (
        [(0, LOST), (3, []), (3, ACCEPTED), (3, WEB), (4, [WEB, TWIN])],
        failure(WEB, AMBIGUOUS),
    ),
    # It showed only after another POST: that of the other would show as much later as it was sent later.
    "lost, accepted, listed": ([(0, LOST), (3, []), (3, ACCEPTED), (3, WEB)], WATCH),
    "lost, accepted, listed for less than the time between": (
        [(1, LOST), (4, []), (4, ACCEPTED), (5, WEB), (7.9, WEB)],
        WATCH,
    ),
    "lost, accepted, listed for the time between": (
        [(1, LOST), (4, []), (4, ACCEPTED), (5, WEB), (8, WEB)],
        success(WEB),
    ),
    "lost, accepted, listed with other values for the time between": (
        [(0, LOST), (3, []), (3, ACCEPTED), (4, OPEN), (7, OPEN)],
        failure(OPEN, not_verified(200, NOT_ACCEPTED)),
    ),
    # It is not there, and the request was accepted.
    "accepted, not listed": ([(0, ACCEPTED), (9.9, [])], WATCH),
    "accepted, not listed in time": (
        [(1, ACCEPTED), (11, [])],
        unseen(None, not_verified(200, f"{NOT_LISTED}nothing.")),
    ),
    "accepted, listed under another name": (
        [(0, ACCEPTED), (10, [OLD, RENAMED])],
        unseen(None, not_verified(200, f"{NOT_LISTED}export 'Web' (id 9).{OTHER_NAME}")),
        CREATE,
        [OLD],
    ),
    "accepted, many listed under other names": (
        [(0, ACCEPTED), (10, [{"id": number, "desc": "x"} for number in range(11)])],
        unseen(None, not_verified(200, f"{NOT_LISTED}{MANY}.{OTHER_NAME}")),
    ),
    # It is not there, and whether the request was carried out is not known.
    "lost, not listed": ([(0, LOST), (2.9, [])], WATCH),
    "lost, not listed for 3 s": ([(1, LOST), (4, [])], AGAIN),
    "broken, not listed": ([(0, BROKEN), (2.9, [])], WATCH),
    "broken, not listed for 3 s": ([(0, BROKEN), (3, [])], AGAIN),
    "broken, asked to wait": ([(0, BROKEN._replace(pause=20)), (19.9, [])], WATCH),
    "broken, asked to wait, waited": ([(0, BROKEN._replace(pause=20)), (20, [])], AGAIN),
    "broken, asked to wait for less": ([(0, BROKEN._replace(pause=1)), (2.9, [])], WATCH),
    "redirected, not listed": ([(0, REDIRECTED), (2.9, [])], WATCH),
    "redirected, not listed for 3 s": ([(0, REDIRECTED), (3, [])], refusal(None, error(302))),
    # It is not there, and the only request was not carried out.
    "refused": ([(0, refused(400)), (0, [])], refusal(None, error(400))),
    "rate-limited": ([(0, RATE_LIMITED), (0, [])], refusal(None, error(429))),
    "not sent": ([(0, NOT_SENT), (0, [])], refusal(None, error(None))),
    # It is not there after another POST.
    "lost, refused, not listed": ([(0, LOST), (3, refused(400)), (5.9, [])], WATCH),
    "lost, refused, not listed for 3 s": (
        [(0, LOST), (3, refused(400)), (6, [])],
        unseen(None, error(400, MAYBE_CREATED)),
    ),
    "lost, redirected, not listed for 3 s": (
        [(0, LOST), (3, REDIRECTED), (6, [])],
        unseen(None, error(302, MAYBE_CREATED)),
    ),
    "lost, rate-limited, not listed": ([(0, LOST), (3, RATE_LIMITED), (5.9, [])], WATCH),
    "lost, rate-limited, not listed for 3 s": ([(0, LOST), (3, RATE_LIMITED), (6, [])], AGAIN),
    "lost, rate-limited, asked to wait": ([(0, LOST), (3, End(429, pause=9)), (11.9, [])], WATCH),
    "lost, not sent, not listed for 3 s": ([(0, LOST), (3, NOT_SENT), (6, [])], AGAIN),
    "lost, lost, not listed for 3 s": ([(0, LOST), (3, LOST), (6, [])], AGAIN),
    "lost, accepted, not listed": ([(0, LOST), (3, ACCEPTED), (12.9, [])], WATCH),
    "lost, accepted, not listed in time": (
        [(0, LOST), (3, ACCEPTED), (13, [])],
        unseen(None, not_verified(200, f"{NOT_LISTED}nothing.")),
    ),
}


@pytest.mark.parametrize(("timeline", "expected", "action", "before"), rows_of(TABLE, CREATE))
def test_decision(timeline: list[Event], expected: Expected, action: Action, before: list[Record]) -> None:
    assert decided(action, before, timeline) == expected


@pytest.mark.parametrize("end", [pytest.param(LOST, id="lost"), pytest.param(BROKEN, id="broken")])
def test_without_retries_a_request_that_may_have_been_lost_is_not_repeated(end: End) -> None:
    expected = unseen(None, f"{error(end.status)}. {MAY_STILL}")
    assert decided(CREATE, [], [(0, end), (3, [])], can_retry=False) == expected


@pytest.mark.parametrize(
    ("timeline", "status"),
    [
        pytest.param([(0, ACCEPTED), (10, [])], 200, id="not listed"),
        pytest.param([(0, ACCEPTED), (0, [OPEN]), (3, [OPEN])], 200, id="not all accepted"),
        pytest.param([(0, refused(409)), (0, [])], 409, id="refused"),
        pytest.param([(0, LOST), (3, refused(400)), (6, [])], 400, id="refused after a loss"),
    ],
)
def test_an_error_names_the_request(timeline: list[Event], status: int) -> None:
    assert failed_request(CREATE, timeline) == ("POST", "/exports", status)
