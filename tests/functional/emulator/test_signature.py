# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The emulator's own signatures: right by fixed vectors, and strict over HTTP."""

from __future__ import annotations

import base64
import json
import runpy
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, signature
from functional.emulator.conftest import START, Rig
from harness.places import CHECKOUT

SHARED = runpy.run_path(str(CHECKOUT / "tests/unit/plugins/module_utils/http/signature_vectors.py"))


@pytest.mark.parametrize("vector", SHARED["VECTORS"], ids=lambda vector: str(vector["name"]))
def test_vectors(vector: dict[str, Any]) -> None:
    keys = vector["access_key"], vector["secret_key"]
    made = signature.sign(*keys, vector["timestamp"], vector["method"], vector["url"], body=vector["body"])
    names = ("host", "path", "query", "body_hash", "string_to_sign", "signature", "token_json", "token")
    assert {name: getattr(made, name) for name in names} == {name: vector[name] for name in names}
    parts = urlsplit(vector["url"])
    received = {
        **{name: vector[name] for name in ("access_key", "secret_key", "method", "host")},
        "now": float(vector["timestamp"]), "path": parts.path, "query": parts.query, "scheme": parts.scheme,
        "body": vector["body"] or b"",
    }  # fmt: skip
    assert signature.verify(vector["token"], **received).timestamp == vector["timestamp"]
    changes: dict[str, Any] = {
        "secret_key": "another", "access_key": "another", "host": "other.example.com",
        "path": parts.path + "/", "query": parts.query + "&x=1", "body": received["body"] + b" ",
        "method": "POST" if vector["method"] == "GET" else "GET",
    }  # fmt: skip
    for name, value in changes.items():
        with pytest.raises(signature.SignatureError):
            signature.verify(vector["token"], **{**received, name: value})


def token(rig: Rig, **changes: Any) -> str:
    """Return the token of a signed GET of the volumes, with fields changed; None leaves one out."""
    keys = rig.server.access_key, rig.server.secret_key
    made = signature.sign(*keys, int(rig.clock.now), "GET", f"{rig.server.api_url}/volumes")
    fields = {**json.loads(made.token_json), **changes}
    return base64.b64encode(json.dumps({k: v for k, v in fields.items() if v is not None}).encode()).decode()


def get(rig: Rig, token: str | None, query: str = "") -> int:
    """Send a GET of the volumes with a token and return the status."""
    headers = {"Host": urlsplit(rig.server.url).netloc, "Authorization": token}
    return rig.client.send_as_is("GET", f"/api/v1/volumes{query}", headers=headers).status


WRONG: dict[str, list[Any]] = {
    "access_key": [None, "", 1, "unknown"],
    "timestamp": [None, str(int(START)), START, True],
    "signature": [None, "", "0" * 64, 0],
    "version": [0, 2, "1", 1.0, True, []],
    "extra": ["field"],
}
REFUSED = [{name: value} for name, values in WRONG.items() for value in values]


@pytest.mark.parametrize("changes", [{}, {"version": None}, *REFUSED], ids=str)
def test_the_fields_of_a_token(rig: Rig, changes: dict[str, Any]) -> None:
    is_refused = changes in REFUSED
    assert get(rig, token(rig, **changes)) == (401 if is_refused else 200)
    assert (rig.server.requests[0].authenticated, rig.server.requests[0].refusal is None) == (not is_refused,) * 2


def _padded(token: str) -> str:
    """Return a token with white space in its JSON, so that its base64 ends with padding."""
    while not token.endswith("="):
        token = base64.b64encode(base64.b64decode(token) + b" ").decode()
    return token


def _rewritten(token: str, name: str, new: Callable[[bytes], bytes]) -> str:
    """Return a token with another text in place of a field's name and value."""
    decoded = base64.b64decode(token)
    part = json.dumps({name: json.loads(decoded)[name]}).strip("{}").encode()
    assert part in decoded
    return base64.b64encode(decoded.replace(part, new(part))).decode()


FORMS: dict[str, Callable[[str], str | None]] = {
    "padded": lambda token: token,
    "no header": lambda _token: None,
    "empty": lambda _token: "",
    "a scheme before it": lambda token: f"Bearer {token}",
    "no padding": lambda token: token.rstrip("="),
    "no base64": lambda token: token[:-1] + "!",
    "not encoded": lambda token: base64.b64decode(token).decode(),
    "a name twice": lambda token: _rewritten(token, "version", lambda part: part + b", " + part),
    "upper-case digits": lambda token: _rewritten(token, "signature", lambda part: part[:13] + part[13:].upper()),
}
CONTENTS = {"list": b"[]", "null": b"null", "no UTF-8": b"\xff\xfe", "half an object": b"{", "deep": b"[" * 6000}
FORMS |= {name: lambda _token, text=text: base64.b64encode(text).decode() for name, text in CONTENTS.items()}  # type: ignore[misc]


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_a_token(rig: Rig, form: str) -> None:
    assert get(rig, FORMS[form](_padded(token(rig)))) == (200 if form == "padded" else 401)


@pytest.mark.parametrize("offset", [0, 600])
@pytest.mark.parametrize(("seconds", "status"), [(0, 200), (-300, 200), (300, 200), (-301, 401), (301, 401)])
def test_the_window_of_five_minutes(rig: Rig, offset: int, seconds: int, status: int) -> None:
    rig.clock.now, rig.server.clock_offset = START + 0.9, offset
    with Client.of(rig.server, clock=lambda: rig.clock.now + offset + seconds) as client:
        assert client.send("GET", "/volumes").status == status
    assert "5 minutes" in str(rig.server.requests[0].refusal or "5 minutes")


def test_the_keys_are_never_in_an_answer(rig: Rig) -> None:
    with Client(rig.server.url, rig.server.access_key, "wrong", clock=rig.clock) as client:
        replies = client.send("GET", "/volumes"), client.send_as_is("GET", "/_emulator/state", headers={"Host": "a"})
    right = json.loads(base64.b64decode(token(rig)))["signature"]
    assert [reply.status for reply in replies] == [401, 200]
    assert [secret for reply in replies for secret in (rig.server.secret_key, right) if secret in reply.text] == []
