# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The decision after a POST and a DELETE, as tables: past events, and the decision; and the message of a write."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.after_request import Send
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    BROKEN,
    LOST,
    LOST_THEN_REDIRECTED,
    MAY_STILL,
    NOT_SENT,
    RATE_LIMITED,
    REDIRECTED,
    TWO_WEB,
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
    write_of,
)

BROKEN_WAIT_1, BROKEN_WAIT_20 = (BROKEN._replace(pause=pause) for pause in (1, 20))
LOST_THEN_403, LOST_THEN_404, LOST_THEN_405 = (refused(n, after_loss=True) for n in (403, 404, 405))
IPRANGE = ("iprange",)

CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
post_error, post_verified = partial(error_of, CREATE), partial(verified, CREATE)
AS_ONE, AS_TWO, AS_SEVEN = (ACCEPTED._replace(status=201, created_id=identity) for identity in ("1", "2", "7"))
AGAIN = Send({"desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": False, "appendonly": False})

WEB = {"id": 1, **CREATE.body}
TWIN, SEVEN, OPEN, AS_TEXT = {**WEB, "id": 2}, {**WEB, "id": 7}, {**WEB, "iprange": "*"}, {**WEB, "id": "1"}
BARE = {"id": 1, "desc": "web"}
FIXED = {**BARE, "readonly": True}
RESPELLED, UNNAMED = {**WEB, "desc": "Web"}, {**WEB, "desc": None}
OLD, SHORTENED, NAMELESS = {"id": 8, "desc": "old"}, {"id": 9, "desc": "w"}, {"id": 5, "desc": None}
TEN = [f"export 'x' (id {number})" for number in range(10)]
ELEVEN = [{"id": number, "desc": "x"} for number in range(11)]
# The difference.
RANGE_DIFFERS, FLAG_DIFFERS = "iprange is '*', wanted '10.0.0.0/8'", "readonly is true, wanted false"

CREATED_WITH = "export 'web' was created, but not all of it was accepted: "
NOT_ACCEPTED, LOST_NOT_ACCEPTED = (post_verified(status, f"{CREATED_WITH}{RANGE_DIFFERS}") for status in (200, None))
FLAG_NOT_ACCEPTED = post_verified(200, f"{CREATED_WITH}{FLAG_DIFFERS}")
FOUND_INSTEAD = "the cause. export 'web' (id 1) was created by somebody else in the meantime. Run the task again, since it is not as wanted: "
BY_OTHERS, FLAG_BY_OTHERS = (post_error(409, f"{FOUND_INSTEAD}{what}.") for what in (RANGE_DIFFERS, FLAG_DIFFERS))
OTHER_DESC, NO_DESC = (
    post_verified(
        201,
        f"{CREATED_WITH}desc is {desc}, wanted 'web'. The console gave it another desc: use {way} in the task, or remove it",
    )
    for desc, way in (("'Web'", "that desc"), ("null", "id 1"))
)
NOT_OURS = post_verified(
    201,
    "the console said that it created export 'web' with the id 7, but lists export 'web' (id 1) instead, which somebody"
    " else may have created. Check which of them should exist, and remove the other",
)
OTHER_NAME = " If the console stored it under another name, use that name in the task."
NOT_LISTED, LISTED_OTHERWISE, TEN_LISTED, NAMELESS_LISTED = (
    post_verified(200, f"export 'web' was accepted, but is not listed after 10 s. New in the list: {what}")
    for what in (
        "nothing.",
        f"export 'w' (id 9).{OTHER_NAME}",
        f"{', '.join(TEN)}.{OTHER_NAME}",
        f"export (id 5).{OTHER_NAME}",
    )
)
MAYBE_CREATED, MAYBE_CREATED_302 = (
    post_error(
        status, "the cause. An earlier request got no response, and may have been carried out. Look at the record."
    )
    for status in (400, 302)
)

MAYBE_NAMELESS = (
    f"{post_error(None)}. export (id 5) is new in the list, without a key, and may be the one. Look at it. {MAY_STILL}"
)

