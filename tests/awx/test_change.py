# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The workflow: it asks nobody if nothing differs or nothing is known, and does only what was approved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from awx.client import Awx
from awx.conftest import Ask, Decide, Installation, Launch, Project, Steps
from emulator import Emulator

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
DESIRED: list[dict[str, Any]] = [VOLUME | {"quotas": [{"path": "/home/alice", "size": "10GiB"}]}]


def test_nobody_is_asked_where_nothing_differs(
    launch: Launch, ask: Ask, steps: Steps, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    launch("apply")
    console.forget_requests()
    run = ask("change")
    assert (run["status"], steps(run), console.writes) == ("successful", {"check": "successful"}, [])


@pytest.mark.parametrize(
    ("decision", "status", "names"), [("approve", "successful", ["projects"]), ("deny", "failed", [])]
)
def test_what_differs_is_changed_once_it_is_approved(
    awx: Awx,
    ask: Ask,
    decide: Decide,
    steps: Steps,
    project: Project,
    console: Emulator,
    decision: str,
    status: str,
    names: list[str],
) -> None:
    project.publish(DESIRED)
    run = ask("change")
    assert (steps(run), console.writes) == ({"check": "failed", "gate": "successful", "approve": "pending"}, [])
    approval = awx.get(awx.nodes(run)["approve"]["url"])
    assert approval["approval_expiration"]
    assert f"check in this workflow. It shows what would change on {console.url}." in approval["description"]
    check = awx.ended(awx.nodes(run)["check"])
    assert f"{console.url} differs from the desired state: volumes: 1 to create; quotas: 1 to create" in check.output
    assert check.record["artifacts"]["managedfs_summary"].startswith(f"# {console.url}\n\n## What would be done\n")
    assert list(check.record["artifacts"]["managedfs_plan"]) == ["localhost"]
    assert decide(run, decision) == status
    assert [volume["name"] for volume in console.volumes()] == names


def test_another_plan_than_the_approved_one_is_shown_and_not_done(
    awx: Awx, ask: Ask, decide: Decide, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    volume = console.add_volume(**VOLUME)
    console.add_quota(volume, path="/home/alice", size=1 << 30)
    run = ask("change", apply_purge=["quotas"])
    console.add_quota(volume, path="/home/bob", size=1 << 30)
    assert decide(run, "approve") == "failed"
    apply = awx.ended(awx.nodes(run)["apply"])
    assert "this is not the plan that was approved" in apply.output
    assert "## What would be done" in apply.output
    assert "- quotas: 1 to update, 1 to delete" in apply.output
    assert console.writes == []


def test_another_revision_than_the_approved_one_is_refused(
    awx: Awx, ask: Ask, decide: Decide, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    run = ask("change")
    project.publish([*DESIRED, {"name": "more", "bucket": "https://more.example.com"}])
    assert decide(run, "approve") == "failed"
    assert "Start the workflow again" in awx.ended(awx.nodes(run)["apply"]).output
    assert console.writes == []


def test_nobody_is_asked_where_the_console_cannot_be_read(
    awx: Awx, ask: Ask, steps: Steps, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    console.refuse(600)
    run = ask("change")
    console.come_back()
    assert (run["status"], steps(run)) == ("failed", {"check": "failed", "gate": "failed"})
    check, gate = (awx.ended(awx.nodes(run)[name]) for name in ("check", "gate"))
    assert "- volumes: " not in check.output
    assert check.record["artifacts"]["managedfs_report"] == {"failed": 1}
    assert "managedfs_plan" not in check.record["artifacts"]
    assert "Connection refused" in check.record["artifacts"]["managedfs_summary"]
    assert "The check has failed before it knew what would change." in gate.output


def test_nobody_is_asked_where_the_project_cannot_be_fetched(ask: Ask, steps: Steps, project: Project) -> None:
    with project.away():
        run = ask("change")
    assert (run["status"], "approve" in steps(run)) == ("failed", False)


@pytest.fixture
def broken_image(awx: Awx, installation: Installation) -> Iterator[None]:
    """Make the check run in an image that does not exist."""
    template = awx.named("job_templates", f"{installation.prefix}: check")
    body = {"name": f"{installation.prefix}: broken", "image": "localhost/no-such-image:latest", "pull": "never"}
    environment = awx.post("execution_environments/", body)
    awx.call("PATCH", template["url"], {"execution_environment": environment["id"]})
    yield
    awx.call("PATCH", template["url"], {"execution_environment": None})
    awx.call("DELETE", environment["url"])


@pytest.mark.usefixtures("broken_image")
def test_nobody_is_asked_where_the_image_is_broken(ask: Ask, steps: Steps, project: Project) -> None:
    project.publish(DESIRED)
    run = ask("change")
    assert (run["status"], "approve" in steps(run)) == ("failed", False)
