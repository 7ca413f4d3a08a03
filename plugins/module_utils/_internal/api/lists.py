# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the list of one resource on one console to its end, or fails.

The API documents an array for volumes and nothing for the other lists (docs/docsite/rst/api.rst, "Lists"), so every sign
of more records counts: a record that is missed would be created twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

from ..connection import canonical_host
from ..errors import ConsoleError, RequestError
from ..http.client import Client
from ..http.policy import NOT_FOUND
from ..http.transport import MAX_MIB, Response, canonical_query
from ..model.records import Patterns, Record, Records, is_key, of_volume, sort_records
from ..model.resources import IGNORED, Resource
from ..values import MAX_VALUES, MAX_VALUES_OF_TASK, count_values

Item = TypeVar("Item")
Result = TypeVar("Result")
# A fast console sends this many pages in a few seconds, and they hold more records than any volume has.
MAX_PAGES = 10_000
MAX_PAGES_WITHOUT_RECORD = 10
# One that a change disturbed, and two that agree.
_MAX_READINGS = 3
_TOTALS = ("count", "total", "total_count")
_TOTAL_HEADERS = ("X-Total-Count", "X-Total")
_KNOWN = ("results", "next", "previous", *_TOTALS)
_TOTAL = re.compile("[0-9]{1,20}")
_PARTIAL_CONTENT = 206
# The longest line that a response's head may have. Several lines are joined.
_MAX_LINK = 2**16
# Python checks a host in Unicode in time that grows with the square of its length.
_MAX_UNICODE_LINK = 2**12
# The parts of a Link header, compiled when there is one.
_PARAMETER = r"\s*;\s*([^\s=;,\"]+)\s*(?:=\s*(\"(?:\\.|[^\"\\])*\"|[^\s;,\"]*))?"
_LINK = rf"<([^<>]*)>((?:{_PARAMETER})*)\s*(?=,|$)"


class _MissingPageError(RequestError):
    """A page that the previous one links to is missing: the list may have shrunk while it was read."""


