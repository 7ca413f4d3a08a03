# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Responses in malformed JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Client, Dialect, Emulator, Fault
from emulator.flaws import FLAWS
from functional.emulator.faults.support import made, post

TOKEN = "very-secret"


@pytest.fixture
def exports(server: Emulator, client: Client) -> Any:
    """Return a way to get the bytes of a list of exports with a flaw."""
    server.dialect = Dialect(record_fields="more")
    server.add_export(101, desc="web \u00e9", iprange="*", token=TOKEN)

    def exports(flaw: str, **settings: Any) -> bytes:
        server.inject(Fault("malformed_json", flaw=flaw, **settings))
        reply = client.send("GET", "/volumes/101/exports")
        assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
        assert server.requests[-1].fault == "malformed_json"
        server.clear_faults()
        return reply.body

    return exports


def test_bom(exports: Any) -> None:
    body = exports("bom")
    assert body.startswith(b"\xef\xbb\xbf[{")
    assert json.loads(body.decode("utf-8-sig"))[0]["token"] == TOKEN


def test_nan(exports: Any) -> None:
    body = exports("nan")
    with pytest.raises(ValueError, match="NaN"):
        json.loads(body, parse_constant=_refuse)
    (record,) = json.loads(body)
    assert record["ratio"] != record["ratio"]
    assert record["least"] == float("-inf")
    assert record["mount"]["credentials"]["token"] == TOKEN


def _refuse(name: str) -> None:
    """Refuse constants that are not JSON."""
    raise ValueError(name)


def test_bad_utf8(exports: Any) -> None:
    body = exports("bad_utf8")
    with pytest.raises(UnicodeDecodeError):
        body.decode()
    (record,) = json.loads(body.decode("utf-8", "replace"))
    assert (record["note"], record["desc"], record["token"]) == ("\ufffd\ufffd", "web \u00e9", TOKEN)


def test_long_number(exports: Any) -> None:
    body = exports("long_number")
    assert b'[{"inode":' + b"7" * 5000 + b"," in body
    assert json.loads(body, parse_int=len)[0]["token"] == TOKEN


def test_escaped_names(exports: Any) -> None:
    body = exports("escaped_names")
    assert b"token" not in body
    assert b'"\\u0074\\u006f\\u006b\\u0065\\u006e":"' + TOKEN.encode() in body
    assert json.loads(body)[0]["mount"]["credentials"] == {"token": TOKEN}
    assert json.loads(exports("escaped_names", value={"a\U0001f600": 1})) == {"a\U0001f600": 1}


def test_every_flaw_is_tested() -> None:
    assert set(FLAWS) == {name.removeprefix("test_") for name in globals()} & set(FLAWS)


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_value_in_place_of_the_answer(exports: Any, flaw: str) -> None:
    body = exports(flaw, value={"token": {"value": [TOKEN]}, "empty": {}})
    found = json.loads(body.decode("utf-8-sig", "replace"), parse_int=len)
    assert found["token"]["value"] == [TOKEN]


def test_odd_json_takes_effect(server: Emulator, client: Client) -> None:
    server.inject(Fault("malformed_json", method="POST"), Fault("malformed_json", method="DELETE"))
    reply = post(client)
    assert (reply.status, reply.body[:5], made(server)) == (201, b'\xef\xbb\xbf{"', ["/a"])
    reply = client.send("DELETE", "/volumes/101")
    assert (reply.status, reply.body, server.volumes()) == (204, b"", [])
