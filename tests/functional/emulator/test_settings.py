# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each setting: what a write does, what is kept, what a record shows, and how the console answers."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from emulator import Client, Dialect, Emulator
from functional.emulator.conftest import BUCKET, START, Clock, Speak

JSON, HTML = "application/json", "text/html; charset=utf-8"
WEB = {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True}
ALL = {"id", "desc", "iprange", "apionly", "readonly", "appendonly", "token"}


@pytest.mark.parametrize(
    ("answers", "created", "updated", "deleted", "unsigned", "unknown", "by_field", "error"),
    [
        ("plain", 201, 200, (204, ""), 401, 404, '{"path":["This field is required."]}', '{"detail":"Not Found."}'),
        ("terse", 204, 204, (204, ""), 403, 405, "", ""),
        ("html", 200, 200, (200, "<title>Deleted"), 400, 200, "<title>400 Bad Request: path: This", "<title>200 OK"),
        ("odd", 202, 200, (202, '{"detail":"Deleted."}'), 418, 501, '{"error":"path: This', '{"error":"Not Impl'),
    ],
)  # fmt: skip
def test_answers(
    speak: Speak, server: Emulator, client: Client, answers: str, *, created: int, updated: int,
    deleted: tuple[int, str], unsigned: int, unknown: int, by_field: str, error: str,
) -> None:  # fmt: skip
    path = f"{speak(answers=answers, ready_after='unknown')}/quotas"
    made = client.send("POST", path, {"path": "/a"})
    assert (made.status, bool(made.body)) == (created, created != 204)
    quota = server.quotas(101)[0]["id"]
    assert client.send("PUT", f"{path}/{quota}", {"path": "/b"}).status == updated
    gone = client.send("DELETE", f"{path}/{quota}")
    assert (gone.status, deleted[1] in gone.text, bool(gone.body)) == (deleted[0], True, bool(deleted[1]))
    refused, nothing = client.send("POST", path, {}), client.send("GET", "/nothing")
    assert (refused.status, nothing.status) == (400, unknown)
    for reply, text in ((refused, by_field), (nothing, error)):
        assert (text in reply.text, bool(reply.body)) == (True, bool(text))
        assert reply.headers.get("content-type") == (None if not text else HTML if answers == "html" else JSON)
    assert client.send("GET", "/volumes/101/is_ready").status == unknown
    with Client(server.url, server.access_key, "wrong", clock=client.clock) as other:
        assert other.send("GET", "/volumes").status == unsigned


def test_errors_in_html_are_escaped(speak: Speak, server: Emulator, client: Client) -> None:
    path = f"{speak(answers='html', put='reject')}/quotas/{server.add_quota(101, path='/a')}"
    reply = client.send("PUT", path, {"<b>": 1})
    assert (reply.status, b"&lt;b&gt;" in reply.body, b"<b>" in reply.body) == (400, True, False)


@pytest.mark.parametrize(("answers", "expected"), [("plain", "7"), ("terse", None), ("html", START + 7)])
def test_rate_limit_and_retry_after(
    speak: Speak, server: Emulator, client: Client, answers: str, expected: Any
) -> None:
    path = f"{speak(rate_limit=3, answers=answers)}/quotas"
    server.retry_delay = 7
    replies = [client.send("POST", path, {"path": f"/{number}"}) for number in range(7)]
    assert [number for number, reply in enumerate(replies) if reply.status == 429] == [2, 5]
    assert [quota["path"] for quota in server.quotas(101)] == ["/0", "/1", "/3", "/4", "/6"]
    shown = replies[2].headers.get("retry-after")
    assert (parsedate_to_datetime(str(shown)).timestamp() if answers == "html" else shown) == expected
    assert server.requests[2].retry_after == shown


@pytest.mark.parametrize(
    ("how", "content_type", "text"),
    [("id", JSON, '{"id":2002}'), ("empty", None, ""), ("html", HTML, "<title>"), ("record", JSON, '"desc":"b"'),
     ("page", JSON, '"results":[{"id":2001,"desc":"a"')],
)  # fmt: skip
def test_create_body(speak: Speak, server: Emulator, client: Client, how: str, content_type: str, text: str) -> None:
    path = f"{speak(create_body=how)}/exports"
    server.add_export(101, desc="a", iprange="*")
    reply = client.send("POST", path, {"desc": "b", "iprange": "*"})
    assert (reply.status, reply.headers.get("content-type")) == (201, content_type)
    assert text in reply.text
    again = client.send("PUT", f"{path}/2002", {"desc": "b"})
    assert (again.status, again.body) == (200, reply.body)


