# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What roles hand on of several hosts, in whatever order Ansible comes to them, and whichever of them failed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

HOSTS = ("a", "b", "c", "d")
DOWN = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    """Yield a console with a volume and a quota."""
    with Emulator() as emulator:
        volume = emulator.add_volume(name="v", bucket="https://v.example.com")
        emulator.add_quota(volume, path="/a", size=1024)
        yield emulator


def run(emulator: Emulator, folder: Path, role: str, *, keywords: dict[str, Any], **variables: Any) -> Played:
    """Run a role in check mode on four hosts, of which the first is down."""
    include = {"name": "Run", "ansible.builtin.include_role": {"name": f"managedfs.console.{role}"}}
    play = {
        "hosts": "all",
        "gather_facts": False,
        "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
        "module_defaults": {"group/managedfs.console.console": {"console_url": "{{ console }}", "retries": 0}},
        "tasks": [{**include, "vars": variables}],
        **keywords,
    }
    hosts = {name: {"console": DOWN if name == "a" else emulator.url} for name in HOSTS}
    inventory = {"all": {"hosts": hosts, "vars": {"ansible_connection": "local"}}}
    for name, content in (("hosts.yml", inventory), ("play.yml", [play])):
        (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    return run_playbook(emulator, folder, "play.yml", {}, "-i", "hosts.yml", "--check")


def artifacts(played: Played) -> dict[str, Any]:
    """Return what a workflow gets."""
    found: dict[str, Any] = json.loads(played.output.split("CUSTOM STATS", 1)[1].split("RUN:", 1)[1])
    return found


@pytest.fixture(autouse=True)
def _show_artifacts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSIBLE_SHOW_CUSTOM_STATS", "true")


DIFFERS = {
    "apply_volumes": [
        {"name": "v", "quotas": [{"path": "/a", "size": "{{ '1KiB' if inventory_hostname == 'c' else '2KiB' }}"}]}
    ]
}
PLAYS: dict[str, tuple[dict[str, Any], str]] = {
    "all at once": ({}, "- a: failed: `GET "),
    "in batches": ({"serial": 2}, "- a: failed: `GET "),
    "the first has failed before": (
        {"pre_tasks": [{"ansible.builtin.fail": {"msg": "no"}, "when": "inventory_hostname == 'a'"}]},
        "- a: failed: `failed before`\n",
    ),
    "the variables of the first are wrong": (
        {"vars": {"apply_max_deletions": "{{ 'most' if inventory_hostname == 'a' else '30%' }}"}},
        "- a: failed: ",
    ),
}


@pytest.mark.parametrize(("keywords", "line"), PLAYS.values(), ids=PLAYS)
def test_the_first_host_may_have_failed(
    emulator: Emulator, tmp_path: Path, keywords: dict[str, Any], line: str
) -> None:
    python = {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    keywords = {**keywords, "vars": {**python, **keywords.get("vars", {})}}
    played = run(emulator, tmp_path, "apply", keywords=keywords, **DIFFERS)
    assert [host for host in HOSTS if played.count("failed", host)] == ["a"]
    found = artifacts(played)
    assert list(found["managedfs_plan"]) == ["b", "c", "d"]
    assert found["managedfs_plan"]["c"] == "nothing"
    head, _blank, *lines = found["managedfs_summary"].splitlines()
    assert head == "4 consoles: 1 failed, 2 differ, 1 as desired"
    assert f"{lines[0]}\n".startswith(line)
    assert [text.split(":")[0] for text in lines[1:3]] == ["- b", "- d"]
    counts = found["managedfs_report"]
    assert [counts.get(name) for name in ("consoles", "failed", "updated")] == [4, 1, 2]
    # Each once, and where there are batches the sums of all so far.
    batches = 2 if "serial" in keywords else 1
    assert played.output.count("managedfs.console.apply : Show what was done]") == batches
    assert f'"{head}",' in played.output


def test_where_no_task_can_run_once_each_host_shows_its_own_and_fails_by_itself(
    emulator: Emulator, tmp_path: Path
) -> None:
    fails = {**DIFFERS, "apply_fail_on_changes": True}
    played = run(emulator, tmp_path, "apply", keywords={"strategy": "free"}, **fails)
    found = artifacts(played)
    assert set(found["managedfs_plan"]) <= {"b", "c", "d"}
    assert played.output.count('"## What would be done"') == 2
    assert [host for host in HOSTS if played.count("failed", host)] == ["a", "b", "d"]
    assert "Using run_once" not in played.output


UNDEFINED = "{{ undefined_somewhere if inventory_hostname == 'a' else '' }}"
ENDS_WITH_AN_ERROR: dict[str, dict[str, Any]] = {
    "apply": {**DIFFERS, "apply_plan_file": UNDEFINED},
    "capture": {"capture_dest": "{{ inventory_hostname }}", "capture_max_removals": UNDEFINED},
    "report": {"report_dest": "reports", "report_source": UNDEFINED},
}


@pytest.mark.parametrize("role", ENDS_WITH_AN_ERROR)
def test_tasks_for_all_hosts_run_once_though_ansible_fails_while_it_reads_a_variable(
    emulator: Emulator, tmp_path: Path, role: str
) -> None:
    name = {"name": f"managedfs.console.{role}", "rolespec_validate": False}
    include = {"ansible.builtin.include_role": name, "vars": ENDS_WITH_AN_ERROR[role]}
    played = run(emulator, tmp_path, role, keywords={"tasks": [include]})
    assert [host for host in HOSTS if played.count("failed", host)] == ["a"]
    block, *_tasks = yaml.safe_load((CHECKOUT / "roles" / role / "tasks" / "main.yml").read_text(encoding="utf-8"))
    summed_up, _shown = block["always"]
    output = played.output.split(f" : {summed_up['name']}]", 1)[1].split("\n\n", 1)[0]
    assert re.findall(r"^\w+: \[(\w)\]", output, re.MULTILINE) == ["a"]
