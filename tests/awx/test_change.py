# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One console: drift, and the workflow that asks before it changes anything."""

from __future__ import annotations

import hmac
import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests

from awx.client import Awx
from awx.conftest import GUIDE, Ask, Installation, Launch, Project
from emulator import Emulator
from functional.docs.reader import steps as steps_of

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
DESIRED: list[dict[str, Any]] = [VOLUME | {"quotas": [{"path": "/home/alice", "size": "10GiB"}]}]
(MESSAGE,) = [step.text for step in steps_of(GUIDE) if step.kind == "message"]


def test_nobody_is_asked_where_nothing_differs(
    awx: Awx, launch: Launch, ask: Ask, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    assert launch("apply", verbosity=4).status == "successful"
    console.forget_requests()
    run = ask("change")
    assert (run["status"], console.writes) == ("successful", [])
    assert awx.steps(run) == {"check": "successful"}


@pytest.mark.parametrize(
    ("decision", "status", "names"), [("approve", "successful", ["projects"]), ("deny", "failed", [])]
)
def test_what_differs_is_changed_once_it_is_approved(
    awx: Awx,
    ask: Ask,
    project: Project,
    console: Emulator,
    decision: str,
    status: str,
    names: list[str],
) -> None:
    project.publish(DESIRED)
    run = ask("change")
    taken = {"check": "failed", "gate": "successful", "approve": "pending"}
    assert (awx.steps(run), console.writes) == (taken, [])
    approval = awx.get(awx.nodes(run)["approve"]["url"])
    assert f"check in this workflow. It shows what would change on {console.url}." in approval["description"]
    check = awx.ended(awx.nodes(run)["check"])
    assert f"{console.url} differs from the desired state: volumes: 1 to create; quotas: 1 to create" in check.output
    artifacts = check.record["artifacts"]
    assert artifacts["managedfs_summary"].startswith(
        "1 console: 1 differs\n\n- localhost: differs: volumes: 1 to create"
    )
    assert list(artifacts["managedfs_plan"]) == ["localhost"]
    # What is pushed after the approval is asked counts only if the plan is another for it.
    project.push()
    assert awx.decide(run, decision) == status
    assert [volume["name"] for volume in console.volumes()] == names


def test_nobody_is_asked_where_the_console_cannot_be_read(
    awx: Awx, ask: Ask, project: Project, console: Emulator
) -> None:
    project.publish(DESIRED)
    console.refuse(600)
    run = ask("change")
    console.come_back()
    assert (run["status"], awx.steps(run)) == ("failed", {"check": "failed", "gate": "failed"})
    check, gate = (awx.ended(awx.nodes(run)[name]) for name in ("check", "gate"))
    assert check.record["artifacts"]["managedfs_report"] == {"consoles": 1, "failed": 1}
    assert "Connection refused" in check.record["artifacts"]["managedfs_summary"]
    assert "There is nothing to approve: the check" in gate.output


def test_a_push_starts_the_workflow(awx: Awx, installation: Installation, project: Project, console: Emulator) -> None:
    project.publish([])
    workflow = awx.named("workflow_job_templates", f"{installation.prefix}: change")
    related = awx.call("PATCH", workflow["url"], {"webhook_service": "github"})["related"]
    body = json.dumps({"ref": "refs/heads/main", "after": "0" * 39 + "1"}).encode()
    signature = hmac.new(awx.get(related["webhook_key"])["webhook_key"].encode(), body, "sha1").hexdigest()
    headers = {"X-GitHub-Event": "push", "X-GitHub-Delivery": "1", "X-Hub-Signature": f"sha1={signature}"}
    headers["Content-Type"] = "application/json"
    requests.post(f"{awx.url}{related['webhook_receiver']}", data=body, headers=headers, timeout=60).raise_for_status()
    run = awx.wait(awx.get(f"{related['workflow_jobs']}?launch_type=webhook")["results"][0])
    awx.call("PATCH", workflow["url"], {"webhook_service": ""})
    assert (run["status"], awx.steps(run)) == ("successful", {"check": "successful"})
    assert console.writes == []


@pytest.fixture
def notified(awx: Awx, installation: Installation, address: str) -> Iterator[Callable[[], Any]]:
    """Attach a notification with the guide's message, and yield a function that waits for the next one and returns it."""
    received: list[Any] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

    server = http.server.ThreadingHTTPServer((address, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    body = {"name": f"{installation.prefix}: webhook", "organization": awx.named("organizations", "Default")["id"]}
    body |= {"notification_type": "webhook", "messages": {"error": {"body": MESSAGE}}}
    body["notification_configuration"] = {"url": f"http://{address}:{server.server_port}", "headers": {}}
    template = awx.post("notification_templates/", body)

    def notified() -> Any:
        end = time.monotonic() + 60
        while not received and time.monotonic() < end:
            time.sleep(0.2)
        return received.pop(0)

    assert "failed=0" in installation.run(notifications=template["name"])
    assert "changed=0 " in installation.run(notifications=template["name"])
    yield notified
    awx.call("DELETE", template["url"])
    server.shutdown()
    server.server_close()


def test_drift_is_red_and_the_notification_says_of_which_console(
    launch: Launch, project: Project, console: Emulator, notified: Callable[[], Any]
) -> None:
    project.publish(DESIRED)
    volume = console.add_volume(**VOLUME)
    console.add_quota(volume, path="/home/alice", size=10 << 30)
    console.add_quota(volume, path="/tenants/blue", size=1)
    job = launch("drift")
    assert (job.status, "- Matches the desired state" in job.output, console.writes) == ("successful", True, [])
    assert "- Ignored, since others manage them: 1 quota" in job.output
    console.add_quota(volume, path="/{{ 7 * 7 }}", size=0)
    job, message = launch("drift"), notified()
    assert f"{console.url} differs from the desired state: 1 unmanaged." in job.output
    assert (job.status, message["status"]) == ("failed", "failed")
    assert message["summary"].startswith("1 console: 1 differs\n\n- localhost: differs: 1 unmanaged\n")
    assert "/{{ 7 * 7 }}" in message["summary"]
    console.refuse(600)
    job, message = launch("drift"), notified()
    console.come_back()
    assert f"{console.url} differs from" not in job.output
    assert message["summary"].startswith("1 console: 1 failed\n\n- localhost: failed: `The console could not be read: ")
