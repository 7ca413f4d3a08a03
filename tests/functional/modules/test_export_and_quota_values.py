# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values that the modules export and quota treat as equal, however they are written."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import Run
from functional.support.one_volume import Console

GIB = 1 << 30


@pytest.mark.parametrize(
    ("wanted", "stored"),
    [
        ("192.168.0.1/24", "192.168.0.0/24"),
        ("10.0.0.1", "10.0.0.1/32"),
        ("2001:DB8::1/64", "2001:db8::/64"),
        ("*", "*"),
    ],
)
def test_networks(console: Console, wanted: str, stored: str) -> None:
    console.reset(normalise="strip")
    console.export(desc="web", iprange=wanted)
    assert console.sent[0][1]["iprange"] == wanted
    assert console.export(desc="web", iprange=wanted)["changed"] is False
    assert console.export(desc="web", iprange=stored)["changed"] is False
    assert len(console.sent) == 1


def test_any_address_and_the_whole_of_ipv4_are_two_things(console: Console) -> None:
    console.has_export(desc="web", iprange="*")
    assert console.export(desc="web", iprange="0.0.0.0/0")["changed"]
    assert console.sent[0][1]["iprange"] == "0.0.0.0/0"


@pytest.mark.parametrize("path", ["/data/a/", "/data/a", "//data//a//", "/./data/a/."])
def test_paths(console: Console, path: str) -> None:
    console.reset(normalise="strip")
    console.has_quota(path="/data/a", size=10 * GIB)
    assert console.quota(path=path, size="10GiB")["changed"] is False


@pytest.mark.parametrize("size", ["10GiB", "10G", "10gb", "10737418240", "10240M", 10737418240])
@pytest.mark.parametrize("numbers", ["number", "string"])
def test_sizes(console: Console, size: Any, numbers: str) -> None:
    console.reset(numbers=numbers)
    console.has_quota(path="/a", size=10 * GIB)
    assert console.quota(path="/a", size=size)["changed"] is False


@pytest.mark.parametrize("numbers", ["number", "null"])
def test_no_limit(console: Console, numbers: str) -> None:
    console.reset(numbers=numbers)
    console.has_quota(path="/a", inodes=5)
    assert console.quota(path="/a", size="0")["changed"] is False
    assert console.quota(path="/a", size="1")["changed"]
    assert console.quota(path="/a", size="0")["changed"]
    assert console.sent[-1][1]["size"] == 0


@pytest.mark.usefixtures("volume")
def test_the_root_may_be_shown_as_no_text(run: Run, emulator: Emulator) -> None:
    serve_lists(emulator, "quotas$", [{"id": 1, "path": "", "size": 5}])
    assert run("quota", volume="v", path="/", size=5)["changed"] is False
    assert emulator.writes == []


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(("stored", "wanted"), [("/a b", "/a b "), ("/a ", "/a"), (" /a", "/a")])
@pytest.mark.usefixtures("volume")
def test_a_record_that_differs_only_in_white_space_is_never_touched(
    run: Run, emulator: Emulator, stored: str, wanted: str, state: str
) -> None:
    serve_lists(emulator, "quotas$", [{"id": 1, "path": stored, "size": 5}])
    result = run("quota", volume="v", path=wanted, size=5, state=state)
    assert result["failed"]
    assert "only in white space at its ends" in result["msg"]
    assert "id 1" in result["msg"]
    assert emulator.writes == []


@pytest.mark.usefixtures("volume")
def test_null_stands_for_false(run: Run, emulator: Emulator) -> None:
    record = {"id": 1, "desc": "a", "iprange": "*", "apionly": None, "readonly": None, "appendonly": None}
    emulator.inject(Fault("empty", method="POST"))
    serve_lists(emulator, "exports$", [], [record])
    assert "failed" not in run("export", volume="v", desc="a", iprange="*")
    assert run("export", volume="v", desc="a", readonly=False)["changed"] is False


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_blank_text_leaves_a_field_alone(console: Console, blank: str) -> None:
    console.has_export(desc="web", iprange="10.0.0.0/8")
    console.has_quota(path="/a", size=5)
    assert console.export(desc="web", iprange=blank)["changed"] is False
    assert console.quota(path="/a", size=blank)["changed"] is False
    assert console.sent == []
