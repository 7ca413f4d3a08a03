# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a PUT, as a table: what happened so far, and what is decided then."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Plan
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile import update
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.history import Outcome, Send
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    BROKEN,
    LOST,
    MAY_STILL,
    NOT_SENT,
    PATH,
    WATCH,
    End,
    Event,
    Expected,
    Result,
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

BEFORE = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": True}
AFTER = {**BEFORE, "iprange": "*"}
OTHER = {**BEFORE, "iprange": "10.0.0.0/9"}
RESET = {**AFTER, "readonly": False}
RESET_TWO = {**RESET, "appendonly": False}
# A field that was shown before, and no longer is.
HIDDEN = {name: value for name, value in AFTER.items() if name != "readonly"}
UNSHOWN = {name: value for name, value in AFTER.items() if name != "iprange"}
# Not changed as asked, but otherwise.
MOVED = {**BEFORE, "readonly": False}

UPDATE = plan_export([BEFORE], desc="web", iprange="*")
WHOLE = Send({"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": True})

UPDATE_BY_ID = plan_export([BEFORE], id=1, iprange="*")

# An update of two fields, one of them the key.
RENAME = plan_export([BEFORE], id=1, desc="www", iprange="*")
RENAMED = {**AFTER, "desc": "www"}
RENAMED_RESET = {**RESET, "desc": "www"}
WHOLE_RENAMED = Send({**WHOLE.body, "desc": "www"})

# A record of which the console shows little.
SHORT = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
SHORT_AFTER = {**SHORT, "iprange": "*"}
UPDATE_SHORT = plan_export([SHORT], desc="web", iprange="*", readonly=True)
FLAGS = ("apionly", "readonly", "appendonly")

# An update that carries a field which the console does not show.
BARE = {"id": 1, "desc": "web"}
UPDATE_HIDDEN = plan_export([BARE], id=1, desc="www", iprange="*")

GONE = "export 'web' (id 1) disappeared while it was being updated"
UPDATED = "export 'web' (id 1) was updated, but "
NOT_TAKEN = "not all of it was accepted: iprange is '10.0.0.0/8', wanted '*'"
NOT_SHOWN = (
    "export 'web' (id 1) does not show the update that the console accepted: after 3 s, {}. Run the task again in case"
    " the console is slow. If it stays so, the console does not accept this change"
)
IGNORED = NOT_SHOWN.format("iprange is '10.0.0.0/8', wanted '*'")
ALTERED = f"{UPDATED}not all of it was accepted: iprange is '10.0.0.0/9', wanted '*'"
HALF_TAKEN = f"{UPDATED}not all of it was accepted: desc is 'web', wanted 'www'"
MOVED_ONE = "fields that were not in the update changed meanwhile, by the console or by somebody else: readonly was true, is false"
LOST_ONE = (
    "fields that were not in the update changed meanwhile, by the console or by somebody else, and could not be"
    " restored: readonly was true, is false"
)
LAST_LOST = f"; the last request failed: {error_of(UPDATE, None)}"
NOT_RENAMED = NOT_SHOWN.format("desc is 'web', wanted 'www'")
AMBIGUOUS = "there are several exports with the desc 'www': ids 1, 2. Choose one with id, or remove the ones that should not exist."
NOT_RESTORED = f"{UPDATED}{LOST_ONE}"

