# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What went wrong with a request, as a sentence (docs/docsite/rst/api.rst, "Errors")."""

from __future__ import annotations

import contextlib
import html
import http.client
import re
import socket
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from ..connection import Settings
from ..values import (
    MASK,
    NOT_SHOWN,
    UnusableJsonError,
    is_secret_name,
    mask,
    mask_text,
    may_hide_secret,
    parse_json,
    shorten,
)
from .policy import (
    NO_SUCH_ROUTE,
    REDIRECT,
    REFUSALS_OF_SIGNATURE,
    SUCCESS,
    ClockCorrection,
    format_skew,
    maybe_refused_for_time,
)
from .transport import CLOSED, TOO_LARGE, Attempt, NoResponse, Response, causes_of

# Where requests is missing, task.py says so to the user.
with contextlib.suppress(ImportError):
    from requests import exceptions

MAX_LENGTH = 500
_MAX_BYTES = 20_000
# Text meant as JSON, or that assigns an object or list to a name: more than `mask_text` can mask.
_STRUCTURE = re.compile(r"^[{\[]|[:=]\s*[{\[]")
_KEYS_THAT_SAY_NOTHING = ("detail", "error", "errors", "message", "msg", "non_field_errors")
# What OpenSSL says of plain text.
_NOT_TLS = ("wrong version number", "record layer failure")
_CLOSED = "the connection was closed without a response"
_NOT_HTTP = "invalid HTTP response"
_CHECK_SCHEME = "should console_url begin with http?"
_CHECK_CA = "if the console has a private certificate authority, name its certificate in ca_path"
_CHECK_KEYS = "check access_key and secret_key, and whether this key is allowed to do this"
_NO_CONSOLE = "there is no console API at this address: check console_url"


def explain(attempt: Attempt, settings: Settings, is_root: bool, correction: ClockCorrection | None) -> str:
    """Return the reason why an attempt failed.

    `is_root` tells whether every console has the route, `correction` what an earlier refusal showed about the clocks.
    """
    if isinstance(attempt, NoResponse):
        return _explain_no_response(attempt, settings)
    return _explain_response(attempt, is_root) + (_explain_clock(attempt, correction) if correction else "")


def _explain_response(response: Response, is_root: bool) -> str:
    if response.defect == TOO_LARGE or (response.defect and response.status in SUCCESS):
        return response.defect
    if response.status in REDIRECT:
        target = mask_text(_location(response.headers))
        return f"redirects are not followed, and this one leads to {target}. Check console_url"
    message = readable(response).rstrip(".")
    if response.status in REFUSALS_OF_SIGNATURE:
        return f"{message} ({_CHECK_KEYS})"
    return f"{message} ({_NO_CONSOLE})" if is_root and response.status in NO_SUCH_ROUTE else message


def _explain_clock(response: Response, correction: ClockCorrection) -> str:
    """Return what to say about the clocks if the response is a refusal; blank for other responses."""
    if not maybe_refused_for_time(response.status):
        return ""
    difference = f"The console's clock is {format_skew(correction.seconds)} this machine's, as its Date header shows."
    if correction.obstacle:
        return f". {difference} That time was not used to sign the request again: {correction.obstacle}. Synchronize the clocks."
    return f". {difference} Signed with that time, the request was refused as well."


def _explain_no_response(failure: NoResponse, settings: Settings) -> str:
    reason = _reason(failure, settings.timeout)
    if isinstance(failure.cause, exceptions.ProxyError):
        return f"the proxy of the environment cannot be used: {reason}. Correct it, or set no_proxy"
    # The console's address was checked before. Not quoted, since it may have a password.
    if isinstance(failure.cause, (ValueError, TypeError)) and not failure.sent:
        return "the address of the proxy of the environment is invalid: correct it"
    if failure.is_permanent and isinstance(failure.cause, exceptions.SSLError):
        is_plain = any(sign in reason.lower() for sign in _NOT_TLS)
        return f"no TLS connection: {reason} ({_CHECK_SCHEME if is_plain else _CHECK_CA})"
    if settings.is_http and reason in (_CLOSED, _NOT_HTTP):
        return f"{reason} (should console_url begin with https?)"
    return reason


def explain_content(response: Response, problem: ValueError) -> str:
    """Return a sentence on a response that is not the expected JSON."""
    text = response.content[:_MAX_BYTES].decode("utf-8", "replace").strip()
    plain = "other text" if text else "an empty response"
    what = mask_text(summarize(text))[:MAX_LENGTH] if text.startswith("<") else plain
    return f"expected JSON, got {problem if isinstance(problem, UnusableJsonError) else what}. Check console_url"


def readable(response: Response) -> str:
    """Return the console's message from a JSON, HTML or text body, or the name of the status if there is none."""
    text = response.content[:_MAX_BYTES].decode("utf-8-sig", "replace").strip()
    summary = summarize(text)
    try:
        message = "; ".join(_sentences(parse_json(text.encode()), ""))
    except ValueError:
        message = NOT_SHOWN if _STRUCTURE.search(summary) and may_hide_secret(summary) else ""
    message = message or mask_text(summary) or http.client.responses.get(response.status, "no message")
    message = " ".join(message.split())
    return shorten(message, MAX_LENGTH)


def said(body: bytes) -> str:
    """Return what a JSON object says in words, as a refusal with a status of success does; blank for nothing."""
    try:
        content = parse_json(body)
    except ValueError:
        return ""
    told = [content[key] for key in _KEYS_THAT_SAY_NOTHING if content.get(key)] if isinstance(content, dict) else []
    return shorten(" ".join("; ".join(_sentences(told, "")).split()), MAX_LENGTH)


def summarize(text: str) -> str:
    """Return the title of an HTML page, and any other text as it is."""
    if not text.lstrip().startswith("<"):
        return text
    title = re.search("<(?:title|h1)[^>]*>([^<]+)", text, re.IGNORECASE)
    return f"an HTML page, '{' '.join(html.unescape(title[1]).split())}'" if title else "an HTML page"


def _sentences(value: Any, subject: str) -> Iterator[str]:
    """Yield the texts in a JSON value, each after the names of the fields around it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            # Sentences under a field's name say what is wrong with it; they are not its value.
            texts = inner if isinstance(inner, list) else [""]
            is_value = not all(isinstance(text, str) and " " in text.strip() for text in texts)
            visible = MASK if is_secret_name(key) and is_value else inner
            yield from _sentences(visible, subject if key in _KEYS_THAT_SAY_NOTHING else f"{subject}{key}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _sentences(inner, subject)
    elif value not in (None, ""):
        yield subject + mask_text(str(value))


def _location(headers: Mapping[str, str]) -> str:
    """Return the target of a redirect, without user info and query, which may hold secrets."""
    try:
        parts = urlsplit(mask(headers.get("Location", "")))
    except ValueError:
        return "nowhere"
    return f"{parts.netloc}{parts.path}".rpartition("@")[2] or "nowhere"


def _reason(failure: NoResponse, timeout: int) -> str:
    """Return the innermost cause in a few words, without what libraries wrapped around it."""
    causes = list(causes_of(failure.cause))
    if any(isinstance(cause, (exceptions.Timeout, socket.timeout)) for cause in causes):
        return f"no complete response within {timeout} s"
    if any(isinstance(cause, CLOSED) for cause in causes):
        return _CLOSED
    if any(isinstance(cause, http.client.HTTPException) for cause in causes):
        return _NOT_HTTP
    texts = [cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror]
    return str(mask(str(texts[-1] if texts else causes[-1])))
