# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each fault: the requests that it hits, what a client sees of it, and whether the request took effect."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest

from emulator import Client, Fault, Reply
from functional.emulator.conftest import CREATED, Rig, quota


@pytest.fixture
def rig(rig: Rig) -> Rig:
    """Return a console with a client whose connection is already open."""
    rig.get("/volumes")
    rig.server.forget_requests()
    return rig


def post(rig: Rig, path: str = "/a") -> Reply:
    return rig.send("POST", "quotas", {"path": path})


RESETS = {"reset_before": False, "reset_after": True, "silent_before": False, "silent_after": True}
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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "flood"}, "kind: 'flood' is none of refuse_next"),
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
