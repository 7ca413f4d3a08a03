# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The connection options of every module, and where their values come from: task, environment, default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ansible.module_utils.errors import AnsibleFallbackNotFound

from .errors import ConsoleError

_VARIABLES = {
    "console_url": "MANAGEDFS_CONSOLE_URL",
    "access_key": "MANAGEDFS_ACCESS_KEY",
    "secret_key": "MANAGEDFS_SECRET_KEY",
    "validate_certs": "MANAGEDFS_VALIDATE_CERTS",
    "ca_path": "MANAGEDFS_CA_PATH",
    "client_cert": "MANAGEDFS_CLIENT_CERT",
    "client_key": "MANAGEDFS_CLIENT_KEY",
    "timeout": "MANAGEDFS_TIMEOUT",
    "retries": "MANAGEDFS_RETRIES",
}


def from_environment(variable: str) -> str:
    """The value of an environment variable; a blank one, as AWX injects for empty fields, counts as unset."""
    value = os.environ.get(variable, "")
    if not value.strip():
        raise AnsibleFallbackNotFound
    return value


def from_environment_or_blank(variable: str) -> str:
    """The same for a required option: blank where unset, so that missing and blank end in one message."""
    return os.environ.get(variable, "")


def _option(name: str, **details: Any) -> dict[str, Any]:
    strategy = from_environment_or_blank if details.get("required") else from_environment
    return {"fallback": (strategy, [_VARIABLES[name]]), **details}


CONNECTION_OPTIONS: dict[str, dict[str, Any]] = {
    "console_url": _option("console_url", type="str", required=True),
    "access_key": _option("access_key", type="str", required=True, no_log=False),
    "secret_key": _option("secret_key", type="str", required=True, no_log=True),
    "validate_certs": _option("validate_certs", type="bool", default=True),
    "ca_path": _option("ca_path", type="path"),
    "client_cert": _option("client_cert", type="path"),
    "client_key": _option("client_key", type="path"),
    "timeout": _option("timeout", type="int", default=30),
    "retries": _option("retries", type="int", default=4),
}

# What modules that show records have.
TOKEN_OPTIONS: dict[str, dict[str, Any]] = {
    "include_tokens": {"type": "bool", "default": False},
}

# What every module that writes has.
WRITING_OPTIONS: dict[str, dict[str, Any]] = {
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "wait_timeout": {"type": "int", "default": 300},
    **TOKEN_OPTIONS,
}


# What every module has that writes what belongs to a volume.
IN_VOLUME_OPTIONS: dict[str, dict[str, Any]] = {
    "volume": {"type": "str"},
    "volume_id": {"type": "int"},
    "create_only_changes": {"type": "str", "choices": ["fail", "update"], "default": "fail"},
    **WRITING_OPTIONS,
}


# What identifies and describes an export.
EXPORT_OPTIONS: dict[str, dict[str, Any]] = {
    "desc": {"type": "str"},
    "id": {"type": "int"},
    "iprange": {"type": "str"},
    "apionly": {"type": "bool"},
    "readonly": {"type": "bool"},
    "appendonly": {"type": "bool"},
}

# The same for a quota.
QUOTA_OPTIONS: dict[str, dict[str, Any]] = {
    "path": {"type": "str"},
    "id": {"type": "int"},
    "size": {"type": "str"},
    "inodes": {"type": "int"},
}


# What says in an item of a list whether its record is to be there.
ITEM_OPTIONS: dict[str, dict[str, Any]] = {"state": WRITING_OPTIONS["state"]}


def list_options(plural: str) -> dict[str, dict[str, Any]]:
    """The options of a module that takes a list of items.

    The options of the items are not among them. Ansible would stop at the first odd item before it knows which values
    are secret, and show the secret key with the other options; it would not say either which item it is.
    """
    others = {name: option for name, option in IN_VOLUME_OPTIONS.items() if name not in ("state", "include_tokens")}
    return {
        plural: {"type": "list", "elements": "dict", "required": True},
        "purge": {"type": "bool", "default": False},
        "concurrency": {"type": "int", "default": 4},
        **others,
    }


def connection_values(params: Mapping[str, Any]) -> dict[str, Any]:
    """The connection options of a task, blank text replaced by the environment's value or None.

    ConsoleError where a required one is neither in the task nor in the environment.
    """
    values = {}
    for name, option in CONNECTION_OPTIONS.items():
        value = params[name]
        if isinstance(value, str) and not value.strip():
            value = _value_for_blank(name, option)
        values[name] = value
    return values


def _value_for_blank(name: str, option: Mapping[str, Any]) -> Any:
    variable = _VARIABLES[name]
    try:
        value = from_environment(variable)
    except AnsibleFallbackNotFound:
        if option.get("required"):
            raise ConsoleError(
                f"{name} is required: set it in the task, in module_defaults, or in the environment variable {variable}."
            ) from None
        return None
    return os.path.expanduser(os.path.expandvars(value)) if option["type"] == "path" else value
