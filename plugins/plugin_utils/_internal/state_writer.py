# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""State files written: one file for each volume, only where it differs, and either whole or not at all."""

from __future__ import annotations

import difflib
import os
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.model.resources import VOLUME
from ...module_utils._internal.tasks.items import read_tree
from .regular_files import MAX_SIZE, TOO_LARGE, UnfitFileError, read_file
from .removals import MaxRemovals, check_removals
from .state_file_names import SUFFIX, file_name
from .state_yaml import MARK, to_yaml
from .strict_yaml import parse_yaml

_NEW_MODE = 0o644
# AWX keeps 700,000 bytes of a result.
_MAX_DIFF = 150_000


class Change(NamedTuple):
    """A file that is to differ: its content before and after, None where there is no file."""

    path: Path
    before: str | None
    after: str | None


def plan_files(
    folder: Path, items: Sequence[Mapping[str, Any]], remove: bool, max_removals: MaxRemovals
) -> tuple[list[Change], int]:
    """Return what is to change in a folder, and how many files are as they should be; ConsoleError before any write.

    Files that were written for other volumes go with `remove`, and without it where such a volume has the name of one
    of the items: it is not there any more, or has another file. Files that somebody else wrote never go.
    """
    _check_folder(folder)
    named = _by_file(items)
    wanted = {folder / name: _content(name, item) for name, item in named.items()}
    before = {path: _read(path) for path in wanted}
    changes = [Change(path, before[path], text) for path, text in wanted.items() if before[path] != text]
    unchanged = {name: item for name, item in named.items() if before[folder / name] == wanted[folder / name]}
    names = None if remove else {VOLUME.normalize_key(item.get("name")) for item in items} - {None}
    changes += [Change(path, text, None) for path, text in _removed(folder, wanted, names).items()]
    changing = {change.path.name: _item_in(change.before) for change in changes if _is_captured(change.before)}
    check_removals({**unchanged, **changing}, named, max_removals)
    return sorted(changes), len(unchanged)


def _by_file(items: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return items by the names of their files; ConsoleError where two share one, or an item could not be read again."""
    problems = read_tree(items).problems
    if problems:
        raise ConsoleError(f"Nothing was written: some volumes are invalid. {problems[0].name}: {problems[0].message}")
    named: dict[str, Mapping[str, Any]] = {}
    for item in items:
        name = file_name(item)
        if name in named:
            raise ConsoleError(
                f"Nothing was written: two volumes would go into the file {name}. Give each name or id only once."
            )
        named[name] = item
    return named


def _content(name: str, item: Mapping[str, Any]) -> str:
    """Return the content of a file; ConsoleError for one that could not be read again."""
    text = to_yaml(item)
    if len(text.encode()) > MAX_SIZE:
        raise ConsoleError(f"Nothing was written: the file {name} could not be read again: {TOO_LARGE}.")
    return text


def _check_folder(folder: Path) -> None:
    """Refuse a folder in which no file can be written; one that does not exist is made later."""
    existing = folder
    while not existing.exists() and not existing.is_symlink():
        existing = existing.parent
    if not existing.is_dir():
        raise ConsoleError(f"{existing} is not a folder. Nothing was written.")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise ConsoleError(f"{existing} cannot be written. Nothing was written.")


def _read(path: Path) -> str | None:
    """Return the content of a file, None where there is none; what is not text is shown as far as it is."""
    try:
        return read_file(path, path.parent).decode(errors="replace")
    except FileNotFoundError:
        return None
    except UnfitFileError as error:
        raise ConsoleError(f"{path}: {error.strerror}. Nothing was written.") from None
    except OSError as error:
        raise ConsoleError(f"{path} cannot be read: {error.strerror}. Nothing was written.") from None


def _removed(folder: Path, wanted: Collection[Path], names: Collection[str] | None) -> dict[Path, str]:
    """Return the content of each file that a capture wrote and that is not wanted now, only for some names if given."""
    found = folder.glob(f"*{SUFFIX}") if names != set() and folder.exists() else []
    # No capture makes a link, nor a file that could not be read again.
    others = [path for path in found if path not in wanted and path.is_file() and not path.is_symlink()]
    others = [path for path in others if path.stat().st_size <= MAX_SIZE]
    texts = ((path, _read(path)) for path in others)
    captured = {path: text for path, text in texts if _is_captured(text)}
    return {path: text for path, text in captured.items() if names is None or _name_in(text) in names}


def _is_captured(text: str | None) -> TypeGuard[str]:
    """Return whether a capture wrote the content of a file."""
    return text is not None and text.startswith(MARK)


def _item_in(text: str) -> dict[str, Any] | None:
    """Return the volume that a file describes, None where it describes none."""
    try:
        item = parse_yaml(text)
    except ConsoleError:
        return None
    return item if isinstance(item, dict) else None


def _name_in(text: str) -> Any:
    """Return the name of the volume that a file is for, None where it tells none."""
    return VOLUME.normalize_key((_item_in(text) or {}).get("name"))


def write_files(folder: Path, changes: Collection[Change]) -> None:
    """Write and remove files; ConsoleError says whether anything was changed.

    All contents are on the disk, in files of other names, before the first of them takes its place.
    """
    pending: dict[Path, Path] = {}
    done = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for change in changes:
            if change.after is not None:
                pending[change.path] = _beside(change.path)
                _write(pending[change.path], change.after, like=change.path)
        for change in changes:
            if change.after is None:
                change.path.unlink()
            else:
                pending[change.path].replace(change.path)
            done += 1
    except OSError as error:
        for path in pending.values():
            path.unlink(missing_ok=True)
        what = f"{done} of {len(changes)} files were changed before" if done else "no file was changed"
        reason = f"{error.filename or folder} cannot be written: {error.strerror}; {what}."
        raise ConsoleError(reason, changed=bool(done)) from None


def _beside(path: Path) -> Path:
    """Return a name in the same folder that no file has, and that no reader of state files takes for one."""
    return path.with_name(f".{path.stem}.{secrets.token_hex(4)}.tmp")


def _write(path: Path, text: str, like: Path) -> None:
    """Write a new file, with the mode of the one whose place it is to take."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW_MODE), "wb") as file:
        if like.exists():
            os.fchmod(file.fileno(), like.stat().st_mode & 0o7777)
        file.write(text.encode())


def diff_of(changes: Iterable[Change]) -> list[dict[str, str]]:
    """Return the difference of each file for `--diff`: whole where it is short, else in excerpts, and not without end."""
    diffs, room = [], _MAX_DIFF
    for change in changes:
        diff = _diff(change, room)
        diffs.append(diff)
        room -= sum(map(len, diff.values()))
        if room <= 0:
            diffs.append(
                {"prepared": "Further files differ. Their differences are not shown, for there are too many.\n"}
            )
            break
    return diffs


def _diff(change: Change, room: int) -> dict[str, str]:
    before, after = change.before or "", change.after or ""
    header = str(change.path)
    if len(before) + len(after) <= room:
        return {"before": before, "after": after, "before_header": header, "after_header": header}
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), header, header)
    text = "".join(lines)
    if len(text) > room:
        text = text[: text.rfind("\n", 0, room) + 1] + "... The rest is too long to be shown.\n"
    return {"prepared": text}
