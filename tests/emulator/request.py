# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A request as the console sees it, once it is off the wire."""

from __future__ import annotations

from dataclasses import dataclass

from .answers import JSON


@dataclass(frozen=True)
class Request:
    """A request as the console sees it, with the path below the prefix of the API."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = JSON
    origin: str = ""
    """Scheme and host that the client used, for links."""
