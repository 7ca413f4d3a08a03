# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The variables of a role as users gave them: those that are set, those that are misspelled, and those that nothing reads.

Values are read strictly because of AWX: ansible-core 2.19 and later read each answer of a survey as a YAML scalar, so
that the text `010` arrives as the number 8. No I/O: the action passes in a function that returns a variable's value.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from ansible.errors import AnsibleError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ...module_utils._internal.connection import CONNECTION_OPTIONS
from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.fields import NETWORK, SIZE
from ...module_utils._internal.model.records import format_value
from ...module_utils._internal.model.resources import EXPORT, QUOTA, is_blank

Options = Mapping[str, Mapping[str, Any]]
ValueOf = Callable[[str], Any]

# The variables that all playbooks take.
_OF_PLAYBOOKS: Options = {
    "managedfs_hosts": {},
    "managedfs_in_worker": {},
    **{f"managedfs_{name}": option for name, option in CONNECTION_OPTIONS.items()},
}
# Variables that our playbooks, roles, artifacts and credentials set. A workflow passes artifacts on as extra variables.
_INTERNAL = {
    "apply_result",
    "managedfs_checked_revision",
    "managedfs_connection",
    "managedfs_connection_hosts",
    "managedfs_connection_limit",
    "managedfs_connection_names",
    "managedfs_connection_options",
    "managedfs_connection_values",
    "managedfs_keys",
    "managedfs_plan",
    "managedfs_report",
    "managedfs_rotation",
    "managedfs_summary",
}
# For names of these lengths: by how many letters a misspelling may be longer or shorter, and how similar it must be.
# Short names that differ in a letter are different words, like site and size.
_SIMILAR = ((range(8), 1, 0.81), (range(8, 100), 2, 0.75))


class Checked(NamedTuple):
    """The outcome for valid variables."""

    given: dict[str, Any]
    """The values that are set, by name without the role's prefix; dictionaries, and lists of them or of anything, are left out."""
    warnings: list[str]
    names: frozenset[str] = frozenset()
    """The names of all that are set, without the prefix."""


def check_variables(role: str, options: Options, names: Collection[str], value_of: ValueOf) -> Checked:
    """Return the values of a role's options; ConsoleError with all problems.

    `names` are those of all variables, `value_of` returns the value of one.
    """
    problems: list[str] = []
    warnings: list[str] = []
    for prefix, known, owner in ((role, options, f"the role {role}"), ("managedfs", _OF_PLAYBOOKS, "the collection")):
        # Those of the connection begin with the name of the role validate, as validate_certs does.
        others = sorted(set(names) - known.keys() - _INTERNAL - CONNECTION_OPTIONS.keys())
        unknown = [name for name in others if name.casefold().replace("-", "_").startswith(f"{prefix}_")]
        misspelled = {name: option for name in unknown if (option := _meant(f"{prefix}_", name, known, value_of))}
        problems += [
            f"{name} is not a variable of {owner}. Did you mean {option}? If it is one of your own, choose a name that does"
            f" not begin with {prefix}_."
            for name, option in misspelled.items()
        ]
        ignored = [name for name in unknown if name not in misspelled]
        if ignored:
            warnings.append(f"Ignored, since {owner} has no variable {' or '.join(ignored)}.")
    given = _read_options(role, options, names, value_of, problems)
    if problems:
        raise ConsoleError(" ".join(problems))
    kept = {name: value for name, value in given.items() if _kind(name, options[f"{role}_{name}"]) not in _LEFT_OUT}
    return Checked(kept, warnings, frozenset(given))


def _meant(prefix: str, name: str, options: Options, value_of: ValueOf) -> str | None:
    """Return the option that a variable is a misspelling of, if any."""
    known = {_letters(option, prefix): option for option in options}
    letters = _letters(name, prefix)
    near = [word for word in known if sorted(word) == sorted(letters)]
    for lengths, most, cutoff in _SIMILAR:
        words = [word for word in known if len(word) in lengths and abs(len(word) - len(letters)) <= most]
        near += get_close_matches(letters, words, 1, cutoff)
    if not near:
        return None
    nearest = known[near[0]]
    try:
        value = value_of(name)
    except AnsibleError:
        return nearest
    # Users loop over a list such as tenant_names.
    is_list = isinstance(value, (list, tuple, Mapping)) and options[nearest].get("type") != "list"
    is_unrelated = value is None or is_blank(value) or (is_list and letters not in known)
    return None if is_unrelated else nearest


def _letters(name: str, prefix: str) -> str:
    return re.sub("[^a-z0-9]", "", name.casefold()[len(prefix) :])


