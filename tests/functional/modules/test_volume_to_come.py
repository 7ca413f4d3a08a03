# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Check mode, where a volume does not exist yet that an earlier task would have created."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Emulator
from functional.support.inprocess import Run

WANTED: dict[str, dict[str, Any]] = {
    "export": {"desc": "web", "iprange": "*"},
    "quota": {"path": "/a", "size": "1GiB"},
    "exports": {"exports": [{"desc": "web", "iprange": "*"}, {"desc": "old", "state": "absent"}], "purge": True},
    "quotas": {"quotas": [{"path": "/a", "size": "1GiB"}, {"path": "/b", "inodes": 5}]},
}


@pytest.mark.promise("check-mode-takes-the-volume-as-created")
@pytest.mark.parametrize("module", WANTED)
def test_what_belongs_to_it_is_predicted_as_created_with_one_warning(run: Run, emulator: Emulator, module: str) -> None:
    result = run(module, volume="to come", check=True, **WANTED[module])
    assert "failed" not in result
    assert result["changed"]
    (warning,) = result["warnings"]
    assert "Volume 'to come' does not exist yet" in warning
    assert emulator.writes == []
    emulator.add_volume(name="to come", bucket="https://b.example.com")
    real = run(module, volume="to come", **WANTED[module])
    assert real["changed"]
    assert real["diff"]["after"] == result["diff"]["after"]


@pytest.mark.parametrize("module", WANTED)
@pytest.mark.parametrize("volume", [{"volume": "gone"}, {"volume_id": 999}])
def test_it_is_an_error_outside_of_check_mode_and_by_id(run: Run, module: str, volume: dict[str, Any]) -> None:
    result = run(module, check="volume_id" in volume, **volume, **WANTED[module])
    assert result["failed"]
    assert "does not exist" in result["msg"]
