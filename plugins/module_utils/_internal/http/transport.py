# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One attempt at one request: signed, sent over a kept-alive connection, read within the deadline.

Nothing is retried here, no redirect followed, no cookie kept, and of the environment only proxies count.
"""

from __future__ import annotations

import contextlib
import re
import traceback
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..version import COLLECTION_VERSION
from .auth import SignatureAuth
from .clock import Clock
from .connections import PROGRESS, ConsoleAdapter
from .response import SUCCESS, Response
from .settings import Settings

if TYPE_CHECKING:
    from .no_response import Outcome

try:
    import requests
    from requests.utils import get_environ_proxies
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
        self.proxies = get_environ_proxies(settings.origin, no_proxy=None)
        self._proxy_secrets = tuple(_proxy_secrets(self._adapter, self.proxies.values()))

    def send(self, method: str, path: str, query: str, body: bytes | None, timestamp: int) -> Outcome:
        """Make one attempt, signed for `timestamp`. `path` is absolute, `query` raw."""
        PROGRESS.sent = False
        auth = SignatureAuth(self._settings.access_key, self._settings.secret_key, timestamp)
        sent_at, started = self._clock.time(), self._clock.elapsed()
        try:
            response = self._exchange(method, path + ("?" + query if query else ""), body, auth)
        except (requests.RequestException, HTTPError, OSError, ValueError, TypeError) as error:
            from .no_response import NoResponse  # noqa: PLC0415

            return NoResponse(error, PROGRESS.sent)
        took = self._clock.elapsed() - started
        with response:
            content = _read(response)
        is_truncated = content is None
        result = Response(response.status_code, response.headers, content or b"", is_truncated, sent_at, took)
        secrets = (*auth.secrets, *self._proxy_secrets)
        # Errors are quoted in messages, and so searched for fragments of secrets as well.
        if result.status not in SUCCESS or any(secret.encode() in result.content for secret in secrets):
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
            proxies=self.proxies,
            stream=True,
        )


def _read(response: requests.Response) -> bytes | None:
    """Return the whole body, or None where it broke off (older urllib3 does not notice by itself)."""
    try:
        content = response.content
    except (requests.RequestException, HTTPError, OSError, ValueError):
        return None
    announced = response.headers.get("Content-Length", "")
    is_short = re.fullmatch("[0-9]{1,20}", announced) and response.raw.tell() < int(announced)
    return None if is_short else content


def _proxy_secrets(adapter: ConsoleAdapter, proxies: Iterable[str]) -> Iterator[str]:
    """Yield what a proxy is sent of our password for it, which it may repeat."""
    for proxy in proxies:
        # One whose address is invalid cannot be used either.
        with contextlib.suppress(ValueError):
            yield from (value.rpartition(" ")[2] for value in adapter.proxy_headers(proxy).values())
