# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses: status, body and headers, and errors in the shape of a dialect."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dialect import Dialect
    from .resources import Errors

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class Answer:
    """A response, before it becomes bytes."""

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()

    def with_headers(self, *headers: tuple[str, str]) -> Answer:
        """Return the same with more headers."""
        return Answer(self.status, self.body, self.content_type, (*self.headers, *headers))


class ConsoleError(Exception):
    """A request that is refused: a status with a message, or with what is wrong in each field."""

    def __init__(self, status: int, message: str = "", fields: Errors | None = None) -> None:
        """Keep what the response needs."""
        super().__init__(message or json.dumps(fields))
        self.status = status
        self.message = message
        self.fields = fields


def reason_of(status: int) -> str:
    """Return the phrase that belongs to a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def json_answer(status: int, value: Any) -> Answer:
    """Return a value as JSON."""
    return Answer(status, _encode(value).encode())


def html_answer(status: int, title: str) -> Answer:
    """Return a page."""
    text = html.escape(title)
    page = f"<!DOCTYPE html>\n<html><head><title>{text}</title></head>\n<body><h1>{text}</h1></body></html>\n"
    return Answer(status, page.encode(), HTML)


def error_answer(dialect: Dialect, status: int, message: str = "", fields: Errors | None = None) -> Answer:
    """Return an error in the shape of the dialect."""
    shape = dialect.error_body
    if shape == "field" and fields:
        return json_answer(status, fields)
    text = "; ".join(f"{name}: {' '.join(texts)}" for name, texts in fields.items()) if fields else message
    if shape == "empty":
        return Answer(status)
    if shape == "html":
        return html_answer(status, f"{status} {reason_of(status)}: {text}")
    if shape == "text":
        return Answer(status, f"{text}\n".encode(), TEXT)
    return json_answer(status, {"error" if shape == "error" else "detail": text})
