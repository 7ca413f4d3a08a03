# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Our own credentials are removed from a response where it comes in."""

from __future__ import annotations

import json

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.http.response import Response
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.scrub import scrub

TOKEN = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"
SIGNATURE = "0123456789abcdef" * 4


@pytest.mark.parametrize("token", [TOKEN, TOKEN[:28]])
def test_an_echo_of_our_own_signature_is_masked(token: str) -> None:
    body = {"detail": f"the token {token} with signature {SIGNATURE.upper()} is bad"}
    response = scrub(Response(400, {}, json.dumps(body).encode()), (token, SIGNATURE))
    assert response.json() == {"detail": "the token ******** with signature ******** is bad"}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"echo": SIGNATURE}).replace("0", "\\u0030").encode(),
        f"<p>{SIGNATURE}</p>".encode(),
        f'{{"echo": "{SIGNATURE}'.encode(),
        b"\xff" + SIGNATURE.encode(),
    ],
)
def test_escaped_broken_and_wrapped_echoes_are_masked(content: bytes) -> None:
    response = scrub(Response(400, {"Location": f"/login?{SIGNATURE}"}, content), (SIGNATURE,))
    text = response.content.decode("utf-8", "replace") + str(response.headers)
    assert "********" in text
    assert "abcdef0123456789" not in text
