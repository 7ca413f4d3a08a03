# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Patterns of natural keys whose records are somebody else's: no task compares, changes or deletes them. Pure."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..errors import ConsoleError
from .fields import PATH
from .records import format_value
from .resources import VOLUME, Resource, is_blank

_Record = TypeVar("_Record", bound=Mapping[str, Any])


class Ignore:
    """The patterns for records of one resource, as `fnmatch.fnmatchcase` reads them."""

    def __init__(self, resource: Resource, patterns: Iterable[str] = ()) -> None:
        self._resource = resource
        self._matchers = {each: re.compile(fnmatch.translate(_normalize(resource, each))).match for each in patterns}
        self.patterns = tuple(self._matchers)

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def pattern_for(self, key: Any) -> str | None:
        """Return the pattern that a natural key matches. No key is matched as blank text."""
        text = self._text(key) if self._matchers else ""
        return next((pattern for pattern, match in self._matchers.items() if match(text)), None)

    def unmatched(self, keys: Iterable[Any]) -> str | None:
        """Return the first pattern that matches none of the natural keys, None if there is no such pattern."""
        known = list(map(self._text, keys))
        return next((pattern for pattern, match in self._matchers.items() if not any(map(match, known))), None)

    def matches(self, record: Mapping[str, Any]) -> bool:
        """Return whether a record, as the console lists it, is ignored."""
        return self.pattern_for(self._resource.key_of(record)) is not None

    def split(self, records: Iterable[_Record]) -> tuple[list[_Record], list[_Record]]:
        """Return the records that are not ignored, and those that are."""
        parts: tuple[list[_Record], list[_Record]] = ([], [])
        for record in records:
            parts[self.matches(record)].append(record)
        return parts

    def _text(self, key: Any) -> str:
        normal = self._resource.normalize_key(key)
        return "" if normal is None else str(normal)


def read_ignore(resource: Resource, given: Any, option: str = "ignore") -> Ignore:
    """Return the patterns in the list of an option; ConsoleError for one that cannot be meant."""
    patterns = [] if given is None or is_blank(given) else given
    if not isinstance(patterns, (list, tuple)):
        raise ConsoleError(f"{option} must be a list of patterns, not {format_value(given)}.")
    for pattern in patterns:
        if problem := _problem(resource, pattern):
            raise ConsoleError(f"{option}: the pattern {format_value(pattern)} {problem}.")
    return Ignore(resource, patterns)


def read_only(options: Mapping[str, Any]) -> Ignore:
    """Return the patterns of the volumes to which a task is limited; none for all of them."""
    return read_ignore(VOLUME, options.get("only"), "only")


def read_ignores(resources: Sequence[Resource], given: Any, option: str = "ignore") -> dict[str, Ignore]:
    """Return the patterns in an option by the names of lists; ConsoleError for one that cannot be meant."""
    if given is None:
        return {}
    known = {resource.plural: resource for resource in resources}
    if not isinstance(given, Mapping) or given.keys() - known.keys():
        wrong = format_value(given)
        raise ConsoleError(f"{option} must be a dictionary of patterns for {', '.join(known)}, not {wrong}.")
    return {name: read_ignore(known[name], patterns, f"{option}.{name}") for name, patterns in given.items()}


def _problem(resource: Resource, pattern: Any) -> str:
    """Return the problem with a pattern, blank for none."""
    if not isinstance(pattern, str):
        return "must be text"
    if resource.key.type is PATH and not pattern.startswith(("/", "*")):
        return f"must begin with / or *, since each {resource.key.name} begins with /"
    try:
        Ignore(resource, [pattern])
    except (ValueError, re.error) as error:
        return f"cannot be used: {error}"
    return ""


def _normalize(resource: Resource, pattern: str) -> str:
    """Return a pattern in the form of the keys that it is matched with; ValueError if it has none."""
    if resource.key.type is not PATH:
        return pattern
    normal = str(PATH.normalize(pattern))
    return normal if pattern.startswith("/") else normal[1:]
