# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Faults that were found and mended, each by name."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils.http.skew import http_date
from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run
from functional.support.rawserver import RawServer

BUCKET = "https://v.example.com"


@pytest.fixture
def volume(emulator: Emulator) -> int:
    """A volume named v."""
    return emulator.add_volume(name="v", bucket=BUCKET)


def listed(emulator: Emulator, path: str, *answers: Any) -> None:
    """Let the list be these, one after the other, the last of them for ever."""
    for number, answer in enumerate(answers, start=1):
        times = None if number == len(answers) else 1
        emulator.inject(Fault("wrong_json", method="GET", path=path, nth=number, times=times, value=answer))


@pytest.mark.parametrize(
    ("module", "before", "after", "options"),
    [
        ("quota", {"path": "/a", "size": 5, "inodes": -1}, {"size": 6}, {"path": "/a", "size": 6}),
        ("quota", {"path": "/a", "size": "unlimited"}, {"path": "/b"}, {"id": 1, "path": "/b"}),
        ("export", {"desc": "a", "iprange": "10.0.0.0/8,::1"}, {"desc": "b"}, {"id": 1, "desc": "b"}),
        (
            "export",
            {"desc": "a", "iprange": "*", "readonly": "no"},
            {"iprange": "::1"},
            {"desc": "a", "iprange": "::1"},
        ),
    ],
)
@pytest.mark.usefixtures("volume")
def test_a_value_that_cannot_be_read_has_not_moved(
    run: Run, emulator: Emulator, module: str, before: Any, after: Any, options: dict[str, Any]
) -> None:
    record = {"id": 1, **before}
    listed(emulator, f"{module}s$", [record], [{**record, **after}])
    emulator.inject(Fault("empty", method="PUT", times=None))
    result = run(module, volume="v", **options)
    assert "failed" not in result
    assert len(emulator.writes) == 1


@pytest.mark.usefixtures("volume")
def test_a_count_that_changes_between_pages_is_read_again(run: Run, emulator: Emulator) -> None:
    def page(count: Any, following: str | None, *names: str) -> dict[str, Any]:
        return {
            "count": count,
            "next": following,
            "results": [{"id": ord(n), "desc": n, "iprange": "*"} for n in names],
        }

    listed(emulator, "exports$", page(4, "?page=2", "a", "b"), page(3, None, "d"), page(3, None, "b", "c", "d"))
    assert run("export", volume="v", desc="c", iprange="*")["changed"] is False
    assert emulator.writes == []


@pytest.mark.usefixtures("volume")
def test_a_count_that_is_text_counts(run: Run, emulator: Emulator) -> None:
    listed(emulator, "exports$", {"count": "2", "next": None, "results": [{"id": 1, "desc": "a"}]})
    assert "says it has 2 records" in run("export", volume="v", desc="b", iprange="*")["msg"]
    assert emulator.writes == []


@pytest.mark.parametrize(("stored", "wanted"), [("", "/"), ("/a b", "/a b ")])
@pytest.mark.usefixtures("volume")
def test_paths_that_a_console_trims_are_not_made_twice(run: Run, emulator: Emulator, stored: str, wanted: str) -> None:
    listed(emulator, "quotas$", [{"id": 1, "path": stored, "size": 5}])
    assert run("quota", volume="v", path=wanted, size=5)["changed"] is False
    assert emulator.writes == []


def test_an_update_that_did_its_work_is_told_as_changed_whatever_follows(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect(put="reset"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="a", iprange="*", readonly=True)
    emulator.inject(Fault("status", method="PUT", nth=2, status=400, times=None))
    emulator.inject(Fault("status", method="GET", path="exports", nth=3, status=500, times=None))
    result = run("export", volume="v", desc="a", iprange="::1")
    assert result["failed"]
    assert result["changed"]
    assert "could not be read back" in result["msg"]


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 429 No\r\nRetry-After: \xb2\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: \xb2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20012\r\n\r\n" + b'[{"name":' + b'{"a":' * 4000 + b"1" + b"}" * 4002,
    ],
)
@pytest.mark.parametrize("module", ["volume_info", "api_request"])
def test_odd_answers_end_in_a_result(run: Run, raw_server: Any, answer: bytes, module: str) -> None:
    server = raw_server(answer)
    options = {"path": "volumes"} if module == "api_request" else {}
    assert "invocation" in run(module, console_url=server.url, retries=1, **options)