TABLE = [
    # As wanted.
    case("accepted, as wanted", UPDATE, [(0, ACCEPTED), (0, [AFTER])], success(AFTER)),
    case("accepted, as wanted at last", UPDATE, [(0, ACCEPTED), (0, [BEFORE]), (9, [AFTER])], success(AFTER)),
    case("lost, as wanted", UPDATE, [(0, LOST), (0, [AFTER])], success(AFTER)),
    case(
        "accepted, as wanted, some not shown, wanted or not",
        UPDATE_SHORT,
        [(0, ACCEPTED), (0, [SHORT_AFTER])],
        success(SHORT_AFTER, unverified=FLAGS),
    ),
    case(
        "accepted, among others",
        UPDATE,
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2, "desc": "x"}, AFTER])],
        success(AFTER),
    ),
    # As wanted, though the request was not carried out: somebody else did it, once two looks agree.
    case("refused, as wanted", UPDATE, [(0, refused(403)), (0, [AFTER])], WATCH),
    case("refused, as wanted twice", UPDATE, [(0, refused(403)), (0, [AFTER]), (1, [AFTER])], unchanged(AFTER)),
    case("refused, as wanted for 3 s", UPDATE, [(0, refused(403)), (3, [AFTER])], unchanged(AFTER)),
    case("not sent, as wanted", UPDATE, [(0, NOT_SENT), (0, [AFTER])], WATCH),
    case(
        "refused, as wanted twice, some not shown",
        UPDATE_SHORT,
        [(0, refused(403)), (0, [SHORT_AFTER]), (1, [SHORT_AFTER])],
        unchanged(SHORT_AFTER, unverified=FLAGS),
    ),
    case(
        "refused, as wanted, then not",
        UPDATE,
        [(0, refused(403)), (0, [AFTER]), (1, [BEFORE])],
        failure(BEFORE, error_of(UPDATE, 403), changed=False),
    ),
    # As wanted, and another has the key, too, by which the record was found, or which it was to get.
    case(
        "accepted, and another has the key by then",
        UPDATE,
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2}, AFTER])],
        failure(AFTER, AMBIGUOUS.replace("www", "web"), changed=True),
    ),
    case(
        "accepted, named by id, and another has the key",
        UPDATE_BY_ID,
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2}, AFTER])],
        success(AFTER),
    ),
    case(
        "renamed, and another has the key",
        RENAME,
        [(0, ACCEPTED), (0, [RENAMED, {**OTHER, "id": 2, "desc": "www"}])],
        failure(RENAMED, AMBIGUOUS, changed=True),
    ),
    case(
        "refused, renamed by somebody else, and another has the key",
        RENAME,
        [
            (0, refused(409)),
            (0, [RENAMED, {**OTHER, "id": 2, "desc": "www"}]),
            (1, [RENAMED, {**OTHER, "id": 2, "desc": "www"}]),
        ],
        failure(RENAMED, AMBIGUOUS, changed=False),
    ),
    case(
        "not renamed yet, and another has the key",
        RENAME,
        [(0, ACCEPTED), (0, [BEFORE, {**OTHER, "id": 2, "desc": "www"}])],
        WATCH,
    ),
    # Not as wanted, and nothing else was changed.
    case("accepted, ignored", UPDATE, [(0, ACCEPTED), (2.9, [BEFORE])], WATCH),
    case(
        "accepted, ignored for 3 s",
        UPDATE,
        [(1, ACCEPTED), (4, [BEFORE])],
        failure(BEFORE, verified(UPDATE, 200, IGNORED), changed=False),
    ),
    case("accepted, altered", UPDATE, [(0, ACCEPTED), (2.9, [OTHER])], WATCH),
    case(
        "accepted, altered for 3 s",
        UPDATE,
        [(0, ACCEPTED), (3, [OTHER])],
        failure(OTHER, verified(UPDATE, 200, ALTERED), changed=True),
    ),
    case(
        "accepted, ignored for 3 s, one not shown",
        UPDATE_SHORT,
        [(0, ACCEPTED), (3, [SHORT])],
        failure(SHORT, verified(UPDATE, 200, IGNORED), changed=True, unverified=FLAGS, is_unseen=True),
    ),
    case(
        "accepted, ignored for 3 s, one given that is not shown",
        UPDATE_HIDDEN,
        [(0, ACCEPTED), (3, [BARE])],
        failure(BARE, verified(UPDATE, 200, NOT_RENAMED), changed=True, unverified=("iprange", *FLAGS), is_unseen=True),
    ),
    case(
        "refused, one given that is not shown",
        UPDATE_HIDDEN,
        [(0, refused(400)), (0, [BARE])],
        failure(BARE, error_of(UPDATE, 400), changed=False, unverified=("iprange", *FLAGS)),
    ),
    case(
        "accepted, one given that was not shown, and is now",
        UPDATE_HIDDEN,
        [(0, ACCEPTED), (0, [{**BARE, "desc": "www", "iprange": "*"}])],
        success({**BARE, "desc": "www", "iprange": "*"}, unverified=FLAGS),
    ),
    case(
        "accepted, one given that was not shown, and is now otherwise",
        UPDATE_HIDDEN,
        [(0, ACCEPTED), (3, [{**BARE, "desc": "www", "iprange": "::/0"}])],
        failure(
            {**BARE, "desc": "www", "iprange": "::/0"},
            verified(
                UPDATE_HIDDEN,
                200,
                f"{UPDATED}not all of it was accepted: iprange is '::/0', wanted '*'",
            ),
            changed=True,
            unverified=FLAGS,
        ),
    ),
    case("lost, ignored", UPDATE, [(0, LOST), (2.9, [BEFORE])], WATCH),
    case(
        "lost, ignored for 3 s",
        UPDATE,
        [(0, LOST), (3, [BEFORE])],
        failure(BEFORE, f"{error_of(UPDATE, None)}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    case("lost, altered", UPDATE, [(0, LOST), (2.9, [OTHER])], WATCH),
    case(
        "lost, altered for 3 s",
        UPDATE,
        [(0, LOST), (3, [OTHER])],
        failure(OTHER, verified(UPDATE, None, f"{ALTERED}{LAST_LOST}"), changed=True),
    ),
    case(
        "refused, altered",
        UPDATE,
        [(0, refused(400)), (0, [OTHER])],
        failure(OTHER, error_of(UPDATE, 400), changed=False),
    ),
    case("broken, ignored", UPDATE, [(0, BROKEN), (2.9, [BEFORE])], WATCH),
    case("refused", UPDATE, [(0, refused(400)), (0, [BEFORE])], failure(BEFORE, error_of(UPDATE, 400), changed=False)),
    case("not sent", UPDATE, [(0, NOT_SENT), (0, [BEFORE])], failure(BEFORE, error_of(UPDATE, None), changed=False)),
    case(
        "refused after a loss, ignored for 3 s",
        UPDATE,
        [(0, refused(400, after_loss=True)), (3, [BEFORE])],
        failure(BEFORE, f"{error_of(UPDATE, 400)}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    # In part as wanted.
    case(
        "lost, half of it taken for 3 s",
        RENAME,
        [(0, LOST), (3, [AFTER])],
        failure(AFTER, verified(RENAME, None, f"{HALF_TAKEN}{LAST_LOST}"), changed=True),
    ),
    case("lost, all of it taken", RENAME, [(0, LOST), (0, [RENAMED])], success(RENAMED)),
    # Something else was changed too: the whole record is sent, if the console carried out the update at all.
    case("accepted, another field reset", UPDATE, [(0, ACCEPTED), (0, [RESET])], WHOLE),
    # What is no longer shown is not known to have changed, but may have been reset.
    case("accepted, another field no longer shown", UPDATE, [(0, ACCEPTED), (0, [HIDDEN])], WHOLE),
    case(
        "accepted, another field shown again",
        UPDATE,
        [(0, ACCEPTED), (0, [HIDDEN]), (1, ACCEPTED), (1, [AFTER])],
        success(AFTER, restored=("readonly",)),
    ),
    case(
        "accepted, another field still not shown",
        UPDATE,
        [(0, ACCEPTED), (0, [HIDDEN]), (1, ACCEPTED), (1, [HIDDEN])],
        success(HIDDEN, unverified=("readonly",)),
    ),
    case(
        "accepted, another field no longer shown, restoring was refused",
        UPDATE,
        [(0, ACCEPTED), (0, [HIDDEN]), (1, refused(400)), (1, [HIDDEN])],
        success(HIDDEN, unverified=("readonly",)),
    ),
    case(
        "lost, another field no longer shown",
        UPDATE,
        [(0, LOST), (3, [{**HIDDEN, "iprange": "10.0.0.0/8"}])],
        failure(
            {**HIDDEN, "iprange": "10.0.0.0/8"},
            f"{error_of(UPDATE, None)}. {MAY_STILL}",
            changed=True,
            unverified=("readonly",),
            is_unseen=True,
        ),
    ),
    # Where the field that was to change is no longer shown, what else the update does may be yet to come.
    case("accepted, no longer shown", UPDATE, [(0, ACCEPTED), (2.9, [UNSHOWN])], WATCH),
    case(
        "accepted, no longer shown for 3 s",
        UPDATE,
        [(0, ACCEPTED), (3, [UNSHOWN])],
        success(UNSHOWN, unverified=("iprange",)),
    ),
    case(
        "accepted, no longer shown, another field reset",
        UPDATE,
        [(0, ACCEPTED), (0, [UNSHOWN]), (2, [{**UNSHOWN, "readonly": False}])],
        WHOLE,
    ),
    case(
        "accepted, one of two no longer shown, the other as wanted",
        RENAME,
        [(0, ACCEPTED), (0, [{**UNSHOWN, "desc": "www"}])],
        success({**UNSHOWN, "desc": "www"}, unverified=("iprange",)),
    ),
    case(
        "lost, no longer shown for 3 s",
        UPDATE,
        [(0, LOST), (3, [UNSHOWN])],
        failure(
            UNSHOWN,
            f"{error_of(UPDATE, None)}. {MAY_STILL}",
            changed=True,
            unverified=("iprange",),
            is_unseen=True,
        ),
    ),
    case("accepted, ignored, another field reset", UPDATE, [(0, ACCEPTED), (0, [MOVED])], WHOLE),
    case("lost, as wanted, another field reset", UPDATE, [(0, LOST), (0, [RESET])], WHOLE),
    case("lost, half of it taken, another field reset", RENAME, [(0, LOST), (0, [RESET])], WHOLE_RENAMED),
    case("lost, ignored, another field changed", UPDATE, [(0, LOST), (2.9, [MOVED])], WATCH),
    case(
        "lost, ignored, another field changed for 3 s",
        UPDATE,
        [(0, LOST), (3, [MOVED])],
        failure(MOVED, verified(UPDATE, None, f"{UPDATED}{NOT_TAKEN}; {MOVED_ONE}{LAST_LOST}"), changed=True),
    ),
    case(
        "refused, another field changed",
        UPDATE,
        [(0, refused(400)), (0, [MOVED])],
        failure(MOVED, error_of(UPDATE, 400), changed=False),
    ),
    # The whole record was sent.
    case(
        "restored",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, ACCEPTED), (1, [AFTER])],
        success(AFTER, restored=("readonly",)),
    ),
    case(
        "two restored, one after the other",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET_TWO]), (1, ACCEPTED), (1, [RESET]), (2, [AFTER])],
        success(AFTER, restored=("readonly", "appendonly")),
    ),
    case(
        "restored by a request that was lost",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, LOST), (1, [AFTER])],
        success(AFTER, restored=("readonly",)),
    ),
    case("not restored", UPDATE, [(0, ACCEPTED), (0, [RESET]), (1, ACCEPTED), (3.9, [RESET])], WATCH),
    case(
        "not restored for 3 s",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, ACCEPTED), (4, [RESET])],
        failure(RESET, verified(UPDATE, 200, NOT_RESTORED), changed=True),
    ),
    case(
        "two not restored for 3 s",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET_TWO]), (1, ACCEPTED), (4, [RESET_TWO])],
        failure(RESET_TWO, verified(UPDATE, 200, f"{NOT_RESTORED}; appendonly was true, is false"), changed=True),
    ),
    case(
        "neither taken nor restored for 3 s",
        UPDATE,
        [(0, ACCEPTED), (0, [MOVED]), (1, ACCEPTED), (4, [MOVED])],
        failure(MOVED, verified(UPDATE, 200, f"{UPDATED}{NOT_TAKEN}; {LOST_ONE}"), changed=True),
    ),
    case(
        "restoring was refused",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, refused(400)), (1, [RESET])],
        failure(
            RESET,
            verified(UPDATE, 400, f"{NOT_RESTORED}; the last request failed: {error_of(UPDATE, 400)}"),
            changed=True,
        ),
    ),
    case("restoring was lost", UPDATE, [(0, ACCEPTED), (0, [RESET]), (1, LOST), (3.9, [RESET])], WATCH),
    case(
        "restoring was refused, and all is as before",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, refused(400)), (1, [BEFORE])],
        failure(BEFORE, error_of(UPDATE, 400), changed=False),
    ),
    # The record is gone, once two looks agree.
    case("accepted, gone", UPDATE, [(0, ACCEPTED), (0, [])], WATCH),
    case("accepted, not listed at first", UPDATE, [(0, ACCEPTED), (0, []), (1, [AFTER])], success(AFTER)),
    case(
        "accepted, gone twice",
        UPDATE,
        [(0, ACCEPTED), (0, []), (1, [])],
        failure(None, verified(UPDATE, 200, GONE), changed=True, is_unseen=True),
    ),
    case(
        "accepted, gone for 3 s",
        UPDATE,
        [(0, ACCEPTED), (3, [])],
        failure(None, verified(UPDATE, 200, GONE), changed=True, is_unseen=True),
    ),
    case("lost, gone", UPDATE, [(0, LOST), (0, [])], WATCH),
    case(
        "lost, gone twice",
        UPDATE,
        [(0, LOST), (0, []), (1, [])],
        failure(None, error_of(UPDATE, None), changed=True, is_unseen=True),
    ),
    case("refused, gone", UPDATE, [(0, refused(404)), (0, [])], WATCH),
    case(
        "refused, gone twice",
        UPDATE,
        [(0, refused(404)), (0, []), (1, [])],
        failure(None, error_of(UPDATE, 404), changed=False),
    ),
    case(
        "accepted, restoring was refused, gone",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, refused(404)), (1, [])],
        WATCH,
    ),
    case(
        "accepted, restoring was refused, gone twice",
        UPDATE,
        [(0, ACCEPTED), (0, [RESET]), (1, refused(404)), (1, []), (2, [])],
        failure(None, error_of(UPDATE, 404), changed=True, is_unseen=True),
    ),
    case(
        "accepted, replaced by another",
        UPDATE,
        [(0, ACCEPTED), (0, [{**AFTER, "id": 2}]), (1, [{**AFTER, "id": 2}])],
        failure(
            None, verified(UPDATE, 200, f"{GONE}; export 'web' (id 2) is listed by now"), changed=True, is_unseen=True
        ),
    ),
    case(
        "accepted, gone, one not shown",
        UPDATE_SHORT,
        [(0, ACCEPTED), (0, []), (1, [])],
        failure(None, verified(UPDATE, 200, GONE), changed=True, unverified=("readonly",), is_unseen=True),
    ),
]


