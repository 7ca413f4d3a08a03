# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The setup: what it keeps, and what it refuses."""

from __future__ import annotations

import re
import secrets
from typing import Any

import pytest

from awx.client import Awx
from awx.conftest import Installation, Project

NO_CONSOLE = dict.fromkeys(("MANAGEDFS_CONSOLE_URL", "MANAGEDFS_ACCESS_KEY", "MANAGEDFS_SECRET_KEY"), "")


def test_what_people_have_set_stays(awx: Awx, installation: Installation) -> None:
    drift = awx.named("job_templates", f"{installation.prefix}: drift")
    tenant = awx.named("job_templates", f"{installation.prefix}: tenant")
    change = awx.named("workflow_job_templates", f"{installation.prefix}: change")
    nightly = awx.named("schedules", f"{installation.prefix}: nightly drift")
    body = {"name": f"{installation.prefix}: machine", "organization": awx.named("organizations", "Default")["id"]}
    machine = awx.post("credentials/", body | {"credential_type": awx.named("credential_types", "Machine")["id"]})
    rrule = "DTSTART:20260101T040000Z RRULE:FREQ=DAILY;INTERVAL=2"
    bounds = "tenant_volumes: [projects, scratch]\ntenant_path_prefix: /teams"
    awx.call("PATCH", nightly["url"], {"enabled": True, "rrule": rrule})
    awx.call("PATCH", tenant["url"], {"extra_vars": bounds})
    awx.post(drift["related"]["credentials"], {"id": machine["id"]})
    nodes = {node["identifier"]: node for node in awx.get(change["related"]["workflow_nodes"])["results"]}
    extra = awx.post(change["related"]["workflow_nodes"], {"identifier": "extra", "unified_job_template": drift["id"]})
    awx.post(f"{nodes['apply']['url']}success_nodes/", {"id": extra["id"]})
    # A link that would lead past the approval.
    awx.post(f"{nodes['check']['url']}success_nodes/", {"id": nodes["apply"]["id"]})
    installation.run()
    assert re.search(r"changed=0 .*failed=0", installation.run())
    kept = awx.get(nightly["url"])
    assert (kept["enabled"], kept["rrule"], awx.get(tenant["url"])["extra_vars"]) == (True, rrule, bounds)
    assert machine["id"] in [each["id"] for each in awx.get(drift["related"]["credentials"])["results"]]
    follow = {name: awx.get(node["related"]["success_nodes"])["results"] for name, node in nodes.items()}
    assert [each["id"] for each in follow["apply"]] == [extra["id"]]
    assert follow["check"] == []
    (question,) = [q for q in awx.get(tenant["related"]["survey_spec"])["spec"] if q["variable"] == "tenant_volume"]
    assert (question["type"], question["choices"]) == ("multiplechoice", ["projects", "scratch"])
    awx.call("DELETE", f"/api/v2/workflow_job_template_nodes/{extra['id']}/")
    awx.call("DELETE", machine["url"])
    awx.call("PATCH", tenant["url"], {"extra_vars": tenant["extra_vars"]})


def test_nothing_is_removed_while_a_renamed_template_needs_it(awx: Awx, installation: Installation) -> None:
    drift = awx.named("job_templates", f"{installation.prefix}: drift")
    name = f"{installation.prefix} in our words"
    awx.call("PATCH", drift["url"], {"name": name})
    refused = installation.run(state="absent")
    assert f"Nothing was removed, since these job templates need {installation.prefix}: project: {name}." in refused
    awx.call("PATCH", drift["url"], {"name": drift["name"]})


SEVERAL = {"inventory_source": "inventory.yml"}
WRONG: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "wrong password": ({"CONTROLLER_PASSWORD": "wrong"}, {}, "HTTP Error 401"),
    "no AWX": ({"CONTROLLER_HOST": "http://127.0.0.1:1"}, {}, "Connection refused"),
    "no such notification": ({}, {"notifications": "none"}, "none"),
    "no such organization": ({}, {"organization": "none"}, "There is no organization none with a Galaxy credential"),
    "no keys": (
        NO_CONSOLE,
        {"prefix": "New"},
        "To do so, set MANAGEDFS_CONSOLE_URL, MANAGEDFS_ACCESS_KEY, MANAGEDFS_SECRET_KEY.",
    ),
    "no keys of several": ({}, SEVERAL | {"prefix": "New"}, "To do so, set awx_setup_keys."),
    "keys of several for one": (
        {},
        {"keys": "keys.yml"},
        "awx_setup_keys is for several consoles. Name their inventory",
    ),
    "several where there is one": ({}, SEVERAL, "is set up for one console"),
}


@pytest.mark.parametrize(("overrides", "variables", "message"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_named_and_nothing_is_changed(
    installation: Installation, overrides: dict[str, str], variables: dict[str, Any], message: str
) -> None:
    output = installation.run(overrides, **variables)
    assert message in output
    assert re.search(r"changed=0 .*failed=1", output)


def test_a_repository_without_a_playbook_is_refused_before_any_template_is_made(
    awx: Awx, installation: Installation, project: Project
) -> None:
    (project.folder / "drift.yml").rename(project.folder / "other.yml")
    project.push()
    prefix = f"{installation.prefix} New"
    output = installation.run(prefix=prefix)
    (project.folder / "other.yml").rename(project.folder / "drift.yml")
    project.push()
    assert f"The repository of {prefix}: project has no drift.yml. Copy what is missing from" in output
    assert awx.get(f"job_templates/?name__startswith={prefix}")["count"] == 0
    assert "failed=0" in installation.run(prefix=prefix, state="absent")


def test_a_second_setup_needs_no_keys_and_an_administrator_of_the_organization_can_run_it(
    awx: Awx, installation: Installation
) -> None:
    password = secrets.token_hex(16)
    user = awx.post("users/", {"username": f"admin-{secrets.token_hex(4)}", "password": password})
    awx.post(awx.named("organizations", "Default")["related"]["admins"], {"id": user["id"]})
    account = NO_CONSOLE | {"CONTROLLER_USERNAME": user["username"], "CONTROLLER_PASSWORD": password}
    try:
        assert re.search(r"changed=0 .*failed=0", installation.run(account))
    finally:
        awx.call("DELETE", user["url"])