class Store:
    """Reads the records of a resource, those of one volume if they belong to volumes.

    `patterns` are those of the records that are left out, in this list and those below, by the names of lists.
    """

    def __init__(self, client: Client, resource: Resource, volume: Record | None = None) -> None:
        self.client = client
        self.resource = resource
        self.volume = volume
        self.patterns: Mapping[str, Patterns] = {}
        self.of_volume = of_volume(volume)
        self._shown: set[str] = set()
        self.path = client.url_path(resource.path.format(volume_id=volume["id"] if volume else None))

    def below(self, resource: Resource, volume: Record) -> Store:
        """Return the store of a list below a volume of this one."""
        store = Store(self.client, resource, volume)
        store.patterns = self.patterns
        return store

    def read(self) -> Records:
        """Return all records, each with an id of its own, those of others apart.

        RequestError if they cannot be told apart. A record that showed its key in an earlier reading stays one of ours without
        it: a written record must not seem gone because the console shows it differently.
        """
        listed = self.list_records()
        try:
            patterns = self.patterns.get(self.resource.plural)
            records = sort_records(self.resource, listed, self.of_volume, patterns, self._shown)
        except ConsoleError as error:
            raise self._error(str(error)) from None
        if self.resource.without_key is IGNORED:
            self._shown |= {str(record.get("id")) for record in listed if is_key(self.resource.key_of(record))}
        return records

    def list_records(self) -> list[Record]:
        """Return all records as the console sends them, each once.

        RequestError if the response is not a list, if its pages lead elsewhere or in a circle, and if no reading meets the
        announced total, or all lack a page. Pages without a total are read until a reading has all records of the one before:
        while a list is read, a deletion moves the records behind it, and one of them from the next page to one that was read.
        """
        seen: set[str] | None = None
        for is_last in (False,) * (_MAX_READINGS - 1) + (True,):
            try:
                records, totals, is_in_parts = self._read_to_end()
            except _MissingPageError:
                if is_last:
                    raise
                continue
            ids = {str(record.get("id")) for record in records} if is_in_parts and not totals else set()
            if not totals - {len(records)} and (not ids or (seen is not None and seen <= ids)):
                return records
            seen, size = ids or None, len(records)
            # The next reading needs the room.
            records.clear()
        if totals:
            total = " or ".join(map(str, sorted(totals)))
            raise self._error(f"the list announces a length of {total}, but its pages hold {size}: run the task again")
        raise self._error("the pages of the list hold different records each time they are read: run the task again")

    def _read_to_end(self) -> tuple[list[Record], set[int], bool]:
        """Return the records in the order met, the totals that the pages give, and whether there are several pages.

        The total is a single one if nothing moved.
        """
        records: dict[Any, Record] = {}
        totals: set[int] = set()
        size = values = without_record = pages = 0
        for page in self._pages():
            pages += 1
            totals |= page.totals
            size += page.size
            values += page.values
            if size > MAX_MIB * 2**20 or values > MAX_VALUES:
                raise self._error(
                    f"the pages of the list are larger than {MAX_MIB} MiB, or have more than {MAX_VALUES:,} values, which is"
                    " the most that is read. Check console_url"
                )
            if not isinstance(page.records, list) or not all(isinstance(record, dict) for record in page.records):
                raise self._error("expected a list of records, got something else. Check console_url")
            before = len(records)
            # A record that moves while the list is read is on two pages. The later one counts.
            records.update(self._by_identity(page.records))
            without_record = without_record + 1 if len(records) == before else 0
            if page.following and without_record > MAX_PAGES_WITHOUT_RECORD:
                raise self._broken(f"the list goes on for {without_record} pages without a new record")
        if self.client.hold(self.path, list(records.values()), values) > MAX_VALUES_OF_TASK:
            raise self._error(
                f"the lists of this task have more than {MAX_VALUES_OF_TASK:,} values, which is the most that is held. Take"
                " the volumes in several tasks"
            )
        return list(records.values()), totals, pages > 1

    def _by_identity(self, listed: list[Record]) -> dict[Any, Record]:
        """Return the records of one page under what identifies each; an error if it is the same for two of ours."""
        found: dict[Any, Record] = {}
        for record in listed:
            identity = record.get("id")
            # Without an id, a repeated record cannot be recognized, so each counts. What has no key may share the id of another
            # record, on another page, and must not take its place.
            name = object() if identity is None else (self.resource.key_of(record) is None, str(identity))
            if name in found and {**found[name], "id": identity} != record:
                what = f"different {self.resource.plural} with the same id (id {str(identity)[:60]})"
                raise self._broken(f"the console shows {what}: they cannot be identified")
            found[name] = record
        return found

    def _pages(self) -> Iterator[Page]:
        """Yield the pages of the list; only the first has a fixed address."""
        url = (self.path, "")
        visited: set[tuple[str, str]] = set()
        while url not in visited:
            if len(visited) >= MAX_PAGES:
                raise self._error(f"the list does not end within {MAX_PAGES:,} pages, the most read. Check console_url")
            page = self._get_page(url, is_first=not visited)
            visited.add(url)
            if page.unknown_sign:
                raise self._error(f"the list is incomplete, as {page.unknown_sign} shows. Report this to us")
            yield page
            if not page.following:
                return
            url = self._resolve(url, page.following)
        raise self._broken("the pages of the list form a loop")

    def _get_page(self, url: tuple[str, str], is_first: bool) -> Page:
        try:
            return Page(*self.client.get_json(*url, is_root=is_first and not self.resource.is_in_volume))
        except RequestError as error:
            if is_first or error.status != NOT_FOUND:
                raise
            raise _MissingPageError("GET", url[0], error.details["failure"]["message"], NOT_FOUND) from None

    def _resolve(self, url: tuple[str, str], link: Any) -> tuple[str, str]:
        """Return path and query of the next page, to be requested from our origin whatever the link's scheme.

        A link to another host is refused: no other host may ever get a signature.
        """
        origin = self.client.settings.origin
        if not isinstance(link, str) or (len(link) > _MAX_UNICODE_LINK and not link.isascii()):
            raise self._broken("the link to the next page is not text, or too long")
        try:
            parts = urlsplit(urljoin("{}{}?{}".format(origin, *url), link))
            host = canonical_host(parts.hostname or "")
        except ValueError:
            raise self._broken("the link to the next page is not a valid URL") from None
        if host != canonical_host(urlsplit(origin).hostname or "") or parts.scheme not in ("http", "https"):
            raise self._error(f"the next page is on another host ({host[:60]}), not followed. Check console_url")
        return parts.path, canonical_query(parts.query)

    def _error(self, message: str) -> RequestError:
        return RequestError("GET", self.path, message, 200)

    def _broken(self, reason: str) -> RequestError:
        return self._error(f"{reason}. Report this to whoever runs the console")


