# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The policy as tables: the meaning of statuses, repetitions, wrong clocks, when to give up, and what is said of a refusal."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Union

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import Settings
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import policy, transport
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.messages import (
    MAX_LENGTH,
    readable,
    said,
)
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Response

METHODS = ("GET", "PUT", "DELETE", "POST", "PATCH")
Meaning = Callable[[Any], bool]


def response(status: int, defect: str = "", **details: Any) -> transport.Response:
    """Return a response with a status."""
    return transport.Response(status, details.pop("headers", {}), b"", defect, **details)


MEANINGS: dict[str, Meaning] = {
    "redirect": policy.REDIRECT.__contains__,
    "no such route": policy.NO_SUCH_ROUTE.__contains__,
    "answered": policy.is_answered,
    "maybe applied": lambda status: policy.maybe_applied(response(status)),
    "maybe the time": policy.maybe_refused_for_time,
    "time accepted": lambda status: policy.has_accepted_time(response(status)),
    "GET again": lambda status: policy.may_repeat("GET", response(status)),
    "PUT again": lambda status: policy.may_repeat("PUT", response(status)),
    "DELETE again": lambda status: policy.may_repeat("DELETE", response(status)),
    "POST again": lambda status: policy.may_repeat("POST", response(status)),
    "PATCH again": lambda status: policy.may_repeat("PATCH", response(status)),
}
SAFE_AGAIN = {"GET again", "PUT again", "DELETE again"}
ANY_AGAIN = {*SAFE_AGAIN, "POST again", "PATCH again"}
ACCEPTED = {"answered", "maybe applied", "time accepted"}


STATUSES: dict[tuple[int, ...], set[str]] = {
    (199, 200, 204, 299): ACCEPTED,
    (300, 302, 399): {*ACCEPTED, "redirect"},
    (400, 401, 403, 410, 499): {"answered", "maybe the time"},
    (404, 405): {"answered", "time accepted", "no such route"},
    (408,): {"answered", "maybe applied", "maybe the time"},
    (409, 415, 422): {"answered", "time accepted"},
    (429,): {*ANY_AGAIN, "time accepted"},
    (500, 502, 503, 504): {"maybe applied", *SAFE_AGAIN},
    (501,): {"answered", "no such route"},
    (505, 599): {"maybe applied"},
}


@pytest.mark.parametrize(
    ("status", "meanings"), [(status, meanings) for statuses, meanings in STATUSES.items() for status in statuses]
)
def test_what_a_status_means(status: int, meanings: set[str]) -> None:
    assert {name for name, holds in MEANINGS.items() if holds(status)} == meanings


@pytest.mark.parametrize(
    ("defect", "statuses", "methods"),
    [
        (transport.INCOMPLETE, (199, 300, 404), set()),
        (transport.INCOMPLETE, (200, 204, 500), {"GET", "PUT", "DELETE"}),
        (transport.INCOMPLETE, (429,), {"GET", "PUT", "DELETE", "POST", "PATCH"}),
        (transport.TOO_LARGE, (200, 429, 500), set()),
        (transport.COMPRESSED, (200, 404), set()),
        (transport.COMPRESSED, (500,), {"GET", "PUT", "DELETE"}),
    ],
)
def test_what_may_be_repeated_after_a_response_without_a_body(defect: str, statuses: Any, methods: set[str]) -> None:
    for status in statuses:
        assert {method for method in METHODS if policy.may_repeat(method, response(status, defect))} == methods, status


@pytest.mark.parametrize(
    ("sent", "permanent", "methods"),
    [
        pytest.param(False, False, {"GET", "PUT", "DELETE", "POST", "PATCH"}, id="nothing was sent"),
        pytest.param(True, False, {"GET", "PUT", "DELETE"}, id="it may have been carried out"),
        pytest.param(False, True, set(), id="nothing can be sent"),
        pytest.param(True, True, set(), id="it may have been carried out, and a repetition cannot help"),
    ],
)
def test_what_may_be_repeated_after_no_response(sent: bool, permanent: bool, methods: set[str]) -> None:
    attempt = transport.NoResponse(OSError(), sent, permanent)
    assert {method for method in METHODS if policy.may_repeat(method, attempt)} == methods
    assert policy.maybe_applied(attempt) is sent
    assert not policy.has_accepted_time(attempt)


