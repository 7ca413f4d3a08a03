# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The template for drift: green if nothing differs, else red, with a notification that names the console and the drift."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from awx.client import Awx
from awx.conftest import GUIDE, Installation, Launch, Project
from emulator import Emulator
from functional.docs.reader import steps

VOLUME = {"name": "projects", "bucket": "https://projects.example.com"}
DESIRED: list[dict[str, Any]] = [VOLUME | {"exports": [{"desc": "web", "iprange": "10.0.0.0/8"}]}]
(MESSAGE,) = [step.text for page in GUIDE for step in steps(page) if step.kind == "message"]

# Waits for the next notification, and returns it.
Notified = Callable[[], Any]


@pytest.fixture(scope="module")
def notified(awx: Awx, installation: Installation, address: str) -> Iterator[Notified]:
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
    yield notified
    awx.call("DELETE", template["url"])
    server.shutdown()
    server.server_close()


def add_desired(console: Emulator) -> int:
    """Bring a console to the desired state, with a tenant in it, and return the id of its volume."""
    volume = console.add_volume(**VOLUME)
    console.add_export(volume, desc="web", iprange="10.0.0.0/8", readonly=False)
    console.add_export(volume, desc="tenant-blue", iprange="10.0.0.0/8", readonly=False)
    console.add_quota(volume, path="/tenants/blue", size=1)
    return volume


def test_no_drift_is_green(launch: Launch, project: Project, console: Emulator) -> None:
    project.publish(DESIRED)
    add_desired(console)
    job = launch("drift")
    assert (job.status, console.writes) == ("successful", [])
    assert "- Matches the desired state" in job.output
    assert "- Ignored, since others manage them: 1 export" in job.output


def test_drift_is_red_and_the_notification_says_of_which_console(
    launch: Launch, project: Project, console: Emulator, notified: Notified
) -> None:
    project.publish([DESIRED[0] | {"quotas": [{"path": "/a", "inodes": 5}]}])
    volume = add_desired(console)
    console.add_quota(volume, path="/a", size=0, inodes=9)
    console.add_export(volume, desc="{{ 7 * 7 }}", iprange="*", readonly=False)
    console.add_volume(name="new", bucket="https://new.example.com")
    job = launch("drift")
    message = notified()
    assert (job.status, console.writes) == ("failed", [])
    assert f"{console.url} differs from the desired state: 1 cannot be applied, 2 unmanaged." in job.output
    assert job.record["artifacts"]["managedfs_report"]["unmanaged"] == 2
    assert message["status"] == "failed"
    assert message["summary"].startswith(f"# `{console.url.partition('//')[2]}`\n")
    assert "  - export `projects: {{ 7 * 7 }}`" in message["summary"]


def test_a_console_that_cannot_be_read_is_not_reported_as_drift(
    launch: Launch, project: Project, console: Emulator, notified: Notified
) -> None:
    project.publish(DESIRED)
    console.refuse(600)
    job = launch("drift")
    console.come_back()
    message = notified()
    assert job.status == "failed"
    assert "The console could not be read: " in job.output
    assert f"{console.url} differs from" not in job.output
    assert job.record["artifacts"]["managedfs_report"] == {"failed": 1}
    assert message["summary"].startswith(f"# `{console.url}`\n\n```text\nThe console could not be read: ")
