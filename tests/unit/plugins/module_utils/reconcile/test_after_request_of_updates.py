# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The decision after a PUT, as tables: past events, and the decision."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.after_request import Send
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import (
    ACCEPTED,
    LOST,
    MAY_STILL,
    TWO_WEB,
    TWO_WWW,
    WATCH,
    Event,
    Expected,
    Table,
    decided,
    error_of,
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

FLAGS = ("apionly", "readonly", "appendonly")
IPRANGE, READONLY, BOTH = ("iprange",), ("readonly",), ("readonly", "appendonly")
LOST_THEN_400 = refused(400, after_loss=True)

BEFORE = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True, "appendonly": True}
AFTER, OTHER = {**BEFORE, "iprange": "*"}, {**BEFORE, "iprange": "10.0.0.0/9"}
OTHER_WEB, REPLACED = {**BEFORE, "id": 2}, {**AFTER, "id": 2}
RESET = {**AFTER, "readonly": False}
RESET_TWO = {**RESET, "appendonly": False}
# A field that was shown before, and no longer is.
HIDDEN, HIDDEN_FALSE, UNSHOWN = (
    {name: value for name, value in AFTER.items() if name != hidden} for hidden in ("readonly", "apionly", "iprange")
)
HIDDEN_BEFORE = {**HIDDEN, "iprange": "10.0.0.0/8"}
UNSHOWN_RESET, UNSHOWN_WWW = {**UNSHOWN, "readonly": False}, {**UNSHOWN, "desc": "www"}
# Changed differently than asked.
MOVED = {**BEFORE, "readonly": False}
WAS_RESET, TWO_RESET, WAS_HIDDEN = ([(0, ACCEPTED), (0, record)] for record in (RESET, RESET_TWO, HIDDEN))

UPDATE = plan_export([BEFORE], desc="web", iprange="*")
UPDATE_ALL = plan_export([BEFORE], desc="web", iprange="*", readonly=True)
UPDATE_BY_ID = plan_export([BEFORE], id=1, iprange="*")
put_error, put_verified = partial(error_of, UPDATE), partial(verified, UPDATE)
WHOLE = Send({"desc": "web", "iprange": "*", "apionly": False, "readonly": True, "appendonly": True})

# An update of two fields, one of them the key.
RENAME = plan_export([BEFORE], id=1, desc="www", iprange="*")
RENAMED = {**AFTER, "desc": "www"}
OTHER_WWW = {**OTHER, "id": 2, "desc": "www"}
TWO = [RENAMED, OTHER_WWW]
RESET_WWW = {**RESET, "desc": "www"}
TWO_RESET_WWW = [RESET_WWW, OTHER_WWW]
WAS_RESET_TWO: list[Event] = [(0, ACCEPTED), (0, TWO_RESET_WWW), (1, refused(400)), (1, TWO_RESET_WWW)]
WHOLE_RENAMED = Send({**WHOLE.body, "desc": "www"})

# A record of which the console shows little.
SHORT = {"id": 1, "desc": "web", "iprange": "10.0.0.0/8"}
SHORT_AFTER = {**SHORT, "iprange": "*"}
UPDATE_SHORT = plan_export([SHORT], desc="web", iprange="*", readonly=True)

# An update that carries a field which the console does not show.
BARE = {"id": 1, "desc": "web"}
UPDATE_HIDDEN = plan_export([BARE], id=1, desc="www", iprange="*")
SHORT_WWW, SHORT_OTHER = {**SHORT_AFTER, "desc": "www"}, {**SHORT, "desc": "www", "iprange": "::/0"}
ALL_HIDDEN = ("iprange", *FLAGS)

