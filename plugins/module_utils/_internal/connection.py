# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The connection to the console: its options, where their values come from, and what is checked about them."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ansible.module_utils.errors import AnsibleFallbackNotFound

from .errors import ConsoleError
from .http.settings import Settings
from .http.signing import host_value

API_PATH = "/api/v1"
_MAX_TIMEOUT = 86_400
_MAX_RETRIES = 1_000


def from_environment(variable: str) -> str:
    """Return the value of an environment variable; a blank one, as AWX injects for empty fields, counts as unset."""
    value = os.environ.get(variable, "")
    if not value.strip():
        raise AnsibleFallbackNotFound
    return value


def from_environment_or_blank(variable: str) -> str:
    """Return the same for a required option: blank where unset, so that missing and blank get one message."""
    return os.environ.get(variable, "")


def _option(name: str, **details: Any) -> dict[str, Any]:
    strategy = from_environment_or_blank if details.get("required") else from_environment
    return {"fallback": (strategy, [_variable(name)]), **details}


def _variable(name: str) -> str:
    return f"MANAGEDFS_{name.upper()}"


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


def read_connection(params: Mapping[str, Any]) -> Settings:
    """Return the settings that the options of a task describe; ConsoleError says which option is missing or wrong."""
    options = {name: _value(name, params[name]) for name in CONNECTION_OPTIONS}
    _refuse_missing(
        [name for name, option in CONNECTION_OPTIONS.items() if option.get("required") and not options[name]]
    )
    origin, base_path = _split_address(options.pop("console_url"))
    check_number("timeout", options["timeout"], 1, _MAX_TIMEOUT)
    check_number("retries", options["retries"], 0, _MAX_RETRIES)
    for name in ("access_key", "secret_key"):
        _check_text(name, options[name])
    files = [options[name] for name in ("ca_path", "client_cert", "client_key")]
    if any(files):
        # Most tasks name none, and what is not loaded is not compiled: Ansible ships sources.
        from .http.certificates import check_certificates  # noqa: PLC0415

        check_certificates(*files)
    return Settings(origin=origin, base_path=base_path, **options)


def check_number(name: str, value: int, least: int, most: int) -> None:
    """Refuse an option that is out of its bounds, or a boolean, which Python takes for a number."""
    if isinstance(value, bool) or not least <= value <= most:
        raise ConsoleError(f"{name} must be from {least} to {most}, not {str(value)[:20]}.")


def _refuse_missing(names: list[str]) -> None:
    if names:
        variables = ", ".join(map(_variable, names))
        raise ConsoleError(
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} required: set in the task, in module_defaults, or as"
            f" {variables} in the environment of {platform.node()}, the host on which the module runs."
        )


def _value(name: str, value: Any) -> Any:
    """Return the value of an option, blank text replaced by the environment's value or None."""
    if not isinstance(value, str) or value.strip():
        return value
    found = os.environ.get(_variable(name), "")
    if not found.strip():
        return None
    return os.path.expanduser(os.path.expandvars(found)) if CONNECTION_OPTIONS[name]["type"] == "path" else found


def _split_address(console_url: str) -> tuple[str, str]:
    """Return origin and base path of an address with or without `/api/v1` and a trailing slash."""
    address = console_url.strip()
    problem = _address_problem(address)
    if problem:
        raise ConsoleError(
            f"console_url is not the address of a console: {problem}. Expected something like"
            f" https://console.example.com, with or without {API_PATH}."
        )
    parts = urlsplit(address)
    base_path = parts.path.rstrip("/").removesuffix(API_PATH) + API_PATH
    return f"{parts.scheme}://{host_value(address)}", base_path


def _address_problem(address: str) -> str | None:
    """Return what is wrong with the address, or None. The address is not quoted: it may contain a password."""
    if any(char.isspace() or not char.isprintable() or char == "\\" for char in address):
        return "it contains white space, a backslash or unprintable characters"
    try:
        parts = urlsplit(address)
        host = host_value(address) if parts.hostname else ""
        (parts.hostname or "").encode("idna")
    except ValueError:
        return "its host or port is invalid"
    if parts.scheme not in ("http", "https"):
        return "it does not start with http:// or https://"
    if "@" in parts.netloc:
        return "it contains a user name or password"
    if not host.strip("."):
        return "it has no host"
    if parts.port == 0:
        return "its port is 0"
    return "it has a query or a fragment" if "?" in address or "#" in address else None


def _check_text(name: str, value: str) -> None:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ConsoleError(f"{name} contains bytes that are not UTF-8 text.") from None
