# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The signature of a request, and the `requests` auth object that applies it. Pure: the time is handed in.

The step numbers below are those of docs/docsite/rst/api.rst, "Signature" and "Token".
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ..connection import host_value

if TYPE_CHECKING:
    from requests import PreparedRequest

TOKEN_VERSION = 1


def canonical_query(query: str) -> str:
    """Return the query string in the form that is signed (step 3): sorted by name, then value, form encoded.

    `query` is raw, without the question mark. Bytes that are not UTF-8 come out as they went in.
    """
    pairs = parse_qsl(query, keep_blank_values=True, errors="surrogateescape", separator="&")
    return urlencode(sorted(pairs), safe="", errors="surrogateescape")


def body_hash(body: bytes | None) -> str:
    """Return the SHA-256 of the raw body in hexadecimal, empty without a body (step 4). Zero bytes are no body."""
    return hashlib.sha256(body).hexdigest() if body else ""


def string_to_sign(timestamp: int, method: str, path: str, host: str, query: str, body: bytes | None) -> str:
    """Return the canonical request (step 5): its parts joined by a line feed, with none at the end.

    `path` is the one on the wire, without the query; `query` is canonical; `host` (step 2) as `host_value` gives it.
    """
    return "\n".join((str(timestamp), method.upper(), path, "host:" + host, query, body_hash(body)))


def signature(secret_key: str, text: str) -> str:
    """Return the HMAC-SHA-256 of the canonical request in lower-case hexadecimal (step 6)."""
    return hmac.new(secret_key.encode("utf-8"), text.encode("utf-8"), hashlib.sha256).hexdigest()


def token(access_key: str, timestamp: int, signed: str) -> str:
    """Return the value of the Authorization header ("Token"): base64 of a JSON object, without a scheme."""
    fields = {"access_key": access_key, "timestamp": timestamp, "signature": signed, "version": TOKEN_VERSION}
    return base64.b64encode(json.dumps(fields).encode("utf-8")).decode("ascii")


class SignatureAuth:
    """Signs one attempt at one request with a key pair, at a time in epoch seconds.

    The query is rewritten to its canonical form, and the Host header set to the value that is signed, so that what is
    signed is exactly what is sent. `secrets` are the strings of this attempt that no message may repeat.
    """

    secrets: tuple[str, ...] = ()

    def __init__(self, access_key: str, secret_key: str, timestamp: int) -> None:
        self._access_key = access_key
        self._secret_key = secret_key
        self._timestamp = timestamp

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        parts = urlsplit(str(request.url))
        query = canonical_query(parts.query)
        # Repeated leading slashes are folded on the way to the console, so fold them before signing.
        path = "/" + parts.path.lstrip("/")
        request.url = urlunsplit(parts._replace(path=path, query=query, fragment=""))
        # The client sends bytes, or nothing.
        body: Any = request.body
        host = host_value(request.url)
        text = string_to_sign(self._timestamp, str(request.method), path, host, query, body)
        signed = signature(self._secret_key, text)
        self.secrets = (token(self._access_key, self._timestamp, signed), signed)
        request.headers["Host"] = host
        request.headers["Authorization"] = self.secrets[0]
        return request
