# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists that a console does not return as one array: pages that name the next one, and whatever else there may be.

The API documents an array for volumes and nothing for the other lists (docs/docsite/rst/api.rst, "Lists").
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin, urlsplit

from ..errors import RequestError
from ..http.body import MAX_MIB
from ..http.client import Client
from ..http.response import Response
from ..http.signing import canonical_query
from ..model.records import Record
from .page import Page

# As many pages are read in a few seconds where a console is quick, and they hold more records than any volume has.
MAX_PAGES = 10_000
MAX_PAGES_WITHOUT_RECORD = 10


def read_pages(client: Client, path: str, content: Any, response: Response) -> list[Record]:
    """Return all records of the list at an absolute path, each once, given the response to its first page.

    RequestError where the response is not a list, where its pages lead elsewhere or in a circle, and where the total
    that it gives is not met even when read again: a record that is missed would be created twice.
    """
    records, totals = _Reader(client, path).read(Page(content, response))
    if totals - {len(records)}:
        records, totals = _Reader(client, path).read(Page(*client.get_json(path)))
    if not totals - {len(records)}:
        return records
    announced = " or ".join(map(str, sorted(totals)))
    raise _error(path, f"the list announces {announced} records, but its pages hold {len(records)}")


class _Reader:
    """Reads one list from its first page to its last."""

    def __init__(self, client: Client, path: str) -> None:
        self._client = client
        self._path = path
        self._records: dict[Any, Record] = {}
        self._totals: set[int] = set()
        self._visited: set[tuple[str, str]] = set()
        self._pages_without_record = 0
        self._size = 0

    def read(self, page: Page) -> tuple[list[Record], set[int]]:
        """Return the records by id in the order met, and the totals that pages give: one, where nothing moved."""
        place = (self._path, "")
        while True:
            self._visited.add(place)
            if page.unknown_sign:
                message = (
                    f"the list is incomplete, as {page.unknown_sign} shows, and it does not say how to get the rest"
                )
                raise _error(place[0], message)
            self._totals |= page.totals
            self._add(page, place[0])
            if not page.following:
                return list(self._records.values()), self._totals
            place = self._resolve(place, page.following)
            self._refuse_endless(place)
            page = Page(*self._client.get_json(*place))

    def _add(self, page: Page, path: str) -> None:
        records = page.records
        self._size += page.size
        if self._size > MAX_MIB * 2**20:
            raise _error(path, f"the pages of the list are larger than {MAX_MIB} MiB, which is the most that is read")
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise _error(path, "expected a list of records, got something else. Check console_url")
        before = len(self._records)
        for record in records:
            identity = record.get("id")
            # A record without an id cannot be told from a repeated one, so each stands for itself.
            key = ("without id", len(self._records)) if identity is None else str(identity)
            self._records[key] = record
        self._pages_without_record = self._pages_without_record + 1 if len(self._records) == before else 0

    def _resolve(self, place: tuple[str, str], link: Any) -> tuple[str, str]:
        """Return path and query of the next page, to be requested from our own origin whatever scheme the link has.

        A link to another host is refused: it must never get a signature.
        """
        path, query = place
        origin = self._client.settings.origin
        if not isinstance(link, str):
            raise _error(path, "the link to the next page is not text")
        try:
            parts = urlsplit(urljoin(f"{origin}{path}?{query}", link))
            host = parts.hostname
        except ValueError:
            raise _error(path, "the link to the next page is not a valid URL") from None
        if host != urlsplit(origin).hostname or parts.scheme not in ("http", "https"):
            raise _error(path, f"the next page is on another host ({str(host)[:60]}), which is not followed")
        return parts.path, canonical_query(parts.query)

    def _refuse_endless(self, place: tuple[str, str]) -> None:
        if place in self._visited:
            raise _error(place[0], "the pages of the list form a loop")
        if len(self._visited) >= MAX_PAGES:
            raise _error(place[0], f"the list does not end within {MAX_PAGES:,} pages, which is the most that is read")
        if self._pages_without_record > MAX_PAGES_WITHOUT_RECORD:
            raise _error(place[0], f"the list goes on for {self._pages_without_record} pages without a new record")


def _error(path: str, message: str) -> RequestError:
    return RequestError("GET", path, message, 200)
