# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""People with one role each: what they may start and see, teams and tokens, and answers as AWX hands them on."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from awx.client import Awx, RefusedError
from awx.conftest import Installation, Launch, Project, kind_of
from emulator import Emulator

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
TENANT = {"tenant_name": "blue", "tenant_volume": "projects", "tenant_size": "1GiB"}
WEB = {"rotate_volume": "projects", "rotate_desc": "web"}
FORBIDDEN = "You do not have permission"

# Makes a user with roles, each a pair of template and role, and properties, and returns the API as they see it.
User = Callable[..., Awx]


@pytest.fixture
def user(awx: Awx, installation: Installation) -> Iterator[User]:
    """Yield a function that makes users, who are removed at the end."""
    made: list[dict[str, Any]] = []

    def user(*roles: tuple[str, str], **properties: Any) -> Awx:
        name, password = f"user-{secrets.token_hex(4)}", secrets.token_hex(16)
        made.append(awx.post("users/", {"username": name, "password": password, **properties}))
        for template, role in roles:
            found = template_of(awx, installation, template)["summary_fields"]["object_roles"][f"{role}_role"]
            awx.post(f"{made[-1]['url']}roles/", {"id": found["id"]})
        return Awx(awx.url, name, password)

    yield user
    for each in made:
        awx.call("DELETE", each["url"])


def template_of(awx: Awx, installation: Installation, name: str) -> dict[str, Any]:
    """Return a template by its name without the prefix."""
    return awx.named(kind_of(name), f"{installation.prefix}: {name}")


def test_who_may_start_tenant_stays_within_its_bounds(
    awx: Awx, installation: Installation, user: User, project: Project, console: Emulator
) -> None:
    project.publish([VOLUME | {"exports": [], "quotas": []}])
    volume = console.add_volume(**VOLUME)
    operator = user(("tenant", "execute"))
    tenant = template_of(operator, installation, "tenant")
    bounds = {"tenant_path_prefix": "/", "tenant_desc_prefix": "", "tenant_volumes": ["other"]}
    done = operator.start(tenant, extra_vars=TENANT | {"tenant_iprange": "any"} | bounds)
    assert operator.ended(done).status == "successful"
    (quota,), (export,) = console.quotas(volume), console.exports(volume)
    assert (quota["path"], export["desc"]) == ("/tenants/blue", "tenant-blue")
    console.forget_requests()
    job = operator.ended(operator.start(tenant, extra_vars=TENANT | {"tenant_path": "/home/alice"}))
    assert "tenant_path must be a directory below /tenants, not /home/alice." in job.output
    assert (job.status, console.requests) == ("failed", [])
    for refused in ({"tenant_state": "gone"}, {"tenant_readonly": True}):
        with pytest.raises(RefusedError, match="expected to be one of"):
            operator.start(tenant, extra_vars=TENANT | refused)
    with pytest.raises(RefusedError, match=FORBIDDEN):
        operator.start(template_of(awx, installation, "apply"))
    with pytest.raises(RefusedError, match=FORBIDDEN):
        operator.call("PATCH", tenant["url"], {"extra_vars": ""})


NAMES = ["010", "8", "no", "False", "1:30", "90"]


@pytest.mark.parametrize("typed", ["010", "'010'", "no", "1:30", " null", "*"])
def test_no_other_tenant_is_removed_than_was_typed(
    launch: Launch, project: Project, console: Emulator, typed: str
) -> None:
    project.publish([VOLUME])
    volume = console.add_volume(**VOLUME)
    for name in NAMES:
        console.add_export(volume, desc=f"tenant-{name}", iprange="10.0.0.0/8")
        console.add_quota(volume, path=f"/tenants/{name}", size=1)
    job = launch("tenant", {"tenant_name": typed, "tenant_volume": "projects", "tenant_state": "absent"})
    left = NAMES
    if job.status == "successful":
        left = [each for each in NAMES if each != typed.strip("'")]
    elif f"Not found: export tenant-{typed.strip()}, quota /tenants/{typed.strip()}." not in job.output:
        assert re.search("quotation marks|YAML parsing failed|tenant_name must be set", job.output)
        assert console.requests == []
    assert [export["desc"] for export in console.exports(volume)] == [f"tenant-{each}" for each in left]
    assert [quota["path"] for quota in console.quotas(volume)] == [f"/tenants/{each}" for each in left]
    assert job.status == "successful" or typed[0] != "'"


@pytest.fixture
def volume(console: Emulator) -> int:
    """Return the id of a volume with an export."""
    volume = console.add_volume(**VOLUME)
    console.add_export(volume, desc="web", iprange="10.0.0.0/8", readonly=True)
    return volume


def named(console: Emulator, volume: int) -> dict[str, dict[str, Any]]:
    return {export["desc"]: export for export in console.exports(volume)}


def test_a_new_token_is_approved_by_others_than_who_asks_and_nobody_sees_it(
    awx: Awx, installation: Installation, user: User, launch: Launch, console: Emulator, volume: int
) -> None:
    workflow = template_of(awx, installation, "new token")
    starter, auditor = user(("new token", "execute")), user(is_system_auditor=True)
    half, approver = user(("new token", "approval")), user(("new token", "approval"), ("rotate", "read"))
    with pytest.raises(RefusedError, match="not allowed on launch"):
        starter.start(workflow, extra_vars=WEB | {"rotate_state": "finished"})
    old = named(console, volume)["web"]
    run = awx.wait_for_question(starter.start(workflow, extra_vars=WEB))
    assert awx.steps(run) == {"start": "successful", "approve": "pending"}
    nodes, both = awx.nodes(run), named(console, volume)
    output = nodes["start"]["url"] + "stdout/?format=txt"
    attempts: list[Callable[[], Any]] = [
        lambda: starter.decide(run, "approve"),
        lambda: starter.start(template_of(awx, installation, "rotate"), extra_vars=WEB),
        lambda: half.get(output),
        lambda: approver.start(workflow),
        lambda: auditor.decide(run, "approve"),
    ]
    for attempt in attempts:
        with pytest.raises(RefusedError, match=FORBIDDEN):
            attempt()
    assert "export 'web' of volume 'projects': rotation started" in approver.get(output)
    assert f"on {console.url}." in approver.get(nodes["approve"]["url"])["description"]
    # Denied, both stay; back by hand, and again.
    assert approver.decide(run, "deny") == "failed"
    assert (named(console, volume), set(both)) == (both, {"web", "web (next)"})
    assert launch("rotate", WEB | {"rotate_state": "aborted", "rotate_id": ""}).status == "successful"
    assert named(console, volume) == {"web": old}
    run = awx.wait_for_question(starter.start(workflow, extra_vars=WEB))
    new = named(console, volume)["web (next)"]
    assert new["token"] != old["token"]
    assert approver.decide(run, "approve") == "successful"
    assert named(console, volume) == {"web": {**new, "desc": "web"}}
    jobs = [auditor.ended(step).stored for name, step in awx.nodes(run).items() if name != "approve"]
    seen = json.dumps([auditor.get("credentials/"), auditor.get(run["url"])]) + "".join(jobs)
    assert [each for each in (console.secret_key, old["token"], new["token"]) if each in seen] == []
