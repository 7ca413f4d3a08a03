# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""White space in keys: they are compared exactly, and what differs in it alone is never touched."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"


@pytest.mark.promise("keys-are-exact")
@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(("stored", "wanted"), [("v ", "v"), (" v", "v"), ("v\t", "v")])
def test_a_volume_that_differs_only_in_white_space_is_never_touched(
    run: Run, emulator: Emulator, stored: str, wanted: str, state: str
) -> None:
    volume = emulator.add_volume(name=stored, bucket=BUCKET)
    result = run("volume", name=wanted, bucket=BUCKET, state=state)
    assert result["failed"]
    assert result["changed"] is False
    assert "only in white space at its ends" in result["msg"]
    assert f"id {volume}" in result["msg"]
    assert emulator.writes == []


@pytest.mark.promise("keys-are-exact")
@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(("stored", "wanted"), [("web ", "web"), (" web", "web")])
def test_an_export_that_differs_only_in_white_space_is_never_touched(
    console: Console, stored: str, wanted: str, state: str
) -> None:
    export = console.has_export(desc=stored, iprange="10.0.0.0/8")
    result = console.export(desc=wanted, iprange="*", state=state)
    assert result["failed"]
    assert "only in white space at its ends" in result["msg"]
    assert f"id {export}" in result["msg"]
    assert console.sent == []


@pytest.mark.promise("keys-are-exact")
@pytest.mark.parametrize("module", ["exports", "quotas"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_list_with_such_a_key_fails_before_its_first_write(
    run: Run, console: Console, module: str, state: str
) -> None:
    ids = {"exports": console.has_export(desc="a ", iprange="*"), "quotas": console.has_quota(path="/a ", size=5)}
    items: dict[str, list[dict[str, Any]]] = {
        "exports": [{"desc": "b", "iprange": "*"}, {"desc": "a", "iprange": "*", "state": state}],
        "quotas": [{"path": "/b", "size": 5}, {"path": "/a", "size": 5, "state": state}],
    }
    result = run(module, volume="v", **{module: items[module]})
    assert result["failed"]
    assert [error["key"] for error in result["errors"]] == ["a" if module == "exports" else "/a"]
    assert f"id {ids[module]}" in result["msg"]
    assert console.sent == []


def test_a_key_that_exists_exactly_is_found_beside_one_with_white_space(console: Console) -> None:
    kept = console.has_quota(path="/a ", size=5)
    console.has_quota(path="/a", size=5)
    assert console.quota(path="/a", size=6)["changed"]
    assert console.quota(path="/a", state="absent")["changed"]
    assert [(quota["id"], quota["size"]) for quota in console.quotas] == [(kept, 5)]


@pytest.mark.parametrize("key", ["/a b", "/a/b c/d"])
def test_white_space_within_a_key_is_part_of_it(console: Console, key: str) -> None:
    console.has_quota(path=key.replace(" ", "  "), size=5)
    assert console.quota(path=key, size=5)["changed"]
    assert console.quota(path=key, size=5)["changed"] is False
    assert len(console.quotas) == 2


@pytest.mark.promise("keys-are-exact")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_no_record_is_renamed_to_one_that_differs_only_in_white_space(run: Run, console: Console, module: str) -> None:
    other = console.has_export(desc="db ", iprange="*")
    own = console.has_export(desc="web", iprange="*")
    item = {"id": own, "desc": "db"}
    result = run(module, volume="v", **(item if module == "export" else {"exports": [item]}))
    assert result["failed"]
    assert f"export 'db ' (id {other}) differs from 'db' only in white space at its ends" in result["msg"]
    assert console.sent == []


def test_a_record_gets_rid_of_its_own_white_space(console: Console) -> None:
    export = console.has_export(desc="db ", iprange="*")
    assert console.export(id=export, desc="db")["changed"]
    assert [record["desc"] for record in console.exports] == ["db"]


def test_two_records_are_not_renamed_to_names_that_differ_only_in_white_space(run: Run, console: Console) -> None:
    ids = [console.has_export(desc=desc, iprange="*") for desc in ("a", "b")]
    items = [{"id": identity, "desc": desc} for identity, desc in zip(ids, ("db", "db "), strict=True)]
    result = run("exports", volume="v", exports=items)
    assert "differs from item 1 ('db') only in white space" in result["msg"]
    assert console.sent == []


def test_a_record_with_white_space_can_be_removed_by_its_id(console: Console) -> None:
    quota = console.has_quota(path="/a ", size=5)
    assert console.quota(id=quota, state="absent")["changed"]
    assert console.quotas == []


@pytest.mark.promise("keys-are-exact")
@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_a_volume_by_name_is_not_one_with_white_space(run: Run, emulator: Emulator, module: str, state: str) -> None:
    volume = emulator.add_volume(name="v ", bucket=BUCKET)
    emulator.add_quota(volume, path="/a", size=5)
    item = {"path": "/a", "size": 6, "state": state}
    options = item if module == "quota" else {"quotas": [item]}
    result = run(module, volume="v", **options)
    assert result["failed"]
    assert "only in white space at its ends" in result["msg"]
    assert f"id {volume}" in result["msg"]
    assert emulator.writes == []
    assert run(module, volume="v ", **options)["changed"]


def test_a_console_that_trims_keys_gets_no_second_record(console: Console) -> None:
    console.reset(trim_keys=True)
    first = console.quota(path="/a ", size=5)
    assert first["failed"]
    assert first["changed"]
    assert "'/a'" in first["msg"]
    again = console.quota(path="/a ", size=5)
    assert again["failed"]
    assert "only in white space" in again["msg"]
    assert [quota["path"] for quota in console.quotas] == ["/a"]
