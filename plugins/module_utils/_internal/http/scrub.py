# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removes from a response what it repeats of the credentials in our own request."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..json_values import parse_json
from ..scrubbing import scrubber
from .response import Response


def scrub(response: Response, secrets: Iterable[str]) -> Response:
    """Return a response without secrets, and without longer pieces of them, in body and headers."""
    clean = scrubber(secrets)
    headers = {name.title(): clean(value) for name, value in response.headers.items()}
    try:
        # In JSON a secret may be written with escapes.
        content = json.dumps(clean(parse_json(response.content)))
    except ValueError:
        content = clean(response.content.decode("utf-8", "replace"))
    return response._replace(headers=headers, content=content.encode())
