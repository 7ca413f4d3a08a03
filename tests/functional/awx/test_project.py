# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The example project: its playbooks in jobs as AWX makes them, and the image for them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator, Fault
from functional.support.inprocess import connection_to
from functional.support.outofprocess import collections_path, run_command
from functional.support.plays import run_playbook
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "awx-project"
DESIRED: dict[str, Any] = {"name": "projects", "bucket": "https://projects.example.com"}
DESIRED |= {"exports": [{"desc": "web", "iprange": "10.0.0.0/8"}], "quotas": [{"path": "/home/alice", "size": "10GiB"}]}
# The variables that AWX adds to every job of a template.
AWX_VARIABLES = {"awx_job_id": 1, "awx_job_template_name": "Console", "awx_project_revision": "0123abc"}


@pytest.fixture
def console() -> Iterator[Emulator]:
    """Yield a console."""
    with Emulator() as emulator:
        yield emulator


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of the example with a desired state."""
    folder = tmp_path / "job" / "project"
    shutil.copytree(EXAMPLE, folder)
    (folder / "desired" / "projects.yml").write_text(yaml.safe_dump(DESIRED), encoding="utf-8")
    return folder


def run_job(
    console: Emulator, project: Path, playbook: str, *options: str, **variables: Any
) -> tuple[str, dict[str, Any]]:
    """Run a playbook as AWX does, and return the output and the artifacts for a workflow."""
    job, folder = project.parent, project.parents[1]
    options_of_job = {**connection_to(console), "validate_certs": "true"}
    options_of_job |= dict.fromkeys(("ca_path", "client_cert", "client_key", "timeout", "retries"), "")
    shutil.rmtree(folder / "ended", ignore_errors=True)
    environment = {f"MANAGEDFS_{name.upper()}": value for name, value in options_of_job.items()}
    environment |= {"ANSIBLE_COLLECTIONS_PATH": collections_path(), "ANSIBLE_REMOTE_TMP": str(folder / "remote")}
    extra = yaml.safe_dump(AWX_VARIABLES | variables)
    files = {"env/envvars": yaml.safe_dump(environment), "env/extravars": extra}
    files |= {"env/cmdline": " ".join(options), "inventory/hosts": "{}"}
    for name, content in files.items():
        (job / name).parent.mkdir(exist_ok=True)
        (job / name).write_text(content, encoding="utf-8")
    runner = str(Path(sys.executable).with_name("ansible-runner"))
    home = os.environ | {"HOME": str(folder), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    stream = b""
    for step in ["transmit", str(job), "--playbook", playbook], ["worker"], ["process", str(folder / "ended")]:
        stream = subprocess.run([runner, *step], input=stream, env=home, capture_output=True, check=False).stdout
    output = stream.decode()
    print(output)
    left = [path for path in (folder / "ended").rglob("*") if path.is_file() and path.name != "command"]
    secrets = (console.secret_key, *console.tokens())
    texts = [path.read_text(encoding="utf-8") for path in left]
    assert [text for text in texts if any(secret in text for secret in secrets)] == []
    events = [json.loads(path.read_text(encoding="utf-8")) for path in left if path.parent.name == "job_events"]
    (stats,) = [event["event_data"] for event in events if event["event"] == "playbook_on_stats"]
    return output, stats.get("artifact_data", {})


def test_check_changes_nothing_and_hands_the_revision_on(console: Emulator, project: Path) -> None:
    output, artifacts = run_job(console, project, "check.yml", "--check", "--diff")
    assert "  + quota /home/alice: size 10GiB" in output
    counts = {"created": 3, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 0, "ignored": 0, "unmanaged": 0}
    plan, summary = artifacts.pop("managedfs_plan"), artifacts.pop("managedfs_summary")
    assert artifacts == {"managedfs_checked_revision": "0123abc", "managedfs_report": counts}
    assert {count.__class__ for count in artifacts["managedfs_report"].values()} == {int}
    assert re.fullmatch("v2-[0-9a-f]{64}", plan["localhost"])
    assert summary.startswith(f"# {console.url}\n\n## What would be done\n")
    assert console.writes == []


def test_check_runs_without_awx(console: Emulator, tmp_path: Path, project: Path) -> None:
    played = run_playbook(console, tmp_path, str(project / "check.yml"), {}, "--check", "--diff")
    assert (played.code, "  + quota /home/alice: size 10GiB" in played.output) == (0, True)
    assert console.writes == []


def test_check_is_never_an_apply_and_apply_refuses_another_revision(
    console: Emulator, tmp_path: Path, project: Path
) -> None:
    check = run_playbook(console, tmp_path, str(project / "check.yml"), AWX_VARIABLES)
    assert "only shows what would change" in check.output
    variables = AWX_VARIABLES | {"managedfs_checked_revision": "another"}
    apply = run_playbook(console, tmp_path, str(project / "apply.yml"), variables)
    assert "Start the workflow again" in apply.output
    approved = {"managedfs_plan": {"another": "nothing"}}
    apply = run_playbook(console, tmp_path, str(project / "apply.yml"), approved)
    assert "No plan of localhost was approved: " in apply.output
    assert console.requests == []


# The artifact of the check, if any, and the message of the gate.
GATES: dict[str, tuple[dict[str, Any], str]] = {
    "something differs": ({"localhost": "v2-0"}, "failed=0"),
    "on one of two": ({"localhost": "nothing", "other": "v2-0"}, "failed=0"),
    "nothing differs": ({"localhost": "nothing"}, "Nothing would change, so there is nothing to approve."),
    "this one was not read": ({"other": "v2-0"}, "The check has failed before it knew what would change."),
    "none was read": ({}, "The check has failed before it knew what would change."),
}


@pytest.mark.parametrize(("plan", "said"), GATES.values(), ids=GATES)
def test_the_gate_opens_where_all_is_known_and_something_differs(
    console: Emulator, tmp_path: Path, plan: dict[str, Any], said: str
) -> None:
    variables = {"managedfs_plan": plan} if plan else {}
    assert said in run_playbook(console, tmp_path, str(EXAMPLE / "gate.yml"), variables).output
    assert console.requests == []


def test_in_a_workflow_a_check_fails_where_something_differs_and_the_approved_plan_is_applied(
    console: Emulator, project: Path
) -> None:
    workflow = {"awx_workflow_job_id": 2, "awx_workflow_job_name": "Console: change"}
    output, artifacts = run_job(console, project, "check.yml", "--check", **workflow)
    assert f"{console.url} differs from the desired state: volumes: 1 to create; " in output
    output, _artifacts = run_job(console, project, "apply.yml", **workflow, **artifacts)
    assert "- quotas: 1 created" in output
    output, artifacts = run_job(console, project, "check.yml", "--check", **workflow)
    assert "failed=0" in output
    assert artifacts["managedfs_plan"] == {"localhost": "nothing"}


def test_drift_is_another_failure_than_a_console_that_cannot_be_read(console: Emulator, project: Path) -> None:
    run_job(console, project, "apply.yml")
    (volume,) = console.volumes()
    console.add_quota(volume["id"], path="/tenants/blue", size=1)
    assert "failed=0" in run_job(console, project, "drift.yml")[0]
    for number in range(9):
        console.add_quota(volume["id"], path=f"/{number} {{{{ 7 * 7 }}}} {'ü' * 120}", size=1)
    output, artifacts = run_job(console, project, "drift.yml")
    assert f"{console.url} differs from the desired state: 9 unmanaged." in output
    assert artifacts["managedfs_report"]["unmanaged"] == 9
    summary = artifacts["managedfs_summary"]
    assert summary.startswith(f"# `{console.url.partition('//')[2]}`\n")
    assert "/0 {{ 7 * 7 }} üü" in summary
    assert 1700 < len(summary.encode()) <= 2000
    assert summary.endswith(" more lines)\n")
    (project / "desired" / "bad.yml").write_text("name: bad\nquotas: [{path: a}]\n", encoding="utf-8")
    output, artifacts = run_job(console, project, "drift.yml")
    reason = "desired/bad.yml, line 2 ('a'): path must start with /"
    assert reason in output
    assert artifacts["managedfs_report"] == {"failed": 1}
    assert artifacts["managedfs_summary"].startswith("# `localhost`\n\n")
    assert reason in artifacts["managedfs_summary"]
    (project / "desired" / "bad.yml").unlink()
    console.inject(Fault(kind="status", status=403, times=None))
    output, artifacts = run_job(console, project, "drift.yml")
    assert "The console could not be read: " in output
    assert artifacts["managedfs_report"] == {"failed": 1}
    output, artifacts = run_job(console, project, "check.yml", "--check")
    assert ("- volumes: " in output, artifacts["managedfs_report"]) == (False, {"failed": 1})
    assert "managedfs_plan" not in artifacts


def test_others_report_apply_the_approved_revision_and_take_blank_answers(
    console: Emulator, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSIBLE_SHOW_CUSTOM_STATS", "true")
    blank = dict.fromkeys(("tenant_path", "tenant_desc", "tenant_readonly", "tenant_inodes"), "")
    answers = {"tenant_name": "bob", "tenant_volume": "projects", "tenant_state": "present", "tenant_size": "0"}
    variables = AWX_VARIABLES | blank | answers | {"tenant_iprange": "*", "managedfs_checked_revision": "0123abc"}
    playbooks = [str(project / f"{name}.yml") for name in ("report", "apply", "tenant")]
    played = run_playbook(console, tmp_path, playbooks.pop(), variables | {"apply_purge": []}, *playbooks)
    assert '"to_create": 3' in played.output
    (volume,) = console.volumes()
    assert [quota["path"] for quota in console.quotas(volume["id"])] == ["/home/alice", "/bob"]
    assert [export["desc"] for export in console.exports(volume["id"])] == ["web", "bob"]


def test_an_export_gets_a_new_token_by_two_jobs_of_which_the_second_has_the_id_of_the_first(
    console: Emulator, project: Path
) -> None:
    volume = console.add_volume(name="projects", bucket="https://projects.example.com")
    console.add_export(volume, desc="web", iprange="10.0.0.0/8")
    web = {"rotate_volume": "projects", "rotate_desc": "web", "rotate_id": ""}
    _output, artifacts = run_job(console, project, "rotate.yml", "--diff", "-vvvv", **web, rotate_state="started")
    (new,) = (export["id"] for export in console.exports(volume) if export["desc"] == "web (next)")
    assert artifacts == {"managedfs_rotation": {"localhost": new}}
    for _run in range(2):
        output, _artifacts = run_job(console, project, "rotate.yml", **web, **artifacts, rotate_state="finished")
        assert "failed=0" in output
    assert [(export["desc"], export["id"]) for export in console.exports(volume)] == [("web", new)]


def test_the_folder_as_it_is_copied_wants_nothing_and_its_image_has_what_it_needs(
    console: Emulator, tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "copy")
    output = run_command(console, tmp_path, "ansible-playbook", str(tmp_path / "copy" / "apply.yml"))
    assert "failed=0" in output
    assert console.writes == []
    definition = str(tmp_path / "copy" / "execution-environment.yml")
    print(run_command(console, tmp_path, "ansible-builder", "create", "--file", definition, "--context", "context"))
    build = tmp_path / "context" / "_build"
    collections = yaml.safe_load((build / "requirements.yml").read_text(encoding="utf-8"))["collections"]
    assert [each["name"] for each in collections] == ["managedfs.console"]
    assert "requests" in (build / "requirements.txt").read_text(encoding="utf-8")
    introspected = run_command(console, tmp_path, "ansible-builder", "introspect", collections_path())
    assert "requests >= 2.25  # from collection managedfs.console" in introspected


def test_the_revision_of_several_hosts_is_handed_on_once(console: Emulator, project: Path) -> None:
    hosts = {"managedfs_hosts": "all", "ansible_connection": "local", "ansible_python_interpreter": sys.executable}
    _output, artifacts = run_job(console, project, "check.yml", "--check", "-i one,two,", **hosts)
    assert artifacts["managedfs_checked_revision"] == AWX_VARIABLES["awx_project_revision"]


# The options of a job for two consoles.
TWO = {"managedfs_hosts": "one,two", "ansible_connection": "local", "ansible_python_interpreter": sys.executable}


def test_a_console_that_was_away_is_named_and_holds_up_no_other(console: Emulator, project: Path) -> None:
    workflow = {"awx_workflow_job_id": 2, "awx_workflow_job_name": "Console: change"}
    hosts = project.parents[1] / "hosts"
    for name in ("one", "two"):
        shutil.copytree(project / "desired", project / "desired" / name, ignore=shutil.ignore_patterns("one"))
    hosts.write_text("one\ntwo managedfs_console_url=http://127.0.0.1:9 managedfs_retries=0\n", encoding="utf-8")
    inventory = ("-i", str(hosts))
    output, artifacts = run_job(console, project, "check.yml", "--check", *inventory, **workflow, **TWO)
    assert list(artifacts["managedfs_plan"]) == ["one"]
    summary = artifacts["managedfs_summary"]
    assert summary.startswith("2 consoles: 1 failed, 1 differs")
    output, _artifacts = run_job(console, project, "gate.yml", *inventory, **workflow, **TWO, **artifacts)
    assert "The check could not read two: nothing will be changed there" in output
    output, _artifacts = run_job(console, project, "apply.yml", *inventory, **workflow, **TWO, **artifacts)
    assert "No plan of two was approved: the check could not read it" in output
    assert [volume["name"] for volume in console.volumes()] == ["projects"]
    recap = re.sub(r"\x1b\[[0-9;]*m", "", output.partition("PLAY RECAP")[2])
    assert re.findall(r"^(one|two) .* failed=(\d)", recap, re.MULTILINE) == [("one", "0"), ("two", "1")]
    # With nothing left to change, the workflow ends at the gate, which does not open.
    output, artifacts = run_job(console, project, "check.yml", "--check", *inventory, **workflow, **TWO)
    output, _artifacts = run_job(console, project, "gate.yml", *inventory, **workflow, **TWO, **artifacts)
    assert "Nothing would change, so there is nothing to approve." in output


def test_a_slice_is_no_step_of_a_workflow_and_by_itself_no_failure(console: Emulator, project: Path) -> None:
    sliced = {"awx_workflow_job_id": 2, "awx_workflow_job_name": AWX_VARIABLES["awx_job_template_name"]}
    output, _artifacts = run_job(
        console, project, "check.yml", "--check", **sliced, awx_workflow_job_launch_type="manual"
    )
    assert "failed=0" in output
    output, _artifacts = run_job(
        console, project, "check.yml", "--check", **sliced, awx_workflow_job_launch_type="workflow"
    )
    assert "The template Console is sliced" in output
