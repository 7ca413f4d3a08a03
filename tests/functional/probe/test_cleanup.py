# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever happens to a probe, it removes what it made, in that run or in the next, and names what it could not remove."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.clock import Clock
from emulator import Dialect, Emulator, Fault
from functional.support.cases import KILLS
from functional.support.inprocess import FakeClock, Run, connection_to, run_module

SCRATCH = {"volume": "scratch", "bucket": "https://scratch.example.com"}
# How many requests a probe makes of the default dialect, at least.
REQUESTS = 48
MOMENTS = range(1, REQUESTS + 1)
PATIENCE = 60


def existing(emulator: Emulator) -> dict[str, Any]:
    """Return the options for an empty volume of the user's, which there is beside another."""
    other = emulator.add_volume(name="other", bucket="https://other.example.com")
    emulator.add_export(other, desc="web", iprange="*")
    return {"volume_id": emulator.add_volume(name="mine", bucket="https://mine.example.com"), "use_existing": True}


def records(emulator: Emulator) -> list[tuple[str, list[str], list[str]]]:
    """Return the names of all volumes, with the keys of their exports and quotas."""
    return [
        (
            volume["name"],
            [export["desc"] for export in emulator.exports(volume["id"])],
            [quota["path"] for quota in emulator.quotas(volume["id"])],
        )
        for volume in emulator.volumes()
    ]


USERS: list[tuple[str, list[str], list[str]]] = [("other", ["web"], []), ("mine", [], [])]


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_console_that_fails_for_ever(emulator: Emulator, run: Run, moment: int) -> None:
    emulator.inject(Fault("status", nth=moment, times=None, status=500))
    result = run("probe", **SCRATCH)
    names = [volume["name"] for volume in emulator.volumes()]
    assert len(names) <= 1
    if names:
        assert result["failed"]
        assert result["changed"]
        assert any("scratch-probe-" in text for text in result["left_behind"])
        assert "could not be removed" in result["msg"]
    assert len(emulator.requests) <= 120
    emulator.clear_faults()
    again = run("probe", **SCRATCH)
    assert "failed" not in again, again["msg"]
    assert again["changed"] is bool(names)
    assert emulator.volumes() == []


@pytest.mark.parametrize("moment", MOMENTS[::2])
def test_a_console_that_fails_for_ever_in_a_volume_of_the_users(emulator: Emulator, run: Run, moment: int) -> None:
    options = existing(emulator)
    emulator.inject(Fault("status", nth=moment, times=None, status=500))
    result = run("probe", **options)
    is_clean = records(emulator) == USERS
    assert is_clean or (result["failed"] and result["left_behind"])
    emulator.clear_faults()
    again = run("probe", **options)
    assert "failed" not in again, again["msg"]
    assert again["changed"] is not is_clean
    assert records(emulator) == USERS


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_answer_that_is_lost(emulator: Emulator, run: Run, moment: int) -> None:
    emulator.inject(Fault("reset_after", nth=moment))
    result = run("probe", **SCRATCH)
    assert "failed" not in result, result["msg"]
    assert emulator.volumes() == []
    assert len(emulator.requests) <= 120


@pytest.mark.parametrize("kind", ["reset_before", "truncate", "html"])
@pytest.mark.parametrize("moment", MOMENTS[::6])
def test_an_answer_that_is_another(emulator: Emulator, run: Run, kind: str, moment: int) -> None:
    emulator.inject(Fault(kind, nth=moment, effect=True) if kind == "html" else Fault(kind, nth=moment))
    result = run("probe", **SCRATCH)
    assert emulator.volumes() == []
    # What was answered with 200 and does not show may be there all the same.
    assert all("the console accepted its creation" in left for left in result.get("left_behind", []))
    assert len(emulator.requests) <= 120


def test_a_volume_that_appears_when_its_creation_is_thought_lost(emulator: Emulator, run: Run) -> None:
    emulator.dialect = Dialect(appear_after=3.0)
    emulator.inject(Fault("reset_after", method="POST", path="/volumes", nth=2))
    result = run("probe", **SCRATCH)
    assert "failed" not in result, result["msg"]
    assert emulator.volumes() == []


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("late", [8.0, 100.0])
def test_a_volume_that_a_late_list_hides_is_removed_or_named(emulator: Emulator, run: Run, late: float) -> None:
    emulator.reset(Dialect(appear_after=late, unique_keys=True, bucket_required=False))
    result = run("probe", **SCRATCH, wait_timeout=20)
    left = [volume["name"] for volume in emulator.volumes()]
    assert [any(name in text for text in result["left_behind"]) for name in left] == [True] * len(left)
    assert bool(left) is (late > 20)
    assert not left or (result["failed"] and "does not list it" in result["msg"])
    emulator.dialect = Dialect()
    again = run("probe", **SCRATCH)
    assert "failed" not in again, again["msg"]
    assert emulator.volumes() == []


