# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists that indicate in one of many ways that they are partial: they are read to the end, or it is an error."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run
from functional.support.rawserver import StartServer

BUCKET = "https://v.example.com"
# What the error names, by the shape of the list.
SIGNS = {
    "range": "Content-Range",
    "total_header": "announces 5 records",
    "total": "announces 5 records",
    "next_page": "next_page",
    "body_links": "links.next",
}


def fill(emulator: Emulator, count: int = 5, **dialect: Any) -> int:
    """Make a volume with some quotas, /a0 and so on, in a dialect with short pages; return its id."""
    emulator.reset(Dialect(**{"page_size": 2, **dialect}))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_quotas(volume, [{"path": f"/a{number}", "size": 5} for number in range(count)])
    return volume


def listed(run: Run) -> list[str]:
    """Return the paths that quota_info gives."""
    return [quota["path"] for quota in run("quota_info", volume="v")["quotas"]]


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.parametrize("shape", ["link", "many_links"])
@pytest.mark.parametrize("next_url", ["absolute", "wrong_scheme", "relative"])
@pytest.mark.parametrize("overlap", [0, 1])
def test_a_link_header_is_followed_to_the_end(
    run: Run, emulator: Emulator, shape: str, next_url: str, overlap: int
) -> None:
    volume = fill(emulator, list_shape=shape, next_url=next_url, page_overlap=overlap)
    assert listed(run) == [f"/a{number}" for number in range(5)]
    assert all(request.authenticated for request in emulator.requests)
    assert run("quota", volume="v", path="/a4", size=5)["changed"] is False
    assert run("quota", volume="v", path="/a4", state="absent")["changed"]
    assert len(emulator.quotas(volume)) == 4


@pytest.mark.promise("no-signature-for-other-hosts")
@pytest.mark.parametrize("shape", ["link", "many_links"])
@pytest.mark.parametrize(("next_url", "message"), [("other_host", "another host"), ("loop", "form a loop")])
def test_a_link_header_that_leads_elsewhere_or_in_a_circle_is_refused(
    run: Run, emulator: Emulator, shape: str, next_url: str, message: str
) -> None:
    fill(emulator, list_shape=shape, next_url=next_url)
    result = run("quota", volume_id=101, path="/new", size=5)
    assert result["failed"]
    assert message in result["msg"]
    assert all(request.authenticated for request in emulator.requests)
    assert emulator.writes == []


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(("shape", "sign"), SIGNS.items())
def test_a_list_that_says_otherwise_that_it_is_partial_is_an_error_that_names_the_sign(
    run: Run, emulator: Emulator, shape: str, sign: str, state: str
) -> None:
    fill(emulator, list_shape=shape)
    result = run("quota", volume="v", path="/a4", size=5, state=state)
    assert result["failed"]
    assert result["changed"] is False
    assert sign in result["msg"]
    assert "quotas" in result["msg"]
    assert emulator.writes == []
    assert sign in run("quota_info", volume="v")["msg"]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("shape", ["link", "many_links", *SIGNS])
def test_a_list_of_one_part_is_whole_in_every_shape(run: Run, emulator: Emulator, shape: str, count: int) -> None:
    fill(emulator, count, list_shape=shape)
    assert listed(run) == [f"/a{number}" for number in range(count)]
    assert run("quota", volume="v", path="/a0", size=5)["changed"] is False


@pytest.mark.parametrize("shape", ["link", "many_links", *SIGNS])
def test_an_empty_list_is_whole_in_every_shape(run: Run, emulator: Emulator, shape: str) -> None:
    fill(emulator, 0, list_shape=shape)
    assert listed(run) == []
    assert run("quota", volume="v", path="/a0", size=5)["changed"]


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.usefixtures("volume")
def test_status_206_alone_is_a_sign(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("wrong_json", method="GET", path="quotas", status=206, value=[], times=None))
    result = run("quota", volume="v", path="/a", size=5)
    assert "its status 206" in result["msg"]
    assert emulator.writes == []


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.parametrize(
    "body",
    [
        {"results": [], "has_more": True},
        {"results": [], "cursor": "abc"},
        {"results": [], "next_cursor": "abc"},
        {"results": [], "nextPageToken": "abc"},
        {"results": [], "links": {"next": {"href": "?page=2"}}},
        {"results": [], "_links": {"next": "?page=2"}},
        {"results": [], "meta": {"next_page": 2}},
        {"results": [], "total_count": 7},
        {"results": [], "total": "7"},
    ],
)
@pytest.mark.usefixtures("volume")
def test_other_signs_in_the_body_are_errors_too(run: Run, emulator: Emulator, body: dict[str, Any]) -> None:
    emulator.inject(Fault("wrong_json", method="GET", path="quotas", value=body, times=None))
    assert run("quota", volume="v", path="/a", size=5)["failed"]
    assert emulator.writes == []


@pytest.mark.parametrize(
    ("header", "following"),
    [
        ('</api/v1/volumes?page=2>; rel="next"', "page=2"),
        ("</api/v1/volumes?page=2>;rel=next", "page=2"),
        ('<?page=2>; title="a, b"; REL="last NEXT"', "page=2"),
        ('<?page=1>; rel="first", <?page=2>; rel="next", <?page=9>; rel="last"', "page=2"),
        ('<?page=1>; title="; rel=next"; rel="first", <?page=2>; rel="next"', "page=2"),
        ('<?page=9>; rel="last"', None),
        ('<?page=2>; rel="nextish"', None),
        ('<?page=2>; title="; rel=next"; rel="first"', None),
        ("nonsense", None),
        ("", None),
    ],
)
def test_a_link_header_is_read_as_its_standard_has_it(
    run: Run, raw_server: StartServer, header: str, following: str | None
) -> None:
    def respond(request: bytes) -> bytes:
        is_first = b"?" not in request.split(b"\r\n", 1)[0]
        body = b'[{"id": %d, "name": "a"}]' % (1 if is_first else 2)
        link = b"Link: " + header.encode() + b"\r\n" if is_first else b""
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + link
        return head + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    server = raw_server(respond)
    assert len(run("volume_info", console_url=server.url)["volumes"]) == (2 if following else 1)
    second = b"GET /api/v1/volumes?" + (following or "").encode() + b" "
    assert [request.startswith(second) for request in server.received[1:]] == ([True] if following else [])
