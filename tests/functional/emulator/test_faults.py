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
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from emulator import FAULT_KINDS, Client, Dialect, Emulator, Fault

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def _server() -> Iterator[Emulator]:
    with Emulator() as server:
        yield server


@pytest.fixture
def server(_server: Emulator) -> Emulator:
    """A console with one empty volume."""
    _server.reset()
    _server.add_volume(name="archive")
    return _server


@pytest.fixture
def client(server: Emulator) -> Iterator[Client]:
    """A client with a connection that is open already."""
    with Client.of(server, timeout=5) as client:
        client.send("GET", "/volumes")
        server.forget_requests()
        yield client


def _post(client: Client, path: str = "/a") -> Any:
    """Create a quota."""
    return client.send("POST", "/volumes/101/quotas", {"path": path})


def _made(server: Emulator) -> list[str]:
    """Return the paths of the quotas there are."""
    return [quota["path"] for quota in server.quotas(101)]


@pytest.mark.parametrize(("kind", "effect"), [("reset_before", False), ("reset_after", True)])
def test_reset(server: Emulator, client: Client, kind: str, effect: bool) -> None:
    server.inject(Fault(kind, method="POST"))
    with pytest.raises(ConnectionResetError):
        _post(client)
    assert _made(server) == ["/a"] * effect
    entry = server.requests[-1]
    assert (entry.fault, entry.status, entry.authenticated) == (kind, None, effect)
    assert _post(client, "/b").status == 201


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
    assert _post(client).status == 201
    assert 0.3 <= time.monotonic() - before < 2
    assert _made(server) == ["/a"]


@pytest.mark.parametrize(("kind", "effect"), [("silent_before", False), ("silent_after", True)])
def test_silent(server: Emulator, kind: str, effect: bool) -> None:
    server.inject(Fault(kind), Fault(kind, nth=2, seconds=0.2))
    with Client.of(server, timeout=0.3) as client:
        with pytest.raises(TimeoutError):
            _post(client)
        assert _made(server) == ["/a"] * effect
        with pytest.raises(ConnectionResetError):
            _post(client, "/b")
    assert [entry.status for entry in server.requests] == [None, None]


def _trickle(server: Emulator, count: int, after: bytes = b"") -> tuple[bytes, float]:
    """Send a GET of the volumes; give back so many bytes of the answer after some text, and the time they took."""
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
    assert _post(client).json["path"] == "/a"


def test_drip_is_every_fifth_of_a_second_unless_told_otherwise() -> None:
    assert Fault("drip_body").interval == 0.2


def test_truncate(server: Emulator, client: Client) -> None:
    server.inject(Fault("truncate", times=2))
    with pytest.raises(http.client.IncompleteRead) as caught:
        _post(client)
    assert caught.value.partial.startswith(b'{"id":30001')
    assert caught.value.expected
    assert _made(server) == ["/a"]
    with pytest.raises(http.client.IncompleteRead):
        client.send("DELETE", "/volumes/101")
    assert server.volumes() == []


@pytest.mark.parametrize("effect", [False, True])
@pytest.mark.parametrize("status", [200, 400, 401, 404, 409, 429, 500, 502, 503, 504])
def test_status(server: Emulator, client: Client, status: int, effect: bool) -> None:
    server.inject(Fault("status", status=status, effect=effect))
    reply = _post(client)
    assert (reply.status, list(reply.json)) == (status, ["detail"])
    assert reply.headers.get("retry-after") == ("1" if status in (429, 503) else None)
    assert _made(server) == ["/a"] * effect
    assert (server.requests[-1].status, server.requests[-1].fault) == (status, "status")


def test_status_has_the_error_shape_and_the_retry_after_of_the_dialect(server: Emulator, client: Client) -> None:
    server.dialect = Dialect(error_body="html", retry_after="none")
    server.inject(Fault("status", status=502), Fault("status", status=503, nth=2))
    bad, unavailable = client.send("GET", "/volumes"), client.send("GET", "/volumes")
    assert b"<title>502 Bad Gateway" in bad.body
    assert unavailable.headers.get("retry-after") is None
    server.dialect = Dialect(retry_after="date")
    server.inject(Fault("status", status=429))
    date = client.send("GET", "/volumes").headers["retry-after"]
    assert -1 < parsedate_to_datetime(date).timestamp() - time.time() < 3


@pytest.mark.parametrize("value", [0, 7, "soon", "Fri, 01 Jan 2027 00:00:00 GMT"])
def test_status_with_a_retry_after_of_its_own(server: Emulator, client: Client, value: int | str) -> None:
    server.inject(Fault("status", status=500, retry_after=value))
    assert client.send("GET", "/volumes").headers["retry-after"] == str(value)


