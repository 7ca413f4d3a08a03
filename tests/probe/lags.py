# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How late lists are, and how often they go back in time: the smallest values that explain every look at once. Pure."""

from __future__ import annotations

import itertools
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from .script import MOMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .runner import Look, Observation

_PERIODS = range(2, 9)


class Lags(NamedTuple):
    """Seconds until an effect shows, by method; every nth reading goes back by some seconds (0: none does)."""

    until: dict[str, float]
    stale_every: int = 0
    stale_for: float | None = None


def explain(observations: Sequence[Observation]) -> Lags | None:
    """Return what explains the looks of these steps; None where nothing does."""
    looks: dict[str, list[Look]] = {}
    alone: dict[str, float] = {}
    for seen in observations:
        looks.setdefault(seen.step.method, []).extend(seen.looks)
        lag = next(_lags(list(seen.looks), lambda _look: False), inf)
        alone[seen.step.method] = max(lag, alone.get(seen.step.method, 0.0))
    if found := _fit(looks, 0, 0):
        return found
    # Readings at one moment differ only where some of them go back in time.
    if inf not in alone.values() and not any(len(set(moment)) > 1 for seen in observations for moment in seen.moments):
        # The lags are not always the same: the longest ones count.
        return Lags(alone)
    periods = sorted(((every, phase) for every in _PERIODS for phase in range(every)), key=lambda period: period[1] > 0)
    return next((lags for period in periods if (lags := _fit(looks, *period))), None)


def _fit(looks: dict[str, list[Look]], every: int, phase: int) -> Lags | None:
    """Return the smallest lags with which these readings, and no others, go back."""

    def is_stale(look: Look) -> bool:
        return every > 0 and look.number % every == phase

    for lags in itertools.product(*(_lags(entries, is_stale) for entries in looks.values())):
        until = dict(zip(looks, lags, strict=True))
        late = [look for method, entries in looks.items() for look in entries if look.elapsed >= until[method]]
        hidden = max((look.elapsed for look in late if not look.is_shown), default=None)
        if hidden is None:
            return Lags(until)
        shown = min((look.elapsed for look in late if look.is_shown and is_stale(look)), default=inf)
        if hidden < shown:
            return Lags(until, every, next(between(hidden, shown)))
    return None


def _lags(looks: list[Look], is_stale: Callable[[Look], bool]) -> Iterator[float]:
    """Yield the lags that agree with the readings that do not go back."""
    latest = max((look.elapsed for look in looks if not look.is_shown and not is_stale(look)), default=-1.0)
    return between(latest, min((look.elapsed for look in looks if look.is_shown), default=inf))


def between(after: float, until: float) -> Iterator[float]:
    """Yield the moments of the script after one time and until another; that itself, where there are none."""
    moments = [moment for moment in MOMENTS if after < moment <= until]
    yield from moments or ([until] if after < until else [])
