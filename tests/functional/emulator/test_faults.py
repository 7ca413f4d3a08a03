# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each fault: the requests that it hits, what a client sees of it, and whether the request took effect."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Dialect, Emulator, Fault, Reply
from functional.emulator.conftest import CREATED, Rig, connect, exchange, quota, until


@pytest.fixture
def rig(rig: Rig) -> Rig:
    """Return a console with a client whose connection is already open."""
    rig.get("/volumes")
    rig.server.forget_requests()
    return rig


def post(rig: Rig, path: str = "/a") -> Reply:
    return rig.send("POST", "quotas", {"path": path})


def is_refused(server: Emulator) -> bool:
    """Return whether a new connection is refused."""
    try:
        connect(server).close()
    except ConnectionRefusedError:
        return True
    return False


RESETS = {"reset_before": False, "reset_after": True, "silent_before": False, "silent_after": True, "refuse": False}
BROKEN = [("truncate", True, http.client.IncompleteRead), ("garbage", False, http.client.BadStatusLine)]
NO_RESPONSE = [*((kind, effect, ConnectionResetError) for kind, effect in RESETS.items()), *BROKEN]


@pytest.mark.parametrize(("kind", "effect", "error"), NO_RESPONSE)
def test_no_response(rig: Rig, kind: str, *, effect: bool, error: type[Exception]) -> None:
    rig.server.inject(Fault(kind, method="POST", seconds=0.1))
    with pytest.raises(error):
        post(rig)
    entry = rig.server.requests[-1]
    assert (list(rig.quotas()), entry.fault, entry.authenticated) == (["/a"] * effect, kind, effect)
    rig.server.come_back()
    assert post(rig, "/b").status == 201


def unsigned(server: Emulator) -> bytes:
    return f"GET /api/v1/volumes HTTP/1.1\r\nHost: {urlsplit(server.url).netloc}\r\n\r\n".encode()


def test_a_reset_is_no_ordinary_end(rig: Rig) -> None:
    rig.server.inject(Fault("reset_before"), Fault("truncate", nth=2))
    with pytest.raises(ConnectionResetError):
        exchange(rig.server, unsigned(rig.server))
    assert exchange(rig.server, unsigned(rig.server)).startswith(b"HTTP/1.1 401 ")


def test_truncate_sends_half_of_what_it_promises(rig: Rig) -> None:
    rig.server.inject(Fault("truncate", times=2))
    with pytest.raises(http.client.IncompleteRead) as caught:
        post(rig)
    assert caught.value.partial.startswith(b'{"id":30001')
    with pytest.raises(http.client.IncompleteRead):
        rig.send("DELETE", "/volumes/101")
    assert rig.server.volumes() == []


@pytest.mark.parametrize(("kind", "first"), [("drip_headers", b"HTTP/1.1 401"), ("drip_body", b'{"detail":"A')])
def test_drip(rig: Rig, kind: str, first: bytes) -> None:
    rig.server.inject(Fault(kind, interval=0.02, times=1), Fault(kind, interval=0.0, nth=2))
    with connect(rig.server) as plain:
        plain.sendall(unsigned(rig.server))
        found = b""
        while kind == "drip_body" and b"\r\n\r\n" not in found:
            found += plain.recv(1)
        bytes_ = [plain.recv(65536) for _time in first]
    assert (b"".join(bytes_), {len(piece) for piece in bytes_}) == (first, {1})
    assert post(rig).json["path"] == "/a"


