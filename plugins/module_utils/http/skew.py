# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far the console's clock is from ours, told by its answers (the five minutes of "Server checks")."""

from __future__ import annotations

from datetime import timezone
from email.utils import parsedate_to_datetime

from .transport import Answer

# The specification refuses above 300 s. Below this much the clock cannot be what an answer complains of.
LEAST_SKEW = 240
LONGEST_ROUND_TRIP = 30
# Refusals that have a meaning of their own and so cannot be for the time: not found, not allowed, conflict, ….
_OTHER_REFUSALS = (404, 405, 409, 415, 422, 429)


def candidate_skew(answer: Answer) -> float | None:
    """Seconds by which the console's clock is ahead of ours, or None where the answer cannot tell.

    An answer with `Age` comes from a cache, one that took long says little of when it was made.
    """
    made = http_date(answer.headers.get("Date"))
    if made is None or "Age" in answer.headers or answer.took > LONGEST_ROUND_TRIP:
        return None
    return made - (answer.sent + answer.took / 2)


def may_be_refused_for_time(status: int) -> bool:
    """Whether a status can mean that the timestamp was not accepted."""
    return 400 <= status < 500 and status not in _OTHER_REFUSALS


def http_date(text: str | None) -> float | None:
    """Epoch seconds of an HTTP date, None for anything else."""
    try:
        made = parsedate_to_datetime(text or "")
        # HTTP dates are in UTC, also in the old forms that do not say so.
        return (made if made.tzinfo else made.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
