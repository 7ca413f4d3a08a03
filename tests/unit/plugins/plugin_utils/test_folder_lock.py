# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folders that a lock makes, and takes away again."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from pathlib import Path
from unittest import mock

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal import folder_lock
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.folder_lock import LOCK, locked

# What this process has open.
FILES = Path("/proc/self/fd")


def test_folders_that_stay_empty_are_removed_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with locked(tmp_path / "there" / "a" / "b" / "c"):
        pass
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]
    with locked(tmp_path / "there" / "a" / "b"):
        (tmp_path / "there" / "a" / "file").touch()
    assert sorted(tmp_path.rglob("*")) == [tmp_path / name for name in ("there", "there/a", "there/a/file")]


def test_a_lock_is_closed_whatever_comes_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lock() -> None:
        with locked(tmp_path):
            pass

    monkeypatch.setattr(folder_lock, "MAX_WAIT", 0)
    before = [*FILES.iterdir()]
    lock()
    for error in (BlockingIOError(), FileNotFoundError(), OSError(errno.ENOLCK, "No locks available")):
        with monkeypatch.context() as patched:
            patched.setattr(fcntl, "flock", mock.Mock(side_effect=error))
            with pytest.raises(ConsoleError, match=r"Nothing was written|cannot be locked"):
                lock()
    assert [*FILES.iterdir()] == before


def test_folders_that_another_task_makes_meanwhile_are_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "exists", lambda _path: False)
    with locked(tmp_path / "a" / "b"):
        assert os.path.lexists(tmp_path / "a" / "b" / LOCK)
    assert list(tmp_path.iterdir()) == []


def test_nobody_else_can_hold_a_lock(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with locked(tmp_path):
            assert stat.S_IMODE((tmp_path / LOCK).stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_folder_without_a_lock_in_which_none_can_be_made_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", mock.Mock(side_effect=PermissionError(errno.EACCES, "Permission denied")))
        with pytest.raises(ConsoleError, match="cannot be written: Permission denied"):
            locked(tmp_path).__enter__()


def test_a_lock_in_place_of_which_there_is_another_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def flock(descriptor: int, _operation: int) -> None:
        calls.append(descriptor)
        if len(calls) == 1:
            (tmp_path / LOCK).rename(tmp_path / "old")
            (tmp_path / LOCK).touch()

    monkeypatch.setattr(fcntl, "flock", flock)
    with locked(tmp_path):
        assert len(calls) == 2


def test_what_the_other_task_has_removed_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "new"
    other = locked(folder)
    other.__enter__()
    monkeypatch.setattr(time, "sleep", lambda _seconds: other.__exit__(None, None, None))
    with locked(folder):
        assert [path.name for path in folder.iterdir()] == [LOCK]
    assert list(tmp_path.iterdir()) == []


def test_a_task_that_waits_still_removes_what_it_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "new"
    take = mock.Mock(wraps=folder_lock._take)
    take.side_effect = [None, mock.DEFAULT]
    monkeypatch.setattr(folder_lock, "_take", take)
    with locked(folder):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConsoleError, match=r"file/a cannot be written: Not a directory; no file was changed\."):
        locked(tmp_path / "file" / "a" / "b").__enter__()
