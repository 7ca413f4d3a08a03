# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Readable messages from error bodies of every shape, and from attempts without a response."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from typing import Any

import pytest
import requests

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.messages import (
    MAX_LENGTH,
    explain,
    explain_content,
    readable,
    said,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.policy import ClockCorrection
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import (
    INCOMPLETE,
    TOO_LARGE,
    NoResponse,
    Response,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.json_values import UnusableJsonError
from ansible_collections.managedfs.console.plugins.module_utils._internal.masking import NOT_SHOWN


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
        (b"<title>Bad Gateway", "an HTML page"),
        (b"", "Bad Request"),
        ({}, "{}"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        ({"token": "abc", "detail": "no"}, "token: ********; no"),
        ({"token": ["This field is required"]}, "token: This field is required"),
        ({"token": ["abc"], "detail": "no"}, "token: ********; no"),
        ({"token": [7]}, "token: ********"),
        ({"token": 7}, "token: ********"),
        ({"name": None, "size": "", "detail": 0}, "0"),
        (b'{"size": 7', '{"size": 7'),
        (b'{"token": 7', NOT_SHOWN),
        (b"the token is wrong", "the token is wrong"),
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


SETTINGS = Settings("https://console.example.com", "/api/v1", "AK", "SK")
PLAIN = SETTINGS._replace(origin="http://console.example.com")
KEYS = "no (check access_key and secret_key)"
RIGHTS = "no (check access_key and secret_key, and whether this key is allowed to do this)"
NO_API = "no (there is no console API at this address: check console_url)"
REDIRECTED = "redirects are not followed, and this one leads to {}. Check console_url"


@pytest.mark.parametrize(
    ("attempt", "is_root", "message"),
    [
        (response({"detail": "no."}), True, "no."),
        (response({"detail": "no."}, 401), True, KEYS),
        (response({"detail": "no."}, 403), False, RIGHTS),
        (response({"detail": "no."}, 404), True, NO_API),
        (response({"detail": "no."}, 404), False, "no."),
        # A status can be refused by who asked for another.
        (response({"detail": "no."}, 200), True, "no."),
        (response(b"")._replace(status=200, defect=INCOMPLETE), False, INCOMPLETE),
        (response(b"")._replace(status=500, defect=INCOMPLETE), False, "Internal Server Error"),
        (response(b"")._replace(status=500, defect=TOO_LARGE), False, TOO_LARGE),
        (Response(302, {"Location": "https://me:x@h.example:8/a?b#c"}, b""), True, REDIRECTED.format("h.example:8/a")),
        (Response(302, {}, b""), False, REDIRECTED.format("nowhere")),
    ],
)
def test_a_refusal_has_the_words_of_the_console_and_a_hint(attempt: Response, is_root: bool, message: str) -> None:
    assert explain(attempt, SETTINGS, "", is_root, None) == message


CLOCK = ". The console's clock is 600 s ahead of this machine's, as its Date header shows."
AS_WELL = " Signed with that time, the request was refused as well."
NOT_USED = " That time was not used to sign the request again: it is old. Synchronize the clocks."


@pytest.mark.parametrize(
    ("status", "obstacle", "refusal", "message"),
    [
        (401, "", "no", KEYS + CLOCK + AS_WELL),
        (401, "", "late", KEYS + CLOCK + AS_WELL + " The first refusal was: late."),
        (401, "it is old", "no", KEYS + CLOCK + NOT_USED),
        (500, "", "late", "no"),
    ],
)
def test_a_refusal_tells_of_clocks_that_disagree(status: int, obstacle: str, refusal: str, message: str) -> None:
    correction = ClockCorrection(600, obstacle, refusal)
    assert explain(response({"detail": "no"}, status), SETTINGS, "", False, correction) == message


PROXY = "the proxy of the environment"
BY_PROXY = f"{PROXY} cannot be used"
UNTRUSTED = requests.exceptions.SSLError(ssl.SSLError(1, "untrusted"))
NO_TLS = requests.exceptions.SSLError(ssl.SSLError(1, "[SSL] Wrong version number"))
REFUSED = requests.ConnectionError(OSError(111, "refused"))
REFUSED_BY_PROXY = requests.exceptions.ProxyError(OSError(111, "refused"))
CLOSED = requests.ConnectionError(http.client.RemoteDisconnected("odd"))
CERTIFICATE = (
    "no TLS connection: untrusted (if the console has a private certificate authority, name its certificate in ca_path"
)
HTTP = "no TLS connection: [SSL] Wrong version number (the server does not speak TLS on this port: should console_url begin with http?)"
HTTPS = " (should console_url begin with https?)"
PAIR = SETTINGS._replace(client_cert="c")


@pytest.mark.parametrize(
    ("cause", "flags", "settings", "proxy", "message"),
    [
        # "permanent" and "sent", as far as they are true.
        (NO_TLS, "permanent", SETTINGS, "", HTTP),
        (UNTRUSTED, "permanent", SETTINGS, PROXY, f"{CERTIFICATE})"),
        (
            UNTRUSTED,
            "permanent",
            PAIR,
            "",
            f"{CERTIFICATE}, and check that client_cert and client_key belong together)",
        ),
        (UNTRUSTED, "", SETTINGS, "", "untrusted"),
        (ValueError("odd https://me:x@h"), "permanent", SETTINGS, "", "odd https://********@h"),
        (ValueError("odd"), "permanent", SETTINGS, PROXY, BY_PROXY),
        (REFUSED_BY_PROXY, "", SETTINGS, PROXY, f"{BY_PROXY}: refused"),
        (REFUSED_BY_PROXY, "", SETTINGS, "", "refused"),
        (REFUSED_BY_PROXY, "sent", SETTINGS, PROXY, "refused"),
        (REFUSED, "", PLAIN, PROXY, "refused"),
        (requests.ConnectionError(OSError("odd")), "sent", SETTINGS, "", "odd"),
        (CLOSED, "sent", PLAIN, "", f"the connection was closed without a response{HTTPS}"),
        (CLOSED, "sent", SETTINGS, "", "the connection was closed without a response"),
        (http.client.BadStatusLine("odd"), "permanent sent", PLAIN, "", f"invalid HTTP response{HTTPS}"),
        (requests.Timeout("odd"), "sent", SETTINGS, "", "no complete response within 30 s"),
        (requests.ConnectionError(socket.timeout("odd")), "", PLAIN, "", "no complete response within 30 s"),
    ],
)
def test_without_a_response_the_innermost_cause_is_told_and_what_to_check(
    cause: Exception, flags: str, settings: Settings, proxy: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
    attempt = NoResponse(cause, "sent" in flags, "permanent" in flags)
    assert explain(attempt, settings, proxy, False, None) == message


def test_variables_that_other_programs_read_for_certificates_are_told_if_they_are_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/ca.pem")
    monkeypatch.setenv("CURL_CA_BUNDLE", "")
    monkeypatch.setenv("SSL_CERT_FILE", "/ca.pem")
    message = explain(NoResponse(UNTRUSTED, False, True), SETTINGS, "", False, None)
    assert message == f"{CERTIFICATE}; of the environment, this is not read: REQUESTS_CA_BUNDLE, SSL_CERT_FILE)"


@pytest.mark.parametrize(
    ("content", "problem", "what"),
    [
        (b" <title>Sign in</title>", ValueError("odd"), "an HTML page, 'Sign in'"),
        (b"hello", ValueError("odd"), "other text"),
        (b" \n", ValueError("odd"), "an empty response"),
        (b"[[[[", UnusableJsonError("values nested too deeply"), "values nested too deeply"),
    ],
)
def test_content_that_is_no_json(content: bytes, problem: ValueError, what: str) -> None:
    assert explain_content(response(content), problem) == f"expected JSON, got {what}. Check console_url"
