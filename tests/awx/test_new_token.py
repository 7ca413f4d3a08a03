# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The workflow for a new token: both are valid until somebody approves, and AWX stores neither."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from awx.client import Awx
from awx.conftest import Ask, Decide, Installation, Launch, Start, Steps
from emulator import Emulator

RIGHTS = {"iprange": "10.0.0.0/8", "readonly": True}
WEB = {"rotate_volume": "projects", "rotate_desc": "web"}


@pytest.fixture
def volume(console: Emulator) -> int:
    """Return the id of a volume with three exports."""
    volume = console.add_volume(name="projects", bucket="https://projects.example.com")
    for desc in ("web", "010", "8"):
        console.add_export(volume, desc=desc, **RIGHTS)
    return volume


def named(console: Emulator, volume: int, desc: str) -> dict[str, dict[str, Any]]:
    """Return the exports whose description begins with a text, by the rest of their descriptions."""
    exports = [export for export in console.exports(volume) if export["desc"].startswith(desc)]
    return {export["desc"].removeprefix(desc): export for export in exports}


def stored(awx: Awx, run: dict[str, Any]) -> str:
    """Return everything that AWX stores of a workflow run."""
    approval = awx.get(awx.nodes(run)["approve"]["url"])
    jobs = [awx.ended(step).stored for name, step in awx.nodes(run).items() if name != "approve"]
    return json.dumps([awx.get(run["url"]), approval]) + "".join(jobs)


def interrupt(awx: Awx, console: Emulator, run: dict[str, Any], writes: int) -> None:
    """Cancel a workflow after a number of writes. Until it has ended, the console delays the next request."""
    end = time.monotonic() + 120
    while len(console.writes) < writes and time.monotonic() < end:
        time.sleep(0.02)
    console.latency = 60
    awx.post(run["related"]["cancel"])
    assert awx.wait(run)["status"] == "canceled"
    console.latency = 0


def test_the_old_token_goes_once_the_clients_use_the_new_one(
    awx: Awx, ask: Ask, steps: Steps, decide: Decide, console: Emulator, volume: int
) -> None:
    old = named(console, volume, "010")[""]
    run = ask("new token", rotate_volume="projects", rotate_desc="'010'")
    assert steps(run) == {"start": "successful", "approve": "pending"}
    both = named(console, volume, "010")
    new = both.get(" (next)", {})
    assert both == {"": old, " (next)": {**old, "id": new["id"], "token": new["token"], "desc": "010 (next)"}}
    assert new["token"] != old["token"]
    assert f"on {console.url}. Approve once" in awx.get(awx.nodes(run)["approve"]["url"])["description"]
    assert decide(run, "approve") == "successful"
    assert named(console, volume, "010") == {"": {**new, "desc": "010"}}
    assert old["token"] not in console.tokens()
    assert awx.ended(awx.nodes(run)["start"]).record["artifacts"] == {"managedfs_rotation": {"localhost": new["id"]}}
    everything = stored(awx, run)
    assert [each for each in (console.secret_key, old["token"], *console.tokens()) if each in everything] == []


@pytest.fixture
def short_time(awx: Awx, installation: Installation) -> Iterator[None]:
    """Make the approval time out after a second. The setup must restore the timeout."""
    workflow = awx.named("workflow_job_templates", f"{installation.prefix}: new token")
    nodes = awx.get(workflow["related"]["workflow_nodes"])["results"]
    (approval,) = [node["related"]["unified_job_template"] for node in nodes if node["identifier"] == "approve"]
    awx.call("PATCH", approval, {"timeout": 1})
    yield
    installation.run()
    assert awx.get(approval)["timeout"] == 7 * 24 * 3600


@pytest.mark.parametrize("answer", ["deny", "none"])
def test_no_token_goes_where_nobody_approves(
    request: pytest.FixtureRequest,
    answer: str,
    awx: Awx,
    ask: Ask,
    steps: Steps,
    decide: Decide,
    launch: Launch,
    console: Emulator,
    volume: int,
) -> None:
    old = named(console, volume, "web")[""]
    if answer == "none":
        request.getfixturevalue("short_time")
    run = ask("new token", **WEB)
    status = decide(run, answer) if answer == "deny" else awx.wait(run)["status"]
    assert (status, steps(run)) == ("failed", {"start": "successful", "approve": "failed"})
    both = named(console, volume, "web")
    assert set(both) == {"", " (next)"}
    assert launch("rotate", WEB | {"rotate_state": "started"}).status == "successful"
    assert (named(console, volume, "web"), len(console.writes)) == (both, 1)
    assert launch("rotate", WEB | {"rotate_state": "aborted", "rotate_id": ""}).status == "successful"
    assert named(console, volume, "web") == {"": old}


def test_a_start_that_was_interrupted_is_completed_by_the_next(
    awx: Awx, ask: Ask, started: Start, decide: Decide, console: Emulator, volume: int
) -> None:
    console.latency = 0.5
    run = started("new token", WEB)
    interrupt(awx, console, run, writes=1)
    new = named(console, volume, "web")[" (next)"]
    assert decide(ask("new token", **WEB), "approve") == "successful"
    assert named(console, volume, "web") == {"": {**new, "desc": "web"}}


def test_a_finish_that_was_interrupted_is_completed_by_hand(
    awx: Awx, ask: Ask, launch: Launch, console: Emulator, volume: int
) -> None:
    run = ask("new token", **WEB)
    new = named(console, volume, "web")[" (next)"]
    console.latency = 0.5
    awx.post(f"{awx.nodes(run)['approve']['url']}approve/")
    interrupt(awx, console, run, writes=2)
    assert len(named(console, volume, "web")) == 2
    completed = launch("rotate", WEB | {"rotate_state": "finished", "rotate_id": str(new["id"])})
    assert completed.status == "successful"
    assert named(console, volume, "web") == {"": {**new, "desc": "web"}}


def test_one_that_waits_does_not_hold_up_another(ask: Ask, decide: Decide, console: Emulator, volume: int) -> None:
    runs = [ask("new token", rotate_volume="projects", rotate_desc=desc) for desc in ("web", "'8'")]
    assert [decide(run, "approve") for run in runs] == ["successful", "successful"]
    assert sorted(export["desc"] for export in console.exports(volume)) == ["010", "8", "web"]
    assert len(console.writes) == 8


def test_no_other_export_gets_a_token_than_was_typed(
    awx: Awx, ask: Ask, steps: Steps, console: Emulator, volume: int
) -> None:
    run = ask("new token", rotate_volume="projects", rotate_desc="010")
    if "approve" in steps(run):
        assert (set(named(console, volume, "010")), set(named(console, volume, "8"))) == ({"", " (next)"}, {""})
    else:
        assert "rotate_desc must be text, but arrived as the number 8" in awx.ended(awx.nodes(run)["start"]).output
        assert (run["status"], console.requests) == ("failed", [])
