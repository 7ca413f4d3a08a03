# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every rule of docs/docsite/rst/api.rst, "Signature" and "Token", by name; the signed request is the one that is sent."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from ansible_collections.managedfs.console.plugins.module_utils._internal.connection import host_value
from ansible_collections.managedfs.console.plugins.module_utils._internal.http import transport as signing
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import SignatureAuth
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.http.signature_vectors import VECTORS


@pytest.mark.parametrize(
    ("query", "canonical"),
    [
        pytest.param("p=/a:b@c!$'()*,;~-._", "p=%2Fa%3Ab%40c%21%24%27%28%29%2A%2C%3B~-._", id="no safe characters"),
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
    assert json.loads(base64.b64decode(token, validate=True)) == json.loads(vector["token_json"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_prepared_request_carries_what_was_signed(vector: dict[str, Any]) -> None:
    auth = SignatureAuth(vector["access_key"], vector["secret_key"], vector["timestamp"])
    request = requests.Request(vector["method"], vector["url"], data=vector["body"], auth=auth).prepare()
    parts = urlsplit(str(request.url))
    assert (parts.path, parts.query) == (vector["path"], vector["query"])
    assert request.headers["Host"] == vector["host"]
    assert (request.body or None) == (vector["body"] or None)
    assert json.loads(base64.b64decode(request.headers["Authorization"])) == json.loads(vector["token_json"])


def test_a_fragment_is_not_sent() -> None:
    request = requests.Request("GET", "http://h/p?b=1#x", auth=SignatureAuth("AK", "SK", 1)).prepare()
    assert request.url == "http://h/p?b=1"


def test_the_strings_to_keep_out_of_messages_are_known() -> None:
    auth = SignatureAuth("AK", "SK", 1)
    request = requests.Request("GET", "http://h/p", auth=auth).prepare()
    assert request.headers["Authorization"] in auth.secrets
    assert json.loads(base64.b64decode(request.headers["Authorization"]))["signature"] in auth.secrets
