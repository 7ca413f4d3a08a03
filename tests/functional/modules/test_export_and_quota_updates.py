# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Updates by the modules export and quota: what is sent, what only a creation sets, what moves, what is read back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"
GIB = 1 << 30


def test_an_update_sends_exactly_the_documented_fields(console: Console) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    console.has_quota(path="/a", size=5, inodes=7)
    assert console.export(desc="web", iprange="10.0.0.0/9", readonly=True)["changed"]
    assert console.quota(path="/a", size="6")["changed"]
    assert console.sent == [("PUT", {"desc": "web", "iprange": "10.0.0.0/9"}), ("PUT", {"path": "/a", "size": 6})]


@pytest.mark.parametrize("numbers", ["string", "null"])
def test_what_is_not_asked_for_is_echoed_as_the_console_shows_it(console: Console, numbers: str) -> None:
    console.reset(numbers=numbers)
    quota = console.has_quota(path="/a", inodes=7)
    assert console.quota(id=quota, path="/b")["changed"]
    assert console.sent == [("PUT", {"path": "/b", "size": None if numbers == "null" else "0"})]


def test_an_update_that_needs_what_is_not_shown_fails_before_writing(console: Console) -> None:
    console.reset(numbers="omitted")
    quota = console.has_quota(path="/a", inodes=7)
    result = console.quota(id=quota, path="/b")
    assert "cannot be changed without size" in result["msg"]
    assert "Give size in the task" in result["msg"]
    assert console.sent == []
    assert console.quota(id=quota, path="/b", size="1G")["changed"]
    assert console.sent == [("PUT", {"path": "/b", "size": GIB})]


@pytest.mark.promise("omitted-is-untouched")
def test_omitted_options_are_left_alone(console: Console) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True, apionly=True)
    console.has_quota(path="/a", size=5, inodes=7)
    assert console.export(desc="web")["changed"] is False
    assert console.quota(path="/a")["changed"] is False
    assert console.sent == []


def test_the_result_and_diff_of_an_update(console: Console) -> None:
    console.has_quota(path="/a", size=5, inodes=7)
    predicted = console.quota(path="/a", size="1K", check=True)
    assert console.sent == []
    result = console.quota(path="/a", size="1K")
    assert (result["diff"]["before"], result["diff"]["after"]) == (
        {"path": "/a", "size": 5, "inodes": 7},
        {"path": "/a", "size": "1KiB", "inodes": 7},
    )
    assert re.fullmatch(r"quota '/a' \(id [0-9]+\) of volume 'v'", result["diff"]["before_header"])
    assert result["msg"] == f"{result['diff']['after_header']}: updated"
    assert predicted["diff"] == result["diff"]
    assert predicted["quota"] == result["quota"]
    assert predicted["changed"] is result["changed"] is True


@pytest.mark.promise("create-only-fails-first")
@pytest.mark.parametrize("check", [False, True])
def test_a_create_only_difference_fails_before_writing(console: Console, check: bool) -> None:
    export = console.has_export(desc="web", iprange="10.0.0.0/8")
    console.has_quota(path="/a", size=5, inodes=7)
    result = console.export(desc="web", iprange="10.0.0.0/9", readonly=True, check=check)
    assert "readonly is false, wanted true" in result["msg"]
    assert "create_only_changes" in result["msg"]
    assert result["export"]["id"] == export
    assert result["changed"] is False
    assert "inodes is 7, wanted 8" in console.quota(path="/a", inodes=8, check=check)["msg"]
    assert console.sent == []


@pytest.mark.parametrize("put", ["any", "reset"])
def test_create_only_changes_update_is_sent_along_and_read_back(console: Console, put: str) -> None:
    console.reset(put=put)
    console.has_export(desc="web", iprange="10.0.0.0/8")
    result = console.export(desc="web", readonly=True, create_only_changes="update")
    assert result["changed"]
    assert console.sent[0] == ("PUT", {"desc": "web", "iprange": "10.0.0.0/8", "readonly": True})
    assert console.exports[0]["readonly"] is True


def test_create_only_changes_update_that_is_not_taken_fails(console: Console) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8")
    result = console.export(desc="web", readonly=True, create_only_changes="update")
    assert (
        "does not show the update that the console accepted: after 3 s, readonly is false, wanted true" in result["msg"]
    )
    assert result["changed"] is False


def test_create_only_changes_update_that_is_refused_fails(console: Console) -> None:
    console.reset(put="reject")
    console.has_quota(path="/a", size=5, inodes=7)
    result = console.quota(path="/a", size="6", inodes=8, create_only_changes="update")
    assert result["failure"]["status"] == 400
    assert result["changed"] is False
    assert console.quotas[0]["size"] == 5


