# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the tokens of requests: the times and the signatures."""

from __future__ import annotations

import base64
import json
import re


def authorization_in(request: bytes) -> str:
    """Return the Authorization header of a request as it came over the wire."""
    found = re.search(rb"(?im)^authorization: (\S+)", request)
    assert found
    return found[1].decode()


def signed_at(authorization: str) -> int:
    return int(json.loads(base64.b64decode(authorization))["timestamp"])


def signature_in(authorization: str) -> str:
    return str(json.loads(base64.b64decode(authorization))["signature"])
