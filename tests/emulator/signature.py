# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Request signatures of the console API: written from the specification alone, pure functions only.

Nothing here reads a clock, a socket or the environment, and nothing here is shared with the client in
``plugins/``: this is the second, independent implementation that the first one is tested against.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote_plus, unquote_to_bytes, urlsplit

if TYPE_CHECKING:
    from typing import TypeGuard

WINDOW = 300
"""Seconds that a timestamp may differ from the server's time."""

TOKEN_VERSION = 1

_DEFAULT_PORTS = {"http": 80, "https": 443}
_TOKEN_FIELDS = frozenset({"access_key", "timestamp", "signature", "version"})
_HEXADECIMAL = frozenset("0123456789abcdef")


class SignatureError(Exception):
    """A request whose authentication is invalid; the text says why and holds nothing secret."""


class Token(NamedTuple):
    """What an Authorization header carries."""

    access_key: str
    timestamp: int
    signature: str


@dataclass(frozen=True)
class SignedRequest:
    """Everything that goes into a signature, and what comes out of it."""

    host: str
    path: str
    query: str
    body_hash: str
    string_to_sign: str
    signature: str
    token_json: str
    token: str


def without_default_port(host: str, scheme: str) -> str:
    """Return the host value to sign for a host with or without port: the scheme's default port is left out."""
    name, colon, port = host.rpartition(":")
    if not colon or not name or "]" in port:
        return host
    if port == "" or port == str(_DEFAULT_PORTS.get(scheme)):
        return name
    return host


def host_of_url(url: str) -> str:
    """Return the host value of a URL, lower case, IPv6 addresses in brackets, without the default port."""
    parts = urlsplit(url)
    name = (parts.hostname or "").lower()
    if not name:
        raise ValueError("no signature without a host")
    if ":" in name:
        name = f"[{name}]"
    elif not name.isascii():
        name = name.encode("idna").decode("ascii")
    return without_default_port(name if parts.port is None else f"{name}:{parts.port}", parts.scheme.lower())


def canonical_query(raw: str) -> str:
    """Rewrite a raw query: decoded, sorted by name and then by value, encoded again in form style."""
    if not raw:
        return ""
    pairs = []
    for part in raw.split("&"):
        if part:
            name, _equals, value = part.partition("=")
            pairs.append((_form_decoded(name), _form_decoded(value)))
    return "&".join(f"{quote_plus(name, safe='')}={quote_plus(value, safe='')}" for name, value in sorted(pairs))


def _form_decoded(text: str) -> bytes:
    """Return bytes rather than text, so that invalid UTF-8 survives; they sort in the order of the code points."""
    return unquote_to_bytes(text.replace("+", " ").encode("utf-8", "surrogateescape"))


def body_hash(body: bytes | None) -> str:
    """Return the digest of the raw body; empty without a body."""
    return hashlib.sha256(body).hexdigest() if body else ""


def string_to_sign(timestamp: int, method: str, *, path: str, host: str, query: str, digest: str) -> str:
    """Return the six lines that are signed; ``query`` is canonical already. An empty host is refused."""
    if not host:
        raise ValueError("no signature without a host")
    return f"{timestamp:d}\n{method.upper()}\n{path}\nhost:{host}\n{query}\n{digest}"


