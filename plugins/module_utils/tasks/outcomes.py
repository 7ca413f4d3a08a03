# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What tasks for one record and tasks for a list tell about outcomes alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..reconcile.history import Outcome

# The longest `wait_timeout`, in seconds: a week.
MAX_WAIT = 604_800


def warn_of(outcomes: Sequence[Outcome], subject: str, warn: Callable[[str], None]) -> list[str]:
    """Give one warning of each kind, and return the names of the fields that could not be verified."""
    unverified = list(dict.fromkeys(name for outcome in outcomes for name in outcome.unverified))
    restored = dict.fromkeys(name for outcome in outcomes for name in outcome.restored)
    if restored:
        warn(
            f"With the update of {subject}, {', '.join(restored)} changed meanwhile, by the console or by somebody else."
            " It was restored."
        )
    if unverified:
        warn(f"The console does not show {', '.join(unverified)} of {subject}, so it could not be verified.")
    return unverified
