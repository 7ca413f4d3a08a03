# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first step of each role: it checks the role's variables, and reads its files."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from ansible import constants

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.files import replace_file
from . import tenant
from .action import ControllerAction, check_folder
from .role_variables import check_variables
from .state_files import read_state, resolve_path
from .state_writer import read_max_removals

_ROLES = Path(__file__).resolve().parents[3] / "roles"
# The one in C takes a twentieth of the time.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def check(action: ControllerAction, role: str, specs: Any, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables of a role that are set, what follows from them, and whether the tasks for all hosts run once.

    `specs` are its options, by default those that it documents. Without a tag of the run, the role does nothing.
    """
    once = {"changed": False, "once": action.runs_once()}
    tags = variables.get("ansible_run_tags", ["all"])
    own = set(action.tags) - {"always"}
    if not {"all", "tagged" if own else "untagged", *own} & set(tags):
        hint = f" To limit it to a volume, set {role}_only." if role in ("apply", "report") else ""
        warning = f"{role} does nothing, since none of its tasks has one of the tags {', '.join(sorted(tags))}.{hint}"
        return {**once, "given": {}, "warnings": [warning]}
    result: dict[str, Any] = {}
    try:
        _check(action, role, specs or _read_specs(role), variables, result)
    except ConsoleError as error:
        # The summary, which names the mistake, goes where the variables say.
        error.details.update(once, **{name: value for name, value in result.items() if name == "summary_file"})
        raise
    return {**once, **result}


def _read_specs(role: str) -> Any:
    text = (_ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)["argument_specs"]["main"]["options"]  # noqa: S506 - both are safe


def _check(
    action: ControllerAction, role: str, specs: Any, variables: Mapping[str, Any], result: dict[str, Any]
) -> None:
    """Add to the result what is known of the variables; ConsoleError for what is wrong with them, or with the files they name."""

    def value_of(name: str) -> Any:
        # In a dictionary, from which newer versions of ansible-core drop an omitted value.
        value = action.evaluate({"value": variables[name]}).get("value")
        return None if isinstance(value, str) and value == variables.get("omit") else value

    checked = check_variables(role, specs, variables, value_of)
    given = checked.given
    result.update(given=given, warnings=checked.warnings)
    source = action.source(given, variables) if given.get("source") else None
    problems = list(_contradictions(role, given, checked.names, action.check_mode))
    if role == "tenant":
        names = tenant.names_of(given)
        problems += tenant.out_of_bounds(given, names, read_state(*source).items if source else [])
        result["names"] = names._asdict()
    if problems:
        raise ConsoleError(" ".join(problems))
    result.update(_places(role, given, variables))
    if role == "capture":
        read_max_removals(str(given.get("max_removals", "")))
    if role in ("apply", "report"):
        found = read_state(*source) if source else None
        result["console"] = found.about.to_options() if found else {}
        result.update({"volumes_file": _keep(found.items)} if found else {})


def _contradictions(role: str, given: Mapping[str, Any], names: AbstractSet[str], check_mode: bool) -> Iterator[str]:
    """Yield what is wrong with variables together, each of which is valid. `names` are those of all that are set."""
    if role == "apply":
        if len(names & {"source", "volumes"}) != 1:
            yield "One of apply_source and apply_volumes is required, and not both."
        if given.get("fail_on_changes") and not check_mode:
            yield "apply_fail_on_changes is for check mode. Otherwise it would fail only after the changes are made."
    if role == "report":
        if names >= {"source", "volumes"}:
            yield "report_source and report_volumes are mutually exclusive. Set one of them."
        if given.get("fail_on_drift") and not names & {"source", "volumes"}:
            yield "report_fail_on_drift needs a desired state. Set report_source or report_volumes."
    if role == "tenant" and given["state"] == "present":
        if not names & {"size", "inodes", "iprange"}:
            yield (
                f"There is nothing to do for tenant {given['name']}: set tenant_size or tenant_inodes for a quota, or"
                " tenant_iprange for an export."
            )
        if "token_file" in names and "iprange" not in names:
            yield "tenant_token_file is set, but there is no token without an export: set tenant_iprange, too."


def _places(role: str, given: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, str]:
    """Return where a role writes; ConsoleError if it cannot. Hosts that share the folder of a capture are found by it."""
    places = {}
    if "summary_file" in given:
        file = resolve_path(given["summary_file"], variables)
        if file.is_dir() or not os.access(file.parent, os.W_OK):
            raise ConsoleError(
                f"{role}_summary_file {file} cannot be written. Name another file, or create its folder."
            )
        places["summary_file"] = str(file)
    if "dest" in given:
        folder = resolve_path(given["dest"], variables)
        host = variables["inventory_hostname"]
        # A report on the machine that Ansible runs on has no folder of its own.
        below = re.sub(r"^\.", "%2E", quote(host, safe="")) if role == "report" and host != "localhost" else ""
        check_folder(folder / below)
        places["folder"] = os.path.realpath(folder / below)
    return places


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
