# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every argument of every plugin, in each form in which Ansible hands over values: what comes out is the same."""

from __future__ import annotations

import importlib
import itertools
import json
import re
from collections import UserString
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.managedfs.console.plugins.action.volumes import ActionModule
from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import CONNECTION_OPTIONS
from emulator import Emulator
from functional.support.inprocess import PLUGINS
from functional.support.outofprocess import run_command
from harness.places import CHECKOUT

PASSWORD = "sesame"
RECORDS = [
    {
        "id": 1,
        "name": "v",
        "bucket": "https://v.example.com",
        "exports": [{"id": 2, "desc": "web", "iprange": "10.0.0.0/8", "readonly": True}],
        "quotas": [{"id": 3, "path": "/a", "size": 4096, "inodes": 0}],
    }
]
ITEMS = [
    {
        "name": "v",
        "bucket": "https://v.example.com",
        "exports": [{"desc": "web", "iprange": "10.0.0.0/9", "renamed_from": "www"}],
        "quotas": [{"path": "/a", "size": "8KiB"}],
        "extra_fields": {"note": "x"},
    }
]
IGNORE = {"volumes": ["tmp-*"], "quotas": ["/home/*"]}
WAIT = {"wait_timeout": "10"}
# For tasks that change nothing
PLAN = {"expected_plan": "nothing"}
CONNECTION = {"timeout": "20", "retries": "0", "validate_certs": "true"}
NEW = {"name": "new", "bucket": "https://new.example.com", "region": "1", "block_size": "4096", "compress": "lz4"}
EXPORT = {"volume": "v", "desc": "web", "iprange": "10.0.0.0/9", "readonly": "true"}
ROTATION = {"volume": "v", "desc": "web", "state": "started"}
QUOTA = {"volume": "v", "path": "/a", "size": "1GiB", "inodes": "0"}
MANY = {"max_deletions": "100%", "concurrency": "2", **WAIT}
BY_ID = {
    "volume_id": "1",
    "create_only_changes": "update",
    "fail_on_plan_warnings": "yes",
    "plan_file": "FOLDER/plan.json",
}
# The variables of the role that are to be checked
TENANT = {"tenant_name": "red", "tenant_volume": "v", "tenant_size": "1GiB", "tenant_iprange": "10.0.0.0/8"}
# The options of each module. Every task runs in check mode.
MODULES: dict[str, list[dict[str, Any]]] = {
    "volume": [
        {**CONNECTION, **NEW, "compatible": "true", "extend": "x", "extra_fields": {"note": "x"}, "wait": "no", **WAIT},
        {"id": "1", "name": "v", "state": "present", "include_tokens": "true"},
    ],
    "volume_info": [
        {"name": "v", "gather": ["exports", "quotas"], "consoles": ["URL"], "include_tokens": "false"},
        {"id": "1", "only": ["v*"], "concurrency": "2"},
    ],
    "volumes": [
        {
            "volumes": ITEMS,
            "ignore": IGNORE,
            "purge": ["quotas"],
            "consoles": ["URL"],
            "only": ["v"],
            "wait": "no",
            **MANY,
        },
        {
            "volumes": ITEMS,
            "plan_file": "FOLDER/plan.json",
            "create_only_changes": "update",
            "fail_on_plan_warnings": "yes",
        },
        {"volumes": [{"name": "v"}], **PLAN},
    ],
    "export": [
        {**EXPORT, "create_only_changes": "update", "extra_fields": {"note": "x"}, "token_file": "FOLDER/token"},
        {"volume_id": "1", "id": "2", "apionly": "no", "appendonly": "no", "include_tokens": "yes", **WAIT},
        {"volume": "v", "desc": "web", "state": "absent"},
    ],
    "export_info": [
        {"volume": "v", "desc": "web", "address": "10.0.0.1", "include_tokens": "yes"},
        {"volume_id": "1", "id": "2", "concurrency": "2"},
    ],
    "export_rotation": [
        {**ROTATION, "fields": {"readonly": True}, "token_file": "FOLDER/token", "include_tokens": "yes", **WAIT},
        {"volume_id": "1", "desc": "web", "state": "finished", "id": "2", **PLAN},
    ],
    "exports": [
        {"volume": "v", "exports": [{"desc": "a", "iprange": "10.1.0.0/16"}], "purge": "yes", **MANY},
        {"exports": [{"desc": "a", "iprange": "10.1.0.0/16"}], "ignore": ["db*"], **BY_ID},
        {"volume": "v", "exports": [], **PLAN},
    ],
    "quota": [
        {**QUOTA, "create_only_changes": "update", "extra_fields": {"note": "x"}, **WAIT},
        {"volume_id": "1", "id": "3", "path": "/a", "state": "present"},
    ],
    "quota_info": [
        {"volume": "v", "path": "/a"},
        {"volume_id": "1", "id": "3", "concurrency": "2"},
    ],
    "quotas": [
        {"volume": "v", "quotas": [{"path": "/b", "size": "1GiB", "inodes": "3"}], "purge": "yes", **MANY},
        {"quotas": [{"path": "/b", "size": "1GiB"}], "ignore": ["/home/*"], **BY_ID},
        {"volume": "v", "quotas": [], **PLAN},
    ],
    "api_request": [
        {"path": "volumes", "query": {"q": ["x", 1]}, "status_code": ["200", "201"], "include_tokens": "yes"},
        {"path": "volumes", "method": "POST", "body": {"name": "x"}},
    ],
    "role_step": [
        {"do": "check", "role": "tenant", **TENANT},
        {"do": "check", "role": "rotate", "options": {"rotate_volume": {"type": "str"}}},
        {
            "do": "write",
            "dest": "FOLDER/new",
            "volumes": ITEMS,
            "console": "URL",
            "max_removals": "10%",
            "names": ["v"],
        },
        {"do": "write", "dest": "FOLDER/new", "volumes": ITEMS, "remove": "yes"},
        {
            "do": "report",
            "dest": "FOLDER/report",
            "volumes": RECORDS,
            "desired": ITEMS,
            "purge": ["exports"],
            "console": "https://console.example.com",
            "ignore": IGNORE,
            "only": ["v"],
        },
        {"do": "report", "dest": "FOLDER/report", "unread": "c.example.com"},
        {"do": "summary", "role": "capture"},
        {"do": "show", "summary": {}},
        {"do": "validate", "source": "FOLDER/desired", "fail_on_plan_warnings": "no"},
    ],
}
OPTIONS = {f"{name} {number}": each for name, tasks in MODULES.items() for number, each in enumerate(tasks)}
# Filters, as templates of `v`, which has these values
EXPRESSIONS: dict[str, dict[str, Any]] = {
    "v.records | managedfs.console.to_desired_state": {"records": RECORDS},
    "v.records | managedfs.console.to_desired_state(kind=v.kind)": {"records": RECORDS[0]["quotas"], "kind": "quotas"},
}
CASES = {**OPTIONS, **EXPRESSIONS}
# Ansible unwraps what it ships, whatever the module: two of them will do.
SHIPPED = ["volumes 0", "export 0"]


