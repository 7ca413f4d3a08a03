# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One attempt at one request: signed, sent over a kept-alive connection, read within the deadline.

Nothing is retried here, no redirect followed, no cookie kept, and of the environment only proxies count.
"""

from __future__ import annotations

import contextlib
import traceback
import warnings
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..version import COLLECTION_VERSION
from .auth import SignatureAuth
from .body import TooLargeError, read_body
from .clock import Clock
from .connections import PROGRESS, ConsoleAdapter
from .echo import has_echo
from .response import INCOMPLETE, SUCCESS, TOO_LARGE, Response
from .settings import Settings

if TYPE_CHECKING:
    from .no_response import Outcome

try:
    import requests
    from requests.utils import get_environ_proxies, select_proxy
    from urllib3.exceptions import HTTPError, InsecureRequestWarning
    from urllib3.util import Timeout

    REQUESTS_IMPORT_ERROR: str | None = None
except ImportError:
    REQUESTS_IMPORT_ERROR = traceback.format_exc()

USER_AGENT = f"managedfs.console/{COLLECTION_VERSION} (Ansible collection)"
_HEADERS = {"User-Agent": USER_AGENT, "Accept": "application/json"}


class Transport:
    """Kept-alive connections to one console. Not to be shared between threads."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        # An adapter and no session, which would follow redirects, keep cookies and read the environment.
        self._adapter = ConsoleAdapter()
        if not settings.validate_certs:
            # It is the user's choice, and Ansible would take what is printed for part of the result.
            warnings.simplefilter("ignore", InsecureRequestWarning)
        self._proxies = get_environ_proxies(settings.origin, no_proxy=None)
        self._proxy_secrets = tuple(_proxy_secrets(self._adapter, self._proxies.values()))

    @property
    def is_proxied(self) -> bool:
        """Return whether requests go through a proxy."""
        return bool(select_proxy(self._settings.origin, self._proxies))

    def send(self, method: str, path: str, query: str, body: bytes | None, skew: float) -> Outcome:
        """Make one attempt, signed for a time that is `skew` seconds ahead of ours. `path` is absolute, `query` raw."""
        PROGRESS.sent = False
        sent_at, started = self._clock.time(), self._clock.elapsed()
        auth = SignatureAuth(self._settings.access_key, self._settings.secret_key, int(sent_at + skew))
        try:
            response = self._exchange(method, path + ("?" + query if query else ""), body, auth)
        except (requests.RequestException, HTTPError, OSError, ValueError, TypeError) as error:
            from .no_response import NoResponse  # noqa: PLC0415

            return NoResponse(error, PROGRESS.sent, (*auth.secrets, *self._proxy_secrets))
        took = self._clock.elapsed() - started
        with response:
            content, defect = _read(response)
        result = Response(response.status_code, response.headers, content, defect, sent_at, took, skew)
        secrets = (*auth.secrets, *self._proxy_secrets)
        # Errors are quoted in messages, and so searched for fragments of secrets as well.
        if result.status not in SUCCESS or _repeats(result, secrets):
            from .scrub import scrub  # noqa: PLC0415

            return scrub(result, secrets)
        return result

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


def _read(response: requests.Response) -> tuple[bytes, str]:
    """Return the whole body, or nothing and why it could not be read."""
    try:
        return read_body(response.raw), ""
    except TooLargeError:
        return b"", TOO_LARGE
    except (HTTPError, OSError, EOFError, ValueError, zlib.error):
        return b"", INCOMPLETE


def _repeats(response: Response, secrets: Iterable[str]) -> bool:
    """Return whether a response repeats a secret as a whole; also in its headers, which may lead to a next page."""
    headers = " ".join(response.headers.values()).encode("utf-8", "replace")
    return any(has_echo(content, secrets) for content in (response.content, headers))


def _proxy_secrets(adapter: ConsoleAdapter, proxies: Iterable[str]) -> Iterator[str]:
    """Yield what a proxy is sent of our password for it, which it may repeat."""
    for proxy in proxies:
        # One whose address is invalid cannot be used either.
        with contextlib.suppress(ValueError):
            yield from (value.rpartition(" ")[2] for value in adapter.proxy_headers(proxy).values())
