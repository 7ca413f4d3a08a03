# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every rule of docs/docsite/rst/api.rst, "Signature" and "Token", by name; and what is signed is what is sent."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import host_value
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import signing
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.signing import SignatureAuth
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import (
    VECTORS,
)

HELLO_SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


def text_to_sign(**changes: Any) -> str:
    """Return the canonical request of an ordinary GET, with the given changes."""
    usual = {"timestamp": 1, "method": "GET", "path": "/p", "host": "h", "query": "", "body": None}
    return signing.string_to_sign(**{**usual, **changes})


def test_no_signature_for_an_empty_host() -> None:
    with pytest.raises(ValueError, match="without a host"):
        text_to_sign(host="")


@pytest.mark.parametrize(
    ("query", "canonical"),
    [
        pytest.param("", "", id="no query"),
        pytest.param("b=2&a=1", "a=1&b=2", id="sorted by name"),
        pytest.param("a=2&b=x&a=10&a=1", "a=1&a=10&a=2&b=x", id="a repeated name is sorted by value, as text"),
        pytest.param("a=&b", "a=&b=", id="blank values stay"),
        pytest.param("q=a+b%20c", "q=a+b+c", id="a space is a plus"),
        pytest.param("q=a%2Bb", "q=a%2Bb", id="a plus is encoded"),
        pytest.param("n=%c3%a4&o=ä", "n=%C3%A4&o=%C3%A4", id="not ASCII"),
        pytest.param("%C3%A4=1&z=2", "z=2&%C3%A4=1", id="sorted by code point, not by its encoding"),
        pytest.param("p=/a:b@c!$'()*,;~-._", "p=%2Fa%3Ab%40c%21%24%27%28%29%2A%2C%3B~-._", id="no safe characters"),
        pytest.param("a=1=2", "a=1%3D2", id="an equals sign in a value"),
        pytest.param("a=%26%3D", "a=%26%3D", id="encoded separators stay encoded"),
        pytest.param("a=1;b=2", "a=1%3Bb%3D2", id="a semicolon separates nothing"),
        pytest.param("a=%FF", "a=%FF", id="bytes that are no UTF-8 stay"),
    ],
)
def test_canonical_query(query: str, canonical: str) -> None:
    assert signing.canonical_query(query) == canonical


def test_canonical_query_of_a_canonical_query_is_itself() -> None:
    canonical = signing.canonical_query("b=%ff&a=+x&a=%20&c=ä")
    assert signing.canonical_query(canonical) == canonical


@pytest.mark.parametrize(
    ("body", "digest"),
    [
        pytest.param(None, "", id="no body"),
        pytest.param(b"", "", id="zero bytes are no body"),
        pytest.param(b"hello", HELLO_SHA256, id="lower-case hexadecimal SHA-256 of the raw bytes"),
    ],
)
def test_body_hash(body: bytes | None, digest: str) -> None:
    assert signing.body_hash(body) == digest


def test_an_empty_object_is_a_body() -> None:
    assert signing.body_hash(b"{}") != signing.body_hash(b"{ }") != ""


def test_string_to_sign_is_six_lines_in_order_without_a_line_feed_at_the_end() -> None:
    text = text_to_sign(timestamp=1700000000, method="post", path="/api/v1/volumes", query="a=1", body=b"hello")
    assert text.split("\n") == ["1700000000", "POST", "/api/v1/volumes", "host:h", "a=1", HELLO_SHA256]


def test_string_to_sign_without_query_and_body_ends_with_two_empty_lines() -> None:
    assert text_to_sign() == "1\nGET\n/p\nhost:h\n\n"


def test_signature_is_lower_case_hexadecimal_hmac_sha256() -> None:
    # The well-known example of HMAC-SHA-256 that many libraries test with.
    expected = "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    assert signing.signature("key", "The quick brown fox jumps over the lazy dog") == expected


def test_token_is_base64_of_json_with_padding_and_without_a_scheme() -> None:
    token = signing.token("AK", 1700000000, "abc")
    assert json.loads(base64.b64decode(token, validate=True)) == {
        "access_key": "AK",
        "timestamp": 1700000000,
        "signature": "abc",
        "version": 1,
    }
    assert len(token) % 4 == 0
    assert " " not in token


def test_the_timestamp_of_a_token_is_an_integer() -> None:
    assert b'"timestamp": 5,' in base64.b64decode(signing.token("AK", 5, "s"))


def prepared(method: str, url: str, body: Any = None) -> requests.PreparedRequest:
    """Return a request as `requests` would send it, signed at second 1."""
    return requests.Request(method, url, data=body, auth=SignatureAuth("AK", "SK", 1)).prepare()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_each_step_of_a_signature(vector: dict[str, Any]) -> None:
    url = vector["url"]
    assert host_value(url) == vector["host"]
    assert signing.canonical_query(urlsplit(url).query) == vector["query"]
    assert signing.body_hash(vector["body"]) == vector["body_hash"]
    text = signing.string_to_sign(
        vector["timestamp"], vector["method"], vector["path"], vector["host"], vector["query"], vector["body"]
    )
    assert text == vector["string_to_sign"]
    signature = signing.signature(vector["secret_key"], text)
    assert signature == vector["signature"]
    token = signing.token(vector["access_key"], vector["timestamp"], signature)
    assert json.loads(base64.b64decode(token)) == json.loads(vector["token_json"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_prepared_request_carries_what_was_signed(vector: dict[str, Any]) -> None:
    auth = SignatureAuth(vector["access_key"], vector["secret_key"], vector["timestamp"])
    request = requests.Request(vector["method"], vector["url"], data=vector["body"], auth=auth).prepare()
    parts = urlsplit(str(request.url))
    assert (parts.path, parts.query) == (vector["path"], vector["query"])
    assert request.headers["Host"] == vector["host"]
    assert (request.body or None) == (vector["body"] or None)
    assert json.loads(base64.b64decode(request.headers["Authorization"])) == json.loads(vector["token_json"])


def test_text_is_sent_as_the_bytes_that_were_signed() -> None:
    request = prepared("POST", "http://h/p", "ä")
    assert request.body == "ä".encode()
    assert request.headers["Content-Length"] == "2"


def test_a_body_that_can_be_read_once_is_refused() -> None:
    with pytest.raises(TypeError, match="can be signed"):
        prepared("POST", "http://h/p", iter([b"a"]))


def test_a_fragment_is_not_sent() -> None:
    assert prepared("GET", "http://h/p?b=1#x").url == "http://h/p?b=1"


def test_the_strings_to_keep_out_of_messages_are_known() -> None:
    auth = SignatureAuth("AK", "SK", 1)
    request = requests.Request("GET", "http://h/p", auth=auth).prepare()
    assert request.headers["Authorization"] in auth.secrets
    assert json.loads(base64.b64decode(request.headers["Authorization"]))["signature"] in auth.secrets
