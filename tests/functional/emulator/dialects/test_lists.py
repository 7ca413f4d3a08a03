# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings that shape lists and their records."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from emulator import Client, Dialect, Emulator
from functional.emulator.dialects.support import Speak

BUCKET = "https://archive.example.com"


def _pages(client: Client, path: str) -> list[dict[str, Any]]:
    """Follow the pages of a list by path and query, and return them."""
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
    ("how", "shown"), [("number", {"size": 0, "inodes": 0}), ("null", {"size": None, "inodes": None}), ("omitted", {})]
)
def test_no_limit(speak: Speak, server: Emulator, client: Client, how: str, shown: dict[str, Any]) -> None:
    volume = speak(numbers=how)
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
