# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The limit on the records that a task may delete from a list: a number, or a share of them. Pure."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..errors import ConsoleError, Problem, list_errors
from ..model.records import format_value
from ..model.section import Section
from ..values import first_of, first_sentences

_LIMIT = re.compile(r"([0-9]{1,9})(?:\.0{1,9})?\s*(%?)")
_MAX_SHOWN = 80
# So few deletions are never suspicious, whatever their share.
_FEW = 3
_MAX_NAMES = 3


class DeletionLimit(NamedTuple):
    """A number, or a share with the unit `%`."""

    amount: int
    unit: str

    def __str__(self) -> str:
        return f"{self.amount}{self.unit}"

    @property
    def allows_all(self) -> bool:
        """Return whether no removal exceeds the limit."""
        return self == (100, "%")


class Removal(NamedTuple):
    """The number of records to be removed from one list, and the number that were read.

    `is_implied` means that some are removed only because no item names them, as with `purge`.
    """

    removed: int
    total: int
    is_implied: bool = False

    @property
    def empties(self) -> bool:
        """Return whether none of the records that were read remains, although not every one was named."""
        return self.is_implied and 0 < self.removed == self.total

    def exceeds(self, limit: DeletionLimit | None) -> bool:
        """Return whether the limit forbids the removal.

        Only a sufficient number or 100% lets a list become empty. Any share but 0% allows a few.
        """
        if limit is None or (limit.unit and self.empties):
            return self.empties and not (limit and limit.allows_all)
        if not limit.unit:
            return self.removed > limit.amount
        is_few = limit.amount > 0 and self.removed <= _FEW
        return not is_few and self.removed * 100 > limit.amount * self.total


def read_limit(option: str, value: Any, role_variable: str) -> DeletionLimit | None:
    """Return the limit that an option sets, None if it is blank; ConsoleError if it is neither a number nor a share."""
    text = "" if value is None else str(value).strip()
    if not text:
        return None
    if (found := _LIMIT.fullmatch(text)) is None or (found[2] and int(found[1]) > 100):
        raise ConsoleError(
            f"{option} must be a number, or a share from 0% to 100%, not {format_value(text[:_MAX_SHOWN])}. In the role"
            f" {role_variable.partition('_')[0]} it is the variable {role_variable}."
        )
    return DeletionLimit(int(found[1]), found[2])


def refuse_excess(root: Section, limit: DeletionLimit | None) -> None:
    """Raise ConsoleError if the plan deletes more of a list than is allowed, or nobody knows how much; it names each such list."""
    problems, advice = [], ""
    removals = [(section, _removal_of(section)) for section in root.lists]
    for section, removal in removals:
        if limit and not limit.allows_all and section.goes_with_volume and section.error:
            message = f"it is not known how much goes with the volume. If all of it may go, allow 100%. {section.error}"
        elif removal.exceeds(limit):
            # Enough for every list: a number also limits those that a share allowed.
            most = max(each.removed for _section, each in removals)
            advice = f" If that is meant, set max_deletions (in the role apply, apply_max_deletions) to {most}."
            names = first_of(map(format_value, section.deletions), _MAX_NAMES)
            emptied = ", which would leave none" if removal.empties else ""
            message = f"{removal.removed:,} of {removal.total:,} would be deleted ({names}){emptied}."
        else:
            continue
        where = {"volume": section.owner.label, "kind": section.kind} if section.owner else {}
        problems.append(Problem("max_deletions", f"{section.resource.plural}{section.of_volume}", message, where))
    if problems:
        texts = first_sentences((problem.text for problem in problems), _MAX_NAMES)
        why = f"more would be deleted than max_deletions, {limit}, allows" if limit else "purge would empty a list"
        raise ConsoleError(f"Nothing was changed: {why}. {texts}{advice}", errors=list_errors(problems))


def _removal_of(section: Section) -> Removal:
    """Return the removal from a list. What a purge leaves alone is in neither of its numbers."""
    is_implied = any(action.is_purge for action in section.actions)
    total = sum(action.current is not None for action in section.actions) if is_implied else len(section.counted)
    return Removal(len(section.deletions), total, is_implied)
