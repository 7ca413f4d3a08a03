# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each route of the emulator in the default dialect, and what it refuses."""

from __future__ import annotations

import base64
import gzip
import json
import re
import socket
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Emulator
from emulator.signature import sign

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKET = "https://archive.example.com"


@pytest.fixture(scope="module")
def _server() -> Iterator[Emulator]:
    with Emulator() as server:
        yield server


@pytest.fixture
def server(_server: Emulator) -> Emulator:
    """An empty console of the default dialect."""
    _server.reset()
    return _server


@pytest.fixture
def client(server: Emulator) -> Iterator[Client]:
    """A client of the console."""
    with Client.of(server) as client:
        yield client


def test_volumes_are_created_listed_and_deleted(server: Emulator, client: Client) -> None:
    assert client.send("GET", "/volumes").json == []
    made = client.send("POST", "/volumes", {"name": "archive", "bucket": BUCKET})
    assert made.status == 201
    assert made.headers["content-type"] == "application/json"
    volume = made.json
    kinds = {
        "id": int, "name": str, "region": int, "bucket": str, "blockSize": int, "compress": str, "compatible": bool,
        "access_rules": list, "owner": int, "size": int, "inodes": int, "created": str, "extend": str,
        "storage": type(None), "uuid": str, "trashtime": int,
    }  # fmt: skip
    assert {name: type(value) for name, value in volume.items()} == kinds
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", volume["created"])
    assert (volume["name"], volume["bucket"]) == ("archive", BUCKET)
    listed = client.send("GET", "/volumes")
    assert (listed.status, listed.json) == (200, [volume])
    assert server.volumes() == [volume]
    gone = client.send("DELETE", f"/volumes/{volume['id']}")
    assert (gone.status, gone.body) == (204, b"")
    assert "content-length" not in gone.headers
    assert client.send("GET", "/volumes").json == []
    assert client.send("DELETE", f"/volumes/{volume['id']}").status == 404


def test_all_fields_of_a_volume_can_be_sent(client: Client) -> None:
    sent = {
        "name": "a", "bucket": BUCKET, "region": 3, "blockSize": 1024, "compress": "zstd", "compatible": True,
        "extend": "x=1", "storage": {"kind": "s3"}, "trashtime": 7,
    }  # fmt: skip
    made = client.send("POST", "/volumes", {**sent, "unheard": "of"}).json
    assert {name: made[name] for name in sent} == sent
    assert "unheard" not in made
    other = client.send("POST", "/volumes", {"name": "b", "bucket": BUCKET, "block_size": 8, "trash_time": 9}).json
    assert (other["blockSize"], other["trashtime"]) == (8, 9)


def test_what_the_console_assigns_cannot_be_sent(client: Client) -> None:
    made = client.send(
        "POST", "/volumes", {"name": "a", "bucket": BUCKET, "id": 5, "owner": 9, "access_rules": [1]}
    ).json
    assert (made["id"] != 5, made["owner"], made["access_rules"]) == (True, 1, [])


def test_ids_are_not_used_again(client: Client) -> None:
    first = client.send("POST", "/volumes", {"name": "a", "bucket": BUCKET}).json["id"]
    client.send("DELETE", f"/volumes/{first}")
    assert client.send("POST", "/volumes", {"name": "a", "bucket": BUCKET}).json["id"] > first


