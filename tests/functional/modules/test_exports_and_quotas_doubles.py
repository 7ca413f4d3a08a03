# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists that clean up records with the same key: items with ids are what their ids say."""

from __future__ import annotations

from functional.support.inprocess import Run
from functional.support.one_volume import Console


def double(console: Console) -> tuple[int, int]:
    """Put two quotas of one path on the volume, and return their ids."""
    return console.has_quota(path="/a", size=5), console.has_quota(path="/a", size=6)


def test_of_two_records_of_one_key_each_item_with_an_id_is_the_one_of_that_id(run: Run, console: Console) -> None:
    first, second = double(console)
    items = [{"id": first, "path": "/a", "size": 7}, {"id": second, "path": "/a", "state": "absent"}]
    result = run("quotas", volume="v", quotas=items)
    assert "failed" not in result
    assert [(quota["id"], quota["size"]) for quota in console.quotas] == [(first, 7)]
    assert (result["updated"], result["deleted"]) == (["/a"], ["/a"])
    again = run("quotas", volume="v", quotas=items)
    assert again["changed"] is False


def test_both_records_of_one_key_can_be_kept_by_their_ids(run: Run, console: Console) -> None:
    first, second = double(console)
    items = [{"id": first, "path": "/a", "size": 7}, {"id": second, "path": "/a", "size": 8}]
    assert len(run("quotas", volume="v", quotas=items)["updated"]) == 2
    assert [(quota["id"], quota["size"]) for quota in console.quotas] == [(first, 7), (second, 8)]


def test_purge_keeps_the_record_that_an_item_claims_by_id_and_removes_its_double(run: Run, console: Console) -> None:
    _first, second = double(console)
    result = run("quotas", volume="v", quotas=[{"id": second, "path": "/a"}], purge=True)
    assert "failed" not in result
    assert result["deleted"] == ["/a"]
    assert [quota["id"] for quota in console.quotas] == [second]


def test_a_renamed_double_makes_room_for_its_old_key(run: Run, console: Console) -> None:
    first, second = double(console)
    items = [{"id": first, "path": "/b"}, {"id": second, "path": "/a", "size": 6}]
    assert run("quotas", volume="v", quotas=items)["updated"] == ["/b"]
    assert [(quota["id"], quota["path"]) for quota in console.quotas] == [(first, "/b"), (second, "/a")]


def test_one_id_in_two_items_is_refused(run: Run, console: Console) -> None:
    first, _second = double(console)
    items = [{"id": first, "path": "/a", "size": 7}, {"id": first, "path": "/a", "size": 8}]
    result = run("quotas", volume="v", quotas=items)
    assert "refers to the same record" in result["msg"]
    assert console.sent == []


def test_every_deleted_record_is_in_the_diff_of_a_purge(run: Run, console: Console) -> None:
    first, second = double(console)
    console.has_quota(path="/kept", size=1)
    items = [{"path": "/kept"}]
    predicted = run("quotas", volume="v", quotas=items, purge=True, check=True)
    result = run("quotas", volume="v", quotas=items, purge=True)
    assert result["deleted"] == ["/a", "/a"]
    assert predicted["diff"] == result["diff"]
    before = result["diff"]["before"]
    assert sorted(record["size"] for record in before.values()) == [5, 6]
    assert any(str(identity) in " ".join(before) for identity in (first, second))
    assert result["diff"]["after"] == {}
