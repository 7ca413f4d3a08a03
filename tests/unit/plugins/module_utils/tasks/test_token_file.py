# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folders that are safe for a token file, and those that are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.token_file import TokenFile

OTHER = 4242
# What this process has open.
FILES = Path("/proc/self/fd")
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs files of several users")


def problem_of(path: object, is_needed: bool = True) -> str:
    """Return why a token file cannot be at a path; blank if it can."""
    try:
        TokenFile(str(path), print).check(is_needed)
    except ConsoleError as error:
        return str(error)
    return ""


def test_no_folder_stays_open(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    before = [*FILES.iterdir()]
    problems = [problem_of(tmp_path / name) for name in ("web", "folder", "missing/web")]
    assert ([*FILES.iterdir()], [bool(problem) for problem in problems]) == (before, [False, True, True])


def test_a_path_that_no_system_takes_is_refused(tmp_path: Path) -> None:
    problem = problem_of(tmp_path / "a\0b" / "web")
    assert problem.startswith(f"token_file {tmp_path}/a\\x00b/web cannot be used: ")
    assert "embedded null" in problem


def test_a_folder_may_be_missing_where_no_file_is_needed(tmp_path: Path) -> None:
    assert [bool(problem_of(tmp_path / "no" / "web", is_needed)) for is_needed in (True, False)] == [True, False]


@pytest.mark.parametrize("there", ["nothing", "a file"])
@pytest.mark.parametrize("is_needed", [False, True])
def test_a_folder_has_to_be_writable_for_what_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_needed: bool, there: str
) -> None:
    if there == "a file":
        (tmp_path / "web").touch()
    assert problem_of(tmp_path / "web", is_needed) == ""
    # Tests may run as the super-user, who may write everywhere.
    monkeypatch.setattr(os, "access", lambda *_arguments, **_options: False)
    assert problem_of(tmp_path / "web", is_needed).endswith("not writable.") is (is_needed or there != "nothing")


# The permissions of a folder, its group, and whether it is safe for a user with the primary group 4242.
SHARED = {
    "open to its group": (0o775, OTHER + 1, False),
    "open to its group, and sticky": (0o1775, OTHER + 1, False),
    "of a group that only reads": (0o755, OTHER + 1, True),
    "open to the primary group": (0o775, OTHER, True),
    "open to root's group": (0o775, 0, True),
    "open to everybody": (0o757, OTHER, False),
    "open to everybody, and sticky": (0o1777, OTHER + 1, False),
}


@only_root
@pytest.mark.parametrize("user", [0, OTHER, OTHER + 1])
@pytest.mark.parametrize(("mode", "group", "is_safe"), SHARED.values(), ids=SHARED)
def test_a_folder_is_safe_if_it_is_the_users_or_roots_and_nobody_else_can_write_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, group: int, is_safe: bool, user: int
) -> None:
    os.chown(tmp_path, user, group)
    tmp_path.chmod(mode)
    monkeypatch.setattr(os, "geteuid", lambda: OTHER)
    monkeypatch.setattr(os, "getegid", lambda: OTHER)
    assert (problem_of(tmp_path / "web") == "") is (is_safe and user != OTHER + 1)