def test_exports(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    path = f"/volumes/{volume}/exports"
    sent = {"desc": "web", "iprange": "192.168.0.1/24", "apionly": False, "readonly": True, "appendonly": False}
    made = client.send("POST", path, sent)
    assert made.status == 201
    assert {name: made.json[name] for name in sent} == sent
    export = made.json["id"]
    assert [entry["id"] for entry in client.send("GET", path).json] == [export]
    token = server.exports(volume)[0]["token"]
    assert token in server.tokens()
    rules = client.send("GET", "/volumes").json[0]["access_rules"]
    assert rules == [{"iprange": "192.168.0.1/24", "token": token, "readonly": True, "appendonly": False}]
    updated = client.send("PUT", f"{path}/{export}", {"desc": "www", "iprange": "*", "readonly": False})
    assert updated.status == 200
    assert server.exports(volume) == [
        {"id": export, **sent, "desc": "www", "iprange": "*", "token": token},
    ]
    assert client.send("DELETE", f"{path}/{export}").status == 204
    assert client.send("GET", path).json == []
    assert client.send("GET", "/volumes").json[0]["access_rules"] == []


def test_quotas(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    path = f"/volumes/{volume}/quotas"
    made = client.send("POST", path, {"path": "/home", "inodes": 1 << 20, "size": 1 << 30})
    assert made.status == 201
    quota = made.json["id"]
    assert made.json == {"id": quota, "path": "/home", "inodes": 1 << 20, "size": 1 << 30}
    assert client.send("GET", path).json == [made.json]
    assert client.send("PUT", f"{path}/{quota}", {"path": "/foo", "size": 10 << 30, "inodes": 1}).status == 200
    assert server.quotas(volume) == [{"id": quota, "path": "/foo", "inodes": 1 << 20, "size": 10 << 30}]
    assert client.send("PUT", f"{path}/{quota}", {"size": 5}).json["path"] == "/foo"
    assert client.send("DELETE", f"{path}/{quota}").status == 204
    assert client.send("PUT", f"{path}/{quota}", {"path": "/foo", "size": 1}).status == 404
    assert server.quotas(volume) == []


def test_a_volume_takes_its_exports_and_quotas_with_it(server: Emulator, client: Client) -> None:
    volume, other = server.add_volume(name="a"), server.add_volume(name="b")
    for parent in (volume, other):
        server.add_export(parent, desc="web", iprange="*")
        server.add_quota(parent, path="/home", size=1)
    assert client.send("DELETE", f"/volumes/{volume}").status == 204
    assert (server.exports(volume), server.quotas(volume)) == ([], [])
    assert (len(server.exports(other)), len(server.quotas(other))) == (1, 1)
    for plural in ("exports", "quotas"):
        assert client.send("GET", f"/volumes/{volume}/{plural}").status == 404
        assert client.send("POST", f"/volumes/{volume}/{plural}", {"path": "/a", "iprange": "*"}).status == 404


def test_a_record_of_another_volume_is_not_found(server: Emulator, client: Client) -> None:
    volume, other = server.add_volume(name="a"), server.add_volume(name="b")
    quota = server.add_quota(volume, path="/home")
    assert client.send("PUT", f"/volumes/{other}/quotas/{quota}", {"path": "/x"}).status == 404
    assert client.send("DELETE", f"/volumes/{other}/quotas/{quota}").status == 404
    assert server.quotas(volume)[0]["path"] == "/home"


def test_undocumented_routes(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    assert client.send("GET", f"/volumes/{volume}").json == client.send("GET", "/volumes").json[0]
    assert client.send("GET", f"/volumes/{volume + 1}").status == 404
    assert client.send("GET", f"/volumes/{volume}/is_ready").json == {"is_ready": True}
    assert client.send("GET", f"/volumes/{volume + 1}/is_ready").status == 404
    regions = client.send("GET", "/regions").json
    assert [region["id"] for region in regions] == [1]
    assert regions[0]["token"] in server.tokens()
    assert [cloud["id"] for cloud in client.send("GET", "/clouds").json] == [1]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PATCH", "/volumes", 405),
        ("DELETE", "/volumes", 405),
        ("PUT", "/volumes/101", 405),
        ("POST", "/volumes/101/is_ready", 405),
        ("PUT", "/volumes/101/quotas", 405),
        ("GET", "/volumes/101/quotas/30001", 405),
        ("POST", "/regions", 405),
        ("GET", "/trash", 404),
        ("GET", "/volumes/", 404),
        ("GET", "/volumes/abc", 404),
        ("GET", "/volumes/1e2/quotas", 404),
        ("GET", "/volumes/101/shares", 404),
        ("GET", "/volumes/99999999999999999999", 404),
        ("GET", "/Volumes", 404),
    ],
)
def test_other_methods_and_routes(server: Emulator, client: Client, method: str, path: str, status: int) -> None:
    volume = server.add_volume(name="a")
    assert volume == 101
    assert server.add_quota(volume, path="/home") == 30001
    reply = client.send(method, path)
    assert reply.status == status
    assert list(reply.json) == ["detail"]


def test_outside_the_api_nothing_is_signed_and_nothing_is_found(server: Emulator, client: Client) -> None:
    for target in ("/", "/volumes", "/api/v2/volumes", "/api/v1"):
        assert client.send_as_is("GET", target, headers={"Host": "localhost"}).status == 404
    assert [entry.path for entry in server.requests] == ["/", "/volumes", "/api/v2/volumes", "/api/v1"]


@pytest.mark.parametrize(
    ("plural", "body", "errors"),
    [
        ("volumes", {}, {"name", "bucket"}),
        ("volumes", {"name": " ", "bucket": BUCKET}, {"name"}),
        ("volumes", {"name": 5, "bucket": BUCKET}, {"name"}),
        ("volumes", {"name": "a", "bucket": "archive"}, {"bucket"}),
        ("volumes", {"name": "a", "bucket": BUCKET, "region": "1"}, {"region"}),
        ("volumes", {"name": "a", "bucket": BUCKET, "blockSize": -1}, {"blockSize"}),
        ("volumes", {"name": "a", "bucket": BUCKET, "compatible": 1}, {"compatible"}),
        ("volumes", {"name": "a", "bucket": BUCKET, "extend": None}, {"extend"}),
        ("exports", {"desc": "web"}, {"iprange"}),
        ("exports", {"desc": "web", "iprange": "here"}, {"iprange"}),
        ("exports", {"desc": "web", "iprange": "10.0.0.0/33"}, {"iprange"}),
        ("exports", {"desc": None, "iprange": "*"}, {"desc"}),
        ("exports", {"desc": "web", "iprange": "*", "readonly": "true"}, {"readonly"}),
        ("quotas", {"size": 1}, {"path"}),
        ("quotas", {"path": "home"}, {"path"}),
        ("quotas", {"path": "/home/../root"}, {"path"}),
        ("quotas", {"path": "/home", "size": "1"}, {"size"}),
        ("quotas", {"path": "/home", "size": 1.0}, {"size"}),
        ("quotas", {"path": "/home", "size": True}, {"size"}),
        ("quotas", {"path": "/home", "inodes": -1}, {"inodes"}),
        ("quotas", {"path": "/home", "inodes": None}, {"inodes"}),
        ("quotas", {"path": "/\ud800"}, {"path"}),
    ],
    ids=str,
)
def test_bad_values_are_refused_by_field(
    server: Emulator, client: Client, plural: str, body: dict[str, Any], errors: set[str]
) -> None:
    volume = server.add_volume(name="a", bucket=BUCKET)
    reply = client.send("POST", "/volumes" if plural == "volumes" else f"/volumes/{volume}/{plural}", body)
    assert reply.status == 400
    assert set(reply.json) == errors
    assert all(isinstance(text, str) for texts in reply.json.values() for text in texts)
    assert (len(server.volumes()), server.exports(volume), server.quotas(volume)) == (1, [], [])


@pytest.mark.parametrize(
    "body",
    [b"", b"name=a", b"[]", b"null", b'"a"', b"\xff", b'{"name": "a"', b"[" * 100_000, b"1" * 5000],
    ids=lambda body: str(body[:12]),
)
def test_a_body_that_is_no_object_is_refused(client: Client, body: bytes) -> None:
    assert client.send("POST", "/volumes", body=body).status == 400


def test_what_python_alone_takes_for_json_is_refused(client: Client) -> None:
    for word in (b"NaN", b"Infinity", b"-Infinity"):
        body = b'{"name": "a", "bucket": "https://a.example.com", "other": %b}'
        assert client.send("POST", "/volumes", body=body % word).status == 400
        assert client.send("POST", "/volumes", body=body % b"null").status == 201


def test_a_body_is_signed_as_it_is_sent(server: Emulator, client: Client) -> None:
    body = gzip.compress(b'{"name": "a", "bucket": "https://a.example.com"}')
    assert client.send("POST", "/volumes", body=body, headers={"Content-Encoding": "gzip"}).status == 400
    assert server.requests[0].authenticated
    assert server.requests[0].body == body


def test_a_large_body_is_taken_and_a_huge_one_refused(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    path = f"/volumes/{volume}/quotas"
    assert client.send("POST", path, {"path": "/a", "note": "x" * (2 << 20)}).status == 201
    assert client.send("POST", path, {"path": "/b", "note": "x" * (17 << 20)}).status == 413
    assert len(server.quotas(volume)) == 1


def test_a_body_of_another_content_type_is_refused(server: Emulator, client: Client) -> None:
    body = {"name": "a", "bucket": BUCKET}
    for content_type in ("text/plain", "application/x-www-form-urlencoded", None):
        assert client.send("POST", "/volumes", body, headers={"Content-Type": content_type}).status == 415
    assert server.volumes() == []
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.send("POST", "/volumes", body, headers=headers).status == 201


def test_a_bad_update_changes_nothing(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    quota = server.add_quota(volume, path="/home", size=5)
    reply = client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"path": "/other", "size": -1})
    assert (reply.status, set(reply.json)) == (400, {"size"})
    assert server.quotas(volume)[0]["path"] == "/home"


def test_text_beyond_ascii_and_huge_numbers_come_back_as_they_went(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    sent = {"path": "/b\u00fcro \u6587\u4ef6/\U0001f600\x00\"'", "size": 10**30, "inodes": 0}
    quota = client.send("POST", f"/volumes/{volume}/quotas", sent).json["id"]
    assert client.send("GET", f"/volumes/{volume}/quotas").json == [{"id": quota, **sent}]


def test_connections_are_kept_alive_and_numbered(server: Emulator, client: Client) -> None:
    for _time in range(3):
        client.send("GET", "/volumes")
    client.send("GET", "/nothing")
    client.send("DELETE", "/volumes/1")
    client.close()
    client.send("GET", "/volumes")
    connections = [entry.connection for entry in server.requests]
    assert len(set(connections[:5])) == 1
    assert connections[5] != connections[0]
    reply = client.send("GET", "/volumes", headers={"Connection": "close"})
    assert reply.headers["connection"] == "close"
    client.send("GET", "/volumes")
    connections = [entry.connection for entry in server.requests]
    assert connections[6] == connections[5] != connections[7]


def test_head_has_no_body_and_keeps_the_connection(server: Emulator, client: Client) -> None:
    server.add_volume(name="a")
    reply = client.send("HEAD", "/volumes")
    assert (reply.status, reply.body) == (200, b"")
    assert int(reply.headers["content-length"]) > 100
    assert client.send("GET", "/volumes").status == 200
    assert len({entry.connection for entry in server.requests}) == 1


def _connected(server: Emulator) -> socket.socket:
    """Open a connection."""
    parts = urlsplit(server.url)
    return socket.create_connection((str(parts.hostname), int(parts.port or 0)), 10)


def _exchange(server: Emulator, data: bytes) -> bytes:
    """Send bytes; give back all that comes until the other end closes."""
    with _connected(server) as plain:
        plain.sendall(data)
        return b"".join(iter(lambda: plain.recv(65536), b""))


def _go_request(server: Emulator, method: str, path: str, body: str = "") -> bytes:
    """Return a request as a public Go client sends it: a question mark with nothing after it, its own JSON."""
    url, timestamp = f"{server.api_url}{path}", int(time.time())
    signature = sign(server.access_key, server.secret_key, timestamp, method, url, body=body.encode()).signature
    fields = {"access_key": server.access_key, "signature": signature, "timestamp": timestamp, "version": 1}
    token = base64.b64encode(json.dumps(fields, separators=(",", ":")).encode()).decode()
    lines = [
        f"{method} /api/v1{path}? HTTP/1.1",
        f"Host: {urlsplit(server.url).netloc}",
        "User-Agent: Go-http-client/1.1",
        *([f"Content-Length: {len(body)}"] if body else []),
        f"Authorization: {token}",
        "Content-Type: application/json",
        "Accept-Encoding: gzip",
        "Connection: close",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def test_a_public_go_client_is_understood(server: Emulator) -> None:
    body = '{"name":"go","region":1,"bucket":"https://go.example.com","trash_time":3,"block_size":1024}'
    created = _exchange(server, _go_request(server, "POST", "/volumes", body))
    assert created.startswith(b"HTTP/1.1 201 Created\r\n")
    volume = json.loads(created.partition(b"\r\n\r\n")[2])
    assert (volume["name"], volume["trashtime"], volume["blockSize"]) == ("go", 3, 1024)
    for path in ("/volumes", f"/volumes/{volume['id']}", "/regions", "/clouds", f"/volumes/{volume['id']}/is_ready"):
        assert _exchange(server, _go_request(server, "GET", path)).startswith(b"HTTP/1.1 200 OK\r\n"), path
    gone = _exchange(server, _go_request(server, "DELETE", f"/volumes/{volume['id']}"))
    assert gone.startswith(b"HTTP/1.1 204 No Content\r\n")


def test_a_body_in_chunks_and_an_expectation_are_understood(server: Emulator) -> None:
    body = b'{"name":"a","bucket":"https://a.example.com"}'
    signed = sign(
        server.access_key, server.secret_key, int(time.time()), "POST", f"{server.api_url}/volumes", body=body
    )
    head = (
        f"POST {server.api_url}/volumes HTTP/1.1\r\nHost: {signed.host}\r\nAuthorization: {signed.token}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
        "Connection: close\r\n\r\n"
    ).encode()
    answer = _exchange(server, head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n")
    assert server.requests[0].path == "/volumes"


def test_what_is_not_http_is_refused_without_a_word_on_the_console(
    server: Emulator, caplog: pytest.LogCaptureFixture
) -> None:
    no_host = b"GET /api/v1/volumes HTTP/1.1\r\nConnection: close\r\n\r\n"
    for data, statuses in ((b"hello\r\n\r\n", (b"400",)), (no_host, (b"400", b"401"))):
        assert _exchange(server, data).split()[1] in statuses
    assert caplog.records == []


def test_a_request_cut_off_has_no_effect(server: Emulator, client: Client) -> None:
    request = _go_request(server, "POST", "/volumes", '{"name":"go","bucket":"https://go.example.com"}')
    with _connected(server) as plain:
        plain.sendall(request[:-3])
    assert client.send("GET", "/volumes").json == []


def test_lists_of_many_are_in_order(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    ids = server.add_quotas(volume, [{"path": f"/{number}", "size": number} for number in range(3000)])
    listed = client.send("GET", f"/volumes/{volume}/quotas").json
    assert [quota["id"] for quota in listed] == ids == sorted(ids)
    assert listed == server.quotas(volume)


def test_the_log(server: Emulator, client: Client) -> None:
    volume = server.add_volume(name="a")
    assert server.requests == []
    client.send("POST", f"/volumes/{volume}/quotas?note=b%20c", {"path": "/home"}, headers={"User-Agent": "test/1"})
    client.send("GET", "/volumes")
    posted, listed = server.requests
    assert (posted.number, posted.method, posted.path) == (1, "POST", f"/volumes/{volume}/quotas")
    assert (posted.query, posted.json, posted.status) == ("note=b%20c", {"path": "/home"}, 201)
    assert (posted.host, posted.user_agent) == (urlsplit(server.url).netloc, "test/1")
    assert (posted.content_type, posted.authenticated, posted.fault) == ("application/json", True, None)
    assert posted.authorization
    assert abs(posted.time - time.time()) < 5
    assert (listed.body, listed.json, listed.status) == (b"", None, 200)
    assert server.writes == [posted]
    server.forget_requests()
    assert server.requests == []


def test_the_log_is_bounded_and_can_be_switched_off() -> None:
    with Emulator(log_limit=2) as server, Client.of(server) as client:
        for number in range(4):
            client.send("GET", f"/volumes?n={number}")
        assert [entry.query for entry in server.requests] == ["n=2", "n=3"]
        assert server.requests[-1].number == 4
    with Emulator(log=False) as server, Client.of(server) as client:
        client.send("GET", "/volumes")
        assert server.requests == []
