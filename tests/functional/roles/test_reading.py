# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the roles apply and report read their files: once, in their first task, which shows mistakes and no records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emulator import Emulator
from functional.support.plays import Played, run_playbook

HOSTS = ("north", "south")
# After the check of the variables, this writes down which files hold records, and removes what they are from.
BETWEEN = """
import json, pathlib, shutil
from ansible import constants
from ansible.plugins.callback import CallbackBase

class CallbackModule(CallbackBase):
    CALLBACK_VERSION, CALLBACK_TYPE, CALLBACK_NAME = 2.0, "aggregate", "between"
    before = ""

    def v2_playbook_on_task_start(self, task, is_conditional):
        if "Check the variables" in self.before:
            folder = pathlib.Path(__file__).resolve().parents[1]
            kept = pathlib.Path(constants.DEFAULT_LOCAL_TMP).glob("managedfs-*")
            modes = {str(path): oct(path.stat().st_mode) for path in kept}
            (folder / "modes.json").write_text(json.dumps(modes), encoding="utf-8")
            shutil.rmtree(folder / "desired")
        self.before = task.get_name()
"""


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    """Yield a console with a volume."""
    with Emulator() as emulator:
        emulator.add_volume(name="v", bucket="https://v.example.com")
        yield emulator


def path_of(host: str) -> str:
    """Return the path of the quota in the files of a host, which must never be taken for a template."""
    return f"/{host}-{{{{ 7 * 191 }}}}"


def run(
    emulator: Emulator, folder: Path, role: str, *options: str, files: dict[str, dict[str, Any]], **variables: Any
) -> Played:
    """Run a role on two hosts that share a console, each with its own folder of files."""
    include = {"name": f"managedfs.console.{role}"}
    source = {f"{role}_source": "desired/{{ inventory_hostname }}"}
    tasks = [{"name": "Run", "ansible.builtin.include_role": include, "vars": {**source, **variables}}]
    play = {"hosts": "all", "gather_facts": False, "tasks": tasks}
    local = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    inventory = {"all": {"hosts": dict.fromkeys(HOSTS), "vars": local}}
    contents = {"hosts.yml": inventory, "play.yml": [play], **{f"desired/{name}": data for name, data in files.items()}}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    return run_playbook(emulator, folder, "play.yml", {}, "-i", "hosts.yml", *options)


@pytest.mark.parametrize(
    ("role", "options"),
    [("apply", ()), ("report", ())],
    ids=["apply", "report"],
)
def test_files_are_read_once_and_no_record_is_in_the_result(
    emulator: Emulator, tmp_path: Path, role: str, options: tuple[str, ...]
) -> None:
    (tmp_path / "callback_plugins").mkdir()
    (tmp_path / "callback_plugins" / "between.py").write_text(BETWEEN, encoding="utf-8")
    files: dict[str, dict[str, Any]] = {f"{host}/console.yml": {"console": [emulator.url]} for host in HOSTS}
    files |= {f"{host}/v.yml": {"name": "v", "quotas": [{"path": path_of(host), "size": "4KiB"}]} for host in HOSTS}
    given = {"report_dest": "{{ playbook_dir }}/reports"} if role == "report" else {}
    played = run(emulator, tmp_path, role, *options, "-vvvvv", files=files, **given)
    assert (played.code, played.count("failed")) == (0, 0)
    assert not (tmp_path / "desired").exists()
    modes = json.loads((tmp_path / "modes.json").read_text(encoding="utf-8"))
    assert list(modes.values()) == ["0o100600"] * len(HOSTS)
    assert not any(Path(name).exists() for name in modes)
    checked = played.output.split(f"TASK [managedfs.console.{role} : Check the variables")[1].split("\nTASK [")[0]
    assert all(name in checked for name in modes)
    assert not any(text in checked for text in ("quotas", "7 * 191"))
    if role == "report":
        facts = [
            json.loads((tmp_path / "reports" / host / "report.json").read_text(encoding="utf-8")) for host in HOSTS
        ]
        created = [entry["key"] for each in facts for entry in each["drift"]["to_create"]]
    else:
        created = [quota["path"] for quota in emulator.quotas(emulator.volumes()[0]["id"])]
        assert all(f"+ quota {path_of(host)}: size 4KiB" in played.output for host in HOSTS)
    assert sorted(created) == ([] if "--check" in options else [path_of(host) for host in HOSTS])


@pytest.mark.parametrize("role", ["apply", "report"])
def test_given_records_are_not_in_the_result_either(emulator: Emulator, tmp_path: Path, role: str) -> None:
    volumes = [{"name": "v", "quotas": [{"path": "/a", "extra_fields": {"password": "hunter2"}}]}]
    variables = {f"{role}_volumes": volumes, "report_dest": str(tmp_path / "reports")}
    tasks = [{"ansible.builtin.include_role": {"name": f"managedfs.console.{role}"}}]
    (tmp_path / "play.yml").write_text(yaml.safe_dump([{"hosts": "localhost", "tasks": tasks}]), encoding="utf-8")
    played = run_playbook(emulator, tmp_path, "play.yml", variables, "-v")
    checked = played.output.split(f"TASK [managedfs.console.{role} : Check the variables")[1].split("\nTASK [")[0]
    assert ("ok: [localhost]" in checked, "hunter2" in checked) == (True, False)


@pytest.mark.parametrize("role", ["report"])
def test_a_mistake_in_a_file_is_the_whole_message_and_a_part_of_the_summary(
    emulator: Emulator, tmp_path: Path, role: str
) -> None:
    files: dict[str, dict[str, Any]] = {f"{host}/v.yml": {"name": "v"} for host in HOSTS}
    files["north/v.yml"]["colour"] = "red"
    summary = {f"{role}_summary_file": "{{ playbook_dir }}/summary.md"}
    played = run(emulator, tmp_path, role, files=files, **summary)
    message = "desired/north/v.yml, line 1 ('v'): there is no option colour."
    assert f'"msg": "{message}' in played.output
    assert [played.count("failed", host) for host in HOSTS] == [1, 0]
    assert f"\n- north: failed: `{message}" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    alone = run(emulator, tmp_path, role, "--limit", "north", files=files, **summary)
    assert f'"msg": "{message}' in alone.output
    # It was shown by the task that failed.
    assert re.search(r" : Show [a-z ]+\] \*+\nok: \[north\]\n", alone.output)
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith(f"<!-- managedfs: failed -->\n1 console: 1 failed\n\n- north: failed: `{message}")
