# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The variables of a role as users gave them: those that are set, those that are misspelled, and those that nothing reads.

Ansible decides on types and choices. Text must arrive as text, because of AWX: ansible-core 2.19 and later read each answer
of a survey as a YAML scalar, so that the text `010` arrives as the number 8. No I/O: the action passes in a function that
returns a variable's value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ...module_utils._internal.connection import CONNECTION_OPTIONS
from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.fields import NETWORK, SIZE
from ...module_utils._internal.model.records import format_value
from ...module_utils._internal.model.resources import EXPORT, QUOTA
from ...module_utils._internal.options import read_given, why_no_integer
from ...module_utils._internal.texts import most_like

Options = Mapping[str, Mapping[str, Any]]

# What all playbooks take, and what playbooks, roles, artifacts and credentials of ours set. A workflow passes artifacts on as
# extra variables.
_OF_ALL: Options = {f"managedfs_{name}": {} for name in ("hosts", "in_worker", *CONNECTION_OPTIONS)}
_INTERNAL = {f"managedfs_connection{part}" for part in ("", "_hosts", "_limit", "_names", "_options", "_values")}
_INTERNAL |= {"managedfs_checked_revision", "managedfs_keys", "managedfs_plan", "managedfs_report"}
_INTERNAL |= {"managedfs_rotation", "managedfs_summary", "apply_result", *CONNECTION_OPTIONS}
# Variables of version 1.2.0, and what replaces them: what a run does without them might not be noticed.
_GONE = {"any_console": "allow_other_console", "fail_on_doubts": "fail_on_plan_warnings", "portable": "", "schema": ""}
_FIELDS = {field.name: field.type for field in (*EXPORT.managed, *QUOTA.managed)}
# Those that may have thousands of items, and those with values that nobody but the role may see.
_LEFT_OUT = (("list", "dict"), ("list", "list"), ("dict", None))


class Checked(NamedTuple):
    """The outcome for valid variables."""

    given: dict[str, Any]
    """The values that are set, by name without the role's prefix; dictionaries, and lists of them or of anything, are left out."""
    warnings: list[str]
    names: frozenset[str] = frozenset()
    """The names of all that are set, without the prefix."""


def check_variables(
    role: str, options: Options, variables: Mapping[str, Any], value_of: Callable[[str], Any]
) -> Checked:
    """Return the values of a role's options; ConsoleError with all problems.

    `variables` are all that there are, with templates as they are written; `value_of` returns the value of one.
    """
    problems, ignored = _check_names(role, options, variables)
    values = {name: _read(name, options[name], value_of(name)) for name in options if name in variables}
    misread = {name: why for name, value in values.items() if (why := _why_misread(name, options[name], value))}
    problems += [f"{name} {why}." for name, why in misread.items()]
    spec = {name: _as_specified(option) for name, option in options.items() if name not in misread}
    written = {name: value for name, value in values.items() if name in spec}
    validated = ArgumentSpecValidator(spec).validate(read_given(spec, written))
    problems += [f"{message}." for message in validated.error_messages]
    if problems:
        raise ConsoleError(" ".join(problems))
    given = {
        name.removeprefix(f"{role}_"): value
        for name, value in validated.validated_parameters.items()
        if value not in (None, "", [])
    }
    kept = {name: value for name, value in given.items() if _kind(options[f"{role}_{name}"]) not in _LEFT_OUT}
    warnings = [f"Ignored, since this collection has no variable {' or '.join(ignored)}."] if ignored else []
    return Checked(kept, warnings, frozenset(given))


def _check_names(role: str, options: Options, variables: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return what is wrong with the names of variables, and the variables that nothing reads."""
    prefixes = ((f"{role}_", options), ("managedfs_", _OF_ALL))
    unknown = [each for prefix, known in prefixes for each in _unknown(variables, prefix, known)]
    problems = [
        f"{role}_{old} is gone. {f'Use {role}_{new}' if new else 'Remove it'}."
        for old, new in _GONE.items()
        if f"{role}_{old}" in variables
    ]
    problems += [
        f"{name} is not a variable of this collection. Did you mean {meant}? If it is one of your own, choose a name that does"
        f" not begin with {prefix}."
        for name, prefix, meant in unknown
        if meant
    ]
    return problems, [name for name, _prefix, meant in unknown if not meant]


def _unknown(variables: Mapping[str, Any], prefix: str, known: Options) -> Iterator[tuple[str, str, str]]:
    """Yield the variables with a prefix that are not known, each with the prefix, and the one that may be meant, if any."""
    for name in sorted(variables.keys() - known.keys() - _INTERNAL):
        if name.casefold().replace("-", "_").startswith(prefix) and name.removeprefix(prefix) not in _GONE:
            like = most_like(name.casefold()[len(prefix) :], [each[len(prefix) :] for each in known])
            meant = like and prefix + like
            # People loop over lists such as tenant_names.
            is_loop = isinstance(variables[name], (list, Mapping)) and known.get(meant, {}).get("type") != "list"
            yield name, prefix, "" if is_loop else meant


def _as_specified(option: Mapping[str, Any]) -> dict[str, Any]:
    """Return an option as Ansible validates it. Paths stay as written, for messages. It would take a blank choice for one."""
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
