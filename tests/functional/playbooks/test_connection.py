# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sources of the connection in the collection's playbooks, and the meaning of blank variables to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import trustme
import yaml

from emulator import Emulator, Fault
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

TENANT = {"tenant_name": "alice", "tenant_volume": "projects", "tenant_size": "1GiB"}
BLANK = dict.fromkeys(
    ("console_url", "access_key", "secret_key", "validate_certs", "ca_path", "client_cert", "client_key"), ""
) | {"timeout": " ", "retries": None, "hosts": ""}


def onboard(emulator: Emulator, folder: Path, variables: dict[str, Any], *options: str) -> Played:
    """Run the playbook tenant on a console with one volume."""
    emulator.add_volume(name="projects", id=7)
    return run_playbook(emulator, folder, "managedfs.console.tenant", TENANT | variables, *options)


def prefixed(options: dict[str, Any]) -> dict[str, Any]:
    """Return connection options under the names of the playbooks' variables."""
    return {f"managedfs_{name}": value for name, value in options.items()}


def options_of(role: str) -> list[str]:
    """Return the names of a role's variables."""
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    return list(yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"])


def test_blank_variables_are_unset_in_every_playbook(tmp_path: Path) -> None:
    desired = tmp_path / "desired"
    desired.mkdir()
    (desired / "projects.yml").write_text("name: projects", encoding="utf-8")
    roles = ("apply", "capture", "report", "tenant")
    blank = {name: " " for role in roles for name in options_of(role)} | prefixed(BLANK)
    needed = {"apply_source": str(desired), "capture_dest": str(tmp_path / "captured"), **TENANT}
    others = [f"managedfs.console.{role}" for role in roles if role != "tenant"]
    with Emulator() as emulator:
        played = onboard(emulator, tmp_path, blank | needed, *others)
        (quota,) = emulator.quotas(7)
        assert (quota["path"], quota["size"], emulator.exports(7)) == ("/alice", 1 << 30, [])
    assert played.count("failed") == 0
    assert played.output.count("PLAY RECAP") == len(roles)


def test_variables_win_over_the_environment_and_zero_and_false_are_values(tmp_path: Path) -> None:
    answers = {"tenant_size": 0, "tenant_inodes": "0", "tenant_readonly": "false", "tenant_iprange": "*"}
    with Emulator() as wanted, Emulator() as other:
        keys = {"access_key": wanted.access_key, "secret_key": wanted.secret_key}
        wanted.add_volume(name="projects", id=7)
        onboard(other, tmp_path, prefixed({"console_url": wanted.url, **keys}) | answers)
        (quota,), (export,) = wanted.quotas(7), wanted.exports(7)
        assert other.requests == []
    assert (quota["path"], quota["size"], quota["inodes"]) == ("/alice", 0, 0)
    assert (export["desc"], export["readonly"]) == ("alice", False)


def test_zero_and_false_are_values_of_the_connection(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("127.0.0.1")
    key, cert = tmp_path / "server.key", tmp_path / "server.pem"
    certificate.private_key_pem.write_to_path(key)
    certificate.cert_chain_pems[0].write_to_path(cert)
    with Emulator(tls_cert=str(cert), tls_key=str(key)) as emulator:
        emulator.inject(Fault("status", status=503, times=None))
        onboard(emulator, tmp_path, prefixed({"validate_certs": False, "retries": 0}))
        assert len(emulator.requests) == 1


def test_a_variable_that_cannot_be_evaluated_is_not_left_to_the_environment(tmp_path: Path) -> None:
    oslo = {"managedfs_console_url": "{{ url_of_oslo }}", "ansible_connection": "local"}
    (tmp_path / "inventory.yml").write_text(yaml.safe_dump({"all": {"hosts": {"oslo": oslo}}}), encoding="utf-8")
    with Emulator() as other:
        played = onboard(other, tmp_path, {"managedfs_hosts": "oslo"}, "-i", str(tmp_path / "inventory.yml"))
        assert other.requests == []
    assert (played.count("failed"), "url_of_oslo" in played.output) == (1, True)
