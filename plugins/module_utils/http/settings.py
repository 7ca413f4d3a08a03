# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a connection needs to know, checked before the first request (design: connection options)."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..errors import ConsoleError
from .signing import host_value

API_PATH = "/api/v1"
# A day for a request and a week of waiting: more is a mistake, and far more no clock can count.
LONGEST_TIMEOUT = 86_400
LONGEST_WAIT = 604_800
MOST_RETRIES = 1_000


class Settings(NamedTuple):
    """The connection options of a task, with the console's address taken apart.

    `origin` is scheme and host (`https://console.example.com`), `base_path` the prefix of every path
    (`/api/v1`), `timeout` the seconds for one request, `retries` the further attempts.
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
    def verify(self) -> bool | str:
        """What `requests` calls verify; never blank, which would switch verification off."""
        return (self.ca_path or True) if self.validate_certs else False

    @property
    def cert(self) -> str | tuple[str, str] | None:
        """What `requests` calls cert."""
        if self.client_cert and self.client_key:
            return (self.client_cert, self.client_key)
        return self.client_cert

    @property
    def readable_on_the_way(self) -> bool:
        """Whether tokens and bodies cross a network in the clear."""
        parts = urlsplit(self.origin)
        return parts.scheme == "http" and not _is_loopback(parts.hostname or "")


def read_settings(options: Mapping[str, Any]) -> Settings:
    """Settings from the connection options, blanks already taken as unset. ConsoleError says which one is wrong."""
    origin, base_path = _split_address(options["console_url"])
    check_number("timeout", options["timeout"], 1, LONGEST_TIMEOUT)
    check_number("retries", options["retries"], 0, MOST_RETRIES)
    for name in ("ca_path", "client_cert", "client_key"):
        _check_file(name, options[name], or_folder=name == "ca_path")
    if options["client_key"] and not options["client_cert"]:
        raise ConsoleError("client_key is of no use without client_cert: set both, or the one file that holds both.")
    for name in ("access_key", "secret_key"):
        _check_text(name, options[name])
    chosen = {name: options[name] for name in Settings._fields if name in options}
    return Settings(origin=origin, base_path=base_path, **chosen)


def _split_address(console_url: str) -> tuple[str, str]:
    """`(origin, base path)` of an address with or without `/api/v1` and a trailing slash."""
    problem = _address_problem(console_url)
    if problem:
        raise ConsoleError(
            f"console_url is not the address of a console: {problem}. Expected is something like"
            f" https://console.example.com, with or without {API_PATH}."
        )
    parts = urlsplit(console_url.strip())
    path = parts.path.rstrip("/")
    base_path = path if path.endswith(API_PATH) else path + API_PATH
    return f"{parts.scheme}://{host_value(console_url.strip())}", base_path


def _address_problem(console_url: str) -> str | None:
    """What is wrong with the address, or None. The address itself is not repeated: it may hold a password."""
    text = console_url.strip()
    if any(char.isspace() or not char.isprintable() or char == "\\" for char in text):
        return "it has white space, a backslash or characters that cannot be printed"
    try:
        parts = urlsplit(text)
        host = host_value(text) if parts.hostname else ""
        (parts.hostname or "").encode("idna")
    except ValueError:
        return "its host or port cannot be read"
    if parts.scheme not in ("http", "https"):
        return "it does not start with http:// or https://"
    if "@" in parts.netloc:
        return "it has a user name or password in it"
    if not host.strip("."):
        return "it has no host"
    if parts.port == 0:
        return "its port is 0"
    if "?" in text or "#" in text:
        return "it has a query or a fragment"
    return None


def check_number(name: str, value: int, least: int, most: int) -> None:
    """Refuse an option that is out of its bounds, or a boolean, which Python takes for a number."""
    if isinstance(value, bool) or not least <= value <= most:
        raise ConsoleError(f"{name} must be from {least} to {most}, not {str(value)[:20]}.")


def _check_file(name: str, path: str | None, or_folder: bool) -> None:
    if path and ("\n" in path or "-----BEGIN" in path):
        raise ConsoleError(f"{name} wants the path of a file, not what is in it.")
    if path and not _is_readable(path, or_folder):
        raise ConsoleError(f"{name} names a file that is not there or cannot be read: {path}")


def _is_readable(path: str, or_folder: bool) -> bool:
    try:
        return os.access(path, os.R_OK) and (or_folder or Path(path).is_file())
    except ValueError:
        return False


def check_certificate(settings: Settings) -> None:
    """Refuse a client certificate that cannot be used; OpenSSL would ask at the terminal for the password of a key."""
    if not settings.client_cert:
        return
    # Most tasks have none.
    import ssl  # noqa: PLC0415

    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_cert_chain(settings.client_cert, settings.client_key or None, password="")
    except (OSError, ValueError) as error:
        raise ConsoleError(
            f"client_cert and client_key cannot be used: {error}. They must be in PEM format and fit together, and the"
            " key must have no password."
        ) from None


def _check_text(name: str, value: str) -> None:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ConsoleError(f"{name} holds bytes that are no UTF-8 text.") from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
