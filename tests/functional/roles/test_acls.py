# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A new resource costs only data: the steps in CONTRIBUTING are taken in a copy, which then works for users."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from functional.support.outofprocess import PATIENCE
from functional.support.plays import Played, run_playbook
from harness.places import CHECKOUT

ACL = """
ACL = Resource(
    "acl",
    "acls",
    "volumes/{volume_id}/acls",
    (
        Field("id", INTEGER),
        Field("subject", NAME, KEY),
        Field("iprange", NETWORK, UPDATABLE),
        Field("writable", BOOLEAN, CREATE_ONLY, default=False),
    ),
    has_update=True,
    required_to_create=("iprange",),
)
"""
OF_EMULATOR = """
ACLS = Resource(
    "acls",
    "subject",
    (
        Field("subject", "text", "", updated=True),
        Field("iprange", "network", "", updated=True),
        Field("writable", "flag", False),
    ),
    first_id=40001,
    required=("subject",),
)
"""
WEB = {"subject": "web", "iprange": "10.0.0.0/8", "writable": False}
VOLUME = {"name": "v", "bucket": "https://v.s3.example.com", "quotas": [{"path": "/a", "size": "1GiB"}], "acls": [WEB]}

PLAYBOOK = """
- import_playbook: managedfs.console.apply
- import_playbook: managedfs.console.apply
- import_playbook: managedfs.console.capture
- hosts: localhost
  gather_facts: false
  vars:
    ansible_python_interpreter: "{{ ansible_playbook_python }}"
    results: {changed: "{{ acl.changed }}", counts: "{{ acls.counts }}", subjects: "{{ listed.acls | map(attribute='subject') }}"}
  tasks:
    - managedfs.console.acl: {volume: v, subject: web, iprange: 10.0.0.0/8}
      register: acl
    - managedfs.console.acls: {volume: v, acls: [{subject: web, iprange: "*"}, {subject: db, iprange: "::1"}]}
      register: acls
    - managedfs.console.acl_info: {volume: v}
      register: listed
    - ansible.builtin.copy: {content: "{{ results | to_json }}", dest: results.json, mode: "0600"}
- import_playbook: managedfs.console.report
"""


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Replace pieces of a file, each of which must be there."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{path} has no {old}"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def copy_collection(tree: Path) -> None:
    """Copy the collection, and add the resource: its description, three modules and their actions, and their entries in the action group."""
    root = tree / "ansible_collections" / "managedfs" / "console"
    for name in ("plugins", "roles", "playbooks", "meta"):
        shutil.copytree(CHECKOUT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / "galaxy.yml", root)
    resources = root / "plugins" / "module_utils" / "_internal" / "model" / "resources.py"
    edit(resources, ("\nLISTS_OF_VOLUME = (EXPORT, QUOTA)", f"{ACL}\nLISTS_OF_VOLUME = (EXPORT, QUOTA, ACL)"))
    modules = root / "plugins" / "modules"
    for old, new in (("quota", "acl"), ("quotas", "acls"), ("quota_info", "acl_info")):
        text = (modules / f"{old}.py").read_text(encoding="utf-8")
        (modules / f"{new}.py").write_text(text.replace("QUOTA", "ACL").replace("quota", "acl"), encoding="utf-8")
        shutil.copy(root / "plugins" / "action" / f"{old}.py", root / "plugins" / "action" / f"{new}.py")
    for role in ("apply", "report"):
        specs = root / "roles" / role / "meta" / "argument_specs.yml"
        edit(specs, ("choices: [exports, quotas,", "choices: [exports, quotas, acls,"))
    edit(root / "meta" / "runtime.yml", ("    - quota\n", "    - quota\n    - acl\n    - acls\n    - acl_info\n"))
    operations = '"acl": record_operation(ACL), "acls": list_operation(ACL), "acl_info": info_operation(ACL)'
    action = root / "plugins" / "action" / "volumes.py"
    edit(action, ("import EXPORT,", "import ACL, EXPORT,"), ("OPERATIONS = {", f"OPERATIONS = {{{operations},"))


def copy_emulator(folder: Path) -> None:
    """Copy the emulator, and add the resource to its data."""
    shutil.copytree(CHECKOUT / "tests" / "emulator", folder / "emulator")
    kinds = ("(VOLUMES, EXPORTS, QUOTAS)", "CHILDREN = (EXPORTS, QUOTAS)")
    changes = [(old, old.replace("QUOTAS)", "QUOTAS, ACLS)")) for old in kinds]
    edit(folder / "emulator" / "resources.py", ("\nRESOURCES = ", f"{OF_EMULATOR}\nRESOURCES = "), *changes)


@pytest.fixture
def console(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Yield the address and keys of a console of that kind, which is started and ended."""
    copy_emulator(tmp_path)
    ready = tmp_path / "ready.json"
    command = [sys.executable, "-m", "emulator", "--port", "0", "--ready-file", str(ready), "--life", str(PATIENCE)]
    with subprocess.Popen(command, cwd=tmp_path) as process:
        while not ready.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield json.loads(ready.read_text(encoding="utf-8"))
        process.terminate()


def run(folder: Path, console: dict[str, str], patch: pytest.MonkeyPatch, **variables: Any) -> list[Played]:
    """Run the playbook with the changed collection, and return its plays."""
    copy_collection(folder / "tree")
    (folder / "play.yml").write_text(PLAYBOOK, encoding="utf-8")
    patch.setattr("functional.support.outofprocess.collections_path", lambda: str(folder / "tree"))
    emulator: Any = SimpleNamespace(**console)
    played = run_playbook(emulator, folder, "play.yml", variables)
    assert played.count("failed") == 0
    return [Played(play) for play in played.output.split("\nPLAY ")[1:]]


def test_a_resource_costs_its_data(tmp_path: Path, console: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "desired").mkdir()
    (tmp_path / "desired" / "v.yml").write_text(yaml.safe_dump(VOLUME), encoding="utf-8")
    reported = {"report_dest": "page", "report_source": "desired", "report_purge": ["acls"]}
    plays = run(tmp_path, console, monkeypatch, apply_source="desired", capture_dest="captured", **reported)
    assert [play.count("changed") for play in plays[:2]] == [1, 0]
    captured = yaml.safe_load((tmp_path / "captured" / "v.yml").read_text(encoding="utf-8"))
    assert captured["acls"] == [WEB]
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    counts = {"created": 1, "updated": 1, "deleted": 0, "unchanged": 0, "failed": 0, "ignored": 0, "unmanaged": 0}
    assert results == {"changed": False, "counts": counts, "subjects": ["web", "db"]}
    drift = json.loads((tmp_path / "page" / "report.json").read_text(encoding="utf-8"))["drift"]
    (to_update,), (to_delete,) = drift["to_update"], drift["to_delete"]
    assert (to_update["kind"], to_update["key"]) == ("acls", "web")
    assert (to_delete["kind"], to_delete["key"]) == ("acls", "db")
