# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each route in the default dialect, its refusals, and the bytes on the wire."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from emulator import Emulator
from emulator.signature import sign
from functional.emulator.conftest import BUCKET, EXPORT, QUOTA, START, Rig, connect, exchange

NEW = {"name": "a", "bucket": BUCKET}
WEB = {"desc": "web", "iprange": "192.168.0.1/24", "apionly": False, "readonly": True, "appendonly": False}


def test_volumes_are_created_listed_and_deleted(rig: Rig) -> None:
    assigned = {
        "id": 102, "owner": 1, "size": 0, "inodes": 0, "access_rules": [], "created": "2027-01-15T08:00:00.000000Z",
    }  # fmt: skip
    sent = {
        **NEW, "region": 3, "blockSize": 1024, "compress": "zstd", "compatible": True, "extend": "x=1",
        "storage": {"kind": "s3"}, "trashtime": 7,
    }  # fmt: skip
    made = rig.send("POST", "/volumes", {**sent, "unheard": "of", "id": 5, "owner": 9, "access_rules": [1]})
    assert (made.status, made.headers["content-type"]) == (201, "application/json")
    assert re.fullmatch("[0-9a-f-]{36}", made.json["uuid"])
    assert made.json == {**sent, **assigned, "uuid": made.json["uuid"]}
    assert rig.get("/volumes")[1] == rig.server.volumes()[1] == made.json
    gone = rig.send("DELETE", "/volumes/102")
    assert (gone.status, gone.body, "content-length" in gone.headers) == (204, b"", False)
    assert (rig.send("DELETE", "/volumes/102").status, len(rig.server.volumes())) == (404, 1)
    again = rig.send("POST", "/volumes", {**NEW, "block_size": 8, "trash_time": 9}).json
    assert (again["id"], again["blockSize"], again["trashtime"]) == (103, 8, 9)


def test_exports(rig: Rig) -> None:
    made = rig.send("POST", "exports", WEB)
    assert (made.status, made.json) == (201, {"id": 2001, **WEB, "token": rig.server.tokens()[0]})
    assert rig.get("exports") == [made.json]
    rule = {"iprange": "192.168.0.1/24", "token": rig.server.tokens()[0], "readonly": True, "appendonly": False}
    assert rig.get("/volumes")[0]["access_rules"] == [rule]
    assert rig.send("PUT", EXPORT, {"desc": "www", "iprange": "*", "readonly": False}).status == 200
    assert rig.server.exports(101) == [{**made.json, "desc": "www", "iprange": "*"}]
    assert rig.send("DELETE", EXPORT).status == 204
    assert (rig.get("exports"), rig.get("/volumes")[0]["access_rules"]) == ([], [])


def test_quotas(rig: Rig) -> None:
    sent = {"path": "/b\u00fcro \u6587\u4ef6/\U0001f600\x00\"'", "size": 10**30, "inodes": 1 << 20}
    made = rig.send("POST", "quotas", sent)
    assert (made.status, made.json) == (201, {"id": 30001, **sent})
    assert rig.get("quotas") == [made.json]
    assert rig.send("PUT", QUOTA, {"size": 5, "inodes": 1}).json == {**made.json, "size": 5}
    refused = rig.send("PUT", QUOTA, {"path": "/other", "size": -1})
    assert (refused.status, set(refused.json), rig.quotas()) == (400, {"size"}, {sent["path"]: 5})
    assert rig.send("DELETE", QUOTA).status == 204
    assert rig.send("PUT", QUOTA, {"path": "/foo", "size": 1}).status == 404


def test_a_volume_takes_its_exports_and_quotas_with_it_and_no_others(rig: Rig) -> None:
    server, other = rig.server, rig.server.add_volume(name="b")
    for parent in (101, other):
        server.add_export(parent, desc="web", iprange="*")
        server.add_quota(parent, path="/home", size=1)
    for path in (f"/volumes/{other}/{QUOTA}", f"/volumes/{other}/{EXPORT}"):
        assert {rig.send(method, path, {}).status for method in ("PUT", "DELETE")} == {404}
    rig.send("DELETE", "/volumes/101")
    left = [(len(server.exports(parent)), len(server.quotas(parent))) for parent in (101, other)]
    assert left == [(0, 0), (1, 1)]
    assert {rig.send(method, "exports", {"iprange": "*"}).status for method in ("GET", "POST")} == {404}


ROUTES = {
    404: ["GET /volumes/102/is_ready", "GET /trash", "GET /volumes/", "GET /volumes/abc", "GET /volumes/1e2/quotas",
          "GET /volumes/101/shares", "GET /volumes/99999999999999999999", "GET /Volumes"],
    405: ["PATCH /volumes", "DELETE /volumes", "PUT /volumes/101", "GET /volumes/101", "POST /volumes/101/is_ready",
          "PUT /volumes/101/quotas", "GET /volumes/101/quotas/30001"],
}  # fmt: skip


