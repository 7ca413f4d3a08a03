# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The example project: its playbooks as jobs run them, with what one job hands on to the next."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "awx-project"
DESIRED: dict[str, Any] = {"name": "projects", "bucket": "https://projects.example.com"}
DESIRED |= {"exports": [{"desc": "web", "iprange": "10.0.0.0/8"}], "quotas": [{"path": "/home/alice", "size": "10GiB"}]}
# The variables of a job in a workflow.
WORKFLOW = {"awx_job_template_name": "Console", "awx_workflow_job_id": 2}

# Run a playbook of the project with options and variables, and return the run and what is handed on to the next.
Run = Callable[..., tuple[Played, dict[str, Any]]]


@pytest.fixture
def console() -> Iterator[Emulator]:
    with Emulator() as emulator:
        yield emulator


@pytest.fixture
def run(console: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs playbooks of a copy of the example with a desired state."""
    monkeypatch.setenv("ANSIBLE_SHOW_CUSTOM_STATS", "true")
    project = tmp_path / "project"
    shutil.copytree(EXAMPLE, project)
    (project / "desired" / "projects.yml").write_text(yaml.safe_dump(DESIRED), encoding="utf-8")

    def run(playbook: str, *options: str, **variables: Any) -> tuple[Played, dict[str, Any]]:
        played = run_playbook(console, tmp_path, str(project / f"{playbook}.yml"), variables, *options)
        _before, found, stats = played.output.partition("CUSTOM STATS")
        return played, json.loads(stats.split("RUN:", 1)[1]) if found else {}

    return run


def test_the_folder_as_it_is_copied_wants_nothing(console: Emulator, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "copy")
    assert run_playbook(console, tmp_path, str(tmp_path / "copy" / "apply.yml"), {}).count("failed") == 0
    assert console.writes == []


def test_check_is_no_failure_outside_a_workflow_and_never_an_apply(run: Run, console: Emulator) -> None:
    played, _handed_on = run("check", "--check", "--diff")
    assert (played.code, "  + quota /home/alice: size 10GiB" in played.output) == (0, True)
    played, _handed_on = run("check")
    assert (played.code, "is for check mode" in played.output) == (2, True)
    assert console.writes == []


def test_in_a_workflow_a_check_fails_where_something_differs_and_the_approved_plan_is_applied(
    run: Run, console: Emulator
) -> None:
    played, handed_on = run("check", "--check", **WORKFLOW)
    assert f"{console.url} differs from the desired state: volumes: 1 to create; " in played.output
    assert set(handed_on) == {"managedfs_plan", "managedfs_report", "managedfs_summary"}
    assert {type(count) for count in handed_on["managedfs_report"].values()} == {int}
    played, _handed_on = run("apply", **WORKFLOW, **(handed_on | {"managedfs_plan": {"another": "nothing"}}))
    assert (played.code, "No plan of localhost was approved" in played.output) == (2, True)
    assert console.writes == []
    played, _handed_on = run("apply", **WORKFLOW, **handed_on)
    assert (played.code, "- quotas: 1 created" in played.output) == (0, True)
    played, handed_on = run("check", "--check", **WORKFLOW)
    assert (played.code, handed_on["managedfs_plan"]) == (0, {"localhost": "nothing"})


# What the check hands on, and whether somebody is asked.
GATES: list[tuple[dict[str, Any], bool]] = [
    ({"managedfs_plan": {"localhost": "v2-0"}}, True),
    ({"managedfs_plan": {"one": "nothing", "two": "v2-0"}}, True),
    ({"managedfs_plan": {"localhost": "nothing"}}, False),
    ({"managedfs_plan": ""}, False),
    ({}, False),
]


@pytest.mark.parametrize(("handed_on", "opens"), GATES)
def test_the_gate_opens_where_something_differs(run: Run, handed_on: dict[str, Any], opens: bool) -> None:
    played, _handed_on = run("gate", **WORKFLOW, **handed_on)
    assert (played.code == 0, "There is nothing to approve: the check" in played.output) == (opens, not opens)


def test_a_team_gets_nothing_that_a_file_describes(run: Run, console: Emulator) -> None:
    team = {"tenant_name": "web", "tenant_desc": "web", "tenant_volume": "projects", "tenant_size": "1GiB"}
    played, _handed_on = run("tenant", **team)
    assert "export web of volume projects is part of the desired state" in played.output
    assert (played.code, console.requests) == (2, [])


def test_an_export_gets_a_new_token_by_two_jobs_of_which_the_second_has_the_id_of_the_first(
    run: Run, console: Emulator
) -> None:
    volume = console.add_volume(name="projects", bucket="https://projects.example.com")
    console.add_export(volume, desc="web", iprange="10.0.0.0/8")
    web = {"rotate_volume": "projects", "rotate_desc": "web", "rotate_id": ""}
    played, handed_on = run("rotate", "--diff", "-vvvv", **web, rotate_state="started")
    assert [token for token in console.tokens() if token in played.output] == []
    (new,) = (export["id"] for export in console.exports(volume) if export["desc"] == "web (next)")
    assert handed_on == {"managedfs_rotation": {"localhost": new}}
    assert "id is 99" in run("rotate", **(web | {"rotate_id": "99"}), **handed_on, rotate_state="finished")[0].output
    for _run in range(2):
        assert run("rotate", **web, **handed_on, rotate_state="finished")[0].code == 0
    assert [(export["desc"], export["id"]) for export in console.exports(volume)] == [("web", new)]
