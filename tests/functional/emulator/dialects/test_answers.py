# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of other responses: refusals, routes, readiness and limits."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

import pytest

from emulator import CHOICES, Client, Emulator
from functional.emulator.dialects.support import START, Clock, Speak

BUCKET = "https://archive.example.com"


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
