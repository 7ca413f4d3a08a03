# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed requests to a console, one at a time and limited in number, and lists with all pages that links lead to."""

from __future__ import annotations

import dataclasses
import http.client
import json
import re
import ssl
import urllib.request
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qsl, urljoin, urlsplit

from emulator.signature import sign_headers

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "/api/v1"
LIMIT, FOR_CLEANUP = 250, 60
"""The requests that a probe may make, and how many more its clean-up."""
_TRIES, _LONGEST_PAUSE, _LARGEST_BODY = 4, 60.0, 16 * 1024 * 1024
Record = dict[str, Any]
_SHAPES = {"count": "page", "total": "total", "next_page": "next_page", "links": "body_links"}
_HEADERS = {"content-range": "range", "x-total-count": "total_header"}
_LINK = re.compile(r'<([^>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))*)')
_RELATION = re.compile(r';\s*rel\s*=\s*"?([^";,]*)', re.IGNORECASE)
_MOST_PAGES = 20
_FALSE = ("0", "false", "f", "no", "n", "off")


class ProbeError(Exception):
    """The probe cannot go on; the text says why."""


class Clock(Protocol):
    """The interface of the module `time`."""

    def time(self) -> float:
        """Return the seconds since the epoch."""

    def sleep(self, seconds: float, /) -> None:
        """Let seconds pass."""


@dataclasses.dataclass(frozen=True)
class Connection:
    """The address of the console, without the prefix of the API, and the keys that sign requests."""

    url: str
    access_key: str
    secret_key: str = dataclasses.field(repr=False)
    timeout: float = 30.0
    tls: ssl.SSLContext | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Connection:
        """Return the connection that the modules would use; ProbeError if it cannot be used."""
        given = {name: value.strip() for name, value in environment.items() if value.strip()}
        names = [f"MANAGEDFS_{name}" for name in ("CONSOLE_URL", "ACCESS_KEY", "SECRET_KEY")]
        if missing := [name for name in names if name not in given]:
            raise ProbeError(f"{', '.join(missing)} must be set in the environment")
        url, access_key, secret_key = (given[name] for name in names)
        if not url.startswith(("http://", "https://")):
            raise ProbeError("MANAGEDFS_CONSOLE_URL must begin with http:// or https://")
        try:
            tls, timeout = _tls(given), float(given.get("MANAGEDFS_TIMEOUT", 30))
        except (OSError, ValueError) as error:
            raise ProbeError(f"the connection in the environment cannot be used: {error}") from error
        return cls(url.rstrip("/").removesuffix(PREFIX), access_key, secret_key, timeout, tls)


def _tls(given: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=given.get("MANAGEDFS_CA_PATH"))
    if given.get("MANAGEDFS_VALIDATE_CERTS", "").lower() in _FALSE:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certificate := given.get("MANAGEDFS_CLIENT_CERT"):
        context.load_cert_chain(certificate, given.get("MANAGEDFS_CLIENT_KEY"))
    return context


class Reply(NamedTuple):
    """An answer, with status 0 if there was none, and the time of the request by the probe's clock."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: float
    skew: float | None = None
    """By how many seconds the console's clock is ahead, where the answer tells."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_refusal(self) -> bool:
        return 400 <= self.status < 500

    @property
    def value(self) -> Any:
        """Return the body, parsed from JSON; None for anything else."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def content(self) -> str:
        """Return the kind of the body: empty, html, text, array, page, id, record or other."""
        text, value = self.body.strip(), self.value
        if value is None:
            return "empty" if not text else "html" if text.startswith(b"<") else "text"
        if not isinstance(value, dict):
            return "array" if isinstance(value, list) else "other"
        return "page" if "results" in value else "id" if set(value) == {"id"} else "record"


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Accepts every status as an answer; redirects are not followed."""

    def http_response(self, _request: Any, response: Any) -> Any:
        return response

    https_response = http_response  # type: ignore[assignment]


