# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The most that a task may remove: a number, or a share of what there is. Pure."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..errors import ConsoleError
from .records import format_value

_LIMIT = re.compile(r"([0-9]{1,9})\s*(%?)")
_MAX_SHOWN = 80


class Limit(NamedTuple):
    """A number, or with the unit `%` a share."""

    amount: int
    unit: str

    def __str__(self) -> str:
        return f"{self.amount}{self.unit}"

    @property
    def allows_all(self) -> bool:
        """Return whether it is not exceeded, however many there are."""
        return self == (100, "%")

    def is_exceeded(self, removed: int, total: int) -> bool:
        """Return whether so many are more than it allows of all that there are."""
        return removed * 100 > self.amount * total if self.unit else removed > self.amount


def read_limit(option: str, value: Any, role_variable: str) -> Limit | None:
    """Return what an option means, None where it is blank; ConsoleError for anything but a number or a share."""
    text = "" if value is None else str(value).strip()
    if not text:
        return None
    found = _LIMIT.fullmatch(text)
    if found is None or (found[2] and int(found[1]) > 100):
        raise ConsoleError(
            f"{option} must be a number, or a share from 0% to 100%, not {format_value(text[:_MAX_SHOWN])}. In the role"
            f" {role_variable.partition('_')[0]} it is the variable {role_variable}."
        )
    return Limit(int(found[1]), found[2])
