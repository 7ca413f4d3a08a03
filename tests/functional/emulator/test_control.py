# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The control interface of the emulator."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Client, Dialect, Emulator
from emulator.control import is_local


def test_control_seeds_and_shows_the_true_state(server: Emulator, client: Client) -> None:
    volume = client.control("POST", "volumes", {"name": "archive", "size": 5})["id"]
    export = client.control("POST", "exports", {"volume_id": volume, "desc": "web", "iprange": "*", "token": "seeded"})[
        "id"
    ]
    quotas = client.control("POST", "quotas", [{"volume_id": volume, "path": f"/{name}"} for name in "ab"])
    state = client.control("GET", "state")
    assert [entry["name"] for entry in state["volumes"]] == ["archive"]
    assert state["volumes"][0]["size"] == 5
    assert state["volumes"][0]["exports"] == server.exports(volume)
    assert state["volumes"][0]["exports"][0] == {
        "id": export, "desc": "web", "iprange": "*", "apionly": False, "readonly": False, "appendonly": False,
        "token": "seeded",
    }  # fmt: skip
    assert [entry["id"] for entry in state["volumes"][0]["quotas"]] == [quota["id"] for quota in quotas]
    assert (state["url"], state["access_key"], state["requests"], state["writes"]) == (
        server.url,
        server.access_key,
        0,
        0,
    )
    assert server.requests == []
    rule = {"iprange": "*", "token": "odd", "readonly": False, "appendonly": False}
    client.control("POST", "volumes", {"name": "odd", "access_rules": [rule]})
    assert client.send("GET", "/volumes").json[1]["access_rules"] == [rule]
    assert server.volumes()[1]["access_rules"] == [rule]


def test_control_is_not_shown_to_others(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emulator.control.is_local", lambda _transport: False)
    with pytest.raises(ValueError, match=r"404: .*Not Found"):
        client.control("GET", "state")


def test_control_dialects(server: Emulator, client: Client) -> None:
    assert client.control("PUT", "dialect", {"name": "paged", "page_size": 9})["page_size"] == 9
    assert server.dialect == Dialect.named("paged", page_size=9)
    client.control("PUT", "dialect", {"put": "any"})
    assert server.dialect == Dialect(put="any")
    client.control("PUT", "dialect", {"seed": 7})
    assert server.dialect == Dialect.random(7)
    client.control("PUT", "dialect", {"seed": 7, "broken": True})
    assert server.dialect == Dialect.random(7, broken=True)
    assert client.control("GET", "state")["dialect"] == server.dialect.settings()


def test_control_faults(server: Emulator, client: Client) -> None:
    client.control("POST", "faults", [{"kind": "status", "status": 503}, {"kind": "status", "nth": 2, "times": None}])
    assert [fault["status"] for fault in client.control("GET", "state")["faults"]] == [503, None]
    assert [client.send("GET", "/volumes").status for _time in range(3)] == [503, 500, 500]
    assert len(client.control("GET", "state")["faults"]) == 1
    client.control("DELETE", "faults")
    assert client.send("GET", "/volumes").status == 200
    assert server.requests[0].fault == "status"


def test_control_log(server: Emulator, client: Client) -> None:
    client.send("POST", "/volumes?a=1", {"name": "archive", "bucket": "https://archive.example.com"})
    client.send("PATCH", "/volumes", body=b"\xff")
    posted, patched = client.control("GET", "requests")
    assert (posted["method"], posted["path"], posted["query"], posted["status"]) == ("POST", "/volumes", "a=1", 201)
    assert posted["json"]["name"] == "archive"
    assert (patched["json"], patched["body"], patched["status"]) == (None, "\ufffd", 405)
    assert client.control("GET", "state")["writes"] == 2
    client.control("DELETE", "requests")
    assert client.control("GET", "requests") == []
    assert server.requests == []


def test_control_clock_latency_and_reset(server: Emulator, client: Client) -> None:
    client.control("POST", "volumes", {"name": "archive"})
    shifted = client.control("PUT", "clock", {"offset": 600, "age": 5, "send_date": False})
    assert shifted == {"offset": 600.0, "age": "5", "send_date": False}
    assert (server.clock_offset, server.age, server.send_date) == (600.0, "5", False)
    assert client.control("PUT", "clock", {"send_date": True}) == {"offset": 600.0, "age": "5", "send_date": True}
    assert client.control("PUT", "latency", {"seconds": 0.5}) == {"seconds": 0.5}
    assert server.latency == 0.5
    assert client.control("POST", "reset", {"dialect": {"name": "late"}})["dialect"] == Dialect.named("late").settings()
    assert (server.clock_offset, server.age, server.latency, server.volumes()) == (0.0, None, 0.0, [])
    client.control("POST", "reset")
    assert server.dialect == Dialect()


@pytest.mark.parametrize(
    ("method", "name", "value", "message"),
    [
        ("PUT", "dialect", {"name": "klingon"}, "no dialect"),
        ("PUT", "dialect", {"colour": "red"}, "no setting"),
        ("PUT", "dialect", [], "an object"),
        ("POST", "faults", {"kind": "flood"}, "no fault"),
        ("POST", "faults", 5, "400"),
        ("PUT", "latency", {"seconds": -1}, "from 0"),
        ("PUT", "latency", {}, "seconds"),
        ("PUT", "clock", {"offset": "soon"}, "soon"),
        ("POST", "quotas", {"volume_id": 5, "path": "/a"}, "no volume 5"),
        ("POST", "quotas", {"path": "/a"}, "volume_id"),
        ("POST", "volumes", {"id": 101}, "cannot be kept"),
        ("POST", "volumes", {"id": 10**30}, "cannot be kept"),
        ("POST", "volumes", {"name": "\ud800"}, "surrogates"),
        ("POST", "volumes", 5, "400"),
        ("POST", "reset", [1], "400"),
        ("POST", "reset", {"dialect": [1]}, "an object"),
        ("POST", "state", None, "405"),
        ("GET", "nothing", None, "404.*GET /_emulator/state"),
    ],
)
def test_bad_control_requests(
    server: Emulator, client: Client, method: str, name: str, value: Any, message: str
) -> None:
    server.add_volume(name="archive")
    with pytest.raises(ValueError, match=message):
        client.control(method, name, value)
    assert len(server.volumes()) == 1


@pytest.mark.parametrize(
    ("peer", "local"),
    [
        (("127.0.0.1", 5), True),
        (("127.1.2.3", 5), True),
        (("::1", 5, 0, 0), True),
        (("::ffff:127.0.0.1", 5, 0, 0), True),
        (("192.0.2.1", 5), False),
        (("::ffff:192.0.2.1", 5, 0, 0), False),
        (("fe80::1%eth0", 5, 0, 2), False),
        (None, False),
        ("", False),
    ],
)
def test_control_is_for_this_machine(peer: Any, local: bool) -> None:
    class Transport:
        """Knows who is at the other end."""

        def get_extra_info(self, _name: str) -> Any:
            """Return the address."""
            return peer

    assert is_local(Transport()) is local  # type: ignore[arg-type]