@pytest.mark.parametrize("options", [{"timeout": 10**12}, {"wait_timeout": 10**30}, {"retries": 10**9}])
def test_numbers_that_no_clock_can_count(run: Run, emulator: Emulator, options: dict[str, Any]) -> None:
    assert "must be from" in run("volume", name="a", bucket=BUCKET, **options)["msg"]
    assert emulator.requests == []


def test_headers_that_break_off_are_no_answer(run: Run, raw_server: Any) -> None:
    server = raw_server(b"HTTP/1.1 200 OK\r\nContent-Type: appl")
    result = run("volume_info", console_url=server.url, retries=1)
    assert result["failure"]["status"] is None
    assert len(server.received) == 2


def test_absent_by_id_and_key_is_done_the_second_time_too(run: Run, emulator: Emulator, volume: int) -> None:
    first, second = (emulator.add_export(volume, desc="a", iprange="*") for _number in range(2))
    options = {"volume": "v", "id": second, "desc": "a", "state": "absent"}
    assert run("export", **options)["changed"]
    assert run("export", **options)["changed"] is False
    assert [export["id"] for export in emulator.exports(volume)] == [first]


@pytest.mark.usefixtures("volume")
def test_a_creation_waits_as_long_as_the_console_asks(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("status", method="POST", status=503, retry_after=20))
    assert run("export", volume="v", desc="a", iprange="*")["changed"]
    first, second = (request.time for request in emulator.writes)
    assert second - first >= 20


@pytest.mark.parametrize("status", [302, 408])
def test_a_write_of_unknown_outcome_is_told_as_changed(run: Run, emulator: Emulator, status: int) -> None:
    emulator.inject(Fault("status", method="POST", status=status, effect=True))
    result = run("api_request", method="POST", path="volumes", body={"name": "a", "bucket": BUCKET})
    assert result["failed"]
    assert result["changed"]
    assert len(emulator.volumes()) == 1


def test_slashes_in_front_of_the_path_are_signed_as_they_are_sent(run: Run, emulator: Emulator) -> None:
    assert run("volume_info", console_url=emulator.url + "//api/v1")["volumes"] == []
    assert emulator.requests[0].authenticated


@pytest.mark.parametrize("options", [{}, {"volume": "gone", "desc": "a"}, {"volume": "v", "desc": "a", "iprange": "x"}])
def test_the_record_is_in_every_failure(run: Run, options: dict[str, Any]) -> None:
    result = run("export", **options)
    assert result["failed"]
    assert result["export"] is None


@pytest.mark.parametrize("path", ["a", "../a", "/a/../b"])
def test_filters_are_checked_before_any_request(run: Run, emulator: Emulator, path: str) -> None:
    assert "path must" in run("quota_info", path=path)["msg"]
    assert emulator.requests == []


