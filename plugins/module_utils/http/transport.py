# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One attempt at one request: signed, sent over a kept-alive connection, read within the deadline.

No retry is made here, no redirect followed, no cookie kept, and of the environment only proxies count.
"""

from __future__ import annotations

import http.client
import re
import socket
import threading
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Union

from ..masking import mask
from ..version import COLLECTION_VERSION
from .auth import SignatureAuth
from .clock import Clock
from .deadline import DeadlineResponse
from .settings import Settings

try:
    import requests
    from requests.adapters import HTTPAdapter
    from requests.utils import get_environ_proxies
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


class Answer(NamedTuple):
    """What came back. `cut` tells that the body broke off, `sent` and `took` when and how long, in seconds.

    `secrets` are the strings of the request that no message may repeat, should the console echo them.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    cut: bool
    sent: float
    took: float
    secrets: tuple[str, ...]


class SendError(Exception):
    """No answer. `sent` is false where surely nothing reached the console, `lasting` where a retry is of no use."""

    def __init__(self, message: str, sent: bool, lasting: bool = False) -> None:
        super().__init__(message)
        self.sent = sent
        self.lasting = lasting


# What one attempt comes to.
Outcome = Union[Answer, SendError]


class _Attempt(threading.local):
    """Whether the attempt that this thread makes has put a byte of its request on a connection."""

    sent = False


_ATTEMPT = _Attempt()


class _PlainConnection(HTTPConnection):
    """A connection whose answers have a deadline, and which notes that something was sent."""

    response_class: Any = DeadlineResponse

    def connect(self) -> None:
        try:
            super().connect()
        finally:
            # What a proxy was asked for a tunnel is no byte of the request.
            _ATTEMPT.sent = False

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        _ATTEMPT.sent = True
        super().send(data)


class _SecureConnection(_PlainConnection, HTTPSConnection):
    """The same over TLS."""


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


_POOLS = {"http": _PlainPool, "https": _SecurePool}


class _ConsoleAdapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = _POOLS
        return manager


class Transport:
    """Kept-alive connections to one console. Not to be shared between threads."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        # An adapter and no session: that would follow redirects, keep cookies and look into the environment.
        self._adapter = _ConsoleAdapter()
        if not settings.validate_certs:
            # The user has chosen it, and Ansible would take what is printed for a part of the result.
            warnings.simplefilter("ignore", InsecureRequestWarning)
        self._proxies = get_environ_proxies(settings.origin, no_proxy=None)
        self._proxy_secrets = tuple(_proxy_secrets(self._adapter, self._proxies.values()))

    def send(self, method: str, path: str, query: str, body: bytes | None, timestamp: int) -> Answer:
        """Make one attempt, signed for `timestamp`. `path` is absolute, `query` raw. SendError where no answer came."""
        _ATTEMPT.sent = False
        auth = SignatureAuth(self._settings.access_key, self._settings.secret_key, timestamp)
        sent, started = self._clock.time(), self._clock.elapsed()
        try:
            response = self._exchange(method, path + ("?" + query if query else ""), body, auth)
        except (requests.RequestException, HTTPError, OSError, ValueError, TypeError) as error:
            raise _send_error(error, self._settings, is_proxied=bool(self._proxies)) from None
        took = self._clock.elapsed() - started
        with response:
            content = _read(response)
        return Answer(
            response.status_code,
            response.headers,
            content or b"",
            content is None,
            sent,
            took,
            (*auth.secrets, *self._proxy_secrets),
        )

    def _exchange(self, method: str, target: str, body: bytes | None, auth: SignatureAuth) -> requests.Response:
        headers = dict(_HEADERS)
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = requests.PreparedRequest()
        request.prepare(method, self._settings.origin + target, headers, data=body, auth=auth)
        timeout: Any = Timeout(total=self._settings.timeout)
        return self._adapter.send(
            request,
            timeout=timeout,
            verify=self._settings.verify,
            cert=self._settings.cert,
            proxies=self._proxies,
            stream=True,
        )


def _read(response: requests.Response) -> bytes | None:
    """The whole body, or None where it broke off (older urllib3 does not tell by itself)."""
    try:
        content = response.content
    except (requests.RequestException, HTTPError, OSError, ValueError):
        return None
    announced = response.headers.get("Content-Length", "")
    is_short = re.fullmatch("[0-9]{1,20}", announced) and response.raw.tell() < int(announced)
    return None if is_short else content


def _proxy_secrets(adapter: HTTPAdapter, proxies: Iterable[str]) -> Iterator[str]:
    """What a proxy is told of our password for it, which it may repeat."""
    for proxy in proxies:
        try:
            told = adapter.proxy_headers(proxy).values()
        except (requests.RequestException, HTTPError, ValueError, TypeError):
            continue  # It cannot be used either.
        yield from (value.rpartition(" ")[2] for value in told)


def _send_error(error: BaseException, settings: Settings, is_proxied: bool) -> SendError:
    """What went wrong, in words, and whether anything was sent and a retry can help."""
    chain = list(_chain(error))
    reason = _reason(chain, settings.timeout)
    if isinstance(error, requests.exceptions.SSLError) and not _ATTEMPT.sent:
        advice = "where the console has a certificate of its own, name its authority's certificate in ca_path"
        if settings.cert:
            advice += ", and see that client_cert and client_key fit together"
        return SendError(f"no TLS connection: {reason} ({advice})", sent=False, lasting=True)
    passing = isinstance(error, (requests.ConnectionError, requests.Timeout))
    if is_proxied and not _ATTEMPT.sent and (not passing or isinstance(error, requests.exceptions.ProxyError)):
        told = "" if not passing else f": {reason}"
        reason = f"the proxy that the environment names (http_proxy, https_proxy) cannot be used{told}"
    return SendError(reason, sent=_ATTEMPT.sent, lasting=not passing)


def _reason(chain: list[BaseException], timeout: int) -> str:
    """The innermost cause in a few words, without what libraries wrapped around it."""
    if any(isinstance(step, (requests.Timeout, socket.timeout)) for step in chain):
        return f"no complete answer within {timeout} s"
    if any(isinstance(step, http.client.RemoteDisconnected) for step in chain):
        return "the connection was closed without an answer"
    if any(isinstance(step, http.client.HTTPException) for step in chain):
        return "what came back is not HTTP"
    told = [step.strerror for step in chain if isinstance(step, OSError) and step.strerror]
    return str(mask(str(told[-1] if told else chain[-1])))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and, one after the other, what it was made from."""
    seen: list[BaseException] = []
    step: Any = error
    while isinstance(step, BaseException) and step not in seen:
        seen.append(step)
        yield step
        inner = [arg for arg in step.args if isinstance(arg, BaseException)]
        step = getattr(step, "reason", None) or next(iter(inner), None) or step.__cause__ or step.__context__
