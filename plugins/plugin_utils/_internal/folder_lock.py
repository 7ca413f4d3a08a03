# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lock that lets one task at a time write into a folder: another one sees all of its changes or none."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from ...module_utils._internal.errors import ConsoleError

LOCK = ".managedfs.lock"
"""The name of the file that exists while a task writes into its folder."""
MAX_WAIT = 60.0
"""The seconds that a task waits for another one."""
_PAUSE = 0.05
_FOLDER_MODE = 0o755


def check_folder(folder: Path) -> None:
    """Refuse a folder in which no file can be written; one that does not exist is made later."""
    existing = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not existing.is_dir():
        raise ConsoleError(f"{existing} is not a folder. Nothing was written.")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise ConsoleError(f"{existing} cannot be written. Nothing was written.")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder, created if missing and removed again if it stays empty; ConsoleError if that is impossible."""
    path, ends = folder / LOCK, time.monotonic() + MAX_WAIT
    made = _make(folder)
    while (lock := _take(path)) is None:
        if time.monotonic() > ends:
            raise ConsoleError(
                f"Nothing was written: another task has been writing into {folder} for {MAX_WAIT:g} s. If there is none, remove"
                f" {path}."
            )
        time.sleep(_PAUSE)
        # The other task may have removed the folders that it created.
        made = _make(folder) or made
    try:
        yield
    finally:
        # While it is held, no other task can take a lock at this path.
        with contextlib.suppress(OSError):
            path.unlink()
            for empty in made:
                empty.rmdir()
        os.close(lock)


def _make(folder: Path) -> list[Path]:
    """Create a folder and its missing parents, which others can read at most; return them, the innermost first."""
    made: list[Path] = []
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        try:
            path.mkdir(_FOLDER_MODE)
            made.insert(0, path)
        except FileExistsError:
            continue
        except OSError as error:
            raise ConsoleError(f"{path} cannot be written: {error.strerror}; no file was changed.") from None
    return made


def _take(path: Path) -> int | None:
    """Take a lock and return its descriptor, None if another task holds it, or has just released it.

    A lock of another user cannot be opened, held or not.
    """
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    except FileNotFoundError:
        return None
    except OSError as error:
        if isinstance(error, PermissionError) and os.path.lexists(path):
            return None
        raise ConsoleError(f"{path} cannot be written: {error.strerror}; no file was changed.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock), path.lstat()):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError as error:
        os.close(lock)
        raise ConsoleError(f"{path} cannot be locked: {error.strerror}; no file was changed.") from None
    os.close(lock)
    return None
