# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The variables of a role, as people gave them: which are set, which are misspelled, and which nothing reads.

What a value means is strict because of AWX: ansible-core 2.19 and later read each answer of a survey as a YAML scalar, so
that the text `010` arrives as the number 8. No I/O here: the action hands in how to get at a variable.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from ansible.errors import AnsibleError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ...module_utils._internal.connection import CONNECTION_OPTIONS
from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.fields import SIZE
from ...module_utils._internal.model.records import format_value
from ...module_utils._internal.model.resources import QUOTA, is_blank

Options = Mapping[str, Mapping[str, Any]]
ValueOf = Callable[[str], Any]

# The variables that all playbooks take.
_OF_PLAYBOOKS: Options = {
    "managedfs_hosts": {},
    **{f"managedfs_{name}": option for name, option in CONNECTION_OPTIONS.items()},
}
# What our playbooks, roles and artifacts set themselves. A workflow hands artifacts on as extra variables.
_OUR_OWN = {
    "apply_result",
    "managedfs_checked_revision",
    "managedfs_connection",
    "managedfs_connection_options",
    "managedfs_connection_values",
    "managedfs_report",
}


class Checked(NamedTuple):
    """The outcome for variables in which nothing is wrong."""

    given: dict[str, Any]
    """What is set, by name without the role's prefix; lists of dictionaries are left out."""
    warnings: list[str]


def check_variables(role: str, options: Options, names: Collection[str], value_of: ValueOf) -> Checked:
    """Return what is set of a role's options; ConsoleError with all that is wrong.

    `names` are all variables there are, and `value_of` returns the value of one.
    """
    problems: list[str] = []
    warnings: list[str] = []
    for prefix, known, owner in ((role, options, f"the role {role}"), ("managedfs", _OF_PLAYBOOKS, "the collection")):
        others = sorted(set(names) - known.keys() - _OUR_OWN)
        foreign = [name for name in others if name.casefold().replace("-", "_").startswith(f"{prefix}_")]
        misspelled = {name: option for name in foreign if (option := _meant(f"{prefix}_", name, known, value_of))}
        problems += [
            f"{name} is not a variable of {owner}. Did you mean {option}? If it is one of your own, choose a name that does"
            f" not begin with {prefix}_."
            for name, option in misspelled.items()
        ]
        ignored = [name for name in foreign if name not in misspelled]
        if ignored:
            warnings.append(f"Ignored, since {owner} has no such variables: {', '.join(ignored)}.")
    given = _read_options(role, options, names, value_of, problems)
    if problems:
        raise ConsoleError(" ".join(problems))
    return Checked({name[len(role) + 1 :]: value for name, value in given.items()}, warnings)


def _meant(prefix: str, name: str, options: Options, value_of: ValueOf) -> str | None:
    """Return the option that a variable is a misspelling of, if any."""
    letters = _letters(name, prefix)
    nearest = min(options, key=lambda option: _distance(letters, _letters(option, prefix)))
    wanted = _letters(nearest, prefix)
    if letters != wanted and not _is_near(letters, wanted):
        return None
    try:
        value = value_of(name)
    except AnsibleError:
        return nearest
    is_unset = value is None or is_blank(value)
    # People loop over a list such as tenant_names.
    is_list = isinstance(value, (list, tuple, Mapping)) and options[nearest].get("type") != "list"
    return None if is_unset or (is_list and letters != wanted) else nearest


def _is_near(letters: str, wanted: str) -> bool:
    """Return whether one name is probably the other: short ones with another letter are words of their own, like site and size."""
    distance = _distance(letters, wanted)
    is_one_more_or_less = distance == 1 and len(letters) != len(wanted)
    longest_distance = 0 if len(wanted) < 6 else 1 if len(wanted) < 8 else 2
    return is_one_more_or_less or sorted(letters) == sorted(wanted) or distance <= longest_distance


