# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What somebody may have put in the place of a file, each with why it is not read."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

MIB = 1 << 20
SECRET = "hunter2"


def _link_out(path: Path) -> None:
    outside = path.parent.with_name("outside.yml")
    outside.write_text(f"name: {SECRET}\n", encoding="utf-8")
    path.symlink_to(outside)


def _link_through_a_folder(path: Path) -> None:
    outside = path.parent.with_name("outside")
    outside.mkdir()
    (outside / "a.yml").write_text(f"name: {SECRET}\n", encoding="utf-8")
    (path.parent / ".linked").symlink_to(outside)
    path.symlink_to(".linked/a.yml")


def _link_that_begins_alike(path: Path) -> None:
    outside = path.parent.with_name(f"{path.parent.name}-2")
    outside.mkdir()
    (outside / "a.yml").write_text(f"name: {SECRET}\n", encoding="utf-8")
    path.symlink_to(f"../{outside.name}/a.yml")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        # The address of a socket must be short.
        folder = os.open(path.parent, os.O_DIRECTORY)
        server.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(16 * MIB + 1)


_LEADS_OUT = "it is a link that leads out of the folder"
_NOT_REGULAR = "it is not a regular file"

PLANTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link out of the folder": (_link_out, _LEADS_OUT),
    "a link through another": (_link_through_a_folder, _LEADS_OUT),
    "a link to a folder of a similar name": (_link_that_begins_alike, _LEADS_OUT),
    "a link to nothing outside": (lambda path: path.symlink_to("/nowhere/a.yml"), _LEADS_OUT),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), _LEADS_OUT),
    "a link to itself": (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    "a FIFO": (os.mkfifo, _NOT_REGULAR),
    "a socket": (_socket, _NOT_REGULAR),
    "a huge file": (_huge, "it is larger than 16 MiB"),
}
