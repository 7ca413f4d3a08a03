# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans the writing of state files: one for each volume, only if it differs.

A capture with an access key that sees less than before must not empty them, so there is a bound on removals.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, TypeGuard

from ....module_utils._internal.changes.limit import DeletionLimit, Removal, read_limit
from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.model.records import PatternsByKind, format_value, read_ignored, rotation_partners
from ....module_utils._internal.model.resources import EXPORT, LISTS_OF_VOLUME, VOLUME, Resource
from ....module_utils._internal.tasks.items import read_items
from ....module_utils._internal.values import first_of
from ..controller.action import FileChange
from .reading import (
    CONSOLE_YML,
    MAX_SIZE,
    TOO_LARGE,
    ConsoleFile,
    in_file,
    merge_console_files,
    read_console_file,
    read_file,
    with_console,
)
from .yaml_text import MARK, parse_yaml, to_yaml

# Beside the code, since an installed collection has no other place for data of plugins.
FOLDER = Path(__file__).with_name("schemas")
FOR_VOLUMES, FOR_CONSOLE = "volume.schema.json", "console.schema.json"
SCHEMA_FILES = (FOR_VOLUMES, FOR_CONSOLE)
# As yaml-language-server finds it.
_LINE = re.compile(r"^# *yaml-language-server *:[^\r\n]*", re.MULTILINE)
Item = Mapping[str, Any]

DEFAULT_MAX_REMOVALS = DeletionLimit(50, "%")
_MAX_NAMES = 3
_MAX_SHOWN = 80
_SUFFIX = ".yml"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
# Names of devices on Windows, with any ending.
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_MAX_SLUG = 60
# Thousands of marks on one letter take time with the square of their number.
_MAX_READ = 4096
_DIGITS = 12


def are_wanted(folder: Path) -> bool:
    """Return whether a folder should have schemas: it has some already, or holds no YAML yet."""
    return any((folder / name).exists() for name in SCHEMA_FILES) or not any(folder.glob("*.y*ml"))


def read_schemas() -> dict[str, str]:
    """Return the text of each schema that a folder is to have, by the name of its file."""
    return {name: (FOLDER / name).read_text(encoding="utf-8") for name in SCHEMA_FILES}


def with_line(text: str, before: str | None, schema: str, is_wanted: bool) -> str:
    """Return the new text of a file with the comment about its schema: the one in its present text, else ours if wanted."""
    found = _LINE.search(before or "")
    line = found[0] if found else f"# yaml-language-server: $schema={schema}" if is_wanted else ""
    if not line or line in text.splitlines():
        return text
    # After the line by which a capture knows its own files.
    first, rest = text.split("\n", 1) if text.startswith("#") else ("", text)
    return "\n".join(filter(None, (first, line, rest)))


def read_max_removals(text: str) -> DeletionLimit:
    """Return the limit that the option max_removals sets, the default if it is blank; ConsoleError if it is invalid."""
    return read_limit("max_removals", text, "capture_max_removals") or DEFAULT_MAX_REMOVALS


def plan_files(
    folder: Path,
    items: Sequence[Item],
    remove: bool,
    max_removals: DeletionLimit,
    address: str = "",
    name_schemas: bool = False,
) -> tuple[list[FileChange], int]:
    """Return the changes to a folder, and the number of files that are as wanted; ConsoleError before any write.

    Records that the folder's console.yml ignores are not written. With an `address`, a folder of another console is refused,
    and one without a console becomes that of this one. With `name_schemas`, files name their schema for editors.

    With `remove`, files that a capture wrote for other volumes are removed. Without it, such a file is removed only if its
    volume shares the name of an item: that volume is gone, or has another file. Files that somebody else wrote are never removed.
    """
    about, change = _read_about(folder, address, name_schemas)
    patterns = read_ignored(about.ignore)
    ours = [item for item in items if not _is_ignored(patterns, VOLUME, item)]
    named = _ours(_by_file(ours, _moved(folder)), patterns)
    others = _captured(folder, {folder / name for name in named})
    wanted = {folder / name: _content(folder / name, item, name_schemas) for name, item in named.items()}
    names = {VOLUME.normalize_key(item.get("name")) for item in items} - {None}
    before = {path: _read(path) for path in wanted} | {
        path: text
        for path, text in others.items()
        if remove or VOLUME.normalize_key(_item_in(text).get("name")) in names
    }
    changes = [FileChange(path, text, wanted.get(path)) for path, text in before.items() if text != wanted.get(path)]
    replaced = {
        name: named[name] if text == wanted.get(path) else _item_to_lose(path, text)
        for path, text in before.items()
        if text is not None
        for name in (str(path.relative_to(folder)),)
    }
    _check_removals(_ours(replaced, patterns), named, max_removals)
    return sorted([*changes, *change]), len(before) - len(changes) + (bool(address) and not change)


def plan_schemas(folder: Path) -> list[FileChange]:
    """Return the changes to the schemas in a folder; ConsoleError before any write."""
    old = {name: _read(folder / name) for name in SCHEMA_FILES}
    return [FileChange(folder / name, old[name], text) for name, text in read_schemas().items() if old[name] != text]