GONE = "export 'web' (id 1) disappeared while it was being updated"
DISAPPEARED, GONE_FOR_ANOTHER = (
    put_verified(200, f"{GONE}{more}. Run the task again") for more in ("", "; export 'web' (id 2) is listed by now")
)
REFUSED = put_error(400)
UNKNOWN, MAYBE_REFUSED = (f"{put_error(status)}. {MAY_STILL}" for status in (None, 400))
RANGE_IS, DESC_IS = "iprange is '10.0.0.0/8', wanted '*'", "desc is 'web', wanted 'www'"
IGNORED, NOT_RENAMED, NOTHING_TAKEN = (
    put_verified(
        200,
        "export 'web' (id 1) does not show the update that the console accepted: after 3 s,"
        f" {what}. Run the task again in case the console is slow. If it stays so, the console does not accept this change",
    )
    for what in (RANGE_IS, DESC_IS, f"{DESC_IS}; {RANGE_IS}")
)
UPDATED, ACCEPT = "export 'web' (id 1) was updated, but ", ". Accept that, or correct it in the console"
NOT_ALL = f"{UPDATED}not all of it was accepted: "
NOT_TAKEN = f"{NOT_ALL}iprange is '10.0.0.0/8', wanted '*'"
MEANWHILE = "fields that were not in the update changed meanwhile, by the console or by somebody else"
LOST_ONE = f"{MEANWHILE}, and could not be restored: readonly was true, is false"
LAST_FAILED, LAST_REFUSED = (f"; the last request failed: {put_error(status)}" for status in (None, 400))
ALTERED = put_verified(200, f"{NOT_ALL}iprange is '10.0.0.0/9', wanted '*'{ACCEPT}")
LOST_ALTERED = put_verified(None, f"{NOT_ALL}iprange is '10.0.0.0/9', wanted '*'{LAST_FAILED}{ACCEPT}")
HIDDEN_ALTERED = put_verified(200, f"{NOT_ALL}iprange is '::/0', wanted '*'{ACCEPT}")
HALF_TAKEN = put_verified(None, f"{NOT_ALL}desc is 'web', wanted 'www'{LAST_FAILED}{ACCEPT}")
MOVED_MEANWHILE = put_verified(None, f"{NOT_TAKEN}; {MEANWHILE}: readonly was true, is false{LAST_FAILED}{ACCEPT}")
NOT_RESTORED = put_verified(200, f"{UPDATED}{LOST_ONE}{ACCEPT}")
NOTHING_RESTORED = put_verified(200, f"{NOT_TAKEN}; {LOST_ONE}{ACCEPT}")
RESTORING_REFUSED = put_verified(400, f"{UPDATED}{LOST_ONE}{LAST_REFUSED}{ACCEPT}")

