# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The emulator's own signatures: right by fixed vectors, and strict over HTTP."""

from __future__ import annotations

import base64
import importlib.util
import json
from collections.abc import Callable
from typing import Any
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
from functional.emulator.conftest import START, Clock
from harness.places import CHECKOUT


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


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_vectors(vector: dict[str, Any]) -> None:
    keys = vector["access_key"], vector["secret_key"]
    made = sign(*keys, vector["timestamp"], vector["method"], vector["url"], body=vector["body"])
    names = ("host", "path", "query", "body_hash", "string_to_sign", "signature", "token_json", "token")
    assert {name: getattr(made, name) for name in names} == {name: vector[name] for name in names}
    parts = urlsplit(vector["url"])
    received = {
        **{name: vector[name] for name in ("access_key", "secret_key", "method", "host")},
        "now": float(vector["timestamp"]), "path": parts.path, "query": parts.query, "scheme": parts.scheme,
        "body": vector["body"] or b"",
    }  # fmt: skip
    assert verify(vector["token"], **received).timestamp == vector["timestamp"]
    changes: dict[str, Any] = {
        "secret_key": "another", "access_key": "another", "host": "other.example.com",
        "path": parts.path + "/", "query": parts.query + "&x=1", "body": received["body"] + b" ",
        "method": "POST" if vector["method"] == "GET" else "GET",
    }  # fmt: skip
    for name, value in changes.items():
        with pytest.raises(SignatureError):
            verify(vector["token"], **{**received, name: value})


@pytest.mark.parametrize("url", _vectors().EMPTY_HOSTS)
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


@pytest.fixture
def token(server: Emulator, clock: Clock) -> Callable[..., str]:
    """Return a way to make the token of a signed GET of the volumes, with fields changed; None leaves one out."""

    def token(**changes: Any) -> str:
        made = sign(server.access_key, server.secret_key, int(clock.now), "GET", f"{server.api_url}/volumes")
        fields = {**json.loads(made.token_json), **changes}
        return base64.b64encode(json.dumps({k: v for k, v in fields.items() if v is not None}).encode()).decode()

    return token


def get(client: Client, token: str | None, query: str = "") -> int:
    """Send a GET of the volumes with a token and return the status."""
    headers = {"Host": urlsplit(client.url).netloc, "Authorization": token}
    return client.send_as_is("GET", f"/api/v1/volumes{query}", headers=headers).status


WRONG: dict[str, list[Any]] = {
    "access_key": [None, "", 1, "unknown"],
    "timestamp": [None, str(int(START)), START, True],
    "signature": [None, "", "0" * 64, 0],
    "version": [0, 2, "1", 1.0, True, []],
    "extra": ["field"],
}
REFUSED = [{name: value} for name, values in WRONG.items() for value in values]


@pytest.mark.parametrize("changes", [{}, {"version": None}, *REFUSED], ids=str)
def test_the_fields_of_a_token(
    server: Emulator, client: Client, token: Callable[..., str], changes: dict[str, Any]
) -> None:
    is_refused = changes in REFUSED
    assert get(client, token(**changes)) == (401 if is_refused else 200)
    assert (server.requests[0].authenticated, server.requests[0].refusal is None) == (not is_refused, not is_refused)


def _padded(token: str) -> str:
    """Return a token with white space in its JSON, so that its base64 ends with padding."""
    while not token.endswith("="):
        token = base64.b64encode(base64.b64decode(token) + b" ").decode()
    return token


def _rewritten(old: bytes, new: Callable[[bytes], bytes]) -> Callable[[str], str]:
    """Return a way to rewrite a part of a token's JSON."""

    def rewrite(token: str) -> str:
        decoded = base64.b64decode(token)
        part = json.loads(decoded)["signature"].encode() if old == b"signature" else old
        assert part in decoded
        return base64.b64encode(decoded.replace(part, new(part))).decode()

    return rewrite


