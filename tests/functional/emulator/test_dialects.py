# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each setting of the emulator's dialects, one by one; and dialects by name and at random."""

from __future__ import annotations

import dataclasses
import re
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from emulator import BROKEN, CHOICES, Client, Dialect, Emulator
from emulator.dialect import parse_setting, usable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from emulator import Reply

BUCKET = "https://archive.example.com"
START = 1_800_000_000.0


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def _console() -> Iterator[tuple[Emulator, Clock]]:
    clock = Clock()
    with Emulator(clock=clock) as server:
        yield server, clock


@pytest.fixture
def clock(_console: tuple[Emulator, Clock]) -> Clock:
    """The clock of console and client."""
    _console[1].now = START
    return _console[1]


@pytest.fixture
def server(_console: tuple[Emulator, Clock]) -> Emulator:
    """An empty console."""
    _console[0].reset()
    return _console[0]


@pytest.fixture
def client(server: Emulator, clock: Clock) -> Iterator[Client]:
    """A client of the console, which shares its clock."""
    with Client.of(server, clock=clock) as client:
        yield client


@pytest.fixture
def speak(server: Emulator) -> Callable[..., int]:
    """Set a dialect; give back the id of an empty volume."""

    def speak(**settings: Any) -> int:
        server.reset(Dialect(**settings))
        return server.add_volume(name="archive", bucket=BUCKET)

    return speak


Speak = Any


def _results(reply: Reply) -> list[dict[str, Any]]:
    """Return the records of a list in either shape."""
    found: list[dict[str, Any]] = reply.json["results"] if isinstance(reply.json, dict) else reply.json
    return found


@pytest.mark.parametrize("status", [200, 201, 202])
def test_create_status(speak: Speak, client: Client, status: int) -> None:
    volume = speak(create_status=status)
    made = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/a"})
    assert made.status == status
    assert client.send("PUT", f"/volumes/{volume}/quotas/{made.json['id']}", {"path": "/b"}).status == 200


def test_create_status_204(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(create_status=204, create_body="empty")
    made = client.send("POST", f"/volumes/{volume}/quotas", {"path": "/a"})
    assert (made.status, made.body) == (204, b"")
    quota = server.quotas(volume)[0]["id"]
    assert client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"path": "/b"}).status == 204
    assert server.quotas(volume)[0]["path"] == "/b"


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


@pytest.mark.parametrize(
    ("status", "body"), [(200, "json"), (202, "json"), (200, "empty"), (202, "empty"), (204, "empty")]
)
def test_delete_status_and_body(speak: Speak, server: Emulator, client: Client, status: int, body: str) -> None:
    volume = speak(delete_status=status, delete_body=body)
    reply = client.send("DELETE", f"/volumes/{volume}")
    assert (reply.status, bool(reply.body)) == (status, body == "json")
    assert not reply.body or reply.json == {"detail": "Deleted."}
    assert server.volumes() == []


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


def _pages(client: Client, path: str) -> list[dict[str, Any]]:
    """Follow the pages of a list by path and query; give back the pages."""
    pages: list[dict[str, Any]] = []
    while len(pages) < 10:
        pages.append(client.send("GET", path).json)
        following = pages[-1]["next"]
        if following is None:
            break
        parts = urlsplit(following)
        path = f"{parts.path.removeprefix('/api/v1')}?{parts.query}"
    return pages


