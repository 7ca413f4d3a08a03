# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signed requests to one console, and their responses."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from ..errors import RequestError
from .exchange import Exchange, Request
from .response import SUCCESS, Response

if TYPE_CHECKING:
    from .retry import RetryBudget


class Client(Exchange):
    """Makes signed requests; what fails is repeated where that is safe (`recovery.py`)."""

    def url_path(self, path: str) -> str:
        """Return the absolute path of one relative to the API, such as `volumes/7`."""
        return f"{self.settings.base_path}/{path}"

    def request(
        self,
        method: str,
        path: str,
        query: str = "",
        body: Any = None,
        budget: RetryBudget | None = None,
        accept: Container[int] = SUCCESS,
    ) -> Response:
        """Make a request and return its response, if the status is one to accept; RequestError otherwise.

        `path` is absolute, `query` raw, `body` a JSON value (None: no body), `budget` how often the request may be
        repeated, by default the setting `retries`.
        """
        request = Request(method, path, query, _encode(method, path, body), accept)
        with self.rate_limit_gate:
            pass
        result = self.send(request, self.skew)
        if isinstance(result, Response) and request.is_done(result):
            if self.breaker:
                self.breaker.record_success()
            return result
        # Most tasks see no failure, and what is not loaded is not compiled: Ansible ships sources.
        from .recovery import recover  # noqa: PLC0415

        return recover(self, request, result, budget)

    def get_json(self, path: str, query: str = "") -> tuple[Any, Response]:
        """Return the JSON value at an absolute path, with its response; RequestError says what is there instead."""
        response = self.request("GET", path, query)
        try:
            return response.json(), response
        except ValueError as error:
            from .messages import explain_content  # noqa: PLC0415

            raise RequestError("GET", path, explain_content(response, error), response.status) from None


def _encode(method: str, path: str, body: Any) -> bytes | None:
    try:
        return None if body is None else json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, TypeError, RecursionError) as error:
        raise RequestError(method, path, f"the body cannot be sent as JSON: {error}") from None