def test_an_id_is_no_extra_field(run: Run, emulator: Emulator) -> None:
    assert "must not hold id" in run("volume", name="a", extra_fields={"id": 7})["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("date", ["Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 -0000"])
def test_dates_without_a_zone_are_in_utc(date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    assert http_date(date) == http_date("Sun, 06 Nov 1994 08:49:37 GMT") == 784111777


def test_readiness_that_is_cut_off_for_ever_is_not_ready(run: Run, emulator: Emulator) -> None:
    emulator.inject(Fault("truncate", path="is_ready", times=None))
    result = run("volume", name="a", bucket=BUCKET)
    assert result["failed"]
    assert result["changed"]


@pytest.mark.usefixtures("volume")
def test_null_is_false(run: Run, emulator: Emulator) -> None:
    record = {"id": 1, "desc": "a", "iprange": "*", "apionly": None, "readonly": None, "appendonly": None}
    emulator.inject(Fault("empty", method="POST"))
    listed(emulator, "exports$", [], [record])
    assert "failed" not in run("export", volume="v", desc="a", iprange="*")
    assert run("export", volume="v", desc="a", readonly=False)["changed"] is False


def test_an_echo_of_the_request_in_an_answer_is_masked(run: Run, raw_server: Any) -> None:
    def echo(request: bytes) -> bytes:
        token = next(line for line in request.split(b"\r\n") if line.lower().startswith(b"authorization: "))[15:]
        body = b'{"you sent": "' + token + b'"}'
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    server = raw_server(echo)
    result = run("api_request", path="volumes", console_url=server.url)
    assert result["json"]["you sent"].strip("=") == "********"


def test_a_proxy_that_cannot_be_used_is_told_without_its_password(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://user:hunter2@:99999")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert "hunter2" not in str(result)


@pytest.mark.parametrize("place", [b"http://[", b"\xe9", b"http://elsewhere.invalid:port/"])
def test_a_redirect_is_told_as_one_wherever_it_leads(run: Run, raw_server: Any, place: bytes) -> None:
    server = raw_server(b"HTTP/1.1 301 X\r\nConnection: close\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n" % place)
    result = run("volume_info", console_url=server.url, retries=0)
    assert result["failure"]["status"] == 301
    assert "redirects are not followed" in result["msg"]


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch, raw_server: Any) -> Callable[[bytes], RawServer]:
    """A proxy for all requests, which answers with these bytes."""

    def start(answer: bytes) -> RawServer:
        server: RawServer = raw_server(answer)
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, server.url)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        return server

    return start


def test_a_tunnel_that_is_refused_has_sent_nothing(run: Run, proxied: Callable[[bytes], RawServer]) -> None:
    server = proxied(b"HTTP/1.1 502 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    result = run("api_request", console_url="https://console.invalid", method="POST", path="volumes", retries=1)
    assert [request.split()[0] for request in server.received] == [b"CONNECT"] * 2
    assert result["failed"]
    assert result["changed"] is False
    assert "the proxy that the environment names" in result["msg"]


# urllib3 leaves the connection of such an answer to the garbage collector, which says so.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_odd_answer_is_not_blamed_on_the_proxy(run: Run, proxied: Callable[[bytes], RawServer]) -> None:
    proxied(b"HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: 1,2\r\n\r\n[]")
    result = run("volume_info", console_url="http://console.invalid", retries=0)
    assert result["failed"]
    assert "proxy" not in result["msg"]
    gc.collect()


def test_updates_that_are_never_answered_do_not_keep_deletions_from_being_tried(
    run: Run, emulator: Emulator, volume: int
) -> None:
    emulator.add_quotas(volume, [{"path": f"/{number}", "size": 1} for number in range(5)])
    emulator.inject(Fault("reset_before", method="PUT", times=None))
    items = [{"path": f"/{number}", "size": 2} for number in range(4)]
    result = run("quotas", volume="v", quotas=items, purge=True, concurrency=1, retries=0)
    assert result["failed"]
    assert result["deleted"] == ["/4"]
    assert len([request for request in emulator.writes if request.method == "PUT"]) == 3


def test_one_update_that_is_never_answered_does_not_keep_others_from_being_tried(
    run: Run, emulator: Emulator, volume: int
) -> None:
    quotas = emulator.add_quotas(volume, [{"path": f"/{number}", "size": 1} for number in range(3)])
    emulator.inject(Fault("reset_before", method="PUT", path=f"quotas/{quotas[0]}$", times=None))
    items = [{"path": f"/{number}", "size": 2} for number in range(3)]
    result = run("quotas", volume="v", quotas=items, concurrency=1, retries=4)
    assert result["updated"] == ["/1", "/2"]
    assert [error["key"] for error in result["errors"]] == ["/0"]


@pytest.mark.parametrize("options", [{"concurrency": 0}, {"volume": "none"}, {"wait_timeout": -1}, {"volume_id": 1}])
@pytest.mark.usefixtures("volume")
def test_a_list_task_that_fails_early_has_every_key(run: Run, options: dict[str, Any]) -> None:
    result = run("quotas", **{"volume": "v", "quotas": [{"path": "/a", "size": 1}], **options})
    assert result["failed"]
    nothing = {"created": [], "updated": [], "deleted": [], "errors": [], "unchanged": 0, "changed": False}
    assert {name: result[name] for name in nothing} == nothing
