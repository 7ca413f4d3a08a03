# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tokens that results reveal stay usable, and from ansible-core 2.22 on, nothing shows them. No result holds the secret key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from ansible.release import __version__ as ansible_version

from ansible_collections.managedfs.console.plugins.module_utils._internal.task import HIDES_SECRETS
from emulator import Emulator
from functional.support.outofprocess import run_command

# Older cores register no invocation of a task whose options are invalid.
IS_INVOCATION_KEPT = tuple(map(int, ansible_version.split(".")[:2])) >= (2, 19)
PASSWORD = "password-of-the-bucket"
TOKENS = {"web": "token-of-web-0123", "db": "token-of-db-4567"}
# Every task shows its options and its result, since it runs at high verbosity.
PLAY = """
- hosts: localhost
  gather_facts: false
  vars: {ansible_async_dir: "{{ playbook_dir }}"}
  tasks:
  - {managedfs.console.export_info: {volume: a, include_tokens: true}, register: found}
  - ansible.builtin.debug: {var: found}
  - ansible.builtin.debug: {msg: "{{ item.token }}"}
    loop: "{{ found.exports }}"
  - ansible.builtin.set_fact: {token: "{{ found.exports[0].token }}"}
  - ansible.builtin.copy: {content: "{{ token }}", dest: "{{ playbook_dir }}/copied", mode: "0600"}
    diff: true
  - ansible.builtin.template: {src: template.j2, dest: "{{ playbook_dir }}/rendered", mode: "0600"}
    diff: true
  - ansible.builtin.command: {argv: [echo, "{{ token }}"]}
  - ansible.builtin.fail: {msg: "{{ token }}"}
    ignore_errors: true
  - {managedfs.console.volume_info: {include_tokens: true, gather: [exports]}, register: volumes}
  - ansible.builtin.debug: {var: volumes}
  - {managedfs.console.api_request: {path: volumes/1/exports, include_tokens: true}, register: answer}
  - ansible.builtin.debug: {var: answer}
  - managedfs.console.export: {volume: a, desc: new, iprange: "*", token_file: "{{ playbook_dir }}/new"}
  - ansible.builtin.debug: {msg: "{{ lookup('ansible.builtin.file', playbook_dir ~ '/new') }}"}
  - {managedfs.console.export: {volume: a, desc: newer, iprange: "*", include_tokens: true}, register: newer, diff: true}
  - ansible.builtin.debug: {var: newer}
  - managedfs.console.export_rotation: {volume: a, desc: db, state: started, token_file: "{{ playbook_dir }}/db"}
  - ansible.builtin.debug: {msg: "{{ lookup('ansible.builtin.file', playbook_dir ~ '/db') }}"}
  - {managedfs.console.export_rotation: {volume: a, desc: web, state: started, include_tokens: true}, register: rotated}
  - ansible.builtin.debug: {var: rotated}
  - {managedfs.console.export_info: {volume: a, include_tokens: true}, async: 60, poll: 1, register: late}
  - ansible.builtin.debug: {var: late}
  - ansible.builtin.debug: {msg: "{{ lookup('ansible.builtin.env', 'MANAGEDFS_SECRET_KEY') }}"}
"""


def play(folder: Path, *options: str) -> tuple[set[str], dict[str, str]]:
    """Run the play as a job; return its secrets, and all texts that Ansible printed and left behind, by name."""
    project = folder / "project"
    project.mkdir()
    (project / "play.yml").write_text(PLAY, encoding="utf-8")
    (project / "template.j2").write_text("token: {{ token }}\n", encoding="utf-8")
    with Emulator() as emulator:
        volume = emulator.add_volume(id=1, name="a", bucket=f"https://me:{PASSWORD}@a.example.com")
        for desc, token in TOKENS.items():
            emulator.add_export(volume, desc=desc, iprange="10.0.0.0/16", token=token)
        command = ["ansible-runner", "run", str(folder), "--ident=job", "--playbook=play.yml"]
        printed = run_command(emulator, folder, *command, f"--cmdline={' '.join(options)}")
        secrets = {emulator.secret_key, PASSWORD, *emulator.tokens()}
    job = folder / "artifacts" / "job"
    left = {path: path.read_text(encoding="utf-8") for path in job.rglob("*") if path.is_file()}
    # The runner writes its own environment here, which holds the key.
    del left[job / "command"]
    left |= {path: path.read_text(encoding="utf-8") for path in (folder / "left").rglob("*") if path.is_file()}
    print(printed)
    return secrets, {"printed": printed, **{str(path): text for path, text in left.items()}}


@pytest.mark.skipif(not HIDES_SECRETS, reason="before ansible-core 2.22, such tasks need no_log")
@pytest.mark.parametrize("options", ["-v", "-vvvvv", "-vvvvv -e managedfs_in_worker=false"])
def test_tokens_that_results_reveal_are_usable_and_shown_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    left = tmp_path / "left"
    left.mkdir()
    monkeypatch.setenv("ANSIBLE_CALLBACKS_ENABLED", "ansible.builtin.junit,ansible.builtin.tree")
    monkeypatch.setenv("ANSIBLE_LOG_PATH", str(left / "log"))
    monkeypatch.setenv("JUNIT_OUTPUT_DIR", str(left / "junit"))
    monkeypatch.setenv("ANSIBLE_CALLBACK_TREE_DIR", str(left / "tree"))
    secrets, shown = play(tmp_path, options)
    project = tmp_path / "project"
    assert (project / "copied").read_text(encoding="utf-8") == TOKENS["web"]
    assert (project / "rendered").read_text(encoding="utf-8") == f"token: {TOKENS['web']}\n"
    assert {(project / name).read_text(encoding="utf-8").strip() for name in ("new", "db")} < secrets
    assert len(secrets) == 8
    assert "failed=0" in shown["printed"]
    assert {Path(name).parent.name for name in shown} >= {"", "job", "job_events", "left", "junit", "tree"}
    assert [(name, secret) for name, text in shown.items() for secret in secrets if secret in text] == []


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("is_shipped", [False, True], ids=["in the worker", "shipped"])
def test_an_invalid_option_registers_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_shipped: bool
) -> None:
    monkeypatch.setenv("ANSIBLE_INJECT_INVOCATION", "true")
    options = {"name": "a", "bucket": f"https://me:{PASSWORD}@a.example.com", "timeout": "soon"}
    wrong = {"managedfs.console.volume": options, "ignore_errors": True, "register": "found"}
    kept = {
        "ansible.builtin.copy": {"content": "{{ found | to_json }}", "dest": str(tmp_path / "found"), "mode": "0600"}
    }
    variables = {"managedfs_in_worker": not is_shipped}
    written = [{"hosts": "localhost", "gather_facts": False, "vars": variables, "tasks": [wrong, kept]}]
    (tmp_path / "play.yml").write_text(yaml.safe_dump(written), encoding="utf-8")
    with Emulator() as emulator:
        print(run_command(emulator, tmp_path, "ansible-playbook", "play.yml"))
        found = json.loads((tmp_path / "found").read_text(encoding="utf-8"))
        assert (emulator.access_key in str(found.get("invocation"))) == IS_INVOCATION_KEPT
        assert [each for each in (emulator.secret_key, PASSWORD) if each in str(found)] == []
