# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The response to one attempt at a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..json_values import parse_json

SUCCESS = range(200, 300)


class Response(NamedTuple):
    """A response. `truncated` tells that the body broke off.

    `sent_at` is when the request was sent (epoch seconds), `took` how many seconds passed until the headers came.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    truncated: bool = False
    sent_at: float = 0.0
    took: float = 0.0

    def json(self) -> Any:
        """Return the body as a JSON value; ValueError where it is none."""
        return parse_json(self.content)