def _read_options(
    role: str, options: Options, names: Collection[str], value_of: ValueOf, problems: list[str]
) -> dict[str, Any]:
    """Return values that are set or defaults, by name without the role's prefix, and append to the problems."""
    kinds = {name: _kind(name.removeprefix(f"{role}_"), option) for name, option in options.items()}
    values: dict[str, Any] = {}
    refused = set()
    for name in (name for name in options if name in names):
        try:
            values[name] = _clean(name, kinds[name], value_of(name))
        except ValueError as error:
            problems.append(str(error))
            refused.add(name)
    values = {name: value for name, value in values.items() if value is not None}
    required = [name for name, option in options.items() if option.get("required")]
    if missing := [name for name in required if name not in values.keys() | refused]:
        problems.append(f"{' and '.join(missing)} must be set.")
    # Paths stay as written, for messages. Missing options have been reported. Skip blanks: Ansible would treat them as
    # choices.
    spec = {
        name: {
            **option,
            "required": False,
            "type": option["type"].replace("path", "str"),
            "choices": list(filter(None, option.get("choices", ()))) or None,
        }
        for name, option in options.items()
        if name not in refused
    }
    validated = ArgumentSpecValidator(spec).validate(values)
    problems += [f"{message}." for message in validated.error_messages]
    return {
        name.removeprefix(f"{role}_"): value
        for name, value in validated.validated_parameters.items()
        if value not in (None, "", [])
    }


def _kind(name: str, option: Mapping[str, Any]) -> str:
    """Return the kind of an option's values, such as `list:str`, or that of the field of its name."""
    for field in (*EXPORT.managed, *QUOTA.managed):
        if field.name == name and field.type in _KINDS:
            return _KINDS[field.type]
    kind = "choice" if "choices" in option else str(option.get("elements", option["type"]))
    return f"list:{kind}" if option["type"] == "list" else kind


def _clean(name: str, kind: str, value: Any) -> Any:
    """Return a value as it was written, without blanks and quotation marks around it; None if nothing is left.

    ValueError if it may have been written differently.
    """
    if kind in ("list:str", "list:choice"):
        # Text is a list with commas.
        items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
        cleaned = [_clean(f"An item of {name}", kind.removeprefix("list:"), item) for item in items]
        return [item for item in cleaned if item is not None] or None
    if isinstance(value, str):
        value = _unquote(value)
    if value is None or value == "":
        return None
    return _READERS[kind](name, value) if kind in _READERS else value


def _unquote(text: str) -> str:
    """Return a text without blanks around it, and without a pair of quotation marks that protects it from YAML."""
    text = text.strip()
    match = re.fullmatch(r"""(['"])(.*)\1""", text, re.DOTALL)
    return match[2].strip() if match and match[1] not in match[2] else text


def _read_text(name: str, value: Any) -> str:
    if isinstance(value, (list, tuple, Mapping)):
        raise ValueError(f"{name} must be text, not a list or a dictionary.")
    if isinstance(value, bool):
        shown, kind, examples = str(value).lower(), "true or false", ["no"]
    elif isinstance(value, (int, float)):
        examples = ["1.10" if isinstance(value, float) else "010", str(value)]
        shown, kind = f"the number {value}", "a number"
    elif isinstance(value, dt.date):
        shown, kind, examples = f"the date {value}", "a date", [str(value)]
    else:
        return str(value)
    raise ValueError(
        f"{name} must be text, but arrived as {shown}; ansible-core reads an answer such as"
        f" {' or '.join(examples)} as {kind}. Write it in quotation marks, such as '{examples[0]}'."
    )


def _read_size(name: str, value: Any) -> str:
    """Return a size as text; a number without a unit may have been written as 1:30 or 010."""
    has_unit = isinstance(value, str) and re.search("[A-Za-z]", value)
    if value == "0" or (has_unit and SIZE.normalize_or_none(value) is not None):
        return str(value)
    if _is_whole(value) and value == 0:
        return "0"
    shown = _show(value)
    raise ValueError(
        f"{name} must be a size with a unit, such as 10GiB or 10B for bytes, or 0 for no limit, not {shown}."
    )


def _read_network(name: str, value: Any) -> str:
    """Return a network as text; an answer of * would stop Ansible before any task, so `any` means the same."""
    text = "*" if str(value).lower() == "any" else _read_text(name, value)
    try:
        return str(NETWORK.to_request(text))
    except ValueError:
        raise ValueError(
            f"{name} must be a network in CIDR notation, an IP address or any, not {_show(value)}{NETWORK.advice(text)}."
        ) from None


def _read_number(name: str, value: Any) -> int:
    if (_is_whole(value) or isinstance(value, str)) and re.fullmatch("0|[1-9][0-9]*", str(value)):
        return int(value)
    raise ValueError(f"{name} must be a whole number in plain digits, such as 8, not {_show(value)}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _show(value: Any) -> str:
    return format_value(value) if isinstance(value, str) else str(value)


_READERS = {"str": _read_text, "path": _read_text, "size": _read_size, "network": _read_network, "int": _read_number}
# Those that may have thousands of items, and those with values that nobody but the role may see.
_LEFT_OUT = ("list:dict", "list:list", "dict")
_KINDS = {SIZE: "size", NETWORK: "network"}