@pytest.mark.parametrize(("route", "status"), [(route, status) for status, found in ROUTES.items() for route in found])
def test_other_methods_and_routes(rig: Rig, route: str, status: int) -> None:
    reply = rig.send(*route.split())
    assert (reply.status, list(reply.json)) == (status, ["detail"])


BAD: list[tuple[str, dict[str, list[Any]]]] = [
    ("/volumes", {"name": [" ", 5], "bucket": ["archive"], "region": ["1"], "blockSize": [-1], "compatible": [1]}),
    ("/volumes", {"extend": [None]}),
    ("exports", {"iprange": ["here", "10.0.0.0/33"]}),
    ("quotas", {"path": ["home", "/home/../root", "/\ud800"], "size": ["1", 1.0, True], "inodes": [None]}),
]
NEEDED = {"/volumes": NEW, "exports": {"iprange": "*"}, "quotas": {"path": "/home"}}
REFUSED: list[tuple[Any, str, set[str]]] = [({}, path, set(needed)) for path, needed in NEEDED.items()] + [
    ({**NEEDED[path], name: value}, path, {name})
    for path, bad in BAD
    for name, values in bad.items()
    for value in values
]


@pytest.mark.parametrize(("body", "path", "errors"), REFUSED, ids=str)
def test_bad_values_are_refused_by_field(rig: Rig, path: str, body: dict[str, Any], errors: set[str]) -> None:
    reply = rig.send("POST", path, body)
    assert (reply.status, set(reply.json)) == (400, errors)
    assert all(isinstance(text, str) for texts in reply.json.values() for text in texts)
    assert (len(rig.server.volumes()), rig.server.exports(101), rig.server.quotas(101)) == (1, [], [])


@pytest.mark.parametrize(
    "body",
    [b"", b"name=a", b"[]", b"null", b"\xff", b'{"name": "a"', b"[" * 100_000, b"1" * 5000,
     *(json.dumps(NEW).encode()[:-1] + b', "x": %b}' % word for word in (b"NaN", b"-Infinity"))],
    ids=lambda body: str(body[-12:]),
)  # fmt: skip
def test_a_body_that_is_no_object_is_refused(rig: Rig, body: bytes) -> None:
    assert rig.send("POST", "/volumes", body=body).status == 400


def raw_post(server: Emulator, target: str, body: str, *headers: str) -> bytes:
    """Return the bytes of a signed POST of a volume, its head as other clients write it."""
    keys = server.access_key, server.secret_key
    signed = sign(*keys, int(START), "POST", f"{server.api_url}/volumes", body=body.encode())
    token = base64.b64encode(json.dumps(json.loads(signed.token_json), separators=(",", ":"), sort_keys=True).encode())
    lines = [f"POST {target} HTTP/1.1", f"Host: {signed.host}", f"Authorization: {token.decode()}", *headers]
    return "\r\n".join([*lines, "Content-Type: application/json", "Connection: close", "", ""]).encode()


def test_other_clients_are_understood(rig: Rig) -> None:
    server, body = rig.server, '{"name":"go","bucket":"https://go.example.com"}'
    # A public Go client ends its address with a question mark.
    go = raw_post(server, "/api/v1/volumes?", body, f"Content-Length: {len(body)}") + body.encode()
    assert exchange(server, go).startswith(b"HTTP/1.1 201 Created\r\n")
    chunked = raw_post(server, f"{server.api_url}/volumes", body, "Transfer-Encoding: chunked", "Expect: 100-continue")
    response = exchange(server, chunked + f"{len(body):x}\r\n{body}\r\n0\r\n\r\n".encode())
    assert response.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n")
    assert [entry.path for entry in server.requests] == ["/volumes"] * 2
    with connect(server) as plain:
        plain.sendall(go[:-3])
    assert [volume["name"] for volume in server.volumes()] == ["archive", "go", "go"]


def test_the_log(rig: Rig) -> None:
    rig.send("POST", "quotas?note=b%20c", {"path": "/home"}, headers={"User-Agent": "test/1"})
    rig.send("GET", "/volumes")
    posted, listed = rig.server.requests
    assert (posted.number, posted.method, posted.path, posted.time) == (1, "POST", "/volumes/101/quotas", START)
    assert (posted.query, posted.json, posted.status) == ("note=b%20c", {"path": "/home"}, 201)
    assert (posted.headers["user-agent"], posted.authenticated, posted.fault) == ("test/1", True, None)
    assert posted.authorization == posted.headers["authorization"]
    assert (listed.body, listed.json, listed.status) == (b"", None, 200)
    assert rig.server.writes == [posted]
    rig.server.forget_requests()
    assert rig.server.requests == []
