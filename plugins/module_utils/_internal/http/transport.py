# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One attempt at one request: signed, sent over a kept-alive connection, read within the deadline.

Nothing is retried here, no redirect followed, and no cookie kept. Only proxies are read from the environment.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import http.client
import io
import json
import random
import re
import socket
import ssl
import threading
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Union
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ..connection import Settings, host_value
from ..values import Echoes, parse_json

COLLECTION_VERSION = "1.2.0"
TOKEN_VERSION = 1
try:
    with warnings.catch_warnings():
        # It warns of other libraries, and Ansible would show that, since its own process loads this file.
        warnings.simplefilter("ignore")
        import requests
    from requests.adapters import HTTPAdapter
    from requests.utils import get_environ_proxies, select_proxy
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.exceptions import HTTPError, InsecureRequestWarning
    from urllib3.util import Timeout

    REQUESTS_IMPORT_ERROR: str | None = None
except ImportError:
    REQUESTS_IMPORT_ERROR = traceback.format_exc()
    HTTPAdapter = HTTPConnection = HTTPSConnection = object  # type: ignore[assignment, misc]
    HTTPConnectionPool = HTTPSConnectionPool = object  # type: ignore[assignment, misc]

USER_AGENT = f"managedfs.console/{COLLECTION_VERSION} (Ansible collection)"
_HEADERS = {"User-Agent": USER_AGENT, "Accept": "application/json"}
MAX_MIB = 32
INCOMPLETE = "the response was incomplete"
COMPRESSED = "the response is compressed, which was not asked for. Check console_url and proxies"
TOO_LARGE = f"the response is larger than {MAX_MIB} MiB, which is the most that is read. Check console_url"
# Beside the body: status, headers, and the framing of chunks, which older urllib3 reads at any length.
_FRAMING_MIB = 1
_LENGTH = re.compile("[0-9]{1,20}")
_PIECE = 2**16
# The console has closed a connection, perhaps during the handshake of TLS.
CLOSED = (http.client.RemoteDisconnected, ssl.SSLEOFError, ssl.SSLZeroReturnError)
_COMPRESSED = ("gzip", "x-gzip", "deflate", "br", "zstd")


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

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
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


