# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Malformed JSON in responses to api_request: shown only where it cannot hold a secret."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Emulator, Fault
from emulator.flaws import FLAWS
from functional.support.inprocess import Run
from functional.support.rawserver import RawServer, StartServer

SECRET = "hunter2-hunter2"
BODIES: list[Any] = [
    {"token": {"value": SECRET}},
    {"token": [SECRET, {"x": SECRET}]},
    [{"deep": {"secretKey": {"a": [SECRET]}}}],
    {"password": SECRET, "name": "a"},
]


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("flaw", FLAWS)
@pytest.mark.parametrize("body", BODIES, ids=json.dumps)
def test_secrets_are_masked_also_in_what_is_not_quite_json(run: Run, emulator: Emulator, flaw: str, body: Any) -> None:
    emulator.inject(Fault("malformed_json", flaw=flaw, value=body, times=None))
    result = run("api_request", path="volumes")
    assert "failed" not in result
    assert SECRET not in json.dumps(result)
    assert "hunter2" not in json.dumps(result)
    shown = run("api_request", path="volumes", include_tokens=True)
    assert SECRET in json.dumps(shown)


@pytest.mark.parametrize("flaw", FLAWS)
def test_what_is_no_secret_is_shown_of_what_is_not_quite_json(run: Run, emulator: Emulator, flaw: str) -> None:
    emulator.inject(Fault("malformed_json", flaw=flaw, value={"name": "archive"}, times=None))
    assert "archive" in json.dumps(run("api_request", path="volumes"))


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("flaw", FLAWS)
def test_secrets_in_odd_errors_are_masked_too(run: Run, emulator: Emulator, flaw: str) -> None:
    body = {"detail": {"token": {"value": SECRET}}, "token": [SECRET]}
    emulator.inject(Fault("malformed_json", flaw=flaw, status=400, value=body, times=None))
    result = run("api_request", path="volumes", method="POST", body={})
    assert result["failed"]
    assert SECRET not in json.dumps(result)


def serving(raw_server: StartServer, body: bytes) -> RawServer:
    """Start a server that responds with these bytes."""
    return raw_server(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize(
    "body",
    [
        b'{"token": {"value": "hunter2"',
        b'{"token": {"value": "hunter2"},}',
        b'{"a": 1}\n{"token": {"value": "hunter2"}}',
        b'{"\\u0074oken": ["hunter2"',
        b'[{"secretKey": {"a": "hunter2"}',
        b'{token: {value: "hunter2"}}',
    ],
)
def test_what_cannot_be_read_and_names_a_secret_is_not_shown(run: Run, raw_server: StartServer, body: bytes) -> None:
    result = run("api_request", path="volumes", console_url=serving(raw_server, body).url)
    assert "failed" not in result
    assert "hunter2" not in json.dumps(result)
    assert "not shown" in result["content"]


def test_what_cannot_be_read_and_names_no_secret_is_shown(run: Run, raw_server: StartServer) -> None:
    server = serving(raw_server, b'{"name": {"value": "archive"')
    assert "archive" in run("api_request", path="volumes", console_url=server.url)["content"]


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize(
    "body",
    [
        b'callback({"token": {"value": "hunter2"}});',
        b')]}\',\n{"token": {"value": "hunter2"}}',
        '{"token": {"value": "hunter2"}}'.encode("utf-16"),
    ],
    ids=["callback", "prefix", "utf-16"],
)
def test_json_in_another_dress_is_not_shown_where_it_names_a_secret(
    run: Run, raw_server: StartServer, body: bytes
) -> None:
    result = run("api_request", path="volumes", console_url=serving(raw_server, body).url)
    assert "hunter2" not in json.dumps(result).replace("\\u0000", "")
