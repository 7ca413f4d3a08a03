# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a PUT, as a table: what happened so far, and what is decided then."""

from __future__ import annotations

from functools import partial
from typing import Any

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
    WATCH,
    End,
    Event,
    Expected,
    Table,
    decided,
    error_of,
    failed_request,
    failure,
    outcome_of,
    plan_export,
    refusal,
    refused,
    rows_of,
    success,
    unchanged,
    unseen,
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
error, not_verified = partial(error_of, UPDATE), partial(verified, UPDATE)
WHOLE = Send({"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": True})

UPDATE_BY_ID = plan_export([BEFORE], id=1, iprange="*")

# An update of two fields, one of them the key.
RENAME = plan_export([BEFORE], id=1, desc="www", iprange="*")
RENAMED = {**AFTER, "desc": "www"}
OTHER_WWW = {**OTHER, "id": 2, "desc": "www"}
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
DISAPPEARED = not_verified(200, GONE)
REFUSED = error(400)
UNKNOWN = f"{error(None)}. {MAY_STILL}"
UPDATED = "export 'web' (id 1) was updated, but "
NOT_TAKEN = "not all of it was accepted: iprange is '10.0.0.0/8', wanted '*'"
NOT_SHOWN = (
    "export 'web' (id 1) does not show the update that the console accepted: after 3 s, {}. Run the task again in case"
    " the console is slow. If it stays so, the console does not accept this change"
)
IGNORED = not_verified(200, NOT_SHOWN.format("iprange is '10.0.0.0/8', wanted '*'"))
ALTERED = f"{UPDATED}not all of it was accepted: iprange is '10.0.0.0/9', wanted '*'"
HALF_TAKEN = f"{UPDATED}not all of it was accepted: desc is 'web', wanted 'www'"
MOVED_ONE = "fields that were not in the update changed meanwhile, by the console or by somebody else: readonly was true, is false"
LOST_ONE = (
    "fields that were not in the update changed meanwhile, by the console or by somebody else, and could not be"
    " restored: readonly was true, is false"
)
LAST_LOST = f"; the last request failed: {error(None)}"
NOT_RENAMED = not_verified(200, NOT_SHOWN.format("desc is 'web', wanted 'www'"))
AMBIGUOUS = "there are several exports with the desc 'www': ids 1, 2. Choose one with id, or remove the ones that should not exist."
NOT_RESTORED = f"{UPDATED}{LOST_ONE}"


