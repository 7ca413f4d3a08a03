# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a connection needs to know, as checked by `connection.py`."""

from __future__ import annotations

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit


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
    def verify(self) -> bool | str:
        """Return what `requests` calls verify; never blank, which would switch verification off."""
        return (self.ca_path or True) if self.validate_certs else False

    @property
    def cert(self) -> str | tuple[str, str] | None:
        """Return what `requests` calls cert."""
        return (self.client_cert, self.client_key) if self.client_cert and self.client_key else self.client_cert

    @property
    def is_http(self) -> bool:
        """Return whether the console is spoken to without TLS."""
        return urlsplit(self.origin).scheme == "http"

    @property
    def is_unencrypted(self) -> bool:
        """Return whether tokens and bodies cross a network in the clear."""
        return self.is_http and not _is_loopback(urlsplit(self.origin).hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
