# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the tests of the emulator's faults do and look at."""

from __future__ import annotations

import socket
from typing import Any
from urllib.parse import urlsplit

from emulator import Client, Emulator


def post(client: Client, path: str = "/a") -> Any:
    """Create a quota."""
    return client.send("POST", "/volumes/101/quotas", {"path": path})


def made(server: Emulator) -> list[str]:
    """Return the paths of the quotas there are."""
    return [quota["path"] for quota in server.quotas(101)]


def is_refused(server: Emulator) -> bool:
    """Return whether a new connection is refused."""
    parts = urlsplit(server.url)
    try:
        socket.create_connection((str(parts.hostname), int(parts.port or 0)), 5).close()
    except ConnectionRefusedError:
        return True
    return False
