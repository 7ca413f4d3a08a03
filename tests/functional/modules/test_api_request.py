# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module api_request: any request, and no secret in what is shown of its response."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer, http_response

NEW = {"name": "a", "bucket": "https://a.example.com"}
SECRET = "hunter2-hunter2"


@pytest.mark.parametrize("path", ["volumes", "/volumes", " volumes\n"])
def test_get_in_check_mode_too(run: Run, emulator: Emulator, path: str) -> None:
    result = run("api_request", path=path, check=True)
    assert (result["changed"], result["status"], result["json"]) == (False, 200, [])
    assert "content" not in result
    assert [request.path for request in emulator.requests] == ["/volumes"]


@pytest.mark.parametrize(("method", "status"), [("POST", 201), ("PUT", 200), ("DELETE", 204)])
def test_writes(run: Run, emulator: Emulator, volume: int, method: str, status: int) -> None:
    export = emulator.add_export(volume, desc="web", iprange="*")
    path = f"volumes/{volume}/exports" + ("" if method == "POST" else f"/{export}")
    body = None if method == "DELETE" else {"desc": "www", "iprange": "10.0.0.0/8"}
    predicted = run("api_request", method=method, path=path, body=body, check=True)
    assert (predicted["skipped"], predicted["changed"], emulator.requests) == (True, False, [])
    result = run("api_request", method=method, path=path, body=body)
    assert (result["changed"], result["status"]) == (True, status)
    assert [request.json for request in emulator.writes] == [body]
    # A result has room for a few characters of an option.
    assert len(str(run("api_request", method="POST", path=path, body="x" * 100_000, check=True))) < 20_000


@pytest.mark.parametrize("body", [{}, [], {"a": [1, None, "ä"]}, [{"a": 1}]], ids=str)
def test_query_and_body_are_signed_as_they_are_sent(run: Run, emulator: Emulator, body: Any) -> None:
    query = {"b": [2, 10, "a b"], "a": True, "c": None, "d": "ä&="}
    run("api_request", method="PATCH", path="volumes", query=query, body=body)
    (request,) = emulator.requests
    assert request.authenticated
    assert request.query == "a=true&b=10&b=2&b=a+b&c=&d=%C3%A4%26%3D"
    assert (request.json, bool(request.body)) == (body, True)


def test_status_codes_that_are_a_success(run: Run, emulator: Emulator) -> None:
    options = {"method": "DELETE", "path": "volumes/999"}
    assert run("api_request", **options)["failure"]["status"] == 404
    result = run("api_request", status_code=[204, 404], **options)
    assert (result["status"], result["changed"]) == (404, True)
    other = run("api_request", path="volumes", status_code=[204])
    assert (other["failure"]["status"], other["changed"]) == (200, False)
    assert other["msg"].startswith("GET /api/v1/volumes: HTTP 200 is not in status_code: add it")
    assert len(emulator.requests) == 3


@pytest.mark.parametrize(("kind", "status", "content"), [("html", 200, "<"), ("empty", 204, "")])
def test_what_is_no_json_is_content(run: Run, emulator: Emulator, kind: str, status: int, content: str) -> None:
    emulator.inject(Fault(kind, status=status))
    result = run("api_request", path="volumes")
    assert (result["content"].startswith(content), "json" in result) == (True, False)


UNKNOWN = {
    "no response": (Fault("reset_after", method="POST", times=None), "may have been carried out anyway"),
    "half a response": (Fault("truncate", method="POST", times=None), "the response was incomplete"),
    "a redirect": (Fault("redirect", method="POST", effect=True), "redirects are not followed"),
    "408": (Fault("status", method="POST", status=408, effect=True), "HTTP 408"),
}


@pytest.mark.parametrize(("fault", "message"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_outcome_is_changed_and_sent_once(run: Run, emulator: Emulator, fault: Fault, message: str) -> None:
    emulator.inject(fault)
    result = run("api_request", method="POST", path="volumes", body=NEW)
    assert (result["failed"], result["changed"]) == (True, True)
    assert message in result["msg"]
    assert (len(emulator.requests), len(emulator.volumes())) == (1, 1)


@pytest.mark.parametrize("fault", ["reset_after", "truncate"])
def test_a_request_that_only_reads_changed_nothing_whatever_became_of_it(
    run: Run, emulator: Emulator, fault: str
) -> None:
    emulator.inject(Fault(fault, times=None))
    result = run("api_request", path="volumes", retries=0)
    assert (result["failed"], result["changed"]) == (True, False)
    assert "may have been carried out" not in result["msg"]


def test_only_a_list_that_each_console_has_tells_whether_this_is_one(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", status=404, times=None))
    requests = [("GET", "volumes"), ("POST", "volumes"), ("GET", "volumes/7")]
    found = [run("api_request", method=method, path=path)["msg"] for method, path in requests]
    assert ["there is no console API" in text for text in found] == [True, False, False]


@pytest.mark.promise("no-secret-in-output")
def test_secrets_are_masked_in_place_unless_asked_for(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket="https://me:hunter2@a.example.com")
    emulator.add_export(volume, desc="web", iprange="*", token=SECRET)
    assert "hunter2" not in str(run("api_request", path="volumes"))
    for include, token in ((False, "********"), (True, SECRET)):
        result = run("api_request", path=f"volumes/{volume}/exports", include_tokens=include)
        assert result["json"][0]["token"] == token
        assert (SECRET in str(result)) is include


BODIES = {
    "a byte order mark, nothing secret": (b'\xef\xbb\xbf{"name": "archive"}', "archive"),
    "an escape in the name": (b'{"\\u0074oken": ["hunter2"', "not shown"),
    "a call": (b'callback({"token": {"value": "hunter2"}});', ""),
    "UTF-16": ('{"token": {"value": "hunter2"}}'.encode("utf-16"), ""),
}


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(("body", "shown"), BODIES.values(), ids=BODIES)
def test_no_secret_in_almost_json(run: Run, raw_server: StartServer, body: bytes, shown: str, status: int) -> None:
    result = run("api_request", path="volumes", console_url=raw_server(http_response(body, status=status)).url)
    text = json.dumps(result).replace("\\u0000", "")
    assert "hunter2" not in text
    assert ("failed" in result) is (status == 400)
    assert status == 400 or shown in text
