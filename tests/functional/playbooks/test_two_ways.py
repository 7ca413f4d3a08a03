# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tasks with the keywords of Ansible: which of them run in the worker, and that nobody can tell by their results."""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.managedfs.console.plugins.module_utils._internal.task import HIDES_SECRETS
from emulator import Emulator
from functional.support.outofprocess import run_command

INFO = "managedfs.console.volume_info"
QUOTA = {"volume": "v", "path": "/a", "size": "1GiB"}
PASSWORD = "sesame"
# A connection that could start programs in another namespace.
DERIVED = '''
DOCUMENTATION = """
name: derived
short_description: derived from local
description: [derived]
extends_documentation_fragment: [connection_pipelining]
"""
from ansible.plugins.connection.local import Connection as Local


class Connection(Local):
    """The same."""
'''
HERE, SHIPPED, NOWHERE = "in the worker", "shipped", "refused"
PYTHON = "{{ ansible_playbook_python }}"
# A task, and where it runs.
TASKS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing special": ({INFO: {"gather": ["all"]}}, HERE),
    "a creation": ({"managedfs.console.quota": QUOTA, "diff": True}, HERE),
    "the same again": ({"managedfs.console.quota": QUOTA}, HERE),
    "check mode": ({"managedfs.console.quota": {**QUOTA, "size": 0}, "check_mode": True, "diff": True}, HERE),
    "a loop": ({"managedfs.console.quota": {**QUOTA, "path": "/{{ item }}"}, "loop": [1, 2, 3]}, HERE),
    "until": (
        {INFO: {"name": "x"}, "until": "found.volumes | length > 0", "retries": 2, "delay": 0, "ignore_errors": True},
        HERE,
    ),
    "a time limit": ({INFO: {}, "timeout": 60}, HERE),
    "no_log": ({INFO: {}, "no_log": True}, HERE),
    "failed_when": ({INFO: {}, "failed_when": "found.volumes | length == 1", "ignore_errors": True}, HERE),
    "changed_when": ({INFO: {}, "changed_when": True}, HERE),
    "delegation": ({INFO: {}, "delegate_to": "localhost"}, HERE),
    "delegation to a host with another Python": ({INFO: {}, "delegate_to": "other_python"}, SHIPPED),
    "asynchronous": ({INFO: {}, "async": 60, "poll": 1}, SHIPPED),
    "become": ({INFO: {}, "become": True}, SHIPPED),
    "the switch": ({INFO: {}, "vars": {"managedfs_in_worker": "no"}}, SHIPPED),
    "key=value": ({"managedfs.console.quota": "volume=v path=/kv size=1G"}, HERE),
    "an action": ({"action": {"module": INFO, "gather": "quotas"}}, HERE),
    "variables that modules read": (
        {
            INFO: {"secret_key": "", "timeout": "{{ omit }}"},
            "environment": {"MANAGEDFS_SECRET_KEY": "{{ key }}", "MANAGEDFS_TIMEOUT": 7, "no_proxy": "*"},
        },
        HERE,
    ),
    "a vaulted key": ({INFO: {"secret_key": "{{ vaulted }}"}}, HERE),
    "a variable that is wrong": (
        {INFO: {}, "environment": {"MANAGEDFS_TIMEOUT": "soon"}, "ignore_errors": True},
        HERE,
    ),
    "a variable whose type is of Ansible": (
        {INFO: {}, "environment": {"MANAGEDFS_TIMEOUT": "{{ brace }}"}, "ignore_errors": True},
        HERE,
    ),
    "a variable that is undone": ({INFO: {}}, HERE),
    "other variables": ({INFO: {}, "environment": {"LC_ALL": "C", "MANAGEDFS_TIMEOUT": "9"}}, SHIPPED),
    "this Python": ({INFO: {}, "vars": {"ansible_python_interpreter": PYTHON}}, HERE),
    "any Python": ({INFO: {}, "vars": {"ansible_python_interpreter": "auto_silent"}}, SHIPPED),
    "no Python": ({INFO: {}, "vars": {"ansible_python_interpreter": "{{ omit }}"}, "ignore_errors": True}, SHIPPED),
    "the shell that is the default": ({INFO: {}, "vars": {"ansible_shell_executable": "{{ '/bin/sh' }}"}}, HERE),
    "another shell": ({INFO: {}, "vars": {"ansible_shell_executable": "/bin/bash"}}, SHIPPED),
    "a derived connection": ({INFO: {}, "delegate_to": "derived"}, SHIPPED),
    "a name that no shell takes": ({INFO: {}, "environment": {"MANAGEDFS_X-Y": "1"}, "ignore_errors": True}, SHIPPED),
    "bytes": ({"managedfs.console.quota": {**QUOTA, "extra_fields": {"x": b"1"}}, "ignore_errors": True}, NOWHERE),
    "a list as a key": ({INFO: {"secret_key": ["a"]}, "ignore_errors": True}, NOWHERE),
    "a NUL": ({"managedfs.console.quota": {**QUOTA, "path": "/\x00"}, "ignore_errors": True}, NOWHERE),
    "the working directory": (
        {"managedfs.console.quotas": {"volume": "v", "quotas": [], "plan_file": "$PWD/plan.json"}},
        HERE,
    ),
    "an option that is unknown": ({INFO: {"nam": "x", "nope": "{{ key }}"}, "ignore_errors": True}, HERE),
    "an option of another type": ({INFO: {"timeout": "x{{ key }}"}, "ignore_errors": True}, HERE),
    "the wrong key": ({INFO: {"secret_key": "wrong-key-000"}, "ignore_errors": True}, HERE),
    "no template": ({"managedfs.console.quota": {**QUOTA, "path": "/{{ brace }}"}, "check_mode": True}, HERE),
    "dates and sets": (
        {
            "managedfs.console.quota": {
                **QUOTA,
                "extra_fields": {
                    "at": dt.datetime(2026, 1, 2, 3, tzinfo=dt.timezone.utc),
                    "each": "{{ [1, 1] | unique }}",
                },
            },
            "check_mode": True,
        },
        HERE,
    ),
}
# Values that the emulator makes anew for each record, and ansible-core before 2.19 for each run.
RANDOM = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=__omit_place_holder__)[0-9a-f]{40}")
# What Ansible says of asynchronous jobs, of a Python that it has looked for, and, from 2.22 on, of modules alone.
OF_ANSIBLE = {"ansible_job_id", "results_file", "ansible_facts", "warnings", "ansible_parsed"}