class Client:
    """Sends requests and keeps the answers. `limit` is the number of requests that it may still send."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self.connection, self.clock, self.limit = connection, clock, LIMIT
        self.replies: list[Reply] = []
        self._opener = urllib.request.build_opener(_AnyStatus, urllib.request.HTTPSHandler(context=connection.tls))

    def request(self, method: str, path: str, body: Any = None, *, query: str = "") -> Reply:
        """Return the answer; ProbeError if a GET gets none. A GET is repeated if the console fails."""
        for attempt in range(_TRIES):
            reply = self.send(method, path, body, query=query)
            self.replies.append(reply)
            if reply.status != 429 and (method != "GET" or reply.status not in (0, 500, 502, 503, 504)):
                break
            self.clock.sleep(self._pause(reply, attempt) if reply.status == 429 else 0.5)
        if method == "GET" and not reply.status:
            raise ProbeError("the console no longer answers")
        return reply

    def send(
        self, method: str, path: str, body: Any = None, *, query: str = "", seconds_ago: int = 0, secret_key: str = ""
    ) -> Reply:
        """Send a request once, perhaps signed for an earlier time, or with another key."""
        if self.limit <= 0:
            raise ProbeError("the probe has made as many requests as it may")
        self.limit -= 1
        to, sent = self.connection, self.clock.time()
        url = f"{to.url}{PREFIX}{path}" + (f"?{query}" if query else "")
        data, key = None if body is None else json.dumps(body).encode(), secret_key or to.secret_key
        headers = sign_headers(to.access_key, key, int(sent) - seconds_ago, method, url, body=data)
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with self._opener.open(request, timeout=to.timeout) as response:
                found = {name.lower(): text for name, text in response.headers.items()}
                content, date = response.read(_LARGEST_BODY), _date(found.get("date", ""))
                # A truncated or overlong body is no answer.
                status = 0 if response.length else response.status
        except (OSError, http.client.HTTPException):
            return Reply(method, path, 0, {}, b"", sent)
        skew = None if date is None or "age" in found else date - (sent + self.clock.time()) / 2
        return Reply(method, path, status, found, content, sent, skew)

    def _pause(self, reply: Reply, attempt: int) -> float:
        """Return the seconds to wait after an answer 429."""
        text = reply.headers.get("retry-after", "").strip()
        pause, date = float(text) if text.isdecimal() else 0.5 * 2**attempt, _date(text)
        if date is not None:
            pause = date - self.clock.time() - (reply.skew or 0.0)
        return max(0.0, min(pause, _LONGEST_PAUSE))


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None


class Listing(NamedTuple):
    """One reading of a list, the nth of this list. `link` is the style of the addresses of further pages, if any."""

    number: int
    pages: list[Reply]
    groups: list[list[Record]]
    link: str
    is_complete: bool

    @property
    def records(self) -> list[Record]:
        """Return the records of all pages, each once."""
        found = [record for group in self.groups for record in group]
        return [record for index, record in enumerate(found) if record not in found[:index]]

    @property
    def repeated(self) -> int | None:
        """Return how many records of the first page the second one repeats; None if there is none."""
        return sum(record in self.groups[0] for record in self.groups[1]) if len(self.groups) > 1 else None

    @property
    def page_size(self) -> int | None:
        """Return the length of the first page, if there is another one."""
        return len(self.groups[0]) if len(self.pages) > 1 or not self.is_complete else None

    @property
    def shape(self) -> str:
        """Return the shape of the most informative page."""
        return next((shape for shape in map(_shape, self.pages) if shape != "array"), "array")

    @property
    def is_miscounted(self) -> bool | None:
        """Return whether the first page counts wrongly; None if that is unknown."""
        value = self.pages[0].value
        count = str(value.get("count")) if isinstance(value, dict) else ""
        return int(count) != len(self.records) if count.isdecimal() and self.is_complete else None


def read_list(client: Client, path: str, number: int) -> Listing:
    """Return a list; ProbeError if it cannot be read."""
    listing, query = Listing(number, [], [], "", False), ""
    while True:
        page = client.request("GET", path, query=query)
        listing.pages.append(page)
        listing.groups.append(_records(page))
        address = _next_address(page)
        if address is None:
            return listing._replace(is_complete=not _has_more(page, sum(map(len, listing.groups))))
        query = urlsplit(urljoin(f"{client.connection.url}{PREFIX}{path}", address)).query
        listing = listing._replace(link=_style(address, client.connection.url, query, len(listing.pages)))
        if listing.link in ("loop", "other_host") or len(listing.pages) == _MOST_PAGES:
            return listing._replace(is_complete=listing.link == "loop")


def _records(page: Reply) -> list[Record]:
    records = page.value.get("results") if isinstance(page.value, dict) else page.value
    if not page.is_success or not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        what = "something that is no list" if page.is_success else f"HTTP {page.status}"
        raise ProbeError(f"GET {re.sub('/[0-9]+', '/{id}', page.path)} was answered with {what}")
    return records


def _shape(page: Reply) -> str:
    if isinstance(page.value, dict):
        return next((shape for key, shape in _SHAPES.items() if key in page.value), "other")
    links = list(_links(page))
    by_links = "array" if not links else "link" if links == ["next"] else "many_links"
    return next((shape for name, shape in _HEADERS.items() if name in page.headers), by_links)


def _links(page: Reply) -> dict[str, str]:
    """Return the addresses in the Link header, by their relations."""
    found = _LINK.findall(page.headers.get("link", ""))
    return {name.lower(): address for address, parameters in found for name in _RELATION.findall(parameters)[:1]}


def _next_address(page: Reply) -> str | None:
    """Return the address of the next page, if the page has one."""
    address = next((address for names, address in _links(page).items() if "next" in names.split()), None)
    if isinstance(page.value, dict):
        links = page.value.get("links")
        address = (links if isinstance(links, dict) else page.value).get("next")
    return address if isinstance(address, str) else None


def _style(address: str, origin: str, query: str, pages_read: int) -> str:
    """Return the style of an address. One that leads back is not followed, since that may count as another reading."""
    number = dict(parse_qsl(query)).get("page", "")
    if not query or (number.isdecimal() and int(number) <= pages_read):
        return "loop"
    base, parts = urlsplit(origin), urlsplit(address)
    if parts.netloc and parts.netloc.lower() != base.netloc.lower():
        return "other_host"
    return "relative" if not parts.netloc else "absolute" if parts.scheme == base.scheme else "wrong_scheme"


def _has_more(page: Reply, length: int) -> bool:
    """Return whether a page without a link indicates in another way that there are more records than these."""
    value = page.value if isinstance(page.value, dict) else {}
    span = page.headers.get("content-range", "").rpartition("/")[2]
    totals = [str(total) for total in (value.get("total"), page.headers.get("x-total-count"), span)]
    return bool(value.get("next_page")) or any(total.isdecimal() and int(total) > length for total in totals)
