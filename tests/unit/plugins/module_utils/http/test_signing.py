# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every rule of docs/docsite/rst/api.rst, "Signature" and "Token", by name."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http import signing

HELLO_SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


def text_to_sign(**changes: Any) -> str:
    """Return the canonical request of an ordinary GET, with the given changes."""
    usual = {"timestamp": 1, "method": "GET", "path": "/p", "host": "h", "query": "", "body": None}
    return signing.string_to_sign(**{**usual, **changes})


@pytest.mark.parametrize(
    ("url", "host"),
    [
        pytest.param("http://console.example.com/", "console.example.com", id="no port"),
        pytest.param("http://console.example.com:80/", "console.example.com", id="default port of http"),
        pytest.param("https://console.example.com:443/", "console.example.com", id="default port of https"),
        pytest.param("http://console.example.com:443/", "console.example.com:443", id="https port on http"),
        pytest.param("https://console.example.com:80/", "console.example.com:80", id="http port on https"),
        pytest.param("https://console.example.com:8443/", "console.example.com:8443", id="other port"),
        pytest.param("https://CONSOLE.Example.COM/", "console.example.com", id="upper-case host"),
        pytest.param("https://[2001:DB8::1]/", "[2001:db8::1]", id="IPv6"),
        pytest.param("https://[2001:db8::1]:443/", "[2001:db8::1]", id="IPv6 with default port"),
        pytest.param("https://[2001:db8::1]:8443/", "[2001:db8::1]:8443", id="IPv6 with other port"),
        pytest.param("https://bücher.example/", "xn--bcher-kva.example", id="IDNA"),
        pytest.param("https://user:password@console.example.com/", "console.example.com", id="user info is no host"),
    ],
)
def test_host_value(url: str, host: str) -> None:
    assert signing.host_value(url) == host


@pytest.mark.parametrize("url", ["http:///volumes", "/api/v1/volumes", "http://:80/", ""])
def test_no_signature_for_an_empty_host(url: str) -> None:
    with pytest.raises(ValueError, match="without a host"):
        signing.host_value(url)
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
