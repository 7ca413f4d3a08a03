# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever happens to a probe, it removes what it made, touches nothing else, and names what it could not remove."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.probe.consoles import SCRATCH, existing, probed, records
from functional.support.inprocess import FakeClock
from probe.runner import Target

# How many requests a probe makes of the default dialect.
MOMENTS = range(1, 52)
USERS: list[tuple[str, list[str], list[str]]] = [("other", ["web"], []), ("mine", [], [])]


@pytest.fixture(autouse=True)
def _no_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probe.replay._replayed", lambda run, _profile: run)


# A body that is cut off is no answer, like none at all: that shows at a few moments.
TROUBLE = [
    *(Fault("status", nth=moment, times=None, status=500) for moment in MOMENTS),
    *(Fault("reset_after", nth=moment) for moment in MOMENTS),
    *(Fault("truncate", nth=moment) for moment in MOMENTS[3::8]),
]


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("fault", TROUBLE, ids=lambda fault: f"{fault.kind} at {fault.nth}")
@pytest.mark.parametrize("is_scratch", [True, False], ids=["new", "existing"])
def test_a_failure_at_any_request(emulator: Emulator, clock: FakeClock, fault: Fault, *, is_scratch: bool) -> None:
    target = existing(emulator)
    emulator.inject(fault)
    outcome = probed(emulator, clock, SCRATCH if is_scratch else target)
    if fault.times is None:
        assert records(emulator) == USERS or outcome.left
        return
    assert records(emulator) == USERS
    assert all("its creation was not answered" in text for text in outcome.left)


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interruption(emulator: Emulator, clock: FakeClock, moment: int, monkeypatch: pytest.MonkeyPatch) -> None:
    target, sleep, calls = existing(emulator), clock.sleep, []

    def interrupted(seconds: float) -> None:
        calls.append(seconds)
        if len(calls) == moment:
            raise KeyboardInterrupt
        sleep(seconds)

    monkeypatch.setattr(clock, "sleep", interrupted)
    for used in (SCRATCH, target):
        calls.clear()
        outcome = probed(emulator, clock, used)
        assert records(emulator) == USERS or any("interrupted" in text for text in outcome.left)
        assert (outcome.error == "interrupted") or len(calls) < moment or outcome.left


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("late", [8.0, 100.0, 1000.0])
@pytest.mark.parametrize("body", ["record", "empty"])
def test_a_volume_that_is_listed_late_is_removed_or_named(
    emulator: Emulator, clock: FakeClock, late: float, body: str
) -> None:
    emulator.reset(Dialect(appear_after=late, unique_keys=True, required="name", create_body=body))
    outcome = probed(emulator, clock)
    is_left = late == 1000.0 and body == "empty"
    assert outcome.left == (["volume 'scratch' may be left: it is not listed"] if is_left else [])
    assert [volume["name"] for volume in emulator.volumes()] == ["scratch"] * is_left
    assert (outcome.error == "") is (late == 8.0)


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize(("body", "is_left"), [("id", False), ("record", True)])
def test_a_volume_without_an_id_in_lists(emulator: Emulator, clock: FakeClock, body: str, *, is_left: bool) -> None:
    emulator.reset(Dialect(ids="missing", create_body=body))
    outcome = probed(emulator, clock)
    assert bool(emulator.volumes()) is is_left is bool(outcome.left)


def test_a_volume_that_cannot_be_deleted_while_it_is_not_empty(emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(Fault("status", method="DELETE", path="/volumes/[0-9]+$", status=409))
    outcome = probed(emulator, clock)
    assert (outcome.left, emulator.volumes()) == ([], [])


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("status", ["404", "405", "501"])
def test_records_that_cannot_be_deleted_are_named_and_not_added_to(
    emulator: Emulator, clock: FakeClock, status: str
) -> None:
    emulator.reset(Dialect(delete_children=status))
    outcome = probed(emulator, clock, existing(emulator))
    assert [len(keys) for _name, *lists in records(emulator)[1:] for keys in lists] == [1, 1]
    assert [text.partition(" ")[0] for text in outcome.left] == ["export", "quota"]
    assert outcome.profile["delete_children"]["value"] == status


@pytest.mark.promise("probe-touches-only-its-own")
@pytest.mark.parametrize("status", [409, 400])
def test_a_volume_that_may_be_somebody_elses_is_named_and_left(
    emulator: Emulator, clock: FakeClock, status: int
) -> None:
    emulator.inject(Fault("status", method="POST", path="/volumes$", status=status, times=None, effect=True))
    outcome = probed(emulator, clock, Target("scratch"))
    assert f"the console refuses the volume: HTTP {status}" in outcome.error
    emulator.clear_faults()
    # The emulator wants a bucket, so the effect was none: somebody else was quicker.
    change = {"action": "create", "resource": "volumes", "fields": {"name": "scratch"}}
    emulator.inject(Fault("meanwhile", method="POST", moment="after", change=change))
    outcome = probed(emulator, clock, Target("scratch"))
    assert [volume["name"] for volume in emulator.volumes()] == ["scratch"]
    assert "may be somebody else's" in outcome.left[0]
    assert not [request for request in emulator.writes if request.method == "DELETE"]


@pytest.mark.promise("probe-touches-only-its-own")
def test_an_id_that_is_listed_as_another_record_is_not_deleted(emulator: Emulator, clock: FakeClock) -> None:
    other = emulator.add_volume(name="other", bucket="https://other.example.com")
    fault = Fault("wrong_json", method="POST", path="/volumes$", times=None, status=201, value={"id": other})
    emulator.inject(fault)
    outcome = probed(emulator, clock)
    assert [volume["id"] for volume in emulator.volumes()] == [other]
    assert outcome.left


@pytest.mark.promise("probe-touches-only-its-own")
@pytest.mark.parametrize(
    ("seed", "target", "message"),
    [
        ({"name": "scratch"}, SCRATCH, "a volume 'scratch' exists"),
        ({"name": " scratch "}, SCRATCH, "a volume 'scratch' exists"),
        ({"name": "mine"}, Target(existing=1), "no volume has the id 1"),
        ({"name": "mine", "id": 7}, Target(existing=7), "the volume has exports or quotas"),
    ],
)
def test_a_volume_that_somebody_needs_is_refused(
    emulator: Emulator, clock: FakeClock, seed: dict[str, Any], target: Target, message: str
) -> None:
    emulator.add_export(emulator.add_volume(bucket="https://v.example.com", **seed), desc="web", iprange="*")
    outcome = probed(emulator, clock, target)
    assert message in outcome.error
    assert (emulator.writes, outcome.left) == ([], [])


@pytest.mark.parametrize("broken", [{"ids": "missing"}, {"keys": "null"}, {"list_shape": "total", "page_size": 1}])
def test_a_list_in_which_a_volume_might_not_be_found_is_refused(
    emulator: Emulator, clock: FakeClock, broken: dict[str, Any]
) -> None:
    emulator.reset(Dialect(**broken))
    for name in ("one", "two"):
        emulator.add_volume(name=name)
    outcome = probed(emulator, clock)
    assert "so a volume might not be found again" in outcome.error
    assert emulator.writes == []
