# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a DELETE, as a table: what happened so far, and what is decided then."""

from __future__ import annotations

from functools import partial

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
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

WEB = {"id": 1, "desc": "web", "iprange": "*"}
TWIN = {"id": 2, "desc": "web", "iprange": "*"}
DELETE = plan_export([WEB], present=False, desc="web")
error, not_verified = partial(error_of, DELETE), partial(verified, DELETE)
DELETE_BY_ID = plan_export([WEB], present=False, id=1)

STILL_LISTED = "export 'web' (id 1) is still listed 10 s after the console accepted its deletion"
ANOTHER = (
    "export 'web' (id 1) is gone, but export 'web' (id 2) is listed by now, which somebody else may have created. Run the"
    " task again to delete it, too"
)
NO_ROUTE = "this console does not delete exports: "


TABLE: Table = {
    # It is not listed, and the request may have been carried out: done, whatever the response was.
    "accepted, not listed": ([(0, ACCEPTED), (0, [])], success(None)),
    "accepted, not listed at last": ([(0, ACCEPTED), (1, WEB), (9, [])], success(None)),
    # It is not listed, but another record has its key by then, once two readings agree: that is not what was wanted.
    "accepted, another of its key listed": ([(0, ACCEPTED), (0, TWIN)], WATCH),
    "accepted, another of its key listed, then none": ([(0, ACCEPTED), (0, TWIN), (1, [])], success(None)),
    "accepted, another of its key listed twice": (
        [(0, ACCEPTED), (0, TWIN), (1, TWIN)],
        failure(TWIN, not_verified(200, ANOTHER)),
    ),
    "not found, another of its key listed twice": (
        [(0, refused(404)), (0, TWIN), (1, TWIN)],
        refusal(TWIN, not_verified(404, ANOTHER)),
    ),
    "accepted, listed with another of its key": ([(0, ACCEPTED), (0, [WEB, TWIN]), (9, [WEB, TWIN])], WATCH),
    "accepted, by id, another of its key listed": ([(0, ACCEPTED), (0, TWIN)], success(None), DELETE_BY_ID),
    "lost, not listed": ([(0, LOST), (0, [])], success(None)),
    "lost, then not found, not listed": ([(0, refused(404, after_loss=True)), (0, [])], success(None)),
    # It is not listed, and the request was not carried out: somebody else did it, once two readings agree, or the console.
    "not found, not listed": ([(0, refused(404)), (0, [])], unchanged(None)),
    "refused, not listed": ([(0, refused(403)), (0, [])], WATCH),
    "refused, not listed twice": ([(0, refused(403)), (0, []), (1, [])], unchanged(None)),
    "refused, not listed for 3 s": ([(0, refused(403)), (3, [])], unchanged(None)),
    "not sent, not listed": ([(0, NOT_SENT), (0, [])], WATCH),
    "not sent, not listed twice": ([(0, NOT_SENT), (0, []), (1, [])], unchanged(None)),
    "refused, not listed, then listed": ([(0, refused(403)), (0, []), (1, WEB)], refusal(WEB, error(403))),
    # It is still listed, and the deletion was accepted.
    "accepted, listed": ([(0, ACCEPTED), (9.9, WEB)], WATCH),
    "accepted, listed for too long": ([(1, ACCEPTED), (11, WEB)], unseen(WEB, not_verified(200, STILL_LISTED))),
    "lost, then not found, listed": ([(0, refused(404, after_loss=True)), (9.9, WEB)], WATCH),
    "lost, then not found, listed for too long": (
        [(0, refused(404, after_loss=True)), (10, WEB)],
        unseen(WEB, not_verified(404, STILL_LISTED)),
    ),
    # It is still listed, and whether the deletion was carried out is not known.
    "lost, listed": ([(0, LOST), (2.9, WEB)], WATCH),
    "lost, listed for 3 s": ([(0, LOST), (3, WEB)], unseen(WEB, f"{error(None)}. {MAY_STILL}")),
    "redirected, listed for 3 s": ([(0, REDIRECTED), (3, WEB)], refusal(WEB, error(302))),
    "broken, listed": ([(0, BROKEN), (2.9, WEB)], WATCH),
    "broken, asked to wait, listed": ([(0, BROKEN._replace(pause=20)), (19.9, WEB)], WATCH),
    "broken, asked to wait for less, listed": ([(0, BROKEN._replace(pause=1)), (2.9, WEB)], WATCH),
    "broken, asked to wait, listed for as long": (
        [(0, BROKEN._replace(pause=20)), (20, WEB)],
        unseen(WEB, f"{error(503)}. {MAY_STILL}"),
    ),
    "lost, then refused, listed": ([(0, refused(403, after_loss=True)), (2.9, WEB)], WATCH),
    # It is still listed, and the deletion was not carried out.
    "refused, listed": ([(0, refused(403)), (0, WEB)], refusal(WEB, error(403))),
    "rate-limited, listed": ([(0, RATE_LIMITED), (0, WEB)], refusal(WEB, error(429))),
    "rate-limited, asked to wait, listed": ([(0, RATE_LIMITED._replace(pause=20)), (0, WEB)], refusal(WEB, error(429))),
    "not sent, listed": ([(0, NOT_SENT), (0, WEB)], refusal(WEB, error(None))),
    # The console has no such route.
    **{
        f"{status}, listed": ([(0, refused(status)), (0, WEB)], refusal(WEB, NO_ROUTE + error(status)))
        for status in (404, 405, 501)
    },
    "lost, then 405, listed for 3 s": (
        [(0, refused(405, after_loss=True)), (3, WEB)],
        refusal(WEB, NO_ROUTE + error(405)),
    ),
}


@pytest.mark.parametrize(("timeline", "expected", "action", "before"), rows_of(TABLE, DELETE))
def test_decision(timeline: list[Event], expected: Expected, action: Action, before: list[Record]) -> None:
    assert decided(action, before, timeline) == expected


@pytest.mark.parametrize(
    ("end", "time", "status"),
    [
        pytest.param(ACCEPTED, 10, 200, id="still listed"),
        pytest.param(refused(403), 0, 403, id="refused"),
        pytest.param(refused(405), 0, 405, id="no such route"),
    ],
)
def test_an_error_names_the_request(end: End, time: float, status: int) -> None:
    assert failed_request(DELETE, [(0, end), (time, [WEB])]) == ("DELETE", "/exports/1", status)
