# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists as they are shown: whole or in parts, late, or as they were some seconds ago."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from . import render
from .answers import Answer, ConsoleError, Request, json_answer
from .resources import EXPORTS, VOLUMES, Record, Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .dialect import Dialect
    from .store import Store, Stored

PREFIX = "/api/v1"
FOREIGN = "http://elsewhere.invalid"
"""Another host, which does not exist."""


class Lists:
    """Answers the readings of lists, and remembers which were read, for what is so only now and then."""

    def __init__(self, store: Store, clock: Callable[[], float], dialect: Dialect) -> None:
        self._store, self._clock, self._dialect = store, clock, dialect
        self._plain = render.is_plain(dialect)
        self._readings: Counter[str] = Counter()
        self._hidden: dict[tuple[str, int], set[str]] = {}
        store.speak(dialect)

    def hide(self, resource: Resource, id_: int, sent: Iterable[str]) -> None:
        """Show some fields of an updated record no longer, as the dialect has it."""
        if self._dialect.put_hides == "nothing":
            return
        is_sent, names = self._dialect.put_hides == "sent", set(sent)
        hidden = {name for name in resource.by_name if (name in names) is is_sent and name != resource.key}
        self._hidden.setdefault((resource.plural, id_), set()).update(hidden)

    def answer(self, request: Request, resource: Resource, volume: int) -> Answer:
        """Return a list, whole or a part of it."""
        whole = self._dialect.list_shape == "array"
        number = 1 if whole else _page_number(request.query)
        self._readings[request.path] += number == 1
        every, readings = self._dialect.stale_every, self._readings[request.path]
        stale = bool(every and readings) and readings % every == 0
        stored = self._store.shown(resource, volume, self._clock(), stale=stale)
        if not whole:
            return self._page(request, number, stored, resource)
        if self._plain and not self._hidden and resource is not VOLUMES:
            return Answer(200, f"[{','.join([record.text for record in stored])}]".encode())
        return json_answer(200, self._records(resource, stored))

    def first_page(self, request: Request, resource: Resource, volume: int, status: int) -> Answer:
        """Return the first page of a list, as a write may return it."""
        stored = self._store.shown(resource, volume, self._clock(), stale=False)
        _start, part = self._part(1, stored)
        return json_answer(status, self._numbered(request, 1, len(stored), self._records(resource, part)))

    def _records(self, resource: Resource, stored: list[Stored]) -> list[Record]:
        found = []
        for entry in stored:
            rules = self._store.records(EXPORTS, entry.id) if resource is VOLUMES else []
            record = render.record(resource, entry, self._dialect, rules)
            hidden = self._hidden.get((resource.plural, entry.id), ())
            found.append({name: value for name, value in record.items() if name not in hidden} if hidden else record)
        return found

    def _part(self, number: int, stored: list[Stored]) -> tuple[int, list[Stored]]:
        """Return where a page begins, and what it holds; refuse a page that does not exist."""
        size = self._dialect.page_size
        if number < 1 or (number > 1 and (number - 1) * size >= len(stored)):
            raise ConsoleError(404, "Invalid page.")
        start = max(0, (number - 1) * size - self._dialect.page_overlap)
        return start, stored[start : number * size]

    def _page(self, request: Request, number: int, stored: list[Stored], resource: Resource) -> Answer:
        """Return a part of a list, in the shape of the dialect."""
        start, part = self._part(number, stored)
        shape, total, records = self._dialect.list_shape, len(stored), self._records(resource, part)
        following = self._next(request, number, total)
        if shape in ("link", "many_links"):
            links = self._links(request, number, following)
            return json_answer(200, records).with_headers(*([("Link", links)] if links else []))
        if shape == "range":
            span = f"{start}-{start + len(records) - 1}" if records else "*"
            answer = json_answer(200 if len(records) == total else 206, records)
            return answer.with_headers(("Content-Range", f"items {span}/{total}"))
        if shape == "total_header":
            return json_answer(200, records).with_headers(("X-Total-Count", str(total)))
        bodies: dict[str, dict[str, Any]] = {
            "total": {"total": total},
            "next_page": {"next_page": number + 1 if self._has_next(number, total) else None},
            "body_links": {"links": {"prev": self._previous(request, number), "next": following}},
        }
        if shape in bodies:
            return json_answer(200, {"results": records, **bodies[shape]})
        return json_answer(200, self._numbered(request, number, total, records))

    def _numbered(self, request: Request, number: int, total: int, records: list[Record]) -> dict[str, Any]:
        how = self._dialect.count
        wrong = how == "wrong" or (how == "wrong_once" and self._readings[request.path] <= 1)
        return {
            "count": total + 1 if wrong else total,
            "next": self._next(request, number, total),
            "previous": self._previous(request, number),
            "results": records,
        }

    def _links(self, request: Request, number: int, following: str | None) -> str:
        """Return a Link header: the next page, or as many links as RFC 8288 allows, in many ways to write."""
        if self._dialect.list_shape == "link":
            return f'<{following}>; rel="next"' if following else ""
        links = [f'<{self._link(request, 1)}>; title="first, not \\"next\\""; rel=first']
        if number > 1:
            links.append(f'<{self._link(request, number - 1)}>;rel="prev"')
        if following:
            links.append(f'<{following}> ; type="application/json"; REL="last next"')
        return ", ".join(links)

    def _has_next(self, number: int, total: int) -> bool:
        return number * self._dialect.page_size < total

    def _next(self, request: Request, number: int, total: int) -> str | None:
        if self._has_next(number, total):
            return self._link(request, number + 1)
        return self._link(request, 1) if self._dialect.next_url == "loop" else None

    def _previous(self, request: Request, number: int) -> str | None:
        return None if number == 1 else self._link(request, number - 1)

    def _link(self, request: Request, number: int) -> str:
        """Return the address of a page, in the style of the dialect; the rest of the query is kept."""
        kept = [part for part in request.query.split("&") if part and part.partition("=")[0] != "page"]
        target = f"{PREFIX}{request.path}?{'&'.join([*kept, f'page={number}'])}"
        scheme, _colon, place = request.origin.partition(":")
        other = "http" if scheme == "https" else "https"
        origins = {"relative": "", "other_host": FOREIGN, "wrong_scheme": f"{other}:{place}"}
        return origins.get(self._dialect.next_url, request.origin) + target


def _page_number(query: str) -> int:
    numbers = [value for name, value in parse_qsl(query, keep_blank_values=True) if name == "page"]
    if not numbers:
        return 1
    if len(numbers) > 1 or not numbers[0].isascii() or not numbers[0].isdigit() or len(numbers[0]) > 9:
        raise ConsoleError(404, "Invalid page.")
    return int(numbers[0])
