# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options of modules, derived from the resources that they manage. The modules document them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .errors import ConsoleError
from .model.fields import INTEGER
from .model.resources import LISTS_OF_VOLUME, VOLUME, Field, Resource, is_blank

Options = dict[str, dict[str, Any]]

# The minimum and maximum of numeric options. Times are in seconds; the longest is a week.
BOUNDS = {"timeout": (1, 86_400), "retries": (0, 1_000), "wait_timeout": (0, 604_800), "concurrency": (1, 32)}
_BLANK_IS_VALUE = {field.name for field in VOLUME.managed if field.blank_is_value}
TOKEN_OPTIONS: Options = {"include_tokens": {"type": "bool", "default": False}}
# A path, but by its name, Ansible would take it for a secret.
_TOKEN_FILE: Options = {"token_file": {"type": "path", "no_log": False}}
CONSOLES: Options = {"consoles": {"type": "list", "elements": "str"}}
# Raw, so that what is not text is refused instead of converted.
_PATTERNS: dict[str, Any] = {"type": "list", "elements": "raw"}
_WRITING: Options = {"wait_timeout": {"type": "int", "default": 300}}
_CONCURRENCY: Options = {"concurrency": {"type": "int", "default": 4}}
_ITEMS = {"type": "list", "elements": "dict"}
_ID: Options = {"id": {"type": "int"}}
_VOLUME: Options = {"volume": {"type": "str"}, "volume_id": {"type": "int"}}
_CREATE_ONLY: Options = {"create_only_changes": {"type": "str", "choices": ["fail", "update"], "default": "fail"}}


def record_options(resource: Resource) -> Options:
    """Return the options of the module that manages one record."""
    return {
        **_options_of_record(resource),
        **_options_of_writers(resource),
        **(TOKEN_OPTIONS if resource.has_token or resource is VOLUME else {}),
        **(_TOKEN_FILE if resource.has_token else {}),
    }


def list_options(resource: Resource) -> Options:
    """Return the options of the module that manages a list of records, and for volumes, the lists below them.

    The options of items are not among them. Ansible would stop at the first invalid item, without naming it, before
    it knows which values are secret, and would show the secret key with the other options.
    """
    below = () if resource.is_in_volume else LISTS_OF_VOLUME
    purge_below = {"type": "list", "elements": "str", "choices": [child.plural for child in below], "default": []}
    return {
        resource.plural: {**_ITEMS, "required": True},
        "purge": purge_below if below else {"type": "bool", "default": False},
        "max_deletions": {"type": "str"},
        "plan_file": {"type": "path"},
        "fail_on_plan_warnings": {"type": "bool", "default": False},
        "expected_plan": {"type": "str"},
        **_CONCURRENCY,
        **({"ignore": {"type": "dict"}, "only": _PATTERNS, **CONSOLES} if below else {"ignore": _PATTERNS}),
        **_options_of_writers(resource, *below),
    }


def item_options(resource: Resource, children: Iterable[Resource] = ()) -> Options:
    """Return the options of an item of a list, which may hold lists itself."""
    lists: Options = {child.plural: _ITEMS for child in children}
    renaming: Options = {"renamed_from": {"type": resource.key.type.option}} if resource.has_update else {}
    return {**_options_of_record(resource), **renaming, **lists}


def info_options(resource: Resource) -> Options:
    """Return the options of the module that lists records."""
    gather = [*(child.plural for child in LISTS_OF_VOLUME), "all"]
    below_volume = {"gather": {"type": "list", "elements": "str", "choices": gather, "default": []}}
    return {
        **_options_of([resource.key]),
        **_ID,
        **(_VOLUME if resource.is_in_volume else {**below_volume, "only": _PATTERNS, **CONSOLES}),
        **({"address": {"type": "str"}} if resource.has_token else {}),
        **(TOKEN_OPTIONS if resource.has_token or resource is VOLUME else {}),
        **_CONCURRENCY,
    }


def rotation_options() -> Options:
    """Return the options of the module that gives exports new tokens."""
    return {
        **_VOLUME,
        "desc": {"type": "str", "required": True},
        "state": {"type": "str", "choices": ["started", "finished", "aborted"], "required": True},
        **_ID,
        "fields": {"type": "dict", "default": {}},
        **TOKEN_OPTIONS,
        **_TOKEN_FILE,
        "expected_plan": {"type": "str"},
        **_WRITING,
    }


def read_given(options: Options, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given options for Ansible to validate: without unset ones, and with whole numbers as integers.

    ansible-core 2.16 refuses an integer with a fraction, even if that is zero. Ansible reports whatever is wrong.
    """
    return {
        name: read_number(value) if "int" in (option.get("type"), option.get("elements")) else value
        for name, value in given.items()
        for option in (options.get(name, {}),)
        if not (option and is_unset(name, value))
    }


def is_unset(name: str, value: Any) -> bool:
    """Return whether an option counts as not given: `null` and blank text, as templates, surveys and tables leave them."""
    return value is None or (is_blank(value) and name not in _BLANK_IS_VALUE)


def read_number(value: Any) -> Any:
    """Return a whole number, or those in a list, as integers; anything else unchanged."""
    if isinstance(value, list):
        return [read_number(each) for each in value]
    return INTEGER.normalize(value) if isinstance(value, (str, float)) and not why_no_integer(value) else value


def why_no_integer(value: Any) -> str:
    """Return the reason why text, a boolean or a float is not an integer; blank if it is one, or is of another type.

    Ansible fails at infinity and at 1e999999999, reads 0777 and 1_000 in another way than YAML, and takes true for 1.
    """
    if isinstance(value, (str, bool, float)):
        try:
            INTEGER.normalize(value)
        except ValueError as error:
            return str(error)
    return ""


def check_numbers(params: Mapping[str, Any]) -> None:
    """Refuse numbers out of bounds, and booleans, which Python takes for numbers."""
    for name, (least, most) in BOUNDS.items():
        value = params.get(name, least)
        if isinstance(value, bool) or not least <= value <= most:
            raise ConsoleError(f"{name} must be from {least} to {most}, not {str(value)[:20]}.")


def _options_of_record(resource: Resource) -> Options:
    state: Options = {"state": {"type": "str", "choices": ["present", "absent"], "default": "present"}}
    return {**_options_of(resource.managed), **_ID, **state, "extra_fields": {"type": "dict", "default": {}}}


def _options_of(fields: Iterable[Field]) -> Options:
    return {field.name: {"type": field.type.option} for field in fields}


def _options_of_writers(resource: Resource, *below: Resource) -> Options:
    return {
        **(_VOLUME if resource.is_in_volume else {}),
        **(_CREATE_ONLY if any(written.has_update for written in (resource, *below)) else {}),
        **({"wait": {"type": "bool", "default": True}} if resource is VOLUME else {}),
        **_WRITING,
    }
