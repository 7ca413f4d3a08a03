# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The output of Ansible and the files of a job at the highest verbosity: no secret, no traceback.

All modules run, and fail in every way. The files of a job are those of ansible-runner, which AWX uses too.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from emulator import Emulator, Fault
from functional.support.outofprocess import run_command
from functional.support.rawserver import StartServer, authorization_in, http_response, signature_in

PASSWORD = "hunter2"
TOKENS = ["token-of-web-0123", "token-of-old-4567"]
LOCATION = f"http://me:{PASSWORD}@elsewhere.invalid/?token={PASSWORD}"
# Each for the exports of its own volume, whose id is the index.
FAULTS = [
    Fault("reset_before", method="GET"),
    Fault("silent_after", method="GET", seconds=2),
    Fault("truncate", method="GET"),
    Fault("garbage", method="GET"),
    Fault("html", method="GET", status=502),
    Fault("redirect", method="GET", location=LOCATION),
    Fault("wrong_json", method="GET", value=[{"id": 1, "token": PASSWORD}]),
    Fault("reset_after", method="PUT"),
    Fault("status", method="PUT", status=429),
    Fault("html", method="PUT"),
    Fault("wrong_json", method="PUT", value={"id": 1, "token": PASSWORD}),
]
PLAY = """
- hosts: localhost
  gather_facts: false
  ignore_errors: true
  vars:
    ansible_python_interpreter: "{{ ansible_playbook_python }}"
    # Concatenated, because Ansible prints literals of a playbook as they are.
    password: "{{ 'hunter' ~ 2 }}"
    volumes: "{{ range(1000, end | int) | list }}"
  module_defaults: {group/managedfs.console.console: {retries: 0, timeout: 1}}
  tasks:
  - managedfs.console.volume: {name: a, bucket: "https://me:{{ password }}@a.example.com"}
  - managedfs.console.volume: {name: a, bucket: "https://b.example.com"}
  - managedfs.console.volume: {name: b, bucket: "https://b.example.com", extra_fields: {note: x}}
  - managedfs.console.export: {volume: a, desc: web, iprange: 10.0.0.0/9}
  - managedfs.console.export: {volume: a, desc: web, readonly: true}
  - managedfs.console.export: {volume: a, desc: web, size: 1}
  - managedfs.console.exports: {volume: a, exports: [{desc: db, iprange: "*"}, {desc: web, iprange: 10.0.0.1}], purge: true}
  - managedfs.console.quotas: {volume: a, quotas: [{path: /a, size: 2G}, {path: /b}]}
  - managedfs.console.volumes: {volumes: [{name: a, exports: [{desc: db, iprange: 10.0.0.1}], quotas: [{path: /c, size: 1}]}]}
  - managedfs.console.volume_info: {gather: [exports, quotas]}
  - managedfs.console.export_info: {volume: a}
  - managedfs.console.quota_info: {}
  - managedfs.console.volume_info: {access_key: nobody}
  - managedfs.console.volume_info: {secret_key: "{{ password }}"}
  - managedfs.console.volume_info: {console_url: "https://me:{{ password }}@127.0.0.1:1"}
  - managedfs.console.volume_info: {console_url: "{{ echo }}"}
  - managedfs.console.api_request: {path: volumes, console_url: "{{ echo }}"}
  - managedfs.console.api_request: {path: volumes}
  - managedfs.console.api_request: {path: volumes, method: POST, body: {name: c, bucket: "https://c.example.com"}}
  - {managedfs.console.export: {volume_id: "{{ item }}", desc: web, iprange: 10.0.0.0/8}, loop: "{{ volumes }}"}
  - ansible.builtin.include_role: {name: managedfs.console.tenant}
    vars: {tenant_name: team, tenant_volume: a, tenant_iprange: any, tenant_size: 1G, tenant_token_file: ~/token}
  - managedfs.console.export_rotation: {volume: a, desc: web, state: started, token_file: ~/token}
    register: started
  - managedfs.console.export_rotation: {volume: a, desc: web, state: finished, id: "{{ started.export.id }}", token_file: ~/token}
"""


def repeat(request: bytes) -> bytes:
    """Return a response with the request in its body."""
    lines = request.decode().splitlines()
    return http_response({"detail": request.decode(), "headers": [line for line in lines if line]}, status=400)


def seed(emulator: Emulator) -> None:
    """Put a volume with two exports on a console, and one for each fault."""
    volume = emulator.add_volume(name="a", bucket=f"https://me:{PASSWORD}@a.example.com")
    for desc, token in zip(("web", "old"), TOKENS, strict=True):
        emulator.add_export(volume, desc=desc, iprange="10.0.0.0/16", token=token)
    for number, fault in enumerate(FAULTS, 1000):
        emulator.add_export(emulator.add_volume(name=f"v{number}", id=number), desc="web", iprange="*")
        emulator.inject(dataclasses.replace(fault, path=f"volumes/{number}/exports", times=None))


@pytest.mark.promise("no-secret-in-output")
def test_nothing_secret_and_no_traceback_in_what_a_job_leaves_behind(tmp_path: Path, raw_server: StartServer) -> None:
    echo = raw_server(repeat)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "play.yml").write_text(PLAY, encoding="utf-8")
    with Emulator() as emulator:
        seed(emulator)
        options = f"-vvvvv --diff -e echo={echo.url} -e end={1000 + len(FAULTS)}"
        command = ["ansible-runner", "run", str(tmp_path), "--ident=job", "--playbook=play.yml", f"--cmdline={options}"]
        printed = run_command(emulator, tmp_path, *command)
        requests = list(emulator.requests)
        sent = {request.authorization or "" for request in requests}
        echoed = set(map(authorization_in, echo.received))
        sent |= echoed
        secrets = {PASSWORD, emulator.secret_key, *TOKENS, *emulator.tokens(), *sent, *map(signature_in, sent)}
    print(printed[-3000:])
    job = tmp_path / "artifacts" / "job"
    left = {path: path.read_text(encoding="utf-8") for path in job.rglob("*") if path.is_file()}
    # The runner writes its own environment here, which holds the key.
    del left[job / "command"]
    assert {request.method for request in requests} == {"GET", "POST", "PUT", "DELETE"}
    assert (len(requests) > 60, bool(echoed)) == (True, True), len(requests)
    events = [json.loads(text) for path, text in left.items() if path.parent.name == "job_events"]
    kinds = [event["event"] for event in events]
    assert (kinds.count("runner_item_on_ok"), kinds.count("runner_item_on_failed")) == (1, len(FAULTS) - 1)
    assert (kinds.count("runner_on_failed"), kinds.count("error")) == (11, 0)
    for path, text in [(Path("printed"), printed), *left.items()]:
        assert [secret for secret in secrets if secret in text] == [], path
        assert "Traceback" not in text, path
        assert "MODULE FAILURE" not in text, path
