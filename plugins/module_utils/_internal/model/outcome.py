# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The outcome of an action. Pure."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import ConsoleError
from .plan import Action
from .records import Record


class Outcome(NamedTuple):
    """The outcome of an action.

    `record` is the last known state of the record. `changed` means that something was written or may have been, `is_seen`
    that the list has shown it. `unverified` names the fields that the console does not show, `restored` those that changed
    beyond the request and were put back, `lost` those that were not put back. After an update that succeeded, `lost` names
    the fields that are no longer shown, so that their values are unknown.
    """

    action: Action
    record: Record | None
    changed: bool
    error: ConsoleError | None = None
    unverified: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    is_seen: bool = True
    lost: tuple[str, ...] = ()
