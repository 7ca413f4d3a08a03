# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Regular files of a folder, read whole. Whoever can put files there must not make us read others, wait, or run out of memory."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_MIB = 1 << 20
MAX_SIZE = 16 * _MIB
"""The most bytes that a file may have."""
TOO_LARGE = f"it is larger than {MAX_SIZE // _MIB} MiB"
_NOT_REGULAR = "it is not a regular file"
# What opening a socket, or a device that is not there, ends with.
_NO_FILE = (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)
# A folder on the way need not be readable; not every system can tell that apart.
_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class UnfitFileError(OSError):
    """A file that is not read, whoever may read it. Its `strerror` is the reason."""


def real_path(path: Path, folder: Path) -> Path:
    """Return where links lead from a path in a folder; UnfitFileError if that is elsewhere."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(folder)):
        raise UnfitFileError(errno.EXDEV, "it is a link that leads out of the folder", str(path))
    return real


def read_file(path: Path, folder: Path) -> bytes:
    """Return the content of a regular file in a folder or below it.

    Links may lead from one place of the folder to another. UnfitFileError for one that leads out of it, for anything but
    a regular file, and for one that is too large; OSError for what the system refuses.
    """
    top = Path(os.path.realpath(folder))
    try:
        descriptor = _open_below(top, real_path(path, folder).relative_to(top).parts)
    except OSError as error:
        if error.errno in _NO_FILE:
            raise UnfitFileError(error.errno, _NOT_REGULAR, str(path)) from None
        raise
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnfitFileError(errno.EINVAL, _NOT_REGULAR, str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(MAX_SIZE + 1) or b""
    finally:
        os.close(descriptor)
    if len(content) > MAX_SIZE:
        raise UnfitFileError(errno.EFBIG, TOO_LARGE, str(path))
    return content


def _open_below(top: Path, names: tuple[str, ...]) -> int:
    """Return a descriptor of what the names lead to from a folder, without a link on the way: none can be put there meanwhile."""
    descriptor = os.open(top, _FOLDER)
    for position, name in enumerate(names, start=1):
        above = descriptor
        try:
            descriptor = os.open(name, _FILE if position == len(names) else _FOLDER, dir_fd=above)
        finally:
            os.close(above)
    return descriptor