@pytest.mark.parametrize("status", [200, 502])
@pytest.mark.parametrize("effect", [False, True])
def test_html(server: Emulator, client: Client, status: int, effect: bool) -> None:
    server.inject(Fault("html", status=status, effect=effect))
    reply = _post(client)
    assert (reply.status, reply.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "<title>Sign in</title>" in reply.text
    assert _made(server) == ["/a"] * effect


@pytest.mark.parametrize("effect", [False, True])
def test_empty(server: Emulator, client: Client, effect: bool) -> None:
    server.inject(Fault("empty", effect=effect))
    reply = _post(client)
    assert (reply.status, reply.body, reply.headers["content-length"]) == (200, b"", "0")
    assert _made(server) == ["/a"] * effect


@pytest.mark.parametrize("value", ["unexpected", 5, None, True, [1], {"a": []}, {"results": 5}], ids=str)
def test_wrong_json(server: Emulator, client: Client, value: Any) -> None:
    server.inject(Fault("wrong_json", value=value))
    reply = client.send("GET", "/volumes")
    assert (reply.status, reply.headers["content-type"], reply.json) == (200, "application/json", value)
    assert Fault("wrong_json").value == "unexpected"


def test_redirect(server: Emulator, client: Client) -> None:
    server.inject(Fault("redirect"), Fault("redirect", nth=2, status=307, location="/elsewhere"))
    reply = _post(client)
    assert (reply.status, reply.headers["location"]) == (302, "http://elsewhere.invalid/login")
    reply = _post(client)
    assert (reply.status, reply.headers["location"]) == (307, "/elsewhere")
    assert _made(server) == []


def test_garbage(server: Emulator, client: Client) -> None:
    server.inject(Fault("garbage"))
    with pytest.raises(http.client.BadStatusLine):
        _post(client)
    assert _made(server) == []


def _is_refused(server: Emulator) -> bool:
    """Whether a new connection is refused."""
    parts = urlsplit(server.url)
    try:
        socket.create_connection((str(parts.hostname), int(parts.port or 0)), 5).close()
    except ConnectionRefusedError:
        return True
    return False


def test_refuse(server: Emulator, client: Client) -> None:
    with Client.of(server) as idle:
        idle.send("GET", "/volumes")
        server.inject(Fault("refuse", seconds=0.4, nth=2, method="POST"))
        assert _post(client).status == 201
        before = time.monotonic()
        with pytest.raises(ConnectionResetError):
            _post(client, "/b")
        assert _is_refused(server)
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            idle.send("GET", "/volumes")
        with pytest.raises(ConnectionRefusedError):
            idle.send("GET", "/volumes")
        while _is_refused(server):
            time.sleep(0.02)
        assert 0.4 <= time.monotonic() - before < 2
        assert _made(server) == ["/a"]
        assert idle.send("GET", "/volumes").status == 200
        assert _post(client, "/b").status == 201


def test_refuse_next(server: Emulator, client: Client) -> None:
    server.inject(Fault("refuse_next", seconds=0.2, method="GET"))
    reply = client.send("GET", "/volumes")
    assert (reply.status, reply.headers["connection"]) == (200, "close")
    with pytest.raises(ConnectionRefusedError):
        _post(client)
    time.sleep(0.3)
    assert _post(client).status == 201


def test_refuse_from_now_on(server: Emulator, client: Client) -> None:
    server.refuse(0.2)
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        _post(client)
    with pytest.raises(ConnectionRefusedError):
        _post(client)
    server.refuse(0.1)
    time.sleep(0.3)
    assert _post(client).status == 201


def test_a_request_that_is_worked_on_is_not_cut_off_by_a_refusal(server: Emulator, client: Client) -> None:
    server.inject(Fault("slow", method="POST", seconds=0.4))
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(_post(client).status))
    thread.start()
    while not server.writes:
        time.sleep(0.01)
    server.refuse(0.1)
    thread.join()
    assert statuses == [201]


def test_nth_and_times(server: Emulator, client: Client) -> None:
    server.inject(Fault("status", method="post", path="/quotas$", nth=2, times=2))
    client.send("GET", "/volumes/101/quotas")
    assert [_post(client, f"/{number}").status for number in range(5)] == [201, 500, 500, 201, 201]
    assert _made(server) == ["/0", "/3", "/4"]


def test_for_ever(server: Emulator, client: Client) -> None:
    server.inject(Fault("status", path="quotas", times=None))
    assert {client.send("GET", "/volumes/101/quotas").status for _time in range(20)} == {500}
    assert client.send("GET", "/volumes").status == 200
    server.clear_faults()
    assert client.send("GET", "/volumes/101/quotas").status == 200


def test_several_faults_count_each_for_itself_and_the_first_hits(server: Emulator, client: Client) -> None:
    server.inject(
        Fault("status", status=500, nth=2), Fault("status", status=502, nth=2), Fault("status", status=503, nth=3)
    )
    assert [client.send("GET", "/volumes").status for _time in range(4)] == [200, 500, 503, 200]