@pytest.mark.promise("omitted-is-untouched")
def test_a_read_only_export_does_not_stay_writable_after_an_update(console: Console) -> None:
    console.reset(put="reset")
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    result = console.export(desc="web", iprange="10.0.0.0/9")
    assert result["changed"]
    assert console.exports[0]["readonly"] is True
    assert console.exports[0]["iprange"] == "10.0.0.0/9"
    assert [method for method, _body in console.sent] == ["PUT", "PUT"]
    assert console.sent[1][1] == {
        "desc": "web",
        "iprange": "10.0.0.0/9",
        "apionly": False,
        "readonly": True,
        "appendonly": False,
    }
    (warning,) = result["warnings"]
    assert "readonly" in warning
    assert "restored" in warning


@pytest.mark.promise("omitted-is-untouched")
def test_what_cannot_be_put_back_is_an_error_that_names_it(console: Console) -> None:
    console.reset(put="reset")
    console.has_quota(path="/a", size=5, inodes=7)
    console.emulator.inject(Fault("status", method="PUT", nth=2, times=None, status=400))
    result = console.quota(path="/a", size="6")
    assert result["failed"]
    assert result["changed"]
    assert "inodes was 7, is 0" in result["msg"]
    assert "the last request failed: PUT" in result["msg"]
    assert result["quota"]["inodes"] == 0


def test_what_does_not_hold_is_an_error_that_names_it(console: Console) -> None:
    console.has_quota(path="/a", size=5, inodes=7)
    records = [{"id": 1, "path": "/a", "size": 6, "inodes": 0}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", nth=2, times=None, value=records))
    console.emulator.inject(Fault("empty", method="PUT", times=None))
    first = [{"id": 1, "path": "/a", "size": 5, "inodes": 7}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", value=first))
    result = console.quota(path="/a", size="6")
    assert "inodes was 7, is 0" in result["msg"]
    assert result["changed"]


@pytest.mark.promise("list-settles")
def test_a_field_that_was_not_accepted_is_named(console: Console) -> None:
    console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault("empty", method="PUT"))
    result = console.quota(path="/a", size="6")
    assert "does not show the update that the console accepted: after 3 s, size is 5, wanted 6" in result["msg"]
    assert result["changed"] is False
    assert result["failure"]["method"] == "PUT"
    assert result["failure"]["status"] == 200


def test_an_update_that_shows_late_is_waited_for(console: Console) -> None:
    quota = console.has_quota(path="/a", size=5)
    console.emulator.inject(Fault("empty", method="PUT", status=202))
    stale = [{"id": quota, "path": "/a", "size": 5, "inodes": 0}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", times=3, value=stale))
    fresh = [{"id": quota, "path": "/a", "size": 6, "inodes": 0}]
    console.emulator.inject(Fault("wrong_json", method="GET", path="quotas", times=None, value=fresh))
    assert console.quota(path="/a", size="6")["changed"]


@pytest.mark.promise("unshown-is-unverified")
def test_a_field_that_is_not_shown_is_unverified(console: Console) -> None:
    console.reset(record_fields="some")
    console.has_export(desc="web", iprange="*", readonly=True)
    result = console.export(desc="web", iprange="*", readonly=False)
    assert result["changed"] is False
    assert result["unverified"] == ["readonly"]
    (warning,) = result["warnings"]
    assert "readonly" in warning
    assert "export 'web'" in warning
    created = console.export(desc="new", iprange="*", readonly=True)
    assert created["unverified"] == ["readonly"]
    assert created["changed"]


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
    serve_lists(emulator, f"{module}s$", [record], [{**record, **after}])
    emulator.inject(Fault("empty", method="PUT", times=None))
    result = run(module, volume="v", **options)
    assert "failed" not in result
    assert len(emulator.writes) == 1


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


@pytest.mark.parametrize("glitch", [Fault("html", method="GET", nth=3), Fault("empty", method="GET", nth=3)])
def test_what_a_console_reset_is_put_back_also_where_a_list_is_odd_once(
    run: Run, emulator: Emulator, glitch: Fault
) -> None:
    emulator.reset(Dialect(put="reset"))
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8", readonly=True)
    emulator.inject(glitch)
    result = run("export", volume="v", desc="web", iprange="::1")
    (export,) = emulator.exports(volume)
    assert "failed" not in result
    assert (export["iprange"], export["readonly"]) == ("::1", True)