class Vaulted(UserString):
    """Text that YAML has encrypted."""


class Unsafe(UserString):
    """Text that YAML marks as no template."""


FORMS: dict[str, Callable[[str], Any]] = {
    "plain": str,
    "vaulted": Vaulted,
    "unsafe": Unsafe,
    "a template": lambda text: f"{{{{ {json.dumps(text)} }}}}",
    # As the result of a task
    "registered": str,
    # In the task itself
    "vaulted there": Vaulted,
}


class Dumper(yaml.SafeDumper):
    """Writes the forms of texts, and no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True

    def represent_vaulted(self, text: Vaulted) -> yaml.Node:
        vault = VaultLib([("default", VaultSecret(PASSWORD.encode()))])
        return self.represent_scalar("!vault", vault.encrypt(str(text)).decode(), style="|")

    def represent_unsafe(self, text: Unsafe) -> yaml.Node:
        return self.represent_scalar("!unsafe", str(text))


Dumper.add_representer(Vaulted, Dumper.represent_vaulted)
Dumper.add_representer(Unsafe, Dumper.represent_unsafe)


def map_texts(value: Any, form: Callable[[str], Any]) -> Any:
    """Return a copy of a value with its texts in another form."""
    if isinstance(value, dict):
        return {name: map_texts(inner, form) for name, inner in value.items()}
    if isinstance(value, list):
        return [map_texts(inner, form) for inner in value]
    return form(value) if isinstance(value, str) else value


def task_of(name: str, form: str, values: dict[str, Any], v: str) -> dict[str, Any]:
    """Return the task that tries a plugin with values in a form, or with those of a variable."""
    if name in EXPRESSIONS:
        expression = name.replace("v.", f"{v}.")
        return {"ansible.builtin.debug": {"msg": f"{{{{ {expression} }}}}"}}
    given = values if form.endswith("there") else {option: f"{{{{ {v}.{option} }}}}" for option in values}
    options = {option: value for option, value in given.items() if option not in TENANT}
    variables = {option: value for option, value in given.items() if option in TENANT}
    module = f"managedfs.console.{name.rpartition(' ')[0]}"
    return {module: options, "vars": variables, "check_mode": True, "diff": True}


def play_of(names: Collection[str], folder: Path, url: str) -> str:
    """Return a play that tries these cases in every form, and writes all results to a file."""
    given = map_texts(
        {name: CASES[name] for name in names}, lambda text: text.replace("FOLDER", str(folder)).replace("URL", url)
    )
    variables: dict[str, Any] = {}
    plain_values = {f"v0_{number}": f"{{{{ v0_{number} }}}}" for number in range(len(given))}
    tasks: list[dict[str, Any]] = [{"ansible.builtin.debug": {"msg": plain_values}, "register": "found"}]
    results = []
    for number, (name, plain) in enumerate(given.items()):
        for at, (form, act) in enumerate(FORMS.items()):
            variable = f"v{at}_{number}"
            variables[variable] = values = map_texts(plain, act)
            v = f"found.msg.v0_{number}" if form == "registered" else variable
            task = task_of(name, form, values, v)
            results.append(f"r{at}_{number}")
            tasks.append({"name": f"{name}, {form}", **task, "register": results[-1], "ignore_errors": True})
    content = f"{{{{ [{', '.join(results)}] | to_json }}}}"
    tasks.append({"ansible.builtin.copy": {"dest": str(folder / "found.json"), "content": content, "mode": "0600"}})
    play = {"hosts": "localhost", "gather_facts": False, "vars": variables, "tasks": tasks}
    return yaml.dump([play], Dumper=Dumper, sort_keys=False, width=10_000)


@pytest.mark.parametrize("module", sorted(path.stem for path in CHECKOUT.glob("plugins/modules/*.py")))
def test_every_option_is_tried(module: str) -> None:
    if operation := ActionModule.OPERATIONS.get(module):
        known = operation.argument_spec
    else:
        known = importlib.import_module(f"{PLUGINS}.action.{module}").ActionModule.OPTIONS
    assert known.keys() - CONNECTION_OPTIONS.keys() - set().union(*MODULES[module]) == set()


@pytest.mark.parametrize("names", [CASES, SHIPPED], ids=["in the worker", "shipped"])
def test_the_form_of_a_value_makes_no_difference(tmp_path: Path, names: Collection[str]) -> None:
    desired = tmp_path / "desired"
    desired.mkdir()
    (desired / "v.yml").write_text(json.dumps(ITEMS), encoding="utf-8")
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    with Emulator() as emulator:
        (desired / "console.yml").write_text(json.dumps({"console": [emulator.url]}), encoding="utf-8")
        volume = emulator.add_volume(id=1, name="v", bucket="https://v.example.com")
        emulator.add_export(volume, id=2, desc="web", iprange="10.0.0.0/8", readonly=True)
        emulator.add_quota(volume, id=3, path="/a", size=4096)
        (tmp_path / "play.yml").write_text(play_of(names, tmp_path, emulator.url), encoding="utf-8")
        options = ("--vault-password-file", "password", "-e", f"managedfs_in_worker={names is CASES}")
        print(run_command(emulator, tmp_path, "ansible-playbook", *options, "play.yml"))
    # Of a report, the time differs.
    text = re.sub("<time[^<]*", "<time>", (tmp_path / "found.json").read_text(encoding="utf-8"))
    found = json.loads(re.sub(r"(?<=_timestamp_seconds\{)[^}]*\} \d+", "", text))
    results = dict(zip(itertools.product(names, FORMS), found, strict=True))
    failed = {name: results[name, "plain"]["msg"] for name in names if results[name, "plain"].get("failed")}
    differing = [each for each, result in results.items() if result != results[each[0], "plain"]]
    for case, form in differing:
        print(case, form, results[case, form], results[case, "plain"], sep="\n")
    assert (failed, differing) == ({}, [])