class Clock:
    """The machine's clock in seconds: since the epoch, or elapsed, which never goes back. Tests bring their own."""

    def time(self) -> float:
        return time.time()

    def elapsed(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def jitter(self) -> float:
        """Return a random factor from 0.5 to 1, so that clients that failed together do not retry together."""
        return random.uniform(0.5, 1.0)


class Response(NamedTuple):
    """A response. `defect` is INCOMPLETE or TOO_LARGE if its body could not be read, else blank.

    `sent_at` is when the request was sent (epoch seconds), `took` the seconds until the headers came, `skew` the seconds
    by which the time of its signature was ahead of ours.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    defect: str = ""
    sent_at: float = 0.0
    took: float = 0.0
    skew: float = 0.0

    def json(self) -> Any:
        """Return the body as a JSON value; ValueError if it is not JSON."""
        return parse_json(self.content)


class NoResponse(NamedTuple):
    """An attempt without a response.

    `sent` is false if surely nothing reached the console, `is_permanent` true if repeating cannot help.
    """

    cause: Exception
    sent: bool
    is_permanent: bool
    status: None = None
    headers: Mapping[str, str] = {}


Attempt = Union[Response, NoResponse]


class Transport:
    """A kept-alive connection to one console, for one request at a time. `echoes` gets the secrets of all requests."""

    def __init__(self, settings: Settings, clock: Clock, echoes: Echoes) -> None:
        self._settings = settings
        self._clock = clock
        self._echoes = echoes
        # An adapter, since a session would follow redirects, keep cookies and read the environment.
        self._adapter = _ConsoleAdapter()
        if not settings.validate_certs:
            # The user chose it, and Ansible would take the printed warning for part of the result.
            warnings.simplefilter("ignore", InsecureRequestWarning)
        self._proxies = get_environ_proxies(settings.origin, no_proxy=None)
        self.has_proxy = bool(select_proxy(settings.origin, self._proxies))
        for proxy in self._proxies.values():
            # A proxy with an invalid address cannot be used either.
            with contextlib.suppress(ValueError):
                headers = self._adapter.proxy_headers(proxy)
                echoes.add(*(value.rpartition(" ")[2] for value in headers.values()))

    def close(self) -> None:
        """Close the connection."""
        self._adapter.close()

    def send(self, method: str, path: str, query: str, body: bytes | None, skew: float) -> Attempt:
        """Make one attempt, signed for a time that is `skew` seconds ahead of ours. `path` is absolute, `query` raw."""
        _PROGRESS.sent, _PROGRESS.received = False, 0
        settings = self._settings
        sent_at, started = self._clock.time(), self._clock.elapsed()
        auth = SignatureAuth(settings.access_key, settings.secret_key, int(sent_at + skew))
        url = settings.origin + path + ("?" + query if query else "")
        headers = _HEADERS if body is None else {**_HEADERS, "Content-Type": "application/json"}
        timeout: Any = Timeout(total=settings.timeout)
        request = requests.PreparedRequest()
        try:
            request.prepare(method, url, headers, data=body, auth=auth)
            self._echoes.add(*auth.secrets)
            response = self._adapter.send(request, True, timeout, settings.verify, settings.cert, self._proxies)
        except (requests.RequestException, HTTPError, OSError, ValueError, TypeError) as error:
            return NoResponse(error, _PROGRESS.sent, _is_permanent(error, _PROGRESS.sent))
        took = self._clock.elapsed() - started
        with response:
            content, defect = _read(response)
        return Response(response.status_code, response.headers, content, defect, sent_at, took, skew)


def _is_permanent(error: Exception, sent: bool) -> bool:
    """Return whether an error would recur: TLS that is refused, a request that cannot be made, or no HTTP."""
    if isinstance(error, requests.exceptions.SSLError):
        return not sent and not any(isinstance(cause, CLOSED) for cause in causes_of(error))
    return not isinstance(error, (requests.ConnectionError, requests.Timeout))


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, and what libraries wrapped in it, the innermost last."""
    seen: list[BaseException] = []
    cause: Any = error
    while isinstance(cause, BaseException) and cause not in seen:
        seen.append(cause)
        yield cause
        inner = [arg for arg in cause.args if isinstance(arg, BaseException)]
        cause = getattr(cause, "reason", None) or next(iter(inner), None) or cause.__cause__ or cause.__context__


def _read(response: requests.Response) -> tuple[bytes, str]:
    """Return the whole body, or nothing and the defect."""
    content = bytearray()
    try:
        for piece in response.raw.stream(_PIECE, decode_content=False):
            content += piece
            if len(content) > MAX_MIB * 2**20:
                return b"", TOO_LARGE
    except (HTTPError, OSError, ValueError):
        return b"", TOO_LARGE if _is_too_much() else INCOMPLETE
    # Older urllib3 does not notice a body that is shorter than announced.
    if _LENGTH.fullmatch(announced := response.headers.get("Content-Length", "")) and len(content) < int(announced):
        return b"", INCOMPLETE
    is_compressed = content and response.headers.get("Content-Encoding", "").strip().lower() in _COMPRESSED
    return (b"", COMPRESSED) if is_compressed else (bytes(content), "")


class _DeadlineReader(io.RawIOBase):
    """A socket's byte stream whose reads share the socket's timeout, and a number of bytes.

    By itself, that timeout restarts with each byte, so a response that drips would never end.
    """

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        super().__init__()
        self._raw, self._sock = raw, sock
        self._ends = time.monotonic() + (sock.gettimeout() or 0.0)
        self.has_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise socket.timeout("the response took too long")
        self._sock.settimeout(left)
        read = self._raw.readinto(buffer)
        self.has_ended = read == 0
        _PROGRESS.received += read or 0
        if _is_too_much():
            raise http.client.HTTPException(TOO_LARGE)
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class _DeadlineResponse(http.client.HTTPResponse):
    """A response whose headers and body together have one deadline."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self._reader = _DeadlineReader(self.fp.detach(), sock)
        self.fp = io.BufferedReader(self._reader)

    def begin(self) -> None:
        """Read status and headers; unlike the base class, do not take truncated headers for complete ones."""
        super().begin()
        if self._reader.has_ended:
            raise http.client.IncompleteRead(b"")


# For the current attempt of each thread: whether any byte was sent, and how many were received.
_PROGRESS = threading.local()


def _is_too_much() -> bool:
    return bool(_PROGRESS.received > (MAX_MIB + _FRAMING_MIB) * 2**20)


class _Connection(HTTPConnection):
    """A connection that records sending, and whose responses have a deadline."""

    response_class: Any = _DeadlineResponse

    def connect(self) -> None:
        try:
            super().connect()
        finally:
            # Asking a proxy for a tunnel is not part of the request.
            _PROGRESS.sent = False

    def _new_conn(self) -> Any:
        """Connect within the timeout, which urllib3 gives to each address of a host, and to the handshake of TLS anew."""
        timeout = self.timeout or 0.0
        self.timeout = timeout / max(1, len(socket.getaddrinfo(self._dns_host, self.port, type=socket.SOCK_STREAM)))
        started = time.monotonic()
        try:
            sock = super()._new_conn()
        finally:
            self.timeout = timeout
        sock.settimeout(max(timeout - (time.monotonic() - started), 0.001))
        return sock

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        _PROGRESS.sent = True
        super().send(data)


class _SecureConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class _ConsoleAdapter(HTTPAdapter):
    """The adapter of `requests` with these connections, direct and through a proxy."""

    _POOLS = {"http": _Pool, "https": _SecurePool}

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = self._POOLS

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = self._POOLS
        return manager
