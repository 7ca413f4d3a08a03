# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The records of one resource on one console: its list, read to the end, or why that cannot be done.

The API documents an array for volumes and nothing for the other lists (docs/docsite/rst/api.rst, "Lists"), so every sign
that there are more records is heeded: one that is missed would be created twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from ..connection import canonical_host
from ..errors import RequestError
from ..http.client import Client
from ..http.signing import canonical_query
from ..http.transport import MAX_MIB, Response
from ..model.records import Record, Records, format_value
from ..model.resources import VOLUME, Resource

# As many pages are read in a few seconds where a console is quick, and they hold more records than any volume has.
MAX_PAGES = 10_000
MAX_PAGES_WITHOUT_RECORD = 10
_TOTALS = ("count", "total", "total_count")
_TOTAL_HEADERS = ("X-Total-Count", "X-Total")
_KNOWN = ("results", "next", "previous", *_TOTALS)
_PARTIAL_CONTENT = 206
# The parts of a Link header, compiled when there is one.
_TARGET = r"[\s,]*<([^<>]*)>"
_PARAMETER = r"\s*;\s*([^\s=;,\"]+)\s*(?:=\s*(\"(?:\\.|[^\"\\])*\"|[^\s;,\"]*))?"
_END = r"\s*(,|$)"


class Store:
    """Reads the records of a resource, those of a volume where they belong to one.

    `place` says which volume that is, for messages and headers.
    """

    def __init__(self, client: Client, resource: Resource, volume: Record | None = None) -> None:
        self.client = client
        self.resource = resource
        self.place = place_of(VOLUME.key_of(volume)) if volume else ""
        self.path = client.url_path(resource.path.format(volume_id=volume["id"] if volume else None))

    def read(self) -> Records:
        """Return all records, each with an id and a natural key; RequestError where one has none.

        Such a record could be the one that is looked for, so nothing can be decided without it. Blank text is a key
        that nobody asks for: a console creates exports without a description.
        """
        records = self.list_records()
        self._check(records, "id", is_id)
        if self.resource.key:
            self._check(records, self.resource.key.in_api, _is_key)
        return Records(self.resource, records, self.place)

    def list_records(self) -> list[Record]:
        """Return all records, as they come, each once.

        RequestError where the response is not a list, where its pages lead elsewhere or in a circle, and where the total
        that it gives is not met even when read again.
        """
        for _attempt in range(2):
            reader = _Reader(self.client, self.path)
            records = reader.read(is_root=not self.resource.is_in_volume)
            if not reader.totals - {len(records)}:
                return records
        announced = " or ".join(map(str, sorted(reader.totals)))
        raise _error(self.path, f"the list announces {announced} records, but its pages hold {len(records)}")

    def _check(self, records: list[Record], name: str, is_usable: Callable[[Any], bool]) -> None:
        bad = [record for record in records if not is_usable(record.get(name))]
        if bad:
            which = "" if name == "id" else f" (ids {', '.join(str(record['id']) for record in bad[:10])})"
            raise _error(
                self.path,
                f"the console shows {self.resource.plural} without a usable {name}{which}: they cannot be identified",
            )


class Page:
    """What a response of a list says.

    `records` is unchecked, `following` the link to the next page, `totals` how many records the whole list has,
    `unknown_sign` a sign of more records that nobody knows how to get, `size` the length of the response in bytes.
    """

    def __init__(self, content: Any, response: Response) -> None:
        self.records = content
        self.size = len(response.content)
        self.following, is_readable = _next_link(response.headers.get("Link", ""))
        extra: Mapping[str, Any] = {}
        if isinstance(content, dict) and isinstance(content.get("results"), list):
            self.records = content["results"]
            self.following = content.get("next") or self.following
            extra = content
        given = [extra.get(name) for name in _TOTALS] + [response.headers.get(name) for name in _TOTAL_HEADERS]
        self.totals = {int(str(total)) for total in given if re.fullmatch("[0-9]{1,20}", str(total))}
        self.unknown_sign = next(_unknown_signs(extra, response, self.records), None)
        if not is_readable and not self.following and "next" in response.headers.get("Link", "").lower():
            self.unknown_sign = "its Link header"


