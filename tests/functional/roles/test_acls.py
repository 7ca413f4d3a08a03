# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A new resource costs its data: what CONTRIBUTING says is done in a copy, and then used as users would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from functional.support.outofprocess import PATIENCE
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


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Replace pieces of a file, each of which must be there."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{path} has no {old}"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def copy_collection(tree: Path) -> None:
    """Copy what is installed, and add the resource: its description, three modules, and their place in the action group."""
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
    for role in ("apply", "report"):
        specs = root / "roles" / role / "meta" / "argument_specs.yml"
        edit(specs, ("choices: [exports, quotas,", "choices: [exports, quotas, acls,"))
    edit(root / "meta" / "runtime.yml", ("    - quota\n", "    - quota\n    - acl\n    - acls\n    - acl_info\n"))


def copy_emulator(folder: Path) -> None:
    """Copy the emulator, and add the resource to its data."""
    shutil.copytree(CHECKOUT / "tests" / "emulator", folder / "emulator")
    edit(
        folder / "emulator" / "resources.py",
        ("\nRESOURCES = ", f"{OF_EMULATOR}\nRESOURCES = "),
        ("(VOLUMES, EXPORTS, QUOTAS)", "(VOLUMES, EXPORTS, QUOTAS, ACLS)"),
        ("CHILDREN = (EXPORTS, QUOTAS)", "CHILDREN = (EXPORTS, QUOTAS, ACLS)"),
    )


class Site:
    """A folder of a user, with that collection and a console of that kind."""

    def __init__(self, folder: Path, console: dict[str, Any]) -> None:
        self.folder = folder
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "MANAGEDFS_CONSOLE_URL": console["url"],
            "MANAGEDFS_ACCESS_KEY": console["access_key"],
            "MANAGEDFS_SECRET_KEY": console["secret_key"],
            "ANSIBLE_COLLECTIONS_PATH": str(folder / "tree"),
            "HOME": str(folder),
        }

    def run(self, command: str, *arguments: str, **variables: Any) -> str:
        """Return what a command of Ansible prints."""
        given = ["-e", json.dumps(variables)] if variables else []
        done = subprocess.run(
            [command, *arguments, *given],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        print(done.stdout + done.stderr)
        assert done.returncode == 0
        return done.stdout

    def module(self, name: str, **options: Any) -> dict[str, Any]:
        """Return the result of a module."""
        printed = self.run("ansible", "localhost", "-m", f"managedfs.console.{name}", "-a", json.dumps(options))
        result: dict[str, Any] = json.loads(printed.partition("=> ")[2])
        return result

    def write(self, volume: dict[str, Any]) -> None:
        """Write a desired state."""
        (self.folder / "desired").mkdir(exist_ok=True)
        (self.folder / "desired" / "v.yml").write_text(yaml.safe_dump(volume), encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Yield a site whose console is started and ended."""
    copy_collection(tmp_path / "tree")
    copy_emulator(tmp_path)
    ready = tmp_path / "ready.json"
    command = [sys.executable, "-m", "emulator", "--port", "0", "--ready-file", str(ready), "--life", str(PATIENCE)]
    with subprocess.Popen(command, cwd=tmp_path) as process:
        while not ready.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield Site(tmp_path, json.loads(ready.read_text(encoding="utf-8")))
        process.terminate()


def changed(printed: str) -> int:
    """Return how many tasks of a playbook changed something."""
    return int(printed.rpartition("changed=")[2].split()[0])


def test_a_resource_costs_its_data(site: Site) -> None:
    site.write(VOLUME)
    for count in (1, 0):
        assert changed(site.run("ansible-playbook", "managedfs.console.apply", apply_source="desired")) == count
    site.run("ansible-playbook", "managedfs.console.capture", capture_dest="captured")
    (captured,) = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in (site.folder / "captured").iterdir()]
    assert captured["acls"] == [WEB]

    assert site.module("acl", volume="v", subject="web", iprange="10.0.0.0/8")["changed"] is False
    many = [{"subject": "web", "iprange": "*"}, {"subject": "db", "iprange": "::1"}]
    assert site.module("acls", volume="v", acls=many)["counts"] == {
        "created": 1,
        "updated": 1,
        "deleted": 0,
        "unchanged": 0,
        "failed": 0,
    }
    assert [acl["subject"] for acl in site.module("acl_info", volume="v")["acls"]] == ["web", "db"]

    reported = {"report_dest": "page", "report_source": "desired", "report_purge": ["acls"]}
    site.run("ansible-playbook", "managedfs.console.report", **reported)
    facts = json.loads((site.folder / "page" / "report.json").read_text(encoding="utf-8"))
    drift = facts["drift"]
    assert [(entry["kind"], entry["key"]) for entry in (*drift["to_update"], *drift["to_delete"])] == [
        ("acls", "web"),
        ("acls", "db"),
    ]
