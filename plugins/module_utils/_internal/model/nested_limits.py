# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Limits of nested directories: one above that of an enclosing directory is never reached. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .fields import PATH, Limit
from .plan import Action
from .records import Record, Records, format_value
from .resources import Field, Resource

_ROOT = "/"


class _Nested(NamedTuple):
    """Two directories, the inner one with the higher limit."""

    field: Field
    outer: str
    inner: str


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
    parents = {path: next((outer for outer in _enclosing(path) if outer in planned), "") for path in planned}
    for field in (field for field in resource.managed if isinstance(field.type, Limit)):
        for nested in _find(field, planned, parents, changed.keys()):
            path = nested.inner if nested.inner in changed else nested.outer
            doubts.setdefault(path, _explain(resource, nested, planned))
    return [_with_doubt(action, doubts.get(resource.normalize_key(action.key), "")) for action in actions]


def _as_planned(records: Records, actions: Iterable[Action]) -> dict[str, Record]:
    """Return the records as they will be, by their paths; those without a usable path are left out."""
    key_of, normalize = records.resource.key_of, records.resource.normalize_key
    touched = {str(action.current["id"]) for action in actions if action.current and action.changes}
    kept = [record for record in records if str(record["id"]) not in touched]
    made = [action.prediction for action in actions if action.changes]
    found = ((normalize(key_of(record)), record) for record in (*kept, *made) if record is not None)
    return {path: record for path, record in found if path is not None}


def _find(
    field: Field, planned: Mapping[str, Record], parents: Mapping[str, str], changed: Collection[str]
) -> Iterator[_Nested]:
    """Yield the directories whose limit is above that of the nearest enclosing one that has any, if either changes.

    `parents` maps each directory to the nearest enclosing one that is planned, blank for none.
    """
    for path, parent in parents.items():
        outer = parent
        while outer and not _limit(field, planned[outer]):
            outer = parents[outer]
        if not outer or not (path in changed or outer in changed):
            continue
        if _limit(field, planned[path]) > _limit(field, planned[outer]):
            yield _Nested(field, outer, path)


def _limit(field: Field, record: Record) -> int:
    """Return a limit as a number, 0 for none."""
    return field.type.normalize_or_none(record.get(field.in_api)) or 0


def _enclosing(path: str) -> Iterator[str]:
    """Yield the directories that enclose one, the nearest first."""
    while path not in (_ROOT, ""):
        path = path.rpartition("/")[0] or _ROOT
        yield path


def _explain(resource: Resource, nested: _Nested, planned: Mapping[str, Record]) -> str:
    inner, outer = (_shown(nested.field, planned[path]) for path in (nested.inner, nested.outer))
    name, field = f"{resource.noun} {format_value(nested.inner)}", nested.field.name
    return f"The {field} of {name}, {inner}, is above that of {format_value(nested.outer)} around it, {outer}."


def _shown(field: Field, record: Record) -> Any:
    return field.type.to_diff(record.get(field.in_api))


def _with_doubt(action: Action, doubt: str) -> Action:
    return action._replace(doubts=(*action.doubts, doubt)) if doubt and action.changes else action
