# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and responses before they are bytes, and what a dialect makes of statuses and errors."""

from __future__ import annotations

import html
import json
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .resources import Errors

JSON = "application/json"
HTML = "text/html; charset=utf-8"

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Style(NamedTuple):
    """Statuses, the shape of errors, and the form of Retry-After: what changes no more than a client's messages."""

    created: int
    """An update is answered with 200, or with 204 where this is 204."""
    deleted: int
    unsigned: int
    unknown: int
    error: str
    """By field where there are fields, or else its text as ``detail``; as ``error``; a page of HTML; or nothing."""
    retry_after: str


STYLES = {
    "plain": Style(201, 204, 401, 404, "field", "seconds"),
    "terse": Style(204, 204, 403, 405, "empty", "none"),
    "html": Style(200, 200, 400, 200, "html", "date"),
    "odd": Style(202, 202, 418, 501, "error", "date"),
}
"""What the setting ``answers`` stands for. With html, a deletion and an unknown route get a page as well."""

_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class Answer:
    """A response, before it becomes bytes."""

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()

    def with_headers(self, *headers: tuple[str, str]) -> Answer:
        return Answer(self.status, self.body, self.content_type, (*self.headers, *headers))


@dataclass(frozen=True)
class Request:
    """A request as the console sees it, with the path below the prefix of the API."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = JSON
    origin: str = ""


@dataclass(slots=True)
class LoggedRequest:
    """A request to the API and its outcome."""

    method: str
    time: float
    """By the clock of the emulator, without its offset."""
    number: int = 0
    """Counted from 1, since the log was last forgotten."""
    path: str = ""
    """The raw path as it was on the wire, below /api/v1; the whole path where it is not below that."""
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    """By lower-case name; of a repeated header the last."""
    body: bytes = b""
    connection: int = 0
    """The number of the connection it came by: the same for requests that share one."""
    status: int | None = None
    """The status of the response; None where none was begun, or not yet."""
    authenticated: bool = False
    refusal: str | None = None
    fault: str | None = None
    retry_after: str | None = None

    @property
    def json(self) -> Any:
        """Return the body, parsed from JSON; None if there is none."""
        return json.loads(self.body) if self.body else None

    @property
    def authorization(self) -> str | None:
        return self.headers.get("authorization")

    def public(self) -> dict[str, Any]:
        try:
            parsed = self.json
        except ValueError:
            parsed = None
        return {**asdict(self), "body": self.body.decode("utf-8", "replace"), "json": parsed}


class ConsoleError(Exception):
    """A refused request: a status with a message, or with the problem of each field."""

    def __init__(self, status: int, message: str = "", fields: Errors | None = None) -> None:
        super().__init__(message or json.dumps(fields))
        self.status = status
        self.message = message
        self.fields = fields


def reason_of(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def json_answer(status: int, value: Any) -> Answer:
    return Answer(status, _encode(value).encode())


def html_answer(status: int, title: str) -> Answer:
    text = html.escape(title)
    page = f"<!DOCTYPE html>\n<html><head><title>{text}</title></head>\n<body><h1>{text}</h1></body></html>\n"
    return Answer(status, page.encode(), HTML)


def error_answer(shape: str, status: int, message: str = "", fields: Errors | None = None) -> Answer:
    """Return an error in a shape of ``Style.error``."""
    if shape == "field" and fields:
        return json_answer(status, fields)
    text = "; ".join(f"{name}: {' '.join(texts)}" for name, texts in fields.items()) if fields else message
    if shape == "empty":
        return Answer(status)
    if shape == "html":
        return html_answer(status, f"{status} {reason_of(status)}: {text}")
    return json_answer(status, {"error" if shape == "error" else "detail": text})
