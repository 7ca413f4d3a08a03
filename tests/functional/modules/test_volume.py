# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module volume after a write: reading the list, waiting until the volume is ready, fields without an option."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from emulator.client import Client
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import serve_lists

BUCKET = "https://a.example.com"
A = {"name": "a", "bucket": BUCKET}


@pytest.mark.parametrize("body", ["record", "id", "empty", "page", "html"])
@pytest.mark.parametrize("answers", ["plain", "html", "odd"])
def test_any_response_to_a_creation_will_do(run: Run, emulator: Emulator, body: str, answers: str) -> None:
    emulator.reset(Dialect(create_body=body, answers=answers, list_shape="page", page_size=1))
    emulator.add_volume(name="other", bucket=BUCKET)
    assert run("volume", **A)["volume"]["name"] == "a"
    assert [request.method for request in emulator.writes] == ["POST"]


# A list that cannot be read at first, and then is.
GLITCHES = [Fault("html", method="GET", nth=nth) for nth in (2, 6, 8)]
B, GONE = {"name": "b", "bucket": BUCKET}, {"name": "a", "state": "absent"}
LATE: dict[str, tuple[Any, ...]] = {
    "appears": ({"appear_after": 20.0, "create_body": "empty"}, B, GLITCHES, ""),
    "vanishes": ({"vanish_after": 20.0, "answers": "odd"}, GONE, GLITCHES, ""),
    "never appears": ({"appear_after": 1000.0}, B, [], "not listed after 10 s"),
    "never vanishes": ({"vanish_after": 1000.0}, GONE, [], "still listed 10 s after"),
}


@pytest.mark.parametrize(("dialect", "options", "faults", "message"), LATE.values(), ids=LATE)
def test_a_write_that_shows_late_is_waited_for(
    run: Run, emulator: Emulator, dialect: Any, options: Any, faults: list[Fault], message: str
) -> None:
    emulator.reset(Dialect(**dialect))
    emulator.add_volume(**A)
    emulator.inject(*faults)
    result = run("volume", **options, wait_timeout=10 if message else 60)
    assert ("failed" in result, result["changed"], len(emulator.writes)) == (bool(message), True, 1)
    assert message in result["msg"]


def test_waits_until_the_volume_is_ready(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.reset(Dialect(ready_after=20.0))
    run("volume", **A, wait=False)
    run("volume", name="a", check=True)
    assert clock.slept == []
    emulator.forget_requests()
    assert run("volume", name="a")["changed"] is False
    assert 20 <= sum(clock.slept) < 30
    assert [request.path for request in emulator.requests].count("/volumes") == 2, "a question does not read the list"
    run("volume", name="b", bucket=BUCKET)
    assert 40 <= sum(clock.slept) < 60


@pytest.mark.parametrize("wait_timeout", [2, 60])
def test_a_vanishing_volume_is_an_error(run: Run, emulator: Emulator, clock: FakeClock, wait_timeout: int) -> None:
    emulator.reset(Dialect(ready_after=10.0))

    def remove() -> None:
        with Client.of(emulator, clock=clock.time) as other:
            other.send("DELETE", f"/volumes/{emulator.volumes()[0]['id']}")

    clock.on_next_sleep(remove)
    assert "disappeared while" in run("volume", **A, wait_timeout=wait_timeout)["msg"]


@pytest.mark.parametrize(("times", "is_gone"), [(1, False), (3, False), (4, True)])
def test_a_volume_is_gone_only_if_four_lists_say_so(
    run: Run, emulator: Emulator, clock: FakeClock, times: int, is_gone: bool
) -> None:
    emulator.reset(Dialect(ready_after=0.1))
    emulator.inject(Fault("wrong_json", method="GET", path="/volumes$", nth=3, times=times, value=[]))
    assert ("disappeared while" in run("volume", **A)["msg"]) is is_gone
    assert len(clock.slept) == 1 + min(times, 3), "once for the question, and between two lists"


def test_a_volume_that_does_not_get_ready_is_reported_as_created(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(ready_after=1000.0))
    result = run("volume", **A, wait_timeout=30)
    assert (result["failed"], result["changed"], result["volume"]["name"]) == (True, True, "a")
    assert ("not ready within 30 s" in result["msg"], "wait_timeout" in result["msg"]) == (True, True)


@pytest.mark.parametrize("answers", ["plain", "terse", "html", "odd"])
def test_without_readiness_nothing_is_waited_for(run: Run, emulator: Emulator, clock: FakeClock, answers: str) -> None:
    emulator.reset(Dialect(ready_after="unknown", answers=answers))
    assert run("volume", **A)["changed"]
    assert clock.slept == []


ODD: dict[str, tuple[Any, ...]] = {
    "503 once": ({"kind": "status", "status": 503}, True),
    "429 once": ({"kind": "status", "status": 429}, True),
    "500 three times": ({"kind": "status", "times": 3}, True),
    "cut off for ever": ({"kind": "truncate", "times": None}, False),
    "a text": ({"kind": "wrong_json", "value": {"is_ready": "yes"}, "times": None}, True),
    "nothing": ({"kind": "wrong_json", "value": {}, "times": None}, True),
    "true alone": ({"kind": "wrong_json", "value": True, "times": None}, True),
}


@pytest.mark.parametrize(("fault", "works"), ODD.values(), ids=ODD)
def test_odd_answers_to_the_question_whether_it_is_ready(run: Run, emulator: Emulator, fault: Any, works: bool) -> None:
    emulator.inject(Fault(path="is_ready", **fault))
    result = run("volume", **A)
    assert ("failed" not in result, result["changed"]) == (works, True)


@pytest.mark.parametrize("glitch", ["html 200", "empty 200", "wrong_json 200", "status 401", "status 404"])
def test_a_console_that_said_not_ready_is_believed(run: Run, emulator: Emulator, clock: FakeClock, glitch: str) -> None:
    emulator.reset(Dialect(ready_after=5.0))
    kind, status = glitch.split()
    emulator.inject(Fault(kind, path="is_ready", nth=3, status=int(status), value={"is_ready": "yes"}))
    assert "failed" not in run("volume", **A)
    assert sum(clock.slept) >= 5


@pytest.mark.promise("unshown-is-unverified")
def test_an_option_that_the_console_does_not_show_is_unverified(run: Run, emulator: Emulator) -> None:
    serve_lists(emulator, "volumes$", [{"id": 1, "name": "a"}])
    result = run("volume", name="a", compress="zstd", region=1)
    assert (result["changed"], result["unverified"]) == (False, ["region", "compress"])
    assert any("region, compress" in warning for warning in result["warnings"])
    emulator.clear_faults()
    created = run("volume", **A, extra_fields={"flavour": "vanilla"})
    assert (created["changed"], created["unverified"]) == (True, ["flavour"])