def test_faults_do_not_replace_the_signature(server: Emulator) -> None:
    server.inject(Fault("slow", seconds=0.0), Fault("status", effect=True, nth=2))
    with Client(server.url, server.access_key, "wrong") as client:
        assert _post(client).status == 401
        assert _post(client).status == 500
    assert _made(server) == []


def test_control_and_other_paths_are_no_api_requests(server: Emulator, client: Client) -> None:
    server.inject(Fault("status"))
    assert client.control("GET", "state")["requests"] == 0
    assert client.send_as_is("GET", "/other", headers={"Host": "localhost"}).status == 404
    assert client.send("GET", "/volumes").status == 500


def test_a_reset_ends_what_is_waiting(server: Emulator, client: Client) -> None:
    server.inject(Fault("silent_before", seconds=30))
    caught: list[BaseException] = []

    def send() -> None:
        """Send what is never answered."""
        try:
            _post(client)
        except OSError as error:
            caught.append(error)

    thread = threading.Thread(target=send)
    thread.start()
    while not server.requests:
        time.sleep(0.01)
    before = time.monotonic()
    server.reset()
    thread.join()
    assert time.monotonic() - before < 1
    assert isinstance(caught[0], ConnectionResetError)
    with Client.of(server) as other:
        assert other.send("GET", "/volumes").json == []


def test_what_waits_for_latency_has_no_effect_after_a_reset(server: Emulator, client: Client) -> None:
    server.latency = 0.4
    thread = threading.Thread(target=_post_in_vain, args=(client,))
    thread.start()
    time.sleep(0.1)
    server.reset()
    assert server.add_volume(name="archive") == 101
    thread.join()
    assert (server.requests, _made(server)) == ([], [])


def _post_in_vain(client: Client) -> None:
    """Create a quota, but be cut off."""
    with pytest.raises(ConnectionResetError):
        _post(client)


def test_a_reset_ends_a_refusal(server: Emulator) -> None:
    server.refuse(30)
    assert _is_refused(server)
    server.reset()
    assert not _is_refused(server)
    with Client.of(server) as waiting:
        server.inject(Fault("slow", seconds=0.2))
        thread = threading.Thread(target=waiting.send, args=("GET", "/volumes"))
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        server.refuse(30)
        thread.join()
        waiting.control("POST", "reset")
        waiting.close()
        end = time.monotonic() + 5
        while _is_refused(server):
            assert time.monotonic() < end
            time.sleep(0.01)


def test_a_stop_ends_what_is_waiting() -> None:
    with Emulator() as server, Client.of(server) as client:
        server.inject(Fault("silent_after", seconds=30))

        def send() -> None:
            """Send what is never answered."""
            with pytest.raises(OSError, match=r"\w"):
                client.send("GET", "/volumes")

        thread = threading.Thread(target=send)
        thread.start()
        while not server.requests:
            time.sleep(0.01)
        before = time.monotonic()
    thread.join()
    assert time.monotonic() - before < 2


def test_latency(server: Emulator, client: Client) -> None:
    server.latency = 0.3
    before = time.monotonic()
    client.send("GET", "/volumes")
    assert 0.3 <= time.monotonic() - before < 2
    server.reset()
    before = time.monotonic()
    client.send("GET", "/volumes")
    assert time.monotonic() - before < 0.3


def test_latency_is_not_added_up(server: Emulator) -> None:
    server.latency = 0.3

    def send() -> None:
        """Send one request."""
        with Client.of(server) as client:
            client.send("GET", "/volumes")

    threads = [threading.Thread(target=send) for _time in range(5)]
    before = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - before < 1.3
    assert len(server.requests) == 5


def test_date_and_age(server: Emulator, client: Client) -> None:
    def date(reply: Any) -> float:
        """Return how far the Date of an answer is from now."""
        return parsedate_to_datetime(reply.headers["date"]).timestamp() - time.time()

    reply = client.send("GET", "/volumes")
    assert -2 < date(reply) <= 0
    assert "age" not in reply.headers
    server.clock_offset = -3600.0
    assert -3602 < date(client.send("GET", "/volumes")) <= -3600
    server.clock_offset = 365 * 86400.0
    reply = client.send("GET", "/volumes")
    assert (reply.status, round(date(reply) / 86400)) == (401, 365)
    server.age = "5"
    assert client.send("GET", "/volumes").headers["age"] == "5"
    server.send_date = False
    assert "date" not in client.send("GET", "/volumes").headers
    server.reset()
    reply = client.send("GET", "/volumes")
    assert (reply.status, "age" in reply.headers, "date" in reply.headers) == (200, False, True)


def test_every_kind_has_a_test() -> None:
    with open(__file__, encoding="utf-8") as lines:  # noqa: PTH123
        text = lines.read()
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
        ({"kind": "status", "status": 99}, "status: 99"),
        ({"kind": "status", "status": True}, "status: True"),
        ({"kind": "slow", "path": "("}, "no regular expression"),
    ],
    ids=json.dumps,
)
def test_bad_faults_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("no regular", "not a regular")):
        Fault.of(settings)