CREATIONS: Table = {
    # The record exists.
    "accepted, listed": [(0, ACCEPTED), (0, WEB), success(WEB)],
    "accepted, listed too late": [(0, ACCEPTED), (9, []), (11, WEB), success(WEB)],
    "accepted, not shown": [(0, ACCEPTED), (0, BARE), success(BARE, IPRANGE)],
    # It exists, but not as wanted.
    "accepted, other values at first": [(0, ACCEPTED), (0, OPEN), (2.9, OPEN), WATCH],
    "accepted, other values, then as wanted": [(0, ACCEPTED), (0, OPEN), (1, WEB), success(WEB)],
    "accepted, other values for 3 s": [(0, ACCEPTED), (1, OPEN), (4, OPEN), failure(OPEN, NOT_ACCEPTED)],
    "accepted with its id, another desc": [(0, AS_ONE), (0, RESPELLED), (3, RESPELLED), failure(RESPELLED, OTHER_DESC)],
    "accepted with its id, no desc": [(0, AS_ONE), (0, UNNAMED), (3, UNNAMED), failure(UNNAMED, NO_DESC)],
    "another value, one hidden": [(0, ACCEPTED), (0, FIXED), (3, FIXED), failure(FIXED, FLAG_NOT_ACCEPTED, IPRANGE)],
    # It exists, though the only request was not carried out: somebody else's, once two readings are equal.
    "refused, listed": [(0, refused(409)), (0, WEB), WATCH],
    "refused, listed twice": [(0, refused(409)), (0, WEB), (1, WEB), unchanged(WEB)],
    "not sent, listed twice": [(0, NOT_SENT), (0, WEB), (1, WEB), unchanged(WEB)],
    "refused, listed twice with other values": [(0, refused(409)), (0, OPEN), (1, OPEN), refusal(OPEN, BY_OTHERS)],
    "refused, listed, then gone": [(0, refused(409)), (0, WEB), (1, []), refusal(None, post_error(409))],
    # The console gave an id: a record with another is not ours, and ours may yet show.
    "accepted with its id": [(0, AS_ONE), (0, WEB), success(WEB)],
    "accepted with another id": [(0, AS_SEVEN), (9.9, WEB), WATCH],
    "accepted with another id, for too long": [(1, AS_SEVEN), (1, WEB), (11, WEB), failure(WEB, NOT_OURS)],
    "accepted with another id, that shows at last": [(0, AS_SEVEN), (0, WEB), (1, SEVEN), success(SEVEN)],
    "lost, accepted with another id": [(0, LOST), (3, AS_SEVEN), (12.9, WEB), WATCH],
    "lost, refused, listed": [(0, LOST), (3, refused(409)), (3, []), (6, WEB), WATCH],
    # There are two.
    "refused, two listed": [(0, refused(409)), (0, [WEB, TWIN]), refusal(WEB, TWO_WEB)],
    "lost, accepted, two": [(0, LOST), (3, []), (3, ACCEPTED), (3, WEB), (4, [WEB, TWIN]), failure(WEB, TWO_WEB)],
    # It showed only after another POST: that of the other would show as much later as it was sent later.
    "lost, accepted, listed": [(0, LOST), (3, []), (3, ACCEPTED), (3, WEB), WATCH],
    "lost, accepted, listed for long enough": [(1, LOST), (4, []), (4, ACCEPTED), (5, WEB), (8, WEB), success(WEB)],
    # It does not exist, and the request was accepted.
    "accepted, not listed": [(0, ACCEPTED), (9.9, []), WATCH],
    "accepted, not listed in time": [(1, ACCEPTED), (11, []), unseen(None, NOT_LISTED)],
    "accepted, many listed under other names": [(0, ACCEPTED), (10, ELEVEN), unseen(None, TEN_LISTED)],
    # It does not exist, and it is unknown whether the request was carried out.
    "lost, not listed": [(0, LOST), (2.9, []), WATCH],
    "lost, not listed for 3 s": [(1, LOST), (4, []), AGAIN],
    "broken, not listed for 3 s": [(0, BROKEN), (3, []), AGAIN],
    "broken, asked to wait": [(0, BROKEN_WAIT_20), (19.9, []), WATCH],
    # It does not exist, and the only request was not carried out.
    "refused": [(0, refused(400)), (0, []), refusal(None, post_error(400))],
    "rate-limited": [(0, RATE_LIMITED), (0, []), refusal(None, post_error(429))],
    # A record without a key is new, and may be the one that the console was sent.
    "lost, new without a key for 3 s": [(0, LOST), (3, NAMELESS), unseen(None, MAYBE_NAMELESS)],
    "accepted, new without a key": [(0, ACCEPTED), (10, NAMELESS), unseen(None, NAMELESS_LISTED)],
    "refused, new without a key": [(0, refused(400)), (0, NAMELESS), refusal(None, post_error(400))],
    # It does not exist after another POST.
    "lost, refused, not listed": [(0, LOST), (3, refused(400)), (5.9, []), WATCH],
    "lost, refused, not listed for 3 s": [(0, LOST), (3, refused(400)), (6, []), unseen(None, MAYBE_CREATED)],
    "lost, rate-limited, not listed": [(0, LOST), (3, RATE_LIMITED), (5.9, []), WATCH],
    "lost, rate-limited, not listed for 3 s": [(0, LOST), (3, RATE_LIMITED), (6, []), AGAIN],
    "lost, lost, not listed for 3 s": [(0, LOST), (3, LOST), (6, []), AGAIN],
    "lost, accepted, not listed": [(0, LOST), (3, ACCEPTED), (12.9, []), WATCH],
}

