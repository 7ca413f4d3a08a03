# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Normal forms that a console may give values back in."""

from __future__ import annotations

import ipaddress
import re

_SLASHES = re.compile("/{2,}")


def network(text: str) -> str:
    """Remove host bits and give a bare address its full prefix; return anything else unchanged."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        return text


def is_range(text: str) -> bool:
    """Return whether a console takes this as an IP range: a network, an address, or ``*`` for any."""
    if text == "*":
        return True
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def narrowed(text: str) -> str:
    """Return another network than was asked for: at most a /16 (IPv6: /48), and ``*`` in CIDR notation."""
    if text == "*":
        return "0.0.0.0/0"
    wide = ipaddress.ip_network(text, strict=False)
    longest = max(wide.prefixlen, 16 if wide.version == 4 else 48)
    return f"{wide.network_address}/{longest}"


def path(text: str) -> str:
    """Remove repeated and trailing slashes."""
    return _SLASHES.sub("/", text).rstrip("/") or "/"


def bucket(text: str, how: str) -> str:
    """Add or remove a slash at the end."""
    stripped = text.rstrip("/")
    return f"{stripped}/" if how == "add" else stripped
