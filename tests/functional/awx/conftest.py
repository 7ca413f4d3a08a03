# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The stand-in for awx.awx, fresh, or after a setup."""

from __future__ import annotations

from pathlib import Path

import pytest

from functional.awx.stand_in import StandIn, set_up


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Return a stand-in that has recorded nothing yet."""
    stand_in = StandIn(tmp_path)
    stand_in.install()
    return stand_in


@pytest.fixture(scope="session")
def created(tmp_path_factory: pytest.TempPathFactory) -> StandIn:
    """Return the record of a setup with nothing but the project's address."""
    stand_in = StandIn(tmp_path_factory.mktemp("awx"))
    stand_in.install()
    assert set_up(stand_in, {}).count("failed") == 0
    return stand_in