DELETE = plan_export([WEB], present=False, desc="web")
DELETE_BY_ID = plan_export([WEB], present=False, id=1)
delete_error, delete_verified = partial(error_of, DELETE), partial(verified, DELETE)
STILL_LISTED = delete_verified(
    200, "export 'web' (id 1) is still listed 10 s after its deletion was accepted. Run the task again"
)
ANOTHER, ANOTHER_404 = (
    delete_verified(
        status,
        "export 'web' (id 1) is gone, but export 'web' (id 2) is listed by now, which somebody else may have created."
        " Run the task again to delete it, too",
    )
    for status in (200, 404)
)
MAYBE_DELETED, LOST_DELETION, MAYBE_302, MAYBE_404, MAYBE_405 = (
    f"{delete_error(status)}. {MAY_STILL}" for status in (503, None, 302, 404, 405)
)
NO_ROUTE = "this console does not delete exports. Use its web pages. "

DELETIONS: Table = {
    # It is not listed, and the request may have been carried out: done, whatever the response was.
    "accepted, not listed": [(0, ACCEPTED), (0, []), success(None)],
    # It is not listed, but another record has its key by then, once two readings are equal: that is not as wanted.
    "accepted, another of its key listed": [(0, ACCEPTED), (0, TWIN), WATCH],
    "accepted, another of its key listed, then none": [(0, ACCEPTED), (0, TWIN), (1, []), success(None)],
    "accepted, another of its key listed twice": [(0, ACCEPTED), (0, TWIN), (1, TWIN), failure(TWIN, ANOTHER)],
    "not found, another of its key listed twice": [(0, refused(404)), (0, TWIN), (1, TWIN), refusal(TWIN, ANOTHER_404)],
    "lost, not listed": [(0, LOST), (0, []), success(None)],
    "lost, then not found, not listed": [(0, LOST_THEN_404), (0, []), success(None)],
    # It is not listed, and the request was not carried out: somebody else did it, once two readings are equal.
    "not found, not listed": [(0, refused(404)), (0, []), unchanged(None)],
    "refused, not listed": [(0, refused(403)), (0, []), WATCH],
    "refused, not listed twice": [(0, refused(403)), (0, []), (1, []), unchanged(None)],
    "refused, not listed, then listed": [(0, refused(403)), (0, []), (1, WEB), refusal(WEB, delete_error(403))],
    # It is still listed, and the deletion was accepted.
    "accepted, listed": [(0, ACCEPTED), (9.9, WEB), WATCH],
    "accepted, listed for too long": [(1, ACCEPTED), (11, WEB), unseen(WEB, STILL_LISTED)],
    "lost, then not found, listed for too long": [(0, LOST_THEN_404), (10, WEB), unseen(WEB, MAYBE_404)],
    # It is still listed, and it is unknown whether the deletion was carried out.
    "lost, listed": [(0, LOST), (2.9, WEB), WATCH],
    "lost, listed for 3 s": [(0, LOST), (3, WEB), unseen(WEB, LOST_DELETION)],
    "redirected, listed for 3 s": [(0, REDIRECTED), (3, WEB), refusal(WEB, delete_error(302))],
    "lost, then redirected, listed for 3 s": [(0, LOST_THEN_REDIRECTED), (3, WEB), unseen(WEB, MAYBE_302)],
    "broken, asked to wait, listed for as long": [(0, BROKEN_WAIT_20), (20, WEB), unseen(WEB, MAYBE_DELETED)],
    # It is still listed, and the deletion was not carried out.
    "refused, listed": [(0, refused(403)), (0, WEB), refusal(WEB, delete_error(403))],
    "rate-limited, listed": [(0, RATE_LIMITED), (0, WEB), refusal(WEB, delete_error(429))],
    "rate-limited, asked to wait, listed": [(0, End(429, pause=20)), (0, WEB), refusal(WEB, delete_error(429))],
    "not sent, listed": [(0, NOT_SENT), (0, WEB), refusal(WEB, delete_error(None))],
    "404, listed": [(0, refused(404)), (0, WEB), refusal(WEB, NO_ROUTE + delete_error(404))],
    "405, listed": [(0, refused(405)), (0, WEB), refusal(WEB, NO_ROUTE + delete_error(405))],
    "501, listed": [(0, refused(501)), (0, WEB), refusal(WEB, NO_ROUTE + delete_error(501))],
    # The console has no such route.
    "lost, then 405, listed for 3 s": [(0, LOST_THEN_405), (3, WEB), unseen(WEB, MAYBE_405)],
}

