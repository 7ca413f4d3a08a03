# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The requests of a probe: one at a time, counted, each response kept."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from ...api.page import Page
from ...errors import ConsoleError, RequestError
from ...http.client import Client, Request
from ...http.no_response import Outcome
from ...http.response import Response
from ...http.retry import TOO_MANY_REQUESTS, is_transient
from ...http.signing import canonical_query
from ...http.skew import candidate_skew
from ...model.records import Record
from ..observation import EMPTY, HTML, JSON, TEXT, Attempt, Listing, Reply, is_among
from ..pages import further_link, has_more, link_style

MAX_REQUESTS = 120
MAX_RETRIES = 2
_ANSWERS = [status for status in range(200, 600) if status != TOO_MANY_REQUESTS and not is_transient(status)]


class LimitReachedError(ConsoleError):
    """A probe has made as many requests as it may."""


class Wire(Client):
    """A client that counts its requests, and takes any answer of the console for one.

    `allowance` is how many requests it may still make, `sent_at` when it made the last one.
    """

    def __init__(self, client: Client, attempts: list[Attempt]) -> None:
        settings = client.settings._replace(retries=min(client.settings.retries, MAX_RETRIES))
        super().__init__(settings, client.clock, client.warn)
        self.allowance = MAX_REQUESTS
        self.attempts = attempts
        self.sent_at = self.clock.elapsed()
        self._client = client

    def send(self, request: Request, skew: float) -> Outcome:
        """Make one attempt, if there is one left."""
        if self.allowance <= 0:
            raise LimitReachedError("the probe has made as many requests as it may")
        self.allowance -= 1
        self.sent_at = self.clock.elapsed()
        outcome = super().send(request, skew)
        if isinstance(outcome, Response):
            self.attempts.append(Attempt(outcome.status, outcome.headers, candidate_skew(outcome)))
        return outcome

    def ask(self, method: str, path: str, template: str, body: Any = None) -> Reply:
        """Make a request and return the reply; RequestError where the console was out of reach, busy or broken."""
        response = self.request(method, self.url_path(path), body=body, accept=_ANSWERS)
        return _reply(method, template, response)

    def ask_badly(self, path: str, *, seconds_late: int = 0, secret_key: str = "") -> Reply | None:
        """Make a GET that is signed at another time or with another key, once; return the reply if there is one."""
        other = Wire(self._client, [])
        other.allowance = min(self.allowance, 1)
        self.allowance -= 1
        if secret_key:
            other.settings = self.settings._replace(secret_key=secret_key)
        outcome = other.send(Request("GET", self.url_path(path), "", None, _ANSWERS), self.skew - seconds_late)
        return _reply("GET", path, outcome) if isinstance(outcome, Response) else None

    def read(self, name: str, path: str, template: str) -> Listing:
        """Return a list with all its pages; RequestError where it cannot be read."""
        return _Reading(self, name, path, template).listing()


class _Reading:
    """One reading of a list. Other than in a task, nothing that is odd about its pages is an error."""

    def __init__(self, wire: Wire, name: str, path: str, template: str) -> None:
        self._wire = wire
        self._path = wire.url_path(path)
        self._name = name
        self._template = template
        self._pages: list[Reply] = []
        self._groups: list[tuple[Record, ...]] = []
        self._styles: list[str] = []
        self._visited: set[str] = set()
        self._leads_elsewhere = False

    def listing(self) -> Listing:
        """Read to the end, or as far as it goes."""
        query: str | None = ""
        is_complete = True
        while query is not None:
            self._visited.add(query)
            try:
                page = self._read_page(query)
            except RequestError:
                if not self._pages:
                    raise
                is_complete = False
                break
            query = self._query_of_next(page)
            is_complete = not self._leads_elsewhere and (query is not None or not self._has_more(page))
        pages, groups, styles = tuple(self._pages), tuple(self._groups), tuple(self._styles)
        return Listing(self._name, pages, groups, styles, is_complete)

    def _read_page(self, query: str) -> Page:
        response = self._wire.request("GET", self._path, query)
        reply = _reply("GET", self._template, response)
        page = Page(reply.value, response)
        records = page.records
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise RequestError("GET", self._path, "the list has a form that no module can read", response.status)
        self._pages.append(reply)
        self._groups.append(tuple(records))
        return page

    def _has_more(self, page: Page) -> bool:
        met = Listing("", (), tuple(self._groups), (), True).records
        return has_more(page, self._pages[-1], len(met))

    def _query_of_next(self, page: Page) -> str | None:
        """Return the query of the next page: where a link leads, or a guess where something else says that it exists."""
        link = further_link(page, self._pages[-1])
        known = [record for group in self._groups[:-1] for record in group]
        is_new = any(not is_among(record, known) for record in self._groups[-1])
        if link is None:
            guess = f"page={len(self._pages) + 1}"
            return guess if is_new and self._has_more(page) else None
        origin = self._wire.settings.origin
        parts = urlsplit(urljoin(f"{origin}{self._path}", link))
        query = canonical_query(parts.query)
        is_loop = query in self._visited or (len(self._pages) > 1 and not is_new)
        self._styles.append("loop" if is_loop else link_style(link, origin))
        # Whatever host a link names, only this list of our own console is read.
        self._leads_elsewhere = parts.path != self._path
        return None if is_loop or self._leads_elsewhere else query


def _reply(method: str, template: str, response: Response) -> Reply:
    text = response.content.strip()
    kind, value = EMPTY, None
    if text:
        try:
            kind, value = JSON, response.json()
        except ValueError:
            kind = HTML if re.match(rb"<(!doctype|html)", text, re.IGNORECASE) else TEXT
    return Reply(
        method, f"/{template}", response.status, kind, value, response.headers, text.decode("utf-8", "replace")
    )
