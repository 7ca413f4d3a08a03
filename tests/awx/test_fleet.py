# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A dozen consoles in one setup: their inventory comes from the project, and their keys from one credential."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
import yaml

from awx.client import Awx, RefusedError
from awx.conftest import Ask, Installation, Launch, Project, Shell, Start, installed
from emulator import Emulator

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
AWAY, DIFFERENT = "console1", "console2"

Fleet = dict[str, Emulator]


@pytest.fixture(scope="module")
def consoles(address: str) -> Iterator[Fleet]:
    with contextlib.ExitStack() as stack:
        yield {f"console{number}": stack.enter_context(Emulator(host=address)) for number in range(1, 13)}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, address: str, consoles: Fleet) -> Iterator[Project]:
    """Yield the example, with that for many consoles over it, and these consoles in its inventory."""
    project = Project(tmp_path_factory.mktemp("published"), address, "awx-project", "many-consoles")
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
def want(project: Project, consoles: Fleet) -> Callable[..., None]:
    """Make all consoles have, and want, a quota of 1 GiB, and return a function that lets some want 2 GiB."""

    def want(*names: str, size: str = "2GiB") -> None:
        for name in names:
            project.write(f"desired/{name}/volumes.yml", [VOLUME | {"quotas": [{"path": "/home", "size": size}]}])
        project.push()

    for console in consoles.values():
        console.reset()
        console.come_back()
        console.add_quota(console.add_volume(**VOLUME), path="/home", size=1 << 30)
    want(*consoles, size="1GiB")
    return want


def changed(consoles: Fleet) -> list[str]:
    """Return the names of the consoles whose quota has 2 GiB."""
    volumes = [(name, console, volume["id"]) for name, console in consoles.items() for volume in console.volumes()]
    return [name for name, console, volume in volumes if console.quotas(volume)[0]["size"] == 2 << 30]


def test_those_that_differ_are_changed_and_those_that_were_away_are_named_in_the_end(
    awx: Awx, ask: Ask, consoles: Fleet, want: Callable[..., None]
) -> None:
    want(AWAY, DIFFERENT)
    consoles[AWAY].refuse(600)
    run = ask("change")
    assert awx.steps(run) == {"check": "failed", "gate": "successful", "approve": "pending"}
    check = awx.ended(awx.nodes(run)["check"])
    summary = check.record["artifacts"]["managedfs_summary"]
    assert summary.startswith(f"12 consoles: 1 failed, 1 differs, 10 as desired\n\n- {AWAY}: failed: ")
    assert f"\n- {DIFFERENT}: differs: quotas: 1 to update\n" in summary
    consoles[AWAY].come_back()
    assert awx.decide(run, "approve") == "failed"
    artifacts = awx.ended(awx.nodes(run)["apply"]).record["artifacts"]
    assert f"\n- {AWAY}: failed: `No plan of {AWAY} was approved" in artifacts["managedfs_summary"]
    report = artifacts["managedfs_report"]
    assert (report["consoles"], report["updated"], report["failed"]) == (12, 1, 1)
    assert changed(consoles) == [DIFFERENT]


def test_a_console_that_changed_after_the_approval_is_left_and_the_others_are_done(
    awx: Awx, ask: Ask, consoles: Fleet, want: Callable[..., None]
) -> None:
    want("console3", "console4")
    for console in consoles.values():
        console.add_quota(console.volumes()[0]["id"], path="/old", size=1)
    run = ask("change", limit="console3,console4", apply_purge=["quotas"])
    consoles["console3"].reset()
    assert awx.decide(run, "approve") == "failed"
    apply = awx.ended(awx.nodes(run)["apply"])
    assert "this is not the plan that was approved" in apply.output
    assert "quotas: 1 updated, 1 deleted" in apply.output
    assert [name for name, console in consoles.items() if console.writes] == ["console4"]
    assert changed(consoles) == ["console4"]


def test_a_team_and_a_token_are_about_the_console_that_is_named(
    awx: Awx, ask: Ask, launch: Launch, started: Start, consoles: Fleet
) -> None:
    team = {"tenant_name": "blue", "tenant_volume": "projects", "tenant_iprange": "any"}
    with pytest.raises(RefusedError, match="'managedfs_hosts' value missing"):
        started("tenant", team)
    assert launch("tenant", team | {"managedfs_hosts": "console5"}).status == "successful"
    assert [name for name, console in consoles.items() if console.writes] == ["console5"]
    run = ask("new token", managedfs_hosts="console5", rotate_volume="projects", rotate_desc="tenant-blue")
    assert awx.decide(run, "approve") == "successful"
    assert [name for name, console in consoles.items() if console.writes] == ["console5"]
    # What a team has is ignored by what the folders of all consoles share.
    assert launch("drift").status == "successful"


def test_no_key_is_stored_and_one_that_is_away_does_not_hide_the_others(launch: Launch, consoles: Fleet) -> None:
    consoles[AWAY].refuse(600)
    job = launch("drift", verbosity=4)
    assert job.status == "failed"
    assert job.record["artifacts"]["managedfs_report"]["failed"] == 1
    assert [name for name, console in consoles.items() if console.secret_key in job.stored] == []


def test_a_console_that_is_not_in_the_project_any_more_is_not_in_the_inventory(
    awx: Awx, launch: Launch, installation: Installation, project: Project, consoles: Fleet
) -> None:
    write_inventory(project, {name: console for name, console in consoles.items() if name != AWAY})
    assert launch("drift").record["artifacts"]["managedfs_summary"].startswith("11 consoles: 11 as desired")
    inventory = awx.named("inventories", f"{installation.prefix}: inventory")
    assert AWAY not in [host["name"] for host in awx.get(inventory["related"]["hosts"])["results"]]
    write_inventory(project, consoles)
