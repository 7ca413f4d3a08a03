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
    case,
    decided,
    error_of,
    failed_request,
    failure,
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

delete = partial(case, DELETE)

TABLE = [
    # It is not listed, and the request may have been carried out: done, whatever the response was.
    delete("accepted, not listed", [(0, ACCEPTED), (0, [])], success(None)),
    delete("accepted, not listed at last", [(0, ACCEPTED), (1, [WEB]), (9, [])], success(None)),
    # It is not listed, but another record has its key by then, once two readings agree: that is not what was wanted.
    delete("accepted, another of its key listed", [(0, ACCEPTED), (0, [TWIN])], WATCH),
    delete("accepted, another of its key listed, then none", [(0, ACCEPTED), (0, [TWIN]), (1, [])], success(None)),
    delete(
        "accepted, another of its key listed twice",
        [(0, ACCEPTED), (0, [TWIN]), (1, [TWIN])],
        failure(TWIN, verified(DELETE, 200, ANOTHER), changed=True),
    ),
    delete(
        "not found, another of its key listed twice",
        [(0, refused(404)), (0, [TWIN]), (1, [TWIN])],
        failure(TWIN, verified(DELETE, 404, ANOTHER), changed=False),
    ),
    delete("accepted, listed with another of its key", [(0, ACCEPTED), (0, [WEB, TWIN]), (9, [WEB, TWIN])], WATCH),
    case(DELETE_BY_ID, "accepted, by id, another of its key listed", [(0, ACCEPTED), (0, [TWIN])], success(None)),
    delete("lost, not listed", [(0, LOST), (0, [])], success(None)),
    delete("lost, then not found, not listed", [(0, refused(404, after_loss=True)), (0, [])], success(None)),
    # It is not listed, and the request was not carried out: somebody else did it, once two readings agree, or the console.
    delete("not found, not listed", [(0, refused(404)), (0, [])], unchanged(None)),
    delete("refused, not listed", [(0, refused(403)), (0, [])], WATCH),
    delete("refused, not listed twice", [(0, refused(403)), (0, []), (1, [])], unchanged(None)),
    delete("refused, not listed for 3 s", [(0, refused(403)), (3, [])], unchanged(None)),
    delete("not sent, not listed", [(0, NOT_SENT), (0, [])], WATCH),
    delete("not sent, not listed twice", [(0, NOT_SENT), (0, []), (1, [])], unchanged(None)),
    delete(
        "refused, not listed, then listed",
        [(0, refused(403)), (0, []), (1, [WEB])],
        failure(WEB, error_of(DELETE, 403), changed=False),
    ),
    # It is still listed, and the deletion was accepted.
    delete("accepted, listed", [(0, ACCEPTED), (9.9, [WEB])], WATCH),
    delete(
        "accepted, listed for too long",
        [(1, ACCEPTED), (11, [WEB])],
        failure(WEB, verified(DELETE, 200, STILL_LISTED), changed=True, is_unseen=True),
    ),
    delete("lost, then not found, listed", [(0, refused(404, after_loss=True)), (9.9, [WEB])], WATCH),
    delete(
        "lost, then not found, listed for too long",
        [(0, refused(404, after_loss=True)), (10, [WEB])],
        failure(WEB, verified(DELETE, 404, STILL_LISTED), changed=True, is_unseen=True),
    ),
    # It is still listed, and whether the deletion was carried out is not known.
    delete("lost, listed", [(0, LOST), (2.9, [WEB])], WATCH),
    delete(
        "lost, listed for 3 s",
        [(0, LOST), (3, [WEB])],
        failure(WEB, f"{error_of(DELETE, None)}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    delete(
        "redirected, listed for 3 s", [(0, REDIRECTED), (3, [WEB])], failure(WEB, error_of(DELETE, 302), changed=False)
    ),
    delete("broken, listed", [(0, BROKEN), (2.9, [WEB])], WATCH),
    delete("broken, asked to wait, listed", [(0, BROKEN._replace(pause=20)), (19.9, [WEB])], WATCH),
    delete("broken, asked to wait for less, listed", [(0, BROKEN._replace(pause=1)), (2.9, [WEB])], WATCH),
    delete(
        "broken, asked to wait, listed for as long",
        [(0, BROKEN._replace(pause=20)), (20, [WEB])],
        failure(WEB, f"{error_of(DELETE, 503)}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    delete("lost, then refused, listed", [(0, refused(403, after_loss=True)), (2.9, [WEB])], WATCH),
    # It is still listed, and the deletion was not carried out.
    delete("refused, listed", [(0, refused(403)), (0, [WEB])], failure(WEB, error_of(DELETE, 403), changed=False)),
    delete("rate-limited, listed", [(0, RATE_LIMITED), (0, [WEB])], failure(WEB, error_of(DELETE, 429), changed=False)),
    delete(
        "rate-limited, asked to wait, listed",
        [(0, RATE_LIMITED._replace(pause=20)), (0, [WEB])],
        failure(WEB, error_of(DELETE, 429), changed=False),
    ),
    delete("not sent, listed", [(0, NOT_SENT), (0, [WEB])], failure(WEB, error_of(DELETE, None), changed=False)),
    # The console has no such route.
    *(
        delete(
            f"{status}, listed",
            [(0, refused(status)), (0, [WEB])],
            failure(WEB, NO_ROUTE + error_of(DELETE, status), changed=False),
        )
        for status in (404, 405, 501)
    ),
    delete(
        "lost, then 405, listed for 3 s",
        [(0, refused(405, after_loss=True)), (3, [WEB])],
        failure(WEB, NO_ROUTE + error_of(DELETE, 405), changed=False),
    ),
]


@pytest.mark.parametrize(("action", "before", "timeline", "expected"), TABLE)
def test_decision(action: Action, before: list[Record], timeline: list[Event], expected: Expected) -> None:
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
