# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the tests of roles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator import Emulator
from functional.roles.support import Project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Yield a project for an empty console. Its clock is the real one, which a process of its own needs."""
    with Emulator() as emulator:
        yield Project(tmp_path, emulator)