TABLE: Table = {
    # As wanted.
    "accepted, as wanted": ([(0, ACCEPTED), (0, AFTER)], success(AFTER)),
    "accepted, as wanted at last": ([(0, ACCEPTED), (0, BEFORE), (9, AFTER)], success(AFTER)),
    "lost, as wanted": ([(0, LOST), (0, AFTER)], success(AFTER)),
    "accepted, as wanted, some not shown, wanted or not": (
        [(0, ACCEPTED), (0, SHORT_AFTER)],
        success(SHORT_AFTER, FLAGS),
        UPDATE_SHORT,
    ),
    "accepted, among others": ([(0, ACCEPTED), (0, [{**BEFORE, "id": 2, "desc": "x"}, AFTER])], success(AFTER)),
    # As wanted, though the request was not carried out: somebody else did it, once two readings agree.
    "refused, as wanted": ([(0, refused(403)), (0, AFTER)], WATCH),
    "refused, as wanted twice": ([(0, refused(403)), (0, AFTER), (1, AFTER)], unchanged(AFTER)),
    "refused, as wanted for 3 s": ([(0, refused(403)), (3, AFTER)], unchanged(AFTER)),
    "not sent, as wanted": ([(0, NOT_SENT), (0, AFTER)], WATCH),
    "refused, as wanted twice, some not shown": (
        [(0, refused(403)), (0, SHORT_AFTER), (1, SHORT_AFTER)],
        unchanged(SHORT_AFTER, FLAGS),
        UPDATE_SHORT,
    ),
    "refused, as wanted, then not": ([(0, refused(403)), (0, AFTER), (1, BEFORE)], refusal(BEFORE, error(403))),
    # As wanted, and another has the key, too, by which the record was found, or which it was to get.
    "accepted, and another has the key by then": (
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2}, AFTER])],
        failure(AFTER, AMBIGUOUS.replace("www", "web")),
    ),
    "accepted, named by id, and another has the key": (
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2}, AFTER])],
        success(AFTER),
        UPDATE_BY_ID,
    ),
    "renamed, and another has the key": (
        [(0, ACCEPTED), (0, [RENAMED, OTHER_WWW])],
        failure(RENAMED, AMBIGUOUS),
        RENAME,
    ),
    "refused, renamed by somebody else, and another has the key": (
        [(0, refused(409)), (0, [RENAMED, OTHER_WWW]), (1, [RENAMED, OTHER_WWW])],
        refusal(RENAMED, AMBIGUOUS),
        RENAME,
    ),
    "not renamed yet, and another has the key": ([(0, ACCEPTED), (0, [BEFORE, OTHER_WWW])], WATCH, RENAME),
    # Not as wanted, and nothing else was changed.
    "accepted, ignored": ([(0, ACCEPTED), (2.9, BEFORE)], WATCH),
    "accepted, ignored for 3 s": ([(1, ACCEPTED), (4, BEFORE)], refusal(BEFORE, IGNORED)),
    "accepted, altered": ([(0, ACCEPTED), (2.9, OTHER)], WATCH),
    "accepted, altered for 3 s": ([(0, ACCEPTED), (3, OTHER)], failure(OTHER, not_verified(200, ALTERED))),
    "accepted, ignored for 3 s, one not shown": (
        [(0, ACCEPTED), (3, SHORT)],
        unseen(SHORT, IGNORED, FLAGS),
        UPDATE_SHORT,
    ),
    "accepted, ignored for 3 s, one given that is not shown": (
        [(0, ACCEPTED), (3, BARE)],
        unseen(BARE, NOT_RENAMED, ("iprange", *FLAGS)),
        UPDATE_HIDDEN,
    ),
    "refused, one given that is not shown": (
        [(0, refused(400)), (0, BARE)],
        refusal(BARE, REFUSED, ("iprange", *FLAGS)),
        UPDATE_HIDDEN,
    ),
    "accepted, one given that was not shown, and is now": (
        [(0, ACCEPTED), (0, {**BARE, "desc": "www", "iprange": "*"})],
        success({**BARE, "desc": "www", "iprange": "*"}, FLAGS),
        UPDATE_HIDDEN,
    ),
    "accepted, one given that was not shown, and is now otherwise": (
        [(0, ACCEPTED), (3, {**BARE, "desc": "www", "iprange": "::/0"})],
        failure(
            {**BARE, "desc": "www", "iprange": "::/0"},
            verified(UPDATE_HIDDEN, 200, f"{UPDATED}not all of it was accepted: iprange is '::/0', wanted '*'"),
            FLAGS,
        ),
        UPDATE_HIDDEN,
    ),
    "lost, ignored for 3 s, one given that is not shown: not called accepted": (
        [(0, LOST), (3, BARE)],
        unseen(BARE, UNKNOWN, ("iprange", *FLAGS)),
        UPDATE_HIDDEN,
    ),
    "lost, ignored": ([(0, LOST), (2.9, BEFORE)], WATCH),
    "lost, ignored for 3 s": ([(0, LOST), (3, BEFORE)], unseen(BEFORE, UNKNOWN)),
    "lost, altered": ([(0, LOST), (2.9, OTHER)], WATCH),
    "lost, altered for 3 s": ([(0, LOST), (3, OTHER)], failure(OTHER, not_verified(None, f"{ALTERED}{LAST_LOST}"))),
    "refused, altered": ([(0, refused(400)), (0, OTHER)], refusal(OTHER, REFUSED)),
    "broken, ignored": ([(0, BROKEN), (2.9, BEFORE)], WATCH),
    "refused": ([(0, refused(400)), (0, BEFORE)], refusal(BEFORE, REFUSED)),
    "not sent": ([(0, NOT_SENT), (0, BEFORE)], refusal(BEFORE, error(None))),
    "refused after a loss, ignored for 3 s": (
        [(0, refused(400, after_loss=True)), (3, BEFORE)],
        unseen(BEFORE, f"{REFUSED}. {MAY_STILL}"),
    ),
    # In part as wanted.
    "lost, half of it taken for 3 s": (
        [(0, LOST), (3, AFTER)],
        failure(AFTER, verified(RENAME, None, f"{HALF_TAKEN}{LAST_LOST}")),
        RENAME,
    ),
    "lost, all of it taken": ([(0, LOST), (0, RENAMED)], success(RENAMED), RENAME),
    # Something else was changed too: the whole record is sent, if the console carried out the update at all.
    "accepted, another field reset": ([(0, ACCEPTED), (0, RESET)], WHOLE),
    # What is no longer shown is not known to have changed, but may have been reset.
    "accepted, another field no longer shown": ([(0, ACCEPTED), (0, HIDDEN)], WHOLE),
    "accepted, another field shown again": (
        [(0, ACCEPTED), (0, HIDDEN), (1, ACCEPTED), (1, AFTER)],
        success(AFTER, restored=("readonly",)),
    ),
    "accepted, another field still not shown": (
        [(0, ACCEPTED), (0, HIDDEN), (1, ACCEPTED), (1, HIDDEN)],
        success(HIDDEN, ("readonly",)),
    ),
    "accepted, another field no longer shown, restoring was refused": (
        [(0, ACCEPTED), (0, HIDDEN), (1, refused(400)), (1, HIDDEN)],
        success(HIDDEN, ("readonly",)),
    ),
    "lost, another field no longer shown": (
        [(0, LOST), (3, {**HIDDEN, "iprange": "10.0.0.0/8"})],
        unseen({**HIDDEN, "iprange": "10.0.0.0/8"}, UNKNOWN, ("readonly",)),
    ),
    # Where the field that was to change is no longer shown, what else the update does may be yet to come.
    "accepted, no longer shown": ([(0, ACCEPTED), (2.9, UNSHOWN)], WATCH),
    "accepted, no longer shown for 3 s": ([(0, ACCEPTED), (3, UNSHOWN)], success(UNSHOWN, ("iprange",))),
    "accepted, no longer shown, another field reset": (
        [(0, ACCEPTED), (0, UNSHOWN), (2, {**UNSHOWN, "readonly": False})],
        WHOLE,
    ),
    "accepted, one of two no longer shown, the other as wanted": (
        [(0, ACCEPTED), (0, {**UNSHOWN, "desc": "www"})],
        success({**UNSHOWN, "desc": "www"}, ("iprange",)),
        RENAME,
    ),
    "lost, no longer shown for 3 s": ([(0, LOST), (3, UNSHOWN)], unseen(UNSHOWN, UNKNOWN, ("iprange",))),
    "accepted, ignored, another field reset": ([(0, ACCEPTED), (0, MOVED)], WHOLE),
    "lost, as wanted, another field reset": ([(0, LOST), (0, RESET)], WHOLE),
    "lost, half of it taken, another field reset": ([(0, LOST), (0, RESET)], WHOLE_RENAMED, RENAME),
    "lost, ignored, another field changed": ([(0, LOST), (2.9, MOVED)], WATCH),
    "lost, ignored, another field changed for 3 s": (
        [(0, LOST), (3, MOVED)],
        failure(MOVED, not_verified(None, f"{UPDATED}{NOT_TAKEN}; {MOVED_ONE}{LAST_LOST}")),
    ),
    "refused, another field changed": ([(0, refused(400)), (0, MOVED)], refusal(MOVED, REFUSED)),
    # The whole record was sent.
    "restored": ([(0, ACCEPTED), (0, RESET), (1, ACCEPTED), (1, AFTER)], success(AFTER, restored=("readonly",))),
    "two restored, one after the other": (
        [(0, ACCEPTED), (0, RESET_TWO), (1, ACCEPTED), (1, RESET), (2, AFTER)],
        success(AFTER, restored=("readonly", "appendonly")),
    ),
    "restored by a request that was lost": (
        [(0, ACCEPTED), (0, RESET), (1, LOST), (1, AFTER)],
        success(AFTER, restored=("readonly",)),
    ),
    "not restored": ([(0, ACCEPTED), (0, RESET), (1, ACCEPTED), (3.9, RESET)], WATCH),
    "not restored for 3 s": (
        [(0, ACCEPTED), (0, RESET), (1, ACCEPTED), (4, RESET)],
        failure(RESET, not_verified(200, NOT_RESTORED)),
    ),
    "two not restored for 3 s": (
        [(0, ACCEPTED), (0, RESET_TWO), (1, ACCEPTED), (4, RESET_TWO)],
        failure(RESET_TWO, not_verified(200, f"{NOT_RESTORED}; appendonly was true, is false")),
    ),
    "neither taken nor restored for 3 s": (
        [(0, ACCEPTED), (0, MOVED), (1, ACCEPTED), (4, MOVED)],
        failure(MOVED, not_verified(200, f"{UPDATED}{NOT_TAKEN}; {LOST_ONE}")),
    ),
    "restoring was refused": (
        [(0, ACCEPTED), (0, RESET), (1, refused(400)), (1, RESET)],
        failure(RESET, not_verified(400, f"{NOT_RESTORED}; the last request failed: {REFUSED}")),
    ),
    "restoring was lost": ([(0, ACCEPTED), (0, RESET), (1, LOST), (3.9, RESET)], WATCH),
    "restoring was refused, and all is as before": (
        [(0, ACCEPTED), (0, RESET), (1, refused(400)), (1, BEFORE)],
        refusal(BEFORE, REFUSED),
    ),
    # The record is gone, once two readings agree.
    "accepted, gone": ([(0, ACCEPTED), (0, [])], WATCH),
    "accepted, not listed at first": ([(0, ACCEPTED), (0, []), (1, AFTER)], success(AFTER)),
    "accepted, gone twice": ([(0, ACCEPTED), (0, []), (1, [])], unseen(None, DISAPPEARED)),
    "accepted, gone for 3 s": ([(0, ACCEPTED), (3, [])], unseen(None, DISAPPEARED)),
    "lost, gone": ([(0, LOST), (0, [])], WATCH),
    "lost, gone twice": ([(0, LOST), (0, []), (1, [])], unseen(None, error(None))),
    "refused, gone": ([(0, refused(404)), (0, [])], WATCH),
    "refused, gone twice": ([(0, refused(404)), (0, []), (1, [])], refusal(None, error(404))),
    "accepted, restoring was refused, gone": ([(0, ACCEPTED), (0, RESET), (1, refused(404)), (1, [])], WATCH),
    "accepted, restoring was refused, gone twice": (
        [(0, ACCEPTED), (0, RESET), (1, refused(404)), (1, []), (2, [])],
        unseen(None, error(404)),
    ),
    "accepted, replaced by another": (
        [(0, ACCEPTED), (0, {**AFTER, "id": 2}), (1, {**AFTER, "id": 2})],
        unseen(None, not_verified(200, f"{GONE}; export 'web' (id 2) is listed by now")),
    ),
    "accepted, gone, one not shown": (
        [(0, ACCEPTED), (0, []), (1, [])],
        unseen(None, DISAPPEARED, ("readonly",)),
        UPDATE_SHORT,
    ),
}


