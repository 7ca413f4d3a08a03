# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes carried out together: written side by side, then all read back with one list, round after round."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from .change import Change, Deletion
from .errors import ConsoleError
from .store import Store

_SHORTEST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_LEAST_PATIENCE = 3


def carry_out(store: Store, changes: list[Change], concurrency: int) -> None:
    """Write what is due and read the list, until each change is seen to be done or has failed."""
    pause = _SHORTEST_PAUSE
    while changes:
        due = [change for change in changes if change.due]
        if due:
            _write(due, concurrency, max(store.client.settings.retries + 1, _LEAST_PATIENCE))
            pause = _SHORTEST_PAUSE
        else:
            store.client.clock.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        changes = [change for change in changes if not change.settled]
        _read_back(store, changes)
        changes = [change for change in changes if not change.settled]


def _write(changes: list[Change], concurrency: int, patience: int) -> None:
    """Send the requests, deletions last, so that whatever stops the task leaves as much as possible in place."""
    deletions: list[Change] = [change for change in changes if isinstance(change, Deletion)]
    others = [change for change in changes if not isinstance(change, Deletion)]
    for group in (others, deletions):
        silence = _Silence(patience)
        if concurrency == 1 or len(group) < 2:
            for change in group:
                silence.write(change)
        else:
            _side_by_side(silence.write, group, concurrency)
    for change in changes:
        change.expect()


def _side_by_side(write: Callable[[Change], None], changes: list[Change], concurrency: int) -> None:
    with ThreadPoolExecutor(concurrency) as pool:
        for _done in pool.map(write, changes):
            pass


def _read_back(store: Store, changes: list[Change]) -> None:
    if not changes:
        return
    try:
        records = store.read()
    except ConsoleError as error:
        for change in changes:
            change.unreadable(error)
        return
    for change in changes:
        change.look(records)


class _Silence:
    """Notices that the console no longer answers, so that thousands of changes do not each wait for it in vain."""

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._unanswered = 0

    def write(self, change: Change) -> None:
        """Send the request of a change, unless too many in a row went without an answer."""
        if self._unanswered >= self._patience:
            change.skip(f"{self._unanswered} requests in a row got no answer, or were told to wait")
            return
        change.write()
        self._unanswered = self._unanswered + 1 if change.is_unanswered else 0
