# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Watching a list after a write: when the effect shows, and whether later looks go back to before it."""

from __future__ import annotations

from collections.abc import Callable

from ...http.clock import Clock
from ..observation import Look
from ..timing import moments, period, stale_looks

_BURST, _LONG_BURST = 4, 9
_LONGEST_STALE = 10.0


class Watch:
    """The looks at something since a moment. `look` makes one, and tells when it was made and whether the effect showed.

    At each moment there are up to `per_moment` looks: two at a list, where every other one may be stale.
    """

    def __init__(self, clock: Clock, since: float, look: Callable[[], tuple[float, bool]], per_moment: int = 1) -> None:
        self.looks: list[Look] = []
        self._clock = clock
        self._since = since
        self._look = look
        self._per_moment = per_moment

    def until_shown(self, first: float, limit: float) -> bool:
        """Look until the effect shows; return whether it did."""
        for moment in moments(first, limit):
            self._wait(moment)
            if any(self._take(moment) for _look in range(self._per_moment)):
                return True
        return False

    def until_never_stale(self) -> None:
        """Look on for a moment; where a look goes back, until none does any more."""
        moment = self.looks[-1].planned
        for _look in range(_BURST):
            self._take(moment)
        while stale_looks(self.looks) and not period(self.looks) and len(self.looks) < _LONG_BURST:
            self._take(moment)
        every = period(self.looks)
        if not every:
            return
        for later in moments(moment, _LONGEST_STALE):
            if later > moment:
                self._wait(later)
                taken = [self._take(later) for _look in range(every)]
                if all(taken):
                    return

    def _wait(self, moment: float) -> None:
        self._clock.sleep(max(0.0, self._since + moment - self._clock.elapsed()))

    def _take(self, moment: float) -> bool:
        made_at, shown = self._look()
        self.looks.append(Look(moment, max(0.0, made_at - self._since), shown))
        return shown
