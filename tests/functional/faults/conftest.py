# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fixtures of the tests of faults."""

from __future__ import annotations

import pytest

from emulator import Emulator

BUCKET = "https://v.example.com"


@pytest.fixture
def volume(emulator: Emulator) -> int:
    """Return the id of a volume named v with an export named web."""
    volume = emulator.add_volume(name="v", bucket=BUCKET)
    emulator.add_export(volume, desc="web", iprange="10.0.0.0/8")
    return volume
