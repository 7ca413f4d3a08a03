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
        TokenFile(str(path)).check(is_needed)
    except ConsoleError as error:
        return str(error)
    return ""


def become(user: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another user run, whose primary group has the same number."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "getegid", lambda: user)


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


@pytest.mark.parametrize("there", ["nothing", "a file", "a link to nowhere"])
@pytest.mark.parametrize("is_needed", [False, True])
def test_a_folder_has_to_be_writable_for_what_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_needed: bool, there: str
) -> None:
    if there == "a file":
        (tmp_path / "web").touch()
    elif there == "a link to nowhere":
        (tmp_path / "web").symlink_to("nowhere")
    assert problem_of(tmp_path / "web", is_needed) == ""
    # Tests may run as the super-user, who may write everywhere.
    monkeypatch.setattr(os, "access", lambda *_arguments, **_options: False)
    assert problem_of(tmp_path / "web", is_needed).endswith("not writable.") is (is_needed or there != "nothing")


def test_the_root_folder_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lstat = os.lstat

    def lstat_of_a_foreign_root(path: object, **options: int) -> os.stat_result:
        found = lstat(str(path), **options)
        return os.stat_result((*found[:4], OTHER, *found[5:])) if str(path) == "/" else found

    monkeypatch.setattr(os, "lstat", lstat_of_a_foreign_root)
    assert "is not safe: / belongs to another user (id 4242)" in problem_of(tmp_path / "web")


def test_a_way_of_thousands_of_steps_is_refused_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for number in range(4):
        (tmp_path / f"link{number}").symlink_to("a/../" * 700 + (f"link{number - 1}" if number else "."))
    assert problem_of(tmp_path / "link1" / "web") == ""
    assert problem_of(tmp_path / "link3" / "web").endswith("cannot be used: Too many levels of symbolic links.")


# The permissions of a folder, its group, and whether it is safe for a user with the primary group 4242.
SHARED = {
    "open to its group": (0o775, OTHER + 1, False),
    "open to its group, and sticky": (0o1775, OTHER + 1, True),
    "of a group that only reads": (0o755, OTHER + 1, True),
    "open to the primary group": (0o775, OTHER, True),
    "open to root's group": (0o775, 0, True),
    "open to everybody": (0o757, OTHER, False),
    "open to everybody, and sticky": (0o1777, OTHER + 1, True),
}


@only_root
@pytest.mark.parametrize("is_root", [False, True])
@pytest.mark.parametrize(("mode", "group", "is_safe"), SHARED.values(), ids=SHARED)
def test_a_folder_is_safe_if_nobody_else_can_exchange_what_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, group: int, is_safe: bool, is_root: bool
) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to("folder")
    os.chown(folder, 0 if is_root else OTHER, group)
    # Everybody may write to a link, as its mode says, which means nothing.
    os.chown(link, 0, OTHER + 1, follow_symlinks=False)
    folder.chmod(mode)
    become(OTHER, monkeypatch)
    found = {path: problem_of(path / "web") for path in (folder, link)}
    assert {path: "is not safe: " not in problem for path, problem in found.items()} == {folder: is_safe, link: is_safe}
    assert set(found.values()) == {""} or not is_safe


# Permissions of the folder, the users of folder and file, and whether the user 4242 can replace the file.
REPLACED = {
    "of another user in a sticky folder": (0o1777, 0, OTHER + 1, False),
    "of the super-user in a sticky folder": (0o1777, 0, 0, False),
    "of the user in a sticky folder": (0o1777, 0, OTHER, True),
    "of another user in a sticky folder of the user": (0o1777, OTHER, OTHER + 1, True),
    "of another user in a folder of the group": (0o775, 0, OTHER + 1, True),
}


@only_root
@pytest.mark.parametrize(("mode", "above", "user", "is_replaceable"), REPLACED.values(), ids=REPLACED)
def test_a_file_of_another_user_is_replaced_unless_the_sticky_bit_forbids_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, above: int, user: int, is_replaceable: bool
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "web").touch()
    os.chown(folder / "web", user, OTHER)
    os.chown(folder, above, OTHER)
    folder.chmod(mode)
    become(OTHER, monkeypatch)
    problems = {problem_of(folder / "web", is_needed) for is_needed in (True, False)}
    message = f"token_file {folder / 'web'} belongs to another user, and cannot be replaced."
    assert problems == {"" if is_replaceable else message}
