# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Problems with items of a list, as messages and results show them: all of them, repeated ones once. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from ..errors import ConsoleError
from ..texts import first_of, first_sentences, shorten

Item = TypeVar("Item")

_MAX_IN_MESSAGE = 20
_MAX_MESSAGE = 20_000
# The most names of items that are listed, and the most equal errors with entries of their own.
_MAX_NAMES = 3
_MAX_EQUAL = 10
# The parts that differ from record to record in messages that say the same.
_OF_RECORD = re.compile(r"'[^']*'|\"[^\"]*\"|\(id [^)]*\)|(?<=/)[0-9]+|\bitem [0-9]+")
_NUMBER = re.compile(r"[0-9]+")


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
    texts = count_equal((problem.name, problem.message) for problem in found)
    listed = shorten(first_sentences(texts, _MAX_IN_MESSAGE), _MAX_MESSAGE)
    return ConsoleError(f"Nothing was changed: some items are invalid. {listed}", errors=list_errors(found))


def list_errors(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return `errors` for results: a problem that repeats often is one entry, with a count and the first names."""
    found = list(problems)
    groups = _group(found, [problem.message for problem in found])
    return [error for group in groups for error in _list_equal(group)]


def _list_equal(problems: list[Problem]) -> Iterator[dict[str, Any]]:
    """Yield the entries of `errors` for problems with equal messages, one kind after the other."""
    for kind in dict.fromkeys(problem.where.get("kind") for problem in problems):
        equal = [problem for problem in problems if problem.where.get("kind") == kind]
        first = equal[0]
        if len(equal) > _MAX_EQUAL:
            names = _format_names([problem.name or problem.key for problem in equal])
            yield {**first.where, "key": first.key, "count": len(equal), "msg": f"{names}: {first.message}"}
            continue
        for problem in equal:
            yield {**problem.where, "key": problem.key, "msg": problem.text}


def count_equal(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return texts with the names that each concerns, equal texts once."""
    found = list(texts)
    groups = _group(found, [text for _name, text in found])
    return [f"{_format_names([name for name, _text in group])}: {group[0][1]}" for group in groups]


def group_alike(texts: Iterable[str]) -> list[list[str]]:
    """Return groups of texts that differ only in names and numbers."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_NUMBER.sub("", _OF_RECORD.sub("", text)), []).append(text)
    return list(groups.values())


def _group(items: list[Item], texts: list[str]) -> list[list[Item]]:
    """Return items grouped by text. Many texts that differ only in the record that they name are one group."""
    # Thousands of texts may be equal.
    shape_of = {text: _OF_RECORD.sub("", text) for text in set(texts)}
    shapes = [shape_of[text] for text in texts]
    often = {shape for shape, count in Counter(shapes).items() if count > _MAX_EQUAL}
    groups: dict[str, list[Item]] = {}
    for item, text, shape in zip(items, texts, shapes):
        groups.setdefault(shape if shape in often else text, []).append(item)
    return list(groups.values())


def _format_names(names: list[str]) -> str:
    """Return names for a message: of several, their number and the first ones."""
    if len(names) == 1:
        return names[0]
    return f"{len(names):,} items ({first_of(names, _MAX_NAMES, '; ')})"