def _letters(name: str, prefix: str) -> str:
    return re.sub("[^a-z0-9]", "", name.casefold()[len(prefix) :])


def _distance(one: str, other: str) -> int:
    """Return how many letters to insert, delete or replace to get from one text to the other (Levenshtein)."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        above, row = row, [number]
        for column, wanted in enumerate(other):
            row.append(min(above[column] + (letter != wanted), above[column + 1] + 1, row[column] + 1))
    return row[-1]


def _read_options(
    role: str, options: Options, names: Collection[str], value_of: ValueOf, problems: list[str]
) -> dict[str, Any]:
    """Return the options that are set or have a default, and add what is wrong with them to the problems."""
    values: dict[str, Any] = {}
    refused = set()
    # An option is a size if the field that it is named after is one.
    sizes = {f"{role}_{field.name}" for field in QUOTA.managed if field.type is SIZE}
    for name in (name for name in options if name in names):
        try:
            values[name] = _clean(name, options[name], value_of(name), is_size=name in sizes)
        except ValueError as error:
            problems.append(str(error))
            refused.add(name)
    values = {name: value for name, value in values.items() if value is not None}
    missing = [
        name for name, option in options.items() if option.get("required") and name not in values.keys() | refused
    ]
    if missing:
        problems.append(f"{' and '.join(missing)} must be set.")
    # A path stays as it was written, for messages. What is missing has been reported.
    spec = {
        name: {**option, "required": False, "type": option["type"].replace("path", "str")}
        for name, option in options.items()
        if name not in refused
    }
    validated = ArgumentSpecValidator(spec).validate(values)
    problems += [f"{message}." for message in validated.error_messages]
    return {
        name: value
        for name, value in validated.validated_parameters.items()
        if value not in (None, "", []) and not _holds_dictionaries(options[name])
    }


def _holds_dictionaries(option: Mapping[str, Any]) -> bool:
    """Return whether an option is a list of something else than text."""
    return option["type"] == "list" and option.get("elements") != "str"


def _clean(name: str, option: Mapping[str, Any], value: Any, is_size: bool = False) -> Any:
    """Return a value as it was written, without blanks and quotation marks around it; None if nothing is left.

    ValueError if it may have been something else when it was written.
    """
    if isinstance(value, str) and option["type"] != "list":
        value = _unquote(value)
    if value is None or is_blank(value) or _holds_dictionaries(option):
        return None if is_blank(value) else value
    if option["type"] == "list":
        # Text is a list with commas.
        items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
        cleaned = [_clean(f"An item of {name}", {**option, "type": "str"}, item) for item in items]
        return [item for item in cleaned if item is not None]
    if is_size:
        return _size(name, value)
    if option["type"] == "int":
        return _whole_number(name, value)
    return _text(name, value) if option["type"] in ("str", "path") and "choices" not in option else value


def _unquote(text: str) -> str:
    """Return a text without blanks around it, and without the one pair of quotation marks that keeps it from YAML."""
    text = text.strip()
    match = re.fullmatch(r"""(['"])(.*)\1""", text, re.DOTALL)
    return match[2].strip() if match and match[1] not in match[2] else text


def _text(name: str, value: Any) -> str:
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


def _size(name: str, value: Any) -> str:
    """Return a size as text; a number without a unit may have been 1:30 or 010 when it was written."""
    if value == "0" or (_is_whole(value) and value == 0):
        return "0"
    if isinstance(value, str) and re.search("[A-Za-z]", value):
        return value
    raise ValueError(
        f"{name} must be a size with a unit, such as 10GiB or 10B for bytes, or 0 for no limit, not {_shown(value)}."
    )


def _whole_number(name: str, value: Any) -> int:
    if _is_whole(value) or (isinstance(value, str) and re.fullmatch("-?(0|[1-9][0-9]*)", value)):
        return int(value)
    raise ValueError(f"{name} must be a whole number in plain digits, such as 8, not {_shown(value)}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return format_value(value) if isinstance(value, str) else str(value)