NOW = 784111777.0  # Sun, 06 Nov 1994 08:49:37 GMT
IN_10_S, IN_TEN_MINUTES = "Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:59:47 GMT"
RETRY_AFTER: dict[str, tuple[Any, ...]] = {
    "missing": ({}, None),
    "blank": ({"Retry-After": ""}, None),
    "no number and no date": ({"Retry-After": "soon"}, None),
    "negative": ({"Retry-After": "-5"}, None),
    "a fraction": ({"Retry-After": "1.5"}, None),
    "another script's digit": ({"Retry-After": "\N{ARABIC-INDIC DIGIT FIVE}"}, None),
    "nought": ({"Retry-After": "0"}, 0.0),
    "seconds": ({"Retry-After": "7"}, 7.0),
    "seconds, with white space": ({"Retry-After": " 7 "}, 7.0),
    "the longest": ({"Retry-After": "60"}, 60.0),
    "too long": ({"Retry-After": "61"}, 60.0),
    "more digits than a number may have": ({"Retry-After": "9" * 5000}, 60.0),
    "leading zeros": ({"Retry-After": "000000"}, 0.0),
    "a date, by our clock": ({"Retry-After": IN_10_S}, 10.0),
    "a date that has passed": ({"Retry-After": "Sun, 06 Nov 1994 08:49:27 GMT"}, 0.0),
    "a date, by the console's clock": ({"Retry-After": IN_TEN_MINUTES, "Date": "Sun, 06 Nov 1994 08:59:37 GMT"}, 10.0),
}


@pytest.mark.parametrize(("headers", "seconds"), RETRY_AFTER.values(), ids=RETRY_AFTER)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert policy.retry_after(headers, NOW) == seconds


