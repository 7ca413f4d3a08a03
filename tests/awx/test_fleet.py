# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A dozen consoles in one setup: their inventory comes from the project, and their keys from one credential."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from awx.client import Awx, Job
from awx.conftest import Ask, Decide, Installation, Launch, Project, Shell, Steps, installed
from emulator import Emulator
from harness.fleet import fleet

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
AWAY, DIFFERENT = "console1", "console2"

Fleet = dict[str, Emulator]


@pytest.fixture(scope="module")
def consoles(address: str) -> Iterator[Fleet]:
    with fleet(12, address) as consoles:
        yield consoles


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, address: str, consoles: Fleet) -> Iterator[Project]:
    """Yield the example for many consoles, with these consoles in its inventory."""
    project = Project(tmp_path_factory.mktemp("published"), address, "many-consoles")
    write_inventory(project, consoles)
    yield project
    project.stop()


def write_inventory(project: Project, consoles: Fleet) -> None:
    hosts = {name: {"managedfs_console_url": each.url, "managedfs_retries": 0} for name, each in consoles.items()}
    inventory = {"consoles": {"hosts": hosts, "vars": {"ansible_connection": "local"}}}
    project.write("inventory.yml", inventory)
    project.push()


@pytest.fixture(scope="module")
def installation(
    tmp_path_factory: pytest.TempPathFactory, shell: Shell, project: Project, consoles: Fleet
) -> Iterator[Installation]:
    """Set up AWX for all consoles, of which the environment names none."""
    keys = {name: {"access_key": each.access_key, "secret_key": each.secret_key} for name, each in consoles.items()}
    path = tmp_path_factory.mktemp("keys") / "keys.yml"
    path.write_text(yaml.safe_dump(keys), encoding="utf-8")
    with installed(shell, project, inventory_source="inventory.yml", keys=str(path)) as installation:
        assert "changed=0 " in installation.run()
        yield installation


@pytest.fixture(autouse=True)
def _desired(project: Project, consoles: Fleet) -> None:
    """Make all consoles have, and want, a volume with a quota."""
    for name, console in consoles.items():
        console.reset()
        console.come_back()
        console.add_quota(console.add_volume(**VOLUME), path="/home", size=1 << 30)
        project.write(f"desired/{name}/volumes.yml", [VOLUME | {"quotas": [{"path": "/home", "size": "1GiB"}]}])
    project.push()


@pytest.fixture
def want(project: Project) -> Callable[..., None]:
    """Return a function that lets consoles want 2 GiB."""

    def want(*names: str) -> None:
        for name in names:
            project.write(f"desired/{name}/volumes.yml", [VOLUME | {"quotas": [{"path": "/home", "size": "2GiB"}]}])
        project.push()

    return want


def changed(consoles: Fleet) -> list[str]:
    """Return the names of the consoles whose quota has 2 GiB."""
    volumes = [(name, console, volume["id"]) for name, console in consoles.items() for volume in console.volumes()]
    return [name for name, console, volume in volumes if console.quotas(volume)[0]["size"] == 2 << 30]


def test_nobody_is_asked_where_no_console_differs(ask: Ask, steps: Steps) -> None:
    run = ask("change")
    assert (run["status"], steps(run)) == ("successful", {"check": "successful"})


def test_those_that_differ_are_changed_and_those_that_were_away_are_named_in_the_end(
    awx: Awx, ask: Ask, decide: Decide, steps: Steps, consoles: Fleet, want: Callable[..., None]
) -> None:
    want(AWAY, DIFFERENT)
    consoles[AWAY].refuse(600)
    run = ask("change")
    assert steps(run) == {"check": "failed", "gate": "successful", "approve": "pending"}
    check, gate = (awx.ended(awx.nodes(run)[name]) for name in ("check", "gate"))
    summary = check.record["artifacts"]["managedfs_summary"]
    assert summary.startswith(f"12 consoles: 1 failed, 1 differs, 10 as desired\n\n- {AWAY}: failed: ")
    assert f"\n- {DIFFERENT}: differs: quotas: 1 to update\n" in summary
    assert f"The check could not read {AWAY}: nothing will be changed there" in gate.output
    consoles[AWAY].come_back()
    assert decide(run, "approve") == "failed"
    apply = awx.ended(awx.nodes(run)["apply"])
    assert f"No plan of {AWAY} was approved" in apply.output
    assert changed(consoles) == [DIFFERENT]


def test_a_console_that_changed_after_the_approval_is_left_and_the_others_are_done(
    awx: Awx, ask: Ask, decide: Decide, consoles: Fleet, want: Callable[..., None]
) -> None:
    want("console3", "console4")
    run = ask("change")
    consoles["console3"].reset()
    assert decide(run, "approve") == "failed"
    assert "this is not the plan that was approved" in awx.ended(awx.nodes(run)["apply"]).output
    assert changed(consoles) == ["console4"]


def test_of_two_workflows_the_second_begins_when_the_first_has_ended(
    awx: Awx, ask: Ask, decide: Decide, steps: Steps, consoles: Fleet, want: Callable[..., None], started: Any
) -> None:
    want(DIFFERENT)
    first = ask("change")
    second = started("change")
    assert (awx.get(second["url"])["status"], consoles[DIFFERENT].writes) == ("pending", [])
    assert decide(first, "approve") == "successful"
    assert (awx.wait(second)["status"], steps(second)) == ("successful", {"check": "successful"})
    assert changed(consoles) == [DIFFERENT]


