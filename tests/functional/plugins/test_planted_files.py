# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Folders that others can write to: nothing outside is read or replaced, no task waits, and none reveals secrets."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.controller.action import write_files
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files import writing
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.writing import (
    plan_files,
    read_max_removals,
)
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.files.yaml_text import to_yaml
from functional.support.files import items_in

MIB = 1 << 20
MAX_REMOVALS = read_max_removals("50%")
SECRET = "hunter2"


def _link_to(outside: str) -> Callable[[Path], object]:
    """Return a function that creates a link to a file with a secret, whose path is relative to the folder."""

    def put(path: Path) -> None:
        file = path.parent / outside
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"name: {SECRET}\n", encoding="utf-8")
        path.symlink_to(outside)

    return put


def _link_through_a_folder(path: Path) -> None:
    _link_to("../outside/a.yml")(path.parent / ".unread")
    (path.parent / ".linked").symlink_to("../outside")
    path.symlink_to(".linked/a.yml")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        # The address of a socket must be short.
        folder = os.open(path.parent, os.O_DIRECTORY)
        server.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


_LEADS_OUT = "it is a link that leads out of the folder"
_NOT_REGULAR = "it is not a regular file"

PLANTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link out of the folder": (_link_to("../outside.yml"), _LEADS_OUT),
    "a link through another": (_link_through_a_folder, _LEADS_OUT),
    "a link to a folder of a similar name": (_link_to("../desired-2/a.yml"), _LEADS_OUT),
    "a link to nothing outside": (lambda path: path.symlink_to("/nowhere/a.yml"), _LEADS_OUT),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), _LEADS_OUT),
    "a link to itself": (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    "a FIFO": (os.mkfifo, _NOT_REGULAR),
    "a socket": (_socket, "No such device or address"),
    "a huge file": (lambda path: path.write_bytes(bytes(16 * MIB + 1)), "it is larger than 16 MiB"),
}


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    """Abort a test that would wait for ever."""

    def fail(_signal: int, _frame: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file."""
    path = tmp_path / "desired"
    path.mkdir()
    (path / "b.yml").write_text("name: b\n", encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, object]]:
    """Return the items of a file or folder."""
    return items_in(path, path.name, bytes)


def refuse(path: Path) -> str:
    """Return the reason why a file or folder is not read."""
    with pytest.raises(ConsoleError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.promise("regular-files-only")
@pytest.mark.parametrize("plant", PLANTS)
def test_only_regular_files_of_the_folder_are_read(folder: Path, plant: str) -> None:
    put, reason = PLANTS[plant]
    put(folder / "a.yml")
    message = refuse(folder)
    assert message.startswith("desired/a.yml: ")
    assert reason in message
    assert SECRET not in message
    # A source may be a link, but must lead to such a file, too.
    assert (folder / "a.yml").is_symlink() or reason in refuse(folder / "a.yml")
    assert _NOT_REGULAR in refuse(Path("/dev/zero"))


@pytest.mark.parametrize("plant", PLANTS)
def test_a_capture_neither_reads_nor_replaces_what_is_no_file_of_its_folder(folder: Path, plant: str) -> None:
    def entries() -> dict[str, tuple[int, int]]:
        found = {path.name: path.lstat() for path in folder.parent.rglob("*")}
        return {name: (entry.st_ino, entry.st_mtime_ns) for name, entry in found.items()}

    put, reason = PLANTS[plant]
    put(folder / "a.yml")
    before = entries()
    for remove in (False, True):
        with pytest.raises(ConsoleError) as caught:
            plan_files(folder, [{"name": "a"}, {"name": "c"}], remove, MAX_REMOVALS)
        assert reason in str(caught.value)
        assert str(caught.value).endswith("Nothing was written.")
    assert entries() == before
    if plant != "a huge file":
        (folder / "a.yml").rename(folder / "x.yml")
        changes, _unchanged = plan_files(folder, [{"name": "a"}], True, MAX_REMOVALS)
        assert [change.path.name for change in changes] == ["a.yml"]
        write_files(folder, changes)
        assert os.path.lexists(folder / "x.yml")


def test_a_volume_whose_file_would_be_too_large_to_be_read_again_is_not_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = {"name": "a", "extra_fields": {"x": "u" * 200}}
    monkeypatch.setattr(writing, "MAX_SIZE", len(to_yaml(item)))
    assert plan_files(folder, [item], False, MAX_REMOVALS)
    with pytest.raises(ConsoleError, match=r"Leave out the volume of a\.yml: it is larger than 16 MiB"):
        plan_files(folder, [{"name": "a", "extra_fields": {"x": "ü" * 200}}], False, MAX_REMOVALS)


def test_links_within_the_folder_and_those_that_the_user_names_are_followed(folder: Path, tmp_path: Path) -> None:
    # Kubernetes mounts configuration like this.
    data = folder / "..2026_01"
    data.mkdir()
    (data / "a.yml").write_text("name: a\n", encoding="utf-8")
    (folder / "..data").symlink_to(data.name)
    (folder / "a.yml").symlink_to("..data/a.yml")
    assert plan_files(folder, [{"name": "a"}], False, MAX_REMOVALS)[0][0].before == "name: a\n"
    (tmp_path / "link").symlink_to("desired")
    assert read(folder) == read(tmp_path / "link") == [{"name": "a"}, {"name": "b"}]
    (tmp_path / "file").symlink_to("desired/a.yml")
    assert read(tmp_path / "file") == [{"name": "a"}]


PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7hunter2\nvG4hunter2==\n-----END PRIVATE KEY-----\n"
NO_STATE: dict[str, str | bytes] = {
    "a private key": PRIVATE_KEY,
    "shadow": "root:$6$hunter2$hunter2:19000:0:99999:7:::\nbin:*:19000::::::\n",
    "a password": "hunter2",
    "a password that begins like a number": "0hunter2",
    "a password as a key": "hunter2: x",
    "a secret of Kubernetes": "apiVersion: v1\nkind: Secret\ndata: {x: hunter2}\n",
    "a tag that does not fit": "!!int |\n  hunter2\n  hunter2\n",
    "a tag that does not fit, in an item": "name: x\nregion: !!int |\n  line\n  hunter2",
    "text with several lines as a list": "name: x\nexports: |\n  line\n  hunter2\n",
    "text with several lines as a number": "name: x\nregion: |\n  line\n  hunter2\n",
    "an escaped line break": 'name: x\nquotas:\n- path: "line\\\n  \\nhunter2"\n',
    "lines as a key": "name: x\nexports:\n- desc: |\n    line\n    hunter2\n  x: y\n",
    "lines twice": "- name: &n |\n    line\n    hunter2\n- name: *n\n",
    "lines as an option": 'name: x\n"line\\nhunter2": 1\n',
    "a long line": f"name: x\n{'x' * 1000}hunter2: y",
    "a program": b"\x7fELF\x02hunter2\xff\xfe",
    "binary": b"\0hunter2",
}


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("content", NO_STATE.values(), ids=NO_STATE)
def test_a_file_that_is_no_state_file_is_not_repeated(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "a.yml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    message = refuse(tmp_path)
    assert "a.yml" in message
    assert SECRET not in message
    assert len(message) < 400 + len(str(tmp_path))
