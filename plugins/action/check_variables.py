# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first action of each role in this collection: it checks the role's variables on the controller, and reads its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from ansible import constants

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.files import replace_file
from ansible_collections.managedfs.console.plugins.plugin_utils._internal import role_folders, tenant
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.action import ControllerAction
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_rules import Values, broken_rules
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_tags import explain, selects
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.role_variables import check_variables
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.state_files import (
    read_console,
    read_state,
    resolve_path,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.vault import decrypter
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.wrapped import unwrap

_ROLES = Path(__file__).resolve().parents[2] / "roles"
# The one in C takes a twentieth of the time.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# The roles that go by all that files say.
_READERS = ("apply", "report")


class ActionModule(ControllerAction):
    """Checks the variables of its task, which are those of the role that it is in."""

    OPTIONS = {"role": {"type": "str", "required": True}, "options": {"type": "dict"}}

    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables that are set, what follows from them, and whether the tasks for all hosts run once."""
        once = {"once": self.runs_once()}
        tags = variables.get("ansible_run_tags", ["all"])
        if not selects(tags, self._task.tags):
            return {
                "changed": False,
                "given": {},
                "warnings": [explain(options["role"], tags, self._names(options["role"], variables))],
            }
        try:
            return {"changed": False, **self._check(options["role"], options["options"], variables), **once}
        except ConsoleError as error:
            error.details.update(once)
            raise

    def _names(self, role: str, variables: Mapping[str, Any]) -> list[str]:
        """Return the names of the volumes that the variables of a role describe, as far as they can be read."""
        names = (f"{role}_source", f"{role}_volumes")
        try:
            source, items = (self._templar.template(variables.get(name)) for name in names)
            found = self._read_state(str(source), variables) if source else items or []
            return [str(item["name"]) for item in found if item.get("name")]
        except Exception:  # noqa: BLE001 - whatever is wrong with them is of no matter if nothing is done
            return []

    def _check(self, role: str, specs: Any, variables: Mapping[str, Any]) -> dict[str, Any]:
        if specs is None:
            text = (_ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
            specs = yaml.load(text, _LOADER)["argument_specs"]["main"]["options"]  # noqa: S506 - both are safe

        def value_of(name: str) -> Any:
            # In a dictionary, from which newer versions of ansible-core drop an omitted value.
            value = unwrap(self._templar.template({"value": variables[name]})).get("value")
            return None if isinstance(value, str) and value == variables.get("omit") else value

        checked = check_variables(role, specs, variables, value_of)
        problems = broken_rules(role, Values(checked.given, checked.names, bool(self._task.check_mode)))
        derived = self._derive(role, checked.given, variables, problems)
        if problems:
            raise ConsoleError(" ".join(problems))
        result = {"given": checked.given, "warnings": checked.warnings, **derived}
        try:
            return {**result, **(self._read_source(checked.given, variables) if role in _READERS else {})}
        except ConsoleError as error:
            # The summary, which names the mistake, goes where the variables say.
            error.details.update(result)
            raise

    def _derive(
        self, role: str, given: Mapping[str, Any], variables: Mapping[str, Any], problems: list[str]
    ) -> dict[str, Any]:
        """Return what follows from the variables of a role, and append to the problems; ConsoleError for files."""
        if role == "tenant":
            names = tenant.names_of(given)
            items = self._read_state(given["source"], variables) if "source" in given else []
            problems += tenant.out_of_bounds(given, names, items)
            return {"names": names._asdict()}
        files = {}
        if "summary_file" in given:
            files["summary_file"] = role_folders.file_of_summary(role, given, variables)
        if role == "capture":
            files["folder"] = role_folders.folder_of_capture(given, variables)
        if role == "report" and "dest" in given:
            files["subfolder"] = role_folders.subfolder(variables["inventory_hostname"])
            files["folder"] = role_folders.folder_of_report(given, variables, files["subfolder"])
        return files

    def _read_source(self, given: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the files of a role, if it has any, say about their console, and where their volumes are now."""
        if "source" not in given:
            return {"console": {}}
        source = given["source"]
        about = read_console(resolve_path(source, variables), source, decrypter(self._loader))
        volumes = self._read_state(source, variables, with_source=True)
        return {"console": about.to_options(), "volumes_file": _keep(volumes)}

    def _read_state(self, source: str, variables: Mapping[str, Any], with_source: bool = False) -> list[dict[str, Any]]:
        return read_state(resolve_path(source, variables), source, decrypter(self._loader), with_source)


def _keep(items: list[dict[str, Any]]) -> str:
    """Write items to a file that Ansible removes at the end of the run, and return its path. They may be too many for a result.

    Hosts with the same items share it. Only the user can read it, since what it is from may be encrypted.
    """
    content = json.dumps(items).encode()
    folder = Path(constants.DEFAULT_LOCAL_TMP)  # type: ignore[attr-defined]
    path = folder / f"managedfs-{hashlib.sha256(content).hexdigest()}.json"
    try:
        if not path.exists():
            replace_file(path, content, 0o600)
    except OSError as error:
        raise ConsoleError(
            f"What was read cannot be kept in {folder}: {error.strerror}. Make room there, or set ANSIBLE_LOCAL_TEMP to"
            " another folder."
        ) from None
    return str(path)
