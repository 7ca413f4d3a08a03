# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The changes of a task as text: one line for each, below its volume. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from ..model.fields import FieldType
from ..model.plan import CREATE, DELETE, UPDATE
from ..model.resources import RESOURCES, VOLUME, Resource
from ..values import counted, first_of, printable, shorten
from .entries import Entry

SIGNS = {CREATE: "+", UPDATE: "~", DELETE: "-"}
_MAX_VALUE = 200
_MAX_VOLUMES = 10


def format_changes(entries: Iterable[Entry], fits: Callable[[str], bool]) -> list[str]:
    """Return a line for each change, grouped by volume, and one for those of which `fits` says that there is no room.

    `+` creates, `~` updates and `-` deletes. Text is printable, and long values are cut.
    """
    lines: list[str] = []
    left_out: dict[str, Counter[str]] = {}
    for volume, changes in groupby(entries, key=lambda entry: str(entry["volume"])):
        for line, action in _lines_of(volume, list(changes)):
            if not left_out and fits(line):
                lines.append(line)
            else:
                left_out.setdefault(volume, Counter())[action] += bool(action)
    return [*lines, f"Not shown: {_format_counts(left_out)}"] if left_out else lines


def _lines_of(volume: str, changes: list[Entry]) -> Iterator[tuple[str, str]]:
    """Yield the lines of a volume, each with the action that it shows, blank for none."""
    if changes[0]["kind"] != VOLUME.plural:
        yield f"volume {printable(volume)}", ""
    for change in changes:
        indent = "" if change["kind"] == VOLUME.plural else "  "
        yield indent + _format(change), change["action"]


def _format(change: Entry) -> str:
    resource = RESOURCES[change["kind"]]
    name = f"{SIGNS[change['action']]} {resource.noun} {printable(str(change['key']))}"
    values = ", ".join(format_fields(resource, change["action"], change["fields"]))
    return f"{name}{', with ' if 'lost' in change else ': ' if values else ''}{_format_lost(change) or values}"


def format_fields(resource: Resource, action: str, fields: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield each field that changes; of a new or deleted record, those that say more than no or none."""
    for name, value in fields.items():
        field = resource.managed_field(name)
        before, after = (_format_value(field.type, value[side]) for side in ("before", "after"))
        if action == UPDATE:
            yield f"{name} {before} → {after}"
            continue
        side = value["before" if action == DELETE else "after"]
        if side not in (None, False, 0, ""):
            yield field.phrase.format(name=name, value=_format_value(field.type, side))


def _format_lost(change: Entry) -> str:
    """Return what goes with a volume: `3 exports and 12 quotas, 2 of them ignored`."""
    lost = change.get("lost", {})
    kinds = [kind for kind in lost if kind in RESOURCES]
    parts = [f"{kind} that cannot be read" if lost[kind] is None else counted(lost[kind], kind) for kind in kinds]
    ignored = f", {lost['ignored']:,} of them ignored" if "ignored" in lost else ""
    return f"{' and '.join(parts)}{ignored}"


def _format_value(field_type: FieldType, value: Any) -> str:
    shown = field_type.to_diff(value)
    return _text(shown if isinstance(shown, str) and shown else json.dumps(shown, ensure_ascii=False))


def _text(text: str) -> str:
    return shorten(printable(text), _MAX_VALUE)


def _format_counts(left_out: Mapping[str, Counter[str]]) -> str:
    """Return how much is left out of each volume: `projects 120 +, 3 ~; archive 5 -`."""
    texts = [
        f"{_text(volume)} "
        + ", ".join(f"{counts[action]:,} {sign}" for action, sign in SIGNS.items() if counts[action])
        for volume, counts in left_out.items()
    ]
    return first_of(texts, _MAX_VOLUMES, "; ")
