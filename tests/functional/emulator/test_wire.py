# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each route in the default dialect, what it refuses, and what goes over the wire."""

from __future__ import annotations

import base64
import gzip
import json
import re
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Emulator
from emulator.signature import sign
from functional.emulator.conftest import BUCKET, START, Clock

NEW = {"name": "a", "bucket": BUCKET}
EXPORTS, QUOTAS = "/volumes/101/exports", "/volumes/101/quotas"
EXPORT = {"desc": "web", "iprange": "192.168.0.1/24", "apionly": False, "readonly": True, "appendonly": False}


def test_volumes_are_created_listed_and_deleted(server: Emulator, client: Client) -> None:
    assigned = {
        "id": 102, "owner": 1, "size": 0, "inodes": 0, "access_rules": [], "created": "2027-01-15T08:00:00.000000Z",
    }  # fmt: skip
    sent = {
        **NEW, "region": 3, "blockSize": 1024, "compress": "zstd", "compatible": True, "extend": "x=1",
        "storage": {"kind": "s3"}, "trashtime": 7,
    }  # fmt: skip
    made = client.send("POST", "/volumes", {**sent, "unheard": "of", "id": 5, "owner": 9, "access_rules": [1]})
    assert (made.status, made.headers["content-type"]) == (201, "application/json")
    assert re.fullmatch("[0-9a-f-]{36}", made.json["uuid"])
    assert made.json == {**sent, **assigned, "uuid": made.json["uuid"]}
    assert client.send("GET", "/volumes").json[1] == server.volumes()[1] == made.json
    gone = client.send("DELETE", "/volumes/102")
    assert (gone.status, gone.body, "content-length" in gone.headers) == (204, b"", False)
    assert (client.send("DELETE", "/volumes/102").status, len(server.volumes())) == (404, 1)
    again = client.send("POST", "/volumes", {**NEW, "block_size": 8, "trash_time": 9}).json
    assert (again["id"], again["blockSize"], again["trashtime"]) == (103, 8, 9)


def test_exports(server: Emulator, client: Client) -> None:
    made = client.send("POST", EXPORTS, EXPORT)
    assert (made.status, made.json) == (201, {"id": 2001, **EXPORT, "token": server.tokens()[0]})
    assert client.send("GET", EXPORTS).json == [made.json]
    rule = {"iprange": "192.168.0.1/24", "token": server.tokens()[0], "readonly": True, "appendonly": False}
    assert client.send("GET", "/volumes").json[0]["access_rules"] == [rule]
    assert client.send("PUT", f"{EXPORTS}/2001", {"desc": "www", "iprange": "*", "readonly": False}).status == 200
    assert server.exports(101) == [{**made.json, "desc": "www", "iprange": "*"}]
    assert client.send("DELETE", f"{EXPORTS}/2001").status == 204
    assert (client.send("GET", EXPORTS).json, client.send("GET", "/volumes").json[0]["access_rules"]) == ([], [])


def test_quotas(server: Emulator, client: Client) -> None:
    sent = {"path": "/b\u00fcro \u6587\u4ef6/\U0001f600\x00\"'", "size": 10**30, "inodes": 1 << 20}
    made = client.send("POST", QUOTAS, sent)
    assert (made.status, made.json) == (201, {"id": 30001, **sent})
    assert client.send("GET", QUOTAS).json == [made.json]
    assert client.send("PUT", f"{QUOTAS}/30001", {"size": 5, "inodes": 1}).json == {**made.json, "size": 5}
    refused = client.send("PUT", f"{QUOTAS}/30001", {"path": "/other", "size": -1})
    assert (refused.status, set(refused.json), server.quotas(101)) == (400, {"size"}, [{**made.json, "size": 5}])
    assert client.send("DELETE", f"{QUOTAS}/30001").status == 204
    assert client.send("PUT", f"{QUOTAS}/30001", {"path": "/foo", "size": 1}).status == 404