@pytest.mark.parametrize(("plan", "before", "timeline", "expected"), TABLE)
def test_decision(plan: Plan, before: list[Record], timeline: list[Event], expected: Expected) -> None:
    assert decide(update, plan, before, timeline) == expected


@pytest.mark.parametrize(
    ("plan", "end", "record"),
    [
        pytest.param(UPDATE, refused(403), RESET, id="refused, as wanted, another field changed"),
        pytest.param(RENAME, NOT_SENT, RESET, id="not sent, in part as wanted, another field changed"),
    ],
)
def test_what_somebody_else_changed_is_not_put_back(plan: Plan, end: End, record: Record) -> None:
    assert not isinstance(decide(update, plan, [BEFORE], [(0, end), (0, [record]), (1, [record])]), Send)


def test_an_update_of_which_no_response_came_is_not_called_accepted() -> None:
    outcome = decide(update, UPDATE_HIDDEN, [BARE], [(0, LOST), (3, [BARE])])
    assert isinstance(outcome, Result)
    assert outcome.changed
    assert "the console accepted" not in outcome.error


@pytest.mark.parametrize(
    ("timeline", "status"),
    [
        pytest.param([(0, ACCEPTED), (3, [BEFORE])], 200, id="ignored"),
        pytest.param([(0, LOST), (3, [BEFORE])], None, id="lost"),
        pytest.param([(0, ACCEPTED), (3, [])], 200, id="gone"),
    ],
)
def test_an_error_names_the_request(timeline: list[Event], status: int | None) -> None:
    outcome = update.decide(history_of(UPDATE, [BEFORE], timeline), timeline[-1][0])
    assert isinstance(outcome, Outcome)
    assert outcome.error
    request = outcome.error.details["failure"]
    assert (request["method"], request["path"], request["status"]) == ("PUT", PATH, status)