def test_a_limit_reaches_all_steps(
    awx: Awx, started: Any, decide: Decide, consoles: Fleet, want: Callable[..., None]
) -> None:
    want("console5", "console6")
    run = started("change", limit="console5")
    awx.wait(run, lambda _: awx.nodes(run).get("approve", {}).get("status") == "pending")
    assert decide(run, "approve") == "successful"
    assert changed(consoles) == ["console5"]


@pytest.fixture
def part(awx: Awx, installation: Installation) -> Iterator[str]:
    """Make drift look at a part of the consoles only, by a constructed inventory, and return the name of its group."""
    whole = awx.named("inventories", f"{installation.prefix}: inventory")
    variables = {"plugin": "constructed", "groups": {"east": "inventory_hostname in ('console7', 'console8')"}}
    body = {"organization": whole["organization"], "kind": "constructed", "name": f"{installation.prefix}: east"}
    constructed = awx.post(
        "constructed_inventories/", body | {"source_vars": yaml.safe_dump(variables), "limit": "east"}
    )
    awx.post(f"/api/v2/inventories/{constructed['id']}/input_inventories/", {"id": whole["id"]})
    drift = awx.named("job_templates", f"{installation.prefix}: drift")
    awx.call("PATCH", drift["url"], {"inventory": constructed["id"]})
    yield "east"
    awx.call("PATCH", drift["url"], {"inventory": whole["id"]})
    awx.call("DELETE", f"/api/v2/inventories/{constructed['id']}/")


def test_a_constructed_inventory_takes_a_part_of_the_consoles(
    launch: Launch, consoles: Fleet, part: str, want: Callable[..., None]
) -> None:
    want("console7", "console9")
    job = launch("drift")
    assert part == "east"
    assert job.record["artifacts"]["managedfs_summary"].startswith("2 consoles: 1 differs, 1 as desired")
    assert consoles["console9"].requests == []


def test_no_key_is_stored_and_one_that_is_away_does_not_hide_the_others(launch: Launch, consoles: Fleet) -> None:
    consoles[AWAY].refuse(600)
    job = launch("report", verbosity=4)
    assert job.status == "failed"
    assert job.record["artifacts"]["managedfs_report"]["failed"] == 1
    assert [name for name, console in consoles.items() if console.secret_key in job.stored] == []


def jobs_of(awx: Awx, workflow_job: dict[str, Any]) -> list[Job]:
    """Return the jobs of a run that AWX has sliced."""
    nodes = awx.get(f"{workflow_job['url']}workflow_nodes/")["results"]
    return [awx.ended(awx.get(f"/api/v2/jobs/{node['job']}/")) for node in nodes]


@pytest.fixture
def sliced(awx: Awx, installation: Installation) -> Iterator[None]:
    """Slice the check by hand, which the setup does not do."""
    installation.run(slices=3, forks=2)
    drift, check = (awx.named("job_templates", f"{installation.prefix}: {name}") for name in ("drift", "check"))
    assert (drift["job_slice_count"], drift["forks"], check["job_slice_count"]) == (3, 2, 1)
    awx.call("PATCH", check["url"], {"job_slice_count": 3})
    yield
    for each in (drift, check):
        awx.call("PATCH", each["url"], {"job_slice_count": 1})


@pytest.mark.usefixtures("sliced")
def test_slices_look_for_drift_and_a_workflow_with_slices_says_that_it_cannot_ask(
    awx: Awx, ask: Ask, steps: Steps, started: Any, want: Callable[..., None]
) -> None:
    want(DIFFERENT)
    run = awx.wait(started("drift"))
    assert run["type"] == "workflow_job"
    summaries = [job.record["artifacts"]["managedfs_summary"] for job in jobs_of(awx, run)]
    assert sorted(summary.splitlines()[0] for summary in summaries) == [
        "4 consoles: 1 differs, 3 as desired",
        "4 consoles: 4 as desired",
        "4 consoles: 4 as desired",
    ]
    run = ask("change")
    assert (run["status"], "approve" in steps(run)) == ("failed", False)
    why = "check is sliced, and a workflow cannot ask about several slices. Set its job slicing to 1"
    assert [why in job.output.replace("\r\n", " ") for job in jobs_of(awx, awx.nodes(run)["check"])] == [True] * 3


def test_a_console_that_is_not_in_the_project_any_more_is_not_in_the_inventory(
    awx: Awx, launch: Launch, installation: Installation, project: Project, consoles: Fleet
) -> None:
    write_inventory(project, {name: console for name, console in consoles.items() if name != AWAY})
    assert launch("drift").record["artifacts"]["managedfs_summary"].startswith("11 consoles: 11 as desired")
    inventory = awx.named("inventories", f"{installation.prefix}: inventory")
    assert AWAY not in [host["name"] for host in awx.get(inventory["related"]["hosts"])["results"]]
    write_inventory(project, consoles)


def test_a_source_that_the_project_does_not_have_is_named(installation: Installation) -> None:
    output = installation.run(inventory_source="none.yml")
    assert "AWX could not read the consoles from none.yml of the project." in output
    assert "failed=1" in output
