# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of what a write does, and of when it shows."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Client, Dialect, Emulator
from functional.emulator.dialects.support import Clock, Speak

BUCKET = "https://archive.example.com"


def test_create_body(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(create_body="id")
    path = f"/volumes/{volume}/exports"
    reply = client.send("POST", path, {"desc": "a", "iprange": "*"})
    assert reply.json == {"id": server.exports(volume)[0]["id"]}
    server.dialect = Dialect(create_body="empty")
    assert client.send("POST", path, {"desc": "b", "iprange": "*"}).body == b""
    server.dialect = Dialect(create_body="html")
    reply = client.send("POST", path, {"desc": "c", "iprange": "*"})
    assert (reply.status, reply.headers["content-type"]) == (201, "text/html; charset=utf-8")
    assert b"<title>" in reply.body
    server.dialect = Dialect(create_body="page")
    reply = client.send("POST", path, {"desc": "d", "iprange": "*"})
    assert set(reply.json) == {"count", "next", "previous", "results"}
    assert [record["desc"] for record in reply.json["results"]] == ["a", "b", "c", "d"]
    reply = client.send("PUT", f"{path}/{server.exports(volume)[0]['id']}", {"desc": "e"})
    assert (reply.status, reply.json["count"]) == (200, 4)
    reply = client.send("POST", "/volumes", {"name": "other", "bucket": BUCKET})
    assert [record["name"] for record in reply.json["results"]] == ["archive", "other"]


def test_vanish_after(speak: Speak, server: Emulator, client: Client, clock: Clock) -> None:
    volume = speak(vanish_after=2.0)
    quota = server.add_quota(volume, path="/a")
    path = f"/volumes/{volume}/quotas"
    assert client.send("DELETE", f"{path}/{quota}").status == 204
    assert server.quotas(volume) == []
    clock.now += 1.75
    assert [record["id"] for record in client.send("GET", path).json] == [quota]
    assert client.send("DELETE", f"{path}/{quota}").status == 404
    assert client.send("PUT", f"{path}/{quota}", {"path": "/b"}).status == 404
    clock.now += 0.25
    assert client.send("GET", path).json == []
    client.send("DELETE", f"/volumes/{volume}")
    assert [record["id"] for record in client.send("GET", "/volumes").json] == [volume]
    assert client.send("GET", path).status == 404
    clock.now += 2
    assert client.send("GET", "/volumes").json == []


def test_appear_after(speak: Speak, server: Emulator, client: Client, clock: Clock) -> None:
    volume = speak(appear_after=2.0)
    assert [record["id"] for record in client.send("GET", "/volumes").json] == [volume]
    path = f"/volumes/{volume}/quotas"
    quota = client.send("POST", path, {"path": "/a"}).json["id"]
    assert server.quotas(volume)[0]["id"] == quota
    clock.now += 1.75
    assert client.send("GET", path).json == []
    assert client.send("PUT", f"{path}/{quota}", {"path": "/b"}).status == 200
    clock.now += 0.25
    assert [record["path"] for record in client.send("GET", path).json] == ["/b"]


def test_put(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(put="documented")

    def put(how: str, **fields: Any) -> tuple[int, dict[str, Any]]:
        """Update a new read-only export; return the status and the resulting record."""
        server.dialect = Dialect(put=how)
        export = server.add_export(volume, desc="web", iprange="10.0.0.0/8", readonly=True)
        status = client.send("PUT", f"/volumes/{volume}/exports/{export}", fields).status
        record = server.exports(volume)[-1]
        return status, {name: record[name] for name in ("desc", "iprange", "apionly", "readonly")}

    before = {"desc": "web", "iprange": "10.0.0.0/8", "apionly": False, "readonly": True}
    assert put("documented", desc="www") == (200, {**before, "desc": "www"})
    assert put("documented", desc="www", apionly=True, readonly="?") == (200, {**before, "desc": "www"})
    assert put("any", desc="www", apionly=True) == (200, {**before, "desc": "www", "apionly": True})
    assert put("any", readonly="?") == (400, before)
    assert put("any", readonly=1) == (400, before)
    assert put("reject", desc="www", apionly=True) == (400, before)
    assert put("reject", desc="www", unheard=True) == (400, before)
    assert put("reject", desc="www") == (200, {**before, "desc": "www"})
    reset = {"desc": "www", "iprange": "10.0.0.0/8", "apionly": False, "readonly": False}
    assert put("reset", desc="www", iprange="10.0.0.0/8") == (200, reset)
    assert put("reset", desc="www", iprange="10.0.0.0/8", readonly=True) == (200, {**reset, "readonly": True})
    assert put("reset", readonly=True) == (200, {**before, "desc": "", "iprange": ""})
    assert put("lose", desc="www", iprange="10.0.0.0/8", readonly=True) == (200, reset)


def test_put_reset_of_quotas(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(put="reset")
    quota = server.add_quota(volume, path="/a", size=5, inodes=6)
    client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"path": "/a", "size": 7})
    assert server.quotas(volume) == [{"id": quota, "path": "/a", "size": 7, "inodes": 0}]


@pytest.mark.parametrize(("how", "shown"), [("sent", {"path", "inodes"}), ("others", {"path", "size"})])
def test_put_hides(speak: Speak, server: Emulator, client: Client, how: str, shown: set[str]) -> None:
    volume = speak(put_hides=how, update_appear_after=5.0)
    path = f"/volumes/{volume}/quotas"
    quotas = [server.add_quota(volume, path=name, size=5, inodes=6) for name in ("/a", "/b")]
    assert [set(record) - {"id"} for record in client.send("GET", path).json] == [{"path", "size", "inodes"}] * 2
    client.send("PUT", f"{path}/{quotas[0]}", {"path": "/c", "size": 7})
    first, second = client.send("GET", path).json
    assert set(first) == {"id", *shown}
    assert first["path"] == "/a"
    assert set(second) == {"id", "path", "size", "inodes"}


@pytest.mark.parametrize("how", ["404", "405", "501"])
def test_delete_children(speak: Speak, server: Emulator, client: Client, how: str) -> None:
    volume = speak(delete_children=how)
    quota, export = server.add_quota(volume, path="/a"), server.add_export(volume, desc="a", iprange="*")
    assert client.send("DELETE", f"/volumes/{volume}/quotas/{quota}").status == int(how)
    assert client.send("DELETE", f"/volumes/{volume}/exports/{export}").status == int(how)
    assert (len(server.quotas(volume)), len(server.exports(volume))) == (1, 1)
    assert client.send("DELETE", f"/volumes/{volume}").status == 204


def test_normalise_networks(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(normalise="strip")
    path = f"/volumes/{volume}/exports"
    forms = {
        "192.168.0.1/24": "192.168.0.0/24",
        "10.1.2.3": "10.1.2.3/32",
        "2001:DB8::1/64": "2001:db8::/64",
        "::1": "::1/128",
        "*": "*",
    }
    for sent, shown in forms.items():
        assert client.send("POST", path, {"desc": sent, "iprange": sent}).json["iprange"] == shown
    assert [export["iprange"] for export in client.send("GET", path).json] == list(forms.values())
    assert [rule["iprange"] for rule in client.send("GET", "/volumes").json[0]["access_rules"]] == list(forms.values())
    assert [export["iprange"] for export in server.exports(volume)] == list(forms)


def test_normalise_paths(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(normalise="add", unique_keys=True)
    path = f"/volumes/{volume}/quotas"
    for sent, shown in {"/a/": "/a", "//b//c": "/b/c", "/": "/"}.items():
        assert client.send("POST", path, {"path": sent}).json["path"] == shown
    assert client.send("POST", path, {"path": "//a"}).status == 400
    quota = server.quotas(volume)[0]["id"]
    assert client.send("PUT", f"{path}/{quota}", {"path": "/a//"}).status == 200
    assert client.send("PUT", f"{path}/{quota}", {"path": "/b/c/"}).status == 400
    assert client.send("PUT", f"{path}/{quota}", {"path": "/a/"}).status == 200
    server.dialect = Dialect(unique_keys=True)
    assert [quota["path"] for quota in client.send("GET", path).json] == ["/a/", "//b//c", "/"]
    assert client.send("POST", path, {"path": "//a"}).status == 201


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        ("no", ["https://a.example.com", "https://b.example.com/"]),
        ("strip", ["https://a.example.com", "https://b.example.com"]),
        ("add", ["https://a.example.com/", "https://b.example.com/"]),
    ],
)
def test_normalise_buckets(server: Emulator, client: Client, how: str, shown: list[str]) -> None:
    server.dialect = Dialect(normalise=how)
    for name, end in (("a", ""), ("b", "/")):
        client.send("POST", "/volumes", {"name": name, "bucket": f"https://{name}.example.com{end}"})
    assert [volume["bucket"] for volume in client.send("GET", "/volumes").json] == shown


def test_unique_keys(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak()
    bodies: dict[str, dict[str, Any]] = {
        "/volumes": {"name": "archive", "bucket": BUCKET},
        f"/volumes/{volume}/exports": {"desc": "web", "iprange": "*"},
        f"/volumes/{volume}/quotas": {"path": "/a"},
    }
    for route, body in bodies.items():
        assert [client.send("POST", route, body).status for _time in range(2)] == [201, 201]
    server.reset(Dialect(unique_keys=True))
    assert server.add_volume(name="archive") == volume
    for route, body in bodies.items():
        first = 400 if route == "/volumes" else 201
        assert [client.send("POST", route, body).status for _time in range(2)] == [first, 400], route
    other = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/b"}).json["id"]
    reply = client.send("PUT", f"/volumes/{volume}/quotas/{other}", {"path": "/a"})
    assert (reply.status, set(reply.json)) == (400, {"path"})
    assert client.send("PUT", f"/volumes/{volume}/quotas/{other}", {"path": "/b", "size": 1}).status == 200
    twin = server.add_quota(volume, path="/b")
    assert client.send("PUT", f"/volumes/{volume}/quotas/{twin}", {"path": "/b", "size": 1}).status == 200
    assert client.send("PUT", f"/volumes/{volume}/quotas/{twin}", {"path": "/a", "size": 1}).status == 400
    for _time in range(2):
        assert client.send("POST", f"/volumes/{volume}/exports", {"desc": "", "iprange": "*"}).status == 201
    assert client.send("DELETE", f"/volumes/{volume}").status == 204
    assert client.send("POST", "/volumes", bodies["/volumes"]).status == 201


def test_required_fields_of_a_volume(server: Emulator, client: Client) -> None:
    def lacking(**settings: Any) -> set[str]:
        """Create a volume by its name alone and return the fields it lacks."""
        server.reset(Dialect(**settings))
        reply = client.send("POST", "/volumes", {"name": "a"})
        assert reply.status in (201, 400)
        return set(reply.json) if reply.status == 400 else set()

    assert lacking() == {"bucket"}
    assert lacking(required="region") == {"bucket", "region"}
    assert lacking(required="name") == set()