def test_ready_after(speak: Speak, client: Client, clock: Clock) -> None:
    old = speak(ready_after=2.0)
    new = client.send("POST", "/volumes", {"name": "new", "bucket": BUCKET}).json["id"]
    answers = []
    for path in (old, f"/volumes/{new}", f"/volumes/{new}"):
        answers.append(client.send("GET", f"{path}/is_ready").json["is_ready"])
        clock.now += 1.0
    assert answers == [True, False, True]


@pytest.mark.parametrize(
    ("required", "lacking"), [("bucket", {"bucket"}), ("region", {"bucket", "region"}), ("name", set())]
)
def test_required(speak: Speak, client: Client, required: str, lacking: set[str]) -> None:
    speak(required=required)
    reply = client.send("POST", "/volumes", {"name": "a"})
    assert (reply.status, set(reply.json) if lacking else set()) == (400 if lacking else 201, lacking)


RESET = {"desc": "www", "iprange": "10.0.0.0/8", "apionly": False, "readonly": False}
PUTS: list[tuple[str, dict[str, Any], dict[str, Any] | None]] = [
    ("documented", {"desc": "www"}, {"desc": "www"}),
    ("documented", {"desc": "www", "apionly": True, "readonly": "?"}, {"desc": "www"}),
    ("any", {"desc": "www", "apionly": True}, {"desc": "www", "apionly": True}),
    ("any", {"readonly": "?"}, None),
    ("any", {"readonly": 1}, None),
    ("reject", {"desc": "www", "apionly": True}, None),
    ("reject", {"desc": "www", "unheard": True}, None),
    ("reject", {"desc": "www"}, {"desc": "www"}),
    ("reset", {"desc": "www", "iprange": "10.0.0.0/8"}, RESET),
    ("reset", {"desc": "www", "iprange": "10.0.0.0/8", "readonly": True}, {**RESET, "readonly": True}),
    ("reset", {"readonly": True}, {"desc": "", "iprange": ""}),
    ("lose", {"desc": "www", "iprange": "10.0.0.0/8", "readonly": True}, RESET),
]


@pytest.mark.parametrize(("how", "sent", "changed"), PUTS, ids=str)
def test_put(speak: Speak, server: Emulator, client: Client, how: str, sent: Any, changed: Any) -> None:
    path = f"{speak(put=how)}/exports/{server.add_export(101, **WEB)}"
    before = server.exports(101)[0]
    assert client.send("PUT", path, sent).status == (400 if changed is None else 200)
    assert server.exports(101) == [{**before, **(changed or {})}]


@pytest.mark.parametrize("fields", ["some", "sent"])
def test_put_resets_what_is_not_shown(speak: Speak, server: Emulator, client: Client, fields: str) -> None:
    path = f"{speak(put='reset', record_fields=fields)}/exports"
    client.send("PUT", f"{path}/{server.add_export(101, **WEB)}", {"desc": "web", "iprange": "*"})
    assert server.exports(101)[0]["readonly"] is False
    assert client.send("GET", path).json[0].get("readonly") is (False if fields == "sent" else None)


@pytest.mark.parametrize(("how", "shown"), [("sent", {"path", "inodes"}), ("others", {"path", "size"})])
def test_put_hides(speak: Speak, server: Emulator, client: Client, how: str, shown: set[str]) -> None:
    path = f"{speak(put_hides=how, update_appear_after=5.0)}/quotas"
    quotas = [server.add_quota(101, path=name, size=5, inodes=6) for name in ("/a", "/b")]
    client.send("PUT", f"{path}/{quotas[0]}", {"path": "/c", "size": 7})
    first, second = client.send("GET", path).json
    assert (set(first), first["path"]) == ({"id", *shown}, "/a")
    assert set(second) == {"id", "path", "size", "inodes"}


@pytest.mark.parametrize(
    ("how", "sent", "kept"),
    [
        *[("nothing", size, size) for size in (5000, 3 << 30)],
        *[("rounds_up", size, kept) for size, kept in ((5000, 8192), (4096, 4096), (0, 0), (5, 5))],
        *[("caps", size, kept) for size, kept in ((5000, 5000), (3 << 30, 1 << 30))],
        ("nothing", "10.1.0.0/8", "10.1.0.0/8"),
        ("rewrites", "10.1.0.0/8", "10.0.0.0/16"),
        ("rewrites", "*", "0.0.0.0/0"),
        ("rewrites", "10.1.2.0/24", "10.1.2.0/24"),
        ("rewrites", "10.1.2.3", "10.1.2.3/32"),
        ("rewrites", "2001:db8::/32", "2001:db8::/48"),
    ],
)
def test_put_alters(speak: Speak, server: Emulator, client: Client, how: str, sent: Any, kept: Any) -> None:
    path = speak(put_alters=how)
    quota, export = server.add_quota(101, path="/a", size=5), server.add_export(101, desc="web", iprange="::1")
    plural, body = ("exports", {"iprange": sent}) if isinstance(sent, str) else ("quotas", {"size": sent})
    shown = client.send("PUT", f"{path}/{plural}/{export if plural == 'exports' else quota}", body).json
    assert shown[next(iter(body))] == kept
    assert shown in server.exports(101) + server.quotas(101)


