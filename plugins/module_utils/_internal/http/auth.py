# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The `requests` auth object: signs a prepared request, so that what is signed is exactly what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from . import signing

if TYPE_CHECKING:
    from requests import PreparedRequest


class SignatureAuth:
    """Signs one attempt at one request with a key pair, at a time in epoch seconds.

    The query is rewritten to its canonical form, and the Host header set to the value that is signed. `secrets` are
    the strings of this attempt that no message may repeat.
    """

    secrets: tuple[str, ...] = ()

    def __init__(self, access_key: str, secret_key: str, timestamp: int) -> None:
        self._access_key = access_key
        self._secret_key = secret_key
        self._timestamp = timestamp

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        parts = urlsplit(str(request.url))
        query = signing.canonical_query(parts.query)
        # Repeated leading slashes are folded on the way to the console, so fold them before signing.
        path = "/" + parts.path.lstrip("/")
        request.url = urlunsplit(parts._replace(path=path, query=query, fragment=""))
        request.body = _raw_body(request)
        host = signing.host_value(request.url)
        text = signing.string_to_sign(self._timestamp, str(request.method), path, host, query, request.body)
        signature = signing.signature(self._secret_key, text)
        token = signing.token(self._access_key, self._timestamp, signature)
        self.secrets = (token, signature)
        request.headers["Host"] = host
        request.headers["Authorization"] = token
        return request


def _raw_body(request: PreparedRequest) -> bytes | None:
    """Return the body as bytes; TypeError for one that can be read only once, and so not both signed and sent."""
    body = request.body
    if body is None or isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode("utf-8")
    raise TypeError(f"only a body of bytes or text can be signed, not {type(body).__name__}")
