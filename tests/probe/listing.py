# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists as a console gives them: their shapes, and their pages as far as links lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit

from .client import PREFIX, ProbeError

if TYPE_CHECKING:
    from .client import Client, Reply

Record = dict[str, Any]

_SHAPES = {"count": "page", "total": "total", "next_page": "next_page", "links": "body_links"}
_HEADERS = {"content-range": "range", "x-total-count": "total_header"}
_LINK = re.compile(r'<([^>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))*)')
_RELATION = re.compile(r';\s*rel\s*=\s*"?([^";,]*)', re.IGNORECASE)
_MOST_PAGES = 20


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
        return [record for place, record in enumerate(found) if record not in found[:place]]

    @property
    def repeated(self) -> int | None:
        """Return how many records the second page repeats of the first; None where there is none."""
        return sum(record in self.groups[0] for record in self.groups[1]) if len(self.groups) > 1 else None

    @property
    def page_size(self) -> int | None:
        """Return the length of the first page, where there is another one."""
        return len(self.groups[0]) if len(self.pages) > 1 or not self.is_complete else None

    @property
    def shape(self) -> str:
        """Return the shape of the most telling page."""
        return next((shape for shape in map(_shape, self.pages) if shape != "array"), "array")

    @property
    def is_miscounted(self) -> bool | None:
        """Return whether the first page counts wrongly; None where that cannot be said."""
        value = self.pages[0].value
        count = str(value.get("count")) if isinstance(value, dict) else ""
        return int(count) != len(self.records) if count.isdecimal() and self.is_complete else None


def read_list(client: Client, path: str, number: int) -> Listing:
    """Return a list; ProbeError where it cannot be read."""
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
    own, parts = urlsplit(origin), urlsplit(address)
    if parts.netloc and parts.netloc.lower() != own.netloc.lower():
        return "other_host"
    return "relative" if not parts.netloc else "absolute" if parts.scheme == own.scheme else "wrong_scheme"


def _has_more(page: Reply, length: int) -> bool:
    """Return whether a page without a link says in another way that there are more records than these."""
    value = page.value if isinstance(page.value, dict) else {}
    span = page.headers.get("content-range", "").rpartition("/")[2]
    totals = [str(total) for total in (value.get("total"), page.headers.get("x-total-count"), span)]
    return bool(value.get("next_page")) or any(total.isdecimal() and int(total) > length for total in totals)
