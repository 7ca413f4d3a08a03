# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with the items of a list, as messages and results tell it: all of it, and what repeats once. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import ConsoleError

_MAX_IN_MESSAGE = 20
_MAX_MESSAGE = 20_000
# So many names of items are listed, and so many equal errors stand for themselves.
_MAX_NAMES = 3
_MAX_EQUAL = 10
# What differs from record to record in messages that say the same.
_OF_RECORD = re.compile(r"'[^']*'|\"[^\"]*\"|\(id [^)]*\)|(?<=/)[0-9]+|\bitem [0-9]+")


class Problem(NamedTuple):
    """Why an item cannot be done: its key in the result, what messages call it, and what is wrong.

    `place` is what the error says beside that: which list it is, where there are several.
    """

    key: str
    name: str
    message: str
    place: Mapping[str, str] = {}


def invalid_items(problems: Iterable[Problem]) -> ConsoleError:
    """Return the error for a list with invalid items: all of them, found before anything is written."""
    found = list(problems)
    texts = count_equal((problem.name, problem.message) for problem in found)
    listed = " ".join(texts[:_MAX_IN_MESSAGE])
    if len(listed) > _MAX_MESSAGE:
        listed = f"{listed[:_MAX_MESSAGE]}..."
    more = f" And {len(texts) - _MAX_IN_MESSAGE} more." if len(texts) > _MAX_IN_MESSAGE else ""
    errors = [Failure(problem.key, problem.name, problem.message, problem.place) for problem in found]
    return ConsoleError(f"Nothing was changed: some items are invalid. {listed}{more}", errors=list_failures(errors))


class Failure(NamedTuple):
    """What an entry of `errors` tells; `message` of `name`, if there is one."""

    key: str
    name: str
    message: str
    place: Mapping[str, str] = {}


def list_failures(failures: Iterable[Failure]) -> list[dict[str, Any]]:
    """Return `errors` as results show them: what repeats often is one entry, with a count and the first keys."""
    found = list(failures)
    groups = group_texts(failure.message for failure in found)
    return [error for numbers in groups for error in _list_equal([found[number] for number in numbers])]


def _list_equal(failures: list[Failure]) -> Iterator[dict[str, Any]]:
    """Yield the entries of `errors` for failures that say the same, those of different kinds apart."""
    for kind in dict.fromkeys(failure.place.get("kind") for failure in failures):
        equal = [failure for failure in failures if failure.place.get("kind") == kind]
        first = equal[0]
        if len(equal) > _MAX_EQUAL:
            names = format_names([failure.name or failure.key for failure in equal])
            message = f"{names}: {first.message}"
            yield {**first.place, "key": first.key, "count": len(equal), "msg": message}
            continue
        for failure in equal:
            message = f"{failure.name}: {failure.message}" if failure.name else failure.message
            yield {**failure.place, "key": failure.key, "msg": message}


def count_equal(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return texts with the names that each is about, equal ones once."""
    found = list(texts)
    groups = group_texts(text for _name, text in found)
    return [f"{format_names([found[number][0] for number in numbers])}: {found[numbers[0]][1]}" for numbers in groups]


def group_texts(texts: Iterable[str]) -> list[list[int]]:
    """Return the numbers of texts that are equal; of many, also of those that differ alone in the record that they name."""
    found = list(texts)
    shapes = [_OF_RECORD.sub("", text) for text in found]
    often = {shape for shape, count in Counter(shapes).items() if count > _MAX_EQUAL}
    groups: dict[str, list[int]] = {}
    for number, (text, shape) in enumerate(zip(found, shapes)):
        groups.setdefault(shape if shape in often else text, []).append(number)
    return list(groups.values())


def format_names(names: list[str]) -> str:
    """Return names for a message: of many only the first ones, and how many they are."""
    if len(names) == 1:
        return names[0]
    more = "; ..." if len(names) > _MAX_NAMES else ""
    return f"{len(names):,} items ({'; '.join(names[:_MAX_NAMES])}{more})"
