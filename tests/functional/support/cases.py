# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The number of cases that a property test draws, and of kills."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

DERANDOMIZED = os.environ.get("SEED") != "random"
CASES = int(os.environ.get("CASES") or "200")
# With so many, every situation that the property tests are for is met many times.
MANY = 5000

KILLS = int(os.environ.get("KILLS") or "8")


def cases(share: float = 1) -> settings:
    """Return the settings of a property test that draws this many cases, or a share of them, from one console or several."""
    allowed = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=int(CASES * share), suppress_health_check=allowed)
