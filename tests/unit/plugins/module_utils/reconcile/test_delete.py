# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a DELETE, as a table: what happened so far, and what is decided then."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile import delete
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome
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

WEB = {"id": 1, "desc": "web", "iprange": "*"}
TWIN = {"id": 2, "desc": "web", "iprange": "*"}
DELETE = plan_export([WEB], present=False, desc="web")
DELETE_BY_ID = plan_export([WEB], present=False, id=1)

STILL_LISTED = "export 'web' (id 1) is still listed 10 s after the console accepted its deletion"
ANOTHER = (
    "export 'web' (id 1) is gone, but export 'web' (id 2) is listed by now, which somebody else may have created. Run the"
    " task again to delete it, too"
)
NO_ROUTE = "this console does not delete exports: "

TABLE = [
    # It is not listed, and the request may have been carried out: done, whatever the response was.
    case("accepted, not listed", DELETE, [(0, ACCEPTED), (0, [])], success(None)),
    case("accepted, not listed at last", DELETE, [(0, ACCEPTED), (1, [WEB]), (9, [])], success(None)),
    # It is not listed, but another record has its key by then, once two looks agree: that is not what was wanted.
    case("accepted, another of its key listed", DELETE, [(0, ACCEPTED), (0, [TWIN])], WATCH),
    case(
        "accepted, another of its key listed, then none", DELETE, [(0, ACCEPTED), (0, [TWIN]), (1, [])], success(None)
    ),
    case(
        "accepted, another of its key listed twice",
        DELETE,
        [(0, ACCEPTED), (0, [TWIN]), (1, [TWIN])],
        failure(TWIN, verified(DELETE, 200, ANOTHER), changed=True),
    ),
    case(
        "not found, another of its key listed twice",
        DELETE,
        [(0, refused(404)), (0, [TWIN]), (1, [TWIN])],
        failure(TWIN, verified(DELETE, 404, ANOTHER), changed=False),
    ),
    case(
        "accepted, listed with another of its key",
        DELETE,
        [(0, ACCEPTED), (0, [WEB, TWIN]), (9, [WEB, TWIN])],
        WATCH,
    ),
    case("accepted, by id, another of its key listed", DELETE_BY_ID, [(0, ACCEPTED), (0, [TWIN])], success(None)),
    case("lost, not listed", DELETE, [(0, LOST), (0, [])], success(None)),
    case("lost, then not found, not listed", DELETE, [(0, refused(404, after_loss=True)), (0, [])], success(None)),
    # It is not listed, and the request was not carried out: somebody else did it, once two looks agree, or the console.
    case("not found, not listed", DELETE, [(0, refused(404)), (0, [])], unchanged(None)),
    case("refused, not listed", DELETE, [(0, refused(403)), (0, [])], WATCH),
    case("refused, not listed twice", DELETE, [(0, refused(403)), (0, []), (1, [])], unchanged(None)),
    case("refused, not listed for 3 s", DELETE, [(0, refused(403)), (3, [])], unchanged(None)),
    case("not sent, not listed", DELETE, [(0, NOT_SENT), (0, [])], WATCH),
    case("not sent, not listed twice", DELETE, [(0, NOT_SENT), (0, []), (1, [])], unchanged(None)),
    case(
        "refused, not listed, then listed",
        DELETE,
        [(0, refused(403)), (0, []), (1, [WEB])],
        failure(WEB, error_of(DELETE, 403), changed=False),
    ),
    # It is still listed, and the deletion was accepted.
    case("accepted, listed", DELETE, [(0, ACCEPTED), (9.9, [WEB])], WATCH),
    case(
        "accepted, listed for too long",
        DELETE,
        [(1, ACCEPTED), (11, [WEB])],
        failure(WEB, verified(DELETE, 200, STILL_LISTED), changed=True, is_unseen=True),
    ),
    case("lost, then not found, listed", DELETE, [(0, refused(404, after_loss=True)), (9.9, [WEB])], WATCH),
    case(
        "lost, then not found, listed for too long",
        DELETE,
        [(0, refused(404, after_loss=True)), (10, [WEB])],
        failure(WEB, verified(DELETE, 404, STILL_LISTED), changed=True, is_unseen=True),
    ),
    # It is still listed, and whether the deletion was carried out is not known.
    case("lost, listed", DELETE, [(0, LOST), (2.9, [WEB])], WATCH),
    case(
        "lost, listed for 3 s",
        DELETE,
        [(0, LOST), (3, [WEB])],
        failure(WEB, f"{error_of(DELETE, None)}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    case(
        "redirected, listed for 3 s",
        DELETE,
        [(0, REDIRECTED), (3, [WEB])],
        failure(WEB, error_of(DELETE, 302), changed=False),
    ),
    case("broken, listed", DELETE, [(0, BROKEN), (2.9, [WEB])], WATCH),
    case("broken, asked to wait, listed", DELETE, [(0, BROKEN._replace(pause=20)), (19.9, [WEB])], WATCH),
    case("broken, asked to wait for less, listed", DELETE, [(0, BROKEN._replace(pause=1)), (2.9, [WEB])], WATCH),
    case(
        "broken, asked to wait, listed for as long",
        DELETE,
        [(0, BROKEN._replace(pause=20)), (20, [WEB])],
        failure(WEB, f"{error_of(DELETE, 503)}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    case("lost, then refused, listed", DELETE, [(0, refused(403, after_loss=True)), (2.9, [WEB])], WATCH),
    # It is still listed, and the deletion was not carried out.
    case(
        "refused, listed", DELETE, [(0, refused(403)), (0, [WEB])], failure(WEB, error_of(DELETE, 403), changed=False)
    ),
    case(
        "rate-limited, listed",
        DELETE,
        [(0, RATE_LIMITED), (0, [WEB])],
        failure(WEB, error_of(DELETE, 429), changed=False),
    ),
    case(
        "rate-limited, asked to wait, listed",
        DELETE,
        [(0, RATE_LIMITED._replace(pause=20)), (0, [WEB])],
        failure(WEB, error_of(DELETE, 429), changed=False),
    ),
    case("not sent, listed", DELETE, [(0, NOT_SENT), (0, [WEB])], failure(WEB, error_of(DELETE, None), changed=False)),
    # The console has no such route.
    *(
        case(
            f"{status}, listed",
            DELETE,
            [(0, refused(status)), (0, [WEB])],
            failure(WEB, NO_ROUTE + error_of(DELETE, status), changed=False),
        )
        for status in (404, 405, 501)
    ),
    case(
        "lost, then 405, listed for 3 s",
        DELETE,
        [(0, refused(405, after_loss=True)), (3, [WEB])],
        failure(WEB, NO_ROUTE + error_of(DELETE, 405), changed=False),
    ),
]


@pytest.mark.parametrize(("plan", "before", "timeline", "expected"), TABLE)
def test_decision(plan: Plan, before: list[Record], timeline: list[Event], expected: Expected) -> None:
    assert decide(delete, plan, before, timeline) == expected


@pytest.mark.parametrize(
    ("end", "time", "status"),
    [
        pytest.param(ACCEPTED, 10, 200, id="still listed"),
        pytest.param(refused(403), 0, 403, id="refused"),
        pytest.param(refused(405), 0, 405, id="no such route"),
    ],
)
def test_an_error_names_the_request(end: End, time: float, status: int) -> None:
    outcome = delete.decide(history_of(DELETE, [WEB], [(0, end), (time, [WEB])]), time)
    assert isinstance(outcome, Outcome)
    assert outcome.error
    request = outcome.error.details["failure"]
    assert (request["method"], request["path"], request["status"]) == ("DELETE", PATH, status)