@pytest.mark.parametrize(
    ("form", "status"),
    [
        pytest.param(lambda token: token, 200, id="padded"),
        pytest.param(lambda _token: None, 401, id="no header"),
        pytest.param(lambda _token: "", 401, id="empty"),
        pytest.param(lambda token: f"Bearer {token}", 401, id="a scheme before it"),
        pytest.param(lambda token: token.rstrip("="), 401, id="no padding"),
        pytest.param(lambda token: token[:-1] + "!", 401, id="no base64"),
        pytest.param(lambda token: base64.b64decode(token).decode(), 401, id="not encoded"),
        pytest.param(_rewritten(b'"version": 1', lambda part: part + b", " + part), 401, id="a name twice"),
        pytest.param(_rewritten(b"signature", bytes.upper), 401, id="upper-case digits"),
        *[
            pytest.param(lambda _token, text=text: base64.b64encode(text).decode()[:8000], 401, id=repr(text[:4]))
            for text in (b"[]", b"null", b"\xff\xfe", b"{", b"[" * 50_000)
        ],
    ],
)
def test_the_form_of_a_token(
    client: Client, token: Callable[..., str], form: Callable[[str], str | None], status: int
) -> None:
    assert get(client, form(_padded(token()))) == status


def test_base64_with_stray_bits_is_refused() -> None:
    assert base64.b64decode("e30=") == base64.b64decode("e31=")
    for text, message in (("e30=", "access_key"), ("e31=", "base64")):
        with pytest.raises(SignatureError, match=message):
            read_token(text)


@pytest.mark.parametrize("headers", [{"authorization": "e30="}, {"Host": "other.example.com"}, {"Host": ""}], ids=str)
def test_other_headers_are_refused(client: Client, headers: dict[str, str]) -> None:
    assert client.send("GET", "/volumes", headers=headers).status in (400, 401)


@pytest.mark.parametrize("offset", [0, 600])
@pytest.mark.parametrize(("seconds", "status"), [(0, 200), (-300, 200), (300, 200), (-301, 401), (301, 401)])
def test_the_window_of_five_minutes(server: Emulator, clock: Clock, offset: int, seconds: int, status: int) -> None:
    clock.now, server.clock_offset = START + 0.9, offset
    with Client.of(server, clock=lambda: clock.now + offset + seconds) as client:
        assert client.send("GET", "/volumes").status == status
    assert "5 minutes" in str(server.requests[0].refusal or "5 minutes")


SIGNED = b'{"name": "a", "bucket": "https://a.example.com"}'


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("POST", "/api/v1/volumes", SIGNED.replace(b"a.", b"b.")),
        ("POST", "/api/v1/volumes", b""),
        ("POST", "/api/v1/volumes?x=1", SIGNED),
        ("POST", "/api/v1/volumes/", SIGNED),
        ("PUT", "/api/v1/volumes", SIGNED),
    ],
)
def test_what_was_not_signed_has_no_effect(
    server: Emulator, client: Client, method: str, target: str, body: bytes
) -> None:
    url = f"{server.api_url}/volumes"
    headers = sign_headers(server.access_key, server.secret_key, int(START), "POST", url, body=SIGNED)
    reply = client.send_as_is(method, target, body, headers)
    assert (reply.status, len(server.volumes())) == (401, 1)
    assert reply.json == {"detail": "Authentication failed: the signature does not match."}
    assert client.send_as_is("POST", "/api/v1/volumes", SIGNED, headers).status == 201


@pytest.mark.parametrize("query", ["a=1&a=x+y&b=", "b=&a=x%20y&a=1", "b&a=%78+y&a=1"])
def test_the_order_and_the_writing_of_a_query_do_not_matter(
    server: Emulator, client: Client, token: Callable[..., str], query: str
) -> None:
    host = urlsplit(server.url).netloc
    text = string_to_sign(int(START), "GET", path="/api/v1/volumes", host=host, query="a=1&a=x+y&b=", digest="")
    assert get(client, token(signature=signature_of(server.secret_key, text)), f"?{query}") == 200
    assert server.requests[0].query == query


def test_the_keys_are_never_in_an_answer(server: Emulator, clock: Clock) -> None:
    with Client(server.url, server.access_key, "wrong", clock=clock) as client:
        reply = client.send("GET", "/volumes")
        state = client.send_as_is("GET", "/_emulator/state", headers={"Host": "localhost"})
    assert reply.status == 401
    right = sign(server.access_key, server.secret_key, int(START), "GET", f"{server.api_url}/volumes")
    for response in (reply, state):
        assert server.secret_key not in response.text
        assert right.signature not in response.text
