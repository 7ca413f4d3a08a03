# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file console.yml in a folder of state files: which consoles they are for, and what is ignored there. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...module_utils._internal.connection import read_addresses
from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.ignore import Ignore, read_ignores
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME
from .state_yaml import Lines, parse_yaml, to_flow

CONSOLE_YML = "console.yml"
_HEADER = (
    "# The console that the files in this folder are for. What ignore matches is left alone; see the guide.",
    "# ignore: {volumes: [], exports: [], quotas: []}",
)


class ConsoleFile(NamedTuple):
    """The addresses of the consoles, none if any will do, and the patterns to ignore, by the names of lists."""

    consoles: tuple[str, ...] = ()
    ignore: Mapping[str, Sequence[str]] = {}

    @property
    def ignores(self) -> dict[str, Ignore]:
        """Return the patterns, ready to be matched with records."""
        return read_ignores((VOLUME, *LISTS_OF_VOLUME), self.ignore)

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
        read_ignores((VOLUME, *LISTS_OF_VOLUME), ignore)
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
    """Return the content that all files, given by name, have in common; ConsoleError if two differ."""
    merged: ConsoleFile | None = None
    for name, file in files.items():
        if merged not in (None, file):
            raise ConsoleError(
                f"{name} differs from {next(iter(files))}. Files that are read together must be for the same consoles, and ignore"
                " the same: make them equal, or read the folders one by one."
            )
        merged = merged or file
    return merged or ConsoleFile()
