# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folders that roles write into: where they are, and whether that can be done, before a console is asked."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from typing import Any

from ...module_utils._internal.errors import ConsoleError
from .action import check_folder
from .state_files import resolve_path
from .state_writer import plan_files, read_max_removals

Given = Mapping[str, Any]
Variables = Mapping[str, Any]

_DIGITS = 12


def folder_of_capture(given: Given, variables: Variables) -> str:
    """Return the folder for the files of a host, by which hosts that share one are found; ConsoleError if it is of no use."""
    folder = resolve_path(given["dest"], variables)
    limit = read_max_removals(str(given.get("max_removals", "")))
    check_folder(folder)
    # With nothing to write, so that a mistake in a file shows.
    plan_files(folder, [], False, limit)
    return os.path.realpath(folder)


def folder_of_report(given: Given, variables: Variables, name: str) -> str:
    """Return the folder for the report on a host, by its name in that of all reports; ConsoleError if a file is in its place."""
    above = resolve_path(given["dest"], variables)
    folder = above / name
    for path in (above, folder):
        if path.is_file():
            raise ConsoleError(
                f"report_dest must be a folder, but {path} is a file. Name another folder, or remove the file."
            )
    return str(folder)


def file_of_summary(role: str, given: Given, variables: Variables) -> str:
    """Return the path of the file for the summary; ConsoleError if it cannot be written."""
    path = resolve_path(given["summary_file"], variables)
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        reason = "is a folder" if path.is_dir() else "is in no folder that can be written to"
        raise ConsoleError(f"{role}_summary_file {path} {reason}. Name another file, or create the folder.")
    return str(path)


def subfolder(host: str) -> str:
    """Return the name of the folder of a host in that of all reports, blank for the machine that Ansible runs on.

    A name that cannot be a folder's keeps what can be, and a hash, so that no two hosts have the same. No other has a tilde.
    """
    if host == "localhost":
        return ""
    if re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]*", host):
        return host
    return f"{re.sub('[^A-Za-z0-9-]+', '-', host)}~{hashlib.sha256(host.encode()).hexdigest()[:_DIGITS]}"
