# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Items that exports and quotas refuse, all of them in one message and before anything is written."""

from __future__ import annotations

import csv
import io

import pytest

from emulator import Emulator
from functional.support.inprocess import Run


@pytest.mark.parametrize("check", [False, True])
def test_all_that_is_wrong_with_a_list_is_in_one_message(
    run: Run, emulator: Emulator, volume: int, check: bool
) -> None:
    for path in ("/twice", "/twice/"):
        emulator.add_quota(volume, path=path, size=5)
    emulator.add_quota(volume, path="/fixed", size=5, inodes=7)
    items = [
        {"path": "/a", "size": 1},
        {"path": "/a/", "size": 2},
        {"path": "/twice", "size": 1},
        {"path": "/fixed", "inodes": 8},
        {"id": 999, "path": "/unknown"},
        {"path": "/empty"},
    ]
    result = run("quotas", volume="v", quotas=items, check=check)
    assert result["failed"]
    assert result["changed"] is False
    assert emulator.writes == []
    assert sorted(error["key"] for error in result["errors"]) == ["/a", "/empty", "/fixed", "/twice", "/unknown"]
    assert "item 2 ('/a/'): refers to the same record as item 1 ('/a')." in result["msg"]
    for words in (
        "twice",
        "several quotas",
        "inodes is 7, wanted 8",
        "no quota of volume 'v' has the id 999",
        "requires size or",
    ):
        assert words in result["msg"]


def test_bad_items_are_named_before_any_request(run: Run, emulator: Emulator) -> None:
    items = [{"path": "/a", "size": "lots"}, {"size": 1}, {"path": "b", "size": 1}, {"path": "/c", "size": 1}]
    result = run("quotas", volume="v", quotas=items)
    assert [error["key"] for error in result["errors"]] == ["/a", "item 2", "b"]
    assert "size must" in result["msg"]
    assert emulator.requests == []


def test_duplicates_are_named_with_the_invalid_items(run: Run, emulator: Emulator) -> None:
    items = [
        {"path": "/a", "size": 1},
        {"path": "/b", "size": "lots"},
        {"path": "/a/", "size": 2},
        {"id": 7},
        {"id": 7},
    ]
    result = run("quotas", volume="v", quotas=items)
    assert [error["key"] for error in result["errors"]] == ["/b", "/a", "id 7"]
    assert "item 3 ('/a/'): refers to the same record as item 1 ('/a')." in result["msg"]
    assert emulator.requests == []
    document = [{"name": "v", "quotas": items[:2]}, {"name": "v"}, {"name": "w", "quotas": items[3:]}]
    result = run("volumes", volumes=document)
    assert [(error["volume"], error["kind"], error["key"]) for error in result["errors"]] == [
        ("v", "quotas", "/b"),
        ("v", "volumes", "v"),
        ("w", "quotas", "id 7"),
    ]
    assert emulator.requests == []


def test_a_blank_cell_of_a_table_is_not_given(run: Run, emulator: Emulator, volume: int) -> None:
    rows = list(csv.DictReader(io.StringIO("path,size,inodes,state,id\n/a,8192,,,\n/b,,5, ,\n")))
    assert sorted(run("quotas", volume="v", quotas=rows)["created"]) == ["/a", "/b"]
    found = {quota["path"]: (quota["size"], quota["inodes"]) for quota in emulator.quotas(volume)}
    assert found == {"/a": (8192, 0), "/b": (0, 5)}
    row = {"desc": "web", "iprange": "*", "apionly": "", "readonly": "true", "appendonly": " "}
    assert run("exports", volume="v", exports=[row])["created"] == ["web"]
    item = {"name": "v", "region": "", "extra_fields": "", "exports": "", "quotas": " "}
    assert run("volumes", volumes=[item])["changed"] is False
    assert emulator.exports(volume)[0]["readonly"] is True


def test_items_with_unknown_options_and_wrong_types_are_all_named(run: Run, emulator: Emulator) -> None:
    items = [
        {"pth": "/a"},
        {"path": "/b", "inodes": "many"},
        {"path": "/c", "state": "gone", "id": "x"},
        {"path": "/d"},
    ]
    result = run("quotas", volume="v", quotas=items)
    assert [error["key"] for error in result["errors"]] == ["item 1", "/b", "/c"]
    first, second, third = [error["msg"] for error in result["errors"]]
    assert first == "item 1: there is no option pth. Supported parameters include: id, inodes, path, size, state."
    assert "inodes" in second
    assert "id" in third
    assert "state must be one of: present, absent" in third
    assert emulator.requests == []


@pytest.mark.parametrize("number", ["0777", "1_000", "010", "1e999"])
@pytest.mark.parametrize("name", ["inodes", "id"])
def test_a_number_that_may_mean_another_is_refused(run: Run, emulator: Emulator, name: str, number: str) -> None:
    result = run("quotas", volume="v", quotas=[{"path": "/a", name: number}])
    assert f"{name} must be a whole number" in result["msg"]
    assert emulator.requests == []


def test_an_item_by_id_and_one_by_key_for_the_same_record(run: Run, emulator: Emulator, volume: int) -> None:
    quota = emulator.add_quota(volume, path="/a", size=5)
    result = run("quotas", volume="v", quotas=[{"id": quota, "size": 6}, {"path": "/a", "size": 7}])
    assert "refers to the same record" in result["msg"]
    assert emulator.writes == []


def test_two_items_that_end_with_one_key(run: Run, emulator: Emulator, volume: int) -> None:
    quota = emulator.add_quota(volume, path="/a", size=5)
    result = run("quotas", volume="v", quotas=[{"id": quota, "path": "/b"}, {"path": "/b", "size": 7}])
    assert "refers to the same record" in result["msg"]
    assert emulator.writes == []
