# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How late lists are, from the looks at them after a write. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .observation import Look

# When a list is looked at after a write, in seconds. A lag is told as the first of these at which the effect showed.
_MOMENTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 300.0)
_PUNCTUAL = 0.25


class Timing(NamedTuple):
    """What looks tell: when the effect showed first, how late it was still missing, and how lists went back.

    `lag` is None where the first look came too late to tell.
    """

    lag: float | None
    missing_until: float = -1.0
    stale_every: int = 0
    stale_for: float | None = None


def moments(first: float, limit: float) -> Iterator[float]:
    """Yield when to look, from a moment on."""
    yield first
    yield from (moment for moment in _MOMENTS if first < moment <= limit)


def next_moment(elapsed: float) -> float:
    """Return the first moment after a time."""
    return next((moment for moment in _MOMENTS if moment > elapsed), _MOMENTS[-1])


def time_of(look: Look) -> float:
    """Return the planned time of a look, or its true one where the console has made it wait."""
    if look.elapsed - look.planned < _PUNCTUAL:
        return look.planned
    return math.ceil(look.elapsed * 10) / 10


def stale_looks(looks: Sequence[Look]) -> list[int]:
    """Return the places of the looks that had gone back to before the write."""
    first = next((place for place, look in enumerate(looks) if look.shown), len(looks))
    return [place for place, look in enumerate(looks) if place > first and not look.shown]


def period(looks: Sequence[Look]) -> int:
    """Return after how many looks a stale one comes again; 0 where that is not known."""
    stale = stale_looks(looks)
    return min((later - sooner for sooner, later in zip(stale, stale[1:])), default=0)


def timing(looks: Sequence[Look]) -> Timing | None:
    """Return what looks tell; None where the effect has not shown at all."""
    shown = [place for place, look in enumerate(looks) if look.shown]
    if not shown:
        return None
    first = looks[shown[0]]
    earlier = [look.elapsed for look in looks[: shown[0]] if time_of(look) < time_of(first)]
    missing = max(earlier, default=-1.0)
    lag: float | None = time_of(first)
    if missing < 0:
        # The first look showed it, or the one beside it: it was there at once, unless the looks themselves were late.
        lag = 0.0 if looks[0].elapsed < _PUNCTUAL else None
    stale = stale_looks(looks)
    if not stale:
        return Timing(lag, missing)
    fresh = [time_of(look) for look in looks[stale[-1] + 1 :] if look.planned > looks[stale[-1]].planned]
    return Timing(lag, missing, period(looks), fresh[0] if fresh else None)
