# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of certificates and keys, checked before the first request. Loaded when a task names any."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from ..errors import ConsoleError


def check_certificates(ca_path: str | None, client_cert: str | None, client_key: str | None) -> None:
    """Refuse files that cannot be used; ConsoleError names the option."""
    _check_file("ca_path", ca_path, or_folder=True)
    _check_file("client_cert", client_cert)
    _check_file("client_key", client_key)
    if ca_path and not Path(ca_path).is_dir():
        _check_authorities(ca_path)
    if client_key and not client_cert:
        raise ConsoleError("client_key needs client_cert: set both, or only client_cert to a file that contains both.")
    if client_cert:
        _check_client(client_cert, client_key)


def _check_file(name: str, path: str | None, or_folder: bool = False) -> None:
    if not path:
        return
    if "\n" in path or "-----BEGIN" in path:
        raise ConsoleError(f"{name} must be the path of a file, not its content.")
    try:
        is_readable = os.access(path, os.R_OK) and (or_folder or Path(path).is_file())
    except ValueError:
        is_readable = False
    if not is_readable:
        raise ConsoleError(f"{name} names a file that does not exist or cannot be read: {path}")


def _check_authorities(ca_path: str) -> None:
    try:
        ssl.create_default_context(cafile=ca_path)
    except (OSError, ValueError):
        raise ConsoleError(f"ca_path names a file without a certificate in PEM format: {ca_path}") from None


def _check_client(client_cert: str, client_key: str | None) -> None:
    """Refuse a client certificate that cannot be used; OpenSSL would ask at the terminal for the password of a key."""
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_cert_chain(client_cert, client_key or None, password="")
    except (OSError, ValueError) as error:
        raise ConsoleError(
            f"client_cert and client_key cannot be used: {error}. They must be in PEM format and belong together, and"
            " the key must not have a password."
        ) from None