def _read_about(folder: Path, address: str, name_schema: bool) -> tuple[ConsoleFile, list[FileChange]]:
    """Return what console.yml in the folder and above says, and the change to the folder's if it does not name a console."""
    path = folder / CONSOLE_YML
    text, above = _read(path), _read(folder.parent / CONSOLE_YML)
    try:
        own, shared = (ConsoleFile() if each is None else read_console_file(each) for each in (text, above))
        about = merge_console_files({str(folder.parent / CONSOLE_YML): shared, str(path): own})
        if address and not about.consoles:
            named = with_line(with_console(text, address), text, FOR_CONSOLE, name_schema)
            return about, [FileChange(path, text, named)]
    except ConsoleError as error:
        raise ConsoleError(f"{in_file(path, str(error))} Nothing was written.") from None
    if address and about.consoles and address not in about.consoles:
        raise ConsoleError(
            f"Nothing was written: {folder} holds the files of {' or '.join(about.consoles)}, and this is {address}. Write into"
            f" another folder, or add the address to {path}."
        )
    return about, []


def _ours(items: Mapping[str, Item], patterns: PatternsByKind) -> dict[str, dict[str, Any]]:
    """Return the items, by the names of their files, without ignored volumes and records."""
    kept = {name: dict(item) for name, item in items.items() if not _is_ignored(patterns, VOLUME, item)}
    for item, resource in product(kept.values(), LISTS_OF_VOLUME):
        if isinstance(entries := item.get(resource.plural), list):
            item[resource.plural] = [entry for entry in entries if not _is_ignored(patterns, resource, entry)]
    return kept


def _is_ignored(patterns: PatternsByKind, resource: Resource, item: Any) -> bool:
    key = item.get(resource.key.name) if isinstance(item, Mapping) else None
    return patterns[resource.plural].pattern_for(key) is not None


def _drop_rotating(item: Item) -> Item:
    """Return a volume without the exports of rotations in progress."""
    if not item.get(EXPORT.plural):
        return item
    known = {_key(EXPORT, export) for export in item[EXPORT.plural]}
    kept = [export for export in item[EXPORT.plural] if not known.intersection(rotation_partners(_key(EXPORT, export)))]
    return {**item, EXPORT.plural: kept}


def file_name(item: Item) -> str:
    """Return the name of the file for an item of `volumes`.

    It depends on the volume alone, so that it stays the same whatever other volumes there are. No two volumes share one,
    even on a file system that ignores letter case.
    """
    name, identity = str(item.get("name") or ""), item.get("id")
    is_reserved = _RESERVED.fullmatch(name) or f"{name}{_SUFFIX}" == CONSOLE_YML
    if identity is None and _PLAIN_NAME.fullmatch(name) and not is_reserved:
        return f"{name}{_SUFFIX}"
    # The rest of a name, for people to recognise it. No plain name has a tilde, and no hash has the letter i.
    letters = unicodedata.normalize("NFKD", name[:_MAX_READ]).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", letters)[:_MAX_SLUG].strip("-") or "volume"
    mark = f"id{identity}" if identity is not None else hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]
    return f"{slug}~{mark}{_SUFFIX}"


def _by_file(items: Sequence[Item], moved: Mapping[str, str]) -> dict[str, Item]:
    """Return items, without exports of rotations in progress, by the names of their files, or of those that were moved.

    ConsoleError if two share one, or an item could not be read again.
    """
    problems = read_items(VOLUME, items).problems
    if problems:
        raise ConsoleError(f"Nothing was written. Correct the volumes: {problems[0].text}")
    named: dict[str, Item] = {}
    for item in items:
        name = moved.get(file_name(item), file_name(item))
        if name in named:
            raise ConsoleError(
                f"Nothing was written: two volumes would go into the file {name}. Give each name or id only once."
            )
        named[name] = _drop_rotating(item)
    return named


def _content(path: Path, item: Item, name_schema: bool) -> str:
    """Return the content of a file; ConsoleError if it could not be read again."""
    text = with_line(to_yaml(item), _read(path), FOR_VOLUMES, name_schema)
    if len(text.encode()) > MAX_SIZE:
        raise ConsoleError(f"Nothing was written. Leave out the volume of {path.name}: {TOO_LARGE}")
    return text


def _read(path: Path) -> str | None:
    """Return the content of a file, None if there is none; bytes that are not text are replaced."""
    if not os.path.lexists(path):
        return None
    try:
        return read_file(path, path.parent).decode(errors="replace")
    except ConsoleError as error:
        raise ConsoleError(f"{in_file(path, str(error))} Nothing was written.") from None


def _moved(folder: Path) -> dict[str, str]:
    """Return the names of the files that a capture wrote and a person moved to a subfolder, by their names before.

    A subfolder that has a file about its console is not one of this folder's.
    """
    moved = {}
    for path, text in sorted(_captured(folder, (), "*/**/*").items()):
        name = path.relative_to(folder)
        above = [folder / each for each in name.parents][:-1]
        if not any(each.name.startswith(".") or (each / CONSOLE_YML).exists() for each in above):
            moved[file_name(_item_in(text))] = str(name)
    return moved


