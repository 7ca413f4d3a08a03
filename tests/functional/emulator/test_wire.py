# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What goes over the wire: bodies, connections, what is not HTTP, and the log of it all."""

from __future__ import annotations

import base64
import gzip
import json
import socket
import time
from urllib.parse import urlsplit

import pytest

from emulator import Client, Emulator
from emulator.signature import sign

BUCKET = "https://archive.example.com"


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
    """Send bytes and return all that comes until the other end closes."""
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
    for path in ("/volumes", f"/volumes/{volume['id']}/is_ready"):
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
    response = _exchange(server, head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
    assert response.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n")
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
    with Emulator(log_limit=0) as server, Client.of(server) as client:
        client.send("GET", "/volumes")
        assert server.requests == []
