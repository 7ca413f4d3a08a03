# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What Ansible prints and what a job leaves behind, at the highest verbosity: nothing secret, no traceback.

All modules run, and fail in every way. The files of a job are those of ansible-runner, which AWX uses too.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.outofprocess import run_command
from functional.support.rawserver import RawServer, StartServer
from functional.support.tokens import authorization_in, signature_in

PASSWORD = "hunter2"
# Tokens of exports that exist beforehand; the emulator forgets those of deleted ones.
TOKENS = ["token-of-web-0123", "token-of-old-4567"]
FAULTS: list[dict[str, Any]] = [
    {"kind": "reset_before"},
    {"kind": "reset_after"},
    {"kind": "silent_after", "seconds": 2},
    {"kind": "truncate"},
    {"kind": "garbage"},
    {"kind": "status", "status": 429},
    {"kind": "status", "status": 500},
    {"kind": "html", "status": 502},
    {"kind": "html"},
    {"kind": "empty"},
    {"kind": "wrong_json"},
    {"kind": "wrong_json", "value": [{"id": 1, "token": PASSWORD}]},
    {"kind": "redirect", "location": f"http://me:{PASSWORD}@elsewhere.invalid/?token={PASSWORD}"},
]
TASKS = """
- managedfs.console.volume: {name: a, bucket: "https://me:{{ password }}@a.example.com"}
- managedfs.console.volume: {name: a, bucket: "https://b.example.com"}
- managedfs.console.volume: {name: b, bucket: "https://b.example.com", extra_fields: {note: x}}
- managedfs.console.export: {volume: a, desc: web, iprange: 10.0.0.0/8}
- managedfs.console.export: {volume: a, desc: web, iprange: 10.0.0.0/9}
- managedfs.console.export: {volume: a, desc: web, readonly: true}
- managedfs.console.export: {volume: a, desc: old, state: absent}
- managedfs.console.export: {volume: a, desc: web, iprange: nonsense}
- managedfs.console.export: {volume: a, desc: web, size: 1}
- managedfs.console.exports: {volume: a, exports: [{desc: db, iprange: "*"}, {desc: web, iprange: "::1"}], purge: true}
- managedfs.console.exports: {volume: a, exports: [{desc: db, iprange: "*"}, {desc: db, iprange: "::1"}]}
- managedfs.console.quota: {volume: a, path: /a, size: 1G}
- managedfs.console.quota: {volume: none, path: /a, size: 1G}
- managedfs.console.quotas: {volume: a, quotas: [{path: /a, size: 2G}, {path: /b}]}
- managedfs.console.volume_info: {gather: [exports, quotas]}
- managedfs.console.export_info: {volume: a}
- managedfs.console.quota_info: {}
- managedfs.console.volume_info: {access_key: nobody}
- managedfs.console.volume_info: {secret_key: "{{ password }}"}
- managedfs.console.volume_info: {console_url: "http://127.0.0.1:1"}
- managedfs.console.volume_info: {console_url: "https://me:{{ password }}@127.0.0.1:1"}
- managedfs.console.volume_info: {console_url: "{{ echo }}"}
- managedfs.console.api_request: {path: volumes, console_url: "{{ echo }}"}
- managedfs.console.api_request: {path: volumes}
- managedfs.console.api_request: {path: no/such/route}
- managedfs.console.api_request: {path: volumes, method: POST, body: {name: c, bucket: "https://c.example.com"}}
"""


@pytest.fixture
def echo(raw_server: StartServer) -> RawServer:
    """Return a console that repeats the request in its response."""

    def respond(request: bytes) -> bytes:
        body = json.dumps({"detail": request.decode(), "headers": re.findall(r"[^\r\n]+", request.decode())}).encode()
        return b"HTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    return raw_server(respond)


@pytest.fixture
def play(echo: RawServer) -> list[dict[str, Any]]:
    """Return a play of all modules, each of which also fails."""
    tasks: list[dict[str, Any]] = yaml.safe_load(TASKS)
    read = {"managedfs.console.volume_info": {"gather": ["exports"]}}
    update = {"managedfs.console.export": {"volume": "a", "desc": "web", "iprange": "10.0.0.0/8"}}
    for fault in FAULTS:
        for task, method in ((read, "GET"), (update, "PUT")):
            tasks += [control({**fault, "method": method, "times": None}), task, control(None)]
    return [
        {
            "hosts": "localhost",
            "gather_facts": False,
            "ignore_errors": True,
            "vars": {
                "ansible_python_interpreter": "{{ ansible_playbook_python }}",
                # Concatenated, because Ansible prints literals of a playbook as they are.
                "password": "{{ 'hunter' ~ 2 }}",
                "echo": echo.url,
            },
            "module_defaults": {"group/managedfs.console.console": {"retries": 0, "timeout": 1}},
            "tasks": tasks,
        }
    ]


def control(fault: dict[str, Any] | None) -> dict[str, Any]:
    """Return a task that injects a fault into the emulator, or clears all faults."""
    url = "{{ lookup('ansible.builtin.env', 'MANAGEDFS_CONSOLE_URL') }}/_emulator/faults"
    request = {"method": "POST", "body": fault, "body_format": "json"} if fault else {"method": "DELETE"}
    # Its own output is not ours.
    return {"ansible.builtin.uri": {"url": url, **request}, "no_log": True}


@pytest.mark.promise("no-secret-in-output")
def test_nothing_secret_and_no_traceback_in_what_a_job_leaves_behind(
    tmp_path: Path, play: list[dict[str, Any]], echo: RawServer
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "play.yml").write_text(yaml.safe_dump(play), encoding="utf-8")
    with Emulator() as emulator:
        volume = emulator.add_volume(name="a", bucket=f"https://me:{PASSWORD}@a.example.com")
        for desc, token in zip(("web", "old"), TOKENS, strict=True):
            emulator.add_export(volume, desc=desc, iprange="10.0.0.0/8", token=token)
        options = ["--ident", "job", "--playbook", "play.yml", "--cmdline=-vvvvv --diff"]
        printed = run_command(emulator, tmp_path, "ansible-runner", "run", str(tmp_path), *options)
        sent = {request.authorization or "" for request in emulator.requests}
        echoed = set(map(authorization_in, echo.received))
        sent |= echoed
        secrets = {PASSWORD, emulator.secret_key, *TOKENS, *emulator.tokens(), *sent, *map(signature_in, sent)}
        methods = {request.method for request in emulator.requests}
    print(printed[-3000:])
    job = tmp_path / "artifacts" / "job"
    left = {path: path.read_text(encoding="utf-8") for path in job.rglob("*") if path.is_file()}
    # Where the runner writes its own environment, which holds the key.
    del left[job / "command"]
    assert methods == {"GET", "POST", "PUT", "DELETE"}
    assert len(sent) > 50
    assert echoed
    events = [json.loads(text) for path, text in left.items() if path.parent.name == "job_events"]
    kinds = [event["event"] for event in events]
    assert kinds.count("runner_on_ok") + kinds.count("runner_on_failed") == len(play[0]["tasks"])
    assert kinds.count("runner_on_failed") > 25
    for path, text in [(Path("printed"), printed), *left.items()]:
        assert [secret for secret in secrets if secret in text] == [], path
        assert "Traceback" not in text, path
        assert "MODULE FAILURE" not in text, path
