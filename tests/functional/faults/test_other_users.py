# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Other users who change the same records meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from emulator.client import Client
from functional.support.faults import others
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"


def meanwhile(emulator: Emulator, clock: FakeClock, volume: int, **fields: Any) -> None:
    """Let another user change the export when the task waits for the first time: after its read, before its write."""
    emulator.inject(Fault("status", method="PUT", status=429, retry_after=1))
    (export,) = emulator.exports(volume)

    def change() -> None:
        body = {"desc": export["desc"], "iprange": export["iprange"], **fields}
        with Client.of(emulator, clock=clock.time) as other:
            assert other.send("PUT", f"/volumes/{volume}/exports/{export['id']}", body).status == 200
        emulator.inject(*later)

    later = [Fault("status", method="PUT", status=400, times=None)]
    clock.on_next_sleep(change)


@pytest.mark.promise("refused-update-leaves-others-alone")
@pytest.mark.parametrize("module", ["export", "exports"])
@pytest.mark.parametrize("fields", [{"readonly": True}, {"iprange": "172.16.0.0/12"}])
def test_after_a_refused_update_what_others_changed_is_left_alone(
    run: Run, emulator: Emulator, clock: FakeClock, module: str, fields: dict[str, Any]
) -> None:
    emulator.reset(Dialect(put="any"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    meanwhile(emulator, clock, volume, **fields)
    item = {"desc": "web", "iprange": "192.168.0.0/16"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert result["failed"]
    assert result["changed"] is False
    assert result["failure"]["status"] == 400
    (export,) = emulator.exports(volume)
    assert {**export, **fields} == export
    ours = [request for request in emulator.writes if b"192.168" in request.body]
    assert len(ours) == 2
    assert b"readonly" not in b"".join(request.body for request in ours)


BEFORE_POST = ("POST", 1, "before")
REFUSED = [409, 400, 422]


@pytest.mark.promise("refusal-is-no-change")
@pytest.mark.parametrize("module", ["quota", "quotas"])
@pytest.mark.parametrize("status", REFUSED)
def test_a_refused_creation_is_ok_and_unchanged_where_somebody_else_made_what_is_wanted(
    run: Run, console: Console, module: str, status: int
) -> None:
    console.emulator.inject(
        others("create", "quotas", console.volume, at=BEFORE_POST, fields={"path": "/a", "size": 5}),
        Fault("status", method="POST", status=status, times=None),
    )
    item = {"path": "/a", "size": 5}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert "failed" not in result
    assert result["changed"] is False
    assert result.get("created", []) == []
    assert len(console.quotas) == 1


@pytest.mark.promise("refusal-is-no-change")
@pytest.mark.parametrize("module", ["quota", "quotas"])
@pytest.mark.parametrize("status", REFUSED)
def test_a_refused_creation_fails_unchanged_where_what_somebody_else_made_is_not_as_wanted(
    run: Run, console: Console, module: str, status: int
) -> None:
    console.emulator.inject(
        others("create", "quotas", console.volume, at=BEFORE_POST, fields={"path": "/a", "size": 6}),
        Fault("status", method="POST", status=status, times=None),
    )
    item = {"path": "/a", "size": 5}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert result["failed"]
    assert result["changed"] is False
    assert result.get("created", []) == []
    assert "created by somebody else" in result["msg"]
    assert "size is 6, wanted 5" in result["msg"]
    assert str(status) in result["msg"]


@pytest.mark.promise("refusal-is-no-change")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_a_record_that_is_deleted_by_somebody_else_before_our_request_is_ok_and_unchanged(
    run: Run, console: Console, module: str
) -> None:
    console.has_export(desc="web", iprange="*")
    console.emulator.inject(others("delete", "exports", console.volume, at=("DELETE", 1, "before"), key="web"))
    item = {"desc": "web", "state": "absent"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert "failed" not in result
    assert result["changed"] is False
    assert result.get("deleted", []) == []


@pytest.mark.promise("lost-deletion-is-repeated")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_a_deletion_whose_repeat_finds_nothing_is_changed(run: Run, console: Console, module: str) -> None:
    console.has_export(desc="web", iprange="*")
    console.emulator.inject(Fault("reset_after", method="DELETE"))
    item = {"desc": "web", "state": "absent"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert "failed" not in result
    assert result["changed"] is True
    assert result.get("deleted", ["web"]) == ["web"]


@pytest.mark.promise("duplicates-are-named")
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_a_rename_onto_a_key_that_somebody_takes_meanwhile_names_both(
    run: Run, console: Console, module: str, moment: str
) -> None:
    quota = console.has_quota(path="/a", size=5)
    console.emulator.inject(
        others("create", "quotas", console.volume, at=("PUT", 1, moment), fields={"path": "/b", "size": 9})
    )
    item = {"id": quota, "path": "/b"}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert result["failed"]
    assert result["changed"] is True
    assert all(str(record["id"]) in result["msg"] for record in console.quotas)
    assert len(console.quotas) == 2


@pytest.mark.promise("omitted-is-untouched")
def test_a_field_that_somebody_changes_meanwhile_is_not_blamed_on_the_console_alone(console: Console) -> None:
    console.reset(put="any")
    console.has_quota(path="/a", size=5, inodes=7)
    console.emulator.inject(
        others("update", "quotas", console.volume, at=("PUT", 1, "after"), key="/a", fields={"inodes": 9})
    )
    result = console.quota(path="/a", size=8192)
    (warning,) = result["warnings"]
    assert "inodes changed meanwhile, by the console or by somebody else" in warning
    assert console.quotas[0]["inodes"] == 7


@pytest.mark.promise("omitted-is-untouched")
def test_a_field_that_somebody_changes_for_good_is_not_blamed_on_the_console_alone(console: Console) -> None:
    console.has_quota(path="/a", size=5, inodes=7)
    console.emulator.inject(
        others("update", "quotas", console.volume, at=("PUT", 1, "after"), key="/a", fields={"inodes": 9})
    )
    result = console.quota(path="/a", size=6)
    assert result["failed"]
    assert result["changed"] is True
    assert "changed meanwhile, by the console or by somebody else" in result["msg"]
    assert "inodes was 7, is 9" in result["msg"]


@pytest.mark.promise("refusal-is-no-change")
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_a_refused_creation_is_unchanged_where_somebody_else_made_two(run: Run, console: Console, module: str) -> None:
    other = others("create", "quotas", console.volume, at=BEFORE_POST, fields={"path": "/a", "size": 5})
    console.emulator.inject(other, other, Fault("status", method="POST", status=409, times=None))
    item = {"path": "/a", "size": 5}
    result = run(module, volume="v", **(item if module == "quota" else {"quotas": [item]}))
    assert result["failed"]
    assert "several quotas with the path '/a'" in result["msg"]
    assert result["changed"] is False
    assert result.get("created", []) == []
