# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files that are written whole or not at all. A link in the place of one is replaced, and never read."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_MODE = 0o644


def write_new(path: str | Path, content: bytes, mode: int | None = None) -> None:
    """Write a file that does not exist yet, onto the disk, with that mode or as the umask says; OSError where that fails."""
    with os.fdopen(os.open(path, _NEW, _NEW_MODE if mode is None else mode), "wb") as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: str | Path, content: bytes, mode: int) -> None:
    """Write a file, or a new one in its place; OSError where that fails, and the old one is as it was."""
    temporary = Path(path).with_name(temporary_name())
    try:
        write_new(temporary, content, mode)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def temporary_name() -> str:
    """Return a name that no file has, and that no reader of state files takes for one."""
    return f".managedfs.{secrets.token_hex(8)}.tmp"
