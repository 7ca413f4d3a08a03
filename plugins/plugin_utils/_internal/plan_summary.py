# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan in Markdown, for the people who approve it: counts, what is in doubt, one line for each change, its checksum. Pure.

Whatever comes from a console or from files is code. There, no name mentions anybody or becomes a link.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...module_utils._internal.json_values import printable
from ...module_utils._internal.results.lines import format_changes
from ...module_utils._internal.texts import counted, first_of
from .markdown import to_block, to_code

_COLUMNS = ("created", "updated", "deleted", "unchanged", "failed", "ignored", "unmanaged")
_MAX_ENTRIES = 20
_MAX_NAMES = 5
_MAX_NAME = 200
_MAX_MESSAGE = 1_000
# The bytes that a block and its last line may take.
_AROUND_CHANGES = 250


def describe_plan(result: Mapping[str, Any], is_ahead: bool, most: int, max_lines: int) -> str:
    """Return a summary of what the module volumes did, or would do if `is_ahead`, of at most so many bytes if they suffice.

    It has no more than `max_lines` lines of changes, and says how many it leaves out.
    """
    head = [f"# {result['console']}", "", f"## {'What would be done' if is_ahead else 'What was done'}", ""]
    head += [*_failure(result), *_table(result["counts"]), *_unmanaged(result)]
    head += _entries("In doubt", result.get("doubts", []))
    tail = [*_entries("Failed", result.get("errors", [])), "", f"Plan: `{result['plan_checksum']}`", ""]
    room = most - len("\n".join([*head, *tail]).encode()) - _AROUND_CHANGES
    return "\n".join([*head, *_changes(result, _fits(room, max_lines)), *tail])


def _failure(result: Mapping[str, Any]) -> list[str]:
    """Return why the plan was refused, or not carried out to its end. Errors of records have a list of their own."""
    if not result.get("failed") or result.get("errors"):
        return []
    return [to_code(printable(result["msg"]), _MAX_MESSAGE), ""]


def _table(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    rows = [
        f"| {kind} | {' | '.join(str(of_kind[column]) for column in _COLUMNS)} |" for kind, of_kind in counts.items()
    ]
    return [f"| | {' | '.join(_COLUMNS)} |", f"|---|{'---:|' * len(_COLUMNS)}", *rows]


def _unmanaged(result: Mapping[str, Any]) -> list[str]:
    """Return a line about what no file names, and the exports among that which let any address in."""
    counts = {kind: of_kind["unmanaged"] for kind, of_kind in result["counts"].items() if of_kind["unmanaged"]}
    if not counts:
        return []
    numbers = ", ".join(counted(count, kind) for kind, count in counts.items())
    stay = "that stays as it is" if list(counts.values()) == [1] else "that stay as they are"
    exposed = result.get("unmanaged_open", [])
    names = first_of((to_code(printable(name), _MAX_NAME) for name in exposed), _MAX_NAMES)
    exports = f" Exports that let any address in: {names}." if exposed else ""
    return ["", f"No file names {numbers} {stay}.{exports}"]


def _entries(title: str, entries: list[Mapping[str, Any]]) -> list[str]:
    """Return a list of errors or doubts, each in a line."""
    if not entries:
        return []
    lines = [f"{entry['kind']}, {entry['key']}: {entry['msg']}" for entry in entries[:_MAX_ENTRIES]]
    more = [f"and {len(entries) - _MAX_ENTRIES:,} more"] if len(entries) > _MAX_ENTRIES else []
    return ["", f"### {title}", "", *to_block([*lines, *more])]


def _changes(result: Mapping[str, Any], fits: Callable[[str], bool]) -> list[str]:
    """Return a line for each change, as far as there is room."""
    lines = format_changes(result["changes"], fits)
    if missing := result.get("not_listed", {}).get("changes"):
        lines.append(f"And {missing:,} further changes that the result does not list.")
    return ["", "### Changes", "", *to_block(lines)] if lines else []


def _fits(room: int, max_lines: int) -> Callable[[str], bool]:
    left = {"bytes": room, "lines": max_lines}

    def fits(line: str) -> bool:
        left["bytes"] -= len(line.encode()) + 1
        left["lines"] -= 1
        return min(left.values()) >= 0

    return fits
