# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the playbooks of the collection take the connection from, and what a blank variable is to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trustme
import yaml

from emulator import Emulator, Fault
from functional.support.plays import Played, run_playbook

TENANT = {"tenant_name": "alice", "tenant_volume": "projects", "tenant_size": "1GiB"}
BLANK = dict.fromkeys(
    ("console_url", "access_key", "secret_key", "validate_certs", "ca_path", "client_cert", "client_key"), ""
) | {"timeout": " ", "retries": None}


def onboard(emulator: Emulator, folder: Path, variables: dict[str, Any], *options: str) -> Played:
    """Run the playbook tenant on a console with one volume."""
    emulator.add_volume(name="projects", id=7)
    return run_playbook(emulator, folder, "managedfs.console.tenant", TENANT | variables, *options)


def prefixed(options: dict[str, Any]) -> dict[str, Any]:
    """Return connection options under the names of the playbooks' variables."""
    return {f"managedfs_{name}": value for name, value in options.items()}


def test_blank_variables_leave_the_connection_to_the_environment(tmp_path: Path) -> None:
    with Emulator() as emulator:
        played = onboard(emulator, tmp_path, prefixed(BLANK) | {"managedfs_hosts": ""})
        assert [quota["path"] for quota in emulator.quotas(7)] == ["/alice"]
    assert played.count("changed") == 1


def test_variables_win_over_the_environment(tmp_path: Path) -> None:
    with Emulator() as wanted, Emulator() as other:
        keys = {"access_key": wanted.access_key, "secret_key": wanted.secret_key}
        wanted.add_volume(name="projects", id=7)
        onboard(other, tmp_path, prefixed({"console_url": wanted.url, **keys}))
        assert [quota["path"] for quota in wanted.quotas(7)] == ["/alice"]
        assert other.requests == []


def test_zero_and_false_are_values(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("127.0.0.1")
    key, cert = tmp_path / "server.key", tmp_path / "server.pem"
    certificate.private_key_pem.write_to_path(key)
    certificate.cert_chain_pems[0].write_to_path(cert)
    with Emulator(tls_cert=str(cert), tls_key=str(key)) as emulator:
        emulator.inject(Fault("status", status=503, times=None))
        onboard(emulator, tmp_path, prefixed({"validate_certs": False, "retries": 0}))
        assert len(emulator.requests) == 1


def test_the_interpreter_of_an_inventory_counts(tmp_path: Path) -> None:
    hosts = {"here": {}, "elsewhere": {"ansible_python_interpreter": "/no/such/python"}}
    inventory = {"all": {"hosts": hosts, "vars": {"ansible_connection": "local"}}}
    (tmp_path / "inventory.yml").write_text(yaml.safe_dump(inventory), encoding="utf-8")
    with Emulator() as emulator:
        played = onboard(emulator, tmp_path, {"managedfs_hosts": "all"}, "-i", str(tmp_path / "inventory.yml"))
    assert played.count("changed", "here") == 1
    assert "/no/such/python" in played.output
    assert played.count("changed", "elsewhere") == 0


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        pytest.param({"tenant_inodes": "many"}, "tenant_inodes", id="a number"),
        pytest.param({"tenant_readonly": "perhaps"}, "tenant_readonly", id="a boolean"),
        pytest.param({"tenant_state": "gone"}, "value of tenant_state must be one of: present, absent", id="a choice"),
        pytest.param(
            {"tenant_name": " ", "tenant_volume": ""}, "tenant_name and tenant_volume must be set.", id="required"
        ),
    ],
)
def test_what_no_role_takes_is_named(tmp_path: Path, variables: dict[str, Any], message: str) -> None:
    with Emulator() as emulator:
        played = onboard(emulator, tmp_path, variables)
        assert emulator.writes == []
    assert played.count("failed") == 1
    assert message in played.output


def test_blank_answers_of_a_survey_are_unset_and_zero_and_false_are_not(tmp_path: Path) -> None:
    blank = dict.fromkeys(("tenant_inodes", "tenant_path", "tenant_readonly", "tenant_state", "tenant_token_file"), "")
    zero = {"tenant_name": "bob", "tenant_size": 0, "tenant_inodes": "0", "tenant_readonly": "false"}
    with Emulator() as emulator:
        onboard(emulator, tmp_path, blank | {"tenant_iprange": "  "})
        run_playbook(emulator, tmp_path, "managedfs.console.tenant", TENANT | blank | zero | {"tenant_iprange": "*"})
        alice, bob = emulator.quotas(7)
        (export,) = emulator.exports(7)
    assert (alice["path"], alice["size"]) == ("/alice", 1 << 30)
    assert (bob["path"], bob["size"], bob["inodes"]) == ("/bob", 0, 0)
    assert (export["desc"], export["readonly"]) == ("bob", False)