def test_a_volume_takes_its_exports_and_quotas_with_it_and_no_others(server: Emulator, client: Client) -> None:
    other = server.add_volume(name="b")
    for parent in (101, other):
        server.add_export(parent, desc="web", iprange="*")
        server.add_quota(parent, path="/home", size=1)
    for path in (f"/volumes/{other}/quotas/30001", f"/volumes/{other}/exports/2001"):
        assert {client.send(method, path, {}).status for method in ("PUT", "DELETE")} == {404}
    client.send("DELETE", "/volumes/101")
    assert (server.exports(101), server.quotas(101)) == ([], [])
    assert (len(server.exports(other)), len(server.quotas(other))) == (1, 1)
    assert {client.send(method, EXPORTS, {"iprange": "*"}).status for method in ("GET", "POST")} == {404}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PATCH", "/volumes", 405),
        ("DELETE", "/volumes", 405),
        ("PUT", "/volumes/101", 405),
        ("GET", "/volumes/101", 405),
        ("POST", "/volumes/101/is_ready", 405),
        ("GET", "/volumes/102/is_ready", 404),
        ("PUT", "/volumes/101/quotas", 405),
        ("GET", "/volumes/101/quotas/30001", 405),
        ("GET", "/trash", 404),
        ("GET", "/volumes/", 404),
        ("GET", "/volumes/abc", 404),
        ("GET", "/volumes/1e2/quotas", 404),
        ("GET", "/volumes/101/shares", 404),
        ("GET", "/volumes/99999999999999999999", 404),
        ("GET", "/Volumes", 404),
    ],
)
def test_other_methods_and_routes(client: Client, method: str, path: str, status: int) -> None:
    reply = client.send(method, path)
    assert (reply.status, list(reply.json)) == (status, ["detail"])


def test_outside_the_api_nothing_is_signed_and_nothing_is_found(server: Emulator, client: Client) -> None:
    targets = ["/", "/volumes", "/api/v2/volumes", "/api/v1"]
    assert {client.send_as_is("GET", target, headers={"Host": "localhost"}).status for target in targets} == {404}
    assert [entry.path for entry in server.requests] == targets


@pytest.mark.parametrize(
    ("plural", "body", "errors"),
    [
        ("volumes", {}, {"name", "bucket"}),
        ("volumes", {**NEW, "name": " "}, {"name"}),
        ("volumes", {**NEW, "name": 5}, {"name"}),
        ("volumes", {**NEW, "bucket": "archive"}, {"bucket"}),
        ("volumes", {**NEW, "region": "1"}, {"region"}),
        ("volumes", {**NEW, "blockSize": -1}, {"blockSize"}),
        ("volumes", {**NEW, "compatible": 1}, {"compatible"}),
        ("volumes", {**NEW, "extend": None}, {"extend"}),
        ("101/exports", {"desc": "web"}, {"iprange"}),
        ("101/exports", {"desc": "web", "iprange": "here"}, {"iprange"}),
        ("101/exports", {"desc": "web", "iprange": "10.0.0.0/33"}, {"iprange"}),
        ("101/exports", {"desc": None, "iprange": "*"}, {"desc"}),
        ("101/exports", {"desc": "web", "iprange": "*", "readonly": "true"}, {"readonly"}),
        ("101/quotas", {"size": 1}, {"path"}),
        ("101/quotas", {"path": "home"}, {"path"}),
        ("101/quotas", {"path": "/home/../root"}, {"path"}),
        ("101/quotas", {"path": "/\ud800"}, {"path"}),
        ("101/quotas", {"path": "/home", "size": "1"}, {"size"}),
        ("101/quotas", {"path": "/home", "size": 1.0}, {"size"}),
        ("101/quotas", {"path": "/home", "size": True, "inodes": None}, {"size", "inodes"}),
    ],
    ids=str,
)
def test_bad_values_are_refused_by_field(
    server: Emulator, client: Client, plural: str, body: dict[str, Any], errors: set[str]
) -> None:
    reply = client.send("POST", f"/volumes/{plural}".removesuffix("/volumes"), body)
    assert (reply.status, set(reply.json)) == (400, errors)
    assert all(isinstance(text, str) for texts in reply.json.values() for text in texts)
    assert (len(server.volumes()), server.exports(101), server.quotas(101)) == (1, [], [])


@pytest.mark.parametrize(
    "body",
    [b"", b"name=a", b"[]", b"null", b"\xff", b'{"name": "a"', b"[" * 100_000, b"1" * 5000,
     *(json.dumps(NEW).encode()[:-1] + b', "x": %b}' % word for word in (b"NaN", b"-Infinity"))],
    ids=lambda body: str(body[-12:]),
)  # fmt: skip
def test_a_body_that_is_no_object_is_refused(client: Client, body: bytes) -> None:
    assert client.send("POST", "/volumes", body=body).status == 400


def test_other_types_and_encodings_and_huge_bodies_are_refused(server: Emulator, client: Client) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded", None):
        assert client.send("POST", "/volumes", NEW, headers={"Content-Type": content_type}).status == 415
    packed = gzip.compress(json.dumps(NEW).encode())
    assert client.send("POST", "/volumes", body=packed, headers={"Content-Encoding": "gzip"}).status == 400
    assert (server.requests[-1].authenticated, server.requests[-1].body) == (True, packed)
    assert client.send("POST", "/volumes", {**NEW, "note": "x" * (17 << 20)}).status == 413
    assert len(server.volumes()) == 1
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.send("POST", "/volumes", {**NEW, "note": "x" * (2 << 20)}, headers=headers).status == 201