@pytest.mark.parametrize(
    ("settings", "status", "header", "body"),
    [
        *[({"kind": "status", "status": status}, status, {"retry-after": None}, f'"{reason}.') for status, reason in
          ((200, "OK"), (404, "Not Found"), (599, "Unknown"))],
        ({"kind": "status"}, 500, {"retry-after": None}, '"Internal Server Error.'),
        *[({"kind": "status", "status": status}, status, {"retry-after": "1"}, "detail") for status in (429, 503)],
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
    rig: Rig, settings: Any, *, status: int, header: dict[str, Any], body: str, effect: bool
) -> None:
    rig.server.inject(Fault(**{**settings, "effect": effect}))
    reply = post(rig)
    assert (reply.status, {name: reply.headers.get(name) for name in header}) == (status, header)
    assert (body in reply.text, bool(reply.body)) == (True, bool(body))
    assert list(rig.quotas()) == ["/a"] * (effect or settings["kind"] == "slow")
    assert (rig.server.requests[-1].status, rig.server.requests[-1].fault) == (status, settings["kind"])


@pytest.mark.parametrize("kind", ["status", "reset_after"])
def test_a_request_may_take_effect_after_its_response(rig: Rig, kind: str) -> None:
    rig.server.inject(Fault(kind, method="POST", effect=kind == "status", effect_after=5.0))
    try:
        assert post(rig).status == 500
    except ConnectionResetError:
        assert kind == "reset_after"
    rig.clock.now += 4.9
    assert rig.quotas() == {}
    rig.clock.now += 0.2
    assert list(rig.quotas()) == ["/a"]


def test_refuse(rig: Rig) -> None:
    with Client.of(rig.server, clock=rig.clock) as idle:
        idle.send("GET", "/volumes")
        rig.server.inject(Fault("refuse", seconds=0.4, method="POST"))
        with pytest.raises(ConnectionResetError):
            post(rig)
        assert is_refused(rig.server)
        for error in ((http.client.RemoteDisconnected, ConnectionError), ConnectionRefusedError):
            with pytest.raises(error):
                idle.send("GET", "/volumes")
        until(lambda: not is_refused(rig.server))
        assert (idle.send("GET", "/volumes").status, rig.quotas()) == (200, {})


def test_refuse_next(rig: Rig) -> None:
    rig.server.inject(Fault("refuse_next", seconds=30, method="GET"))
    reply = rig.send("GET", "/volumes")
    assert (reply.status, reply.headers["connection"], is_refused(rig.server)) == (200, "close", True)
    rig.server.come_back()
    assert post(rig).status == 201


def test_a_refusal_ends_idle_connections_and_no_others(rig: Rig) -> None:
    rig.server.inject(Fault("slow", method="POST", seconds=0.3))
    statuses: list[int] = []
    thread = threading.Thread(target=lambda: statuses.append(post(rig).status))
    thread.start()
    until(lambda: rig.server.requests)
    rig.server.refuse(30)
    thread.join()
    assert (statuses, is_refused(rig.server)) == ([201], True)
    rig.server.reset()
    assert not is_refused(rig.server)


def test_nth_and_times(rig: Rig) -> None:
    rig.server.inject(Fault("status", method="post", path="/quotas$", nth=2, times=2))
    rig.get("quotas")
    assert [post(rig, f"/{number}").status for number in range(5)] == [201, 500, 500, 201, 201]
    assert list(rig.quotas()) == ["/0", "/3", "/4"]
    rig.server.inject(Fault("status", path="quotas", times=None))
    assert {rig.send("GET", "quotas").status for _time in range(9)} == {500}
    assert rig.send("GET", "/volumes").status == 200
    rig.server.clear_faults()
    rig.server.inject(*(Fault("status", status=status, nth=nth) for status, nth in ((500, 2), (502, 2), (503, 3))))
    assert [rig.send("GET", "quotas").status for _time in range(4)] == [200, 500, 503, 200]


def test_which_requests_can_be_hit(rig: Rig) -> None:
    rig.server.inject(Fault("slow", seconds=0.0), Fault("status", effect=True, nth=2))
    with Client(rig.server.url, rig.server.access_key, "wrong", clock=rig.clock) as client:
        assert client.control("GET", "state")["requests"] == 0
        assert client.send_as_is("GET", "/other", headers={"Host": "localhost"}).status == 404
        statuses = [client.send("POST", "/volumes/101/quotas", {"path": "/a"}).status for _time in range(2)]
    assert (statuses, rig.quotas()) == ([401, 500], {})


@pytest.mark.parametrize("seconds", [None, 900.0, -900.0])
def test_clock(rig: Rig, seconds: float | None) -> None:
    clock = Fault("clock", method="POST", nth=2, times=None, seconds=seconds)
    rig.server.inject(clock, Fault("status", status=503, nth=3))
    assert [post(rig, path).status for path in ("/a", "/b", "/c")] == [201, 401, 503]
    assert (rig.server.clock_offset, list(rig.quotas())) == (3600.0 if seconds is None else seconds, ["/a"])
    assert [entry.fault for entry in rig.server.writes] == [None, "clock", "status"]


@pytest.mark.parametrize("ends", ["reset", "stop"])
@pytest.mark.parametrize("kind", ["silent_before", "silent_after", "latency"])
def test_a_reset_and_a_stop_end_what_is_waiting(ends: str, kind: str) -> None:
    with Emulator() as server, Client.of(server) as client:
        if kind == "latency":
            server.latency = 30.0
        else:
            server.inject(Fault(kind))

        def send() -> None:
            with pytest.raises(OSError, match=r"\w"):
                client.send("GET", "/volumes")

        thread = threading.Thread(target=send)
        thread.start()
        until(lambda: kind == "latency" or server.requests)
        time.sleep(0.1)
        assert thread.is_alive()
        getattr(server, ends)()
        thread.join(5)
        assert not thread.is_alive()
        assert ends == "stop" or server.requests == []


MALFORMED = {
    "bom": b"\xef\xbb\xbf[{",
    "nan": b'[{"ratio":NaN,"least":-Infinity,',
    "bad_utf8": b'[{"note":"\xff\xc3",',
    "long_number": b'[{"inode":' + b"7" * 5000 + b",",
    "escaped_names": b'"\\u0074\\u006f\\u006b\\u0065\\u006e":"very-secret"',
}


@pytest.mark.parametrize("flaw", MALFORMED)
def test_malformed_json(rig: Rig, flaw: str) -> None:
    rig.server.add_export(101, desc="web \u00e9", iprange="*", token="very-secret")
    fault = Fault("malformed_json", flaw=flaw, value={"a\U0001f600": {"b": [1.5]}, "c": {}}, nth=2)
    rig.server.inject(Fault("malformed_json", flaw=flaw), fault)
    replies = [rig.send("GET", "exports") for _time in range(2)]
    assert {(reply.status, reply.headers["content-type"]) for reply in replies} == {(200, "application/json")}
    assert MALFORMED[flaw] in replies[0].body
    listed, echoed = (json.loads(reply.body.decode("utf-8-sig", "replace"), parse_int=len) for reply in replies)
    assert (listed[0]["token"], listed[0]["desc"], echoed["a\U0001f600"]["b"]) == ("very-secret", "web \u00e9", [1.5])


def test_malformed_json_takes_effect(rig: Rig) -> None:
    rig.server.inject(*(Fault("malformed_json", method=method) for method in ("POST", "DELETE")))
    reply = post(rig)
    assert (reply.status, reply.body[:5], list(rig.quotas())) == (201, b'\xef\xbb\xbf{"', ["/a"])
    reply = rig.send("DELETE", "/volumes/101")
    assert (reply.status, reply.body, rig.server.volumes()) == (204, b"", [])


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(
    ("change", "after"),
    [
        (CREATED, {"/a": 1, "/new": 5}),
        (quota("update", key="/a", fields={"size": 9}), {"/a": 9}),
        (quota("update", id=30001, fields={"path": "/b"}), {"/b": 1}),
        (quota("delete", key="/a"), {}),
        (quota("delete", id=30001), {}),
        (quota("update", key="/a ", fields={"size": 9}), {"/a": 1}),
        (quota("delete", id=5), {"/a": 1}),
        (quota("create", fields={"path": "/b", "id": 30001}), {"/a": 1}),
        ({**CREATED, "volume_id": 102}, {"/a": 1}),
    ],
    ids=str,
)
def test_meanwhile(rig: Rig, moment: str, change: Any, after: dict[str, int]) -> None:
    rig.server.add_quota(101, path="/a", size=1)
    rig.server.inject(Fault("meanwhile", method="GET", path="quotas$", nth=2, moment=moment, change=change))
    found = [{quota["path"]: quota["size"] for quota in rig.get("quotas")} for _time in range(3)]
    assert found == [{"/a": 1}, after if moment == "before" else {"/a": 1}, after]
    assert [entry.fault for entry in rig.server.requests] == [None, "meanwhile", None]


def test_meanwhile_around_writes_and_with_other_faults(rig: Rig) -> None:
    rig.server.dialect = Dialect(unique_keys=True)
    rig.server.inject(Fault("meanwhile", method="POST", change=CREATED), Fault("status", method="POST", nth=2))
    assert [post(rig, "/new").status, post(rig).status] == [400, 500]
    for moment, status in (("after", 200), ("before", 404)):
        identity = rig.server.add_quota(101, path="/b")
        rig.server.inject(Fault("meanwhile", method="PUT", moment=moment, change=quota("delete", id=identity)))
        assert rig.send("PUT", f"quotas/{identity}", {"size": 1}).status == status
    assert list(rig.quotas()) == ["/new"]


def test_what_others_do_is_as_late_as_what_we_do(rig: Rig) -> None:
    rig.server.dialect = Dialect(appear_after=60.0, vanish_after=60.0, update_appear_after=60.0)
    rig.server.add_quotas(101, [{"path": "/old"}, {"path": "/moved"}])
    changes = [CREATED, quota("delete", key="/old"), quota("update", key="/moved", fields={"path": "/away"})]
    rig.server.inject(*(Fault("meanwhile", change=change) for change in changes))
    assert [entry["path"] for entry in rig.get("quotas")] == ["/old", "/moved"]
    assert list(rig.quotas()) == ["/away", "/new"]


def test_meanwhile_volumes_and_exports(rig: Rig) -> None:
    rule = {"desc": "web", "iprange": "*", "token": "theirs"}
    rig.server.inject(
        Fault("meanwhile", change={"action": "create", "resource": "volumes", "fields": {"name": "w"}}),
        Fault("meanwhile", change={"action": "create", "resource": "exports", "volume_id": 101, "fields": rule}),
        Fault("meanwhile", nth=2, change={"action": "delete", "resource": "volumes", "key": "archive"}),
    )
    found = [(volume["name"], len(volume["access_rules"])) for volume in rig.get("/volumes")]
    assert (found, rig.server.tokens()) == ([("archive", 1), ("w", 0)], ["theirs"])
    assert [volume["name"] for volume in rig.get("/volumes")] == ["w"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "flood"}, "kind: 'flood' is none of refuse"),
        ({"kind": "slow", "second": 1}, "second"),
        ({"kind": "slow", "nth": 0}, "count from 1"),
        ({"kind": "slow", "times": 0}, "count from 1"),
        ({"kind": "meanwhile"}, "meanwhile needs a change"),
        ({"kind": "slow", "change": CREATED}, "nothing else has one"),
        ({"kind": "slow", "moment": "soon"}, "moment: 'soon'"),
        ({"kind": "slow", "flaw": "rust"}, "flaw: 'rust'"),
        ({"kind": "meanwhile", "change": quota("create", colour="red")}, "colour"),
        ({"kind": "meanwhile", "change": quota("rename")}, "action: 'rename'"),
        ({"kind": "meanwhile", "change": {"action": "create", "resource": "trash"}}, "resource: 'trash'"),
    ],
    ids=json.dumps,
)
def test_bad_faults_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Fault(**settings)
