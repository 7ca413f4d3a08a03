# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The update that goes ahead, as tables: which one it is, and what the others do after what it did."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError, RequestError
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import RetryBudget
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan import Action
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Record, Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    EXPORT,
    QUOTA,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Outcome
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.rounds import (
    carry_out,
    observe_error,
    send,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.reconcile.write_state import Write
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.reconcile.timeline import ScriptedStore
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, plan, quota

# What the console makes of an update: of what it is sent, and of what it is not.
KEEPS = "keeps what is left out"
RESETS = "resets what is left out"
LOSES = "resets all but the address, whatever is sent"
HIDES = "shows only the address, whatever is sent"
IGNORES = "accepts, and does nothing"
REFUSES = "refuses"
RECOVERS = "refuses, and what was reset is as it was"
DROPS = "gives no response, and does nothing"
LATE = "gives no response, and keeps what is left out"
BREAKS = "gives no response once too often"
DELETES = "deletes the record"

FLAGS = {"apionly", "readonly", "appendonly"}


class OneWayStore(ScriptedStore):
    """Treats each update in the next of the given ways, and further ones like the last.

    `log`, which several stores may share, has the id of each record that was sent, and whether it was whole.
    """

    def __init__(self, records: list[Record], ways: list[str], resource: Resource = EXPORT) -> None:
        super().__init__([])
        self.resource = resource
        self.log: list[str] = []
        self.readings = 0
        self._ways = ways
        self._before = {str(record["id"]): record for record in records}
        self._shown = dict(self._before)

    def request(self, method: str, path: str, *, body: Any, budget: RetryBudget | None) -> Response:
        assert (method, budget) == ("PUT", None)
        way, *self._ways = self._ways if len(self._ways) > 1 else self._ways * 2
        identity = path.rpartition("/")[2]
        is_whole = body.keys() | {"id"} == self._before[identity].keys()
        self.log.append(f"{identity} {'whole' if is_whole else 'short'}")
        self._carry_out(way, identity, body)
        if way == BREAKS:
            self.breaker.unanswered = 3
        if way in {REFUSES, RECOVERS, DROPS, BREAKS, LATE}:
            status = 400 if way in {REFUSES, RECOVERS} else None
            raise RequestError(method, path, "the cause", status, maybe_applied=status is None)
        return Response(200, {}, b"")

    def _carry_out(self, way: str, identity: str, body: dict[str, Any]) -> None:
        now, left_out = self._shown[identity], self._before[identity].keys() - body.keys() - {"id"}
        if way in {KEEPS, LATE}:
            self._shown[identity] = {**now, **body}
        elif way == RESETS:
            self._shown[identity] = {**now, **body, **dict.fromkeys(left_out, 0)}
        elif way == LOSES:
            self._shown[identity] = {**now, **body, **dict.fromkeys(now.keys() & FLAGS, False)}
        elif way == HIDES:
            self._shown[identity] = {name: value for name, value in {**now, **body}.items() if name not in FLAGS}
        elif way == RECOVERS:
            self._shown[identity] = {**self._before[identity], "iprange": now["iprange"]}
        elif way == DELETES:
            del self._shown[identity]

    def read(self) -> Records:
        self.readings += 1
        return Records(self.resource, self._shown.values())


def shown(number: int, **fields: Any) -> Record:
    """Return an export that holds something which an update leaves out."""
    return {"id": number, "desc": str(number), "iprange": "*", "readonly": True, **fields}


def update(record: Record) -> Action:
    """Return the update of the address of an export, or of the size of a quota."""
    is_quota = "path" in record
    return plan(
        [record], quota(path=record["path"], size=2) if is_quota else export(desc=record["desc"], iprange="::1")
    )


def open_writes(store: ScriptedStore, records: list[Record]) -> list[Write]:
    """Return the updates of these records, none of which has been sent."""
    return [Write(update(record), Records(store.resource, records), store.as_store, 10.0) for record in records]


def carried_out(writes: list[Write]) -> list[Outcome]:
    """Return what became of updates."""
    carry_out(writes, 1)
    return [write.outcome for write in writes if write.outcome]


def run(store: OneWayStore, records: list[Record]) -> list[Outcome]:
    """Return what became of the updates of these records."""
    return carried_out(open_writes(store, records))


def became(outcome: Outcome) -> str:
    """Return what became of an update, in a word or two."""
    if outcome.error:
        return "skipped" if "was skipped: " in str(outcome.error) else "failed"
    return "restored" if outcome.restored else "updated" if outcome.changed else "unchanged"


# Beside the desc and the address, which each update carries.
NOTHING, EMPTY = {"id": 1, "desc": "1", "iprange": "*"}, shown(1, readonly=False)
ONE, TWO = shown(2), shown(3, apionly=True)
# The exports, and the ids in the order of their updates.
FIRST: dict[str, tuple[list[Record], str]] = {
    "one alone": ([NOTHING], "1"),
    "one that holds more": ([ONE, TWO], "3 2"),
    "one that holds something beside one that holds nothing": ([EMPTY, ONE], "2 1"),
    "one that shows more, but holds nothing": ([NOTHING, shown(4, readonly=False, apionly=False)], "1 4"),
    "the number counts": ([NOTHING, shown(4), shown(5, apionly=True, appendonly=True), TWO], "5 1 4 3"),
    "null holds nothing": ([shown(4, readonly=None), ONE], "2 4"),
}


@pytest.mark.parametrize(("records", "order"), FIRST.values(), ids=FIRST)
def test_the_first_is_the_one_that_leaves_out_the_most(records: list[Record], order: str) -> None:
    store = OneWayStore(records, [KEEPS])
    outcomes = run(store, records)
    assert [became(outcome) for outcome in outcomes] == ["updated"] * len(records)
    assert [text.split()[0] for text in store.log] == order.split()


def test_what_a_request_carries_is_not_left_out() -> None:
    records = [shown(4, apionly=True), shown(5, appendonly=True)]
    store = OneWayStore(records, [KEEPS])
    carries_one = export(desc="4", iprange="::1", apionly=False)._replace(update_create_only=True)
    actions = [plan(records, carries_one), update(records[1])]
    carried_out([Write(action, Records(EXPORT, records), store.as_store, 10.0) for action in actions])
    assert store.log == ["5 short", "4 short"]


SHORT_ALL = "1 short, 2 short, 3 short"
# What becomes of each request in turn, what is sent, and what becomes of three updates.
AFTER: dict[str, tuple[list[str], str, str]] = {
    # The first shows what an update does, so the others do the same.
    "nothing lost": ([KEEPS], SHORT_ALL, "updated, updated, updated"),
    # It had to be restored, so the others carry the whole record.
    "restored": ([RESETS], "1 short, 1 whole, 2 whole, 3 whole", "restored, updated, updated"),
    "back by itself": ([RESETS, RECOVERS, KEEPS], "1 short, 1 whole, 2 whole, 3 whole", "restored, updated, updated"),
    # It lost something, so the others are not sent.
    "lost": ([LOSES], "1 short, 1 whole", "failed, skipped, skipped"),
    "not restored": ([RESETS, REFUSES], "1 short, 1 whole", "failed, skipped, skipped"),
    "no longer shown": ([HIDES], "1 short, 1 whole", "updated, skipped, skipped"),
    "gone": ([DELETES], "1 short", "failed, skipped, skipped"),
    # It was accepted and shows nothing of what it did, so the others carry the whole record.
    "not seen": ([IGNORES, KEEPS], "1 short, 2 whole, 3 whole", "failed, updated, updated"),
    # It got no response and is not seen, so the others are not sent, either.
    "perhaps done": ([DROPS, KEEPS], "1 short", "failed, skipped, skipped"),
    # It was refused, which tells nothing, so another goes ahead.
    "refused, restored": ([REFUSES, RESETS], "1 short, 2 short, 2 whole, 3 whole", "failed, restored, updated"),
    "refused, lost": ([REFUSES, LOSES], "1 short, 2 short, 2 whole", "failed, failed, skipped"),
    "refused, not seen": ([REFUSES, IGNORES, KEEPS], "1 short, 2 short, 3 whole", "failed, failed, updated"),
}


@pytest.mark.parametrize(("ways", "sent", "became_of_each"), AFTER.values(), ids=AFTER)
def test_what_the_others_do_after_the_first(ways: list[str], sent: str, became_of_each: str) -> None:
    records = [shown(number, apionly=False, appendonly=False) for number in (1, 2, 3)]
    store = OneWayStore(records, ways)
    outcomes = run(store, records)
    assert ", ".join(store.log) == sent
    assert ", ".join(map(became, outcomes)) == became_of_each


# How the first update went, and why the second is skipped.
SKIPPED = {
    LOSES: "an update of export '1' (id 1) lost readonly, which could not be restored. Correct that record first",
    DELETES: "an update of export '1' (id 1) lost everything, which could not be restored. Correct that record first",
    HIDES: (
        "since an update of export '1' (id 1), the console does not show its readonly, which may be lost. To go on all"
        " the same, give readonly in each item"
    ),
}


@pytest.mark.parametrize(("way", "reason"), SKIPPED.items(), ids=SKIPPED)
def test_why_an_update_is_skipped(way: str, reason: str) -> None:
    records = [shown(1), shown(2)]
    _first, second = run(OneWayStore(records, [way]), records)
    assert (second.changed, second.record) == (False, records[1])
    assert str(second.error) == f"export '2' (id 2) was skipped: {reason}"


def test_updates_go_ahead_until_one_is_not_refused() -> None:
    records = [shown(number) for number in range(1, 22)]
    store = OneWayStore(records, [REFUSES] * 19 + [LOSES])
    outcomes = run(store, records)
    assert store.log == [*(f"{number} short" for number in range(1, 21)), "20 whole"]
    assert [became(outcome) for outcome in outcomes] == ["failed"] * 20 + ["skipped"]
    # What is refused is read back together.
    assert store.readings < 10


# What becomes of the exports, and what is sent after the first of the quotas.
OF_EACH: dict[str, tuple[list[str], list[str]]] = {
    KEEPS: (["1 short"], ["2 short"]),
    RESETS: (["1 short", "1 whole"], ["2 whole"]),
    LOSES: (["1 short", "1 whole"], []),
}


@pytest.mark.parametrize(("way", "ahead", "others"), [(way, *row) for way, row in OF_EACH.items()], ids=OF_EACH)
def test_one_update_of_each_resource_goes_ahead(way: str, ahead: list[str], others: list[str]) -> None:
    exports = [shown(1), shown(2)]
    quotas = [{"id": number, "path": f"/{number}", "size": 1, "inodes": 7} for number in (3, 4)]
    first, second = OneWayStore(exports, [way]), OneWayStore(quotas, [RESETS], QUOTA)
    second.log = first.log
    carried_out([*open_writes(first, exports), *open_writes(second, quotas)])
    assert first.log == [*ahead, "3 short", "3 whole", *others, "4 whole"]


NO_LIST = ConsoleError("no list")


def test_where_the_list_can_no_longer_be_read_the_others_are_skipped() -> None:
    records = [shown(number, apionly=False, appendonly=False) for number in range(1, 5)]
    store = ScriptedStore([200] * 4, [records, NO_LIST])
    first, *others = carried_out(open_writes(store, records))
    # What was accepted counts as a change.
    assert (first.changed, first.is_seen, became(first)) == (True, False, "failed")
    assert [became(outcome) for outcome in others] == ["skipped"] * 3
    reason = "nothing shows what became of the update of export '1' (id 1). Run the task again"
    assert str(others[0].error) == f"export '2' (id 2) was skipped: {reason}"


@pytest.mark.parametrize(("seconds", "is_over"), [(2.9, False), (3.0, True)])
def test_an_update_is_given_up_where_the_list_cannot_be_read_for_three_seconds(seconds: float, is_over: bool) -> None:
    store = ScriptedStore([200])
    (write,) = open_writes(store, [shown(1)])
    send(write)
    observe_error(write, NO_LIST)
    store.sleep(seconds)
    observe_error(write, NO_LIST)
    assert (write.outcome is not None) is is_over