def _captured(folder: Path, wanted: Collection[Path], pattern: str = "*") -> dict[Path, str]:
    """Return the content of each file that a capture wrote and that is not wanted now."""
    # A capture writes neither links, nor files that could not be read again.
    found = [path for path in folder.glob(f"{pattern}{_SUFFIX}") if path.is_file() and not path.is_symlink()]
    # By a name with a dot, people keep a copy.
    found = [path for path in found if path.name != CONSOLE_YML and not path.name.startswith(".")]
    texts = ((path, _read(path)) for path in found if path not in wanted and path.stat().st_size <= MAX_SIZE)
    return {path: text for path, text in texts if text and text.startswith(MARK)}


def _item_in(text: str) -> Item:
    """Return the volume that a file describes, empty if it describes none."""
    try:
        item = parse_yaml(text)
    except ConsoleError:
        return {}
    return item if isinstance(item, dict) else {}


def _item_to_lose(path: Path, text: str) -> Item:
    """Return the volume in a file to be replaced or removed, empty for none; ConsoleError if its content is unclear."""
    problem = "it does not describe one volume, as files of a capture do."
    try:
        if (item := parse_yaml(text)) is None:
            return {}
    except ConsoleError as error:
        item, problem = None, str(error)
    if _is_volume(item) and item.get("ignore"):
        problem = "its ignore counts no more: put it into console.yml."
    # This character replaced bytes that are not text.
    elif _is_volume(item) and "\ufffd" not in text:
        return item
    raise ConsoleError(
        f"Nothing was written: {path} would be replaced or removed, but it is unclear what would be lost: {problem} Mend it,"
        " move it away, or delete it."
    )


def _is_volume(item: Any) -> TypeGuard[dict[str, Any]]:
    """Return whether a value is one volume whose records can be counted, valid or not."""
    if not isinstance(item, dict) or not {"name", "id"} & item.keys():
        return False
    lists = [item.get(resource.plural) or [] for resource in LISTS_OF_VOLUME]
    return all(isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries) for entries in lists)


def _check_removals(before: Mapping[str, Item], after: Mapping[str, Item], allowed: DeletionLimit) -> None:
    """Refuse a capture that would remove too much; ConsoleError says what, and how to do it on purpose.

    `before` are the volumes in the files that would be kept, replaced or removed, `after` those that the files are to
    describe, both by the names of the files.
    """
    if before and not after:
        raise ConsoleError(
            f"Nothing was written: the console shows no volume, but there are files of a capture, such as {min(before)}. The"
            " access key may see nothing. If the console is empty, delete these files by hand."
        )
    losses = list(_losses(before, after))
    if exceeded := [loss for loss in losses if Removal(len(loss[1]), loss[2], is_implied=True).exceeds(allowed)]:
        parts = ", ".join(f"{len(gone)} of {total} {kind} ({_names(gone)})" for kind, gone, total in exceeded)
        raise ConsoleError(
            f"Nothing was written: of what was captured before, this would remove {parts}, and max_removals allows"
            f" {allowed}. The access key may no longer see everything. If the console is as it should"
            " be, set max_removals (in the role capture, capture_max_removals) to"
            f" {max(len(gone) for _kind, gone, _total in exceeded)}."
        )


def _losses(before: Mapping[str, Item], after: Mapping[str, Item]) -> Iterator[tuple[str, list[str], int]]:
    """Yield for files and each kind of records the names of those that would go, and how many there are."""
    # Anything that the files declare absent may go: it is gone once they have been applied.
    present = {name: item for name, item in before.items() if _is_present(item)}
    kept = {_key(VOLUME, item) for item in after.values()}
    lost = [name for name in present if name not in after and _key(VOLUME, present[name]) not in kept]
    yield "files", lost, len(present)
    for resource in LISTS_OF_VOLUME:
        records = Counter(_records(resource, present.values()))
        gone = records - Counter(_records(resource, after.values()))
        yield resource.plural, list(gone.elements()), records.total()


def _records(resource: Resource, items: Iterable[Item]) -> list[str]:
    """Return the names of the exports or quotas of volumes in messages."""
    return [
        f"{_key(VOLUME, item)}: {_key(resource, entry)}"
        for item in items
        for entry in (item[resource.plural] if isinstance(item.get(resource.plural), list) else ())
        if isinstance(entry, Mapping) and _is_present(entry)
    ]


def _is_present(item: Item) -> bool:
    return bool(item.get("state", "present") == "present")


def _key(resource: Resource, item: Item) -> str:
    """Return the identifier of an item: its natural key, else its id."""
    return str(resource.normalize_key(item.get(resource.key.name)) or f"id {item.get('id')}")


def _names(gone: list[str]) -> str:
    return first_of((format_value(name[:_MAX_SHOWN]) for name in sorted(gone)), _MAX_NAMES)
