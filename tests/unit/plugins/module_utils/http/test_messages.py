# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Readable messages from error bodies of every shape."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.messages import (
    MAX_LENGTH,
    readable,
    said,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response


def response(content: Any, status: int = 400) -> Response:
    """Return a response whose body is bytes, or something as JSON."""
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return Response(status, {}, raw)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"detail": "not allowed"}, "not allowed"),
        ({"error": "not allowed"}, "not allowed"),
        ({"error": {"code": 7, "message": "no"}}, "code: 7; no"),
        ({"name": ["already exists", "too long"]}, "name: already exists; name: too long"),
        ({"non_field_errors": ["a", "b"]}, "a; b"),
        ({"a": {"b": ["c"]}}, "a: b: c"),
        (["x", "y"], "x; y"),
        ("text in JSON", "text in JSON"),
        (b"plain\n text", "plain text"),
        (b"<html><head><title>Bad\n Gateway &amp; more</title></head></html>", "an HTML page, 'Bad Gateway & more'"),
        (b"<!doctype html><h1>Oh</h1>", "an HTML page, 'Oh'"),
        (b"<html></html>", "an HTML page"),
        (b"", "Bad Request"),
        ({}, "{}"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        ({"token": "abc", "detail": "no"}, "token: ********; no"),
        ({"token": ["This field is required"]}, "token: This field is required"),
        (b"no bucket https://me:hunter2@b", "no bucket https://********@b"),
    ],
)
def test_readable(content: Any, message: str) -> None:
    assert readable(response(content)) == message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"success": False, "error": "quota\nexceeded"}, "quota exceeded"),
        ({"detail": ["no", {"path": "none", "token": "abc"}], "id": 7}, "no; path: none; token: ********"),
        ({"id": 7, "desc": "web", "token": "abc"}, ""),
        ({"error": None, "message": "", "errors": []}, ""),
        *((content, "") for content in ([{"error": "no"}], "no", 7, b"no", b"", b"[" * 100_000)),
    ],
)
def test_what_a_response_of_success_says(content: Any, words: str) -> None:
    assert said(response(content).content) == words


def test_a_status_without_a_name() -> None:
    assert readable(response(b"", status=499)) == "no message"


def test_messages_are_bounded() -> None:
    refusal = response({"detail": "x" * 10_000})
    assert max(len(readable(refusal)), len(said(refusal.content))) <= MAX_LENGTH + 3


def test_deep_json_is_no_problem() -> None:
    assert readable(response(b"[" * 100_000))
