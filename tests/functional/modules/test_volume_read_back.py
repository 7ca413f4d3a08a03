# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the module volume makes of the list that it reads after a write."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import CHOICES, Dialect, Emulator, Fault
from functional.support.inprocess import FakeClock, Run

BUCKET = "https://a.example.com"


def test_a_volume_that_appears_late_is_waited_for(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(appear_after=20.0, create_body="empty"))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["changed"]
    assert result["volume"]["name"] == "a"
    assert len(emulator.writes) == 1


def test_a_volume_that_never_appears_is_an_error_that_says_so(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(appear_after=1000.0))
    result = run("volume", name="a", bucket=BUCKET, wait_timeout=10)
    assert result["failed"]
    assert result["changed"]
    assert "not listed after 10 s" in result["msg"]
    message = result["failure"]["message"]
    assert result["failure"] == {"status": 201, "method": "POST", "path": "/api/v1/volumes", "message": message}
    assert result["msg"].startswith(f"{message} (POST /api/v1/volumes: HTTP 201). Console: http://127.0.0.1:")
    assert len(emulator.writes) == 1


def test_a_volume_that_vanishes_late_is_waited_for(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(vanish_after=20.0, answers="odd"))
    emulator.add_volume(name="a", bucket=BUCKET)
    assert run("volume", name="a", state="absent")["changed"]
    assert len(emulator.writes) == 1


def test_a_volume_that_does_not_vanish_is_an_error_that_says_so(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(vanish_after=1000.0))
    emulator.add_volume(name="a", bucket=BUCKET)
    result = run("volume", name="a", state="absent", wait_timeout=10)
    assert result["failed"]
    assert result["changed"]
    assert "still listed 10 s after" in result["msg"]
    assert result["volume"]["name"] == "a"


@pytest.mark.promise("list-settles")
@pytest.mark.parametrize("body", ["record", "id", "empty", "page", "html"])
@pytest.mark.parametrize("answers", CHOICES["answers"])
@pytest.mark.parametrize("shape", ["array", "page"])
def test_any_answer_to_a_creation_will_do(run: Run, emulator: Emulator, body: str, answers: str, shape: str) -> None:
    emulator.reset(Dialect(create_body=body, answers=answers, list_shape=shape, page_size=1))
    emulator.add_volume(name="other", bucket=BUCKET)
    assert run("volume", name="a", bucket=BUCKET)["volume"]["name"] == "a"
    assert run("volume", name="a", bucket=BUCKET)["changed"] is False
    assert run("volume", name="a", state="absent")["changed"]
    assert [request.method for request in emulator.writes] == ["POST", "DELETE"]


def test_a_field_that_was_not_accepted_is_an_error(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    # A console that accepts the creation but stores a bucket other than the one it was sent.
    emulator.inject(Fault("html", method="POST", status=202))
    clock.on_sleep = lambda: emulator.volumes() or emulator.add_volume(name="a", bucket="https://other.example.com")
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]
    assert "bucket is 'https://other.example.com', wanted 'https://a.example.com'" in result["msg"]
    assert result["volume"]["bucket"] == "https://other.example.com"


@pytest.mark.promise("unshown-is-unverified")
def test_an_option_that_the_console_does_not_show_is_told_as_unverified(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("wrong_json", method="GET", path="volumes$", times=None, value=[{"id": 1, "name": "a"}]))
    result = run("volume", name="a", compress="zstd", region=1)
    assert result["changed"] is False
    assert result["unverified"] == ["region", "compress"]
    assert any("region, compress" in warning for warning in result["warnings"])


@pytest.mark.parametrize(
    ("record", "missing"),
    [({"name": "b"}, "id"), ({"id": None, "name": "b"}, "id"), ({"id": 1}, "name"), ({"id": 1, "name": []}, "name")],
)
@pytest.mark.parametrize("state", ["present", "absent"])
def test_records_without_id_or_name_are_no_reason_to_write(
    run: Run, emulator: Emulator, record: dict[str, Any], missing: str, state: str
) -> None:
    emulator.inject(Fault("wrong_json", method="GET", times=None, value=[record]))
    result = run("volume", name="a", bucket=BUCKET, state=state)
    assert f"volumes without a usable {missing}" in result["msg"]
    assert emulator.writes == []


def test_a_field_that_is_filled_in_late_is_waited_for(run: Run, emulator: Emulator, clock: FakeClock) -> None:
    emulator.inject(
        Fault("wrong_json", method="GET", nth=2, value=[{"id": 101, "name": "a", "bucket": ""}]),
    )
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert clock.slept


def test_a_list_that_is_odd_now_and_then_is_looked_at_again(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(appear_after=20.0))
    emulator.inject(*(Fault("html", method="GET", nth=nth) for nth in (2, 6, 8)))
    result = run("volume", name="a", bucket=BUCKET)
    assert "failed" not in result
    assert len(emulator.volumes()) == 1


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
    assert "nested too deeply" in result["msg"]
