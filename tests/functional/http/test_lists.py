# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists are read to their end, in pages of any kind, or it is an error.

The tables of `api/lists.py` cover how a single page is read.
"""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.api import lists
from ansible_collections.managedfs.console.plugins.module_utils._internal.http.transport import Attempt, Transport
from emulator import Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console, others, serve_lists
from functional.support.rawserver import StartServer, http_response

MIB = 2**20


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.parametrize(
    ("padding", "message", "requests"),
    [
        ("x" * MIB, "the pages of the list are larger than 4 MiB", 4),
        ([0] * 100_000, "or have more than 250,000 values", 3),
        ("", "the list does not end within 10 pages", 10),
    ],
    ids=["bytes", "values", "pages"],
)
def test_all_pages_of_a_list_have_one_limit(
    run: Run, raw_server: StartServer, monkeypatch: pytest.MonkeyPatch, padding: Any, message: str, requests: int
) -> None:
    for name, limit in {"MAX_MIB": 4, "MAX_VALUES": 250_000, "MAX_PAGES": 10}.items():
        monkeypatch.setattr(lists, name, limit)

    def respond(_request: bytes) -> bytes:
        number = len(server.received)
        page = {"results": [{"id": number, "name": f"v{number}"}], "next": f"?page={number}", "padding": padding}
        # A header that is long, but not too long, does not take long either.
        return http_response(page, "Link: " + ",".join(f"<{link}>; rel=a" for link in range(4_000)))

    server = raw_server(respond)
    assert message in run("volume_info", console_url=server.url)["msg"]
    assert len(server.received) == requests


@pytest.mark.promise("responses-are-bounded")
@pytest.mark.parametrize(("volumes", "failed"), [(3, False), (4, True)])
def test_all_lists_of_a_task_have_one_limit(
    run: Run, console: Console, monkeypatch: pytest.MonkeyPatch, volumes: int, failed: bool
) -> None:
    monkeypatch.setattr(lists, "MAX_VALUES_OF_TASK", 2_000)
    for number in range(volumes):
        volume = console.emulator.add_volume(name=f"v{number}", bucket=f"https://v{number}.example.com")
        console.emulator.add_quotas(volume, [{"path": f"/a{each}", "size": 5} for each in range(100)])
    result = run("volume_info", gather=["quotas"])
    assert result.get("failed", False) is failed
    assert ("the lists of this task have more than 2,000 values" in result.get("msg", "")) is failed
    # A second reading replaces the first one.
    monkeypatch.setattr(lists, "MAX_VALUES_OF_TASK", 800)
    assert run("quotas", volume="v0", quotas=[{"path": "/b", "size": 5}])["changed"]


def fill(console: Console, quotas: int, **dialect: Any) -> None:
    """Start over in a dialect with short pages and some quotas, /a0 and so on."""
    console.reset(**{"page_size": 2, **dialect})
    console.emulator.add_quotas(console.volume, [{"path": f"/a{number}", "size": 5} for number in range(quotas)])


def listed(run: Run) -> list[str]:
    """Return the paths in the result of quota_info."""
    return [quota["path"] for quota in run("quota_info", volume="v")["quotas"]]


PARTS: list[dict[str, Any]] = [{"list_shape": "page"}, {"list_shape": "page", "page_size": 1, "next_url": "relative"}]
PARTS += [
    {"list_shape": "page", "next_url": "wrong_scheme", "page_overlap": 1},
    {"list_shape": "link", "page_overlap": 1},
]
PARTS += [{"list_shape": "many_links", "next_url": "relative"}, {"list_shape": "page", "count": "wrong_once"}]
PARTIAL = dict.fromkeys(("total_header", "total"), "announces a length of 5") | {"range": "as its Content-Range shows"}
PARTIAL |= {"next_page": "as its next_page shows", "body_links": "as its links.next shows"}
ENDLESS: list[tuple[dict[str, str], str]] = [({"list_shape": shape}, message) for shape, message in PARTIAL.items()]
ENDLESS += [({"list_shape": "page", "count": "wrong"}, "announces")]
for broken, reason in {"other_host": "on another host", "loop": "form a loop"}.items():
    ENDLESS += [({"list_shape": shape, "next_url": broken}, reason) for shape in ("page", "link")]


def settings(value: object) -> str | None:
    """Return an id that has the settings of a dialect."""
    return ", ".join(map(str, value.values())) if isinstance(value, dict) else ""


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.parametrize("dialect", PARTS, ids=settings)
def test_a_list_in_parts_is_read_to_its_end(run: Run, console: Console, dialect: dict[str, Any]) -> None:
    fill(console, 5, **dialect)
    assert listed(run) == [f"/a{number}" for number in range(5)]
    assert all(request.authenticated for request in console.emulator.requests)
    assert console.quota(path="/a4", size=5)["changed"] is False
    assert console.quota(path="/a4", state="absent")["changed"]
    assert len(console.quotas) == 4


@pytest.mark.promise("partial-lists-are-not-taken-for-whole", "no-signature-for-other-hosts")
@pytest.mark.parametrize(("dialect", "message"), ENDLESS, ids=settings)
def test_a_list_that_cannot_be_read_to_its_end_is_an_error(
    run: Run, console: Console, dialect: dict[str, Any], message: str
) -> None:
    fill(console, 5, **dialect)
    info = run("quota_info", volume_id=console.volume)
    for result in (info, console.quota(path="/a4", size=5), console.quota(path="/a4", state="absent")):
        assert (result["failed"], result["changed"]) == (True, False)
        assert "GET /api/v1/volumes" in result["msg"]
        assert message in result["msg"]
    assert console.emulator.writes == []
    assert all(request.authenticated for request in console.emulator.requests)
    assert len(console.emulator.requests) < 20


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
@pytest.mark.parametrize("shape", ["page", "link"])
def test_a_list_that_becomes_shorter_while_it_is_read_is_read_again(run: Run, console: Console, shape: str) -> None:
    fill(console, 3, list_shape=shape)
    change = {"action": "delete", "resource": "quotas", "volume_id": console.volume, "key": "/a2"}
    console.emulator.inject(Fault("meanwhile", method="GET", path="quotas", moment="after", change=change))
    assert listed(run) == ["/a0", "/a1"]


MOVED = ["page", "link", "many_links"]


@pytest.mark.promise("partial-lists-are-not-taken-for-whole", "absent-means-the-key")
@pytest.mark.parametrize("shape", MOVED)
@pytest.mark.parametrize(
    ("module", "options", "left"),
    [
        ("quota", {"path": "/a2", "state": "absent"}, ["/a1", "/a3"]),
        ("quota", {"path": "/a2", "size": 5}, ["/a1", "/a2", "/a3"]),
        ("quotas", {"quotas": [{"path": f"/a{number}", "size": 5} for number in (1, 2, 3)]}, ["/a1", "/a2", "/a3"]),
    ],
    ids=["absent", "present", "list"],
)
def test_a_record_that_moves_to_a_page_that_was_read_is_not_missed(
    console: Console, shape: str, module: str, options: dict[str, Any], left: list[str]
) -> None:
    fill(console, 4, list_shape=shape)
    console.emulator.inject(others("delete", "quotas", console.volume, at=("GET", 1, "after"), key="/a0"))
    result = console.run(module, **options)
    assert (result.get("failed", False), result["changed"]) == (False, options.get("state") == "absent")
    assert [quota["path"] for quota in console.quotas] == left


@pytest.mark.promise("partial-lists-are-not-taken-for-whole", "absent-means-the-key")
@pytest.mark.parametrize("shape", MOVED)
def test_a_deletion_that_was_refused_is_not_taken_for_done_when_an_earlier_one_takes_effect(
    console: Console, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    fill(console, 4, list_shape=shape, vanish_after=2.0)
    refused = next(quota["id"] for quota in console.quotas if quota["path"] == "/a2")
    console.emulator.inject(Fault("status", method="DELETE", path=f"quotas/{refused}$", status=503, times=None))
    send = Transport.send
    sent: list[str] = []

    def send_slowly(self: Transport, method: str, *request: Any) -> Attempt:
        sent.append(method)
        response = send(self, method, *request)
        # The first page after the deletions is old when the second one is asked for.
        clock.now += 2.5 * (sent[-2:] == ["DELETE", "GET"])
        return response

    monkeypatch.setattr(Transport, "send", send_slowly)
    kept = [{"path": path, "size": 5} for path in ("/a1", "/a3")]
    result = console.run("quotas", quotas=kept, purge=True, max_deletions="100%", concurrency=1, retries=0)
    assert (result["failed"], result["deleted"]) == (True, ["/a0"])
    assert "HTTP 503" in result["msg"]
    assert [quota["path"] for quota in console.quotas] == ["/a1", "/a2", "/a3"]


def pages(*names: str) -> list[dict[str, Any]]:
    """Return a list in two pages that do not say how many records there are."""
    first, *rest = [{"id": ord(name), "desc": name, "iprange": "*"} for name in names]
    return [{"results": [first], "next": "?page=2"}, {"results": rest}]


@pytest.mark.promise("partial-lists-are-not-taken-for-whole")
def test_pages_that_differ_each_time_they_are_read_are_an_error(console: Console) -> None:
    serve_lists(console.emulator, "exports$", *pages("a", "b"), *pages("a", "c"), *pages("a", "b"))
    result = console.export(desc="d", iprange="*")
    assert (result["failed"], result["changed"]) == (True, False)
    assert "hold different records each time they are read" in result["msg"]
    assert [request.method for request in console.emulator.requests] == ["GET"] * 7


COUNTED = [{**page, "count": 2} for page in pages("a", "b")]
# The first reading, that which counts, and how many there are.
READINGS = {
    "with a total": (COUNTED, COUNTED, 1),
    "alike": (pages("a", "b"), pages("b", "a"), 2),
    "more": (pages("a", "b"), pages("a", "b", "c"), 2),
    "one of them gone": (pages("a", "b"), pages("a", "c"), 3),
    "less": (pages("a", "b", "c"), pages("a", "b"), 3),
}


@pytest.mark.parametrize(("first", "last", "readings"), READINGS.values(), ids=READINGS)
def test_pages_without_a_total_are_read_until_one_reading_has_all_that_the_one_before_had(
    run: Run, console: Console, first: list[dict[str, Any]], last: list[dict[str, Any]], readings: int
) -> None:
    served = [first, last, last][:readings]
    serve_lists(console.emulator, "exports$", *(page for reading in served for page in reading))
    result = run("volume_info", gather=["exports"])["volumes"][0]["exports"]
    assert [export["desc"] for export in result] == [record["desc"] for page in last for record in page["results"]]
    assert len(console.emulator.requests) == 1 + sum(map(len, served))


NEXT = {"?page=2": "page=2", "/api/v1/volumes?b=2&a=1": "a=1&b=2", "//127.0.0.1/api/v1/volumes?x=": "x="}
NEXT |= {f"?page={'a' * 5_000}": f"page={'a' * 5_000}"}


@pytest.mark.parametrize(("following", "query"), NEXT.items(), ids=["page", "sorted", "host", "long"])
def test_a_next_page_is_asked_of_our_own_origin_with_a_canonical_query(
    run: Run, emulator: Emulator, following: str, query: str
) -> None:
    first = {"results": [{"id": 1, "name": "a"}], "next": following}
    last = {"results": [{"id": 2, "name": "b"}], "next": None}
    serve_lists(emulator, "volumes$", first, last, first, last)
    assert [volume["name"] for volume in run("volume_info")["volumes"]] == ["a", "b"]
    assert emulator.requests[1].query == query


def test_a_link_that_nobody_can_follow_is_an_error(run: Run, emulator: Emulator) -> None:
    reasons: dict[Any, str] = {7: "is not text", "ä" * 5_000: "too long"}
    reasons |= dict.fromkeys(("ftp://127.0.0.1/", "https:///nowhere"), "is on another host")
    reasons |= dict.fromkeys(("http://[::1", f"http://{'ä.' * 127}"), "is not a valid URL")
    for following, why in reasons.items():
        emulator.clear_faults()
        serve_lists(emulator, "volumes$", {"results": [], "next": following})
        assert why in run("volume_info")["msg"]


@pytest.mark.parametrize(("records", "requests"), [([{"id": 1, "name": "a"}], 12), ([], 11)], ids=["one", "none"])
def test_pages_without_new_records_have_an_end(
    run: Run, emulator: Emulator, records: list[dict[str, Any]], requests: int
) -> None:
    serve_lists(emulator, "volumes$", *({"results": records, "next": f"?page={number}"} for number in range(30)))
    assert "without a new record" in run("volume_info")["msg"]
    assert len(emulator.requests) == requests


@pytest.mark.parametrize(("nth", "status", "requests"), [(1, 404, 1), (2, 403, 2), (2, 404, 4)])
def test_only_a_later_page_that_is_missing_has_the_list_read_again(
    run: Run, console: Console, nth: int, status: int, requests: int
) -> None:
    fill(console, 3, list_shape="page", count="right")
    console.emulator.inject(Fault("status", method="GET", path="quotas", nth=nth, status=status))
    result = run("quota_info", volume_id=console.volume)
    assert result.get("failed", False) is (requests < 4)
    listings = [request for request in console.emulator.requests if request.path.endswith("quotas")]
    assert len(listings) == requests


@pytest.mark.promise("responses-are-bounded")
def test_a_link_header_without_end_takes_little_memory(run: Run, raw_server: StartServer) -> None:
    server = raw_server(http_response([], *[f'Link: <x>; rel=next; a="{"b" * 65_000}'] * 60))
    tracemalloc.start()
    result = run("volume_info", console_url=server.url)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "the list is incomplete, as its Link header shows" in result["msg"]
    assert peak < 64 * MIB
