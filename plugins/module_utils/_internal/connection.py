# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The connection to the console: its options, the sources of their values, and their checks."""

from __future__ import annotations

import ipaddress
import os
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ansible.module_utils.errors import AnsibleFallbackNotFound

from .errors import ConsoleError
from .options import check_numbers

API_PATH = "/api/v1"
_DEFAULT_PORTS = {"http": 80, "https": 443}
# No name in DNS is longer.
_MAX_HOST = 253


class Settings(NamedTuple):
    """The connection options of a task, with the console's address taken apart.

    `origin` is scheme and host (`https://console.example.com`), `base_path` the prefix of every path (`/api/v1`),
    `timeout` the seconds for one request, `retries` the number of further attempts.
    """

    origin: str
    base_path: str
    access_key: str
    secret_key: str
    validate_certs: bool = True
    ca_path: str | None = None
    client_cert: str | None = None
    client_key: str | None = None
    timeout: int = 30
    retries: int = 4

    @property
    def address(self) -> str:
        """Return the console's address in its canonical form."""
        return self.origin + self.base_path.removesuffix(API_PATH)

    @property
    def verify(self) -> bool | str:
        """Return the argument `verify` for `requests`; never blank, which would disable verification."""
        return (self.ca_path or True) if self.validate_certs else False

    @property
    def cert(self) -> str | tuple[str, str] | None:
        """Return the argument `cert` for `requests`."""
        return (self.client_cert, self.client_key) if self.client_cert and self.client_key else self.client_cert

    @property
    def is_http(self) -> bool:
        """Return whether the connection is without TLS."""
        return self.origin.startswith("http:")

    @property
    def is_unencrypted(self) -> bool:
        """Return whether tokens and bodies cross a network in the clear."""
        return self.is_http and not _is_loopback(urlsplit(self.origin).hostname or "")


def from_environment(variable: str) -> str:
    """Return the value of an option's variable; a blank one, as AWX injects for empty fields, counts as unset."""
    value = os.environ.get(variable, "")
    if not value.strip():
        raise AnsibleFallbackNotFound
    return value


def _variable(name: str) -> str:
    return f"MANAGEDFS_{name.upper()}"


CONNECTION_OPTIONS: dict[str, dict[str, Any]] = {
    "console_url": {"type": "str", "required": True},
    "access_key": {"type": "str", "required": True, "no_log": False},
    "secret_key": {"type": "str", "required": True, "no_log": True},
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "client_cert": {"type": "path"},
    "client_key": {"type": "path"},
    "timeout": {"type": "int", "default": 30},
    "retries": {"type": "int", "default": 4},
}
for _name, _option in CONNECTION_OPTIONS.items():
    # An unset required option is blank instead of missing, so that both cases get our message.
    _unset = (os.environ.get, [_variable(_name), ""])
    _option["fallback"] = _unset if "required" in _option else (from_environment, [_variable(_name)])


def read_connection(params: Mapping[str, Any]) -> Settings:
    """Return the settings that the options of a task describe; ConsoleError names options that are missing or wrong."""
    options = {name: params[name] for name in CONNECTION_OPTIONS}
    if missing := [name for name in ("console_url", "access_key", "secret_key") if not options[name].strip()]:
        raise ConsoleError(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} required: set in the task, in module_defaults, or"
            f" as {', '.join(map(_variable, missing))} in the environment where the module runs."
        )
    origin, base_path = _split_address("console_url", options.pop("console_url"))
    check_numbers(options)
    for name in ("access_key", "secret_key"):
        if options[name].lstrip().startswith("$ANSIBLE_VAULT;"):
            raise ConsoleError(
                f"{name} is still encrypted. Put !vault before it in a variable, so that Ansible decrypts it."
            )
        try:
            options[name].encode("utf-8")
        except UnicodeEncodeError:
            raise ConsoleError(f"{name} must be UTF-8 text, but contains other bytes.") from None
    _check_files(options["ca_path"], options["client_cert"], options["client_key"])
    return Settings(origin=origin, base_path=base_path, **options)


