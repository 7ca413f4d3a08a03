# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules export and quota: what they share, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import FakeClock, Run
from functional.support.one_volume import Console

GIB = 1 << 30


# Creation


def test_a_new_export_sends_all_five_documented_fields(console: Console) -> None:
    result = console.export(desc="web", iprange="192.168.0.1/24", readonly=True)
    body = {"desc": "web", "iprange": "192.168.0.1/24", "apionly": False, "readonly": True, "appendonly": False}
    assert console.sent == [("POST", body)]
    assert result["changed"]
    assert result["export"]["id"] == console.exports[0]["id"]
    header = "export 'web' of volume 'v'"
    assert result["msg"] == f"{header}: created"
    assert result["diff"] == {"before_header": header, "after_header": header, "before": {}, "after": body}
    assert result["export"]["token"] == "********"


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"path": "/data//a/", "size": "10GiB"}, {"path": "/data/a", "size": 10 * GIB}),
        ({"path": "/data", "inodes": 1 << 20}, {"path": "/data", "inodes": 1 << 20}),
        ({"path": "/", "size": 0, "inodes": 5}, {"path": "/", "size": 0, "inodes": 5}),
    ],
)
def test_a_new_quota_sends_what_was_given(console: Console, options: dict[str, Any], body: dict[str, Any]) -> None:
    assert console.quota(**options)["changed"]
    assert console.sent == [("POST", body)]
    assert console.quota(**options)["changed"] is False


def test_creating_an_export_needs_an_iprange(console: Console) -> None:
    result = console.export(desc="web")
    assert "creating it requires iprange" in result["msg"]
    assert console.sent == []


@pytest.mark.parametrize("check", [False, True])
def test_creating_a_quota_needs_size_or_inodes(console: Console, check: bool) -> None:
    result = console.quota(path="/a", check=check)
    assert "creating it requires size or inodes" in result["msg"]
    assert console.sent == []


def test_an_existing_quota_needs_neither(console: Console) -> None:
    console.has_quota(path="/a", size=5)
    assert console.quota(path="/a")["changed"] is False


# Refused before any request


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        ("export", {"desc": "a", "iprange": "web"}, "iprange must be a network"),
        ("export", {"desc": "a", "iprange": "10.0.0.0/33"}, "iprange must be a network"),
        ("export", {"desc": "a", "iprange": "10.0.0.0/255.0.0.0"}, "iprange must be a network"),
        ("quota", {"path": "data", "size": 1}, "path must start with /"),
        ("quota", {"path": "/a/../b", "size": 1}, "path must be a path without .."),
        ("quota", {"path": "/a", "size": "-1"}, "size must"),
        ("quota", {"path": "/a", "size": "10Gbit"}, "size must"),
        ("quota", {"path": "/a", "size": "lots"}, "size must"),
        ("quota", {"path": "/a", "inodes": -1}, "inodes must be 0 or more"),
        ("quota", {"path": "/a", "size": 1, "wait_timeout": -1}, "wait_timeout"),
        ("quota", {"size": 1}, "path or id is required"),
    ],
)
def test_refused_before_any_request(
    run: Run, emulator: Emulator, module: str, options: dict[str, Any], message: str
) -> None:
    result = run(module, volume="v", **options)
    assert message in result["msg"]
    assert emulator.requests == []


# Deletion


@pytest.mark.parametrize("route", ["404", "405", "501"])
def test_a_console_that_does_not_delete_says_so(console: Console, route: str) -> None:
    console.reset(delete_children=route)
    console.has_export(desc="web", iprange="*")
    console.has_quota(path="/a", size=1)
    assert "this console does not delete exports" in console.export(desc="web", state="absent")["msg"]
    result = console.quota(path="/a", state="absent")
    assert "this console does not delete quotas" in result["msg"]
    assert result["changed"] is False
    assert len(console.exports) == len(console.quotas) == 1


def test_delete(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    predicted = console.export(desc="web", state="absent", check=True)
    result = console.export(desc="web", state="absent")
    assert predicted["changed"] is result["changed"] is True
    assert predicted["diff"] == result["diff"]
    assert console.exports == []
    assert console.export(desc="web", state="absent")["changed"] is False


def test_a_record_that_somebody_else_deleted_meanwhile_is_gone(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    console.emulator.inject(Fault("status", method="DELETE", status=404, effect=True))
    result = console.export(desc="web", state="absent")
    assert "failed" not in result
    assert result["changed"] is False


def test_a_creation_that_lands_under_another_key_is_told(console: Console, clock: FakeClock) -> None:
    console.emulator.inject(Fault("empty", method="POST"))
    clock.on_sleep = lambda: console.exports or console.has_export(desc="WEB", iprange="*")
    result = console.export(desc="web", iprange="*", wait_timeout=5)
    assert "is not listed after 5 s. New in the list: export 'WEB'" in result["msg"]
    assert result["changed"]


@pytest.mark.parametrize("options", [{}, {"volume": "gone", "desc": "a"}, {"volume": "v", "desc": "a", "iprange": "x"}])
def test_the_record_is_in_every_failure(run: Run, options: dict[str, Any]) -> None:
    result = run("export", **options)
    assert result["failed"]
    assert result["export"] is None
