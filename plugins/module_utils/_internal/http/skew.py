# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far the console's clock is from ours, as its responses tell (docs/docsite/rst/api.rst, "Clock")."""

from __future__ import annotations

from .client import Client
from .messages import readable
from .no_response import NoResponse, Outcome
from .response import Response
from .retry import maybe_refused_for_time, parse_http_date

# The console refuses above 300 s. Below this the clock cannot be what it objects to.
MIN_SKEW = 240
MAX_ROUND_TRIP = 30


class ClockSkewCorrection:
    """The console's own time, with which a request is signed once more that may have been refused for its time."""

    def __init__(self, seconds: float, refusal: Response) -> None:
        self.seconds = seconds
        self._refusal = readable(refusal)

    def has_helped(self, result: Outcome) -> bool:
        """Return whether the console accepted the corrected time; a 5xx may be a proxy's, and does not say."""
        if isinstance(result, NoResponse):
            return False
        return result.status < 500 and not maybe_refused_for_time(result.status)

    def explain(self, response: Response) -> str:
        """Return what is to be said of a request that was refused with the corrected time too; nothing of others."""
        if not maybe_refused_for_time(response.status):
            return ""
        first = "" if self._refusal == readable(response) else f" The first refusal was: {self._refusal}."
        return (
            f". The console's clock is {format_skew(self.seconds)} this machine's, but the request was refused with the"
            f" console's time as well, so the time is not the cause.{first}"
        )


def correction_for(result: Outcome, skew: float) -> ClockSkewCorrection | None:
    """Return the correction for a refusal that may be due to the time; None where the time signed with was right."""
    if isinstance(result, NoResponse) or not maybe_refused_for_time(result.status):
        return None
    candidate = candidate_skew(result)
    if candidate is None or abs(candidate - skew) <= MIN_SKEW:
        return None
    return ClockSkewCorrection(candidate, result)


def candidate_skew(response: Response) -> float | None:
    """Return by how many seconds the console's clock is ahead of ours, or None where the response cannot tell.

    One with `Age` comes from a cache, and one that took long says little about when it was made.
    """
    made = parse_http_date(response.headers.get("Date"))
    if made is None or "Age" in response.headers or response.took > MAX_ROUND_TRIP:
        return None
    return made - (response.sent_at + response.took / 2)


def format_skew(seconds: float) -> str:
    """Return a skew in words."""
    return f"{round(abs(seconds))} s {'ahead of' if seconds > 0 else 'behind'}"


def keep_skew(client: Client, seconds: float) -> None:
    """Use a corrected time, which the console has accepted, for the rest of the task."""
    with client.lock:
        if abs(client.skew - seconds) <= MIN_SKEW:
            return
        client.skew = seconds
    client.warn(
        f"The console's clock is {format_skew(seconds)} this machine's. Requests of this task are signed with the"
        " console's time; synchronize the clocks."
    )
