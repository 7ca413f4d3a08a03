# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of lists: which part each holds, what it counts, and where it says the next one is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from .answers import ConsoleError

if TYPE_CHECKING:
    from .dialect import Dialect
    from .request import Request
    from .resources import Record

PREFIX = "/api/v1"
FOREIGN = "http://elsewhere.invalid"
"""Another host, which nobody answers for."""


class Pager:
    """Cuts lists into pages; remembers which were read, for counts that are wrong only once."""

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
        """Where a page begins and how many records it holds; a page that does not exist is refused."""
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

    def _next(self, request: Request, number: int, total: int) -> str | None:
        """Return the address of the next page."""
        if number * self._dialect.page_size < total:
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
