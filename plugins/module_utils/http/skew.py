# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far the console's clock is from ours, told by its answers (the five minutes of "Server checks")."""

from __future__ import annotations

from datetime import timezone
from email.utils import parsedate_to_datetime

from .messages import readable
from .transport import Answer, Outcome, SendError

# The specification refuses above 300 s. Below this much the clock cannot be what an answer complains of.
LEAST_SKEW = 240
LONGEST_ROUND_TRIP = 30
# Refusals that have a meaning of their own and so cannot be for the time: not found, not allowed, conflict, ….
_OTHER_REFUSALS = (404, 405, 409, 415, 422, 429)


class Correction:
    """The console's own time, which a request tries once where it may have been refused for the time (design: signing)."""

    def __init__(self) -> None:
        self._skew: float | None = None
        self._refusal = ""

    def or_else(self, skew: float) -> float:
        """The seconds to sign ahead: as corrected, or those given where nothing was."""
        return skew if self._skew is None else self._skew

    def may_help(self, result: Outcome, skew: float) -> bool:
        """Take the console's time from a refusal, once, where it is far from the one signed with."""
        if self._skew is not None or isinstance(result, SendError):
            return False
        candidate = candidate_skew(result) if may_be_refused_for_time(result.status) else None
        if candidate is None or abs(candidate - skew) <= LEAST_SKEW:
            return False
        self._skew, self._refusal = candidate, readable(result)
        return True

    def is_accepted(self, result: Outcome) -> bool:
        """Whether a request was looked at because of the correction; a 5xx may be that of a proxy and tells nothing."""
        if self._skew is None or isinstance(result, SendError):
            return False
        return result.status < 500 and not may_be_refused_for_time(result.status)

    def told_of(self, result: Answer) -> str:
        """What is to be said of a request that was refused with the corrected time too; nothing of any other."""
        if self._skew is None or not may_be_refused_for_time(result.status):
            return ""
        first = "" if self._refusal == readable(result) else f" The first refusal was: {self._refusal}."
        return (
            f". The console's clock is {told(self._skew)} this machine's, but signed with the console's time the"
            f" request was refused too, so the time is not the cause.{first}"
        )


def told(skew: float) -> str:
    """A skew in words."""
    return f"{round(abs(skew))} s {'ahead of' if skew > 0 else 'behind'}"


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