def host_value(url: str) -> str:
    """Return the value of the Host header for a URL, with IPv6 in brackets and the default port left out.

    This is step 2 of docs/docsite/rst/api.rst, "Signature". ValueError for a URL whose host is missing or invalid.
    """
    parts = urlsplit(url)
    if not (host := canonical_host(parts.hostname or "")):
        raise ValueError(f"a request without a host cannot be signed: {url}")
    name = f"[{host}]" if ":" in host else host
    return name if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{name}:{parts.port}"


def canonical_host(host: str) -> str:
    """Return a host name in lower case and ASCII (IDNA), an IPv6 address in its short form; ValueError if invalid."""
    # Encoding takes time that grows with the square of the length.
    if len(host) > _MAX_HOST:
        raise ValueError
    return ipaddress.IPv6Address(host).compressed if ":" in host else host.encode("idna").decode("ascii").lower()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def check_console(settings: Settings, consoles: Any) -> None:
    """Refuse a console that the task is not for; ConsoleError names both."""
    if consoles is None:
        return
    allowed = read_addresses("consoles", consoles)
    if settings.address not in allowed:
        raise ConsoleError(
            f"Nothing was read or changed: this is for {' or '.join(allowed)}, and console_url is {settings.address}. If it is"
            " for this console as well, add its address to consoles, or to console.yml in the folder of the desired state."
        )


def read_addresses(option: str, given: Any) -> tuple[str, ...]:
    """Return addresses of consoles in their canonical form; ConsoleError for an empty list, and for a bad address."""
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(address, str) for address in given):
        raise ConsoleError(f"{option} must be a list of at least one address of a console.")
    return tuple("".join(_split_address(option, address)).removesuffix(API_PATH) for address in given)


def _split_address(option: str, console_url: str) -> tuple[str, str]:
    """Return origin and base path of an address with or without `/api/v1` and a trailing slash."""
    address = console_url.strip()
    if problem := _address_problem(address):
        raise ConsoleError(
            f"{option} is not the address of a console: {problem}. Expected something like"
            f" https://console.example.com, with or without {API_PATH}."
        )
    parts = urlsplit(address)
    # Repeated leading slashes are folded on the way to the console.
    prefix = f"/{parts.path.strip('/')}".removesuffix(API_PATH).rstrip("/")
    return f"{parts.scheme}://{host_value(address)}", prefix + API_PATH


def _address_problem(address: str) -> str:
    """Return the problem with an address, blank for none. It does not quote the address, which may contain a password."""
    if any(char.isspace() or not char.isprintable() or char in "\"'\\@?#" for char in address):
        return "it contains white space, unprintable characters, quotation marks, a backslash, @, ? or #"
    if not address.lower().startswith(("http://", "https://")):
        return "it does not start with http:// or https://"
    try:
        host_value(address)
    except ValueError:
        return "its host or port is invalid (an IPv6 address stands in brackets there)"
    return ""


def _check_files(ca_path: str | None, client_cert: str | None, client_key: str | None) -> None:
    """Refuse files that cannot be used, since errors of a connection do not name them."""
    for name, path in (("ca_path", ca_path), ("client_cert", client_cert), ("client_key", client_key)):
        if path and ("\n" in path or "-----BEGIN" in path):
            raise ConsoleError(f"{name} must be the path of a file, not its content.")
    if client_key and not client_cert:
        raise ConsoleError("client_key needs client_cert: set both, or only client_cert to a file that contains both.")
    try:
        if ca_path and not Path(ca_path).is_dir():
            ssl.create_default_context(cafile=ca_path)
    except (OSError, ValueError):
        raise ConsoleError(f"ca_path must be a readable file with a certificate in PEM format: {ca_path}") from None
    try:
        if client_cert:
            # Without a password, OpenSSL would ask for that of a key at the terminal.
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(client_cert, client_key or None, password="")
    except (OSError, ValueError) as error:
        raise ConsoleError(
            f"client_cert and client_key ({client_cert}, {client_key or 'not set'}) cannot be used: {error}. They must be"
            " readable files in PEM format and belong together, and the key must not have a password."
        ) from None
