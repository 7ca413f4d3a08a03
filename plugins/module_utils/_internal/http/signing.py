# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The signature of a request: pure functions, no I/O, the time handed in.

The step numbers below are those of docs/docsite/rst/api.rst, "Signature" and "Token".
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}
TOKEN_VERSION = 1


def host_value(url: str) -> str:
    """Return the value of the Host header for a URL (step 2): lower case, IPv6 in brackets, default port left out.

    ValueError for a URL without a host: nothing may be signed for an empty one.
    """
    parts = urlsplit(url)
    host = _ascii_host(parts)
    if not host:
        raise ValueError(f"a request without a host cannot be signed: {url}")
    if parts.port is None or parts.port == DEFAULT_PORTS.get(parts.scheme):
        return host
    return f"{host}:{parts.port}"


def _ascii_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    if ":" in host:
        return f"[{host}]"
    return host if host.isascii() else host.encode("idna").decode("ascii")


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

    `path` is the one on the wire, without the query; `query` is canonical; `host` as `host_value` gives it.
    ValueError for an empty host.
    """
    if not host:
        raise ValueError("a request without a host cannot be signed")
    return "\n".join((str(timestamp), method.upper(), path, "host:" + host, query, body_hash(body)))


def signature(secret_key: str, text: str) -> str:
    """Return the HMAC-SHA-256 of the canonical request in lower-case hexadecimal (step 6)."""
    return hmac.new(secret_key.encode("utf-8"), text.encode("utf-8"), hashlib.sha256).hexdigest()


def token(access_key: str, timestamp: int, signed: str) -> str:
    """Return the value of the Authorization header ("Token"): base64 of a JSON object, without a scheme."""
    fields = {"access_key": access_key, "timestamp": timestamp, "signature": signed, "version": TOKEN_VERSION}
    return base64.b64encode(json.dumps(fields).encode("utf-8")).decode("ascii")