@pytest.mark.parametrize(("timeline", "expected", "action", "before"), rows_of(TABLE, UPDATE))
def test_decision(timeline: list[Event], expected: Expected, action: Action, before: list[Record]) -> None:
    assert decided(action, before, timeline) == expected


HIDDEN_FALSE = {name: value for name, value in AFTER.items() if name != "apionly"}
UPDATE_ALL = plan_export([BEFORE], desc="web", iprange="*", readonly=True)


LOSSES: dict[str, tuple[Any, ...]] = {
    "nothing": (UPDATE, [(0, ACCEPTED), (0, AFTER)], ()),
    "reset": (UPDATE, [(0, ACCEPTED), (0, RESET), (1, ACCEPTED), (4, RESET)], ("readonly",)),
    "hidden": (UPDATE, [(0, ACCEPTED), (0, HIDDEN), (1, ACCEPTED), (1, HIDDEN)], ("readonly",)),
    "hidden, false": (UPDATE, [(0, ACCEPTED), (0, HIDDEN_FALSE), (1, ACCEPTED), (1, HIDDEN_FALSE)], ()),
    "hidden, but given": (UPDATE_ALL, [(0, ACCEPTED), (0, HIDDEN), (1, ACCEPTED), (1, HIDDEN)], ()),
    "the record": (UPDATE, [(0, ACCEPTED), (0, []), (1, [])], ("everything",)),
    "the record, by others": (UPDATE, [(0, refused(404)), (0, []), (1, [])], ()),
}


