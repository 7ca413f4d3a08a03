# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Several things that go wrong in one task, and other users who change the same records meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from emulator.client import Client
from functional.support.inprocess import FakeClock, Run

BUCKET = "https://v.example.com"


@pytest.fixture
def volume(emulator: Emulator) -> int:
    """A volume named v with an export named web."""
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    return volume


def once(act: Callable[[], object]) -> Callable[[], None]:
    """What acts when it is called for the first time only."""
    left = [act]
    return lambda: left.pop()() and None if left else None


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
    clock.on_sleep = once(change)


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


@pytest.mark.parametrize(
    "glitch",
    [{"kind": "html"}, {"kind": "empty"}, {"kind": "status", "status": 401}, {"kind": "status", "status": 404}],
    ids=str,
)
def test_a_console_that_said_not_ready_is_believed(
    run: Run, emulator: Emulator, clock: FakeClock, glitch: dict[str, Any]
) -> None:
    emulator.reset(Dialect(ready_after=5.0))
    started = clock.now
    emulator.inject(Fault(path="is_ready", nth=3, **glitch))
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert clock.now - started >= 5


@pytest.mark.parametrize("wait_timeout", [2, 60])
def test_a_volume_that_goes_while_it_is_waited_for(
    run: Run, emulator: Emulator, clock: FakeClock, wait_timeout: int
) -> None:
    emulator.reset(Dialect(ready_after=10.0))

    def remove() -> None:
        with Client.of(emulator, clock=clock.time) as other:
            other.send("DELETE", f"/volumes/{emulator.volumes()[0]['id']}")

    clock.on_sleep = once(remove)
    result = run("volume", name="a", bucket=BUCKET, wait_timeout=wait_timeout)
    assert result["failed"]
    assert "is no longer listed" in result["msg"]