def test_connections_are_kept_alive_and_numbered(server: Emulator, client: Client) -> None:
    for method, path in (("GET", "/volumes"), ("GET", "/nothing"), ("DELETE", "/volumes/1")):
        client.send(method, path)
    head = client.send("HEAD", "/volumes")
    assert (head.status, head.body, int(head.headers["content-length"]) > 100) == (200, b"", True)
    client.close()
    assert client.send("GET", "/volumes", headers={"Connection": "close"}).headers["connection"] == "close"
    client.send("GET", "/volumes")
    numbers = [entry.connection for entry in server.requests]
    assert [numbers.index(number) for number in numbers] == [0, 0, 0, 0, 4, 5]


def exchange(server: Emulator, data: bytes) -> bytes:
    """Send bytes and return all that comes until the other end closes."""
    parts = urlsplit(server.url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 10) as plain:
        plain.sendall(data)
        return b"".join(iter(lambda: plain.recv(65536), b""))


def raw_post(server: Emulator, target: str, body: str, *headers: str) -> bytes:
    """Return the bytes of a signed POST of a volume, its head as other clients write it."""
    signed = sign(
        server.access_key, server.secret_key, int(START), "POST", f"{server.api_url}/volumes", body=body.encode()
    )
    token = base64.b64encode(json.dumps(json.loads(signed.token_json), separators=(",", ":"), sort_keys=True).encode())
    lines = [f"POST {target} HTTP/1.1", f"Host: {signed.host}", f"Authorization: {token.decode()}", *headers]
    return "\r\n".join([*lines, "Content-Type: application/json", "Connection: close", "", ""]).encode()


@pytest.mark.usefixtures("clock")
def test_other_clients_are_understood(server: Emulator) -> None:
    body = '{"name":"go","bucket":"https://go.example.com"}'
    # A public Go client ends its address with a question mark.
    go = raw_post(server, "/api/v1/volumes?", body, f"Content-Length: {len(body)}") + body.encode()
    assert exchange(server, go).startswith(b"HTTP/1.1 201 Created\r\n")
    chunked = raw_post(server, f"{server.api_url}/volumes", body, "Transfer-Encoding: chunked", "Expect: 100-continue")
    response = exchange(server, chunked + f"{len(body):x}\r\n{body}\r\n0\r\n\r\n".encode())
    assert response.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n")
    assert [entry.path for entry in server.requests] == ["/volumes"] * 2
    parts = urlsplit(server.url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 10) as plain:
        plain.sendall(go[:-3])
    assert [volume["name"] for volume in server.volumes()] == ["archive", "go", "go"]


@pytest.mark.parametrize("data", [b"hello\r\n\r\n", b"GET /api/v1/volumes HTTP/1.1\r\nConnection: close\r\n\r\n"])
def test_what_is_not_http_is_refused_and_not_logged(
    server: Emulator, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    assert exchange(server, data).split()[1] in (b"400", b"401")
    assert caplog.records == []


def test_the_log(server: Emulator, client: Client, clock: Clock) -> None:
    client.send("POST", f"{QUOTAS}?note=b%20c", {"path": "/home"}, headers={"User-Agent": "test/1"})
    client.send("GET", "/volumes")
    posted, listed = server.requests
    assert (posted.number, posted.method, posted.path, posted.time) == (1, "POST", QUOTAS, clock.now)
    assert (posted.query, posted.json, posted.status) == ("note=b%20c", {"path": "/home"}, 201)
    assert (posted.host, posted.user_agent) == (urlsplit(server.url).netloc, "test/1")
    assert (posted.content_type, posted.authenticated, posted.fault) == ("application/json", True, None)
    assert posted.authorization
    assert (listed.body, listed.json, listed.status) == (b"", None, 200)
    assert server.writes == [posted]
    server.forget_requests()
    assert server.requests == []


@pytest.mark.parametrize(("limit", "kept"), [(2, ["n=2", "n=3"]), (0, [])])
def test_the_log_is_bounded(limit: int, kept: list[str]) -> None:
    with Emulator(log_limit=limit) as server, Client.of(server) as client:
        for number in range(4):
            client.send("GET", f"/volumes?n={number}")
        assert [entry.query for entry in server.requests] == kept
        assert client.control("GET", "state")["requests"] == 4