def test_an_http_date() -> None:
    dates = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:37 +0100"]
    assert [policy.parse_http_date(date) for date in dates] == [NOW, NOW]
    others = [None, "", "tomorrow", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999999999 08:49:37 GMT"]
    assert [text for text in others if policy.parse_http_date(text) is not None] == []


@pytest.mark.parametrize("date", ["Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 -0000"])
def test_a_date_without_a_zone_is_in_utc(date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "EST+5")
        time.tzset()
        seconds = policy.parse_http_date(date)
    time.tzset()
    assert seconds == NOW


# The records of a circuit breaker: a request that was given up, with its status, retried or not; or a success.
LOST_PUT = ("PUT", None, True)
LOST_DELETE = ("DELETE", None, True)
LOST_POST = ("POST", None, False)
LIMITED = ("PUT", 429, True)
BROKEN = ("PUT", 503, True)
REFUSED = ("PUT", 400, False)
LOST_GET = ("GET", None, True)
SUCCESS = "success"
Noted = Union[str, tuple[str, Any, bool]]


def breaker_after(retries: int, events: list[Noted]) -> policy.CircuitBreaker:
    """Return a breaker that has recorded some events."""
    breaker = policy.CircuitBreaker(retries)
    for event in events:
        if isinstance(event, str):
            breaker.record_success()
        else:
            breaker.record_failure(*event)
    return breaker


CIRCUITS: dict[str, tuple[Any, ...]] = {
    "at first": (0, [], 0, False),
    "three unanswered": (0, [LOST_PUT] * 3, 3, True),
    "three unanswered, of three retries": (3, [LOST_PUT] * 3, 3, False),
    "unanswered or rate-limited": (0, [LIMITED, LOST_POST, LIMITED], 3, True),
    "a broken one between them": (0, [LOST_PUT, LOST_PUT, BROKEN, LOST_PUT], 1, False),
    "a success between them": (0, [LOST_PUT, LOST_PUT, SUCCESS, LOST_PUT], 1, False),
    "three deletions unanswered": (0, [LOST_DELETE] * 3, 3, True),
    "reading does not count": (0, [LOST_GET] * 3, 0, False),
    "reading between them": (0, [LOST_PUT, LOST_GET, LOST_PUT, ("GET", 400, False), LOST_PUT], 3, True),
}


@pytest.mark.parametrize(("retries", "events", "unanswered", "is_open"), CIRCUITS.values(), ids=CIRCUITS)
def test_a_circuit_opens(retries: int, events: list[Noted], unanswered: int, is_open: bool) -> None:
    breaker = breaker_after(retries, events)
    assert (breaker.unanswered, breaker.is_open) == (unanswered, is_open)


@pytest.mark.parametrize(
    ("events", "method", "status", "allowed"),
    [
        pytest.param([], "PUT", None, True, id="at first"),
        pytest.param([LOST_PUT], "PUT", None, False, id="unanswered again"),
        pytest.param([LOST_PUT], "PUT", 503, False, id="broken after unanswered"),
        pytest.param([BROKEN], "DELETE", 500, False, id="broken again"),
        pytest.param([BROKEN], "PUT", 429, True, id="rate-limited after broken"),
        pytest.param([LOST_PUT], "GET", None, True, id="reading is always retried"),
        pytest.param([LOST_GET], "PUT", None, False, id="reading was in vain"),
        pytest.param([LOST_POST], "PUT", None, True, id="unanswered, not retried"),
        pytest.param([LIMITED], "PUT", None, True, id="rate-limited in vain"),
        pytest.param([REFUSED], "PUT", None, True, id="refused"),
        pytest.param([LOST_PUT, REFUSED], "PUT", None, False, id="unanswered in vain, then refused"),
        pytest.param([LOST_PUT, SUCCESS], "PUT", None, True, id="a success since"),
    ],
)
def test_a_circuit_breaker_allows_retries(events: list[Noted], method: str, status: int | None, allowed: bool) -> None:
    assert breaker_after(0, events).allows_retry(method, status) is allowed


HTTPS = Settings("https://console.example.com", "/api/v1", "AK", "SK")
DATE = {"Date": "Sun, 06 Nov 1994 08:49:37 GMT"}
NO_WORD = "neither the status {} nor the message says that it is about the time"
TOO_FAR = "a difference of more than an hour is never corrected"


CORRECTIONS: dict[str, tuple[Any, ...]] = {
    "behind": (401, "no", {"sent_at": NOW - 600}, 600, ""),
    "ahead": (403, "no", {"sent_at": NOW + 600}, -600, ""),
    "a word of time": (400, "too skewed", {"sent_at": NOW - 600}, 600, ""),
    "within what is accepted": (401, "no", {"sent_at": NOW - 240}, None, ""),
    "beyond what is surely accepted": (401, "no", {"sent_at": NOW - 241}, 241, ""),
    "the longest round trip": (401, "no", {"sent_at": NOW - 615, "took": 30.0}, 600, ""),
    "it was signed with that time": (401, "no", {"sent_at": NOW - 600, "skew": 590.0}, None, ""),
    "it was signed with another time": (401, "no", {"sent_at": NOW, "skew": 600.0}, 0, ""),
    "a long round trip": (401, "no", {"sent_at": NOW - 600, "took": 31.0}, None, ""),
    "no date": (401, "no", {"sent_at": NOW - 600, "headers": {}}, None, ""),
    "from a cache": (401, "no", {"sent_at": NOW - 600, "headers": {**DATE, "Age": "1"}}, None, ""),
    "no refusal": (500, "no", {"sent_at": NOW - 600}, None, ""),
    "an hour": (401, "no", {"sent_at": NOW - 3601}, 3601, ""),
    "more than an hour": (401, "no", {"sent_at": NOW - 3602}, 3602, TOO_FAR),
    "no word of time": (400, "no", {"sent_at": NOW - 600}, 600, NO_WORD.format(400)),
}


@pytest.mark.parametrize(("status", "refusal", "details", "seconds", "obstacle"), CORRECTIONS.values(), ids=CORRECTIONS)
def test_a_correction(status: int, refusal: str, details: dict[str, Any], seconds: float | None, obstacle: str) -> None:
    correction = policy.find_correction(
        response(status, headers=details.pop("headers", DATE), **details), refusal, HTTPS, False
    )
    expected = None if seconds is None else (seconds, obstacle)
    assert correction == expected


def test_a_time_that_anybody_could_have_sent_is_not_used() -> None:
    refused = response(401, headers=DATE, sent_at=NOW - 600)
    for settings, is_unencrypted, obstacle in (
        (HTTPS._replace(validate_certs=False), False, "validate_certs is false, so that anybody could have sent it"),
        (HTTPS, True, "over http anybody could have sent it"),
    ):
        correction = policy.find_correction(refused, "no", settings, is_unencrypted)
        assert correction
        assert correction.obstacle == obstacle


def answer(content: Any, status: int = 400) -> Response:
    """Return a answer whose body is bytes, or something as JSON."""
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
        ({"password": "no list, so its value"}, "password: ********"),
        (b"no bucket https://me:hunter2@b", "no bucket https://********@b"),
    ],
)
def test_readable(content: Any, message: str) -> None:
    assert readable(answer(content)) == message


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
    assert said(answer(content).content) == words


def test_messages_are_bounded() -> None:
    refusal = answer({"detail": "x" * 10_000})
    assert max(len(readable(refusal)), len(said(refusal.content))) <= MAX_LENGTH + 3
