# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The setup: the objects that it makes, keeps and removes, and the requests that it refuses."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from awx.client import Awx
from awx.conftest import Installation
from functional.awx.stand_in import DEFAULT, OPTIONS

KINDS = ["credentials", "execution_environments", "inventories", "job_templates", "projects", "schedules"]
KINDS += ["workflow_job_templates"]


def made(awx: Awx, prefix: str) -> list[str]:
    """Return the names of the objects that a setup has made."""
    return [each["name"] for kind in KINDS for each in awx.get(f"{kind}/?name__startswith={prefix}: ")["results"]]


@pytest.fixture
def webhooks(awx: Awx, installation: Installation) -> Iterator[list[dict[str, Any]]]:
    """Yield two notification templates."""
    organization = awx.named("organizations", "Default")["id"]
    configuration = {"url": "http://127.0.0.1:1", "headers": {}}
    body = {"organization": organization, "notification_type": "webhook", "notification_configuration": configuration}
    names = [f"{installation.prefix}: {name}" for name in ("theirs", "ours")]
    templates = [awx.post("notification_templates/", body | {"name": name}) for name in names]
    yield templates
    for template in templates:
        awx.call("DELETE", template["url"])


def test_what_people_have_set_stays(awx: Awx, installation: Installation, webhooks: list[dict[str, Any]]) -> None:
    theirs, ours = webhooks
    drift = awx.named("job_templates", f"{installation.prefix}: drift")
    change, new_token = (
        awx.named("workflow_job_templates", f"{installation.prefix}: {name}") for name in ("change", "new token")
    )
    nightly = awx.named("schedules", f"{installation.prefix}: nightly drift")
    body = {"name": f"{installation.prefix}: machine", "organization": awx.named("organizations", "Default")["id"]}
    machine = awx.post("credentials/", body | {"credential_type": awx.named("credential_types", "Machine")["id"]})
    rrule = "DTSTART:20260101T040000Z RRULE:FREQ=DAILY;INTERVAL=2"
    awx.call("PATCH", nightly["url"], {"enabled": True, "rrule": rrule})
    awx.post(drift["related"]["credentials"], {"id": machine["id"]})
    awx.post(drift["related"]["notification_templates_error"], {"id": theirs["id"]})
    nodes = {node["identifier"]: node for node in awx.get(change["related"]["workflow_nodes"])["results"]}
    extra = awx.post(change["related"]["workflow_nodes"], {"identifier": "extra", "unified_job_template": drift["id"]})
    awx.post(f"{nodes['apply']['url']}success_nodes/", {"id": extra["id"]})
    # The link that version 1.0.0 made.
    awx.post(f"{nodes['check']['url']}success_nodes/", {"id": nodes["approve"]["id"]})
    installation.run(notifications=ours["name"])
    assert re.search(r"changed=0 .*failed=0", installation.run(notifications=ours["name"]))
    kept = awx.get(nightly["url"])
    assert (kept["enabled"], kept["rrule"]) == (True, rrule)
    assert machine["id"] in [each["id"] for each in awx.get(drift["related"]["credentials"])["results"]]
    both = {theirs["id"], ours["id"]}
    attached = {"notification_templates_error": both, "notification_templates_success": set()}
    assert {kind: _ids(awx, drift, kind) for kind in attached} == attached
    attached = {"notification_templates_approvals": {ours["id"]}, "notification_templates_error": {ours["id"]}}
    for workflow in (change, new_token):
        assert {kind: _ids(awx, workflow, kind) for kind in attached} == attached
    assert _ids(awx, nodes["apply"], "success_nodes") == {extra["id"]}
    assert _ids(awx, nodes["check"], "success_nodes") == set()
    installation.run(schedules="false")
    assert awx.get(nightly["url"])["enabled"] is False
    awx.call("DELETE", f"/api/v2/workflow_job_template_nodes/{extra['id']}/")
    awx.call("DELETE", machine["url"])


def _ids(awx: Awx, owner: dict[str, Any], kind: str) -> set[int]:
    return {each["id"] for each in awx.get(owner["related"][kind])["results"]}