class Page:
    """One response of a list.

    `records` is unchecked, `following` the link to the next page, `totals` the announced lengths of the whole list,
    `unknown_sign` a sign of more records that nobody knows how to get, `size` the length of the response in bytes, `values`
    an upper bound on the number of its JSON values.
    """

    def __init__(self, content: Any, response: Response) -> None:
        self.records = content
        self.size = len(response.content)
        self.values = count_values(response.content)
        self.following, is_readable = _next_link(response.headers.get("Link", ""))
        extra: Mapping[str, Any] = {}
        if isinstance(content, dict) and isinstance(content.get("results"), list):
            self.records = content["results"]
            self.following = content.get("next") or self.following
            extra = content
        given = [extra.get(name) for name in _TOTALS] + [response.headers.get(name) for name in _TOTAL_HEADERS]
        self.totals = {int(str(total)) for total in given if _TOTAL.fullmatch(str(total))}
        self.unknown_sign = next(_unknown_signs(extra, response, self.records), None)
        if not is_readable and not self.following and "next" in response.headers.get("Link", "").lower():
            self.unknown_sign = "its Link header"


def _next_link(header: str) -> tuple[str | None, bool]:
    """Return the target of `rel="next"` in a Link header (RFC 8288), and whether the header could be read."""
    if len(header) > _MAX_LINK:
        return None, False
    for link in re.finditer(_LINK, header):
        relations = [value for name, value in re.findall(_PARAMETER, link[2]) if name.lower() == "rel"]
        if relations and "next" in relations[0].strip('"').lower().split():
            return link[1], True
    return None, not re.sub(_LINK, "", header).strip(" ,\t")


def _unknown_signs(extra: Mapping[str, Any], response: Response, records: Any) -> Iterator[str]:
    whole = ""
    if isinstance(records, list):
        whole = f"0-{len(records) - 1}/{len(records)}" if records else "*/0"
    content_range = response.headers.get("Content-Range", "")
    if content_range and content_range.rpartition(" ")[2] != whole:
        yield "its Content-Range"
    elif response.status == _PARTIAL_CONTENT and not content_range:
        yield "its status 206"
    for name, value in extra.items():
        links = value if isinstance(value, dict) else {name: value}
        for link, target in links.items():
            is_sign = "next" in link.lower() or link.lower() in ("has_more", "hasmore", "cursor", "more")
            if is_sign and target and name not in _KNOWN:
                yield f"its {name}" if name == link else f"its {name}.{link}"


def side_by_side(function: Callable[[Item], Result], items: Iterable[Item], concurrency: int) -> list[Result]:
    """Call a function that makes requests with each item, `concurrency` at a time, and return its results in order.

    After the first error, which is raised, no more calls begin.
    """
    items = list(items)
    if concurrency == 1 or len(items) < 2:
        return [function(item) for item in items]
    with ThreadPoolExecutor(concurrency) as pool:
        return list(pool.map(function, items))
