# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module desired_state_files as users call it: what its result says, and what of its options is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator
from functional.support.outofprocess import run_command

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, emulator: Emulator) -> Write:
    """Return a function that runs the module with options, and returns what Ansible prints."""

    def write(*arguments: str, **options: Any) -> str:
        module = ("-m", "managedfs.console.desired_state_files", "-a", json.dumps(options))
        return run_command(emulator, tmp_path, "ansible", "localhost", *module, *arguments)

    return write


def test_check_mode_says_that_nothing_was_written(write: Write, tmp_path: Path) -> None:
    options = {"dest": str(tmp_path / "desired"), "volumes": [{"name": "a"}]}
    predicted = write("--check", **options)
    assert f"files in {tmp_path}/desired: 1 created (check mode: nothing was written)" in predicted
    assert not (tmp_path / "desired").exists()
    assert "(check mode" not in write(**options)
    assert "(check mode" not in write("--check", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dest": " ", "volumes": []}, "dest must be the path of a folder."),
        (
            {"dest": "desired", "volumes": [], "max_removals": "most"},
            "max_removals must be a number of removals, or a share",
        ),
        (
            {"dest": "desired", "volumes": [{"name": "a", "region": float("inf")}]},
            "some volumes are invalid. item 1 ('a'): region must be a whole number, not 'inf'",
        ),
    ],
    ids=["blank folder", "limit", "infinity"],
)
def test_what_is_wrong_is_told_and_nothing_is_written(
    write: Write, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    printed = write(**options)
    assert message in printed
    assert "FAILED" in printed
    assert "Traceback" not in printed
    assert not (tmp_path / "desired").exists()
