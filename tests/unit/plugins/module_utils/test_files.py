# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files are written whole or not at all, with their permissions; no link is followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.files import (
    read_text,
    replace_file,
    temporary_name,
    write_new,
)


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder."""
    return sorted(path.name for path in folder.iterdir())


def state_of(path: Path) -> tuple[bytes, int]:
    """Return content and permissions of a file."""
    return path.read_bytes(), S_IMODE(path.lstat().st_mode)


@pytest.fixture
def umask() -> Iterator[None]:
    """Let the umask be a usual one, or what a test sets."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(
    ("mask", "mode", "expected"),
    [(0o022, None, 0o644), (0o077, None, 0o600), (0o002, None, 0o644), (0o277, 0o600, 0o600), (0o022, 0o666, 0o666)],
)
def test_a_new_file_has_the_given_permissions_or_those_of_the_umask(
    tmp_path: Path, mask: int, mode: int | None, expected: int
) -> None:
    os.umask(mask)
    write_new(tmp_path / "new", b"content", mode)
    assert state_of(tmp_path / "new") == (b"content", expected)


@pytest.mark.usefixtures("umask")
def test_a_private_file_is_private_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before: list[int] = []
    monkeypatch.setattr(os, "fchmod", lambda file, _mode: before.append(S_IMODE(os.fstat(file).st_mode)))
    write_new(tmp_path / "new", b"content", 0o600)
    assert before == [0o600]


def test_a_file_is_on_the_disk_before_it_replaces_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    written: list[set[bytes]] = []
    monkeypatch.setattr(os, "fsync", lambda _file: written.append({each.read_bytes() for each in tmp_path.iterdir()}))
    replace_file(path, b"new", 0o600)
    assert (written, path.read_bytes()) == ([{b"old", b"new"}], b"new")


def test_no_file_or_link_is_overwritten_by_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link"):
        with pytest.raises(FileExistsError):
            write_new(tmp_path / name, b"new")
    assert (state_of(tmp_path / "file")[0], names_in(tmp_path)) == (b"old", ["file", "link"])


def test_a_file_is_replaced_and_not_its_target(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "file"
    victim.write_bytes(b"old")
    path.symlink_to(victim)
    replace_file(path, b"new", 0o640)
    assert (path.is_symlink(), state_of(path), victim.read_bytes()) == (False, (b"new", 0o640), b"old")
    with victim.open("rb") as opened:
        replace_file(victim, b"new", 0o600)
        assert (opened.read(), state_of(victim)) == (b"old", (b"new", 0o600))
    assert names_in(tmp_path) == ["file", "victim"]


def test_a_relative_path_begins_at_the_open_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    monkeypatch.chdir(other)
    opened = os.open(folder, os.O_RDONLY)
    try:
        write_new("new", b"1", folder=opened)
        replace_file("file", b"2", 0o600, opened)
    finally:
        os.close(opened)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"new": b"1", "file": b"2"}
    assert names_in(other) == []


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_what_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: type[BaseException]
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise error

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(error):
        replace_file(tmp_path / "file", b"new", 0o600)
    assert (names_in(tmp_path), (tmp_path / "file").read_bytes()) == (["file"], b"old")


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xc3\xbc\n")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "other").write_bytes(b"a\xff")
    assert read_text(tmp_path / "file") == "\u00fc\n"
    for path in (tmp_path / "link", tmp_path, tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(OSError, match=r"^$"):
            read_text(path)
    with pytest.raises(UnicodeDecodeError):
        read_text(tmp_path / "other")
    assert read_text(tmp_path / "other", errors="replace") == "a\ufffd"


def test_a_temporary_name_is_hidden_and_new() -> None:
    names = {temporary_name() for _time in range(100)}
    assert len(names) == 100
    assert all(name.startswith(".managedfs.") and name.endswith(".tmp") for name in names)
