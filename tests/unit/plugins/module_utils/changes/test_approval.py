# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What may be done, as tables: the checksum of a plan, its valid forms, and limits on how much is removed."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.approval import (
    NO_CHANGES,
    Terms,
    make_plan,
    plan_checksum,
    read_expected,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.entries import list_entries
from ansible_collections.managedfs.console.plugins.module_utils._internal.changes.limit import (
    Removal,
    read_limit,
    refuse_excess,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import (
    QUOTA,
    VOLUME,
    Resource,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.section import Section
from ansible_collections.managedfs.console.plugins.module_utils._internal.values import Echoes
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import volume, wanted

ADDRESS = "https://console.example.com"
PARENT = {"id": 1, "name": "v", "size": 7}
OLD = {"id": 5, "path": "/a", "size": 1024, "inodes": 0, "used": 3}


def checksum(
    resource: Resource = QUOTA,
    record: dict[str, Any] | None = None,
    address: str = ADDRESS,
    volume: dict[str, Any] | None = None,
    present: bool = True,
    **values: Any,
) -> str:
    """Return the checksum of the plan to bring one record to these values."""
    goal = wanted(resource, present=present, **values)
    return plan_checksum(address, entries([goal], record, volume))


def entries(
    goals: list[Goal], record: dict[str, Any] | None = None, volume: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return the entries of the plan for one list, with at most one record."""
    return list_entries(planned(goals, record, volume), is_whole=True)


def planned(goals: list[Goal], record: dict[str, Any] | None = None, volume: dict[str, Any] | None = None) -> Section:
    """Return one list, with at most one record, once it is planned."""
    section = Section(goals[0].resource, goals, volume=volume or PARENT)
    section.records = Records(section.resource, [record] if record else [])
    assert section.plan() == []
    return section


def test_the_checksum_of_nothing_is_a_word() -> None:
    assert plan_checksum(ADDRESS, []) == NO_CHANGES == "nothing"


PLAN = checksum(record=OLD, path="/a", size=2048)


@pytest.mark.parametrize(
    "same",
    [
        pytest.param({"record": {**OLD, "used": 4, "updated": "now"}}, id="usage and times"),
        pytest.param({"record": {**OLD, "size": "1024"}}, id="another form of what is there"),
        pytest.param({"size": "2K"}, id="another form of what is wanted"),
        pytest.param({"volume": {"name": "v", "id": 1, "size": 9}}, id="what else the volume shows"),
    ],
)
def test_what_does_not_move_the_checksum(same: dict[str, Any]) -> None:
    given = {"record": OLD, "path": "/a", "size": 2048, **same}
    assert checksum(**given) == PLAN
    assert read_expected(f" {PLAN}\n") == PLAN


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"record": {**OLD, "size": 1025}}, id="what is there"),
        pytest.param({"record": {**OLD, "inodes": 7}}, id="a field that the request does not carry"),
        pytest.param({"record": {**OLD, "id": 6}}, id="the id"),
        pytest.param({"size": 4096}, id="what is wanted"),
        pytest.param({"path": "/b", "record": {**OLD, "path": "/b"}}, id="the key"),
        pytest.param({"present": False}, id="the action"),
        pytest.param({"record": None}, id="a creation"),
        pytest.param({"volume": {"name": "v", "id": 2}}, id="the id of the volume"),
        pytest.param({"volume": {"name": "w", "id": 1}}, id="the name of the volume"),
        pytest.param({"address": "https://other.example.com"}, id="the console"),
    ],
)
def test_what_moves_the_checksum(other: dict[str, Any]) -> None:
    assert checksum(**{"record": OLD, "path": "/a", "size": 2048, **other}) not in (PLAN, NO_CHANGES)


@pytest.mark.parametrize(
    ("size", "expected", "is_refused"),
    [
        pytest.param(2048, None, False, id="no plan is expected"),
        pytest.param(2048, PLAN, False, id="the plan is the expected one"),
        pytest.param(4096, PLAN, True, id="the plan is another one"),
        pytest.param(2048, NO_CHANGES, True, id="nothing is expected"),
        pytest.param(1024, PLAN, False, id="nothing is left to do"),
    ],
)
def test_only_the_expected_plan_may_be_done(size: int, expected: str | None, is_refused: bool) -> None:
    section = planned([wanted(QUOTA, path="/a", size=size)], OLD)
    plan = make_plan(section, Terms(None, expected, None), ADDRESS, Echoes())
    assert bool(plan.refusal) is is_refused
    assert (plan.checksum == PLAN) is (size == 2048)


def test_the_order_of_actions_does_not_matter_and_their_number_does() -> None:
    one, other = entries([wanted(QUOTA, path=path, size=1) for path in ("/a", "/b")])
    assert plan_checksum(ADDRESS, [one, other]) == plan_checksum(ADDRESS, [other, one])
    assert plan_checksum(ADDRESS, [one, one]) != plan_checksum(ADDRESS, [one])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("v1-" + 64 * "0", "If another version of this collection made it, make the plan again"),
        ("v2-" + 63 * "0", "must be the plan_checksum of a result"),
        ("v2" + 64 * "0", "must be the plan_checksum of a result"),
        ("Nothing", "must be the plan_checksum of a result"),
    ],
)
def test_what_is_no_checksum(bad: str, message: str) -> None:
    with pytest.raises(ConsoleError, match=message):
        read_expected(bad)


# The limit, the removals, the total, whether some are implied, and whether that is too much.
REMOVALS: list[tuple[Any, int, int, bool, bool]] = [
    (None, 5, 5, False, False),
    (None, 4, 5, True, False),
    (None, 5, 5, True, True),
    (None, 0, 0, True, False),
    (0, 0, 5, True, False),
    ("0", 1, 5, False, True),
    (3, 3, 3, True, False),
    ("3", 4, 100, True, True),
    ("3.0", 4, 100, True, True),
    (3.0, 3, 3, True, False),
    ("30.0%", 4, 10, True, True),
    ("30%", 3, 4, True, False),
    ("30%", 3, 3, True, True),
    ("30%", 3, 3, False, False),
    ("30%", 4, 10, True, True),
    ("30%", 4, 4, False, True),
    ("1%", 1, 1, True, True),
    ("99%", 1, 1, True, True),
    (" 30 % ", 31, 100, False, True),
    (" 30 % ", 30, 100, False, False),
    ("0%", 0, 0, True, False),
    ("0%", 1, 1000, False, True),
    ("100%", 7, 7, True, False),
]


@pytest.mark.parametrize(("given", "removed", "total", "is_implied", "too_much"), REMOVALS)
def test_what_exceeds_a_limit(given: Any, removed: int, total: int, is_implied: bool, too_much: bool) -> None:
    limit = read_limit("max_deletions", given, "apply_max_deletions")
    assert Removal(removed, total, is_implied).exceeds(limit) is too_much


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_blank_is_no_limit(blank: Any) -> None:
    assert read_limit("max_deletions", blank, "apply_max_deletions") is None


@pytest.mark.parametrize("bad", ["101%", "-1", "1.5", "30 percent", "%", True, "3%%"])
def test_what_is_no_limit(bad: Any) -> None:
    with pytest.raises(
        ConsoleError, match=r"^max_deletions must be a number, or a share from 0% to 100%, not .*apply_max_d"
    ):
        read_limit("max_deletions", bad, "apply_max_deletions")


@pytest.mark.parametrize(
    ("is_kept", "limit", "is_refused"), [(True, "5", False), (False, "5", True), (False, "100%", False)]
)
def test_a_list_that_cannot_be_read_matters_only_where_it_goes_with_its_volume(
    is_kept: bool, limit: str, is_refused: bool
) -> None:
    root = Section(VOLUME, [volume(name="v", present=is_kept)._replace(children={"quotas": [], "exports": []})])
    root.records = Records(VOLUME, [{"id": 1, "name": "v"}])
    assert root.plan() == []
    for section in root.all_below:
        section.fail(ConsoleError("HTTP 500"))
    if is_refused:
        with pytest.raises(ConsoleError, match="it is not known how much goes with the volume"):
            refuse_excess(root, read_limit("max_deletions", limit, "apply_max_deletions"))
    else:
        refuse_excess(root, read_limit("max_deletions", limit, "apply_max_deletions"))
