# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits of nested directories: one above that of an enclosing directory is never reached. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .fields import PATH, Limit
from .plan import Action
from .records import Record, Records, format_value
from .resources import Field, Resource

_ROOT = "/"
# No directory has a longer path, and the time to look for those around one grows with its square.
_MAX_PATH = 4096


class Nested(NamedTuple):
    """A record whose limit is above that of a directory around its own, the paths of both, and the limits as users write them."""

    field: Field
    path: str
    record: Record
    outer: str
    around: Record

    @property
    def limit(self) -> Any:
        """Return the limit that is never reached."""
        return self._shown(self.record)

    @property
    def limit_around(self) -> Any:
        """Return the limit that is reached first."""
        return self._shown(self.around)

    def _shown(self, record: Record) -> Any:
        return self.field.type.to_diff(record.get(self.field.in_api))


def nested_limits(records: Records) -> Iterator[Nested]:
    """Yield the limits of a list that are above that of a directory around theirs, by field and path."""
    yield from _find(records.resource, dict(sorted(_as_planned(records, ()).items())))


def doubt_nested_limits(records: Records, actions: Sequence[Action]) -> list[Action]:
    """Return actions, with a doubt for each after which a directory has a limit above that of an enclosing one."""
    resource = records.resource
    if resource.key.type is not PATH or not any(action.changes for action in actions):
        return list(actions)
    planned = _as_planned(records, actions)
    changed = {
        resource.normalize_key(action.key): action for action in actions if action.changes and action.goal.present
    }
    doubts: dict[str, str] = {}
    for nested in _find(resource, planned):
        path = next((path for path in (nested.path, nested.outer) if path in changed), None)
        if path is not None:
            doubts.setdefault(path, _explain(resource, nested))
    return [_with_doubt(action, doubts.get(resource.normalize_key(action.key), "")) for action in actions]


def _as_planned(records: Records, actions: Iterable[Action]) -> dict[str, Record]:
    """Return the records as they will be, by their paths; those without a usable path are left out."""
    key_of, normalize = records.resource.key_of, records.resource.normalize_key
    touched = {str(action.current["id"]) for action in actions if action.current and action.changes}
    kept = [record for record in records if str(record["id"]) not in touched]
    made = [action.prediction for action in actions if action.changes]
    found = ((normalize(key_of(record)), record) for record in (*kept, *made) if record is not None)
    return {path: record for path, record in found if path is not None and len(path) <= _MAX_PATH}


def _find(resource: Resource, planned: Mapping[str, Record]) -> Iterator[Nested]:
    """Yield the records whose limit is above that of the nearest directory around theirs that has any."""
    # The nearest one that has a record, blank for none.
    parents = {path: next((outer for outer in _enclosing(path) if outer in planned), "") for path in planned}
    for field in (field for field in resource.managed if isinstance(field.type, Limit)):
        for path, parent in parents.items():
            outer = parent
            while outer and not _limit(field, planned[outer]):
                outer = parents[outer]
            if outer and _limit(field, planned[path]) > _limit(field, planned[outer]):
                yield Nested(field, path, planned[path], outer, planned[outer])


def _limit(field: Field, record: Record) -> int:
    """Return a limit as a number, 0 for none."""
    return field.type.normalize_or_none(record.get(field.in_api)) or 0


def _enclosing(path: str) -> Iterator[str]:
    """Yield the directories that enclose one, the nearest first."""
    while path not in (_ROOT, ""):
        path = path.rpartition("/")[0] or _ROOT
        yield path


def _explain(resource: Resource, nested: Nested) -> str:
    name, field = f"{resource.noun} {format_value(nested.path)}", nested.field.name
    around = f"{format_value(nested.outer)} around it, {nested.limit_around}"
    return f"The {field} of {name}, {nested.limit}, is above that of {around}."


def _with_doubt(action: Action, doubt: str) -> Action:
    return action._replace(doubts=(*action.doubts, doubt)) if doubt and action.changes else action
