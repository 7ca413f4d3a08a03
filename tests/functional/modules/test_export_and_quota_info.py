# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules export_info and quota_info."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator
from functional.support.inprocess import Run

BUCKET = "https://a.example.com"


@pytest.fixture
def volumes(emulator: Emulator) -> list[int]:
    """Return the ids of two volumes, each with two exports and two quotas, and of one with none."""
    ids = [emulator.add_volume(name=name, bucket=BUCKET) for name in "abc"]
    for volume in ids[:2]:
        for name in ("web", "db"):
            emulator.add_export(volume, desc=name, iprange="*")
            emulator.add_quota(volume, path=f"/{name}", size=5)
    return ids


def found(result: dict[str, Any]) -> list[tuple[int, str]]:
    """Return volume and key of each record."""
    records = result.get("exports") or result.get("quotas") or []
    return [(record["volume_id"], record.get("desc") or record["path"].strip("/")) for record in records]


@pytest.mark.parametrize("module", ["export_info", "quota_info"])
def test_of_all_volumes(run: Run, volumes: list[int], module: str) -> None:
    first, second, _third = volumes
    assert found(run(module)) == [(first, "web"), (first, "db"), (second, "web"), (second, "db")]


@pytest.mark.parametrize("module", ["export_info", "quota_info"])
def test_of_one_volume(run: Run, volumes: list[int], module: str) -> None:
    assert found(run(module, volume="a")) == [(volumes[0], "web"), (volumes[0], "db")]
    assert found(run(module, volume_id=volumes[1])) == [(volumes[1], "web"), (volumes[1], "db")]
    assert found(run(module, volume_id=volumes[2])) == []


def test_filters(run: Run, emulator: Emulator, volumes: list[int]) -> None:
    first, second, _third = volumes
    assert found(run("export_info", desc="web")) == [(first, "web"), (second, "web")]
    assert found(run("quota_info", path="/db/")) == [(first, "db"), (second, "db")]
    export = emulator.exports(second)[1]["id"]
    assert found(run("export_info", id=export)) == [(second, "db")]
    assert run("export_info", volume="a", desc="nobody")["exports"] == []
    assert run("quota_info", volume="a", path="/nobody")["quotas"] == []


@pytest.mark.parametrize("module", ["export_info", "quota_info"])
@pytest.mark.parametrize("options", [{"volume": "gone"}, {"volume_id": 999}])
def test_a_named_volume_must_be_there(run: Run, module: str, options: dict[str, Any]) -> None:
    assert "does not exist" in run(module, **options)["msg"]


@pytest.mark.parametrize("module", ["export_info", "quota_info"])
def test_volume_and_volume_id_exclude_each_other(run: Run, emulator: Emulator, module: str) -> None:
    assert "mutually exclusive" in run(module, volume="a", volume_id=1)["msg"]
    assert emulator.requests == []


@pytest.mark.parametrize("check", [False, True])
def test_records_have_documented_types_and_no_tokens(run: Run, emulator: Emulator, check: bool) -> None:
    emulator.reset(Dialect(numbers="string", list_shape="page", page_size=1))
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    emulator.add_quota(volume, path="/a", size=5, inodes=7)
    emulator.add_export(volume, desc="web", iprange="*")
    (quota,) = run("quota_info", check=check)["quotas"]
    assert (quota["size"], quota["inodes"], quota["volume_id"]) == (5, 7, volume)
    (export,) = run("export_info", check=check)["exports"]
    assert export["token"] == "********"
    assert run("export_info", include_tokens=True)["exports"][0]["token"] in emulator.tokens()
    assert emulator.writes == []


@pytest.mark.parametrize("path", ["a", "../a", "/a/../b"])
def test_filters_are_checked_before_any_request(run: Run, emulator: Emulator, path: str) -> None:
    assert "path must" in run("quota_info", path=path)["msg"]
    assert emulator.requests == []