def test_a_creation_that_was_refused_and_carried_out(emulator: Emulator, run: Run) -> None:
    emulator.inject(Fault("status", method="POST", path="/volumes", nth=2, status=409, effect=True))
    result = run("probe", **SCRATCH)
    assert "the console refused it: HTTP 409" in result["msg"]
    assert emulator.volumes() == []


def test_a_volume_that_cannot_be_deleted_while_it_is_not_empty(emulator: Emulator, run: Run) -> None:
    emulator.inject(Fault("status", method="DELETE", path="/volumes/101", nth=3, status=409))
    result = run("probe", **SCRATCH)
    assert "failed" not in result, result["msg"]
    assert emulator.volumes() == []


@pytest.mark.parametrize("dialect", [{"delete_children": "405"}, {"delete_children": "404"}], ids=str)
def test_records_that_cannot_be_deleted_are_named_and_not_added_to(
    emulator: Emulator, run: Run, dialect: dict[str, Any]
) -> None:
    options = existing(emulator)
    emulator.dialect = Dialect(**dialect)
    result = run("probe", **options)
    assert result["failed"]
    (export, quota) = result["left_behind"]
    assert [len(keys) for _name, *lists in records(emulator)[1:] for keys in lists] == [1, 1]
    assert export.startswith("export probe-")
    assert quota.startswith("quota /probe-")
    assert result["profile"]["delete_children"]["value"] == dialect["delete_children"]


@pytest.mark.promise("probe-touches-only-its-own")
def test_only_what_a_probe_has_named_is_taken_for_its_own(emulator: Emulator, run: Run) -> None:
    for name in ("scratch-probe-0123456789abcdef", "scratch-probe-", "scratch-2", "my-scratch-probe-0123456789abcdef"):
        emulator.add_volume(name=name, bucket="https://v.example.com")
    before = emulator.volumes()
    result = run("probe", **SCRATCH)
    assert "failed" not in result, result["msg"]
    assert emulator.volumes() == before
    assert not any(request.method == "DELETE" and "/101" in request.path for request in emulator.requests)


# What a console may answer that no module expects.
ODD: list[Any] = [
    None,
    [],
    {},
    7,
    "text",
    [None],
    [{"id": None}],
    {"results": {}},
    {"results": [[]]},
    {"count": "x", "results": []},
]
ODD += [
    [{"id": 5, "name": 7, "desc": ["x"], "path": {}, "size": "many", "iprange": 0, "bucket": []}],
    {"id": [1], "name": {}},
]
ODD += [
    {"detail": {"a": 1}},
    {"links": "x", "results": [{"id": True}]},
    {"next": 5, "results": []},
    {"is_ready": "yes"},
]


@pytest.mark.parametrize("value", ODD, ids=str)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_odd_answers(emulator: Emulator, run: Run, method: str, value: Any) -> None:
    for moment, status in ((1, 200), (2, 400), (7, 200)):
        emulator.reset()
        emulator.inject(
            Fault("wrong_json", method=method, nth=moment, times=5, status=status, value=value, effect=True)
        )
        result = run("probe", **SCRATCH)
        assert result["msg"]
        assert "exception" not in result
        assert emulator.volumes() == [] or result["left_behind"]
        assert len(emulator.requests) <= 120


@pytest.mark.promise("probe-cleans-up")
@pytest.mark.parametrize("number", range(KILLS), ids=lambda number: f"kill-{number}")
def test_a_probe_that_is_killed(number: int) -> None:
    draw = random.Random(number)
    with Emulator() as emulator:
        options = {**connection_to(emulator), **(SCRATCH if number % 2 else existing(emulator))}
        users = records(emulator)
        emulator.latency = 0.005
        process = multiprocessing.get_context("spawn").Process(target=run_module, args=("probe", options, Clock()))
        process.start()
        moment, end = draw.randint(1, REQUESTS), time.monotonic() + PATIENCE
        while len(emulator.requests) < moment and time.monotonic() < end:
            time.sleep(0.001)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        emulator.latency = 0.0
        left = records(emulator) != users
        again = run_module("probe", options, FakeClock())
        assert "failed" not in again, again["msg"]
        assert again["changed"] is left
        assert records(emulator) == users