def test_a_lost_creation_and_then_a_rate_limit_make_no_untold_second(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.dialect = Dialect(appear_after=4.0)
    emulator.inject(Fault("reset_after", method="POST"))
    emulator.inject(Fault("status", method="POST", status=429, nth=2, retry_after=10))
    result = run("export", volume="v", desc="new", iprange="*")
    there = [export for export in emulator.exports(volume) if export["desc"] == "new"]
    assert len(there) == 1
    assert "failed" not in result
    assert result["export"]["id"] == there[0]["id"]


def test_a_lost_creation_whose_repeat_is_refused_is_looked_for_again(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.dialect = Dialect(appear_after=5.0, unique_keys=True)
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("export", volume="v", desc="new", iprange="*")
    assert "failed" not in result
    assert result["changed"]
    assert len(emulator.exports(volume)) == 2


def test_a_lost_creation_whose_repeat_is_refused_and_that_never_shows_may_be_there(
    run: Run, emulator: Emulator, volume: int
) -> None:
    emulator.dialect = Dialect(appear_after=1000.0, unique_keys=True)
    emulator.inject(Fault("reset_after", method="POST"))
    result = run("export", volume="v", desc="new", iprange="*")
    assert result["failed"]
    assert result["changed"]
    assert "An earlier request was not answered, and may have been carried out." in result["msg"]
    assert len(emulator.exports(volume)) == 2


@pytest.mark.parametrize("module", ["export", "exports"])
@pytest.mark.parametrize(
    "fault", [Fault("reset_after", method="DELETE"), Fault("html", method="DELETE", status=502, effect=True)]
)
def test_a_lost_deletion_that_takes_its_time_is_waited_for(
    run: Run, emulator: Emulator, volume: int, module: str, fault: Fault
) -> None:
    emulator.dialect = Dialect(vanish_after=8.0)
    emulator.inject(fault)
    item = {"desc": "web", "state": "absent"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert "failed" not in result
    assert result["changed"]
    assert emulator.exports(volume) == []


@pytest.mark.parametrize("glitch", [Fault("html", method="GET", nth=3), Fault("empty", method="GET", nth=3)])
def test_what_a_console_reset_is_put_back_also_where_a_list_is_odd_once(
    run: Run, emulator: Emulator, glitch: Fault
) -> None:
    emulator.reset(Dialect(put="reset"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8", readonly=True)
    emulator.inject(glitch)
    result = run("export", volume="v", desc="web", iprange="::1")
    (export,) = emulator.exports(volume)
    assert "failed" not in result
    assert (export["iprange"], export["readonly"]) == ("::1", True)


def test_what_was_seen_to_be_absent_is_not_told_as_created(run: Run, emulator: Emulator, volume: int) -> None:
    emulator.inject(*(Fault("reset_before", method="POST", nth=nth) for nth in (2, 4, 6)))
    emulator.inject(Fault("reset_before", method="POST", nth=7, times=None))
    items = [{"path": f"/{number}", "size": 1} for number in range(6)]
    result = run("quotas", volume="v", quotas=items, concurrency=1, retries=1)
    assert sorted(result["created"]) == sorted(quota["path"] for quota in emulator.quotas(volume))
    assert {error["key"] for error in result["errors"]} == {"/1", "/3", "/5"}


@pytest.mark.usefixtures("volume")
def test_what_was_accepted_and_does_not_show_is_not_told_as_created(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("html", method="POST", nth=2))
    items = [{"path": f"/{number}", "size": 1} for number in range(3)]
    result = run("quotas", volume="v", quotas=items, concurrency=1, wait_timeout=1)
    assert result["created"] == ["/0", "/2"]
    assert [error["key"] for error in result["errors"]] == ["/1"]
    assert sorted(result["diff"]["after"]) == ["/0", "/2"]


@pytest.mark.usefixtures("volume")
@pytest.mark.parametrize("status", [302, 303, 408])
@pytest.mark.parametrize(
    "options", [{"desc": "new", "iprange": "*"}, {"desc": "web", "iprange": "::1"}, {"desc": "web", "state": "absent"}]
)
def test_a_redirect_or_time_out_after_the_act_is_looked_into(
    run: Run, emulator: Emulator, status: int, options: dict[str, Any]
) -> None:
    emulator.dialect = Dialect(appear_after=1.0, vanish_after=1.0)
    for method in ("POST", "PUT", "DELETE"):
        kind = "redirect" if status < 400 else "status"
        emulator.inject(Fault(kind, method=method, status=status, effect=True, times=None))
    result = run("export", volume="v", **options)
    assert "failed" not in result
    assert result["changed"]
    assert len(emulator.writes) == 1


def test_a_field_that_is_filled_in_late_is_waited_for(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(
        Fault("wrong_json", method="GET", nth=2, value=[{"id": 101, "name": "a", "bucket": ""}]),
    )
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert clock.slept


@pytest.mark.parametrize("identity", ["7?x", "7#x", "1/../7", "..", ".", "a b", "", "\u0661", "7/"])
def test_an_id_that_means_something_else_in_a_path_is_none(run: Run, emulator: Emulator, identity: str) -> None:
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    records = [{"id": identity, "desc": "web", "iprange": "*"}]
    emulator.inject(Fault("wrong_json", method="GET", path="exports", times=None, value=records))
    result = run("export", volume_id=volume, desc="web", state="absent")
    assert result["failed"]
    assert "without a usable id" in result["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize("depth", [120, 300, 600])
def test_a_record_that_is_nested_too_deeply_is_told_as_created(run: Run, emulator: Emulator, depth: int) -> None:
    deep: Any = 1
    for _level in range(depth):
        deep = [deep]
    emulator.inject(
        Fault("wrong_json", method="GET", nth=2, times=None, value=[{"id": 1, "name": "a", "storage": deep}])
    )
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]
    assert "the answer is nested too deeply" in result["msg"]


@pytest.mark.parametrize(("module", "option"), [("volume", "extra_fields"), ("api_request", "body")])
def test_options_that_are_nested_too_deeply_are_refused(run: Run, emulator: Emulator, module: str, option: str) -> None:
    deep: Any = {"a": 1}
    for _level in range(120):
        deep = {"a": deep}
    usual = {"name": "a"} if module == "volume" else {"method": "POST", "path": "volumes"}
    result = run(module, **usual, **{option: deep})
    assert result["failed"]
    assert f"{option} is nested too deeply" in result["msg"]
    assert emulator.requests == []


def test_a_list_that_is_odd_now_and_then_is_looked_at_again(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(appear_after=20.0))
    emulator.inject(*(Fault("html", method="GET", nth=nth) for nth in (2, 6, 8)))
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert len(emulator.volumes()) == 1
