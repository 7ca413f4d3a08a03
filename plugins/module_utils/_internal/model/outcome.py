# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What becomes of an action. Pure."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import ConsoleError
from .plan import Action
from .records import Record


class Outcome(NamedTuple):
    """What became of an action.

    `record` is the last that is known of it, `changed` whether anything was written or may have been, `is_seen` whether
    the list has shown that, `unverified` the names of fields that the console does not show, `restored` those that
    changed beyond the request and were put back, `lost` those that were not; of an update that succeeded, those that are
    no longer shown, so that nobody knows.
    """

    action: Action
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_seen: bool = True
    lost: tuple[str, ...] = ()
