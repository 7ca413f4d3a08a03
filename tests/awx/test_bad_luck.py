# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Mistakes and accidents: their messages reach the user who started the template."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from awx.client import Awx
from awx.conftest import Installation, Launch, Project
from emulator import Emulator
from functional.support.inprocess import connection_to

LIMIT = 700_000
VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
TENANT = {"tenant_name": "a", "tenant_volume": "projects", "tenant_size": "1GiB"}

# Makes a credential with other inputs than the one of the setup, and returns its id.
Credential = Callable[..., int]


@pytest.fixture
def credential(awx: Awx, console: Emulator, installation: Installation) -> Iterator[Credential]:
    """Yield a function that makes credentials, which are removed at the end."""
    made: list[dict[str, Any]] = []
    kind = awx.named("credential_types", "Managed file-system console")
    organization = awx.named("organizations", "Default")
    keys = connection_to(console)

    def credential(**inputs: Any) -> int:
        given = {name: text for name, text in (keys | inputs).items() if text is not None}
        body = {"name": f"{installation.prefix}: {len(made)}", "inputs": given}
        body |= {"organization": organization["id"], "credential_type": kind["id"]}
        made.append(awx.post("credentials/", body))
        return int(made[-1]["id"])

    yield credential
    for each in made:
        awx.call("DELETE", each["url"])


def test_a_credential_without_its_key_cannot_start_a_job(launch: Launch, credential: Credential) -> None:
    job = launch("report", credentials=[credential(secret_key=None)])
    assert job.status == "failed"
    assert "required fields (secret_key)" in job.record["job_explanation"]


def test_blanks_around_a_key_do_no_harm(launch: Launch, console: Emulator, credential: Credential) -> None:
    blank = {"ca_cert": " ", "client_key": "\n", "timeout": "", "retries": " 0"}
    number = credential(secret_key=f" {console.secret_key}\n", **blank)
    assert launch("report", credentials=[number]).status == "successful"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"secret_key": "another"}, "check access_key and secret_key"),
        ({"console_url": "http://127.0.0.1:1", "retries": "0"}, "127.0.0.1:1"),
        ({"timeout": "soon"}, "timeout"),
    ],
    ids=["wrong key", "console that is down", "no number"],
)
def test_a_connection_that_fails_is_explained(
    launch: Launch, credential: Credential, inputs: dict[str, Any], message: str
) -> None:
    job = launch("report", credentials=[credential(**inputs)])
    assert job.status == "failed"
    assert message in job.output


def test_only_the_right_authority_is_trusted(
    launch: Launch, credential: Credential, address: str, tmp_path: Path
) -> None:
    authority, other = trustme.CA(), trustme.CA()
    issued = authority.issue_cert(address)
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    issued.private_key_pem.write_to_path(key)
    issued.cert_chain_pems[0].write_to_path(cert)
    with Emulator(host=address, tls_cert=str(cert), tls_key=str(key)) as console:
        keys = connection_to(console)
        right, wrong = (each.cert_pem.bytes().decode() for each in (authority, other))
        assert launch("report", credentials=[credential(**keys, ca_cert=right)]).status == "successful"
        failed = launch("report", credentials=[credential(**keys, ca_cert=wrong)])
        assert launch("report", credentials=[credential(**keys, insecure=True)]).status == "successful"
    assert failed.status == "failed"
    assert "certificate" in failed.output


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"tenant_size": "ten"}, "GiB"),
        ({"tenant_inodes": "many"}, "tenant_inodes"),
        ({"tenant_iprange": "lan"}, "iprange must be a network"),
        ({"tenant_size": " "}, "There is nothing to do for tenant a"),
        ({"tenant_volume": " "}, "tenant_volume must be set."),
    ],
)
def test_an_answer_that_is_nonsense_is_explained(
    launch: Launch, console: Emulator, answers: dict[str, str], message: str
) -> None:
    console.add_volume(name="projects")
    job = launch("tenant", TENANT | answers)
    assert job.status == "failed"
    assert message in job.output
    assert console.writes == []


def test_a_second_run_waits_for_the_first(awx: Awx, started: Callable[..., Any], console: Emulator) -> None:
    console.add_volume(name="projects")
    console.latency = 0.5
    first, second = (started("tenant", TENANT | {"tenant_name": name}) for name in ("a", "b"))
    assert [awx.ended(each).status for each in (first, second)] == ["successful", "successful"]
    assert awx.get(first["url"])["finished"] <= awx.get(second["url"])["started"]


def test_a_cancelled_job_is_completed_by_the_next(
    awx: Awx, started: Callable[..., Any], launch: Launch, project: Project, console: Emulator
) -> None:
    project.publish([VOLUME | {"quotas": [{"path": f"/home/{n}", "size": "1GiB"} for n in range(200)]}])
    console.latency = 0.3
    run = started("apply")
    end = time.monotonic() + 120
    while len(console.writes) < 10 and time.monotonic() < end:
        time.sleep(0.1)
    awx.post(run["related"]["cancel"])
    assert awx.ended(run).status == "canceled"
    (made,) = console.volumes()
    assert 0 < len(console.quotas(made["id"])) < 200
    console.latency = 0
    assert launch("apply").status == "successful"
    assert len(console.quotas(made["id"])) == 200


def test_the_result_of_a_large_job_is_stored(launch: Launch, project: Project) -> None:
    project.publish([VOLUME | {"quotas": [{"path": f"/home/user-{n}", "size": "1GiB"} for n in range(50_000)]}])
    for _run in range(2):
        job = launch("check")
        (result,) = job.results("Bring the console to the desired state")
        assert (job.status, bool(result["msg"])) == ("successful", True)
        assert max(len(str(result)), len(job.output)) < LIMIT