UPDATES: Table = {
    # As wanted.
    "accepted, as wanted": [(0, ACCEPTED), (0, AFTER), success(AFTER)],
    "lost, as wanted": [(0, LOST), (0, AFTER), success(AFTER)],
    "accepted, among others": [(0, ACCEPTED), (0, [{**BEFORE, "id": 2, "desc": "x"}, AFTER]), success(AFTER)],
    # As wanted, though the request was not carried out: somebody else did it, once two readings are equal.
    "refused, as wanted": [(0, refused(403)), (0, AFTER), WATCH],
    "refused, as wanted twice": [(0, refused(403)), (0, AFTER), (1, AFTER), unchanged(AFTER)],
    "refused, as wanted, then not": [(0, refused(403)), (0, AFTER), (1, BEFORE), refusal(BEFORE, put_error(403))],
    # As wanted, and another has the key, too, by which the record was found, or which it was to get.
    "accepted, and another has the key by then": [(0, ACCEPTED), (0, [OTHER_WEB, AFTER]), failure(AFTER, TWO_WEB)],
    # Not as wanted, and nothing else was changed.
    "accepted, ignored": [(0, ACCEPTED), (2.9, BEFORE), WATCH],
    "accepted, ignored for 3 s": [(1, ACCEPTED), (4, BEFORE), refusal(BEFORE, IGNORED)],
    "accepted, altered": [(0, ACCEPTED), (2.9, OTHER), WATCH],
    "accepted, altered for 3 s": [(0, ACCEPTED), (3, OTHER), failure(OTHER, ALTERED)],
    "lost, ignored for 3 s": [(0, LOST), (3, BEFORE), unseen(BEFORE, UNKNOWN)],
    "lost, altered for 3 s": [(0, LOST), (3, OTHER), failure(OTHER, LOST_ALTERED)],
    "refused, altered": [(0, refused(400)), (0, OTHER), refusal(OTHER, REFUSED)],
    "refused": [(0, refused(400)), (0, BEFORE), refusal(BEFORE, REFUSED)],
    "refused after a loss, ignored for 3 s": [(0, LOST_THEN_400), (3, BEFORE), unseen(BEFORE, MAYBE_REFUSED)],
    # In part as wanted.
    # Something else was changed, too: the whole record is sent, if the console carried out the update at all.
    "accepted, another field reset": [(0, ACCEPTED), (0, RESET), WHOLE],
    # A field that is no longer shown is not known to have changed, but may have been reset.
    "accepted, another field no longer shown": [(0, ACCEPTED), (0, HIDDEN), WHOLE],
    "accepted, another field shown again": [*WAS_HIDDEN, (1, ACCEPTED), (1, AFTER), success(AFTER, restored=READONLY)],
    "accepted, another field still not shown": [*WAS_HIDDEN, (1, ACCEPTED), (1, HIDDEN), success(HIDDEN, READONLY)],
    "lost, another field no longer shown": [(0, LOST), (3, HIDDEN_BEFORE), unseen(HIDDEN_BEFORE, UNKNOWN, READONLY)],
    # If the field that was to change is no longer shown, other effects of the update may be yet to come.
    "accepted, no longer shown": [(0, ACCEPTED), (2.9, UNSHOWN), WATCH],
    "accepted, no longer shown for 3 s": [(0, ACCEPTED), (3, UNSHOWN), success(UNSHOWN, IPRANGE)],
    "accepted, no longer shown, another field reset": [(0, ACCEPTED), (0, UNSHOWN), (2, UNSHOWN_RESET), WHOLE],
    "lost, no longer shown for 3 s": [(0, LOST), (3, UNSHOWN), unseen(UNSHOWN, UNKNOWN, IPRANGE)],
    "accepted, ignored, another field reset": [(0, ACCEPTED), (0, MOVED), WHOLE],
    "lost, as wanted, another field reset": [(0, LOST), (0, RESET), WHOLE],
    "lost, ignored, another field changed for 3 s": [(0, LOST), (3, MOVED), failure(MOVED, MOVED_MEANWHILE)],
    "refused, as wanted, another field changed": [(0, refused(403)), (3, RESET), unchanged(RESET)],
    "refused, as wanted, another field no longer shown": [(0, refused(403)), (3, HIDDEN), unchanged(HIDDEN, READONLY)],
    "refused, another field changed": [(0, refused(400)), (0, MOVED), refusal(MOVED, REFUSED)],
    # The whole record was sent.
    "restored": [*WAS_RESET, (1, ACCEPTED), (1, AFTER), success(AFTER, restored=READONLY)],
    "two restored, one by one": [*TWO_RESET, (1, ACCEPTED), (1, RESET), (2, AFTER), success(AFTER, restored=BOTH)],
    "not restored": [*WAS_RESET, (1, ACCEPTED), (3.9, RESET), WATCH],
    "not restored for 3 s": [*WAS_RESET, (1, ACCEPTED), (4, RESET), failure(RESET, NOT_RESTORED)],
    "nothing restored": [(0, ACCEPTED), (0, MOVED), (1, ACCEPTED), (4, MOVED), failure(MOVED, NOTHING_RESTORED)],
    "restoring was refused": [*WAS_RESET, (1, refused(400)), (1, RESET), failure(RESET, RESTORING_REFUSED)],
    "restoring was refused, all as before for 3 s": [
        *WAS_RESET,
        (1, refused(400)),
        (4, BEFORE),
        refusal(BEFORE, REFUSED),
    ],
    # The record is gone, once two readings are equal.
    "accepted, gone": [(0, ACCEPTED), (0, []), WATCH],
    "accepted, not listed at first": [(0, ACCEPTED), (0, []), (1, AFTER), success(AFTER)],
    "accepted, gone twice": [(0, ACCEPTED), (0, []), (1, []), unseen(None, DISAPPEARED)],
    "lost, gone twice": [(0, LOST), (0, []), (1, []), unseen(None, put_error(None))],
    "refused, gone twice": [(0, refused(404)), (0, []), (1, []), refusal(None, put_error(404))],
    "restoring refused, gone twice": [*WAS_RESET, (1, refused(404)), (1, []), (2, []), unseen(None, put_error(404))],
    "accepted, replaced by another": [(0, ACCEPTED), (0, REPLACED), (1, REPLACED), unseen(None, GONE_FOR_ANOTHER)],
}

SHORT_UPDATES: Table = {
    "accepted, as wanted, some not shown": [(0, ACCEPTED), (0, SHORT_AFTER), success(SHORT_AFTER, FLAGS)],
    "refused, as wanted, some not shown": [(0, refused(403)), (3, SHORT_AFTER), unchanged(SHORT_AFTER, FLAGS)],
    "accepted, gone, one not shown": [(0, ACCEPTED), (0, []), (1, []), unseen(None, DISAPPEARED, READONLY)],
}

