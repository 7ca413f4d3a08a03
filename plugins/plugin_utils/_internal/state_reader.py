# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""State files read: one file or a whole folder becomes one list of items for `volumes`, and every mistake is named."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.field_types import INTEGER
from ...module_utils._internal.model.records import format_value
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME
from ...module_utils._internal.tasks.items import read_tree
from .regular_files import UnfitFileError, read_file
from .strict_yaml import parse_yaml

_SUFFIXES = (".yml", ".yaml")
_TEXT_OPTIONS = {
    field.name for resource in (VOLUME, *LISTS_OF_VOLUME) for field in resource.managed if field.type.option == "str"
}
_KINDS = ((str, "text"), (bool, "true or false"), ((int, float), "a number"), (list, "a list"))
_MAX_IN_MESSAGE = 20
_MAX_MESSAGE = 300
# As a line break is shown by repr() and by format_value().
_LINE_BREAK = re.compile(r"\n|\r|\\n|\\r|\ufffd")


class _Entry(NamedTuple):
    """An item, and where it is for messages."""

    item: dict[str, Any]
    place: str


def read_state(source: Path, shown: str, decrypt: Callable[[bytes], bytes]) -> list[dict[str, Any]]:
    """Return the items of all state files at a path; ConsoleError with all mistakes in them.

    `shown` is what messages call the path, `decrypt` returns the content of a file as it is before encryption.
    """
    entries: list[_Entry] = []
    problems: list[str] = []
    # A link that the user names is followed; those in the folder that it leads to must stay there.
    source = Path(os.path.realpath(source))
    folder = source if source.is_dir() else source.parent

    def read(path: Path) -> bytes:
        return decrypt(read_file(path, folder))

    for path, name in _find_files(source, shown):
        try:
            entries += _to_entries(_parse(path, name, read), name)
        except _Mistakes as error:
            problems += error.problems
    problems = problems or list(_duplicates(entries))
    if problems:
        more = f" And {len(problems) - _MAX_IN_MESSAGE} more." if len(problems) > _MAX_IN_MESSAGE else ""
        raise ConsoleError(" ".join(problems[:_MAX_IN_MESSAGE]) + more)
    return [entry.item for entry in entries]


class _Mistakes(Exception):
    """What is wrong with one file."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


def _find_files(source: Path, shown: str) -> list[tuple[Path, str]]:
    """Return the state files at a path, each with its name for messages; ConsoleError where there are none."""
    if not source.exists():
        raise ConsoleError(f"{shown}: there is no such file or folder. It was looked for at {source}.")
    if not source.is_dir():
        return [(source, shown)]
    found = []
    for folder, folders, files in os.walk(source, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(_SUFFIXES) and not name.startswith("."):
                path = Path(folder) / name
                found.append((path, str(Path(shown) / path.relative_to(source))))
    if not found:
        raise ConsoleError(f"{shown}: there is no file in this folder whose name ends in .yml or .yaml.")
    return found


def _refuse(error: OSError) -> None:
    raise ConsoleError(f"{error.filename}: the folder cannot be read: {error.strerror}.")


def _to_entries(value: Any, name: str) -> list[_Entry]:
    """Return the items of one file from its YAML value; _Mistakes for what is wrong with it."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    entries = [_Entry(item, f"{name}, item {n}" if items is value else name) for n, item in enumerate(items, 1)]
    # What does not look like a volume may be another file, such as one of secrets. None of it is repeated.
    strange = [f"{entry.place}: {_why_no_volume(entry.item)}" for entry in entries if _why_no_volume(entry.item)]
    if strange:
        raise _Mistakes(*strange)
    problems = read_tree(items).problems
    if problems:
        raise _Mistakes(*(f"{name}: {_brief(_within(problem.name, value) + problem.message)}" for problem in problems))
    for entry in entries:
        try:
            _identity(entry)
        except ValueError as error:
            raise _Mistakes(f"{entry.place}: {_brief(f'id {error}')}.") from None
    return entries


def _why_no_volume(item: Any) -> str:
    """Return why something cannot be meant to describe a volume; nothing if it can."""
    if not isinstance(item, dict):
        kind = next((words for types, words in _KINDS if isinstance(item, types)), "nothing")
        return f"a volume must be a dictionary of options, not {kind}."
    return "" if {"name", "id"} & item.keys() else "name or id is required, to identify the volume."


def _brief(message: str) -> str:
    """Return a message that repeats no more than a line of a file, however the line break is shown."""
    line = _LINE_BREAK.split(message, maxsplit=1)[0][:_MAX_MESSAGE]
    return message if line == message else f"{line}…"


def _within(place: str, value: Any) -> str:
    """Return the place of a mistake in a file: a file that holds one volume has no first item."""
    if isinstance(value, list):
        return f"{place}: "
    _item, comma, below = place.partition(", ")
    return f"{below}: " if comma else ""


def _parse(path: Path, name: str, read: Callable[[Path], bytes]) -> Any:
    """Return the YAML value of a file, None where it holds comments only; _Mistakes where it cannot be read."""
    try:
        content = read(path)
        if not content.strip():
            raise _Mistakes(f"{name}: the file is empty. One that describes no volume must say so in a comment.")
        return parse_yaml(content.decode("utf-8-sig"), _TEXT_OPTIONS)
    except UnfitFileError as error:
        raise _Mistakes(f"{name}: {error.strerror}.") from None
    except OSError as error:
        raise _Mistakes(f"{name}: it cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _Mistakes(f"{name}, line {line}: the file is not UTF-8 text.") from None
    except ConsoleError as error:
        separator = ", " if str(error).startswith("line ") else ": "
        raise _Mistakes(f"{name}{separator}{_brief(str(error))}") from None


def _duplicates(entries: list[_Entry]) -> Iterator[str]:
    """Yield the mistake for each volume that is described twice; doubled names are fine where each has an id of its own."""
    by_id: dict[Any, _Entry] = {}
    by_name: dict[Any, list[_Entry]] = {}
    for entry in entries:
        identity, name = _identity(entry), VOLUME.normalize_key(entry.item.get("name"))
        namesakes = by_name.setdefault(name, [])
        same = [other for other in namesakes if None in (identity, _identity(other))]
        if identity is not None and by_id.setdefault(identity, entry) is not entry:
            same.append(by_id[identity])
        if same:
            volume = (
                _brief(f"volume {format_value(name)}") if name is not None else f"the volume with the id {identity}"
            )
            yield f"{entry.place}: {volume} is already described in {same[0].place}. Keep one of the two."
        namesakes.append(entry)


def _identity(entry: _Entry) -> Any:
    return INTEGER.normalize(entry.item.get("id"))