def play_of(folder: Path, key: str) -> str:
    """Return a play of the tasks, which writes what each of them registers to a file."""
    named = [{"name": name, **task, "register": "found"} for name, (task, _where) in TASKS.items()]
    kept = {"name": "keep", "ansible.builtin.set_fact": {"all": "{{ all | default([]) + [found] }}"}}
    written = {"dest": str(folder / "found.json"), "content": "{{ all | to_json }}", "mode": "0600"}
    play = {
        "hosts": "localhost",
        "gather_facts": False,
        # Whatever Python is at hand, an older Ansible looks for one of the system, which may lack requests.
        "vars": {
            "key": key,
            "brace": "BRACE",
            "vaulted": "VAULTED",
            "ansible_interpreter_python_fallback": [sys.executable],
        },
        "module_defaults": {"group/managedfs.console.console": {"retries": 0}},
        "tasks": [each for task in named for each in (task, kept)] + [{"ansible.builtin.copy": written}],
    }
    vault = VaultLib([("default", VaultSecret(PASSWORD.encode()))])
    lines = vault.encrypt(key).decode().replace("\n", "\n      ")
    text = yaml.safe_dump([play], sort_keys=False, width=1000)
    return text.replace("BRACE", '!unsafe "{{ 7*7 }}"').replace("VAULTED", f"!vault |\n      {lines}")


