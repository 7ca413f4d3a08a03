# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The file for the token of a record. No other user can read it or choose where it is written."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
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
_MAX_SIZE = 1 << 20
# More than the folders and links of any real path.
_MAX_STEPS = 4_000
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
    file = TokenFile(path)
    file.check(goal.present)
    return file


class TokenFile:
    """The file for a token, by its path. A link at that path is not followed: it is replaced or removed."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._above, self._name = os.path.split(path)

    def check(self, is_needed: bool) -> None:
        """Raise ConsoleError if the folder is unsafe or not writable. It may be missing if no file `is_needed`."""
        if not Path(self.path).is_absolute():
            raise ConsoleError(f"token_file {self.path} must be an absolute path.")
        with self._open_folder(is_needed) as folder:
            is_due = self._find(folder) is not None or is_needed
            if is_due and not os.access(".", os.W_OK | os.X_OK, dir_fd=folder):
                raise ConsoleError(f"The folder of token_file {self.path} is not writable.")

    def follow(self, outcome: Outcome, check_mode: bool) -> bool:
        """Write the current token, or remove the file if the record is gone; return whether the file had to change."""
        action = outcome.action
        with self._open_folder(action.goal.present) as folder:
            if not action.goal.present:
                is_due = self._find(folder) is not None
                if is_due and not check_mode:
                    os.unlink(self._name, dir_fd=folder)
                return is_due
            # Check mode cannot know the token of a new record.
            if check_mode and action.verb is CREATE:
                return True
            content = f"{self._token_of(action.resource, outcome.record or {})}\n".encode()
            is_due = not self._has(folder, content)
            if is_due and not check_mode:
                replace_file(self._name, content, _MODE, folder)
            return is_due

    def _token_of(self, resource: Resource, record: Record) -> str:
        """Return the token of a record; ConsoleError if the console shows none, or a value that cannot be one."""
        text = token_of(record)
        hide([text])
        if not text or not text.isprintable():
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
                self._check_folder()
                folder = os.open(self._above, _FOLDER)
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

    def _check_folder(self) -> None:
        """Raise ConsoleError for a folder that other users could replace, or in which they could replace the file."""
        for path in _on_the_way(Path(self._above)):
            found = os.lstat(path)
            if found.st_uid not in (0, os.geteuid()):
                problem = f"{path} belongs to another user (id {found.st_uid})"
            elif stat.S_ISDIR(found.st_mode) and found.st_mode & (stat.S_IWOTH | stat.S_ISVTX) == stat.S_IWOTH:
                problem = f"everybody can write to {path}, which has no sticky bit"
            elif stat.S_ISDIR(found.st_mode) and _is_of_foreign_group(found):
                problem = f"the group with the id {found.st_gid} can write to {path}, which has no sticky bit"
            else:
                continue
            raise ConsoleError(f"The folder of token_file {self.path} is not safe: {problem}. Choose one of your own.")

    def _find(self, folder: int) -> os.stat_result | None:
        """Return the status of the file, None if there is none; ConsoleError if it must not or cannot be replaced."""
        if folder == _NO_FOLDER:
            return None
        try:
            found = os.stat(self._name or ".", dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if Path(self.path).is_dir():
            raise ConsoleError(f"token_file {self.path} is a folder. Name a file in it.")
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISLNK(found.st_mode):
            raise ConsoleError(f"token_file {self.path} is not a regular file.")
        above = os.fstat(folder)
        if above.st_mode & stat.S_ISVTX and os.geteuid() not in (0, above.st_uid, found.st_uid):
            raise ConsoleError(f"token_file {self.path} belongs to another user, and cannot be replaced.")
        return found

    def _has(self, folder: int, content: bytes) -> bool:
        found = self._find(folder)
        if found is None or stat.S_IMODE(found.st_mode) != _MODE:
            return False
        try:
            with os.fdopen(os.open(self._name, _OLD, dir_fd=folder), "rb") as file:
                return file.read(_MAX_SIZE) == content
        except PermissionError:
            return False


def _is_of_foreign_group(found: os.stat_result) -> bool:
    """Return whether a group can write other than root's and the user's primary one, in which users are often alone."""
    return found.st_mode & (stat.S_IWGRP | stat.S_ISVTX) == stat.S_IWGRP and found.st_gid not in (0, os.getegid())


def _on_the_way(path: Path) -> Iterator[Path]:
    """Yield each folder and link that leads to an absolute path, from the root on; OSError if links form a circle."""
    current, rest = Path(path.anchor), list(path.parts[1:])
    yield current
    for _step in range(_MAX_STEPS):
        if not rest:
            return
        name = rest.pop(0)
        inner = current.parent if name == ".." else current / name
        yield inner
        target = inner.readlink() if inner.is_symlink() else None
        if target is None:
            current = inner
            continue
        if target.is_absolute():
            current, target = Path(target.anchor), target.relative_to(target.anchor)
        rest = [*target.parts, *rest]
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
