# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of lists: which part each holds, what it counts, and where it points to the next one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from .answers import Answer, ConsoleError, json_answer

if TYPE_CHECKING:
    from .dialect import Dialect
    from .request import Request
    from .resources import Record

PREFIX = "/api/v1"
FOREIGN = "http://elsewhere.invalid"
"""Another host, which does not exist."""
_Headers = tuple[tuple[str, str], ...]


class Pager:
    """Cuts lists into pages; remembers which were read, for what is so only now and then."""

    def __init__(self, dialect: Dialect) -> None:
        """Begin with no list read."""
        self._dialect = dialect
        self._readings: Counter[str] = Counter()

    def number(self, query: str) -> int:
        """Return the number of the page that a query asks for."""
        numbers = [value for name, value in parse_qsl(query, keep_blank_values=True) if name == "page"]
        if not numbers:
            return 1
        if len(numbers) > 1 or not numbers[0].isascii() or not numbers[0].isdigit() or len(numbers[0]) > 9:
            raise ConsoleError(404, "Invalid page.")
        return int(numbers[0])

    def part(self, number: int, total: int) -> tuple[int, int]:
        """Return where a page begins and how many records it holds; refuse a page that does not exist."""
        size = self._dialect.page_size
        if number < 1 or (number > 1 and (number - 1) * size >= total):
            raise ConsoleError(404, "Invalid page.")
        end = number * size
        start = max(0, end - size - self._dialect.page_overlap)
        return start, end - start

    def read(self, path: str, number: int) -> None:
        """Take note that a page was asked for."""
        if number == 1:
            self._readings[path] += 1

    def is_stale(self, path: str) -> bool:
        """Return whether the latest reading of a list shows the list as it was, on all its pages."""
        every, readings = self._dialect.stale_every, self._readings[path]
        return bool(every and readings) and readings % every == 0

    def answer(self, request: Request, number: int, total: int, records: list[Record]) -> Answer:
        """Return a part of a list, in the shape of the dialect."""
        shape = self._dialect.list_shape
        if shape in ("link", "many_links"):
            return json_answer(200, records).with_headers(*self._link_header(request, number, total))
        if shape == "range":
            return self._range(number, total, records)
        if shape == "total_header":
            return json_answer(200, records).with_headers(("X-Total-Count", str(total)))
        return json_answer(200, self._body(request, number, total, records))

    def _body(self, request: Request, number: int, total: int, records: list[Record]) -> dict[str, Any]:
        """Return a part of a list whose body describes the part."""
        shape = self._dialect.list_shape
        if shape == "total":
            return {"results": records, "total": total}
        if shape == "next_page":
            return {"results": records, "next_page": number + 1 if self._has_next(number, total) else None}
        if shape == "body_links":
            previous = None if number == 1 else self._link(request, number - 1)
            return {"results": records, "links": {"prev": previous, "next": self._next(request, number, total)}}
        return self.page(request, number, total, records)

    def _range(self, number: int, total: int, records: list[Record]) -> Answer:
        """Return a part of a list with Content-Range; it is 206 unless it is all of the list."""
        start, _most = self.part(number, total)
        span = f"{start}-{start + len(records) - 1}" if records else "*"
        answer = json_answer(200 if len(records) == total else 206, records)
        return answer.with_headers(("Content-Range", f"items {span}/{total}"))

    def _link_header(self, request: Request, number: int, total: int) -> _Headers:
        """Return Link where there is something to link to; as many links as RFC 8288 allows, in many ways to write."""
        following = self._next(request, number, total)
        if self._dialect.list_shape == "link":
            return (("Link", f'<{following}>; rel="next"'),) if following else ()
        links = [f'<{self._link(request, 1)}>; title="first, not \\"next\\""; rel=first']
        if number > 1:
            links.append(f'<{self._link(request, number - 1)}>;rel="prev"')
        if following:
            links.append(f'<{following}> ; type="application/json"; REL="last next"')
        return (("Link", ", ".join(links)),)

    def page(self, request: Request, number: int, total: int, records: list[Record]) -> dict[str, Any]:
        """Return a page."""
        how = self._dialect.count
        wrong = how == "wrong" or (how == "wrong_once" and self._readings[request.path] <= 1)
        return {
            "count": total + 1 if wrong else total,
            "next": self._next(request, number, total),
            "previous": None if number == 1 else self._link(request, number - 1),
            "results": records,
        }

    def _has_next(self, number: int, total: int) -> bool:
        """Return whether there is a page after this one."""
        return number * self._dialect.page_size < total

    def _next(self, request: Request, number: int, total: int) -> str | None:
        """Return the address of the next page."""
        if self._has_next(number, total):
            return self._link(request, number + 1)
        return self._link(request, 1) if self._dialect.next_url == "loop" else None

    def _link(self, request: Request, number: int) -> str:
        """Return the address of a page, in the style of the dialect; the rest of the query is kept."""
        kept = [part for part in request.query.split("&") if part and part.partition("=")[0] != "page"]
        target = f"{PREFIX}{request.path}?{'&'.join([*kept, f'page={number}'])}"
        style, origin = self._dialect.next_url, request.origin
        if style == "relative":
            return target
        if style == "other_host":
            return FOREIGN + target
        if style == "wrong_scheme":
            scheme, _colon, rest = origin.partition(":")
            origin = f"{'http' if scheme == 'https' else 'https'}:{rest}"
        return origin + target
