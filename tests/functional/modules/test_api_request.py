# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module api_request."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run

BUCKET = "https://a.example.com"


def test_get(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    result = run("api_request", path=f"volumes/{volume}/is_ready")
    assert result["changed"] is False
    assert result["status"] == 200
    assert result["json"] == {"is_ready": True}
    assert "content" not in result


@pytest.mark.parametrize("path", ["volumes", "/volumes", " volumes "])
def test_path_with_or_without_a_slash(run: Run, emulator: Emulator, path: str) -> None:
    assert run("api_request", path=path)["json"] == []
    assert emulator.requests[0].path == "/volumes"


@pytest.mark.parametrize(("method", "status"), [("POST", 201), ("PUT", 200), ("DELETE", 204)])
@pytest.mark.parametrize("check", [False, True])
def test_writes(run: Run, emulator: Emulator, method: str, status: int, check: bool) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    export = emulator.add_export(volume, desc="web", iprange="*")
    path = f"volumes/{volume}/exports" + ("" if method == "POST" else f"/{export}")
    body = None if method == "DELETE" else {"desc": "www", "iprange": "10.0.0.0/8"}
    result = run("api_request", method=method, path=path, body=body, check=check)
    assert result["changed"] is not check
    if check:
        assert result["skipped"]
        assert emulator.requests == []
    else:
        assert result["status"] == status
        assert [request.json for request in emulator.writes] == [body]


def test_query_values_may_repeat(run: Run, emulator: Emulator) -> None:
    query = {"b": [2, 10, "a b"], "a": True, "c": None, "d": "ä&="}
    assert run("api_request", path="volumes", query=query)["status"] == 200
    assert emulator.requests[0].query == "a=true&b=10&b=2&b=a+b&c=&d=%C3%A4%26%3D"
    assert emulator.requests[0].authenticated


@pytest.mark.parametrize("body", [{}, [], {"a": [1, None, "ä"]}, [{"a": 1}]])
def test_bodies(run: Run, emulator: Emulator, body: Any) -> None:
    run("api_request", method="PATCH", path="volumes", body=body)
    assert emulator.requests[0].json == body
    assert emulator.requests[0].body
    assert emulator.requests[0].authenticated


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": ""}, "is empty"),
        ({"path": "/"}, "is empty"),
        ({"path": "volumes?x=1"}, "put query parameters into query"),
        ({"path": "volumes#x"}, "put query parameters into query"),
        ({"path": "volumes\n"}, None),
        ({"path": "vol\numes"}, "control character"),
        ({"path": "../volumes"}, "contains an empty segment, . or .."),
        ({"path": "volumes/./7"}, "contains an empty segment, . or .."),
        ({"path": "volumes/%2e%2E/7"}, "contains an empty segment, . or .."),
        ({"path": "volumes\\..\\7"}, "contains an empty segment, . or .."),
        ({"path": "//evil.example/volumes"}, "contains an empty segment"),
        ({"path": "volumes//7"}, "contains an empty segment"),
        ({"path": "https://evil.example/volumes"}, "is not relative"),
        ({"path": "/api/v1/volumes"}, "is not relative"),
        ({"path": "volumes", "body": {}}, "a GET has no body"),
        ({"path": "volumes", "method": "POST", "body": "text"}, "body must be a dictionary or a list"),
        ({"path": "volumes", "method": "POST", "body": 7}, "body must be a dictionary or a list"),
        ({"path": "volumes", "query": {"a": {"b": 1}}}, "query values must be"),
        ({"path": "volumes", "query": {"a": [[1]]}}, "query values must be"),
        ({"path": "volumes", "method": "HEAD"}, "must be one of"),
    ],
)
def test_refused_before_any_request(run: Run, emulator: Emulator, options: dict[str, Any], message: str | None) -> None:
    result = run("api_request", **options)
    if message is None:
        assert result["status"] == 200
    else:
        assert message in result["msg"]
        assert emulator.requests == []


def test_status_codes_that_are_a_success(run: Run, emulator: Emulator) -> None:
    options = {"method": "DELETE", "path": "volumes/999"}
    assert run("api_request", **options)["failure"]["status"] == 404
    result = run("api_request", status_code=[204, 404], **options)
    assert result["status"] == 404
    assert result["changed"]
    emulator.add_volume(name="a", bucket=BUCKET)
    refused = run("api_request", path="volumes", status_code=[204])
    assert refused["failure"]["status"] == 200
    assert len(emulator.requests) == 3


@pytest.mark.parametrize(
    ("fault", "content"),
    [
        (Fault("html"), "<"),
        (Fault("empty"), ""),
        (Fault("empty", status=204), ""),
    ],
)
def test_what_is_no_json_is_content(run: Run, emulator: Emulator, fault: Fault, content: str) -> None:
    emulator.inject(fault)
    result = run("api_request", path="volumes")
    assert result["content"].startswith(content)
    assert "json" not in result


def test_secrets_are_masked_in_place_unless_asked_for(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket="https://me:hunter2@a.example.com")
    emulator.add_export(volume, desc="web", iprange="*")
    result = run("api_request", path=f"volumes/{volume}/exports")
    assert result["json"][0]["token"] == "********"
    assert not any(token in str(result) for token in emulator.tokens())
    assert "hunter2" not in str(run("api_request", path="volumes"))
    shown = run("api_request", path=f"volumes/{volume}/exports", include_tokens=True)
    assert shown["json"][0]["token"] in emulator.tokens()


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_lost_write_is_not_repeated_and_told_as_changed(run: Run, emulator: Emulator, method: str) -> None:
    emulator.inject(Fault("reset_after", method=method, times=None))
    result = run("api_request", method=method, path="volumes", body={"name": "a", "bucket": BUCKET})
    assert result["failed"]
    assert result["changed"]
    assert "The request may have been carried out all the same" in result["msg"]
    assert len(emulator.requests) == 1


def test_an_answer_to_a_write_that_breaks_off_is_told(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("truncate", method="POST", times=None))
    result = run("api_request", method="POST", path="volumes", body={"name": "a", "bucket": BUCKET})
    assert "the response was incomplete" in result["msg"]
    assert result["changed"]
    assert len(emulator.volumes()) == 1


def test_a_refused_write_changed_nothing(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(answers="terse"))
    result = run("api_request", method="POST", path="no/such/route", body={})
    assert result["failure"]["status"] == 405
    assert "may have been" not in result["msg"]
    assert result["changed"] is False


@pytest.mark.promise("no-signature-for-other-hosts")
def test_a_redirect_is_not_followed(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("redirect", times=None))
    assert "redirects are not followed" in run("api_request", path="volumes")["msg"]
    assert len(emulator.requests) == 1


@pytest.mark.parametrize("status", [302, 408])
def test_a_write_of_unknown_outcome_is_told_as_changed(run: Run, emulator: Emulator, status: int) -> None:
    emulator.inject(Fault("status", method="POST", status=status, effect=True))
    result = run("api_request", method="POST", path="volumes", body={"name": "a", "bucket": BUCKET})
    assert result["failed"]
    assert result["changed"]
    assert len(emulator.volumes()) == 1
