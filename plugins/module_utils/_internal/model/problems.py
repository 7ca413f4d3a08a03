# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Problems with items of a list, as messages and results show them: all of them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError
from ..texts import first_sentences

_MAX_IN_MESSAGE = 20


class Problem(NamedTuple):
    """The reason why an item is invalid or failed.

    `key` is the item's label in results, `name` its name in messages, if any; `where` tells its list if there are several.
    """

    key: str
    name: str
    message: str
    where: Mapping[str, str] = {}

    @property
    def text(self) -> str:
        """Return the name, if any, and the message."""
        return f"{self.name}: {self.message}" if self.name else self.message


def invalid_items(problems: Iterable[Problem]) -> ConsoleError:
    """Return the error for a list with invalid items: all of them, found before anything is written."""
    found = list(problems)
    listed = first_sentences((problem.text for problem in found), _MAX_IN_MESSAGE)
    return ConsoleError(f"Nothing was changed: some items are invalid. {listed}", errors=list_errors(found))


def list_errors(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return `errors` for results."""
    return [{**problem.where, "key": problem.key, "msg": problem.text} for problem in problems]