@pytest.mark.parametrize(("how", "count"), [("token", 1), ("vanish", 0), ("replace", 1)])
def test_put_alters_what_nobody_can_restore(
    speak: Speak, server: Emulator, client: Client, how: str, count: int
) -> None:
    path = f"{speak(put_alters=how)}/exports/{server.add_export(101, desc='web', iprange='*', token='first')}"
    assert client.send("PUT", path, {"desc": "www", "iprange": "*"}).status == 200
    left = server.exports(101)
    assert [(record["desc"], record["token"] != "first") for record in left] == [("www", True)] * count
    assert [record["id"] == 2001 for record in left] == [how == "token"] * count


@pytest.mark.parametrize("how", ["404", "405", "501"])
def test_delete_children(speak: Speak, server: Emulator, client: Client, how: str) -> None:
    path = speak(delete_children=how)
    children = {"quotas": server.add_quota(101, path="/a"), "exports": server.add_export(101, desc="a", iprange="*")}
    assert [client.send("DELETE", f"{path}/{kind}/{id_}").status for kind, id_ in children.items()] == [int(how)] * 2
    assert (len(server.quotas(101)), len(server.exports(101))) == (1, 1)
    assert client.send("DELETE", path).status == 204


@pytest.mark.parametrize("how", ["no", "strip", "add"])
def test_normalise(speak: Speak, server: Emulator, client: Client, how: str) -> None:
    path = speak(normalise=how)
    networks = {
        "192.168.0.1/24": "192.168.0.0/24",
        "10.1.2.3": "10.1.2.3/32",
        "2001:DB8::1/64": "2001:db8::/64",
        "*": "*",
    }
    paths = {"/a/": "/a", "//b//c": "/b/c", "/": "/"}
    buckets = {f"{BUCKET}/a": f"{BUCKET}/a", f"{BUCKET}/b/": f"{BUCKET}/b"}
    for network in networks:
        client.send("POST", f"{path}/exports", {"desc": network, "iprange": network})
    for text in paths:
        client.send("POST", f"{path}/quotas", {"path": text})
    for bucket in buckets:
        client.send("POST", "/volumes", {"name": bucket, "bucket": bucket})
    first, *others = client.send("GET", "/volumes").json
    end = "/" if how == "add" else ""
    for name, forms, shown in (
        ("iprange", networks, client.send("GET", f"{path}/exports").json),
        ("iprange", networks, first["access_rules"]),
        ("path", paths, client.send("GET", f"{path}/quotas").json),
        ("bucket", {sent: form + end for sent, form in buckets.items()}, others),
    ):
        assert [record[name] for record in shown] == list(forms if how == "no" else forms.values())
    assert [export["iprange"] for export in server.exports(101)] == list(networks)


@pytest.mark.parametrize(
    ("settings", "key", "other", "status"),
    [
        ({}, "/a", "/a", 201),
        ({"unique_keys": True}, "/a", "/a", 400),
        ({"unique_keys": True}, "/a", "//a/", 201),
        ({"unique_keys": True, "normalise": "strip"}, "/a", "//a/", 400),
        ({"unique_keys": True}, "/a", "/a ", 201),
        ({"unique_keys": True, "trim_keys": True}, "/a", "/a ", 400),
    ],
    ids=str,
)
def test_unique_keys(speak: Speak, client: Client, settings: Any, key: str, other: str, status: int) -> None:
    path = f"{speak(**settings)}/quotas"
    first, second = (client.send("POST", path, {"path": text}).json["id"] for text in (key, "/b"))
    assert client.send("PUT", f"{path}/{second}", {"path": other}).status == {201: 200}.get(status, status)
    assert client.send("PUT", f"{path}/{second}", {"path": "/b"}).status == 200
    assert client.send("POST", path, {"path": other}).status == status
    assert client.send("PUT", f"{path}/{first}", {"path": key, "size": 1}).status == 200
    assert client.send("PUT", f"{path}/{first}", {"path": f"{key}/"}).status == 200


def test_unique_keys_of_volumes_and_of_exports_without_one(speak: Speak, client: Client) -> None:
    path = speak(unique_keys=True)
    new = {"name": "archive", "bucket": BUCKET}
    assert client.send("POST", "/volumes", new).json == {"name": ["A record with this name already exists."]}
    assert [client.send("POST", f"{path}/exports", {"iprange": "*"}).status for _time in range(2)] == [201, 201]
    client.send("DELETE", path)
    assert client.send("POST", "/volumes", new).status == 201


