# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting for a record that is there but may not be usable yet."""

from __future__ import annotations

from typing import Any

from .errors import ConsoleError
from .model.records import Record
from .store import Store

_SHORTEST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0


def await_ready(store: Store, identity: Any, label: str, seconds: float) -> Record | None:
    """Ask until the record is usable, for so many seconds at most; ConsoleError where it still is not, or is gone.

    A console that does not have the question has its records ready at once; one that has answered it has it. Gives the
    record as it is in the end, or None where there was nothing to wait for.
    """
    clock = store.client.clock
    until = clock.elapsed() + seconds
    pause = _SHORTEST_PAUSE
    ready = store.is_ready(identity)
    if ready is not False:
        return None
    while ready is not True:
        if clock.elapsed() >= until:
            _still_there(store, identity, label)
            raise ConsoleError(
                f"{label} exists, but the console says that it is not ready after {seconds:g} s. Run the task"
                " again to wait on, or give it more time with wait_timeout."
            )
        clock.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
        ready = store.is_ready(identity)
        if ready is None:
            _still_there(store, identity, label)
    return _still_there(store, identity, label)


def _still_there(store: Store, identity: Any, label: str) -> Record:
    record = store.read().of_id(identity)
    if record is None:
        raise ConsoleError(f"{label} is no longer listed: it went while it was waited for.")
    return record
