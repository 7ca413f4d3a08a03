# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records and lists as a dialect shows them: whole or in parts, late, or as they were some seconds ago."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from .answers import Answer, ConsoleError, Request, json_answer
from .resources import EXPORTS, QUOTAS, VOLUMES, Record, Resource, normal_bucket, normal_network, normal_path
from .store import Stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .dialect import Dialect
    from .store import Store

PREFIX = "/api/v1"
FOREIGN = "http://elsewhere.invalid"
"""Another host, which does not exist."""
_LONG_AGO = 1_767_225_600.0
"""The creation time of records that were there from the start."""
USER_QUOTA_ID = 900_000_000
"""The id of the user's quota in a volume, less that of the volume. No other record has one as large."""
_NAMES_QUOTA = re.compile("/quotas/([0-9]+)$")

_PLAIN = (("record_fields", "all"), ("numbers", "number"), ("ids", "shown"), ("keys", "shown"), ("normalise", "no"))


class Lists:
    """Answers readings of lists, and counts them for effects that occur only now and then."""

    def __init__(self, store: Store, clock: Callable[[], float], dialect: Dialect) -> None:
        self._store, self._clock, self._dialect = store, clock, dialect
        self._plain = is_plain(dialect)
        self._readings: Counter[str] = Counter()
        self._hidden: dict[tuple[str, int], set[str]] = {}
        self._begun: set[int] = set()
        store.speak(dialect)

    def hide(self, resource: Resource, id_: int, sent: Iterable[str]) -> None:
        """Hide some fields of an updated record, if the dialect does."""
        if self._dialect.put_hides == "nothing":
            return
        is_sent, names = self._dialect.put_hides == "sent", set(sent)
        hidden = {name for name in resource.by_name if (name in names) is is_sent and name != resource.key}
        self._hidden.setdefault((resource.plural, id_), set()).update(hidden)

    def answer(self, request: Request, resource: Resource, volume: int) -> Answer:
        whole = self._dialect.list_shape == "array"
        number = 1 if whole else _page_number(request.query)
        self._readings[request.path] += number == 1
        every, readings = self._dialect.stale_every, self._readings[request.path]
        stale = bool(every and readings) and readings % every == 0
        stored = self._shown(resource, volume, stale=stale)
        if stored and resource is QUOTAS:
            self._begun.add(volume)
        if not whole:
            return self._page(request, number, stored, resource)
        if self._plain and not self._hidden and resource is not VOLUMES:
            return Answer(200, f"[{','.join([record.text for record in stored])}]".encode())
        return json_answer(200, self._records(resource, stored))

    def first_page(self, request: Request, resource: Resource, volume: int, status: int) -> Answer:
        """Return the first page of a list, as a write may return it."""
        stored = self._shown(resource, volume, stale=False)
        _start, part = self._part(1, stored)
        return json_answer(status, self._numbered(request, 1, len(stored), self._records(resource, part)))

    def _shown(self, resource: Resource, volume: int, *, stale: bool) -> list[Stored]:
        """Return a list as the dialect shows it, with the quota of a user before the others."""
        stored = self._store.shown(resource, volume, self._clock(), stale=stale)
        how = self._dialect.user_quotas
        if resource is not QUOTAS or how == "none" or self._dialect.keys != "shown":
            return stored
        has_begun = stored or volume in self._begun
        return [user_quota(volume, how), *stored] if has_begun else stored

    def _records(self, resource: Resource, stored: list[Stored]) -> list[Record]:
        found = []
        for entry in stored:
            rules = self._store.records(EXPORTS, entry.id) if resource is VOLUMES else []
            record = shown_record(resource, entry, self._dialect, rules)
            hidden = self._hidden.get((resource.plural, entry.id), ())
            found.append({name: value for name, value in record.items() if name not in hidden} if hidden else record)
        return found

    def _part(self, number: int, stored: list[Stored]) -> tuple[int, list[Stored]]:
        """Return the start and the content of a page; refuse a page that does not exist."""
        size = self._dialect.page_size
        if number < 1 or (number > 1 and (number - 1) * size >= len(stored)):
            raise ConsoleError(404, "Invalid page.")
        start = max(0, (number - 1) * size - self._dialect.page_overlap)
        return start, stored[start : number * size]

    def _page(self, request: Request, number: int, stored: list[Stored], resource: Resource) -> Answer:
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
        target = f"{PREFIX}{request.path}?page={number}"
        scheme, _colon, rest = request.origin.partition(":")
        other = "http" if scheme == "https" else "https"
        origins = {"relative": "", "other_host": FOREIGN, "wrong_scheme": f"{other}:{rest}"}
        return origins.get(self._dialect.next_url, request.origin) + target


