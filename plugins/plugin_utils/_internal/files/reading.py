# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads state files: a file or a whole folder becomes one list of items for `volumes`, and every mistake is named.

Whoever can put files there must not be able to make a task read other files, wait, or run out of memory.
"""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ....module_utils._internal.connection import read_addresses
from ....module_utils._internal.errors import ConsoleError, Problem
from ....module_utils._internal.model.fields import hidden_in
from ....module_utils._internal.model.goals import Goal
from ....module_utils._internal.model.plan import find_duplicates
from ....module_utils._internal.model.records import PatternsByKind, read_ignored
from ....module_utils._internal.model.resources import RESOURCES, VOLUME
from ....module_utils._internal.tasks.items import NAME, duplicates_below, find_problems, read_items
from ....module_utils._internal.values import first_sentences, printable, shorten
from ..controller.action import Decrypt
from .yaml_text import BEGINNING, Lines, parse_yaml, to_flow

CONSOLE_YML = "console.yml"
_HEADER = (
    "# The console that the files in this folder are for. What ignore matches is left alone; see the guide.",
    "# ignore: {volumes: [], exports: [], quotas: []}",
)
# The maximum size of a file in bytes.
MAX_SIZE = 16 << 20
TOO_LARGE = f"it is larger than {MAX_SIZE >> 20} MiB."
# Opening a pipe does not wait for whoever writes into it.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
Value = TypeVar("Value")
_SUFFIXES = (".yml", ".yaml")
_UNNAMED = (
    "name or id is required, to identify the volume. A file holds one volume, or a list of volumes. Keep other files outside of this"
    " folder, or begin their names with a dot."
)
_MAX_IN_MESSAGE = 20
_MAX_MESSAGE = 300
# A file without even a comment.
_EMPTY = re.compile(rb"\s*(?:---\s*)?(?:\.\.\.\s*)?")
# The key that a message is about, be it ours or Ansible's.
_KEY = re.compile(r"(?:there is no option |value of |)([\w\\]+)")
# A line break, also as repr() and format_value() show it.
_LINE_BREAK = re.compile(r"\n|\r|\\n|\\r|\ufffd")


class ConsoleFile(NamedTuple):
    """The addresses of the consoles, none if any will do, and the patterns to ignore, by the names of lists."""

    consoles: tuple[str, ...] = ()
    ignore: Mapping[str, Sequence[str]] = {}

    def to_options(self) -> dict[str, Any]:
        """Return the options of `volumes` that the file sets."""
        ignore = {name: list(patterns) for name, patterns in self.ignore.items()}
        given = {"consoles": list(self.consoles), "ignore": ignore}
        return {name: value for name, value in given.items() if value}


def read_console_file(text: str) -> ConsoleFile:
    """Return the content of a file; ConsoleError for anything but a dictionary of addresses and patterns."""
    lines: Lines = {}
    value = parse_yaml(text, lines)
    if not isinstance(value, dict) or value.keys() - {"console", "ignore"}:
        raise ConsoleError(
            "this file must be a dictionary with console, a list of addresses, and ignore, a dictionary of patterns. A volume named"
            " console goes into a file of another name."
        )
    ignore = value.get("ignore") or {}
    key = "ignore"
    try:
        read_ignored(ignore)
        key = "console"
        consoles = read_addresses(key, value[key]) if key in value else ()
    except ConsoleError as error:
        raise ConsoleError(f"line {lines[id(value)][key]}: {error}") from None
    # Sorted, so that two files that mean the same are equal.
    kept = {name: tuple(sorted(set(patterns))) for name, patterns in ignore.items() if patterns}
    return ConsoleFile(tuple(sorted(set(consoles))), kept)


def with_console(text: str | None, address: str) -> str:
    """Return a file's text, or that of a new file, with a console added; ConsoleError for text in braces."""
    line = f"console: [{to_flow(address)}]"
    named = "\n".join([*(_HEADER if text is None else text.splitlines()), line, ""])
    try:
        read_console_file(named)
    except ConsoleError:
        raise ConsoleError(f"it does not name the console of its folder. Add {line} to it.") from None
    return named


def merge_console_files(files: Mapping[str, ConsoleFile]) -> ConsoleFile:
    """Return what files, given by name, say together; ConsoleError if they name different consoles."""
    named = {name: file.consoles for name, file in files.items() if file.consoles}
    if len(set(named.values())) > 1:
        raise ConsoleError(f"{' and '.join(named)} name different consoles. Read their folders one by one.")
    all_of = {kind: [file.ignore.get(kind, ()) for file in files.values()] for kind in RESOURCES}
    ignore = {kind: tuple(sorted({*chain(*found)})) for kind, found in all_of.items() if any(found)}
    return ConsoleFile(next(iter(named.values()), ()), ignore)


