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
from ..model.outcome import Outcome
from ..model.plan import CREATE
from ..model.records import Record, describe
from ..model.resources import Resource
from ..task import Task, hide

_MODE = 0o600
# Longer than any token.
_MAX_SIZE = 1 << 16
# Not a descriptor: the system refuses it.
_NO_FOLDER = -1
# A folder may be writable but not readable. O_PATH opens it then, but not every system has that.
_FOLDER = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_OLD = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


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
        self._warn = warn
        self._above, self._name = os.path.split(path)

    def check(self, is_needed: bool) -> None:
        """Raise ConsoleError if folder or file cannot be used. The folder may be missing if no file `is_needed`."""
        if not Path(self.path).is_absolute():
            raise ConsoleError(f"token_file {self.path} must be an absolute path.")
        with self._open_folder(is_needed) as folder:
            is_due = self._read(folder) is not None or is_needed
            if is_due and not os.access(".", os.W_OK | os.X_OK, dir_fd=folder):
                raise ConsoleError(f"The folder of token_file {self.path} is not writable.")

    def follow(self, outcome: Outcome, check_mode: bool) -> bool:
        """Write the current token, or remove the file with the record; return whether the file had to change."""
        action = outcome.action
        with self._open_folder(action.goal.present) as folder:
            if not action.goal.present:
                return self._remove(folder, outcome.changed, check_mode)
            # Check mode cannot know the token of a new record.
            if check_mode and action.verb is CREATE:
                return True
            content = f"{self._token_of(action.resource, outcome.record or {})}\n".encode()
            is_due = self._read(folder) != (content, _MODE)
            if is_due and not check_mode:
                replace_file(self._name, content, _MODE, folder)
            return is_due

    def _remove(self, folder: int, is_deleted: bool, check_mode: bool) -> bool:
        """Remove the file if the record was deleted: otherwise, the token in it may be that of another one."""
        if self._read(folder) is None:
            return False
        if not is_deleted:
            self._warn(
                f"token_file {self.path} was not removed, since nothing was deleted: the token in it may be that of another"
                " record. If it is not, remove the file."
            )
        elif not check_mode:
            os.unlink(self._name, dir_fd=folder)
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
    def _open_folder(self, is_needed: bool) -> Iterator[int]:
        """Yield a descriptor of the folder, so that nobody can swap it meanwhile; _NO_FOLDER if it is missing and not needed."""
        folder = _NO_FOLDER
        try:
            with contextlib.suppress(FileNotFoundError):
                folder = os.open(self._above, _FOLDER)
                if problem := _folder_problem(os.fstat(folder)):
                    raise ConsoleError(f"The folder of token_file {self.path} {problem}. Choose one of your own.")
            if is_needed and folder == _NO_FOLDER:
                raise ConsoleError(f"The folder of token_file {self.path} does not exist.")
            yield folder
        except NotADirectoryError:
            raise ConsoleError(f"The folder of token_file {self.path} is not a folder.") from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ConsoleError(f"token_file {self.path} cannot be used: {reason}.") from None
        finally:
            if folder != _NO_FOLDER:
                os.close(folder)

    def _read(self, folder: int) -> tuple[bytes, int] | None:
        """Return content and mode of the file, None if there is none; ConsoleError if it is no file for a token."""
        if folder == _NO_FOLDER:
            return None
        try:
            found = os.stat(self._name or ".", dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(found.st_mode):
            raise ConsoleError(f"token_file {self.path} is a folder. Name a file in it.")
        if not stat.S_ISREG(found.st_mode):
            raise ConsoleError(f"token_file {self.path} is not a regular file.")
        with os.fdopen(os.open(self._name, _OLD, dir_fd=folder), "rb") as file:
            content = file.read(_MAX_SIZE)
        if len(content) == _MAX_SIZE or not _is_token(content.decode(errors="surrogateescape").strip()):
            raise ConsoleError(
                f"token_file {self.path} holds something else than a token, so it is neither overwritten nor removed. Name another"
                " file, or leave out token_file."
            )
        return content, stat.S_IMODE(found.st_mode)


def _folder_problem(found: os.stat_result) -> str:
    """Return why other users could choose what is in a folder, blank if only its owner can: the user or root."""
    if found.st_uid not in (0, os.geteuid()):
        return f"belongs to another user (id {found.st_uid})"
    # In their primary group, users are often alone.
    is_of_others = found.st_mode & stat.S_IWGRP and found.st_gid not in (0, os.getegid())
    return "can be written to by other users" if is_of_others or found.st_mode & stat.S_IWOTH else ""


def _is_token(text: str) -> bool:
    """Return whether a text could be a token: one printable word, or nothing yet."""
    return text.isprintable() and len(text.split()) < 2
