# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module volume_info."""

from __future__ import annotations

import pytest

from emulator import Dialect, Emulator
from functional.support.inprocess import Run

BUCKET = "https://a.example.com"


def test_no_volumes_is_no_error(run: Run) -> None:
    result = run("volume_info")
    assert result["volumes"] == []
    assert result["changed"] is False


@pytest.mark.parametrize("check", [False, True])
def test_all_volumes(run: Run, emulator: Emulator, check: bool) -> None:
    ids = [emulator.add_volume(name=name, bucket=BUCKET) for name in "ab"]
    result = run("volume_info", check=check)
    assert [volume["id"] for volume in result["volumes"]] == ids
    assert [volume["block_size"] for volume in result["volumes"]] == [4096, 4096]
    assert emulator.writes == []


def test_filters(run: Run, emulator: Emulator) -> None:
    ids = [emulator.add_volume(name=name, bucket=BUCKET) for name in "aab"]
    assert [volume["id"] for volume in run("volume_info", name="a")["volumes"]] == ids[:2]
    assert [volume["id"] for volume in run("volume_info", id=ids[2])["volumes"]] == ids[2:]
    assert [volume["id"] for volume in run("volume_info", id=ids[0], name="a")["volumes"]] == ids[:1]
    assert len(run("volume_info", name="")["volumes"]) == 3


def test_a_filter_that_matches_nothing_gives_an_empty_list(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    assert run("volume_info", name="b")["volumes"] == []
    assert run("volume_info", id=volume + 1)["volumes"] == []
    assert run("volume_info", id=volume, name="b")["volumes"] == []


@pytest.mark.parametrize("gather", [["exports", "quotas"], ["all"]])
def test_gathers_exports_and_quotas(run: Run, emulator: Emulator, gather: list[str]) -> None:
    emulator.reset(Dialect(numbers="string"))
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    emulator.add_quota(volume, path="/data", size=1 << 30, inodes=1 << 20)
    (record,) = run("volume_info", name="a", gather=gather)["volumes"]
    assert [export["desc"] for export in record["exports"]] == ["web"]
    assert [(quota["path"], quota["size"], quota["inodes"]) for quota in record["quotas"]] == [
        ("/data", 1 << 30, 1 << 20)
    ]
    assert "exports" not in run("volume_info")["volumes"][0]


def test_tokens_are_masked_unless_asked_for(run: Run, emulator: Emulator) -> None:
    volume = emulator.add_volume(name="a", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="*")
    token = emulator.exports(volume)[0]["token"]
    assert token not in str(run("volume_info", gather=["exports"]))
    (record,) = run("volume_info", gather=["exports"], include_tokens=True)["volumes"]
    assert record["access_rules"][0]["token"] == token
