# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What all responses together tell: of limits of rates, and of the clock. Pure."""

from __future__ import annotations

import re

from ...http.retry import TOO_MANY_REQUESTS, parse_http_date
from ..observation import Seen
from .finding import Finding, nothing


def rate_limit(seen: Seen) -> Finding:
    """Return after how many requests there is a response 429."""
    places = [place for place, attempt in enumerate(seen.attempts, start=1) if attempt.status == TOO_MANY_REQUESTS]
    if not places:
        return Finding(0, note=f"no response 429 among {len(seen.attempts)}")
    gaps = {later - sooner for sooner, later in zip(places, places[1:])}
    if len(gaps) == 1 and places[0] <= min(gaps):
        return Finding(gaps.pop(), note=f"{len(places)} responses 429 among {len(seen.attempts)}")
    words = f"{len(places)} of {len(seen.attempts)} requests were answered with 429"
    return nothing(f"{words}, at no fixed distance", f"{words}, one at a time and at no fixed distance.")


def retry_after(seen: Seen) -> Finding:
    """Return the form of Retry-After."""
    limited = [attempt for attempt in seen.attempts if attempt.status == TOO_MANY_REQUESTS]
    if not limited:
        return nothing("there was no response 429")
    text = limited[0].headers.get("Retry-After", "").strip()
    form = "none" if not text else "seconds" if re.fullmatch("[0-9]+", text) else "date"
    if form == "date" and parse_http_date(text) is None:
        return nothing("Retry-After is neither a number nor a date", "Retry-After is neither a number nor a date.")
    return Finding(form, note="Retry-After of the first response 429")


def clock_offset(seen: Seen) -> Finding:
    """Return by how many seconds the console's clock is ahead."""
    skews = sorted(attempt.skew for attempt in seen.attempts if attempt.skew is not None)
    if not skews:
        return nothing("responses do not tell the time")
    # A date has whole seconds only: on average, half a second is cut off.
    offset = round(skews[len(skews) // 2] + 0.5)
    return Finding(0 if abs(offset) <= 2 else offset, note="Date of the responses")