@pytest.mark.parametrize(("action", "timeline", "lost"), LOSSES.values(), ids=LOSSES)
def test_what_an_update_lost(action: Action, timeline: list[Event], lost: tuple[str, ...]) -> None:
    assert outcome_of(action, timeline).lost == lost


@pytest.mark.parametrize(
    ("action", "end", "record"),
    [
        pytest.param(UPDATE, refused(403), RESET, id="refused, as wanted, another field changed"),
        pytest.param(RENAME, NOT_SENT, RESET, id="not sent, in part as wanted, another field changed"),
    ],
)
def test_what_somebody_else_changed_is_not_put_back(action: Action, end: End, record: Record) -> None:
    assert not isinstance(decided(action, [BEFORE], [(0, end), (0, [record]), (1, [record])]), Send)


@pytest.mark.parametrize(
    ("timeline", "status"),
    [
        pytest.param([(0, ACCEPTED), (3, [BEFORE])], 200, id="ignored"),
        pytest.param([(0, LOST), (3, [BEFORE])], None, id="lost"),
        pytest.param([(0, ACCEPTED), (3, [])], 200, id="gone"),
    ],
)
def test_an_error_names_the_request(timeline: list[Event], status: int | None) -> None:
    assert failed_request(UPDATE, timeline) == ("PUT", "/exports/1", status)
