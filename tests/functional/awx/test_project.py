# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The example project: its playbooks in jobs as AWX makes them, and the image for them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.outofprocess import collections_path, run_command
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "awx-project"
DESIRED = {
    "name": "projects",
    "bucket": "https://projects.example.com",
    "exports": [{"desc": "web", "iprange": "10.0.0.0/8"}],
    "quotas": [{"path": "/home/alice", "size": "10GiB"}],
}
# What AWX adds to every job of a template.
AWX_VARIABLES = {"awx_job_id": 1, "awx_job_template_name": "Console", "awx_project_revision": "0123abc"}


@pytest.fixture
def console() -> Iterator[Emulator]:
    """Yield a console."""
    with Emulator() as emulator:
        yield emulator


def run_job(
    console: Emulator, folder: Path, playbook: str, variables: dict[str, Any], *options: str
) -> tuple[str, dict[str, Any]]:
    """Run a playbook of the example as AWX does, and return the output and what was handed on to a workflow."""
    job = folder / "job"
    for name in ("env", "inventory"):
        (job / name).mkdir(parents=True)
    shutil.copytree(EXAMPLE, job / "project")
    (job / "project" / "desired" / "projects.yml").write_text(yaml.safe_dump(DESIRED), encoding="utf-8")
    (job / "inventory" / "hosts").write_text("{}", encoding="utf-8")
    environment = {
        "MANAGEDFS_CONSOLE_URL": console.url,
        "MANAGEDFS_ACCESS_KEY": console.access_key,
        "MANAGEDFS_SECRET_KEY": console.secret_key,
        **dict.fromkeys(("MANAGEDFS_CA_PATH", "MANAGEDFS_CLIENT_CERT", "MANAGEDFS_CLIENT_KEY"), ""),
        **dict.fromkeys(("MANAGEDFS_TIMEOUT", "MANAGEDFS_RETRIES"), ""),
        "MANAGEDFS_VALIDATE_CERTS": "true",
        "ANSIBLE_COLLECTIONS_PATH": collections_path(),
        "ANSIBLE_REMOTE_TMP": str(folder / "remote"),
    }
    (job / "env" / "envvars").write_text(yaml.safe_dump(environment), encoding="utf-8")
    (job / "env" / "extravars").write_text(yaml.safe_dump(AWX_VARIABLES | variables), encoding="utf-8")
    (job / "env" / "cmdline").write_text(" ".join(options), encoding="utf-8")
    runner = str(Path(sys.executable).with_name("ansible-runner"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    steps = [["transmit", str(job), "--playbook", playbook], ["worker"], ["process", str(folder / "ended")]]
    stream = b""
    for step in steps:
        home = os.environ | {"HOME": str(folder), "PATH": path}
        stream = subprocess.run([runner, *step], input=stream, env=home, capture_output=True, check=False).stdout
    output = stream.decode()
    print(output)
    left = [path for path in (folder / "ended").rglob("*") if path.is_file() and path.name != "command"]
    for secret in (console.secret_key, *console.tokens()):
        assert [path for path in left if secret in path.read_text(encoding="utf-8")] == []
    events = [json.loads(path.read_text(encoding="utf-8")) for path in left if path.parent.name == "job_events"]
    (stats,) = [event["event_data"] for event in events if event["event"] == "playbook_on_stats"]
    return output, stats.get("artifact_data", {})


def test_check_changes_nothing_and_hands_the_revision_on(console: Emulator, tmp_path: Path) -> None:
    output, artifacts = run_job(console, tmp_path, "check.yml", {}, "--check", "--diff")
    assert '"size": "10GiB"' in output
    counts = {"created": 3, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 0}
    assert artifacts == {"managedfs_checked_revision": "0123abc", "managedfs_report": counts}
    assert {count.__class__ for count in artifacts["managedfs_report"].values()} == {int}
    assert console.writes == []


def test_check_is_never_an_apply(console: Emulator, tmp_path: Path) -> None:
    output, _artifacts = run_job(console, tmp_path, "check.yml", {})
    assert "only shows what would change" in output
    assert console.writes == []


def test_apply_makes_the_approved_revision(console: Emulator, tmp_path: Path) -> None:
    run_job(console, tmp_path, "apply.yml", {"managedfs_checked_revision": "0123abc", "apply_purge": []})
    (volume,) = console.volumes()
    assert [quota["path"] for quota in console.quotas(volume["id"])] == ["/home/alice"]


def test_apply_refuses_another_revision(console: Emulator, tmp_path: Path) -> None:
    output, _artifacts = run_job(console, tmp_path, "apply.yml", {"managedfs_checked_revision": "another"})
    assert "Start the workflow again" in output
    assert console.writes == []


def test_report_hands_its_counts_on(console: Emulator, tmp_path: Path) -> None:
    _output, artifacts = run_job(console, tmp_path, "report.yml", {})
    assert artifacts["managedfs_report"]["to_create"] == 3
    assert {count.__class__ for count in artifacts["managedfs_report"].values()} == {int}


def test_tenant_takes_blank_answers(console: Emulator, tmp_path: Path) -> None:
    console.add_volume(name="projects", id=7)
    blank = dict.fromkeys(("tenant_path", "tenant_desc", "tenant_readonly", "tenant_inodes"), "")
    answers = {"tenant_name": "bob", "tenant_volume": "projects", "tenant_state": "present", "tenant_size": "0"}
    run_job(console, tmp_path, "tenant.yml", blank | answers | {"tenant_iprange": "*"})
    assert [quota["path"] for quota in console.quotas(7)] == ["/bob"]
    assert [export["desc"] for export in console.exports(7)] == ["bob"]


def test_the_folder_as_it_is_copied_wants_nothing(console: Emulator, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "copy")
    output = run_command(console, tmp_path, "ansible-playbook", str(tmp_path / "copy" / "apply.yml"))
    assert "failed=0" in output
    assert console.writes == []


def test_the_image_has_the_collection_and_what_it_needs(console: Emulator, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "copy")
    definition = str(tmp_path / "copy" / "execution-environment.yml")
    print(run_command(console, tmp_path, "ansible-builder", "create", "--file", definition, "--context", "context"))
    build = tmp_path / "context" / "_build"
    collections = yaml.safe_load((build / "requirements.yml").read_text(encoding="utf-8"))["collections"]
    assert [each["name"] for each in collections] == ["managedfs.console"]
    assert "requests" in (build / "requirements.txt").read_text(encoding="utf-8")
    introspected = run_command(console, tmp_path, "ansible-builder", "introspect", collections_path())
    assert "requests >= 2.25  # from collection managedfs.console" in introspected
