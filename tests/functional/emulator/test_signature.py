# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulator's own signatures: right by fixed vectors, and strict over HTTP."""

from __future__ import annotations

import base64
import importlib.util
import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Emulator
from emulator.signature import (
    SignatureError,
    canonical_query,
    read_token,
    sign,
    sign_headers,
    signature_of,
    string_to_sign,
    verify,
    without_default_port,
)
from harness.places import CHECKOUT

if TYPE_CHECKING:
    pass


def _vectors() -> Any:
    """Load the vectors, which belong to the unit tests of the client."""
    path = CHECKOUT / "tests/unit/plugins/module_utils/http/signature_vectors.py"
    spec = importlib.util.spec_from_file_location("signature_vectors", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VECTORS: list[dict[str, Any]] = _vectors().VECTORS
EMPTY_HOSTS: list[str] = _vectors().EMPTY_HOSTS


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_vectors(vector: dict[str, Any]) -> None:
    keys = vector["access_key"], vector["secret_key"]
    made = sign(*keys, vector["timestamp"], vector["method"], vector["url"], body=vector["body"])
    for name in ("host", "path", "query", "body_hash", "string_to_sign", "signature", "token_json", "token"):
        assert getattr(made, name) == vector[name], name


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_vectors_are_accepted_as_they_come_off_the_wire(vector: dict[str, Any]) -> None:
    parts = urlsplit(vector["url"])
    received = {
        "access_key": vector["access_key"],
        "secret_key": vector["secret_key"],
        "now": float(vector["timestamp"]),
        "method": vector["method"],
        "path": parts.path,
        "query": parts.query,
        "host": vector["host"],
        "scheme": parts.scheme,
        "body": vector["body"] or b"",
    }
    assert verify(vector["token"], **received).timestamp == vector["timestamp"]
    changes: dict[str, Any] = {
        "secret_key": "another",
        "access_key": "another",
        "path": parts.path + "/",
        "query": parts.query + "&x=1",
        "host": "other.example.com",
        "body": received["body"] + b" ",
        "method": "POST" if vector["method"] == "GET" else "GET",
    }
    for name, value in changes.items():
        with pytest.raises(SignatureError):
            verify(vector["token"], **{**received, name: value})


@pytest.mark.parametrize("url", EMPTY_HOSTS)
def test_no_signature_without_a_host(url: str) -> None:
    with pytest.raises(ValueError, match="without a host"):
        sign("access", "secret", 1, "GET", url)
    with pytest.raises(ValueError, match="without a host"):
        string_to_sign(1, "GET", path="/", host="", query="", digest="")


@pytest.mark.parametrize(
    ("host", "scheme", "value"),
    [
        ("example.com:80", "http", "example.com"),
        ("example.com:80", "https", "example.com:80"),
        ("example.com:443", "https", "example.com"),
        ("example.com:8080", "http", "example.com:8080"),
        ("example.com", "http", "example.com"),
        ("[::1]", "http", "[::1]"),
        ("[::1]:80", "http", "[::1]"),
        ("[::1]:443", "http", "[::1]:443"),
        ("", "http", ""),
    ],
)
def test_the_default_port_is_left_out_of_a_host_header(host: str, scheme: str, value: str) -> None:
    assert without_default_port(host, scheme) == value


def test_a_query_that_is_not_utf_8_keeps_its_bytes() -> None:
    assert canonical_query("b=%ff%fe&a=%FF") == "a=%FF&b=%FF%FE"


def _token(server: Emulator, **changes: Any) -> str:
    """Make the token of a signed GET of the volumes, with fields changed; None leaves one out."""
    timestamp = int(time.time())
    made = sign(server.access_key, server.secret_key, timestamp, "GET", f"{server.api_url}/volumes")
    fields = {"access_key": server.access_key, "timestamp": timestamp, "signature": made.signature, "version": 1}
    fields.update(changes)
    kept = {name: value for name, value in fields.items() if value is not None}
    return base64.b64encode(json.dumps(kept).encode()).decode()


def _get(server: Emulator, token: str | None) -> int:
    """Send a GET of the volumes with a token and return the status."""
    headers = {"Host": urlsplit(server.url).netloc, "Authorization": token}
    with Client.of(server) as client:
        return client.send_as_is("GET", "/api/v1/volumes", headers=headers).status


def test_a_token_is_accepted(server: Emulator) -> None:
    assert _get(server, _token(server)) == 200
    assert _get(server, _token(server, version=None)) == 200
    assert [entry.authenticated for entry in server.requests] == [True, True]
    assert [entry.refusal for entry in server.requests] == [None, None]


@pytest.mark.parametrize(
    "changes",
    [
        {"access_key": None},
        {"access_key": ""},
        {"access_key": 1},
        {"access_key": "unknown"},
        {"timestamp": None},
        {"timestamp": str(int(time.time()))},
        {"timestamp": time.time()},
        {"timestamp": True},
        {"signature": None},
        {"signature": ""},
        {"signature": "0" * 64},
        {"signature": 0},
        {"version": 0},
        {"version": 2},
        {"version": "1"},
        {"version": 1.0},
        {"version": True},
        {"version": []},
        {"extra": "field"},
    ],
    ids=lambda changes: "-".join(f"{name}-{type(value).__name__}" for name, value in changes.items()),
)
def test_a_token_with_other_fields_is_refused(server: Emulator, changes: dict[str, Any]) -> None:
    assert _get(server, _token(server, **changes)) == 401
    assert server.requests[0].authenticated is False
    assert server.requests[0].refusal


def test_a_token_in_another_form_is_refused(server: Emulator) -> None:
    good = _token(server)
    while not good.endswith("="):
        good = base64.b64encode(base64.b64decode(good) + b" ").decode()
    assert _get(server, good) == 200
    decoded = base64.b64decode(good)
    twice = decoded.replace(b'"version": 1', b'"version": 1, "version": 1')
    upper = decoded.replace(
        json.loads(decoded)["signature"].encode(), json.loads(decoded)["signature"].upper().encode()
    )
    for token in (
        None,
        "",
        f"Bearer {good}",
        f"Token {good}",
        good.rstrip("="),
        good[:-1] + "!",
        decoded.decode(),
        base64.b64encode(b"[]").decode(),
        base64.b64encode(b"\xff\xfe").decode(),
        base64.b64encode(b"{").decode(),
        base64.b64encode(b"null").decode(),
        base64.b64encode(b"[" * 50_000).decode()[:8000],
        base64.b64encode(twice).decode(),
        base64.b64encode(upper).decode(),
    ):
        assert _get(server, token) == 401, token


def test_base64_with_stray_bits_is_refused() -> None:
    assert base64.b64decode("e30=") == base64.b64decode("e31=")
    with pytest.raises(SignatureError, match="access_key"):
        read_token("e30=")
    with pytest.raises(SignatureError, match="base64"):
        read_token("e31=")


def test_two_tokens_are_refused(server: Emulator) -> None:
    with Client.of(server) as client:
        reply = client.send("GET", "/volumes", headers={"authorization": "e30="})
    assert reply.status in (400, 401)


@pytest.mark.parametrize(("seconds", "status"), [(0, 200), (-300, 200), (300, 200), (-301, 401), (301, 401)])
def test_the_window_of_five_minutes(seconds: int, status: int) -> None:
    now = 1_800_000_000.9
    with Emulator(clock=lambda: now) as server, Client.of(server, clock=lambda: now + seconds) as client:
        assert client.send("GET", "/volumes").status == status


def test_the_window_follows_the_shifted_clock(server: Emulator) -> None:
    server.clock_offset = 600
    with Client.of(server) as client:
        assert client.send("GET", "/volumes").status == 401
    assert "5 minutes" in str(server.requests[0].refusal)
    with Client.of(server, clock=lambda: time.time() + 600) as client:
        assert client.send("GET", "/volumes").status == 200


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("POST", "/api/v1/volumes", b'{"name": "b", "bucket": "https://b.example.com"}'),
        ("POST", "/api/v1/volumes", b""),
        ("POST", "/api/v1/volumes?x=1", b'{"name": "a", "bucket": "https://a.example.com"}'),
        ("POST", "/api/v1/volumes/", b'{"name": "a", "bucket": "https://a.example.com"}'),
        ("PUT", "/api/v1/volumes", b'{"name": "a", "bucket": "https://a.example.com"}'),
    ],
)
def test_what_was_not_signed_has_no_effect(server: Emulator, method: str, target: str, body: bytes) -> None:
    signed = b'{"name": "a", "bucket": "https://a.example.com"}'
    url = f"{server.api_url}/volumes"
    headers = sign_headers(server.access_key, server.secret_key, int(time.time()), "POST", url, body=signed)
    with Client.of(server) as client:
        reply = client.send_as_is(method, target, body, headers)
        assert reply.status == 401
        assert reply.json == {"detail": "Authentication failed: the signature does not match."}
        assert server.volumes() == []
        assert client.send_as_is("POST", "/api/v1/volumes", signed, headers).status == 201


