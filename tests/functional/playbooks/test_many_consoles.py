# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The examples of teams and of many consoles: a file of hundreds, consoles side by side, keys from a vault, and one of them down."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.outofprocess import run_command
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

CONSOLES = ("berlin", "lisbon", "oslo")


@pytest.fixture
def consoles() -> Iterator[dict[str, Emulator]]:
    """Yield a console for each host of the example, each with its own keys and a volume."""
    with contextlib.ExitStack() as stack:
        consoles = {name: stack.enter_context(Emulator()) for name in CONSOLES}
        for console in consoles.values():
            console.add_volume(name="projects", id=7)
        yield consoles


@pytest.fixture
def inventory(tmp_path: Path, consoles: dict[str, Emulator]) -> Path:
    """Return a copy of the example that leads to the consoles, with their keys in an encrypted file."""
    copy = tmp_path / "many-consoles"
    for example in ("awx-project", "many-consoles"):
        shutil.copytree(CHECKOUT / "examples" / example, copy, dirs_exist_ok=True)
    hosts = copy / "inventory.yml"
    text = hosts.read_text(encoding="utf-8")
    for name, console in consoles.items():
        text = text.replace(f"https://{name}.example.com", console.url)
    hosts.write_text(text, encoding="utf-8")
    keys = {name: {"access_key": each.access_key, "secret_key": each.secret_key} for name, each in consoles.items()}
    vault, password = copy / "keys.yml", tmp_path / "password"
    vault.write_text(yaml.safe_dump(keys), encoding="utf-8")
    password.write_text("example", encoding="utf-8")
    run_command(consoles["oslo"], tmp_path, "ansible-vault", "encrypt", f"--vault-password-file={password}", str(vault))
    assert vault.read_text(encoding="utf-8").startswith("$ANSIBLE_VAULT")
    return hosts


def test_two_consoles_are_done_where_the_third_is_down(
    tmp_path: Path, consoles: dict[str, Emulator], inventory: Path
) -> None:
    down = consoles["lisbon"]
    down.refuse(seconds=60)
    variables = {"managedfs_hosts": "consoles", "managedfs_retries": 0}
    variables |= {"tenant_name": "alice", "tenant_volume": "projects", "tenant_size": "1GiB", "tenant_iprange": "*"}
    options = ("-i", str(inventory), f"--vault-password-file={tmp_path / 'password'}", "--forks=3")
    played = run_playbook(consoles["oslo"], tmp_path, "managedfs.console.tenant", variables, *options)
    assert {name: played.count("failed", name) for name in consoles} == {"berlin": 0, "lisbon": 1, "oslo": 0}
    for name in ("berlin", "oslo"):
        assert [quota["path"] for quota in consoles[name].quotas(7)] == ["/alice"]
        assert [export["desc"] for export in consoles[name].exports(7)] == ["alice"]
    assert down.quotas(7) == []
    assert down.url in played.output
    assert not [console for console in consoles.values() if console.secret_key in played.output]


