# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plain client of the console, for tests that must not depend on the one in ``plugins/``.

It signs with the functions of this package, keeps its connection alive, repeats nothing and hides nothing.
"""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .lists import PREFIX
from .signature import sign_headers

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping

    from typing_extensions import Self

    from .emulator import Emulator

    Headers = Mapping[str, str | None] | None


@dataclass(frozen=True)
class Reply:
    """A response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Client:
    """Sends signed requests to a console."""

    def __init__(
        self,
        url: str,
        access_key: str,
        secret_key: str,
        *,
        clock: Callable[[], float] = time.time,
        timeout: float = 10.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.url = url
        self.access_key, self.secret_key = access_key, secret_key
        self.clock = clock
        parts = urlsplit(url)
        options: dict[str, Any] = {"host": parts.hostname or "", "port": parts.port, "timeout": timeout}
        self._connection = http.client.HTTPConnection(**options)
        if parts.scheme == "https":
            self._connection = http.client.HTTPSConnection(**options, context=tls)

    @classmethod
    def of(cls, emulator: Emulator, **options: Any) -> Self:
        return cls(emulator.url, emulator.access_key, emulator.secret_key, **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def send(
        self, method: str, path: str, value: Any = None, *, body: bytes | None = None, headers: Headers = None
    ) -> Reply:
        """Send a signed request to a path below the API, its query included.

        The body is ``value`` as JSON, or ``body`` as it is. A header of None is left out.
        """
        if value is not None:
            body = json.dumps(value).encode()
        url = f"{self.url}{PREFIX}{path}"
        signed = sign_headers(self.access_key, self.secret_key, int(self.clock()), method, url, body=body)
        return self.send_as_is(method, PREFIX + path, body, {**signed, **(headers or {})})

    def control(self, method: str, name: str, value: Any = None) -> Any:
        """Call a control route of the emulator and return its response, parsed from JSON."""
        body = None if value is None else json.dumps(value).encode()
        reply = self.send_as_is(method, f"/_emulator/{name}", body, {"Host": urlsplit(self.url).netloc})
        if reply.status != 200:
            raise ValueError(f"{reply.status}: {reply.text}")
        return reply.json

    def send_as_is(self, method: str, target: str, body: bytes | None = None, headers: Headers = None) -> Reply:
        """Send a request that is not signed; after an error the connection is closed."""
        connection = self._connection
        try:
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            for name, text in (headers or {}).items():
                if text is not None:
                    connection.putheader(name, text)
            connection.endheaders(body)
            response = connection.getresponse()
            found = {name.lower(): text for name, text in response.getheaders()}
            return Reply(response.status, found, response.read())
        except (OSError, http.client.HTTPException):
            connection.close()
            raise
