# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What went wrong with a request, as a sentence (docs/docsite/rst/api.rst, "Errors")."""

from __future__ import annotations

import html
import http.client
import re
import socket
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from ..json_values import UnusableJsonError, parse_loosely
from ..masking import MASK, is_secret_name, mask
from ..scrubbing import mask_text
from .no_response import INVALID, PROXY, TIMEOUT, TLS, NoResponse
from .response import SUCCESS, TOO_LARGE, Response
from .retry import is_no_such_route, is_redirect
from .scrub import Scrubber
from .settings import Settings

MAX_LENGTH = 500
_MAX_BYTES = 20_000
_KEYS_THAT_SAY_NOTHING = ("detail", "error", "errors", "message", "msg", "non_field_errors")
_NOT_TLS = ("wrong version number", "record layer failure", "unknown protocol", "http request")
_HINTS = {
    401: "check access_key and secret_key",
    403: "check access_key and secret_key, and whether this key is allowed to do this",
}
_CLOSED = "the connection was closed without a response"
_NOT_HTTP = "invalid HTTP response"
_NO_CONSOLE = "there is no console API at this address: check console_url"


def explain_response(response: Response, is_first_list: bool = False) -> str:
    """Return why a response is not what was asked for; `is_first_list` for that to the list that each console has."""
    if response.defect == TOO_LARGE or (response.defect and response.status in SUCCESS):
        return response.defect
    if is_redirect(response.status):
        place = mask_text(_location(response.headers))
        return f"redirects are not followed, and this one leads to {place}. Check console_url"
    message = readable(response)
    hint = _NO_CONSOLE if is_first_list and is_no_such_route(response.status) else _HINTS.get(response.status)
    return f"{message.rstrip('.')} ({hint})" if hint else message


def explain_no_response(failure: NoResponse, settings: Settings, is_proxied: bool) -> str:
    """Return why there was no response."""
    reason = _reason(failure, settings.timeout)
    if failure.kind is TLS and any(sign in reason.lower() for sign in _NOT_TLS):
        return f"no TLS connection: {reason} (the server does not speak TLS on this port: should console_url begin with http?)"
    if failure.kind is TLS:
        advice = "if the console has a private certificate authority, name its certificate in ca_path"
        if settings.cert:
            advice += ", and check that client_cert and client_key belong together"
        return f"no TLS connection: {reason} ({advice})"
    if is_proxied and not failure.sent and failure.kind in (PROXY, INVALID):
        detail = f": {reason}" if failure.kind is PROXY else ""
        return f"the proxy that the environment names (http_proxy, https_proxy) cannot be used{detail}"
    if settings.origin.startswith("http:") and reason in (_CLOSED, _NOT_HTTP):
        return f"{reason} (should console_url begin with https?)"
    return reason


def explain_content(response: Response, problem: ValueError) -> str:
    """Return what a response holds where JSON was expected."""
    text = response.content.decode("utf-8", "replace").strip()
    what = mask_text(summarize(text)) if text.startswith("<") else ("other text" if text else "an empty response")
    if isinstance(problem, UnusableJsonError):
        what = str(problem)
    return f"expected JSON, got {what}. Check console_url"


def readable(response: Response) -> str:
    """Return the console's own message from a JSON, HTML or text body, or the name of the status where there is none."""
    text = response.content[:_MAX_BYTES].decode("utf-8-sig", "replace").strip()
    message = _from_json(text) or mask_text(summarize(text)) or http.client.responses.get(response.status, "no message")
    message = " ".join(message.split())
    return message if len(message) <= MAX_LENGTH else message[:MAX_LENGTH] + "…"


def summarize(text: str) -> str:
    """Return the title of an HTML page, and any other text as it is."""
    if not text.lstrip().startswith("<"):
        return text
    start = re.search("<(title|h1)[^>]*>", text, re.IGNORECASE)
    end = start and text.lower().find(f"</{start.group(1).lower()}>", start.end())
    if start is None or end is None or end < 0:
        return "an HTML page"
    return f"an HTML page, '{' '.join(html.unescape(text[start.end() : end]).split())}'"


def _from_json(text: str) -> str:
    try:
        return "; ".join(_sentences(parse_loosely(text), ""))
    except ValueError:
        return ""


def _sentences(value: Any, subject: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            visible = MASK if is_secret_name(key) and not _are_sentences(inner) else inner
            yield from _sentences(visible, subject if key in _KEYS_THAT_SAY_NOTHING else f"{subject}{key}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _sentences(inner, subject)
    elif value not in (None, ""):
        yield subject + mask_text(str(value))


def _are_sentences(value: Any) -> bool:
    """Return whether what stands under the name of a field says what is wrong with it, and is not its value."""
    return isinstance(value, list) and all(isinstance(entry, str) and " " in entry.strip() for entry in value)


def _location(headers: Mapping[str, str]) -> str:
    """Return where a redirect leads, without user info and query, which may hold secrets."""
    try:
        parts = urlsplit(mask(headers.get("Location", "")))
    except ValueError:
        return "nowhere"
    return f"{parts.netloc}{parts.path}".rpartition("@")[2] or "nowhere"


def _reason(failure: NoResponse, timeout: int) -> str:
    """Return the innermost cause in a few words, without what libraries wrapped around it."""
    causes = list(_causes(failure.cause))
    if failure.kind is TIMEOUT or any(isinstance(cause, socket.timeout) for cause in causes):
        return f"no complete response within {timeout} s"
    if any(isinstance(cause, http.client.RemoteDisconnected) for cause in causes):
        return _CLOSED
    if any(isinstance(cause, http.client.HTTPException) for cause in causes):
        return _NOT_HTTP
    texts = [cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror]
    return str(mask(Scrubber(failure.secrets).text(str(texts[-1] if texts else causes[-1]))))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and, one after the other, what caused it."""
    seen: list[BaseException] = []
    cause: Any = error
    while isinstance(cause, BaseException) and cause not in seen:
        seen.append(cause)
        yield cause
        inner = [arg for arg in cause.args if isinstance(arg, BaseException)]
        cause = getattr(cause, "reason", None) or next(iter(inner), None) or cause.__cause__ or cause.__context__