def test_a_plan_of_several_consoles_names_the_one_that_is_down(
    tmp_path: Path, consoles: dict[str, Emulator], inventory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSIBLE_SHOW_CUSTOM_STATS", "true")
    consoles["lisbon"].refuse(seconds=60)
    variables: dict[str, Any] = {
        "managedfs_hosts": "consoles",
        "managedfs_retries": 0,
        "apply_volumes": [{"name": "projects"}],
    }
    options = ("-i", str(inventory), f"--vault-password-file={tmp_path / 'password'}", "--check")
    played = run_playbook(consoles["oslo"], tmp_path, "managedfs.console.apply", variables, *options)
    handed_on = json.loads(played.output.split("CUSTOM STATS", 1)[1].split("RUN:", 1)[1])
    assert handed_on["managedfs_plan"] == {"berlin": "nothing", "oslo": "nothing"}
    summary = handed_on["managedfs_summary"]
    assert summary.startswith(
        "3 consoles: 1 failed, 2 as desired\n\n- lisbon: failed: `GET /api/v1/volumes: no usable response"
    )
    # There is nothing to say about the others.
    assert re.findall("^# (.*)$", summary, re.MULTILINE) == []
    assert [handed_on["managedfs_report"][name] for name in ("consoles", "failed", "unchanged")] == [3, 1, 2]


def test_the_project_in_awx_takes_the_keys_from_a_credential_and_a_folder_for_each_console(
    tmp_path: Path, consoles: dict[str, Emulator], inventory: Path
) -> None:
    keys = {name: {"access_key": each.access_key, "secret_key": each.secret_key} for name, each in consoles.items()}
    (inventory.parent / "keys.yml").unlink()
    for name in CONSOLES:
        desired = {"name": "projects", "quotas": [{"path": f"/{name}", "size": "1GiB"}]}
        (inventory.parent / "desired" / name).mkdir()
        (inventory.parent / "desired" / name / "projects.yml").write_text(yaml.safe_dump(desired), encoding="utf-8")
    consoles["oslo"].add_quota(7, path="/tenants/blue", size=1)
    variables: dict[str, Any] = {"managedfs_hosts": "consoles", "managedfs_keys": yaml.safe_dump(keys)}
    variables |= {"apply_purge": ["quotas"]}
    playbook = str(inventory.parent / "apply.yml")
    played = run_playbook(consoles["oslo"], tmp_path, playbook, variables, "-i", str(inventory), "--limit=oslo,berlin")
    assert played.count("failed") == 0
    quotas = {name: [quota["path"] for quota in console.quotas(7)] for name, console in consoles.items()}
    # What a team has on one console is ignored by what all folders share.
    assert quotas == {"berlin": ["/berlin"], "lisbon": [], "oslo": ["/tenants/blue", "/oslo"]}


# The hosts of a run, its limit, and the consoles that are left. A run for none is an error.
LIMITS: dict[str, tuple[str, str, list[str]]] = {
    "a name that no host has": ("olso", "all", []),
    "a file with a host": ("consoles", "@hosts.retry", ["oslo"]),
}


@pytest.mark.parametrize(("hosts", "limit", "left"), LIMITS.values(), ids=LIMITS)
def test_a_limit_that_leaves_no_console_is_an_error(
    tmp_path: Path, consoles: dict[str, Emulator], inventory: Path, hosts: str, limit: str, left: list[str]
) -> None:
    inventory.write_text(inventory.read_text(encoding="utf-8") + "others: {hosts: {bastion: }}\n", encoding="utf-8")
    (tmp_path / "hosts.retry").write_text("oslo\n", encoding="utf-8")
    options = ["-i", str(inventory), "--vault-password-file", str(tmp_path / "password"), "--limit", limit]
    played = run_playbook(consoles["oslo"], tmp_path, "managedfs.console.report", {"managedfs_hosts": hosts}, *options)
    assert [name for name, console in consoles.items() if console.requests] == left
    assert ("no host matches managedfs_hosts" in played.output, played.code == 0) == (not left, bool(left))


GIB = 2**30
# Names that YAML would take for something else are teams, too.
NAMES = ["010", "no", "2026-11-25", "a: b", "{{ x }}", *(f"team-{number:03}" for number in range(195))]


def team(number: int, name: str) -> dict[str, Any]:
    return {"name": name, "size": f"{number + 1}GiB", "network": f"10.{number}.0.0/16"}


def test_one_file_of_two_hundred_teams_is_followed_line_by_line(tmp_path: Path, emulator: Emulator) -> None:
    folder = tmp_path / "teams"
    shutil.copytree(CHECKOUT / "examples" / "teams", folder)
    volume = emulator.add_volume(name="projects")
    teams = [team(number, name) for number, name in enumerate(NAMES)]

    def play(*options: str) -> Played:
        content = yaml.safe_dump({"volume": "projects", "teams": teams})
        # What a name contains is no template.
        (folder / "teams.yml").write_text(content.replace("'{{ x }}'", "!unsafe '{{ x }}'"), encoding="utf-8")
        played = run_playbook(emulator, tmp_path, str(folder / "apply.yml"), {}, *options)
        assert played.count("failed") == 0, played.output
        return played

    def check() -> None:
        wanted = {f"/{each['name']}": int(each["size"].removesuffix("GiB")) * GIB for each in teams}
        assert {quota["path"]: quota["size"] for quota in emulator.quotas(volume)} == wanted
        networks = {each["name"]: each["network"] for each in teams if "network" in each}
        assert {export["desc"]: export["iprange"] for export in emulator.exports(volume)} == networks

    play("--check")
    assert emulator.writes == []
    play()
    check()
    written = len(emulator.writes)
    assert written == 2 * len(NAMES)
    assert play().count("changed") == 0
    teams[7]["size"] = "1000GiB"
    del teams[8]["network"]
    teams.remove(teams[9])
    teams.append(team(200, "newcomers"))
    play()
    check()
    # A limit and an export each of the team that came, and of the one that went; a limit that changed, an access that ended.
    assert len(emulator.writes) == written + 6


def test_a_misspelt_key_takes_nothing_away(tmp_path: Path, emulator: Emulator) -> None:
    folder = tmp_path / "teams"
    shutil.copytree(CHECKOUT / "examples" / "teams", folder)
    volume = emulator.add_volume(name="projects")
    emulator.add_export(volume, desc="design", iprange="10.21.0.0/16")
    file = folder / "teams.yml"
    file.write_text(file.read_text(encoding="utf-8").replace("network: 10.21", "netwrok: 10.21"), encoding="utf-8")
    played = run_playbook(emulator, tmp_path, str(folder / "apply.yml"), {})
    assert "netwrok" in played.output
    assert emulator.writes == []
