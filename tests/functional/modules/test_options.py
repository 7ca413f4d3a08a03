# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How options are read, of tasks and of items: whole numbers as templates write them."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run
from functional.support.one_volume import Console

Options = dict[str, Any]

HALF = 5368709120
MILLION = 1_000_000
BOUNDED = ("timeout", "retries", "wait_timeout")
PLACE: dict[str, Options] = {"quota": {"volume": "v", "path": "/a"}, "quotas": {"volume": "v"}, "volumes": {}}


def task_with(module: str, item: Options) -> Options:
    """Return the options of a task about one quota, as options of its own or as those of an item."""
    if module == "quota":
        return {**PLACE[module], **item}
    quotas = [{"path": "/a", **item}]
    return {**PLACE[module], **({"quotas": quotas} if module == "quotas" else {"volumes": [{"name": "v", "quotas": quotas}]})}


# A template gives a float, and with ansible-core 2.16 its text.
@pytest.mark.parametrize("form", [float, "{}.0".format, " {}.00 ".format], ids=["number", "text", "padded"])
@pytest.mark.parametrize("module", PLACE)
def test_a_whole_number_may_end_in_a_fraction_of_zero(run: Run, console: Console, module: str, form: Any) -> None:
    options = task_with(module, {"size": form(HALF), "inodes": form(MILLION)})
    assert run(module, **options)["changed"] is True
    assert [(quota["size"], quota["inodes"]) for quota in console.quotas] == [(HALF, MILLION)]
    assert run(module, **options)["changed"] is False
    identity = console.quotas[0]["id"]
    moved = task_with(module, {"id": form(identity), "path": "/b"})
    assert run(module, **moved, **{name: form(5) for name in BOUNDED})["changed"] is True
    assert [(quota["id"], quota["path"]) for quota in console.quotas] == [(identity, "/b")]


@pytest.mark.parametrize("form", [float, "{}.0".format], ids=["number", "text"])
def test_so_may_every_other_one(run: Run, emulator: Emulator, form: Any) -> None:
    assert run("volume", name="v", bucket="https://v.example.com", region=form(2), block_size=form(4096))["changed"]
    (volume,) = emulator.volumes()
    assert (volume["region"], volume["blockSize"]) == (2, 4096)
    quotas = [{"path": "/a", "size": 8192}]
    result = run("quotas", volume_id=form(volume["id"]), quotas=quotas, concurrency=form(2), max_deletions=form(1))
    assert result["created"] == ["/a"]
    (quota,) = emulator.quotas(volume["id"])
    assert run("quota_info", id=form(quota["id"]))["quotas"][0]["path"] == "/a"
    missing = run("api_request", path="volumes/7/unknown", status_code=[form(404), "200"])
    assert (missing["status"], missing["changed"]) == (404, False)
    assert run("api_request", path="volumes/7/unknown", status_code=form(404))["status"] == 404


@pytest.mark.parametrize("value", [1.5, "1.5", "0.5"], ids=repr)
@pytest.mark.parametrize("module", PLACE)
@pytest.mark.parametrize("option", ["size", "inodes", "id"])
def test_any_other_fraction_is_refused(run: Run, console: Console, module: str, option: str, value: Any) -> None:
    result = run(module, **task_with(module, {option: value}))
    assert result["failed"]
    assert option in result["msg"]
    assert console.emulator.requests == []


@pytest.mark.parametrize("value", ["0777", "0777.0", "1_000", "1_000.0"])
@pytest.mark.parametrize(("module", "option"), [("quotas", "inodes"), ("volumes", "id"), ("quota", "size")])
def test_a_number_that_may_be_meant_otherwise_is_refused(run: Run, console: Console, module: str, option: str, value: str) -> None:
    result = run(module, **task_with(module, {option: value}))
    assert f"{option} must " in result["msg"]
    assert console.emulator.requests == []