def signature_of(secret_key: str, text: str) -> str:
    """Return the lower-case hexadecimal HMAC-SHA-256 of a string to sign."""
    return hmac.new(secret_key.encode(), text.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()


def token_json(access_key: str, timestamp: int, signature: str) -> str:
    """Return the JSON text of a token, its fields in the order of the specification's table."""
    return json.dumps(
        {"access_key": access_key, "timestamp": timestamp, "signature": signature, "version": TOKEN_VERSION}
    )


def token_text(access_key: str, timestamp: int, signature: str) -> str:
    """Return the value of the Authorization header."""
    return base64.b64encode(token_json(access_key, timestamp, signature).encode()).decode("ascii")


def sign(
    access_key: str, secret_key: str, timestamp: int, method: str, url: str, *, body: bytes | None = None
) -> SignedRequest:
    """Sign a request to an absolute URL."""
    host = host_of_url(url)
    parts = urlsplit(url)
    path = parts.path or "/"
    query = canonical_query(parts.query)
    digest = body_hash(body)
    text = string_to_sign(timestamp, method, path=path, host=host, query=query, digest=digest)
    signature = signature_of(secret_key, text)
    return SignedRequest(
        host=host,
        path=path,
        query=query,
        body_hash=digest,
        string_to_sign=text,
        signature=signature,
        token_json=token_json(access_key, timestamp, signature),
        token=token_text(access_key, timestamp, signature),
    )


def sign_headers(
    access_key: str, secret_key: str, timestamp: int, method: str, url: str, *, body: bytes | None = None
) -> dict[str, str]:
    """Return the headers of a signed request, for a client that sends ``url`` and ``body`` just as given here."""
    signed = sign(access_key, secret_key, timestamp, method, url, body=body)
    headers = {"Host": signed.host, "Authorization": signed.token}
    if body:
        headers["Content-Type"] = "application/json"
    return headers


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from JSON and refuse a name that occurs twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("repeated name")
    return found


_token_decoder = json.JSONDecoder(object_pairs_hook=_no_duplicates)


def read_token(text: str | None) -> Token:
    """Decode an Authorization header, strictly."""
    if not text:
        raise SignatureError("no Authorization header")
    try:
        decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        raise SignatureError("the token is not standard base64") from None
    if base64.b64encode(decoded).decode("ascii") != text:
        raise SignatureError("the token is not standard base64")
    try:
        found = _token_decoder.decode(decoded.decode("utf-8"))
    except (ValueError, RecursionError):
        raise SignatureError("the token is not JSON") from None
    if not isinstance(found, dict):
        raise SignatureError("the token is not a JSON object")
    return _checked_token(found)


def _is_integer(value: Any) -> TypeGuard[int]:
    """Return whether a value is an integer in JSON, which a boolean is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _checked_token(found: dict[str, Any]) -> Token:
    """Check names and types of a token's fields."""
    access_key, timestamp, signature = found.get("access_key"), found.get("timestamp"), found.get("signature")
    if not isinstance(access_key, str) or not access_key:
        raise SignatureError("the token's access_key is not a string")
    if not _is_integer(timestamp):
        raise SignatureError("the token's timestamp is not an integer")
    if not isinstance(signature, str) or len(signature) != 64 or not _HEXADECIMAL.issuperset(signature):
        raise SignatureError("the token's signature is not 64 lower-case hexadecimal digits")
    if "version" in found and not (_is_integer(found["version"]) and found["version"] == TOKEN_VERSION):
        raise SignatureError("the token's version is not 1")
    if not _TOKEN_FIELDS.issuperset(found):
        raise SignatureError("the token holds an unknown field")
    return Token(access_key, timestamp, signature)


def verify(
    authorization: str | None,
    *,
    access_key: str,
    secret_key: str,
    now: float,
    method: str,
    path: str,
    query: str,
    host: str,
    scheme: str,
    body: bytes,
) -> Token:
    """Check a request as it was received: raw path, raw query, Host header and body bytes."""
    token = read_token(authorization)
    if not hmac.compare_digest(token.access_key.encode(), access_key.encode()):
        raise SignatureError("unknown access key")
    if abs(int(now) - token.timestamp) > WINDOW:
        raise SignatureError("the timestamp is more than 5 minutes from the server's time")
    value = without_default_port(host, scheme)
    if not value:
        raise SignatureError("no Host header")
    text = string_to_sign(
        token.timestamp, method, path=path, host=value, query=canonical_query(query), digest=body_hash(body)
    )
    if not hmac.compare_digest(token.signature, signature_of(secret_key, text)):
        raise SignatureError("the signature does not match")
    return token
