# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The permissions of users with only the rights that the guide names."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from awx.client import Awx, RefusedError
from awx.conftest import Installation, Launch, Project, kind_of
from emulator import Emulator

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
TENANT = {"tenant_name": "blue", "tenant_volume": "projects", "tenant_size": "1GiB"}
FORBIDDEN = "You do not have permission"

# Makes a user with these roles, each a pair of template and role, and returns the API as they see it.
User = Callable[..., Awx]


@pytest.fixture
def user(awx: Awx, installation: Installation) -> Iterator[User]:
    """Yield a function that makes users, who are removed at the end."""
    made: list[dict[str, Any]] = []

    def user(*roles: tuple[str, str]) -> Awx:
        name, password = f"user-{secrets.token_hex(4)}", secrets.token_hex(16)
        made.append(awx.post("users/", {"username": name, "password": password}))
        for template, role in roles:
            found = template_of(awx, installation, template)["summary_fields"]["object_roles"][f"{role}_role"]
            awx.post(f"{made[-1]['url']}roles/", {"id": found["id"]})
        return awx.as_user(name, password)

    yield user
    for each in made:
        awx.call("DELETE", each["url"])


def template_of(awx: Awx, installation: Installation, name: str) -> dict[str, Any]:
    """Return a template by its name without the prefix."""
    return awx.named(kind_of(name), f"{installation.prefix}: {name}")


def test_who_may_start_tenant_stays_within_its_bounds(
    awx: Awx, installation: Installation, user: User, project: Project, console: Emulator
) -> None:
    project.publish([VOLUME | {"exports": [{"desc": "tenant-web", "iprange": "*"}], "quotas": []}])
    volume = console.add_volume(**VOLUME)
    operator = user(("tenant", "execute"))
    tenant = template_of(operator, installation, "tenant")
    bounds = {"tenant_path_prefix": "/", "tenant_desc_prefix": "", "tenant_volumes": ["other"]}
    done = operator.start(tenant, extra_vars=TENANT | {"tenant_iprange": "any"} | bounds)
    assert operator.ended(done).status == "successful"
    (quota,), (export,) = console.quotas(volume), console.exports(volume)
    assert (quota["path"], export["desc"]) == ("/tenants/blue", "tenant-blue")
    console.forget_requests()
    for answers, message in (
        ({"tenant_path": "/home/alice"}, "tenant_path must be a directory below /tenants, not /home/alice."),
        ({"tenant_desc": "web"}, "tenant_desc must begin with tenant-, not web."),
        ({"tenant_name": "web"}, "export tenant-web of volume projects is part of the desired state"),
    ):
        job = operator.ended(operator.start(tenant, extra_vars=TENANT | answers))
        assert (job.status, message in job.output, console.requests) == ("failed", True, [])
    job = operator.ended(operator.start(tenant, extra_vars=TENANT | {"tenant_name": "blu", "tenant_state": "absent"}))
    assert (job.status, "Not found: export tenant-blu, quota /tenants/blu." in job.output) == ("failed", True)
    with pytest.raises(RefusedError, match=FORBIDDEN):
        operator.start(template_of(awx, installation, "apply"))
    with pytest.raises(RefusedError, match=FORBIDDEN):
        operator.call("PATCH", tenant["url"], {"extra_vars": ""})


def test_bounds_and_variables_are_the_administrators(
    awx: Awx, installation: Installation, launch: Launch, project: Project, console: Emulator
) -> None:
    project.publish([])
    console.add_volume(**VOLUME)
    template = template_of(awx, installation, "tenant")
    awx.call(
        "PATCH", template["url"], {"extra_vars": "tenant_volumes: [projects, scratch]\ntenant_path_prefix: /teams"}
    )
    installation.run()
    assert awx.get(template["url"])["extra_vars"] == "tenant_volumes: [projects, scratch]\ntenant_path_prefix: /teams"
    (question,) = [q for q in awx.get(template["related"]["survey_spec"])["spec"] if q["variable"] == "tenant_volume"]
    assert (question["type"], question["choices"]) == ("multiplechoice", ["projects", "scratch"])
    with pytest.raises(RefusedError, match="expected to be one of"):
        awx.start(template, extra_vars=TENANT | {"tenant_volume": "other"})
    assert launch("tenant", TENANT, job_type="check").status == "successful"
    assert console.writes == []
    given = {"tenant_must_exist": True, "tenant_path_prefix": "/tenants", "tenant_desc_prefix": "tenant-"}
    installation.run(tenant_variables=given)
    assert '"tenant_path_prefix": "/tenants"' in awx.get(template["url"])["extra_vars"]


# A workflow, the template and the step that show what is to be approved, the answers, and what is shown.
ROTATED = {"rotate_volume": "projects", "rotate_desc": "web"}
WORKFLOWS = [
    ("change", "check", "check", {}, "differs from the desired state: volumes: 1 to create"),
    ("new token", "rotate", "start", ROTATED, "export 'web' of volume 'projects': rotation started"),
]


@pytest.mark.parametrize(("workflow", "template", "step", "answers", "shown"), WORKFLOWS)
def test_who_may_start_a_workflow_cannot_approve_it_and_who_approves_sees_what(
    awx: Awx,
    installation: Installation,
    user: User,
    project: Project,
    console: Emulator,
    workflow: str,
    template: str,
    step: str,
    answers: dict[str, str],
    shown: str,
) -> None:
    project.publish([VOLUME | {"name": "more"}])
    console.add_export(console.add_volume(**VOLUME), desc="web", iprange="10.0.0.0/8")
    starter = user((workflow, "execute"))
    half, approver = user((workflow, "approval")), user((workflow, "approval"), (template, "read"))
    with pytest.raises(RefusedError, match="not allowed on launch"):
        starter.start(template_of(starter, installation, workflow), extra_vars=answers | {"rotate_state": "finished"})
    run = starter.start(template_of(starter, installation, workflow), extra_vars=answers)
    awx.wait(run, lambda _: awx.nodes(run).get("approve", {}).get("status") == "pending")
    nodes = awx.nodes(run)
    output = f"{nodes[step]['url']}stdout/?format=txt"
    with pytest.raises(RefusedError, match=FORBIDDEN):
        starter.post(nodes["approve"]["url"] + "approve/")
    with pytest.raises(RefusedError, match=FORBIDDEN):
        starter.start(template_of(awx, installation, template), extra_vars=answers)
    with pytest.raises(RefusedError, match=FORBIDDEN):
        half.get(output)
    with pytest.raises(RefusedError, match=FORBIDDEN):
        approver.start(template_of(awx, installation, workflow))
    assert shown in approver.get(output)
    assert f"on {console.url}." in approver.get(nodes["approve"]["url"])["description"]
    before = len(console.writes)
    approver.post(nodes["approve"]["url"] + "approve/")
    assert awx.wait(run)["status"] == "successful"
    assert len(console.writes) > before
