# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Time, in one place, so that tests can bring their own."""

from __future__ import annotations

import random
import time


class Clock:
    """The machine's clock: epoch seconds, elapsed seconds, sleep, and the jitter of a pause."""

    def time(self) -> float:
        """Return the seconds since the Unix epoch."""
        return time.time()

    def elapsed(self) -> float:
        """Return the seconds since some fixed moment; never set back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait that many seconds."""
        time.sleep(seconds)

    def jitter(self) -> float:
        """Return a random factor from 0.5 to 1, so that clients that failed together do not retry together."""
        return random.uniform(0.5, 1.0)
