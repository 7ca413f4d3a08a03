# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists as a console gives them: a bare array, or pages that name the next one.

The specification shows an array for volumes and nothing for the rest ("Gaps in this part": pagination).
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urljoin, urlsplit

from ..errors import RequestError
from ..masking import mask_text, scrub
from ..nesting import is_too_deep
from .client import Client
from .messages import describe
from .signing import canonical_query
from .transport import Answer

Record = dict[str, Any]

MOST_PAGES = 100_000
MOST_IDLE_PAGES = 10
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _Page(NamedTuple):
    records: list[Record]
    following: str | None
    announced: Any


def read_list(client: Client, path: str) -> list[Record]:
    """All records of the list at an absolute path, each once.

    RequestError where the answer is no list, where its pages lead elsewhere or in a circle, and where the
    count it gives is not met even after reading again: a record that is missed would be made twice.
    """
    records, counts = _read_pages(client, path)
    if counts - {len(records)}:
        records, counts = _read_pages(client, path)
    if counts - {len(records)}:
        told = " or ".join(map(str, sorted(counts)))
        raise _broken(path, f"the list says it has {told} records, but its pages hold {len(records)}")
    return records


def parse_json(path: str, answer: Answer, method: str = "GET") -> Any:
    """The body of an answer as JSON; RequestError that says what it is instead."""
    try:
        content = json.loads(answer.content.decode("utf-8"), parse_constant=_no_constant)
        if is_too_deep(content):
            raise RequestError(method, path, "the answer is nested too deeply", answer.status)
        return _cleaned(content, answer)
    except (ValueError, RecursionError):
        text = answer.content.decode("utf-8", "replace").strip()
    what = mask_text(describe(text)) if text.startswith("<") else ("text that is no JSON" if text else "nothing")
    raise RequestError(method, path, f"JSON was expected, the answer is {what}. Is console_url right?", answer.status)


def _read_pages(client: Client, path: str) -> tuple[list[Record], set[int]]:
    """Records by id in the order met, and the counts that the pages gave, which are one where nothing moved."""
    found: dict[Any, Record] = {}
    counts: set[int] = set()
    place, seen, idle = (path, ""), set(), 0
    while True:
        seen.add(place)
        page = _read_page(client, *place)
        before = len(found)
        for record in page.records:
            found[_identity(record, len(found))] = record
        if re.fullmatch("[0-9]{1,20}", str(page.announced)):
            counts.add(int(page.announced))
        idle = idle + 1 if len(found) == before else 0
        if page.following is None:
            return list(found.values()), counts
        place = _next_place(client, place, page.following)
        _refuse_circle(place, seen, idle)


def _read_page(client: Client, path: str, query: str) -> _Page:
    content = parse_json(path, client.request("GET", path, query))
    following, count = None, None
    if isinstance(content, dict) and isinstance(content.get("results"), list):
        following, count, content = content.get("next") or None, content.get("count"), content["results"]
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        raise _broken(path, "a list of records was expected, the answer holds something else. Is console_url right?")
    if not isinstance(following, (str, type(None))):
        raise _broken(path, "the list has a next page that is not the text of an address")
    return _Page(content, following, count)


def _identity(record: Record, position: int) -> Any:
    """What tells a repeated record: its id, as number or text. Without one each record stands for itself."""
    identity = record.get("id")
    return ("without id", position) if identity is None else str(identity)


def _next_place(client: Client, place: tuple[str, str], following: str) -> tuple[str, str]:
    """Path and query of the next page, to be asked of our own origin, whatever scheme and port the link has.

    A link to another host is refused: it must never get a signature.
    """
    path, query = place
    origin = client.settings.origin
    try:
        parts = urlsplit(urljoin(f"{origin}{path}?{query}", following))
        host = parts.hostname
    except ValueError:
        raise _broken(path, "the address of the next page cannot be read") from None
    if host != urlsplit(origin).hostname or parts.scheme not in ("http", "https"):
        raise _broken(
            path, f"the next page is on another host, {str(host)[:60]}, or not to be had with http; it is not asked"
        )
    return parts.path, canonical_query(parts.query)


def _refuse_circle(place: tuple[str, str], seen: set[tuple[str, str]], idle: int) -> None:
    if place in seen:
        raise _broken(place[0], "the pages of the list lead in a circle")
    if len(seen) >= MOST_PAGES:
        raise _broken(place[0], f"the list does not end within {MOST_PAGES} pages")
    if idle > MOST_IDLE_PAGES:
        raise _broken(place[0], f"the list goes on over {idle} pages without a new record")


def _broken(path: str, message: str) -> RequestError:
    return RequestError("GET", path, message, 200)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _cleaned(content: Any, answer: Answer) -> Any:
    """What an answer holds, without what cannot be shown and what repeats the request."""
    if b"\\ud" in answer.content.lower():
        content = _without_surrogates(content)
    repeats = any(secret.encode() in answer.content for secret in answer.secrets)
    return scrub(content, answer.secrets) if repeats else content


def _without_surrogates(value: Any) -> Any:
    """Text that cannot be printed, half a surrogate pair, replaced, so that every result can be shown."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(inner) for inner in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(inner) for key, inner in value.items()}
    return value