class Entry(NamedTuple):
    """An item, and its goal."""

    item: dict[str, Any]
    goal: Goal


class Found(NamedTuple):
    """What files hold: their volumes, all mistakes, the number of files about volumes, and what console.yml says."""

    entries: list[Entry] = []
    problems: list[str] = []
    files: int = 0
    about: ConsoleFile = ConsoleFile()

    @property
    def items(self) -> list[dict[str, Any]]:
        """Return the items, each with its name for messages."""
        return [{**entry.item, NAME: entry.goal.name} for entry in self.entries]

    def problems_with(self, volume: str, keys: Mapping[str, str]) -> list[str]:
        """Return why others cannot have these keys, by the names of lists, in a volume: the files describe what is in such a list."""
        patterns = read_ignored(self.about.ignore)
        described = {kind for entry in self.entries if str(entry.item.get("name")) == volume for kind in entry.item}
        return [
            f"{CONSOLE_YML} does not ignore {key} in {kind}, so drift would report it, and a purge delete it. Add it to ignore there."
            for kind, key in keys.items()
            if kind in described and patterns[kind].pattern_for(key) is None
        ]


def read_file(path: Path, folder: Path) -> bytes:
    """Return the content of a regular file in a folder or below it; ConsoleError if it cannot be read.

    Links may lead to other files in the folder, but not out of it.
    """
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(folder)):
        raise ConsoleError("it is a link that leads out of the folder.")
    try:
        with open(real, "rb", opener=lambda name, _flags: os.open(name, _FILE)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ConsoleError("it is not a regular file.")
            content = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise ConsoleError(f"it cannot be read: {error.strerror}.") from None
    if len(content) > MAX_SIZE:
        raise ConsoleError(TOO_LARGE)
    return content


def read_state(source: Path, shown: str, decrypt: Decrypt) -> Found:
    """Return what all state files at a path hold; ConsoleError with all mistakes."""
    found = read_files(source, shown, decrypt)
    if found.problems:
        raise ConsoleError(first_sentences(found.problems, _MAX_IN_MESSAGE))
    return found


def read_files(source: Path, shown: str, decrypt: Decrypt) -> Found:
    """Return what all state files at a path hold, and what is wrong with them; ConsoleError if there are none.

    `shown` is the path in messages, `decrypt` returns the decrypted content of a file.
    """
    read = _reader(source, decrypt)
    files = _find_files(source, shown)
    about, wrong = _read_about(files, read)
    patterns = read_ignored(about.ignore)
    entries: list[Entry] = []
    problems: list[str] = []
    volumes = [(path, name) for path, name in files if path.name != CONSOLE_YML]
    for path, name in volumes:
        lines: Lines = {}
        try:
            value = _parse(path, name, read, functools.partial(parse_yaml, lines=lines))
            found, mistakes = _to_entries(value, name, lines, patterns)
            entries += found
            problems += mistakes
        except ConsoleError as error:
            problems.append(str(error))
    twins = [*find_duplicates(entry.goal for entry in entries)]
    twins += chain(*(duplicates_below(entry.goal.children, entry.goal.label()) for entry in entries))
    return Found(entries, [*problems, *(_brief(twin.text) for twin in twins), *wrong], len(volumes), about)


def _read_about(files: Iterable[tuple[Path, str]], read: Callable[[Path], str]) -> tuple[ConsoleFile, list[str]]:
    """Return what each console.yml says, as far as it can be read, and all mistakes."""
    found: dict[str, ConsoleFile] = {}
    problems = []
    for path, name in (each for each in files if each[0].name == CONSOLE_YML):
        try:
            found[name] = _parse(path, name, read, read_console_file)
        except ConsoleError as error:
            problems.append(str(error))
    try:
        return merge_console_files(found), problems
    except ConsoleError as error:
        return ConsoleFile(), [*problems, str(error)]


def _reader(source: Path, decrypt: Decrypt) -> Callable[[Path], str]:
    """Return a function that reads the files at a path."""
    # Follow a link that the user names. Links in the folder that it leads to must stay there.
    source = Path(os.path.realpath(source))
    folder = source if source.is_dir() else source.parent

    def read(path: Path) -> str:
        content = decrypt(read_file(path, path.parent if path.name == CONSOLE_YML else folder))
        if _EMPTY.fullmatch(content):
            raise ConsoleError("the file is empty. One that describes no volume must say so in a comment.")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ConsoleError(f"line {line}: the file is not UTF-8 text. Save it as UTF-8.") from None

    return read


def _find_files(source: Path, shown: str) -> list[tuple[Path, str]]:
    """Return the state files at a path, each with its name for messages; ConsoleError if there are none."""
    source = Path(os.path.realpath(source))
    if not source.exists():
        raise ConsoleError(f"{shown}: there is no such file or folder. Check the path, which leads to {source}.")
    # What the folder above says of all consoles holds for each.
    inside, named = (source, Path(shown)) if source.is_dir() else (source.parent, Path(shown).parent)
    about = [f"../{CONSOLE_YML}", *([] if source.is_dir() else [CONSOLE_YML])]
    found = [(Path(os.path.normpath(inside / each)), os.path.normpath(named / each)) for each in about]
    found = [each for each in found if os.path.lexists(each[0]) and each[0] != source]
    found += [] if source.is_dir() else [(source, shown)]
    for folder, folders, files in os.walk(source, onerror=_refuse) if source.is_dir() else ():
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(_SUFFIXES) and not name.startswith("."):
                path = Path(folder) / name
                found.append((path, str(Path(shown) / path.relative_to(source))))
    if all(path.name == CONSOLE_YML for path, _name in found):
        besides = f", other than {CONSOLE_YML}, which describes no volume" if found else ""
        raise ConsoleError(f"{shown}: this folder must have a file whose name ends in .yml or .yaml{besides}.")
    return found


def _refuse(error: OSError) -> None:
    raise ConsoleError(f"{error.filename}: the folder cannot be read, check its mode: {error.strerror}.")


def _parse(path: Path, name: str, read: Callable[[Path], str], parse: Callable[[str], Value]) -> Value:
    """Return the parsed content of a file; ConsoleError, with its name, if it cannot be read."""
    try:
        return parse(read(path))
    except ConsoleError as error:
        raise ConsoleError(in_file(name, _brief(str(error)))) from None


def in_file(name: object, message: str) -> str:
    """Return a message about a file, with its name before the line, if any, at its beginning."""
    return f"{name}{', ' if message.startswith('line ') else ': '}{message}"


def _to_entries(value: Any, name: str, lines: Lines, patterns: PatternsByKind) -> tuple[list[Entry], list[str]]:
    """Return the entries and the mistakes in a file from its YAML value, and the lines of its dictionaries."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    sources = [f"{name}, item {number}" if items is value else name for number in range(1, len(items) + 1)]
    start = f"{name}, line "
    # What names no volume may be another file, such as one of secrets. Quote none of it.
    not_volumes = [
        f"{f'{start}{lines[id(item)][BEGINNING]}' if isinstance(item, dict) else source}: {why}"
        for source, item in zip(sources, items)
        if (why := _why_no_volume(item))
    ]
    if not_volumes:
        return [], not_volumes
    read = read_items(VOLUME, items, patterns=patterns, locate=lambda item: f"{start}{lines[id(item)][BEGINNING]}")
    problems = find_problems(VOLUME, read)
    keys: dict[int, dict[str, int]] = {}
    for found in lines.values() if problems else ():
        keys.setdefault(found[BEGINNING], {}).update({printable(key): line for key, line in found.items()})
    named = (problem._replace(name=problem.name.removeprefix(start)) for problem in problems)
    mistakes = [f"{start}{_brief(_at_its_key(problem, keys))}" for problem in named]
    return [] if mistakes else list(map(Entry, items, read.goals)), mistakes


def _at_its_key(problem: Problem, keys: Mapping[int, Mapping[str, int]]) -> str:
    """Return a problem that is named by the line of a dictionary, with that of the key that it is about.

    `keys` are the lines of keys by the lines of the dictionaries that hold them.
    """
    beginning, space, rest = problem.name.partition(" ")
    key = _KEY.match(problem.message)
    line = keys[int(beginning)].get(key[1] if key else BEGINNING, beginning)
    return f"{line}{space}{rest}: {problem.message}"


def _why_no_volume(item: Any) -> str:
    """Return the reason why an item cannot describe a volume; blank if it can."""
    if isinstance(item, dict):
        return "" if {"name", "id"} & item.keys() else _UNNAMED
    hidden = hidden_in(item) if isinstance(item, str) else ""
    return f"a volume must be a dictionary of options.{f' The text {hidden}.' if hidden else ''}"


def _brief(message: str) -> str:
    """Return a message cut so that it repeats no more than one line of a file."""
    line = _LINE_BREAK.split(message, maxsplit=1)[0]
    return f"{line[:_MAX_MESSAGE]}..." if line != message else shorten(line, _MAX_MESSAGE)
