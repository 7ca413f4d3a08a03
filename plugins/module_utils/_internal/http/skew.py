# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far the console's clock is from ours, as its responses tell (docs/docsite/rst/api.rst, "Clock")."""

from __future__ import annotations

from typing import NamedTuple

from .client import Client
from .messages import readable
from .no_response import NoResponse, Outcome
from .response import Response
from .retry import maybe_refused_for_time, parse_http_date, says_refused_for_time

# The console refuses above 300 s. Below this the clock cannot be what it objects to.
MIN_SKEW = 240
# A signature can be used until its time has passed, so nobody gets one that is good for longer than this.
MAX_SKEW = 3600
MAX_ROUND_TRIP = 30


class ClockSkewCorrection(NamedTuple):
    """The console's own time, after a refusal that may be due to the time that the request was signed with.

    `seconds` is by how much the console's clock is ahead of ours, `obstacle` why no request may be signed with that time,
    blank where it may, `refusal` what the console said.
    """

    seconds: float
    obstacle: str
    refusal: str

    def explain(self, response: Response) -> str:
        """Return what is to be said of the clocks where the request was refused in the end; nothing of other responses."""
        if not maybe_refused_for_time(response.status):
            return ""
        difference = f"The console's clock is {format_skew(self.seconds)} this machine's, as its Date header tells."
        if self.obstacle:
            return f". {difference} That time was not used to sign the request again: {self.obstacle}. Synchronize the clocks."
        first = "" if self.refusal == readable(response) else f" The first refusal was: {self.refusal}."
        return f". {difference} Signed with that time, the request was refused as well.{first}"


def correction_for(result: Outcome, client: Client) -> ClockSkewCorrection | None:
    """Return the correction for a refusal that may be due to the time; None where the time signed with was right."""
    if isinstance(result, NoResponse) or not maybe_refused_for_time(result.status):
        return None
    seconds = candidate_skew(result)
    # Another request may have corrected the time meanwhile, so what counts is the one that this request was signed with.
    if seconds is None or abs(seconds - result.skew) <= MIN_SKEW:
        return None
    refusal = readable(result)
    return ClockSkewCorrection(seconds, _obstacle(seconds, refusal, result, client), refusal)


def _obstacle(seconds: float, refusal: str, response: Response, client: Client) -> str:
    """Return why a time must not be used; nothing where it may. Whoever answers could ask for signatures of the future."""
    if not says_refused_for_time(response.status, refusal):
        return f"neither the status {response.status} nor the message says that it is about the time"
    if not client.settings.validate_certs:
        return "validate_certs is false, so that anybody could have sent it"
    if client.is_unencrypted:
        return "over http anybody could have sent it"
    # A Date is in whole seconds, and was made at some moment between sending and receiving.
    if abs(seconds) > MAX_SKEW + 1 + response.took / 2:
        return "a difference of more than an hour is never corrected"
    return ""


def has_accepted_time(result: Outcome) -> bool:
    """Return whether the console accepted the time of a request; a 5xx may be a proxy's, and does not say."""
    if isinstance(result, NoResponse):
        return False
    return result.status < 500 and not maybe_refused_for_time(result.status)


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
