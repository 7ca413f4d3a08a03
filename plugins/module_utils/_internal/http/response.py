# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The response to one attempt at a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..json_values import parse_json
from .body import MAX_MIB

SUCCESS = range(200, 300)
INCOMPLETE = "the response was incomplete"
TOO_LARGE = f"the response is larger than {MAX_MIB} MiB, which is the most that is read. Check console_url"


class Response(NamedTuple):
    """A response. `defect` says why there is no body, where it could not be read: INCOMPLETE or TOO_LARGE.

    `sent_at` is when the request was sent (epoch seconds), `took` how many seconds passed until the headers came, `skew`
    by how many seconds the time that the request was signed with is ahead of ours.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    defect: str = ""
    sent_at: float = 0.0
    took: float = 0.0
    skew: float = 0.0

    def json(self) -> Any:
        """Return the body as a JSON value; ValueError where it is none."""
        return parse_json(self.content)
