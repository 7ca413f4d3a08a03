# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first step of each role: it checks the role's variables, and reads its files."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import yaml
from ansible import constants
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ....module_utils._internal.connection import CONNECTION_OPTIONS
from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.files import replace_file
from ....module_utils._internal.model.fields import NETWORK, SIZE
from ....module_utils._internal.model.records import format_value
from ....module_utils._internal.model.resources import EXPORT, QUOTA
from ....module_utils._internal.options import read_given, why_no_integer
from ....module_utils._internal.values import most_like
from ..controller.action import ControllerAction, check_folder, resolve_path
from ..files.reading import read_state
from ..files.writing import read_max_removals
from . import tenant

Options = Mapping[str, Mapping[str, Any]]

# What all playbooks take, and what playbooks, roles, artifacts and credentials of ours set. A workflow passes artifacts on as
# extra variables.
_OF_ALL: Options = {f"managedfs_{name}": {} for name in ("hosts", "in_worker", *CONNECTION_OPTIONS)}
_INTERNAL = {f"managedfs_connection{part}" for part in ("", "_hosts", "_limit", "_names", "_options", "_values")}
_INTERNAL |= {"managedfs_keys", "managedfs_plan", "managedfs_report"}
_INTERNAL |= {"managedfs_rotation", "managedfs_summary", "apply_result", *CONNECTION_OPTIONS}
_FIELDS = {field.name: field.type for field in (*EXPORT.managed, *QUOTA.managed)}
# Those that may have thousands of items, and those with values that nobody but the role may see.
_LEFT_OUT = (("list", "dict"), ("list", None), ("dict", None))
_ROLES = Path(__file__).resolve().parents[4] / "roles"
# The one in C takes a twentieth of the time.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Checked(NamedTuple):
    """The outcome for valid variables."""

    # The values that are set, by name without the role's prefix; dictionaries, and lists of them or of anything, are left out.
    given: dict[str, Any]
    warnings: list[str]
    # The names of all that are set, without the prefix.
    names: frozenset[str] = frozenset()


def check_variables(
    role: str, options: Options, variables: Mapping[str, Any], value_of: Callable[[str], Any]
) -> Checked:
    """Return the values of a role's options; ConsoleError with all problems.

    `variables` are all that there are, with templates as they are written; `value_of` returns the value of one.
    """
    problems, unknown = _check_names(role, options, variables)
    values = {name: _read(name, options[name], value_of(name)) for name in options if name in variables}
    misread = {name: why for name, value in values.items() if (why := _why_misread(name, options[name], value))}
    problems += [f"{name} {why}." for name, why in misread.items()]
    spec = {name: _as_specified(option) for name, option in options.items() if name not in misread}
    written = {name: value for name, value in values.items() if name in spec}
    validated = ArgumentSpecValidator(spec).validate(read_given(spec, written))
    problems += [f"{message}." for message in validated.error_messages]
    _refuse(problems)
    given = {
        name.removeprefix(f"{role}_"): value
        for name, value in validated.validated_parameters.items()
        if value not in (None, "", [])
    }
    kept = {name: value for name, value in given.items() if _kind(options[f"{role}_{name}"]) not in _LEFT_OUT}
    told = f"No variable of this collection is called {' or '.join(unknown)}. Check its name, unless it is yours."
    return Checked(kept, [told] if unknown else [], frozenset(given))