def _page_number(query: str) -> int:
    numbers = [value for name, value in parse_qsl(query, keep_blank_values=True) if name == "page"]
    if not numbers:
        return 1
    if len(numbers) > 1 or not numbers[0].isascii() or not numbers[0].isdigit() or len(numbers[0]) > 9:
        raise ConsoleError(404, "Invalid page.")
    return int(numbers[0])


def timestamp(seconds: float) -> str:
    """Return a time in ISO 8601, in UTC with fractional seconds and a trailing Z."""
    return datetime.fromtimestamp(seconds or _LONG_AGO, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_plain(dialect: Dialect) -> bool:
    """Return whether exports and quotas are shown just as they are kept."""
    return all(getattr(dialect, name) == value for name, value in _PLAIN)


def shown_record(resource: Resource, stored: Stored, dialect: Dialect, exports: list[Stored]) -> Record:
    """Return a record as the dialect shows it; a volume with its exports."""
    shown: Record = {"id": stored.id}
    rules = access_rules(exports)
    if resource is VOLUMES:
        shown.update(stored.body)
        shown.setdefault("access_rules", rules)
    else:
        shown.update(_child_fields(resource, stored, dialect))
    if dialect.normalise != "no":
        for entry in (shown, *rules):
            _normalise(entry, dialect.normalise)
    if resource is QUOTAS:
        _show_limits(shown, dialect)
    _hide_identity(shown, resource, dialect)
    return _as_strings(shown) if dialect.numbers == "string" else shown


def user_quota(volume: int, how: str) -> Stored:
    """Return the quota of a user in a volume."""
    body: Record = {"type": "user", "uid": 1000, "size": 1 << 30, **({QUOTAS.key: None} if how == "null" else {})}
    return Stored(USER_QUOTA_ID + volume, volume, body, tuple(body))


def names_user_quota(path: str) -> bool:
    """Return whether the path of a request is that of a user's quota."""
    found = _NAMES_QUOTA.search(path)
    return found is not None and int(found[1]) >= USER_QUOTA_ID


def access_rules(exports: list[Stored]) -> list[Record]:
    names = ("iprange", "readonly", "appendonly")
    return [{**{name: export.body[name] for name in names}, "token": export.token} for export in exports]


def _child_fields(resource: Resource, stored: Stored, dialect: Dialect) -> Record:
    """Return the fields of an export or a quota that are shown at all."""
    if dialect.record_fields == "sent":
        return {name: stored.body[name] for name in stored.sent if name in stored.body}
    if dialect.record_fields == "some":
        return {name: value for name, value in stored.body.items() if name in resource.updated}
    shown = dict(stored.body)
    if resource is EXPORTS and stored.token:
        shown["token"] = stored.token
    if dialect.record_fields == "more":
        shown["created"] = timestamp(stored.made)
        shown["volume"] = {"id": stored.volume, "labels": ["one", "two"], "parent": None}
        if resource is EXPORTS and stored.token:
            shown["mount"] = {"command": "mount", "credentials": {"token": stored.token}}
        else:
            shown["usage"] = {"size": 0, "inodes": 0, "ratio": 0.5}
    return shown


def _normalise(shown: Record, how: str) -> None:
    forms: dict[str, Callable[[str], str]] = {"iprange": normal_network, "path": normal_path}
    forms["bucket"] = partial(normal_bucket, how=how)
    for name, form in forms.items():
        if shown.get(name) and isinstance(shown[name], str):
            shown[name] = form(shown[name])


def _show_limits(shown: Record, dialect: Dialect) -> None:
    for name in ("size", "inodes"):
        if dialect.numbers in ("null", "omitted") and shown.get(name) == 0:
            shown[name] = None
            if dialect.numbers == "omitted":
                del shown[name]


def _hide_identity(shown: Record, resource: Resource, dialect: Dialect) -> None:
    if dialect.ids == "missing":
        del shown["id"]
    if dialect.keys == "missing":
        shown.pop(resource.key, None)
    elif dialect.keys == "null":
        shown[resource.key] = None


def _as_strings(value: Any) -> Any:
    """Return the value with all numbers as strings, at any depth."""
    if isinstance(value, dict):
        return {name: _as_strings(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_as_strings(entry) for entry in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value
