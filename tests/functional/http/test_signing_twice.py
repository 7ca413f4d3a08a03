# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two implementations of the signature, written apart from each other, agree on any request."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, urlsplit

import requests
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.signing import SignatureAuth
from emulator import signature

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=6)
HOSTS = st.sampled_from(["h.example", "H.Example", "127.0.0.1", "[2001:DB8::1]", "xn--bcher-kva.example"])
PORTS = st.sampled_from(["", ":80", ":443", ":8443"])


@given(
    scheme=st.sampled_from(["http", "https"]),
    host=HOSTS,
    port=PORTS,
    path=st.lists(TEXT, max_size=4),
    query=PAIRS,
    method=st.sampled_from(["GET", "POST", "PATCH", "PUT", "DELETE"]),
    body=st.none() | st.binary(max_size=50),
    timestamp=st.integers(0, 2**40),
)
def test_any_request_is_signed_alike(
    scheme: str,
    host: str,
    port: str,
    path: list[str],
    query: list[tuple[str, str]],
    method: str,
    body: bytes | None,
    timestamp: int,
) -> None:
    url = f"{scheme}://{host}{port}/api/v1/{quote('/'.join(path))}"
    auth = SignatureAuth("AK", "SK", timestamp)
    sent = requests.Request(method, url, params=query, data=body, auth=auth).prepare()
    assert isinstance(sent.body, bytes | None)
    other = signature.sign("AK", "SK", timestamp, method, str(sent.url), body=sent.body or None)
    assert json.loads(base64.b64decode(sent.headers["Authorization"])) == json.loads(other.token_json)
    assert sent.headers["Host"] == other.host
    assert urlsplit(str(sent.url)).query == other.query
