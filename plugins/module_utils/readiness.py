# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting for a record that is there but may not be usable yet."""

from __future__ import annotations

from typing import Any

from .errors import ConsoleError
from .store import Store

_SHORTEST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0


def await_ready(store: Store, identity: Any, label: str, seconds: float) -> None:
    """Ask until the record is usable, for so many seconds at most; ConsoleError where it still is not."""
    clock = store.client.clock
    until = clock.elapsed() + seconds
    pause = _SHORTEST_PAUSE
    while not store.is_ready(identity):
        if clock.elapsed() >= until:
            raise ConsoleError(
                f"{label} exists, but the console says that it is not ready after {seconds:g} s. Run the task"
                " again to wait on, or give it more time with wait_timeout."
            )
        clock.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