class _Reader:
    """Reads one list from its first page to its last. `totals` are those that its pages give: one, where nothing moved."""

    def __init__(self, client: Client, path: str) -> None:
        self.totals: set[int] = set()
        self._client = client
        self._path = path
        self._records: dict[Any, Record] = {}
        self._visited: set[tuple[str, str]] = set()
        self._pages_without_record = 0
        self._size = 0

    def read(self, is_root: bool) -> list[Record]:
        """Return the records in the order met, each id once; `is_root` where every console has this list."""
        url = (self._path, "")
        page = Page(*self._client.get_json(self._path, is_root=is_root))
        while True:
            self._visited.add(url)
            if page.unknown_sign:
                message = (
                    f"the list is incomplete, as {page.unknown_sign} shows, and it does not say how to get the rest"
                )
                raise _error(url[0], message)
            self.totals |= page.totals
            self._add(page, url[0])
            if not page.following:
                return list(self._records.values())
            url = self._resolve(url, page.following)
            self._refuse_endless(url)
            page = Page(*self._client.get_json(*url))

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

    def _resolve(self, url: tuple[str, str], link: Any) -> tuple[str, str]:
        """Return path and query of the next page, to be requested from our own origin whatever scheme the link has.

        A link to another host is refused: it must never get a signature.
        """
        path, query = url
        origin = self._client.settings.origin
        if not isinstance(link, str):
            raise _error(path, "the link to the next page is not text")
        try:
            parts = urlsplit(urljoin(f"{origin}{path}?{query}", link))
            host = canonical_host(parts.hostname or "")
        except ValueError:
            raise _error(path, "the link to the next page is not a valid URL") from None
        if host != canonical_host(urlsplit(origin).hostname or "") or parts.scheme not in ("http", "https"):
            raise _error(path, f"the next page is on another host ({host[:60]}), which is not followed")
        return parts.path, canonical_query(parts.query)

    def _refuse_endless(self, url: tuple[str, str]) -> None:
        if url in self._visited:
            raise _error(url[0], "the pages of the list form a loop")
        if len(self._visited) >= MAX_PAGES:
            raise _error(url[0], f"the list does not end within {MAX_PAGES:,} pages, which is the most that is read")
        if self._pages_without_record > MAX_PAGES_WITHOUT_RECORD:
            raise _error(url[0], f"the list goes on for {self._pages_without_record} pages without a new record")


def _next_link(header: str) -> tuple[str | None, bool]:
    """Return the target of `rel="next"` in a Link header (RFC 8288), and whether the header could be read."""
    target_at, parameter_at, end_at = (re.compile(part).match for part in (_TARGET, _PARAMETER, _END))
    following = None
    position = 0
    header = header.rstrip(" ,\t")
    while position < len(header):
        target = target_at(header, position)
        if target is None:
            return following, False
        position = target.end()
        relations = None
        while parameter := parameter_at(header, position):
            position = parameter.end()
            if parameter.group(1).lower() == "rel" and relations is None:
                relations = (parameter.group(2) or "").strip('"').lower().split()
        if "next" in (relations or []) and following is None:
            following = target.group(1)
        if not end_at(header, position):
            return following, False
    return following, True


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


def place_of(volume: Any) -> str:
    """Return where the records of a volume are, for messages: ` of volume 'projects'`."""
    return f" of volume {format_value(volume)}"


def is_id(value: Any) -> bool:
    """Return whether a value is a number, or text that can stand in a path and means nothing else there."""
    if isinstance(value, str):
        return re.fullmatch("[A-Za-z0-9_-]{1,100}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _is_key(value: Any) -> bool:
    return isinstance(value, (int, float, str)) and not isinstance(value, bool)


def _error(path: str, message: str) -> RequestError:
    return RequestError("GET", path, message, 200)
