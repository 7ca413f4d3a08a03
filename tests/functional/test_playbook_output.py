# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What Ansible prints at the highest verbosity, with successes and failures: nothing secret, no traceback."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

from ansible_collections.managedfs.console.plugins.module_utils import version
from emulator import Emulator

PLAYBOOK = """
- hosts: localhost
  gather_facts: false
  ignore_errors: true
  vars: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
  tasks:
    - managedfs.console.volume: {name: a, bucket: "https://me:{{ 'hunter' ~ 2 }}@a.example.com"}
    - managedfs.console.volume: {name: a, bucket: "https://b.example.com"}
    - managedfs.console.export: {volume: a, desc: web, iprange: 10.0.0.0/8}
    - managedfs.console.export: {volume: a, desc: web, iprange: 10.0.0.0/9}
    - managedfs.console.exports: {volume: a, exports: [{desc: db, iprange: "*"}, {desc: web, iprange: "::1"}], purge: true}
    - managedfs.console.export: {volume: a, desc: web, iprange: nonsense}
    - managedfs.console.volume_info: {gather: [exports, quotas]}
    - managedfs.console.volume_info: {access_key: nobody}
    - managedfs.console.volume_info: {console_url: "http://127.0.0.1:1", retries: 0}
    - managedfs.console.api_request: {path: volumes}
    - managedfs.console.api_request: {path: no/such/route}
    - managedfs.console.volume: {name: a, state: absent}
"""


def test_nothing_secret_and_no_traceback_at_the_highest_verbosity(tmp_path: Path) -> None:
    (tmp_path / "play.yml").write_text(PLAYBOOK, encoding="utf-8")
    with Emulator() as emulator:
        env = os.environ | {
            "MANAGEDFS_CONSOLE_URL": emulator.url,
            "MANAGEDFS_ACCESS_KEY": emulator.access_key,
            "MANAGEDFS_SECRET_KEY": emulator.secret_key,
            "ANSIBLE_COLLECTIONS_PATH": _collections_path(),
            "HOME": str(tmp_path),
            "ANSIBLE_REMOTE_TMP": str(tmp_path / "remote"),
        }
        command = [str(Path(sys.executable).with_name("ansible-playbook")), "play.yml", "-vvvvv", "--diff"]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
        tokens = {request.authorization or "" for request in emulator.requests}
        secrets = {emulator.secret_key, *_record_tokens(emulator), *tokens, *map(_signature, tokens)}
        methods = [request.method for request in emulator.requests]
    output = done.stdout + done.stderr
    assert "ignored=5" in output, output
    assert methods.count("POST") == 3
    assert methods.count("DELETE") == 1
    assert [secret for secret in secrets if secret in output] == []
    # What the playbook itself says is printed by Ansible as it stands; a value put together is not.
    assert "hunter2" not in output
    assert "Traceback" not in output
    assert "MODULE FAILURE" not in output


def _record_tokens(emulator: Emulator) -> list[str]:
    return emulator.tokens()


def _signature(token: str) -> str:
    signature: str = json.loads(base64.b64decode(token))["signature"]
    return signature


def _collections_path() -> str:
    """The tree that this process imports the collection from."""
    return str(Path(str(version.__file__)).parents[5])
