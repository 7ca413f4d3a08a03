# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The most that a task may remove of a list: a number, or a share of what there is. Pure."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..errors import ConsoleError
from .records import format_value

_LIMIT = re.compile(r"([0-9]{1,9})(?:\.0{1,9})?\s*(%?)")
_MAX_SHOWN = 80
# To remove so few is no sign of anything, whatever their share.
_FEW = 3


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


class Removal(NamedTuple):
    """What is to go from one list: so many records of all that were read.

    `is_implied` tells that some of them go because nothing names them any more, as with `purge`.
    """

    removed: int
    total: int
    is_implied: bool = False

    @property
    def empties(self) -> bool:
        """Return whether the list is left without any record that was read, and not because each one was named."""
        return self.is_implied and 0 < self.removed == self.total

    def exceeds(self, limit: Limit | None) -> bool:
        """Return whether it must not be: a list becomes empty only by a number that allows it, or by 100%.

        A number is that many. A share is that share, and a few in any case unless it is 0%.
        """
        if limit is None or (limit.unit and self.empties):
            return self.empties and not (limit and limit.allows_all)
        if not limit.unit:
            return self.removed > limit.amount
        is_few = limit.amount > 0 and self.removed <= _FEW
        return not is_few and self.removed * 100 > limit.amount * self.total


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
