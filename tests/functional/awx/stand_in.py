# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A stand-in for the collection awx.awx: its modules only record what they should create.

Their options are those of awx.awx 24.6, so that a misspelt one fails as it would there. So does a blank name of another
object, for which awx.awx would find all objects.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator
from functional.support.outofprocess import collections_path
from functional.support.plays import Played, run_playbook

PROJECT = {"awx_setup_project_url": "https://git.example.com/console.git"}

OPTIONS = {
    "credential": "credential_type description inputs name organization state",
    "credential_type": "description injectors inputs kind name state",
    "execution_environment": "description image name organization pull state",
    "inventory": "description name organization state variables",
    "inventory_source": "inventory name organization overwrite overwrite_vars source source_path source_project update_on_launch",
    "inventory_source_update": "inventory name organization wait",
    "job_template": "ask_credential_on_launch ask_job_type_on_launch ask_limit_on_launch ask_verbosity_on_launch credentials"
    " description diff_mode extra_vars inventory job_type name notification_templates_error organization playbook project state"
    " survey_enabled survey_spec",
    "project": "credential default_environment description name organization scm_type scm_update_on_launch scm_url state",
    "project_update": "name organization",
    "schedule": "enabled name organization rrule state unified_job_template",
    "workflow_job_template": "allow_simultaneous ask_limit_on_launch description name notification_templates_approvals"
    " notification_templates_error organization state survey_enabled survey_spec",
    "workflow_job_template_node": "approval_node extra_data failure_nodes identifier lookup_organization organization success_nodes"
    " unified_job_template workflow_job_template",
}

# The objects that awx.awx looks up by name.
RESOLVED = "credential credential_type credentials default_environment failure_nodes inventory lookup_organization organization"
RESOLVED += " project source_project success_nodes unified_job_template workflow_job_template"

# Ansible passes options to such a module in a file.
MODULE = '''\
#!/usr/bin/python
# WANT_JSON
"""Record the options."""
import json, sys
with open(sys.argv[1]) as file:
    options = {name: value for name, value in json.load(file).items() if not name.startswith("_ansible_")}
unknown = sorted(set(options) - set("OPTIONS".split()))
looked_up = {name: options[name] for name in "RESOLVED".split() if name in options}
blank = [name for name, value in looked_up.items() if not all(value if isinstance(value, list) else [value])]
with open("RECORD", "a") as record:
    record.write(json.dumps(["NAME", options]) + "\\n")
message = "unknown: " + ", ".join(unknown) + "; returned 2 items, expected 1: " + ", ".join(blank)
print(json.dumps({"changed": True, "failed": bool(unknown or blank), "msg": message}))
'''

LOOKUP = '''\
import json
from ansible.plugins.lookup import LookupBase
DOCUMENTATION = """{name: controller_api, short_description: stand-in, description: stand-in, author: none, options:
{_terms: {description: stand-in}, query_params: {description: stand-in, type: dict},
return_all: {description: stand-in, type: bool}, return_ids: {description: stand-in, type: bool}}}"""
class LookupModule(LookupBase):
    def run(self, terms, variables=None, **kwargs):
        with open("HAS") as file:
            found = json.load(file)[terms[0]]
        return [str(each["id"]) for each in found] if kwargs.get("return_ids") else found
'''

FETCHED: dict[str, Any] = {"status": "successful", "related": {"playbooks": "playbooks"}}
TEMPLATES = ["apply", "check", "drift", "gate", "rotate", "tenant"]
DEFAULT: dict[str, list[Any]] = {"credential_types": [{}], "credentials": [], "projects": [FETCHED]}
DEFAULT |= {"playbooks": [f"{name}.yml" for name in TEMPLATES], "organizations": [{"name": "Default"}]}
DEFAULT |= {"job_templates": [], "workflow_job_templates": []}


@dataclass(frozen=True)
class StandIn:
    """The collection in a folder of collections."""

    folder: Path

    def install(self) -> None:
        """Write the collection."""
        plugins = self.folder / "ansible_collections" / "awx" / "awx" / "plugins"
        for kind in ("modules", "lookup"):
            (plugins / kind).mkdir(parents=True)
        for name, options in OPTIONS.items():
            text = MODULE.replace("NAME", name).replace("OPTIONS", options).replace("RECORD", str(self._record))
            text = text.replace("RESOLVED", RESOLVED)
            (plugins / "modules" / f"{name}.py").write_text(text, encoding="utf-8")
        lookup = LOOKUP.replace("HAS", str(self.folder / "has.json"))
        (plugins / "lookup" / "controller_api.py").write_text(lookup, encoding="utf-8")
        self.has()

    def has(self, **kinds: list[Any]) -> None:
        """Define the objects in the AWX."""
        (self.folder / "has.json").write_text(json.dumps(DEFAULT | kinds), encoding="utf-8")

    @property
    def recorded(self) -> list[tuple[str, dict[str, Any]]]:
        """Return module and options of each call."""
        lines = self._record.read_text(encoding="utf-8").splitlines() if self._record.exists() else []
        return [(call[0], call[1]) for call in map(json.loads, lines)]

    def calls_of(self, module: str) -> list[dict[str, Any]]:
        """Return the options of each call of a module."""
        return [options for name, options in self.recorded if name == module]

    @property
    def _record(self) -> Path:
        return self.folder / "record.jsonl"


def set_up(stand_in: StandIn, variables: dict[str, Any], *options: str, **environment: str) -> Played:
    """Run awx_setup with a stand-in for awx.awx, in an environment that has a console."""
    with Emulator() as emulator, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        paths = f"{collections_path()}{os.pathsep}{stand_in.folder}"
        patch.setattr("functional.support.outofprocess.collections_path", lambda: paths)
        return run_playbook(emulator, stand_in.folder, "managedfs.console.awx_setup", PROJECT | variables, *options)