def _check_names(role: str, options: Options, variables: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return what is wrong with the names of variables, and the variables that nothing reads."""
    prefixes = ((f"{role}_", options), ("managedfs_", _OF_ALL))
    unknown = [each for prefix, known in prefixes for each in _unknown(variables, prefix, known)]
    problems = [
        f"{name} is not a variable of this collection. Did you mean {meant}? If it is one of your own, choose a name that does"
        f" not begin with {prefix}."
        for name, prefix, meant in unknown
        if meant
    ]
    return problems, [name for name, _prefix, meant in unknown if not meant]


def _unknown(variables: Mapping[str, Any], prefix: str, known: Options) -> Iterator[tuple[str, str, str]]:
    """Yield the variables with a prefix that are not known, each with the prefix, and the one that may be meant, if any."""
    for name in sorted(variables.keys() - known.keys() - _INTERNAL):
        if name.casefold().replace("-", "_").startswith(prefix):
            like = most_like(name.casefold()[len(prefix) :], [each[len(prefix) :] for each in known])
            meant = like and prefix + like
            # People loop over lists such as tenant_names.
            is_loop = isinstance(variables[name], (list, Mapping)) and known.get(meant, {}).get("type") != "list"
            yield name, prefix, "" if is_loop else meant


def _as_specified(option: Mapping[str, Any]) -> dict[str, Any]:
    """Return an option as Ansible validates it. Paths stay as written, for messages. Ansible would accept a blank choice."""
    choices = list(filter(None, option.get("choices", ()))) or None
    return {**option, "type": option["type"].replace("path", "str"), "choices": choices}


def _kind(option: Mapping[str, Any]) -> tuple[str, Any]:
    return option["type"], option.get("elements")


def _read(name: str, option: Mapping[str, Any], value: Any) -> Any:
    """Return a value without blanks and quotation marks around it; `any` as `*`, which as an answer would stop Ansible."""
    if _kind(option) == ("list", "str"):
        # Text is a list with commas.
        items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
        return [item for item in map(_unquote, items) if item not in (None, "")]
    is_any = _field_type(name) is NETWORK and _unquote(str(value)).lower() == "any"
    return "*" if is_any else _unquote(value)


def _unquote(value: Any) -> Any:
    """Return a text without blanks around it, and without a pair of quotation marks that protects it from YAML."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    match = re.fullmatch(r"""(['"])(.*)\1""", text, re.DOTALL)
    return match[2].strip() if match and match[1] not in match[2] else text


def _why_misread(name: str, option: Mapping[str, Any], value: Any) -> str:
    """Return why a value may not be what was written, blank if it is."""
    if value in (None, "") or "choices" in option:
        return ""
    if _field_type(name) is SIZE:
        # A number without a unit may have been written as 1:30 or 010.
        has_unit = isinstance(value, str) and re.search("[A-Za-z]", value) and SIZE.normalize_or_none(value) is not None
        wanted = "must be a size with a unit, such as 10GiB or 10B for bytes, or 0 for no limit"
        return "" if has_unit or str(value) == "0" else f"{wanted}, not {format_value(str(value))}"
    if option["type"] == "int":
        return why_no_integer(value)
    texts = value if _kind(option) == ("list", "str") else [value] if option["type"] in ("str", "path") else []
    wrong = next((each for each in texts if not isinstance(each, str)), "")
    if isinstance(wrong, (list, tuple, Mapping)):
        return "must be text, not a list or a dictionary"
    told = f"must be text, but arrived as {wrong}. Ansible reads it so without quotation marks: write '{wrong}', or what it was"
    return "" if wrong == "" else told


def _field_type(name: str) -> Any:
    return _FIELDS.get(name.rpartition("_")[2])


def check(action: ControllerAction, role: str, specs: Any, variables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables of a role that are set, what follows from them, and whether the tasks for all hosts run once.

    `specs` are its options, by default those that it documents. Without a tag of the run, the role does nothing.
    """
    once = {"changed": False, "once": action.runs_once()}
    tags = variables.get("ansible_run_tags", ["all"])
    own = set(action.tags) - {"always"}
    if not {"all", "tagged" if own else "untagged", *own} & set(tags):
        hint = f" To limit it to a volume, set {role}_only." if role in ("apply", "report") else ""
        warning = f"{role} does nothing, since none of its tasks has the tags {', '.join(sorted(tags))}. Leave them out.{hint}"
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
        # Evaluated in a dictionary: newer versions of ansible-core drop an omitted value from it.
        value = action.evaluate({"value": variables[name]}).get("value")
        return None if isinstance(value, str) and value == variables.get("omit") else value

    checked = check_variables(role, specs, variables, value_of)
    given = checked.given
    result.update(given=given, warnings=checked.warnings)
    _refuse(_contradictions(role, given, checked.names, action.check_mode))
    result.update(_places(role, given, variables))
    if role == "capture":
        read_max_removals(str(given.get("max_removals", "")))
    is_read = "source" in given and role in ("apply", "report", "tenant")
    found = read_state(*action.source(given, variables)) if is_read else None
    if role == "tenant":
        names = tenant.names_of(given)
        _refuse(tenant.out_of_bounds(given, names, found.items if found else []))
        if found and given["state"] == "present":
            keys = {"exports": names.desc} if "iprange" in given else {}
            keys |= {"quotas": names.path} if given.keys() & {"size", "inodes"} else {}
            _refuse(found.problems_with(given["volume"], keys))
        result["names"] = names._asdict()
    if role == "apply" and "managedfs_plan" in variables and not action.check_mode:
        # What an earlier job of the same workflow planned, and somebody has approved since.
        host = variables["inventory_hostname"]
        given["expected_plan"] = (value_of("managedfs_plan") or {}).get(host)
        if not given["expected_plan"]:
            _refuse([f"No plan of {host} was approved, since the check could not read it. Start the workflow again."])
    if role in ("apply", "report"):
        result["console"] = found.about.to_options() if found else {}
        result.update({"volumes_file": _keep(found.items)} if found else {})


def _refuse(problems: Iterable[str]) -> None:
    """Raise ConsoleError with problems, if there are any."""
    if text := " ".join(problems):
        raise ConsoleError(text)


def _contradictions(role: str, given: Mapping[str, Any], names: AbstractSet[str], check_mode: bool) -> Iterator[str]:
    """Yield what is wrong with variables together, each of which is valid. `names` are those of all that are set."""
    if role == "apply":
        if len(names & {"source", "volumes"}) != 1:
            yield "One of apply_source and apply_volumes is required, and not both."
        if given.get("fail_on_changes") and not check_mode:
            yield "apply_fail_on_changes is for check mode: add --check. Otherwise it fails after the changes are made."
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
