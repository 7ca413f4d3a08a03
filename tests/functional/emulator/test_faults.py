# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each fault: which requests it hits, what a client sees of it, and whether the request took effect."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import FAULT_KINDS, Client, Dialect, Emulator, Fault
from emulator.flaws import FLAWS
from functional.emulator.conftest import CREATED, QUOTAS, START, Clock, made, post, quota


@pytest.fixture
def client(client: Client, server: Emulator) -> Client:
    """Return a client whose connection is already open."""
    client.send("GET", "/volumes")
    server.forget_requests()
    return client


def connect(server: Emulator) -> socket.socket:
    """Return a plain connection."""
    parts = urlsplit(server.url)
    return socket.create_connection((str(parts.hostname), int(parts.port or 0)), 5)


def is_refused(server: Emulator) -> bool:
    """Return whether a new connection is refused."""
    try:
        connect(server).close()
    except ConnectionRefusedError:
        return True
    return False


def until(condition: Callable[[], Any]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def _send_in_vain(client: Client) -> None:
    with pytest.raises(OSError, match=r"\w"):
        client.send("GET", "/volumes")


def test_every_kind_has_a_test() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [kind for kind in FAULT_KINDS if f'"{kind}"' not in text] == []


@pytest.mark.parametrize(
    ("kind", "effect", "error"),
    [
        ("reset_before", False, ConnectionResetError),
        ("reset_after", True, ConnectionResetError),
        ("silent_before", False, ConnectionResetError),
        ("silent_after", True, ConnectionResetError),
        ("truncate", True, http.client.IncompleteRead),
        ("garbage", False, http.client.BadStatusLine),
        ("refuse", False, ConnectionResetError),
    ],
)
def test_no_response(server: Emulator, client: Client, kind: str, *, effect: bool, error: type[Exception]) -> None:
    server.inject(Fault(kind, method="POST", seconds=0.1))
    with pytest.raises(error):
        post(client)
    assert made(server) == ["/a"] * effect
    entry = server.requests[-1]
    assert (entry.fault, entry.authenticated) == (kind, effect)
    server.come_back()
    assert post(client, "/b").status == 201


def test_silence_lasts(server: Emulator, clock: Clock) -> None:
    server.inject(Fault("silent_before"))
    with Client.of(server, timeout=0.2, clock=clock) as client, pytest.raises(TimeoutError):
        post(client)


def test_a_reset_is_no_ordinary_end(server: Emulator) -> None:
    server.inject(Fault("reset_before"), Fault("truncate", nth=2))
    for ends in (False, True):
        with connect(server) as plain:
            plain.sendall(f"GET /api/v1/volumes HTTP/1.1\r\nHost: {urlsplit(server.url).netloc}\r\n\r\n".encode())
            if ends:
                assert b"".join(iter(lambda: plain.recv(65536), b"")).startswith(b"HTTP/1.1 401 ")
            else:
                with pytest.raises(ConnectionResetError):
                    plain.recv(1)


def test_truncate_sends_half_of_what_it_promises(server: Emulator, client: Client) -> None:
    server.inject(Fault("truncate", times=2))
    with pytest.raises(http.client.IncompleteRead) as caught:
        post(client)
    assert caught.value.partial.startswith(b'{"id":30001')
    with pytest.raises(http.client.IncompleteRead):
        client.send("DELETE", "/volumes/101")
    assert server.volumes() == []


@pytest.mark.parametrize(("kind", "first"), [("drip_headers", b"HTTP/1.1 401"), ("drip_body", b'{"detail":"A')])
def test_drip(server: Emulator, client: Client, kind: str, first: bytes) -> None:
    server.inject(Fault(kind, interval=0.02, times=1), Fault(kind, interval=0.0, nth=2))
    with connect(server) as plain:
        plain.sendall(f"GET /api/v1/volumes HTTP/1.1\r\nHost: {urlsplit(server.url).netloc}\r\n\r\n".encode())
        found = b""
        while kind == "drip_body" and b"\r\n\r\n" not in found:
            found += plain.recv(1)
        bytes_ = [plain.recv(65536) for _time in first]
    assert (b"".join(bytes_), {len(piece) for piece in bytes_}) == (first, {1})
    assert post(client).json["path"] == "/a"
    assert Fault(kind).interval == 0.2


@pytest.mark.parametrize(
    ("settings", "status", "header", "body"),
    [
        *[({"kind": "status", "status": status}, status, {}, f'"{reason}.') for status, reason in
          ((200, "OK"), (400, "Bad Request"), (404, "Not Found"), (500, "Internal Server Error"), (599, "Unknown"))],
        ({"kind": "status"}, 500, {"retry-after": None}, "detail"),
        ({"kind": "status", "status": 429}, 429, {"retry-after": "1"}, "detail"),
        ({"kind": "status", "status": 503}, 503, {"retry-after": "1"}, "detail"),
        *[({"kind": "status", "retry_after": value}, 500, {"retry-after": str(value)}, "detail") for value in (0, 7, "soon")],
        ({"kind": "html"}, 200, {"content-type": "text/html; charset=utf-8"}, "<title>Sign in"),
        ({"kind": "empty", "status": 502}, 502, {"content-type": None}, ""),
        ({"kind": "wrong_json"}, 200, {}, '"unexpected"'),
        ({"kind": "wrong_json", "value": {"a": [1]}, "status": 201}, 201, {}, '{"a":[1]}'),
        ({"kind": "redirect"}, 302, {"location": "http://elsewhere.invalid/login"}, ""),
        ({"kind": "redirect", "status": 307, "location": "/x"}, 307, {"location": "/x"}, ""),
        ({"kind": "slow", "seconds": 0.1}, 201, {}, '"path":"/a"'),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) and "kind" in value else "",
)  # fmt: skip
@pytest.mark.parametrize("effect", [False, True])
def test_another_response(
    server: Emulator, client: Client, settings: Any, *, status: int, header: dict[str, Any], body: str, effect: bool
) -> None:
    server.inject(Fault(**{**settings, "effect": effect}))
    reply = post(client)
    assert (reply.status, {name: reply.headers.get(name) for name in header}) == (status, header)
    assert (body in reply.text, bool(reply.body)) == (True, bool(body))
    assert made(server) == ["/a"] * (effect or settings["kind"] == "slow")
    assert (server.requests[-1].status, server.requests[-1].fault) == (status, settings["kind"])


def test_status_has_the_error_shape_and_the_retry_after_of_the_dialect(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(answers="html")
    server.inject(Fault("status", status=503))
    reply = client.send("GET", "/volumes")
    assert b"<title>503 Service Unavailable" in reply.body
    assert parsedate_to_datetime(reply.headers["retry-after"]).timestamp() == START + 1
    server.retry_delay = None
    server.inject(Fault("status", status=429))
    assert "retry-after" not in client.send("GET", "/volumes").headers


@pytest.mark.parametrize("kind", ["status", "reset_after"])
def test_a_request_may_take_effect_after_its_response(
    server: Emulator, client: Client, clock: Clock, kind: str
) -> None:
    server.inject(Fault(kind, method="POST", effect=kind == "status", effect_after=5.0))
    try:
        assert post(client).status == 500
    except ConnectionResetError:
        assert kind == "reset_after"
    clock.now += 4.9
    assert made(server) == []
    clock.now += 0.2
    assert made(server) == ["/a"]


def test_refuse(server: Emulator, client: Client, clock: Clock) -> None:
    with Client.of(server, clock=clock) as idle:
        idle.send("GET", "/volumes")
        server.inject(Fault("refuse", seconds=0.4, method="POST"))
        with pytest.raises(ConnectionResetError):
            post(client)
        assert is_refused(server)
        for error in ((http.client.RemoteDisconnected, ConnectionError), ConnectionRefusedError):
            with pytest.raises(error):
                idle.send("GET", "/volumes")
        until(lambda: not is_refused(server))
        assert (idle.send("GET", "/volumes").status, made(server)) == (200, [])


def test_refuse_next(server: Emulator, client: Client) -> None:
    server.inject(Fault("refuse_next", seconds=30, method="GET"))
    reply = client.send("GET", "/volumes")
    assert (reply.status, reply.headers["connection"], is_refused(server)) == (200, "close", True)
    server.come_back()
    assert post(client).status == 201


def test_a_refusal_ends_idle_connections_and_no_others(server: Emulator, client: Client) -> None:
    server.inject(Fault("slow", method="POST", seconds=0.3))
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(post(client).status))
    thread.start()
    until(lambda: server.requests)
    server.refuse(30)
    thread.join()
    assert (statuses, is_refused(server)) == ([201], True)
    server.reset()
    assert not is_refused(server)


def test_nth_and_times(server: Emulator, client: Client) -> None:
    server.inject(Fault("status", method="post", path="/quotas$", nth=2, times=2))
    client.send("GET", QUOTAS)
    assert [post(client, f"/{number}").status for number in range(5)] == [201, 500, 500, 201, 201]
    assert made(server) == ["/0", "/3", "/4"]
    server.inject(Fault("status", path="quotas", times=None))
    assert {client.send("GET", QUOTAS).status for _time in range(9)} == {500}
    assert client.send("GET", "/volumes").status == 200
    server.clear_faults()
    assert client.send("GET", QUOTAS).status == 200


def test_several_faults_count_each_for_itself_and_the_first_hits(server: Emulator, client: Client) -> None:
    server.inject(*(Fault("status", status=status, nth=nth) for status, nth in ((500, 2), (502, 2), (503, 3))))
    assert [client.send("GET", "/volumes").status for _time in range(4)] == [200, 500, 503, 200]


def test_faults_do_not_replace_the_signature(server: Emulator, clock: Clock) -> None:
    server.inject(Fault("slow", seconds=0.0), Fault("status", effect=True, nth=2))
    with Client(server.url, server.access_key, "wrong", clock=clock) as client:
        assert (post(client).status, post(client).status, made(server)) == (401, 500, [])


def test_control_and_other_paths_are_no_api_requests(server: Emulator, client: Client) -> None:
    server.inject(Fault("status"))
    assert client.control("GET", "state")["requests"] == 0
    assert client.send_as_is("GET", "/other", headers={"Host": "localhost"}).status == 404
    assert client.send("GET", "/volumes").status == 500


@pytest.mark.parametrize("seconds", [None, 900.0, -900.0])
def test_clock(server: Emulator, client: Client, seconds: float | None) -> None:
    server.inject(Fault("clock", method="POST", nth=2, times=None, seconds=seconds), Fault("status", status=503, nth=3))
    assert [post(client, path).status for path in ("/a", "/b", "/c")] == [201, 401, 503]
    assert (server.clock_offset, made(server)) == (3600.0 if seconds is None else seconds, ["/a"])
    assert [entry.fault for entry in server.writes] == [None, "clock", "status"]


@pytest.mark.parametrize("ends", ["reset", "stop"])
@pytest.mark.parametrize("kind", ["silent_before", "silent_after", "latency"])
def test_a_reset_and_a_stop_end_what_is_waiting(ends: str, kind: str) -> None:
    with Emulator() as server, Client.of(server) as client:
        if kind == "latency":
            server.latency = 30.0
        else:
            server.inject(Fault(kind))
        thread = threading.Thread(target=_send_in_vain, args=(client,))
        thread.start()
        if kind == "latency":
            time.sleep(0.1)
        else:
            until(lambda: server.requests)
        getattr(server, ends)()
        thread.join(5)
        assert not thread.is_alive()
        assert ends == "stop" or server.requests == []


def test_date_and_age(server: Emulator, client: Client) -> None:
    def date() -> float:
        return parsedate_to_datetime(client.send("GET", "/volumes").headers["date"]).timestamp() - START

    assert date() == 0
    server.clock_offset = 365 * 86400.0
    assert date() == 365 * 86400.0
    server.age, server.send_date = "5", False
    headers = client.send("GET", "/volumes").headers
    assert (headers["age"], "date" in headers) == ("5", False)
    server.reset()
    assert (date(), "age" in client.send("GET", "/volumes").headers) == (0, False)


@pytest.fixture
def exports(server: Emulator, client: Client) -> Callable[..., bytes]:
    """Return a way to get the bytes of a list of exports with a flaw."""
    server.add_export(101, desc="web \u00e9", iprange="*", token="very-secret")

    def exports(flaw: str, **settings: Any) -> bytes:
        server.inject(Fault("malformed_json", flaw=flaw, **settings))
        reply = client.send("GET", "/volumes/101/exports")
        assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
        return reply.body

    return exports


@pytest.mark.parametrize(
    ("flaw", "part"),
    [
        ("bom", b"\xef\xbb\xbf[{"),
        ("nan", b'[{"ratio":NaN,"least":-Infinity,'),
        ("bad_utf8", b'[{"note":"\xff\xc3",'),
        ("long_number", b'[{"inode":' + b"7" * 5000 + b","),
        ("escaped_names", b'"\\u0074\\u006f\\u006b\\u0065\\u006e":"very-secret"'),
    ],
)
def test_malformed_json(exports: Callable[..., bytes], flaw: str, part: bytes) -> None:
    body = exports(flaw)
    assert part in body
    (record,) = json.loads(body.decode("utf-8-sig", "replace"), parse_int=len)
    assert (record["token"], record["desc"]) == ("very-secret", "web \u00e9")
    own = json.loads(
        exports(flaw, value={"a\U0001f600": {"b": [1.5]}, "c": {}}).decode("utf-8-sig", "replace"), parse_int=len
    )
    assert own["a\U0001f600"]["b"] == [1.5]
    assert flaw in FLAWS


def test_malformed_json_takes_effect(server: Emulator, client: Client) -> None:
    server.inject(Fault("malformed_json", method="POST"), Fault("malformed_json", method="DELETE"))
    reply = post(client)
    assert (reply.status, reply.body[:5], made(server)) == (201, b'\xef\xbb\xbf{"', ["/a"])
    reply = client.send("DELETE", "/volumes/101")
    assert (reply.status, reply.body, server.volumes()) == (204, b"", [])


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
        ({"kind": "slow", "path": "("}, "not a regular expression"),
        ({"kind": "meanwhile"}, "meanwhile needs a change"),
        ({"kind": "slow", "change": CREATED}, "nothing else has one"),
        ({"kind": "meanwhile", "change": CREATED, "moment": "soon"}, "moment is one of before, after"),
        ({"kind": "meanwhile", "change": CREATED, "flaw": "rust"}, "flaw is one of bom"),
        ({"kind": "meanwhile", "change": []}, "a change is an object"),
        ({"kind": "meanwhile", "change": {"action": "create"}}, "a change is an object"),
        ({"kind": "meanwhile", "change": quota("create", colour="red")}, "a change is an object"),
        ({"kind": "meanwhile", "change": quota("rename")}, "action: 'rename'"),
        ({"kind": "meanwhile", "change": {"action": "create", "resource": "trash"}}, "resource: 'trash'"),
        ({"kind": "meanwhile", "change": quota("delete")}, "delete needs either id or key"),
        ({"kind": "meanwhile", "change": quota("update", id=1, key="/a")}, "update needs either id or key"),
        ({"kind": "meanwhile", "change": quota("create", fields=[])}, "fields: "),
        ({"kind": "meanwhile", "change": quota("delete", id=True)}, "id: True"),
    ],
    ids=json.dumps,
)
def test_bad_faults_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Fault.of(settings)
