# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes after a PUT, as a table: what happened so far, and what is decided then."""

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
DISAPPEARED = verified(UPDATE, 200, GONE)
REFUSED = error_of(UPDATE, 400)
UNKNOWN = f"{error_of(UPDATE, None)}. {MAY_STILL}"
UPDATED = "export 'web' (id 1) was updated, but "
NOT_TAKEN = "not all of it was accepted: iprange is '10.0.0.0/8', wanted '*'"
NOT_SHOWN = (
    "export 'web' (id 1) does not show the update that the console accepted: after 3 s, {}. Run the task again in case"
    " the console is slow. If it stays so, the console does not accept this change"
)
IGNORED = verified(UPDATE, 200, NOT_SHOWN.format("iprange is '10.0.0.0/8', wanted '*'"))
ALTERED = f"{UPDATED}not all of it was accepted: iprange is '10.0.0.0/9', wanted '*'"
HALF_TAKEN = f"{UPDATED}not all of it was accepted: desc is 'web', wanted 'www'"
MOVED_ONE = "fields that were not in the update changed meanwhile, by the console or by somebody else: readonly was true, is false"
LOST_ONE = (
    "fields that were not in the update changed meanwhile, by the console or by somebody else, and could not be"
    " restored: readonly was true, is false"
)
LAST_LOST = f"; the last request failed: {error_of(UPDATE, None)}"
NOT_RENAMED = verified(UPDATE, 200, NOT_SHOWN.format("desc is 'web', wanted 'www'"))
AMBIGUOUS = "there are several exports with the desc 'www': ids 1, 2. Choose one with id, or remove the ones that should not exist."
NOT_RESTORED = f"{UPDATED}{LOST_ONE}"

update = partial(case, UPDATE)
rename = partial(case, RENAME)