UPDATES_BY_ID: Table = {
    "accepted, named by id, and another has the key": [(0, ACCEPTED), (0, [OTHER_WEB, AFTER]), success(AFTER)]
}

# A field is given with the value that it had.
UPDATES_OF_ALL: Table = {
    "given as it was, restored": [*WAS_RESET, (1, ACCEPTED), (1, AFTER), success(AFTER, restored=READONLY)],
    "given as it was, not restored": [*WAS_RESET, (1, ACCEPTED), (4, RESET), failure(RESET, NOT_RESTORED)],
}

RENAMES: Table = {
    "renamed, and another has the key": [(0, ACCEPTED), (0, TWO), failure(RENAMED, TWO_WWW)],
    "refused, renamed by others, two of the key": [(0, refused(409)), (0, TWO), (1, TWO), refusal(RENAMED, TWO_WWW)],
    "renamed, not restored, and another has the key": [
        *WAS_RESET_TWO,
        failure(RESET_WWW, f"{RESTORING_REFUSED}. {TWO_WWW}"),
    ],
    "not renamed for 3 s, and another has the key": [
        (0, ACCEPTED),
        (3, [BEFORE, OTHER_WWW]),
        refusal(BEFORE, NOTHING_TAKEN),
    ],
    "lost, half of it taken for 3 s": [(0, LOST), (3, AFTER), failure(AFTER, HALF_TAKEN)],
    "accepted, one of two no longer shown": [(0, ACCEPTED), (0, UNSHOWN_WWW), success(UNSHOWN_WWW, IPRANGE)],
    "lost, half of it taken, another field reset": [(0, LOST), (0, RESET), WHOLE_RENAMED],
}

HIDDEN_UPDATES: Table = {
    "accepted, ignored for 3 s, one hidden": [(0, ACCEPTED), (3, BARE), unseen(BARE, NOT_RENAMED, ALL_HIDDEN)],
    "refused, one given that is not shown": [(0, refused(400)), (0, BARE), refusal(BARE, REFUSED, ALL_HIDDEN)],
    "hidden before, another value now": [(0, ACCEPTED), (3, SHORT_OTHER), failure(SHORT_OTHER, HIDDEN_ALTERED, FLAGS)],
    "lost, ignored for 3 s, one hidden": [(0, LOST), (3, BARE), unseen(BARE, UNKNOWN, ALL_HIDDEN)],
}


@pytest.mark.parametrize(
    ("action", "before", "timeline", "expected"),
    [
        *rows_of(UPDATE, UPDATES),
        *rows_of(UPDATE_SHORT, SHORT_UPDATES),
        *rows_of(UPDATE_HIDDEN, HIDDEN_UPDATES),
        *rows_of(UPDATE_BY_ID, UPDATES_BY_ID),
        *rows_of(UPDATE_ALL, UPDATES_OF_ALL),
        *rows_of(RENAME, RENAMES),
    ],
)
def test_decision(action: Action, before: list[Record], timeline: list[Event], expected: Expected) -> None:
    assert decided(action, before, timeline) == expected


LOSSES: dict[str, tuple[Any, ...]] = {
    "nothing": (UPDATE, [(0, ACCEPTED), (0, AFTER)], ()),
    "reset": (UPDATE, [*WAS_RESET, (1, ACCEPTED), (4, RESET)], ("readonly",)),
    "hidden": (UPDATE, [*WAS_HIDDEN, (1, ACCEPTED), (1, HIDDEN)], ("readonly",)),
    "hidden, false": (UPDATE, [(0, ACCEPTED), (0, HIDDEN_FALSE), (1, ACCEPTED), (1, HIDDEN_FALSE)], ()),
    "hidden, but given": (UPDATE_ALL, [*WAS_HIDDEN, (1, ACCEPTED), (1, HIDDEN)], ()),
    "the record": (UPDATE, [(0, ACCEPTED), (0, []), (1, [])], ("everything",)),
    "the record, by others": (UPDATE, [(0, refused(404)), (0, []), (1, [])], ()),
}


@pytest.mark.parametrize(("action", "timeline", "lost"), LOSSES.values(), ids=LOSSES)
def test_what_an_update_lost(action: Action, timeline: list[Event], lost: tuple[str, ...]) -> None:
    assert outcome_of(action, timeline).lost == lost
