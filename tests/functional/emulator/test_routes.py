# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each route of the emulator in the default dialect, and what it refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from emulator import Client, Emulator

if TYPE_CHECKING:
    pass

BUCKET = "https://archive.example.com"


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
    assert client.send("GET", f"/volumes/{volume}/is_ready").json == {"is_ready": True}
    assert client.send("GET", f"/volumes/{volume + 1}/is_ready").status == 404


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PATCH", "/volumes", 405),
        ("DELETE", "/volumes", 405),
        ("PUT", "/volumes/101", 405),
        ("POST", "/volumes/101/is_ready", 405),
        ("PUT", "/volumes/101/quotas", 405),
        ("GET", "/volumes/101/quotas/30001", 405),
        ("GET", "/volumes/101", 405),
        ("GET", "/regions", 404),
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
