# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file for the token of a record. No other user can read it, or swap it in its folder; those above are the user's matter."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import ConsoleError
from ..files import replace_file
from ..model.access import token_of
from ..model.goals import Goal
from ..model.plan import CREATE
from ..model.records import Record, describe
from ..model.resources import Resource
from ..model.section import Outcome
from ..task import Task, hide

_MODE = 0o600
# Longer than any token.
_MAX_SIZE = 1 << 16


def open_token_file(task: Task, goal: Goal) -> TokenFile | None:
    """Return the file for the token, None if none is wanted; ConsoleError if it cannot be written or removed."""
    path = task.params["token_file"] or ""
    if not path.strip():
        return None
    file = TokenFile(path, task.warn)
    file.check(goal.present)
    return file


class TokenFile:
    """The file for a token, by its path. What is no token is neither overwritten nor removed."""

    def __init__(self, path: str, warn: Callable[[str], object]) -> None:
        self.path = path
        self._file = Path(path)
        self._warn = warn

    def check(self, is_needed: bool) -> None:
        """Raise ConsoleError if folder or file cannot be used. The folder may be missing if no file `is_needed`."""
        if not self._file.is_absolute():
            raise ConsoleError(f"token_file {self.path} must be an absolute path.")
        folder = self._file.parent
        with self._telling():
            if not (is_needed or folder.exists()):
                return
            problem = _folder_problem(folder)
            if not problem and (self._read() is not None or is_needed) and not os.access(folder, os.W_OK | os.X_OK):
                problem = "must be writable."
            if problem:
                raise ConsoleError(f"The folder of token_file {self.path} {problem}")

    def follow(self, outcome: Outcome, check_mode: bool) -> bool:
        """Write the current token, or remove the file with the record; return whether the file had to change."""
        action = outcome.action
        with self._telling():
            if not action.goal.present:
                return self._remove(outcome.changed, check_mode)
            # Check mode cannot know the token of a new record.
            if check_mode and action.verb is CREATE:
                return True
            content = f"{self._token_of(action.resource, outcome.record or {})}\n".encode()
            is_due = self._read() != (content, _MODE)
            if is_due and not check_mode:
                replace_file(self._file, content, _MODE)
            return is_due

    def _remove(self, is_deleted: bool, check_mode: bool) -> bool:
        """Remove the file if the record was deleted: otherwise, the token in it may be that of another one."""
        if self._read() is None:
            return False
        if not is_deleted:
            self._warn(
                f"token_file {self.path} was not removed, since nothing was deleted: the token in it may be that of another"
                " record. If it is not, remove the file."
            )
        elif not check_mode:
            self._file.unlink()
        return is_deleted

    def _token_of(self, resource: Resource, record: Record) -> str:
        """Return the token of a record; ConsoleError if the console shows none, or a value that cannot be one."""
        text = token_of(record)
        hide([text])
        if not text or not _is_token(text):
            raise ConsoleError(
                f"{describe(resource, record)}: the console does not show its token, so nothing was written to {self.path}."
                " Look it up in the console."
            )
        return text

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn an error of the system into one that names the file."""
        try:
            yield
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ConsoleError(f"token_file {self.path} cannot be used: {reason}. Choose another file.") from None

    def _read(self) -> tuple[bytes, int] | None:
        """Return content and mode of the file, None if there is none; ConsoleError if it is no file for a token."""
        try:
            found = self._file.lstat()
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(found.st_mode):
            raise ConsoleError(f"token_file {self.path} is a folder. Name a file in it.")
        if not stat.S_ISREG(found.st_mode):
            raise ConsoleError(f"token_file {self.path} must be a regular file.")
        with self._file.open("rb") as file:
            content = file.read(_MAX_SIZE)
        if len(content) == _MAX_SIZE or not _is_token(content.decode(errors="surrogateescape").strip()):
            raise ConsoleError(
                f"token_file {self.path} does not hold a token, so it is neither overwritten nor removed. Name another"
                " file, or leave out token_file."
            )
        return content, stat.S_IMODE(found.st_mode)


def _folder_problem(folder: Path) -> str:
    """Return why a folder is of no use, blank if it is the user's or root's, and nobody else but their own group can write to it."""
    if not folder.is_dir():
        return "must be a folder." if folder.exists() else "must exist."
    found = folder.stat()
    if found.st_uid not in (0, os.geteuid()):
        return f"belongs to another user (id {found.st_uid}). Choose one of your own."
    # In their primary group, users are often alone.
    is_of_others = found.st_mode & stat.S_IWGRP and found.st_gid not in (0, os.getegid())
    if is_of_others or found.st_mode & stat.S_IWOTH:
        return "can be written to by other users. Choose one of your own."
    return ""


def _is_token(text: str) -> bool:
    """Return whether a text could be a token: one printable word, or nothing yet."""
    return text.isprintable() and len(text.split()) < 2
