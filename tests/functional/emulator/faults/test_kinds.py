# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each fault of the emulator: what a client sees, and whether the request took effect."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from emulator import FAULT_KINDS, Client, Dialect, Emulator, Fault
from functional.emulator.faults.support import is_refused, made, post

if TYPE_CHECKING:
    pass


@pytest.mark.parametrize(("kind", "effect"), [("reset_before", False), ("reset_after", True)])
def test_reset(server: Emulator, client: Client, kind: str, effect: bool) -> None:
    server.inject(Fault(kind, method="POST"))
    with pytest.raises(ConnectionResetError):
        post(client)
    assert made(server) == ["/a"] * effect
    entry = server.requests[-1]
    assert (entry.fault, entry.status, entry.authenticated) == (kind, None, effect)
    assert post(client, "/b").status == 201


def test_a_reset_is_no_ordinary_end(server: Emulator) -> None:
    parts = urlsplit(server.url)
    server.inject(Fault("reset_before"), Fault("truncate", nth=2))
    for ends in (False, True):
        with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 5) as plain:
            plain.sendall(f"GET /api/v1/volumes HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            if ends:
                assert b"".join(iter(lambda: plain.recv(65536), b"")).startswith(b"HTTP/1.1 401 ")
            else:
                with pytest.raises(ConnectionResetError):
                    plain.recv(1)


def test_slow(server: Emulator, client: Client) -> None:
    server.inject(Fault("slow", seconds=0.3))
    before = time.monotonic()
    assert post(client).status == 201
    assert 0.3 <= time.monotonic() - before < 2
    assert made(server) == ["/a"]


@pytest.mark.parametrize(("kind", "effect"), [("silent_before", False), ("silent_after", True)])
def test_silent(server: Emulator, kind: str, effect: bool) -> None:
    server.inject(Fault(kind), Fault(kind, nth=2, seconds=0.2))
    with Client.of(server, timeout=0.3) as client:
        with pytest.raises(TimeoutError):
            post(client)
        assert made(server) == ["/a"] * effect
        with pytest.raises(ConnectionResetError):
            post(client, "/b")
    assert [entry.status for entry in server.requests] == [None, None]


def _trickle(server: Emulator, count: int, after: bytes = b"") -> tuple[bytes, float]:
    """Send a GET of the volumes; return that many bytes of the response after some text, and the time they took."""
    parts = urlsplit(server.url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 5) as plain:
        plain.sendall(f"GET /api/v1/volumes HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        found, began = b"", time.monotonic()
        while after not in found:
            found += plain.recv(1)
        found, began = found if not after else b"", began if not after else time.monotonic()
        while len(found) < count:
            found += plain.recv(65536)
        return found, time.monotonic() - began


def test_drip_headers(server: Emulator) -> None:
    server.inject(Fault("drip_headers", interval=0.03))
    found, seconds = _trickle(server, 10)
    assert b"HTTP/1.1 401 Unauthorized".startswith(found)
    assert 0.29 <= seconds < 3


def test_drip_body(server: Emulator, client: Client) -> None:
    server.inject(Fault("drip_body", interval=0.03))
    found, seconds = _trickle(server, 10, after=b"\r\n\r\n")
    assert b'{"detail":"Authentication failed'.startswith(found)
    assert 0.29 <= seconds < 3
    server.inject(Fault("drip_body", interval=0.001))
    assert post(client).json["path"] == "/a"


def test_drip_is_every_fifth_of_a_second_unless_told_otherwise() -> None:
    assert Fault("drip_body").interval == 0.2


def test_truncate(server: Emulator, client: Client) -> None:
    server.inject(Fault("truncate", times=2))
    with pytest.raises(http.client.IncompleteRead) as caught:
        post(client)
    assert caught.value.partial.startswith(b'{"id":30001')
    assert caught.value.expected
    assert made(server) == ["/a"]
    with pytest.raises(http.client.IncompleteRead):
        client.send("DELETE", "/volumes/101")
    assert server.volumes() == []


@pytest.mark.parametrize("effect", [False, True])
@pytest.mark.parametrize("status", [200, 400, 401, 404, 409, 429, 500, 502, 503, 504])
def test_status(server: Emulator, client: Client, status: int, effect: bool) -> None:
    server.inject(Fault("status", status=status, effect=effect))
    reply = post(client)
    assert (reply.status, list(reply.json)) == (status, ["detail"])
    assert reply.headers.get("retry-after") == ("1" if status in (429, 503) else None)
    assert made(server) == ["/a"] * effect
    assert (server.requests[-1].status, server.requests[-1].fault) == (status, "status")


def test_status_has_the_error_shape_and_the_retry_after_of_the_dialect(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(answers="html")
    server.inject(Fault("status", status=502), Fault("status", status=503, nth=2))
    bad, unavailable = client.send("GET", "/volumes"), client.send("GET", "/volumes")
    assert b"<title>502 Bad Gateway" in bad.body
    date = unavailable.headers["retry-after"]
    assert -1 < parsedate_to_datetime(date).timestamp() - time.time() < 3
    server.retry_delay = None
    server.inject(Fault("status", status=429))
    assert "retry-after" not in client.send("GET", "/volumes").headers


@pytest.mark.parametrize("value", [0, 7, "soon", "Fri, 01 Jan 2027 00:00:00 GMT"])
def test_status_with_a_retry_after_of_its_own(server: Emulator, client: Client, value: int | str) -> None:
    server.inject(Fault("status", status=500, retry_after=value))
    assert client.send("GET", "/volumes").headers["retry-after"] == str(value)


@pytest.mark.parametrize("status", [200, 502])
@pytest.mark.parametrize("effect", [False, True])
def test_html(server: Emulator, client: Client, status: int, effect: bool) -> None:
    server.inject(Fault("html", status=status, effect=effect))
    reply = post(client)
    assert (reply.status, reply.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "<title>Sign in</title>" in reply.text
    assert made(server) == ["/a"] * effect


@pytest.mark.parametrize("effect", [False, True])
def test_empty(server: Emulator, client: Client, effect: bool) -> None:
    server.inject(Fault("empty", effect=effect))
    reply = post(client)
    assert (reply.status, reply.body, reply.headers["content-length"]) == (200, b"", "0")
    assert made(server) == ["/a"] * effect


@pytest.mark.parametrize("value", ["unexpected", 5, None, True, [1], {"a": []}, {"results": 5}], ids=str)
def test_wrong_json(server: Emulator, client: Client, value: Any) -> None:
    server.inject(Fault("wrong_json", value=value))
    reply = client.send("GET", "/volumes")
    assert (reply.status, reply.headers["content-type"], reply.json) == (200, "application/json", value)
    assert Fault("wrong_json").value == "unexpected"


def test_redirect(server: Emulator, client: Client) -> None:
    server.inject(Fault("redirect"), Fault("redirect", nth=2, status=307, location="/elsewhere"))
    reply = post(client)
    assert (reply.status, reply.headers["location"]) == (302, "http://elsewhere.invalid/login")
    reply = post(client)
    assert (reply.status, reply.headers["location"]) == (307, "/elsewhere")
    assert made(server) == []


def test_garbage(server: Emulator, client: Client) -> None:
    server.inject(Fault("garbage"))
    with pytest.raises(http.client.BadStatusLine):
        post(client)
    assert made(server) == []


def test_refuse(server: Emulator, client: Client) -> None:
    with Client.of(server) as idle:
        idle.send("GET", "/volumes")
        server.inject(Fault("refuse", seconds=0.4, nth=2, method="POST"))
        assert post(client).status == 201
        before = time.monotonic()
        with pytest.raises(ConnectionResetError):
            post(client, "/b")
        assert is_refused(server)
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            idle.send("GET", "/volumes")
        with pytest.raises(ConnectionRefusedError):
            idle.send("GET", "/volumes")
        while is_refused(server):
            time.sleep(0.02)
        assert 0.4 <= time.monotonic() - before < 2
        assert made(server) == ["/a"]
        assert idle.send("GET", "/volumes").status == 200
        assert post(client, "/b").status == 201


def test_refuse_next(server: Emulator, client: Client) -> None:
    server.inject(Fault("refuse_next", seconds=0.2, method="GET"))
    reply = client.send("GET", "/volumes")
    assert (reply.status, reply.headers["connection"]) == (200, "close")
    with pytest.raises(ConnectionRefusedError):
        post(client)
    time.sleep(0.3)
    assert post(client).status == 201


def test_refuse_from_now_on(server: Emulator, client: Client) -> None:
    server.refuse(0.2)
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        post(client)
    with pytest.raises(ConnectionRefusedError):
        post(client)
    server.refuse(0.1)
    time.sleep(0.3)
    assert post(client).status == 201


def test_a_request_that_is_worked_on_is_not_cut_off_by_a_refusal(server: Emulator, client: Client) -> None:
    server.inject(Fault("slow", method="POST", seconds=0.4))
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(post(client).status))
    thread.start()
    while not server.writes:
        time.sleep(0.01)
    server.refuse(0.1)
    thread.join()
    assert statuses == [201]


@pytest.mark.parametrize("kind", ["status", "reset_after"])
def test_a_request_may_take_effect_after_its_response(kind: str) -> None:
    now = [time.time()]
    with Emulator(clock=lambda: now[0]) as server:
        client = Client(server.url, server.access_key, server.secret_key, clock=lambda: now[0])
        server.add_volume(name="archive", bucket="https://archive.example.com")
        server.inject(Fault(kind, method="POST", effect=kind == "status", effect_after=5.0))
        if kind == "status":
            assert post(client).status == 500
        else:
            with pytest.raises(ConnectionResetError):
                post(client)
        now[0] += 4.9
        assert made(server) == []
        now[0] += 0.2
        assert made(server) == ["/a"]
        client.close()


@pytest.mark.parametrize("seconds", [None, 900.0, -900.0])
def test_clock(server: Emulator, client: Client, seconds: float | None) -> None:
    server.inject(Fault("clock", method="POST", nth=2, times=None, seconds=seconds))
    assert [post(client, path).status for path in ("/a", "/b", "/c")] == [201, 401, 401]
    assert server.clock_offset == (3600.0 if seconds is None else seconds)
    assert made(server) == ["/a"]
    assert [entry.fault for entry in server.writes] == [None, "clock", "clock"]
    server.clock_offset = 0
    server.clear_faults()
    assert post(client, "/d").status == 201


def test_clock_with_another_fault(server: Emulator, client: Client) -> None:
    server.inject(Fault("clock"), Fault("status", status=503))
    assert post(client).status == 503
    assert server.clock_offset == 3600.0


def test_every_kind_has_a_test() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [kind for kind in FAULT_KINDS if f'"{kind}"' not in text] == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "flood"}, "no fault 'flood'"),
        ({}, "needs a kind"),
        ({"kind": "slow", "second": 1}, "no setting 'second'"),
        ({"kind": "slow", "nth": 0}, "count from 1"),
        ({"kind": "slow", "times": 0}, "count from 1"),
        ({"kind": "slow", "nth": "1"}, "nth: '1'"),
        ({"kind": "slow", "effect": 1}, "effect: 1"),
        ({"kind": "slow", "seconds": -1}, "negative"),
        ({"kind": "slow", "effect_after": -1}, "negative"),
        ({"kind": "clock", "interval": -1}, "negative"),
        ({"kind": "status", "status": 99}, "status: 99"),
        ({"kind": "status", "status": True}, "status: True"),
        ({"kind": "slow", "path": "("}, "no regular expression"),
    ],
    ids=json.dumps,
)
def test_bad_faults_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("no regular", "not a regular")):
        Fault.of(settings)
