# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists on a console whose updates reset the fields they leave out: one update goes first, to find out."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Fault
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


def lossy(console: Console, **dialect: Any) -> None:
    """Put quotas with different limits of inodes on a console that loses what an update leaves out."""
    console.reset(put="lose", **dialect)
    for number, inodes in enumerate([0, 0, 7, 8, 7, 9]):
        console.has_quota(path=f"/{number}", size=5, inodes=inodes)


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_list_stops_at_the_first_update_that_loses_something_for_good(
    run: Run, console: Console, concurrency: int
) -> None:
    lossy(console)
    items: list[dict[str, Any]] = [{"path": f"/{number}", "size": 6} for number in range(6)]
    new = {"path": "/new", "size": 6}
    result = run("quotas", volume="v", quotas=[*items, new], concurrency=concurrency)
    assert result["failed"]
    assert (sorted(result["updated"]), result["created"]) == (["/0", "/2"], ["/new"])
    left = {quota["path"]: (quota["size"], quota["inodes"]) for quota in console.quotas}
    assert left == {"/0": (6, 0), "/1": (5, 0), "/2": (6, 0), "/3": (5, 8), "/4": (5, 7), "/5": (5, 9), "/new": (6, 0)}
    assert "inodes was 7, is 0" in result["msg"]
    skipped = [error["msg"] for error in result["errors"] if "skipped" in error["msg"]]
    assert all("an update of quota '/2' (id " in message and "lost inodes" in message for message in skipped)
    assert {error["key"] for error in result["errors"]} == {"/1", "/2", "/3", "/4", "/5"}


@pytest.mark.promise("losses-stop-a-list")
def test_all_lists_of_a_document_stop_where_one_update_loses_something(run: Run, console: Console) -> None:
    lossy(console)
    other = console.emulator.add_volume(name="w", bucket="https://w.example.com")
    console.emulator.add_quota(other, path="/5", size=5, inodes=9)
    document = [{"name": name, "quotas": [{"path": "/5", "size": 6}]} for name in ("v", "w")]
    result = run("volumes", volumes=document)
    assert result["failed"]
    (kept,) = console.emulator.quotas(other)
    assert (kept["size"], kept["inodes"]) == (5, 9)


@pytest.mark.promise("losses-stop-a-list")
def test_what_is_no_longer_shown_may_be_lost_unless_each_item_gives_it(run: Run, console: Console) -> None:
    lossy(console, numbers="omitted")
    items: list[dict[str, Any]] = [{"path": f"/{number}", "size": 6} for number in (3, 4, 5)]
    result = run("quotas", volume="v", quotas=items)
    assert result["failed"]
    assert result["updated"] == ["/3"]
    assert result["unverified"] == ["inodes"]
    assert (
        "the console does not show its inodes, which may be lost. To go on all the same, give inodes in"
        in result["msg"]
    )
    inodes = {"/4": 7, "/5": 9}
    items = [{"path": path, "size": 6, "inodes": number} for path, number in inodes.items()]
    assert "failed" not in run("quotas", volume="v", quotas=items)


@pytest.mark.promise("unshown-is-unverified")
def test_where_the_change_is_hidden_other_fields_are_watched_for_three_seconds(run: Run, console: Console) -> None:
    console.reset(put="reset", put_hides="sent", update_appear_after=2.0)
    console.has_quota(path="/a", size=5, inodes=7)
    result = run("quota", volume="v", path="/a", size=6)
    assert "failed" not in result
    assert result["unverified"] == ["size", "inodes"]
    assert [quota["inodes"] for quota in console.quotas] == [7]


@pytest.mark.promise("unshown-is-unverified")
def test_a_field_that_is_hidden_after_an_update_is_no_failure(run: Run, console: Console) -> None:
    console.reset(put_hides="others")
    console.has_quota(path="/a", size=5, inodes=7)
    result = run("quota", volume="v", path="/a", size=6)
    assert (result.get("failed"), result["changed"], result["unverified"]) == (None, True, ["inodes"])


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize("refused", range(5))
@pytest.mark.parametrize(("put", "kept"), [("lose", 1), ("reset", 0)])
def test_updates_that_are_refused_tell_nothing_of_what_others_do(
    run: Run, console: Console, put: str, kept: int, refused: int
) -> None:
    console.reset(put=put)
    fill(console, 12)
    if refused:
        console.emulator.inject(Fault("status", method="PUT", status=400, times=refused))
    run("quotas", volume="v", quotas=quota_items(12, size=8192))
    lost = [quota["path"] for quota in console.quotas if quota["inodes"] != 7]
    # Each that was refused lets twice as many go ahead.
    assert len(lost) <= kept * (refused + 1)
    whole = [set(body) == WHOLE for _method, body in console.sent]
    assert put == "lose" or whole.count(False) <= 2 * refused + 1


@pytest.mark.promise("losses-stop-a-list")
@pytest.mark.parametrize(
    ("alters", "message"),
    [
        ("vanish", "export 'web-0' (id {}) disappeared while it was being updated"),
        ("replace", "export 'web-0' (id {}) disappeared while it was being updated; export 'web-0' (id "),
        ("token", "could not be restored: token was '********', is '********'"),
    ],
)
def test_a_list_stops_where_an_update_destroys_what_it_updates(
    run: Run, console: Console, alters: str, message: str
) -> None:
    console.reset(put_alters=alters)
    ids = [console.has_export(desc=f"web-{number}", iprange="*", token=f"t{number}") for number in range(6)]
    items = [{"desc": f"web-{number}", "iprange": "10.0.0.0/8"} for number in range(6)]
    result = run("exports", volume="v", exports=items)
    assert result["failed"]
    assert message.format(ids[0]) in result["msg"]
    assert {export["desc"]: export["token"] for export in console.exports if export["desc"] != "web-0"} == {
        f"web-{number}": f"t{number}" for number in range(1, 6)
    }
    assert len(result["errors"]) == 6


@pytest.mark.promise("first-update-goes-ahead")
def test_one_lost_update_does_not_let_the_others_carry_what_the_console_rejects(run: Run, console: Console) -> None:
    console.reset(put="reject")
    fill(console, 6)
    console.emulator.inject(Fault("status", method="PUT", status=500))
    result = run("quotas", volume="v", quotas=quota_items(6, size=8192), retries=0)
    assert len(result["updated"]) == 5
    assert len(result["errors"]) == 1
