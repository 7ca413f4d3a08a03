# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Updates and deletions whose outcome is unknown: no false reports."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import fault_id
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console

BUCKET = "https://a.example.com"


@pytest.mark.promise("lost-deletion-is-repeated")
@pytest.mark.parametrize(
    "fault",
    [
        Fault("reset_before", method="DELETE"),
        Fault("reset_after", method="DELETE"),
        Fault("truncate", method="DELETE"),
        Fault("status", method="DELETE", status=502, effect=True),
        Fault("status", method="DELETE", status=503),
        Fault("status", method="DELETE", status=429),
        Fault("reset_after", method="DELETE", times=None),
    ],
    ids=fault_id,
)
def test_a_deletion_is_repeated_and_done_when_the_record_is_gone(run: Run, emulator: Emulator, fault: Fault) -> None:
    emulator.add_volume(name="a", bucket=BUCKET)
    emulator.inject(fault)
    result = run("volume", name="a", state="absent")
    assert "failed" not in result
    assert result["changed"]
    assert emulator.volumes() == []


@pytest.mark.promise("lost-request-may-count-later")
def test_a_deletion_that_never_works_may_still_be_carried_out(run: Run, emulator: Emulator) -> None:
    emulator.add_volume(name="a", bucket=BUCKET)
    emulator.inject(Fault("reset_before", method="DELETE", times=None))
    result = run("volume", name="a", state="absent", retries=2)
    assert result["failed"]
    assert result["changed"] is True
    assert result["msg"].count("The request may still be carried out.") == 1
    assert result["volume"]["name"] == "a"
    assert len(emulator.writes) == 3
    assert len(emulator.volumes()) == 1


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_console_that_does_not_delete_is_told(run: Run, emulator: Emulator, status: int) -> None:
    emulator.add_volume(name="a", bucket=BUCKET)
    emulator.inject(Fault("status", method="DELETE", status=status, times=None))
    result = run("volume", name="a", state="absent")
    assert result["failed"]
    assert result["changed"] is False
    assert result["failure"]["status"] == status
    assert len(emulator.volumes()) == 1


@pytest.mark.promise("lost-update-is-repeated")
@pytest.mark.parametrize("fault", ["reset_after", "truncate", "reset_before"])
@pytest.mark.parametrize("times", [1, None])
def test_lost_updates(console: Console, fault: str, times: int | None) -> None:
    console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault(fault, method="PUT", times=times))
    result = console.quota(path="/a", size="6", retries=2)
    done = console.quotas[0]["size"] == 6
    assert ("failed" not in result) is done
    assert result["changed"] is True
    assert done or (fault == "reset_before" and times is None and "may still be carried out" in result["msg"])


@pytest.mark.promise("lost-request-may-count-later")
@pytest.mark.parametrize(
    ("options", "kind", "count"),
    [
        ({"desc": "new", "iprange": "*"}, "POST", 2),
        ({"desc": "web", "iprange": "::1"}, "PUT", 1),
        ({"desc": "web", "state": "absent"}, "DELETE", 0),
    ],
    ids=["created", "updated", "deleted"],
)
@pytest.mark.usefixtures("volume")
def test_what_is_carried_out_after_the_task_has_looked_is_not_told_as_unchanged(
    run: Run, emulator: Emulator, clock: FakeClock, volume: int, options: dict[str, Any], kind: str, count: int
) -> None:
    emulator.inject(Fault("status", method=kind, effect=True, effect_after=5.0))
    result = run("export", volume="v", retries=0, **options)
    assert (result["failed"], result["changed"]) == (True, True)
    assert "HTTP 500" in result["msg"]
    assert "The request may still be carried out." in result["msg"]
    clock.now += 5
    assert len(emulator.exports(volume)) == count
    assert kind != "PUT" or emulator.exports(volume)[0]["iprange"] == "::1"


@pytest.mark.promise("absent-means-the-key")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_a_key_that_somebody_else_uses_by_then_is_not_absent(
    run: Run, emulator: Emulator, volume: int, module: str
) -> None:
    news = {"action": "create", "resource": "exports", "volume_id": volume, "fields": {"desc": "web", "iprange": "*"}}
    emulator.inject(Fault("meanwhile", method="DELETE", change=news))
    item = {"desc": "web", "state": "absent"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert result["failed"]
    assert result["changed"] is True
    (left,) = emulator.exports(volume)
    assert f"export 'web' (id {left['id']}) is listed by now" in result["msg"]
    by_id = run("export", volume="v", id=left["id"], state="absent")
    assert "failed" not in by_id


@pytest.mark.promise("slow-deletion-is-waited-for")
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