@pytest.mark.parametrize("trim", [False, True])
def test_trim_keys(speak: Speak, server: Emulator, client: Client, *, trim: bool) -> None:
    path = speak(trim_keys=trim)
    client.send("POST", "/volumes", {"name": " v\t", "bucket": BUCKET})
    client.send("POST", f"{path}/exports", {"desc": " web ", "iprange": "*"})
    client.send("PUT", f"{path}/quotas/{server.add_quota(101, path='/a')}", {"path": "/b "})
    keys = server.volumes()[1]["name"], server.exports(101)[0]["desc"], server.quotas(101)[0]["path"]
    assert keys == (("v", "web", "/b") if trim else (" v\t", " web ", "/b "))
    assert client.send("POST", "/volumes", {"name": " ", "bucket": BUCKET}).status == 400


@pytest.mark.parametrize(
    ("fields", "export", "quota"),
    [
        ("sent", {"id", "desc", "iprange", "readonly"}, {"id", "path", "inodes", "size"}),
        ("some", {"id", "desc", "iprange"}, {"id", "path", "size"}),
        ("all", ALL, {"id", "path", "inodes", "size"}),
        ("more", ALL | {"created", "volume", "mount"}, {"id", "path", "inodes", "size", "created", "volume", "usage"}),
    ],
)
def test_record_fields(speak: Speak, client: Client, fields: str, export: set[str], quota: set[str]) -> None:
    path = speak(record_fields=fields)
    client.send("POST", f"{path}/exports", {**WEB, "unheard": 1})
    made = client.send("POST", f"{path}/quotas", {"path": "/a", "inodes": 5}).json
    assert set(made) == quota - ({"size"} if fields == "sent" else set())
    client.send("PUT", f"{path}/quotas/{made['id']}", {"path": "/a", "size": 7})
    (shown,) = client.send("GET", f"{path}/exports").json
    assert (set(shown), set(client.send("GET", f"{path}/quotas").json[0])) == (export, quota)
    assert fields != "more" or shown["mount"]["credentials"]["token"] == shown["token"]


@pytest.mark.parametrize(
    ("numbers", "sizes"),
    [("number", (0, 5)), ("string", ("0", "5")), ("null", (None, 5)), ("omitted", ("none", 5))],
)
def test_numbers(speak: Speak, server: Emulator, client: Client, numbers: str, sizes: tuple[Any, Any]) -> None:
    path = f"{speak(numbers=numbers)}/quotas"
    ids = [server.add_quota(101, path="/a"), server.add_quota(101, path="/b", size=5, inodes=6)]
    shown = client.send("GET", path).json
    assert tuple(record.get("size", "none") for record in shown) == sizes
    assert [record["id"] for record in shown] == [str(id_) if numbers == "string" else id_ for id_ in ids]
    for value, taker in ((None, "null"), ("7", "string")):
        status = client.send("PUT", f"{path}/{ids[1]}", {"path": "/b", "size": value}).status
        assert status == (200 if numbers == taker else 400)
    assert server.quotas(101)[1]["size"] == {"null": 0, "string": 7}.get(numbers, 5)
    volume = client.send("GET", "/volumes").json[0]
    assert (volume["blockSize"], volume["compatible"]) == ("4096" if numbers == "string" else 4096, False)


@pytest.mark.parametrize(
    ("settings", "gone"), [({"ids": "missing"}, "id"), ({"keys": "missing"}, "key"), ({"keys": "null"}, "null")]
)
def test_ids_and_keys(speak: Speak, server: Emulator, client: Client, settings: dict[str, Any], gone: str) -> None:
    path = speak(**settings)
    server.add_export(101, **WEB)
    server.add_quota(101, path="/a")
    for route, key in (("/volumes", "name"), (f"{path}/exports", "desc"), (f"{path}/quotas", "path")):
        (record,) = client.send("GET", route).json
        assert ("id" in record, record.get(key, "none")) == (
            gone != "id",
            {"id": {"name": "archive", "desc": "web", "path": "/a"}[key], "key": "none", "null": None}[gone],
        )


def test_another_dialect_can_be_set_at_any_time(speak: Speak, server: Emulator, client: Client) -> None:
    path = f"{speak(stale_every=1)}/quotas"
    client.send("POST", path, {"path": "/a"})
    assert client.send("GET", path).json == []
    server.dialect = Dialect(stale_every=1, record_fields="some")
    assert client.send("GET", path).json == [{"id": 30001, "path": "/a", "size": 0}]