TABLE = [
    # As wanted.
    update("accepted, as wanted", [(0, ACCEPTED), (0, [AFTER])], success(AFTER)),
    update("accepted, as wanted at last", [(0, ACCEPTED), (0, [BEFORE]), (9, [AFTER])], success(AFTER)),
    update("lost, as wanted", [(0, LOST), (0, [AFTER])], success(AFTER)),
    case(
        UPDATE_SHORT,
        "accepted, as wanted, some not shown, wanted or not",
        [(0, ACCEPTED), (0, [SHORT_AFTER])],
        success(SHORT_AFTER, unverified=FLAGS),
    ),
    update("accepted, among others", [(0, ACCEPTED), (0, [{**BEFORE, "id": 2, "desc": "x"}, AFTER])], success(AFTER)),
    # As wanted, though the request was not carried out: somebody else did it, once two readings agree.
    update("refused, as wanted", [(0, refused(403)), (0, [AFTER])], WATCH),
    update("refused, as wanted twice", [(0, refused(403)), (0, [AFTER]), (1, [AFTER])], unchanged(AFTER)),
    update("refused, as wanted for 3 s", [(0, refused(403)), (3, [AFTER])], unchanged(AFTER)),
    update("not sent, as wanted", [(0, NOT_SENT), (0, [AFTER])], WATCH),
    case(
        UPDATE_SHORT,
        "refused, as wanted twice, some not shown",
        [(0, refused(403)), (0, [SHORT_AFTER]), (1, [SHORT_AFTER])],
        unchanged(SHORT_AFTER, unverified=FLAGS),
    ),
    update(
        "refused, as wanted, then not",
        [(0, refused(403)), (0, [AFTER]), (1, [BEFORE])],
        failure(BEFORE, error_of(UPDATE, 403), changed=False),
    ),
    # As wanted, and another has the key, too, by which the record was found, or which it was to get.
    update(
        "accepted, and another has the key by then",
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2}, AFTER])],
        failure(AFTER, AMBIGUOUS.replace("www", "web"), changed=True),
    ),
    case(
        UPDATE_BY_ID,
        "accepted, named by id, and another has the key",
        [(0, ACCEPTED), (0, [{**BEFORE, "id": 2}, AFTER])],
        success(AFTER),
    ),
    rename(
        "renamed, and another has the key",
        [(0, ACCEPTED), (0, [RENAMED, OTHER_WWW])],
        failure(RENAMED, AMBIGUOUS, changed=True),
    ),
    rename(
        "refused, renamed by somebody else, and another has the key",
        [(0, refused(409)), (0, [RENAMED, OTHER_WWW]), (1, [RENAMED, OTHER_WWW])],
        failure(RENAMED, AMBIGUOUS, changed=False),
    ),
    rename("not renamed yet, and another has the key", [(0, ACCEPTED), (0, [BEFORE, OTHER_WWW])], WATCH),
    # Not as wanted, and nothing else was changed.
    update("accepted, ignored", [(0, ACCEPTED), (2.9, [BEFORE])], WATCH),
    update("accepted, ignored for 3 s", [(1, ACCEPTED), (4, [BEFORE])], failure(BEFORE, IGNORED, changed=False)),
    update("accepted, altered", [(0, ACCEPTED), (2.9, [OTHER])], WATCH),
    update(
        "accepted, altered for 3 s",
        [(0, ACCEPTED), (3, [OTHER])],
        failure(OTHER, verified(UPDATE, 200, ALTERED), changed=True),
    ),
    case(
        UPDATE_SHORT,
        "accepted, ignored for 3 s, one not shown",
        [(0, ACCEPTED), (3, [SHORT])],
        failure(SHORT, IGNORED, changed=True, unverified=FLAGS, is_unseen=True),
    ),
    case(
        UPDATE_HIDDEN,
        "accepted, ignored for 3 s, one given that is not shown",
        [(0, ACCEPTED), (3, [BARE])],
        failure(BARE, NOT_RENAMED, changed=True, unverified=("iprange", *FLAGS), is_unseen=True),
    ),
    case(
        UPDATE_HIDDEN,
        "refused, one given that is not shown",
        [(0, refused(400)), (0, [BARE])],
        failure(BARE, REFUSED, changed=False, unverified=("iprange", *FLAGS)),
    ),
    case(
        UPDATE_HIDDEN,
        "accepted, one given that was not shown, and is now",
        [(0, ACCEPTED), (0, [{**BARE, "desc": "www", "iprange": "*"}])],
        success({**BARE, "desc": "www", "iprange": "*"}, unverified=FLAGS),
    ),
    case(
        UPDATE_HIDDEN,
        "accepted, one given that was not shown, and is now otherwise",
        [(0, ACCEPTED), (3, [{**BARE, "desc": "www", "iprange": "::/0"}])],
        failure(
            {**BARE, "desc": "www", "iprange": "::/0"},
            verified(UPDATE_HIDDEN, 200, f"{UPDATED}not all of it was accepted: iprange is '::/0', wanted '*'"),
            changed=True,
            unverified=FLAGS,
        ),
    ),
    case(
        UPDATE_HIDDEN,
        "lost, ignored for 3 s, one given that is not shown: not called accepted",
        [(0, LOST), (3, [BARE])],
        failure(BARE, UNKNOWN, changed=True, unverified=("iprange", *FLAGS), is_unseen=True),
    ),
    update("lost, ignored", [(0, LOST), (2.9, [BEFORE])], WATCH),
    update("lost, ignored for 3 s", [(0, LOST), (3, [BEFORE])], failure(BEFORE, UNKNOWN, changed=True, is_unseen=True)),
    update("lost, altered", [(0, LOST), (2.9, [OTHER])], WATCH),
    update(
        "lost, altered for 3 s",
        [(0, LOST), (3, [OTHER])],
        failure(OTHER, verified(UPDATE, None, f"{ALTERED}{LAST_LOST}"), changed=True),
    ),
    update("refused, altered", [(0, refused(400)), (0, [OTHER])], failure(OTHER, REFUSED, changed=False)),
    update("broken, ignored", [(0, BROKEN), (2.9, [BEFORE])], WATCH),
    update("refused", [(0, refused(400)), (0, [BEFORE])], failure(BEFORE, REFUSED, changed=False)),
    update("not sent", [(0, NOT_SENT), (0, [BEFORE])], failure(BEFORE, error_of(UPDATE, None), changed=False)),
    update(
        "refused after a loss, ignored for 3 s",
        [(0, refused(400, after_loss=True)), (3, [BEFORE])],
        failure(BEFORE, f"{REFUSED}. {MAY_STILL}", changed=True, is_unseen=True),
    ),
    # In part as wanted.
    rename(
        "lost, half of it taken for 3 s",
        [(0, LOST), (3, [AFTER])],
        failure(AFTER, verified(RENAME, None, f"{HALF_TAKEN}{LAST_LOST}"), changed=True),
    ),
    rename("lost, all of it taken", [(0, LOST), (0, [RENAMED])], success(RENAMED)),
    # Something else was changed too: the whole record is sent, if the console carried out the update at all.
    update("accepted, another field reset", [(0, ACCEPTED), (0, [RESET])], WHOLE),
    # What is no longer shown is not known to have changed, but may have been reset.
    update("accepted, another field no longer shown", [(0, ACCEPTED), (0, [HIDDEN])], WHOLE),
    update(
        "accepted, another field shown again",
        [(0, ACCEPTED), (0, [HIDDEN]), (1, ACCEPTED), (1, [AFTER])],
        success(AFTER, restored=("readonly",)),
    ),
    update(
        "accepted, another field still not shown",
        [(0, ACCEPTED), (0, [HIDDEN]), (1, ACCEPTED), (1, [HIDDEN])],
        success(HIDDEN, unverified=("readonly",)),
    ),
    update(
        "accepted, another field no longer shown, restoring was refused",
        [(0, ACCEPTED), (0, [HIDDEN]), (1, refused(400)), (1, [HIDDEN])],
        success(HIDDEN, unverified=("readonly",)),
    ),
    update(
        "lost, another field no longer shown",
        [(0, LOST), (3, [{**HIDDEN, "iprange": "10.0.0.0/8"}])],
        failure({**HIDDEN, "iprange": "10.0.0.0/8"}, UNKNOWN, changed=True, unverified=("readonly",), is_unseen=True),
    ),
    # Where the field that was to change is no longer shown, what else the update does may be yet to come.
    update("accepted, no longer shown", [(0, ACCEPTED), (2.9, [UNSHOWN])], WATCH),
    update(
        "accepted, no longer shown for 3 s", [(0, ACCEPTED), (3, [UNSHOWN])], success(UNSHOWN, unverified=("iprange",))
    ),
    update(
        "accepted, no longer shown, another field reset",
        [(0, ACCEPTED), (0, [UNSHOWN]), (2, [{**UNSHOWN, "readonly": False}])],
        WHOLE,
    ),
    rename(
        "accepted, one of two no longer shown, the other as wanted",
        [(0, ACCEPTED), (0, [{**UNSHOWN, "desc": "www"}])],
        success({**UNSHOWN, "desc": "www"}, unverified=("iprange",)),
    ),
    update(
        "lost, no longer shown for 3 s",
        [(0, LOST), (3, [UNSHOWN])],
        failure(UNSHOWN, UNKNOWN, changed=True, unverified=("iprange",), is_unseen=True),
    ),
    update("accepted, ignored, another field reset", [(0, ACCEPTED), (0, [MOVED])], WHOLE),
    update("lost, as wanted, another field reset", [(0, LOST), (0, [RESET])], WHOLE),
    rename("lost, half of it taken, another field reset", [(0, LOST), (0, [RESET])], WHOLE_RENAMED),
    update("lost, ignored, another field changed", [(0, LOST), (2.9, [MOVED])], WATCH),
    update(
        "lost, ignored, another field changed for 3 s",
        [(0, LOST), (3, [MOVED])],
        failure(MOVED, verified(UPDATE, None, f"{UPDATED}{NOT_TAKEN}; {MOVED_ONE}{LAST_LOST}"), changed=True),
    ),
    update("refused, another field changed", [(0, refused(400)), (0, [MOVED])], failure(MOVED, REFUSED, changed=False)),
    # The whole record was sent.
    update(
        "restored", [(0, ACCEPTED), (0, [RESET]), (1, ACCEPTED), (1, [AFTER])], success(AFTER, restored=("readonly",))
    ),
    update(
        "two restored, one after the other",
        [(0, ACCEPTED), (0, [RESET_TWO]), (1, ACCEPTED), (1, [RESET]), (2, [AFTER])],
        success(AFTER, restored=("readonly", "appendonly")),
    ),
    update(
        "restored by a request that was lost",
        [(0, ACCEPTED), (0, [RESET]), (1, LOST), (1, [AFTER])],
        success(AFTER, restored=("readonly",)),
    ),
    update("not restored", [(0, ACCEPTED), (0, [RESET]), (1, ACCEPTED), (3.9, [RESET])], WATCH),
    update(
        "not restored for 3 s",
        [(0, ACCEPTED), (0, [RESET]), (1, ACCEPTED), (4, [RESET])],
        failure(RESET, verified(UPDATE, 200, NOT_RESTORED), changed=True),
    ),
    update(
        "two not restored for 3 s",
        [(0, ACCEPTED), (0, [RESET_TWO]), (1, ACCEPTED), (4, [RESET_TWO])],
        failure(RESET_TWO, verified(UPDATE, 200, f"{NOT_RESTORED}; appendonly was true, is false"), changed=True),
    ),
    update(
        "neither taken nor restored for 3 s",
        [(0, ACCEPTED), (0, [MOVED]), (1, ACCEPTED), (4, [MOVED])],
        failure(MOVED, verified(UPDATE, 200, f"{UPDATED}{NOT_TAKEN}; {LOST_ONE}"), changed=True),
    ),
    update(
        "restoring was refused",
        [(0, ACCEPTED), (0, [RESET]), (1, refused(400)), (1, [RESET])],
        failure(RESET, verified(UPDATE, 400, f"{NOT_RESTORED}; the last request failed: {REFUSED}"), changed=True),
    ),
    update("restoring was lost", [(0, ACCEPTED), (0, [RESET]), (1, LOST), (3.9, [RESET])], WATCH),
    update(
        "restoring was refused, and all is as before",
        [(0, ACCEPTED), (0, [RESET]), (1, refused(400)), (1, [BEFORE])],
        failure(BEFORE, REFUSED, changed=False),
    ),
    # The record is gone, once two readings agree.
    update("accepted, gone", [(0, ACCEPTED), (0, [])], WATCH),
    update("accepted, not listed at first", [(0, ACCEPTED), (0, []), (1, [AFTER])], success(AFTER)),
    update(
        "accepted, gone twice",
        [(0, ACCEPTED), (0, []), (1, [])],
        failure(None, DISAPPEARED, changed=True, is_unseen=True),
    ),
    update(
        "accepted, gone for 3 s", [(0, ACCEPTED), (3, [])], failure(None, DISAPPEARED, changed=True, is_unseen=True)
    ),
    update("lost, gone", [(0, LOST), (0, [])], WATCH),
    update(
        "lost, gone twice",
        [(0, LOST), (0, []), (1, [])],
        failure(None, error_of(UPDATE, None), changed=True, is_unseen=True),
    ),
    update("refused, gone", [(0, refused(404)), (0, [])], WATCH),
    update(
        "refused, gone twice",
        [(0, refused(404)), (0, []), (1, [])],
        failure(None, error_of(UPDATE, 404), changed=False),
    ),
    update("accepted, restoring was refused, gone", [(0, ACCEPTED), (0, [RESET]), (1, refused(404)), (1, [])], WATCH),
    update(
        "accepted, restoring was refused, gone twice",
        [(0, ACCEPTED), (0, [RESET]), (1, refused(404)), (1, []), (2, [])],
        failure(None, error_of(UPDATE, 404), changed=True, is_unseen=True),
    ),
    update(
        "accepted, replaced by another",
        [(0, ACCEPTED), (0, [{**AFTER, "id": 2}]), (1, [{**AFTER, "id": 2}])],
        failure(
            None, verified(UPDATE, 200, f"{GONE}; export 'web' (id 2) is listed by now"), changed=True, is_unseen=True
        ),
    ),
    case(
        UPDATE_SHORT,
        "accepted, gone, one not shown",
        [(0, ACCEPTED), (0, []), (1, [])],
        failure(None, DISAPPEARED, changed=True, unverified=("readonly",), is_unseen=True),
    ),
]


@pytest.mark.parametrize(("action", "before", "timeline", "expected"), TABLE)
def test_decision(action: Action, before: list[Record], timeline: list[Event], expected: Expected) -> None:
    assert decided(action, before, timeline) == expected


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
