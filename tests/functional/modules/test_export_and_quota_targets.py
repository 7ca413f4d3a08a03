# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which record the modules export and quota mean: by volume, id and key."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.inprocess import Run
from functional.support.one_volume import Console

BUCKET = "https://v.example.com"


@pytest.mark.parametrize("by", ["volume", "volume_id", "volume_id and blank volume"])
def test_the_volume_by_name_or_id(run: Run, console: Console, by: str) -> None:
    options: dict[str, Any] = {"volume": "v"} if by == "volume" else {"volume_id": console.volume}
    if "blank" in by:
        options["volume"] = " "
    assert run("export", desc="web", iprange="*", **options)["changed"]
    assert run("quota", path="/a", size="1G", **options)["changed"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "one of volume or volume_id is required"),
        ({"volume": ""}, "one of volume or volume_id is required"),
        ({"volume": "v", "volume_id": 1}, "volume and volume_id are mutually exclusive"),
    ],
)
@pytest.mark.parametrize("module", ["export", "quota"])
def test_one_of_volume_and_volume_id(
    run: Run, emulator: Emulator, module: str, options: dict[str, Any], message: str
) -> None:
    result = run(module, **options, **({"desc": "a"} if module == "export" else {"path": "/a"}))
    assert message in result["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("name", [{"volume": "gone"}, {"volume_id": 999}])
def test_a_volume_that_is_not_there(run: Run, console: Console, name: dict[str, Any]) -> None:
    for module, options in (("export", {"desc": "a", "iprange": "*"}), ("quota", {"path": "/a", "size": 1})):
        assert "does not exist" in run(module, **name, **options)["msg"]
        result = run(module, state="absent", **name, **options)
        assert result["changed"] is False
        assert result[module] is None
    assert console.sent == []


@pytest.mark.promise("wrong-address-is-never-ok")
def test_a_wrong_address_is_not_taken_for_a_volume_that_is_gone(run: Run, console: Console) -> None:
    result = run("export", volume_id=1, desc="a", state="absent", console_url=console.emulator.url + "/elsewhere")
    assert result["failed"]


def test_several_volumes_of_the_name(run: Run, console: Console) -> None:
    other = console.emulator.add_volume(name="v", bucket="https://v.example.com")
    for state in ("present", "absent"):
        result = run("export", volume="v", desc="a", iprange="*", state=state)
        assert f"{console.volume}, {other}" in result["msg"]
        assert "volume_id" in result["msg"]
    assert run("export", volume_id=other, desc="a", iprange="*")["changed"]


@pytest.mark.promise("ambiguity-is-refused")
@pytest.mark.parametrize("state", ["present", "absent"])
def test_several_records_of_the_key(console: Console, state: str) -> None:
    exports = [console.has_export(desc="web", iprange="*") for _number in range(2)]
    quotas = [console.has_quota(path=path, size=1) for path in ("/a", "/a/")]
    for result, ids in (
        (console.export(desc="web", state=state), exports),
        (console.quota(path="/a", state=state), quotas),
    ):
        assert f"{ids[0]}, {ids[1]}" in result["msg"]
        assert "id" in result["msg"]
    assert console.sent == []
    assert console.export(id=exports[0], desc="web", state="absent")["changed"]


def test_with_id_the_key_can_be_changed(console: Console) -> None:
    export = console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    quota = console.has_quota(path="/a", size=5, inodes=7)
    assert console.export(id=export, desc="www")["changed"]
    assert console.quota(id=quota, path="/b/")["changed"]
    assert console.sent == [("PUT", {"desc": "www", "iprange": "10.0.0.0/8"}), ("PUT", {"path": "/b", "size": 5})]
    assert console.exports[0]["readonly"] is True
    assert console.export(id=export, desc="www")["changed"] is False


@pytest.mark.parametrize("check", [False, True])
def test_a_key_that_is_taken_is_refused(console: Console, check: bool) -> None:
    taken = console.has_export(desc="taken", iprange="*")
    export = console.has_export(desc="web", iprange="*")
    result = console.export(id=export, desc="taken", check=check)
    assert f"cannot become 'taken': export 'taken' (id {taken}) exists already" in result["msg"]
    assert console.sent == []


def test_an_id_that_is_not_there(console: Console) -> None:
    assert "no export of volume 'v' has the id 999" in console.export(id=999, desc="a", iprange="*")["msg"]
    assert console.export(id=999, state="absent")["changed"] is False
    assert console.sent == []


def test_an_id_whose_key_disagrees_is_not_deleted(console: Console) -> None:
    export = console.has_export(desc="web", iprange="*")
    quota = console.has_quota(path="/a", size=1)
    assert "not the same export" in console.export(id=export, desc="other", state="absent")["msg"]
    assert "not the same quota" in console.quota(id=quota, path="/b", state="absent")["msg"]
    assert console.sent == []


@pytest.mark.parametrize("options", [{}, {"desc": ""}, {"desc": " "}])
def test_a_blank_desc_is_no_key(console: Console, options: dict[str, Any]) -> None:
    console.has_export(desc="", iprange="*")
    console.emulator.forget_requests()
    assert "desc or id is required" in console.export(iprange="*", **options)["msg"]
    assert console.emulator.requests == []


def test_exports_without_a_description_disturb_nobody(console: Console) -> None:
    console.has_export(desc="", iprange="*")
    console.has_export(desc="", iprange="*")
    assert console.export(desc="web", iprange="*")["changed"]
    assert console.export(desc="web", state="absent")["changed"]
    assert len(console.exports) == 2


@pytest.mark.parametrize("dialect", [{"ids": "missing"}, {"keys": "missing"}, {"keys": "null"}])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_records_without_id_or_key_are_no_reason_to_write(
    run: Run, emulator: Emulator, dialect: dict[str, Any], state: str
) -> None:
    emulator.reset()
    volume = emulator.add_volume(name="v", bucket="https://v.example.com")
    emulator.add_export(volume, desc="web", iprange="*")
    emulator.add_quota(volume, path="/a", size=1)
    emulator.dialect = Dialect(**dialect)
    plain = [{"id": volume, "name": "v"}]
    emulator.inject(Fault("wrong_json", path="volumes$", times=None, value=plain))
    for module, options in (("export", {"desc": "web", "iprange": "*"}), ("quota", {"path": "/a", "size": 1})):
        result = run(module, volume="v", state=state, **options)
        assert "they cannot be identified" in result["msg"]
    assert emulator.writes == []


def test_absent_by_id_and_key_is_done_the_second_time_too(run: Run, emulator: Emulator, volume: int) -> None:
    first, second = (emulator.add_export(volume, desc="a", iprange="*") for _number in range(2))
    options = {"volume": "v", "id": second, "desc": "a", "state": "absent"}
    assert run("export", **options)["changed"]
    assert run("export", **options)["changed"] is False
    assert [export["id"] for export in emulator.exports(volume)] == [first]


@pytest.mark.parametrize("identity", ["7?x", "7#x", "1/../7", "..", ".", "a b", "", "\u0661", "7/"])
def test_an_id_that_means_something_else_in_a_path_is_none(run: Run, emulator: Emulator, identity: str) -> None:
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    records = [{"id": identity, "desc": "web", "iprange": "*"}]
    emulator.inject(Fault("wrong_json", method="GET", path="exports", times=None, value=records))
    result = run("export", volume_id=volume, desc="web", state="absent")
    assert result["failed"]
    assert "without a usable id" in result["msg"]
    assert emulator.writes == []