def test_a_renamed_template_is_named_and_keeps_its_project(awx: Awx, installation: Installation) -> None:
    report = awx.named("job_templates", f"{installation.prefix}: report")
    name = f"{installation.prefix} in our words"
    awx.call("PATCH", report["url"], {"name": name})
    assert f"Of the same project, and left alone: {name}" in installation.run()
    before = made(awx, installation.prefix)
    refused = installation.run(state="absent")
    assert f"Nothing was removed, since these job templates need {installation.prefix}: project: {name}." in refused
    assert made(awx, installation.prefix) == before
    awx.call("DELETE", report["url"])


OTHER = {"MANAGEDFS_CONSOLE_URL": "https://other.example.com"}
NO_CONSOLE = dict.fromkeys(("MANAGEDFS_CONSOLE_URL", "MANAGEDFS_ACCESS_KEY", "MANAGEDFS_SECRET_KEY"), "")
WRONG: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "wrong token": ({"CONTROLLER_OAUTH_TOKEN": "wrong"}, {}, "(HTTP 401). Set CONTROLLER_HOST, and"),
    "no AWX": ({"CONTROLLER_HOST": "http://127.0.0.1:1"}, {}, "Connection refused>. Set CONTROLLER_HOST, and"),
    "another console": (OTHER, {}, "MANAGEDFS_CONSOLE_URL is https://other.example.com, but "),
    "another key": ({"MANAGEDFS_ACCESS_KEY": "other"}, {}, "MANAGEDFS_ACCESS_KEY is other, but "),
    "no such notification": (
        {},
        {"notifications": "none"},
        "The organization Default has no notification template none",
    ),
}


@pytest.mark.parametrize(("overrides", "variables", "message"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_named_and_nothing_is_changed(
    installation: Installation, overrides: dict[str, str], variables: dict[str, Any], message: str
) -> None:
    output = installation.run(overrides, **variables)
    assert message in output
    assert "changed=0 " in output


def test_a_second_setup_needs_no_keys_and_an_administrator_of_the_organization_can_run_it(
    awx: Awx, installation: Installation
) -> None:
    password = secrets.token_hex(16)
    user = awx.post("users/", {"username": f"admin-{secrets.token_hex(4)}", "password": password})
    awx.post(awx.named("organizations", "Default")["related"]["admins"], {"id": user["id"]})
    account = NO_CONSOLE | {"CONTROLLER_USERNAME": user["username"], "CONTROLLER_PASSWORD": password}
    account["CONTROLLER_OAUTH_TOKEN"] = ""
    try:
        assert re.search(r"changed=0 .*failed=0", installation.run(account))
        refused = installation.run(account, {"awx_credential_type": "Another type"})
    finally:
        awx.call("DELETE", user["url"])
    assert "Only a system administrator can create the credential type Another type" in refused


@pytest.mark.usefixtures("installation")
def test_the_stand_in_takes_and_answers_what_the_real_one_does(awx: Awx, shell: Callable[[str], str]) -> None:
    for module, options in OPTIONS.items():
        documented = shell(f"ansible-doc --type module awx.awx.{module} --json")
        assert [option for option in options.split() if f'"{option}": {{' not in documented] == []
    real = {"galaxy": awx.named("organizations", "Default")["related"]["galaxy_credentials"]}
    # Other lists have pages, but this one is a list of names.
    playbooks: Any = awx.get(awx.get("projects/")["results"][0]["related"]["playbooks"])
    assert {type(name) for name in playbooks} <= {str} == {type(name) for name in DEFAULT["playbooks"]}
    for kind, answers in DEFAULT.items():
        if kind == "playbooks":
            continue
        url = real.get(kind, f"{kind}/")
        # AWX says what a list would have if it has nothing.
        known = next(iter(awx.get(url)["results"]), None) or awx.call("OPTIONS", url)["actions"]["GET"]
        for answer in answers:
            assert set(answer) <= set(known)
            assert set(answer.get("related", {})) <= set(known.get("related", {}))