def run(emulator: Emulator, folder: Path, *options: str) -> tuple[str, list[Any]]:
    """Return the output of the play, and what its tasks registered."""
    folder.mkdir()
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    python = Path(sys.executable).with_name("python3")
    (folder / "hosts").write_text(
        f"localhost ansible_connection=local ansible_async_dir={folder}\n"
        f"other_python ansible_connection=local ansible_python_interpreter={python}\n"
        f"derived ansible_connection=derived ansible_python_interpreter='{PYTHON}'\n",
        encoding="utf-8",
    )
    (folder / "connection_plugins").mkdir()
    (folder / "connection_plugins" / "derived.py").write_text(DERIVED, encoding="utf-8")
    (folder / "play.yml").write_text(play_of(folder, emulator.secret_key), encoding="utf-8")
    emulator.reset()
    emulator.add_quota(emulator.add_volume(name="v", bucket="https://v.example.com"), path="/q", size=4096)
    arguments = ("-i", "hosts", "--vault-password-file", "password", *options, "play.yml")
    output = run_command(emulator, folder, "ansible-playbook", *arguments)
    print(output)
    assert (folder / "plan.json").exists()
    found = RANDOM.sub("RANDOM", (folder / "found.json").read_text(encoding="utf-8"))
    # An ansible-core that masks output leaves in a result what somebody wrote into another option.
    assert emulator.secret_key not in output + ("" if HIDES_SECRETS else found)
    return output, json.loads(found, object_hook=lambda shown: {k: v for k, v in shown.items() if k not in OF_ANSIBLE})


def test_a_time_limit_ends_the_writes_and_a_warning_says_how_many_there_were(tmp_path: Path) -> None:
    with Emulator() as emulator:
        emulator.add_volume(name="v", bucket="https://v.example.com")
        emulator.latency = 0.1
        items = [{"path": f"/{number}", "size": 4096} for number in range(200)]
        task = {"managedfs.console.quotas": {"volume": "v", "concurrency": 2, "quotas": items}, "timeout": 3}
        play = {"hosts": "localhost", "gather_facts": False, "tasks": [task]}
        (tmp_path / "play.yml").write_text(yaml.safe_dump([play]), encoding="utf-8")
        output = run_command(emulator, tmp_path, "ansible-playbook", "play.yml")
        done = len(emulator.quotas(emulator.volumes()[0]["id"]))
    (accepted,) = re.findall(r"The console at \S+ had\s+accepted\s+(\d+)\s+writes", output)
    assert 0 < int(accepted) <= done < 200
    assert done - int(accepted) <= 2


def play_once(folder: Path, *options: str) -> str:
    """Return the output of a play of one task."""
    play = {"hosts": "localhost", "gather_facts": False, "tasks": [{INFO: {}}]}
    (folder / "play.yml").write_text(yaml.safe_dump([play]), encoding="utf-8")
    with Emulator() as emulator:
        return run_command(emulator, folder, "ansible-playbook", "play.yml", *options)


@pytest.mark.parametrize(("shell", "where"), [("/bin/sh", HERE), ("/bin/bash", SHIPPED)])
def test_a_shell_that_is_configured_ships_a_task_if_it_is_not_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str, where: str
) -> None:
    monkeypatch.setenv("ANSIBLE_EXECUTABLE", shell)
    output = play_once(tmp_path, "-vvv")
    assert "failed=0" in output
    assert ("Using module file" in output) == (where is SHIPPED)


def test_where_a_task_runs_shows_only_in_the_output(tmp_path: Path) -> None:
    with Emulator() as emulator:
        output, found = run(emulator, tmp_path / "worker", "-vvv")
        _output, found_by_modules = run(emulator, tmp_path / "modules", "-e", "managedfs_in_worker=false")
    parts = re.split(r"^TASK \[(.*)\] \**$", output, flags=re.MULTILINE)[1:]
    shown = dict(zip(parts[::2], parts[1::2], strict=True))
    is_shipped = {name: "Using module file" in shown[name] for name in TASKS}
    assert is_shipped == {name: where is SHIPPED for name, (_task, where) in TASKS.items()}
    assert [name for name, one, other in zip(TASKS, found, found_by_modules, strict=True) if one != other] == []