DELETIONS_BY_ID: Table = {"accepted, by id, another of its key listed": [(0, ACCEPTED), (0, TWIN), success(None)]}
BESIDE_OLD: Table = {"beside an old one": [(0, ACCEPTED), (10, [OLD, SHORTENED]), unseen(None, LISTED_OTHERWISE)]}


@pytest.mark.parametrize(
    ("action", "before", "timeline", "expected"),
    [
        *rows_of(CREATE, CREATIONS),
        *rows_of(CREATE, BESIDE_OLD, [OLD]),
        *rows_of(DELETE, DELETIONS),
        *rows_of(DELETE_BY_ID, DELETIONS_BY_ID),
    ],
)
def test_decision(action: Action, before: list[Record], timeline: list[Event], expected: Expected) -> None:
    assert decided(action, before, timeline) == expected


@pytest.mark.parametrize("end", [pytest.param(LOST, id="lost"), pytest.param(BROKEN, id="broken")])
def test_without_retries_a_creation_that_may_have_been_lost_is_not_repeated(end: End) -> None:
    expected = unseen(None, f"{post_error(end.status)}. {MAY_STILL}")
    assert decided(CREATE, [], [(0, end), (3, [])], can_retry=False) == expected


SHORT = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
SHORT_UPDATE = plan_export([SHORT], desc="web", iprange="*", readonly=True)
# The request that the error names.
FAILED: dict[str, tuple[Any, ...]] = {
    "not listed": (CREATE, [(0, ACCEPTED), (10, [])], "POST", "/exports", 200),
    "creation refused": (CREATE, [(0, refused(409)), (0, [])], "POST", "/exports", 409),
    "still listed": (DELETE, [(0, ACCEPTED), (10, WEB)], "DELETE", "/exports/1", 200),
    "no such route": (DELETE, [(0, refused(405)), (0, WEB)], "DELETE", "/exports/1", 405),
    "update ignored": (SHORT_UPDATE, [(0, ACCEPTED), (3, SHORT)], "PUT", "/exports/1", 200),
    "gone": (SHORT_UPDATE, [(0, ACCEPTED), (3, [])], "PUT", "/exports/1", 200),
}


@pytest.mark.parametrize(("action", "timeline", "method", "path", "status"), FAILED.values(), ids=FAILED)
def test_an_error_names_the_request(action: Action, timeline: list[Event], method: str, path: str, status: int) -> None:
    assert failed_request(action, timeline) == (method, path, status)


FAILURE = ConsoleError("something went wrong")
SHOWS_CHANGE: dict[str, tuple[Any, ...]] = {
    "created": (CREATE, [[WEB]], True),
    "not created": (CREATE, [[]], False),
    "the last reading counts": (CREATE, [[WEB], []], False),
    "update, not read": (SHORT_UPDATE, [], False),
    "updated": (SHORT_UPDATE, [[{**SHORT, "iprange": "*"}]], True),
    "another token": (SHORT_UPDATE, [[{**SHORT, "token": "new"}]], False),
    "updated otherwise": (SHORT_UPDATE, [[{**SHORT, "readonly": True}]], True),
    "no longer shown": (SHORT_UPDATE, [[BARE]], False),
    "gone": (SHORT_UPDATE, [[]], True),
    "deleted": (DELETE, [[]], True),
}


@pytest.mark.parametrize(("action", "readings", "shows_change"), SHOWS_CHANGE.values(), ids=SHOWS_CHANGE)
def test_shows_change(action: Action, readings: list[list[Record]], shows_change: bool) -> None:
    assert write_of(action, [(0, ACCEPTED), *((1, reading) for reading in readings)]).shows_change is shows_change


# Before the list is read: the possible effects of the last requests.
NOT_READ: dict[str, tuple[Any, ...]] = {
    "nothing sent": (CREATE, [], None, False),
    "accepted": (CREATE, [(0, ACCEPTED)], None, True),
    "refused": (CREATE, [(0, refused(400))], None, False),
    "not sent": (DELETE, [(0, NOT_SENT)], WEB, False),
    "ignored, read, refused": (SHORT_UPDATE, [(0, ACCEPTED), (1, [SHORT]), (2, refused(400))], SHORT, True),
}


@pytest.mark.parametrize(("action", "timeline", "record", "changed"), NOT_READ.values(), ids=NOT_READ)
def test_fail(action: Action, timeline: list[Event], record: Record | None, changed: bool) -> None:
    outcome = write_of(action, timeline).fail(FAILURE)
    assert outcome == Outcome(action, record, changed, FAILURE, action.unverified, (), is_seen=False)
