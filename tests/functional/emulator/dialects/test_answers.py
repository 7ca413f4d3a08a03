# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of other responses: refusals, routes, readiness and limits."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

import pytest

from emulator import Client, Emulator
from functional.emulator.dialects.support import START, Clock, Speak

BUCKET = "https://archive.example.com"


JSON, HTML = "application/json", "text/html; charset=utf-8"
ANSWERS = [
    # answers, creation, update, deletion, refused signature, unknown route, an error by field, an error
    ("plain", 201, 200, (204, ""), 401, 404, '{"path":["This field is required."]}', '{"detail":"Not Found."}'),
    ("terse", 204, 204, (204, ""), 403, 405, "", ""),
    ("html", 200, 200, (200, "<title>Deleted"), 400, 200, "<title>400 Bad Request: path: This field", "<title>200 OK"),
    ("odd", 202, 200, (202, '{"detail":"Deleted."}'), 418, 501, '{"error":"path: This', '{"error":"Not Implemented."}'),
]


@pytest.mark.parametrize(
    ("answers", "created", "updated", "deleted", "unsigned", "unknown", "by_field", "error"), ANSWERS
)
def test_answers(
    speak: Speak,
    server: Emulator,
    client: Client,
    *,
    answers: str,
    created: int,
    updated: int,
    deleted: tuple[int, str],
    unsigned: int,
    unknown: int,
    by_field: str,
    error: str,
) -> None:
    volume = speak(answers=answers, ready_after="unknown")
    path = f"/volumes/{volume}/quotas"
    made = client.send("POST", path, {"path": "/a"})
    assert (made.status, bool(made.body)) == (created, created != 204)
    quota = server.quotas(volume)[0]["id"]
    assert client.send("PUT", f"{path}/{quota}", {"path": "/b"}).status == updated
    gone = client.send("DELETE", f"{path}/{quota}")
    assert (gone.status, deleted[1] in gone.text, bool(gone.body)) == (deleted[0], True, bool(deleted[1]))
    refused, nothing = client.send("POST", path, {}), client.send("GET", "/nothing")
    assert (refused.status, nothing.status) == (400, unknown)
    for reply, text in ((refused, by_field), (nothing, error)):
        assert (text in reply.text, bool(reply.body)) == (True, bool(text))
        assert reply.headers.get("content-type") == (None if not text else HTML if answers == "html" else JSON)
    assert client.send("GET", f"/volumes/{volume}/is_ready").status == unknown
    with Client(server.url, server.access_key, "wrong", clock=client.clock) as other:
        assert other.send("GET", "/volumes").status == unsigned


def test_errors_in_html_are_escaped(speak: Speak, server: Emulator, client: Client) -> None:
    volume = speak(answers="html", put="reject")
    quota = server.add_quota(volume, path="/a")
    reply = client.send("PUT", f"/volumes/{volume}/quotas/{quota}", {"<b>": 1})
    assert (reply.status, b"&lt;b&gt;" in reply.body, b"<b>" in reply.body) == (400, True, False)


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
        speak(rate_limit=1, answers=how)
        server.retry_delay = 7
        reply = client.send("GET", "/volumes")
        assert reply.status == 429
        assert server.requests[-1].retry_after == reply.headers.get("retry-after")
        return reply.headers.get("retry-after")

    assert header("plain") == "7"
    assert header("terse") is None
    assert parsedate_to_datetime(str(header("odd"))).timestamp() == START + 7
