# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The console of tests that start Ansible."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emulator import Emulator


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    """Yield a console in real time: a process of its own does not share the clock that other tests advance by hours."""
    with Emulator() as emulator:
        yield emulator
