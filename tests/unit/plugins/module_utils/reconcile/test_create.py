# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a POST, as a table: what happened so far, and what is decided then."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile import create
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome, Send
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    BROKEN,
    LOST,
    MAY_STILL,
    NOT_SENT,
    PATH,
    RATE_LIMITED,
    REDIRECTED,
    WATCH,
    End,
    Event,
    Expected,
    case,
    decide,
    error_of,
    failure,
    history_of,
    plan_export,
    refused,
    success,
    unchanged,
    verified,
)

CREATE = plan_export([], desc="web", iprange="10.0.0.0/8")
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

TABLE = [
    # The record is there.
    case("accepted, listed", CREATE, [(0, ACCEPTED), (0, [WEB])], success(WEB)),
    case("accepted, listed at last", CREATE, [(0, ACCEPTED), (1, []), (9, [WEB])], success(WEB)),
    case("accepted, listed too late", CREATE, [(0, ACCEPTED), (9, []), (11, [WEB])], success(WEB)),
    case("lost, listed", CREATE, [(0, LOST), (0, [WEB])], success(WEB)),
    case("broken, listed", CREATE, [(0, BROKEN), (0, [WEB])], success(WEB)),
    case("accepted, not shown", CREATE, [(0, ACCEPTED), (0, [BARE])], success(BARE, unverified=("iprange",))),
    # It is there, but not as wanted.
    case("accepted, other values at first", CREATE, [(0, ACCEPTED), (0, [OPEN]), (2.9, [OPEN])], WATCH),
    case("accepted, other values, then as wanted", CREATE, [(0, ACCEPTED), (0, [OPEN]), (1, [WEB])], success(WEB)),
    case(
        "accepted, other values for 3 s",
        CREATE,
        [(0, ACCEPTED), (1, [OPEN]), (4, [OPEN])],
        failure(OPEN, verified(CREATE, 200, NOT_ACCEPTED), changed=True),
    ),
    case(
        "lost, other values for more than 3 s",
        CREATE,
        [(0, LOST), (0, [OPEN]), (5, [OPEN])],
        failure(OPEN, verified(CREATE, None, NOT_ACCEPTED), changed=True),
    ),
    case(
        "accepted, other values, one not shown",
        CREATE,
        [(0, ACCEPTED), (0, [FIXED]), (3, [FIXED])],
        failure(
            FIXED,
            verified(CREATE, 200, f"{CREATED_WITH}readonly is true, wanted false"),
            changed=True,
            unverified=("iprange",),
        ),
    ),
    # It is there, though the only request was not carried out: somebody else's, once two looks agree.
    case("refused, listed", CREATE, [(0, refused(409)), (0, [WEB])], WATCH),
    case("refused, listed twice", CREATE, [(0, refused(409)), (0, [WEB]), (1, [WEB])], unchanged(WEB)),
    case("refused, listed otherwise at first", CREATE, [(0, refused(409)), (0, [OPEN]), (1, [WEB])], WATCH),
    case("refused, listed after 3 s", CREATE, [(0, refused(409)), (2, [OPEN]), (3, [WEB])], unchanged(WEB)),
    case("not sent, listed", CREATE, [(0, NOT_SENT), (0, [WEB])], WATCH),
    case("not sent, listed twice", CREATE, [(0, NOT_SENT), (0, [WEB]), (1, [WEB])], unchanged(WEB)),
    case(
        "refused, listed twice, not shown",
        CREATE,
        [(0, refused(409)), (0, [BARE]), (1, [BARE])],
        unchanged(BARE, unverified=("iprange",)),
    ),
    case("refused, listed with other values", CREATE, [(0, refused(409)), (0, [OPEN])], WATCH),
    case(
        "refused, listed twice with other values",
        CREATE,
        [(0, refused(409)), (0, [OPEN]), (1, [OPEN])],
        failure(OPEN, error_of(CREATE, 409, BY_OTHERS), changed=False),
    ),
    case(
        "refused, listed twice with other values, one not shown",
        CREATE,
        [(0, refused(409)), (0, [FIXED]), (1, [FIXED])],
        failure(
            FIXED,
            error_of(CREATE, 409, f"{FOUND_INSTEAD}readonly is true, wanted false."),
            changed=False,
            unverified=("iprange",),
        ),
    ),
    case(
        "refused, listed, then gone",
        CREATE,
        [(0, refused(409)), (0, [WEB]), (1, [])],
        failure(None, error_of(CREATE, 409), changed=False),
    ),
    # The console gave an id: a record with another is not ours, and ours may yet show.
    case("accepted with its id", CREATE, [(0, AS_ONE), (0, [WEB])], success(WEB)),
    case("accepted with its id, listed as text", CREATE, [(0, AS_ONE), (0, [AS_TEXT])], success(AS_TEXT)),
    case("accepted with another id", CREATE, [(0, AS_SEVEN), (9.9, [WEB])], WATCH),
    case(
        "accepted with another id, for too long",
        CREATE,
        [(1, AS_SEVEN), (1, [WEB]), (11, [WEB])],
        failure(WEB, verified(CREATE, 201, NOT_OURS), changed=True),
    ),
    case(
        "accepted with another id, that shows at last",
        CREATE,
        [(0, AS_SEVEN), (0, [WEB]), (1, [{**WEB, "id": 7}])],
        success({**WEB, "id": 7}),
    ),
    case(
        "accepted with another id, both listed",
        CREATE,
        [(0, AS_TWO), (0, [WEB]), (1, [WEB, TWIN])],
        failure(WEB, AMBIGUOUS, changed=True),
    ),
    case("lost, accepted with another id", CREATE, [(0, LOST), (3, AS_SEVEN), (12.9, [WEB])], WATCH),
    case(
        "lost, accepted with another id, for too long",
        CREATE,
        [(0, LOST), (3, AS_SEVEN), (13, [WEB])],
        failure(WEB, verified(CREATE, 201, NOT_OURS), changed=True),
    ),
    case("lost, refused, listed", CREATE, [(0, LOST), (3, refused(409)), (3, []), (6, [WEB])], WATCH),
    # There are two.
    case("accepted, two listed", CREATE, [(0, ACCEPTED), (0, [WEB, TWIN])], failure(WEB, AMBIGUOUS, changed=True)),
    case("refused, two listed", CREATE, [(0, refused(409)), (0, [WEB, TWIN])], failure(WEB, AMBIGUOUS, changed=False)),
    case(
        "lost, accepted, two listed",
        CREATE,
        [(0, LOST), (3, []), (3, ACCEPTED), (3, [WEB]), (4, [WEB, TWIN])],
        failure(WEB, AMBIGUOUS, changed=True),
    ),
    # It showed only after another POST: that of the other would show as much later as it was sent later.
    case("lost, accepted, listed", CREATE, [(0, LOST), (3, []), (3, ACCEPTED), (3, [WEB])], WATCH),
    case(
        "lost, accepted, listed for less than the time between",
        CREATE,
        [(1, LOST), (4, []), (4, ACCEPTED), (5, [WEB]), (7.9, [WEB])],
        WATCH,
    ),
    case(
        "lost, accepted, listed for the time between",
        CREATE,
        [(1, LOST), (4, []), (4, ACCEPTED), (5, [WEB]), (8, [WEB])],
        success(WEB),
    ),
    case(
        "lost, accepted, listed with other values for the time between",
        CREATE,
        [(0, LOST), (3, []), (3, ACCEPTED), (4, [OPEN]), (7, [OPEN])],
        failure(OPEN, verified(CREATE, 200, NOT_ACCEPTED), changed=True),
    ),
    # It is not there, and the request was accepted.
    case("accepted, not listed", CREATE, [(0, ACCEPTED), (9.9, [])], WATCH),
    case(
        "accepted, not listed in time",
        CREATE,
        [(1, ACCEPTED), (11, [])],
        failure(None, verified(CREATE, 200, f"{NOT_LISTED}nothing."), changed=True, is_unseen=True),
    ),
    case(
        "accepted, listed under another name",
        CREATE,
        [(0, ACCEPTED), (10, [OLD, RENAMED])],
        failure(
            None, verified(CREATE, 200, f"{NOT_LISTED}export 'Web' (id 9).{OTHER_NAME}"), changed=True, is_unseen=True
        ),
        before=[OLD],
    ),
    case(
        "accepted, many listed under other names",
        CREATE,
        [(0, ACCEPTED), (10, [{"id": number, "desc": "x"} for number in range(11)])],
        failure(None, verified(CREATE, 200, f"{NOT_LISTED}{MANY}.{OTHER_NAME}"), changed=True, is_unseen=True),
    ),
    # It is not there, and whether the request was carried out is not known.
    case("lost, not listed", CREATE, [(0, LOST), (2.9, [])], WATCH),
    case("lost, not listed for 3 s", CREATE, [(1, LOST), (4, [])], AGAIN),
    case("broken, not listed", CREATE, [(0, BROKEN), (2.9, [])], WATCH),
    case("broken, not listed for 3 s", CREATE, [(0, BROKEN), (3, [])], AGAIN),
    case("broken, asked to wait", CREATE, [(0, BROKEN._replace(pause=20)), (19.9, [])], WATCH),
    case("broken, asked to wait, waited", CREATE, [(0, BROKEN._replace(pause=20)), (20, [])], AGAIN),
    case("broken, asked to wait for less", CREATE, [(0, BROKEN._replace(pause=1)), (2.9, [])], WATCH),
    case("redirected, not listed", CREATE, [(0, REDIRECTED), (2.9, [])], WATCH),
    case(
        "redirected, not listed for 3 s",
        CREATE,
        [(0, REDIRECTED), (3, [])],
        failure(None, error_of(CREATE, 302), changed=False),
    ),
    # It is not there, and the only request was not carried out.
    case("refused", CREATE, [(0, refused(400)), (0, [])], failure(None, error_of(CREATE, 400), changed=False)),
    case("rate-limited", CREATE, [(0, RATE_LIMITED), (0, [])], failure(None, error_of(CREATE, 429), changed=False)),
    case("not sent", CREATE, [(0, NOT_SENT), (0, [])], failure(None, error_of(CREATE, None), changed=False)),
    # It is not there after another POST.
    case("lost, refused, not listed", CREATE, [(0, LOST), (3, refused(400)), (5.9, [])], WATCH),
    case(
        "lost, refused, not listed for 3 s",
        CREATE,
        [(0, LOST), (3, refused(400)), (6, [])],
        failure(None, error_of(CREATE, 400, MAYBE_CREATED), changed=True, is_unseen=True),
    ),
    case(
        "lost, redirected, not listed for 3 s",
        CREATE,
        [(0, LOST), (3, REDIRECTED), (6, [])],
        failure(None, error_of(CREATE, 302, MAYBE_CREATED), changed=True, is_unseen=True),
    ),
    case("lost, rate-limited, not listed", CREATE, [(0, LOST), (3, RATE_LIMITED), (5.9, [])], WATCH),
    case("lost, rate-limited, not listed for 3 s", CREATE, [(0, LOST), (3, RATE_LIMITED), (6, [])], AGAIN),
    case("lost, rate-limited, asked to wait", CREATE, [(0, LOST), (3, End(429, pause=9)), (11.9, [])], WATCH),
    case("lost, not sent, not listed for 3 s", CREATE, [(0, LOST), (3, NOT_SENT), (6, [])], AGAIN),
    case("lost, lost, not listed for 3 s", CREATE, [(0, LOST), (3, LOST), (6, [])], AGAIN),
    case("lost, accepted, not listed", CREATE, [(0, LOST), (3, ACCEPTED), (12.9, [])], WATCH),
    case(
        "lost, accepted, not listed in time",
        CREATE,
        [(0, LOST), (3, ACCEPTED), (13, [])],
        failure(None, verified(CREATE, 200, f"{NOT_LISTED}nothing."), changed=True, is_unseen=True),
    ),
]


@pytest.mark.parametrize(("plan", "before", "timeline", "expected"), TABLE)
def test_decision(plan: Plan, before: list[Record], timeline: list[Event], expected: Expected) -> None:
    assert decide(create, plan, before, timeline) == expected


@pytest.mark.parametrize("end", [pytest.param(LOST, id="lost"), pytest.param(BROKEN, id="broken")])
def test_without_retries_a_request_that_may_have_been_lost_is_not_repeated(end: End) -> None:
    expected = failure(None, f"{error_of(CREATE, end.status)}. {MAY_STILL}", changed=True, is_unseen=True)
    assert decide(create, CREATE, [], [(0, end), (3, [])], can_retry=False) == expected


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
    outcome = create.decide(history_of(CREATE, [], timeline), timeline[-1][0])
    assert isinstance(outcome, Outcome)
    assert outcome.error
    request = outcome.error.details["failure"]
    assert (request["method"], request["path"], request["status"]) == ("POST", PATH, status)
