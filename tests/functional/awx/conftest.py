# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the setup tells AWX to create, recorded once for all tests of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emulator import Emulator
from functional.awx.stand_in import StandIn
from functional.support.outofprocess import collections_path
from functional.support.plays import Played, run_playbook

PROJECT = {"awx_setup_project_url": "https://git.example.com/console.git"}

# Runs awx_setup on a stand-in with variables.
SetUp = Callable[..., Played]


def set_up(stand_in: StandIn, variables: dict[str, Any], *options: str, **environment: str) -> Played:
    """Run awx_setup with a stand-in for awx.awx, in an environment that has a console."""
    with Emulator() as emulator, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        paths = f"{collections_path()}{os.pathsep}{stand_in.folder}"
        patch.setattr("functional.support.outofprocess.collections_path", lambda: paths)
        return run_playbook(emulator, stand_in.folder, "managedfs.console.awx_setup", PROJECT | variables, *options)


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Return a stand-in that has recorded nothing yet."""
    stand_in = StandIn(tmp_path)
    stand_in.install()
    return stand_in


@pytest.fixture(scope="session")
def created(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """Return what a setup with nothing but the project's address has recorded."""
    stand_in = StandIn(tmp_path_factory.mktemp("awx"))
    stand_in.install()
    assert set_up(stand_in, {}).count("failed") == 0
    return stand_in