def test_list_shape_and_page_size(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(list_shape="page", page_size=2)
    ids = server.add_quotas(volume, [{"path": f"/{number}"} for number in range(5)])
    pages = _pages(client, f"/volumes/{volume}/quotas?order=id&page=1")
    assert [[record["id"] for record in page["results"]] for page in pages] == [ids[:2], ids[2:4], ids[4:]]
    assert [page["count"] for page in pages] == [5, 5, 5]
    base = f"{server.api_url}/volumes/{volume}/quotas?order=id&page="
    assert [page["next"] for page in pages] == [f"{base}2", f"{base}3", None]
    assert [page["previous"] for page in pages] == [None, f"{base}1", f"{base}2"]
    for number in ("4", "0", "-1", "x", "1&page=2", ""):
        assert client.send("GET", f"/volumes/{volume}/quotas?page={number}").status == 404, number
    empty = client.send("GET", f"/volumes/{volume}/exports").json
    assert empty == {"count": 0, "next": None, "previous": None, "results": []}
    assert client.send("GET", "/volumes").json["count"] == 1


def test_a_full_last_page_has_no_next(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(list_shape="page", page_size=2)
    server.add_quotas(volume, [{"path": "/a"}, {"path": "/b"}])
    assert client.send("GET", f"/volumes/{volume}/quotas").json["next"] is None
    assert client.send("GET", f"/volumes/{volume}/quotas?page=2").status == 404


@pytest.mark.parametrize(
    ("how", "start"),
    [
        ("absolute", "{url}/api/v1/"),
        ("wrong_scheme", "https://{place}/api/v1/"),
        ("relative", "/api/v1/"),
        ("other_host", "http://elsewhere.invalid/api/v1/"),
    ],
)
def test_next_url(speak: Speak, server: Emulator, client: Client, how: str, start: str) -> None:
    volume = speak(list_shape="page", page_size=1, next_url=how)
    server.add_quotas(volume, [{"path": "/a"}, {"path": "/b"}])
    following = client.send("GET", f"/volumes/{volume}/quotas").json["next"]
    begin = start.format(url=server.url, place=urlsplit(server.url).netloc)
    assert following == f"{begin}volumes/{volume}/quotas?page=2"


def test_next_url_loop(speak: Speak, client: Client) -> None:
    volume = speak(list_shape="page", next_url="loop")
    assert len(_pages(client, f"/volumes/{volume}/quotas")) == 10


def test_page_overlap(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(list_shape="page", page_size=2, page_overlap=1)
    server.add_quotas(volume, [{"path": f"/{number}"} for number in range(5)])
    pages = _pages(client, f"/volumes/{volume}/quotas")
    shown = [[record["path"] for record in page["results"]] for page in pages]
    assert shown == [["/0", "/1"], ["/1", "/2", "/3"], ["/3", "/4"]]
    assert [page["count"] for page in pages] == [5, 5, 5]


def test_count(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(list_shape="page", page_size=1, count="wrong")
    server.add_quotas(volume, [{"path": "/a"}, {"path": "/b"}])
    path = f"/volumes/{volume}/quotas"
    assert [page["count"] for _time in range(2) for page in _pages(client, path)] == [3, 3, 3, 3]
    server.dialect = Dialect(list_shape="page", page_size=1, count="wrong_once")
    assert [page["count"] for _time in range(3) for page in _pages(client, path)] == [3, 3, 2, 2, 2, 2]
    assert client.send("GET", "/volumes").json["count"] == 2
    assert client.send("GET", "/volumes").json["count"] == 1


def test_record_fields_of_exports(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(record_fields="sent")
    path = f"/volumes/{volume}/exports"
    client.send("POST", path, {"desc": "a", "iprange": "*", "readonly": True, "unheard": 1})
    export = client.send("GET", path).json[0]
    assert {name: value for name, value in export.items() if name != "id"} == {
        "desc": "a", "iprange": "*", "readonly": True,
    }  # fmt: skip
    server.dialect = Dialect(record_fields="some")
    assert set(client.send("GET", path).json[0]) == {"id", "desc", "iprange"}
    server.dialect = Dialect(record_fields="all")
    everything = {"id", "desc", "iprange", "apionly", "readonly", "appendonly", "token"}
    assert set(client.send("GET", path).json[0]) == everything
    server.dialect = Dialect(record_fields="more")
    more = client.send("GET", path).json[0]
    assert set(more) == everything | {"created", "volume", "mount"}
    assert more["mount"]["credentials"]["token"] == more["token"] == server.tokens()[0]


def test_record_fields_of_quotas(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(record_fields="sent")
    path = f"/volumes/{volume}/quotas"
    quota = client.send("POST", path, {"path": "/a", "inodes": 5}).json
    assert set(quota) == {"id", "path", "inodes"}
    client.send("PUT", f"{path}/{quota['id']}", {"path": "/a", "size": 7})
    assert set(client.send("GET", path).json[0]) == {"id", "path", "inodes", "size"}
    server.dialect = Dialect(record_fields="some")
    assert client.send("GET", path).json[0] == {"id": quota["id"], "path": "/a", "size": 7}
    server.dialect = Dialect(record_fields="more")
    more = client.send("GET", path).json[0]
    assert set(more) == {"id", "path", "inodes", "size", "created", "volume", "usage"}
    assert more["created"] == "2027-01-15T08:00:00.000000Z"


def test_numbers(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(numbers="string", record_fields="more")
    path = f"/volumes/{volume}/quotas"
    quota = client.send("POST", path, {"path": "/a", "size": 1 << 30}).json
    assert (quota["size"], quota["inodes"], quota["usage"]["ratio"]) == ("1073741824", "0", "0.5")
    assert quota["id"] == str(server.quotas(volume)[0]["id"])
    assert client.send("PUT", f"{path}/{quota['id']}", {"path": "/b", "size": "1073741824"}).status == 200
    assert server.quotas(volume)[0]["size"] == 1 << 30
    shown = client.send("GET", "/volumes").json[0]
    assert (shown["id"], shown["blockSize"], shown["compatible"]) == (str(volume), "4096", False)
    server.dialect = Dialect(numbers="string", create_body="id")
    assert isinstance(client.send("POST", path, {"path": "/c"}).json["id"], str)


@pytest.mark.parametrize(
    ("how", "shown"), [("zero", {"size": 0, "inodes": 0}), ("null", {"size": None, "inodes": None}), ("omitted", {})]
)
def test_no_limit(speak: Speak, server: Emulator, client: Client, how: str, shown: dict[str, Any]) -> None:
    volume = speak(no_limit=how)
    path = f"/volumes/{volume}/quotas"
    quota = client.send("POST", path, {"path": "/a", "size": 0}).json
    assert quota == {"id": quota["id"], "path": "/a", **shown}
    limited = server.add_quota(volume, path="/b", size=5, inodes=6)
    assert client.send("GET", path).json[1] == {"id": limited, "path": "/b", "size": 5, "inodes": 6}
    reply = client.send("PUT", f"{path}/{limited}", {"path": "/b", "size": None})
    assert reply.status == (200 if how == "null" else 400)
    body = {"name": "b", "bucket": BUCKET, "blockSize": None}
    assert client.send("POST", "/volumes", body).status == 400
    assert server.quotas(volume)[1]["size"] == (0 if how == "null" else 5)


def test_ids_and_keys(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak()
    server.add_export(volume, desc="web", iprange="*")
    server.add_quota(volume, path="/a")
    routes = {"/volumes": "name", f"/volumes/{volume}/exports": "desc", f"/volumes/{volume}/quotas": "path"}
    for route, key in routes.items():
        server.dialect = Dialect(ids="missing")
        record = client.send("GET", route).json[0]
        assert ("id" in record, record[key]) == (False, {"name": "archive", "desc": "web", "path": "/a"}[key])
        server.dialect = Dialect(keys="missing")
        record = client.send("GET", route).json[0]
        assert ("id" in record, key in record) == (True, False)
        server.dialect = Dialect(keys="null")
        assert client.send("GET", route).json[0][key] is None


def test_put(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(put="documented")

    def put(how: str, **fields: Any) -> tuple[int, dict[str, Any]]:
        """Update a new read-only export; give back the status and what it has become."""
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


def test_put_reset_of_quotas(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(put="reset")
    quota = server.add_quota(volume, path="/a", size=5, inodes=6)
    client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"path": "/a", "size": 7})
    assert server.quotas(volume) == [{"id": quota, "path": "/a", "size": 7, "inodes": 0}]


@pytest.mark.parametrize("how", ["404", "405", "501"])
def test_delete_children(speak: Speak, server: Emulator, client: Client, how: str) -> None:
    volume = speak(delete_children=how)
    quota, export = server.add_quota(volume, path="/a"), server.add_export(volume, desc="a", iprange="*")
    assert client.send("DELETE", f"/volumes/{volume}/quotas/{quota}").status == int(how)
    assert client.send("DELETE", f"/volumes/{volume}/exports/{export}").status == int(how)
    assert (len(server.quotas(volume)), len(server.exports(volume))) == (1, 1)
    assert client.send("DELETE", f"/volumes/{volume}").status == 204


def test_normalise_networks(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(normalise_networks=True)
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
    volume = speak(normalise_paths=True, unique_keys=True)
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
    server.dialect = Dialect(normalise_buckets=how)
    for name, end in (("a", ""), ("b", "/")):
        client.send("POST", "/volumes", {"name": name, "bucket": f"https://{name}.example.com{end}"})
    assert [volume["bucket"] for volume in client.send("GET", "/volumes").json] == shown


@pytest.mark.parametrize("status", CHOICES["auth_status"])
def test_auth_status(speak: Speak, server: Emulator, status: int) -> None:
    speak(auth_status=status)
    with Client(server.url, server.access_key, "wrong") as client:
        assert client.send("GET", "/volumes").status == status


@pytest.mark.parametrize(
    ("shape", "content_type", "validation", "other"),
    [
        ("field", "application/json", '{"path":["This field is required."]}', '{"detail":"Not Found."}'),
        ("detail", "application/json", '{"detail":"path: This field is required."}', '{"detail":"Not Found."}'),
        ("error", "application/json", '{"error":"path: This field is required."}', '{"error":"Not Found."}'),
        ("text", "text/plain; charset=utf-8", "path: This field is required.\n", "Not Found.\n"),
        ("html", "text/html; charset=utf-8", "<title>400 Bad Request: path: This field is", "<title>404 Not Found"),
        ("empty", None, "", ""),
    ],
)
def test_error_body(
    speak: Speak, client: Client, shape: str, content_type: str | None, validation: str, other: str
) -> None:
    volume = speak(error_body=shape)
    refused = client.send("POST", f"/volumes/{volume}/quotas", {})
    assert (refused.status, refused.headers.get("content-type")) == (400, content_type)
    unknown = client.send("GET", "/nothing")
    assert (unknown.status, unknown.headers.get("content-type")) == (404, content_type)
    for reply, text in ((refused, validation), (unknown, other)):
        assert text in reply.text
        assert shape == "html" or reply.text == text


def test_errors_in_html_are_escaped(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(error_body="html", put="reject")
    quota = server.add_quota(volume, path="/a")
    reply = client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"<b>": 1})
    assert (reply.status, b"&lt;b&gt;" in reply.body, b"<b>" in reply.body) == (400, True, False)


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


@pytest.mark.parametrize(("how", "status"), [("404", 404), ("405", 405), ("501", 501), ("html", 200)])
def test_unknown_route_and_routes_that_are_switched_off(speak: Speak, client: Client, how: str, status: int) -> None:
    volume = speak(unknown_route=how, single_get=False, ready_route=False, regions_route=False)
    for path in ("/nothing", f"/volumes/{volume}", f"/volumes/{volume}/is_ready", "/regions", "/clouds"):
        reply = client.send("GET", path)
        assert (reply.status, b"<html>" in reply.body) == (status, how == "html"), path
    assert client.send("GET", "/volumes").status == 200
    assert client.send("DELETE", f"/volumes/{volume}").status == 204


@pytest.mark.parametrize("route", ["single_get", "ready_route", "regions_route"])
def test_routes_are_switched_off_one_by_one(speak: Speak, client: Client, route: str) -> None:
    volume = speak(**{route: False})
    paths = {
        "single_get": f"/volumes/{volume}",
        "ready_route": f"/volumes/{volume}/is_ready",
        "regions_route": "/regions",
    }
    assert {name: client.send("GET", path).status for name, path in paths.items()} == {
        name: 404 if name == route else 200 for name in paths
    }


def test_ready_after(speak: Speak, client: Client, clock: Clock) -> None:
    old = speak(ready_after=2.0)
    new = client.send("POST", "/volumes", {"name": "new", "bucket": BUCKET}).json["id"]
    assert client.send("GET", f"/volumes/{old}/is_ready").json == {"is_ready": True}
    clock.now += 1.9
    assert client.send("GET", f"/volumes/{new}/is_ready").json == {"is_ready": False}
    clock.now += 0.2
    assert client.send("GET", f"/volumes/{new}/is_ready").json == {"is_ready": True}


def test_required_fields_of_a_volume(server: Emulator, client: Client) -> None:
    def lacking(**settings: Any) -> set[str]:
        """Create a volume by its name alone; give back the fields it lacks."""
        server.reset(Dialect(**settings))
        reply = client.send("POST", "/volumes", {"name": "a"})
        assert reply.status in (201, 400)
        return set(reply.json) if reply.status == 400 else set()

    assert lacking() == {"bucket"}
    assert lacking(region_required=True) == {"bucket", "region"}
    assert lacking(bucket_required=False) == set()
    assert lacking(bucket_required=False, region_required=True) == {"region"}


def test_rate_limit(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(rate_limit=3)
    path = f"/volumes/{volume}/quotas"
    statuses = [client.send("POST", path, {"path": f"/{number}"}).status for number in range(7)]
    assert statuses == [201, 201, 429, 201, 201, 429, 201]
    assert [quota["path"] for quota in server.quotas(volume)] == ["/0", "/1", "/3", "/4", "/6"]
    speak(rate_limit=2)
    assert [client.send("GET", "/volumes").status for _time in range(4)] == [200, 429, 200, 429]


def test_retry_after(speak: Speak, server: Emulator, client: Client) -> None:
    def header(how: str) -> str | None:
        """Return the Retry-After of a request too many."""
        speak(rate_limit=1, retry_after=how)
        server.retry_delay = 7
        reply = client.send("GET", "/volumes")
        assert reply.status == 429
        assert server.requests[-1].retry_after == reply.headers.get("retry-after")
        return reply.headers.get("retry-after")

    assert header("seconds") == "7"
    assert header("none") is None
    assert parsedate_to_datetime(str(header("date"))).timestamp() == START + 7


def test_every_setting_has_a_default_choices_and_a_test() -> None:
    names = [field.name for field in dataclasses.fields(Dialect)]
    assert sorted(names) == sorted(CHOICES)
    assert {name: getattr(Dialect(), name) for name in names} == {name: CHOICES[name][0] for name in names}
    for name, values in BROKEN.items():
        assert set(values) < set(CHOICES[name])
        assert not set(values) & set(usable(name))
    with open(__file__, encoding="utf-8") as lines:  # noqa: PTH123
        text = lines.read()
    assert [name for name in names if f"{name}=" not in text and f'"{name}"' not in text] == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"create_status": 203}, "create_status: 203"),
        ({"create_status": "201"}, "create_status: '201'"),
        ({"create_status": 204}, "create_status 204"),
        ({"delete_body": "json"}, "delete_status 204"),
        ({"page_size": 0}, "page_size: 0"),
        ({"page_size": 1.5}, "page_size: 1.5"),
        ({"appear_after": -1.0}, "appear_after: -1.0"),
        ({"appear_after": float("nan")}, "appear_after: nan"),
        ({"vanish_after": float("inf")}, "vanish_after: inf"),
        ({"rate_limit": True}, "rate_limit: True"),
        ({"single_get": 1}, "single_get: 1"),
        ({"put": "all"}, "'documented', 'any', 'reject', 'reset'"),
        ({"colour": "red"}, "no setting 'colour'"),
    ],
    ids=str,
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Dialect.of(settings)


def test_settings_as_users_type_them() -> None:
    assert parse_setting("page_size=5") == ("page_size", 5)
    assert parse_setting("appear_after=1.5") == ("appear_after", 1.5)
    assert parse_setting("single_get=false") == ("single_get", False)
    assert parse_setting("delete_children=404") == ("delete_children", "404")
    for text in ("page_size=x", "page_size", "colour=red", "=1"):
        with pytest.raises(ValueError, match="is not"):
            parse_setting(text)
    with pytest.raises(ValueError, match=r"single_get: 'maybe'"):
        Dialect.of(dict([parse_setting("single_get=maybe")]))


def test_named_dialects() -> None:
    assert len(Dialect.names()) >= 12
    assert Dialect.named("default") == Dialect()
    assert len({Dialect.named(name) for name in Dialect.names()}) == len(Dialect.names())
    assert Dialect.named("paged", page_size=9).page_size == 9
    with pytest.raises(ValueError, match=r"no dialect 'klingon'; there are broken_count"):
        Dialect.named("klingon")


def test_random_dialects() -> None:
    drawn = [Dialect.random(seed) for seed in range(300)]
    assert drawn == [Dialect.random(seed) for seed in range(300)]
    for name in CHOICES:
        assert {getattr(dialect, name) for dialect in drawn} == set(usable(name)), name
    broken = [Dialect.random(seed, broken=True) for seed in range(300)]
    for name, values in CHOICES.items():
        assert {getattr(dialect, name) for dialect in broken} == set(values), name
    assert Dialect(page_size=7, put="any").differences() == {"page_size": 7, "put": "any"}


@pytest.mark.parametrize("seed", range(40))
def test_any_dialect_keeps_what_is_created(server: Emulator, client: Client, clock: Clock, seed: int) -> None:
    server.reset(Dialect.random(seed, broken=True))
    dialect = server.dialect
    volume = server.add_volume(name="archive", bucket=BUCKET)

    def send(method: str, path: str, body: Any = None) -> Reply:
        """Send a request until it is not one too many."""
        reply = client.send(method, path, body)
        return client.send(method, path, body) if reply.status == 429 else reply

    path = f"/volumes/{volume}/exports"
    made = send("POST", path, {"desc": "web", "iprange": "10.0.0.1/8", "readonly": True})
    assert made.status == dialect.create_status
    assert [(record["desc"], record["readonly"]) for record in server.exports(volume)] == [("web", True)]
    clock.now += 10
    listed = _results(send("GET", path))
    assert len(listed) == 1
    assert listed[0].get("iprange") == ("10.0.0.0/8" if dialect.normalise_networks else "10.0.0.1/8")
    updated = send("PUT", f"{path}/{server.exports(volume)[0]['id']}", {"desc": "www", "iprange": listed[0]["iprange"]})
    assert updated.status == (204 if dialect.create_status == 204 else 200)
    record = server.exports(volume)[0]
    assert (record["desc"], record["iprange"], record["readonly"]) == ("www", "10.0.0.1/8", dialect.put != "reset")
    assert send("DELETE", f"/volumes/{volume}").status == dialect.delete_status
    clock.now += 10
    assert _results(send("GET", "/volumes")) == []
