# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists on a console whose updates reset the fields they leave out: one update goes first, to find out."""

from __future__ import annotations

from typing import Any

import pytest

from functional.modules.list_items import quota_items
from functional.support.inprocess import Run
from functional.support.one_volume import Console

WHOLE = {"path", "size", "inodes"}


def fill(console: Console, count: int) -> None:
    """Put that many quotas on the volume, each with a limit of inodes."""
    for item in quota_items(count, size=5):
        console.has_quota(**item, inodes=7)


@pytest.mark.promise("first-update-goes-ahead")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_only_the_first_update_of_a_list_is_ever_without_its_other_fields(
    run: Run, console: Console, concurrency: int
) -> None:
    console.reset(put="reset")
    fill(console, 20)
    result = run("quotas", volume="v", quotas=quota_items(20), concurrency=concurrency)
    assert len(result["updated"]) == 20
    assert {quota["inodes"] for quota in console.quotas} == {7}
    assert [set(body) == WHOLE for _method, body in console.sent] == [False] + [True] * 20
    methods = [request.method for request in console.emulator.requests]
    assert "GET" in methods[methods.index("PUT") + 1 :][:1]


@pytest.mark.parametrize("put", ["documented", "any", "reject"])
def test_where_nothing_is_reset_the_others_carry_the_documented_fields(run: Run, console: Console, put: str) -> None:
    console.reset(put=put)
    fill(console, 5)
    assert len(run("quotas", volume="v", quotas=quota_items(5))["updated"]) == 5
    assert [set(body) for _method, body in console.sent] == [{"path", "size"}] * 5
    assert {quota["inodes"] for quota in console.quotas} == {7}


@pytest.mark.promise("first-update-goes-ahead")
def test_a_first_update_that_fails_does_not_let_the_others_go_blindly(run: Run, console: Console) -> None:
    console.reset(put="reset", put_alters="caps")
    console.has_quota(path="/first", size=5, inodes=7)
    fill(console, 5)
    items: list[dict[str, Any]] = [{"path": "/first", "size": "2G"}, *quota_items(5)]
    result = run("quotas", volume="v", quotas=items)
    assert result["failed"]
    assert {quota["inodes"] for quota in console.quotas} == {7}
    assert [set(body) == WHOLE for _method, body in console.sent].count(False) == 1


@pytest.mark.promise("first-update-goes-ahead")
def test_while_the_first_update_does_not_show_the_others_do_not_go_blindly(run: Run, console: Console) -> None:
    console.reset(put="reset", update_appear_after=5.0)
    fill(console, 5)
    run("quotas", volume="v", quotas=quota_items(5))
    assert [quota["inodes"] for quota in console.quotas].count(7) >= 4


@pytest.mark.promise("first-update-goes-ahead")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_first_update_is_whole_again_before_anything_else_is_written(
    run: Run, console: Console, concurrency: int
) -> None:
    console.reset(put="reset")
    fill(console, 2)
    items = [*quota_items(2), *({"path": f"/new/{number}", "size": 5} for number in range(20))]
    run("quotas", volume="v", quotas=items, concurrency=concurrency)
    updates = [number for number, (method, _body) in enumerate(console.sent) if method == "PUT"]
    assert updates[1] == updates[0] + 1