def test_the_order_and_the_writing_of_a_query_do_not_matter(server: Emulator) -> None:
    host = urlsplit(server.url).netloc
    text = string_to_sign(int(time.time()), "GET", path="/api/v1/volumes", host=host, query="a=1&a=x+y&b=", digest="")
    token = _token(server, signature=signature_of(server.secret_key, text), timestamp=int(text.split("\n")[0]))
    with Client.of(server) as client:
        for query in ("a=1&a=x+y&b=", "b=&a=x%20y&a=1", "b&a=%78+y&a=1"):
            headers = {"Host": host, "Authorization": token}
            assert client.send_as_is("GET", f"/api/v1/volumes?{query}", headers=headers).status == 200, query
    assert [entry.query for entry in server.requests] == ["a=1&a=x+y&b=", "b=&a=x%20y&a=1", "b&a=%78+y&a=1"]


def test_the_host_header_takes_part(server: Emulator) -> None:
    with Client.of(server) as client:
        assert client.send("GET", "/volumes", headers={"Host": "other.example.com"}).status == 401
        assert client.send("GET", "/volumes", headers={"Host": ""}).status in (400, 401)


def test_the_keys_are_never_in_an_answer(server: Emulator) -> None:
    with Client(server.url, server.access_key, "wrong") as client:
        reply = client.send("GET", "/volumes")
        state = client.send_as_is("GET", "/_emulator/state", headers={"Host": "localhost"})
    assert reply.status == 401
    right = sign(server.access_key, server.secret_key, int(time.time()), "GET", f"{server.api_url}/volumes")
    for response in (reply, state):
        assert server.secret_key not in response.text
        assert right.signature not in response.text
