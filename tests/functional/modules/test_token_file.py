# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The token of an export in a file: whole, private, at the given path, and nowhere else."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from stat import S_IMODE
from typing import Any

import pytest

from emulator import Emulator, Fault
from functional.support.inprocess import Run
from functional.support.one_volume import Console, serve_lists

TOKEN = "token-of-web-0123"
OLD = "token-of-old-4567"
IS_ROOT = os.geteuid() == 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the file for a token, which does not exist yet, in a folder for tokens."""
    (tmp_path / "tokens").mkdir(mode=0o700)
    return tmp_path / "tokens" / "web"


@pytest.fixture
def web(console: Console) -> Console:
    """Return a console that has the export web, and no request yet."""
    console.has_export(desc="web", iprange="*", token=TOKEN)
    return console


def export(console: Console, path: object, **options: Any) -> dict[str, Any]:
    """Run the module export, with a token file of this path."""
    return console.export(desc="web", token_file=str(path), **options)


def state_of(path: Path) -> tuple[str, int]:
    """Return content and permissions of a file itself."""
    return path.read_text(encoding="utf-8"), S_IMODE(path.lstat().st_mode)


def put(path: Path, content: str, permissions: int = 0o600) -> None:
    """Write a file with these permissions."""
    path.write_text(content, encoding="utf-8")
    path.chmod(permissions)


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a path belong to another user than the one that runs."""
    if IS_ROOT:
        os.chown(path, 4242, 4242, follow_symlinks=False)
    else:
        other = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: other)


@pytest.mark.promise("token-files-are-private")
def test_the_token_of_a_new_export_is_written_once_and_shown_nowhere(console: Console, file: Path) -> None:
    predicted = export(console, file, iprange="10.0.0.0/8", check=True)
    assert (predicted["changed"], list(file.parent.iterdir())) == (True, [])
    # This holds with any umask.
    before = os.umask(0o277)
    try:
        first, again = (export(console, file, iprange="10.0.0.0/8") for _time in range(2))
    finally:
        os.umask(before)
    token = console.exports[0]["token"]
    assert (state_of(file), list(file.parent.iterdir())) == ((f"{token}\n", 0o600), [file])
    assert (first["changed"], again["changed"], first["warnings"]) == (True, False, [])
    assert predicted["diff"] == first["diff"]
    assert first["diff"]["after"]["token_file"] == str(file)
    assert first["msg"] == "export 'web' of volume 'v': created, token file written"
    assert again["msg"].endswith("unchanged")
    assert "token_file" not in again["diff"]["after"]
    assert token not in json.dumps([predicted, first, again])


FILES = {
    "as it should be": (f"{TOKEN}\n", 0o600, False),
    "readable by the group": (f"{TOKEN}\n", 0o640, True),
    "not writable": (f"{TOKEN}\n", 0o400, True),
    "without a line feed": (TOKEN, 0o600, True),
    "another token": (f"{OLD}\n", 0o600, True),
    "empty": ("", 0o600, True),
}


@pytest.mark.parametrize(("content", "permissions", "is_due"), FILES.values(), ids=FILES)
def test_a_file_that_differs_is_written(web: Console, file: Path, content: str, permissions: int, is_due: bool) -> None:
    put(file, content, permissions)
    before = file.stat().st_ino
    with file.open(encoding="utf-8") as opened:
        predicted = export(web, file, check=True)
        assert state_of(file) == (content, permissions)
        result = export(web, file)
        # Whoever has the old file open sees no new token.
        assert opened.read() == content
    assert predicted["changed"] is result["changed"] is (file.stat().st_ino != before) is is_due
    assert (state_of(file), web.sent) == ((f"{TOKEN}\n", 0o600), [])


OTHERS = {
    "a sentence": "somebody else's\n",
    "two tokens": f"{TOKEN}\n{OLD}\n",
    "a key": "-----BEGIN PRIVATE KEY-----\nMIIE\n",
    "a control character": "token\x00",
    "no text": b"\xff\xfe",
    "too much": "a" * (1 << 16),
}


@pytest.mark.promise("token-files-are-private")
@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_a_file_that_holds_something_else_is_neither_overwritten_nor_removed(
    web: Console, file: Path, content: str | bytes, state: str
) -> None:
    raw = content.encode() if isinstance(content, str) else content
    file.write_bytes(raw)
    for check in (True, False):
        result = export(web, file, state=state, check=check)
        assert f"token_file {file} does not hold a token, so it is neither overwritten" in result["msg"]
        assert (result["changed"], web.emulator.requests, file.read_bytes()) == (False, [], raw)


A_FOLDER, NO_FILE = "is a folder. Name a file in it.", "must be a regular file."


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("{}/folder", A_FOLDER),
        ("{}/link", NO_FILE),
        ("{}/dangling", NO_FILE),
        ("{}/", A_FOLDER),
        ("{}/folder/..", A_FOLDER),
        ("{}/fifo", NO_FILE),
        ("/dev/null", NO_FILE),
        ("/dev/null/web", "must be a folder."),
        ("/" + "x" * 300, "cannot be used: File name too long. Choose another file."),
        ("./web", "token_file ./web must be an absolute path."),
        ("~nosuchuser/web", "must be an absolute path."),
    ],
    ids=lambda value: value[:30],
)
def test_a_path_that_cannot_be_used_is_named_before_the_first_request(
    web: Console, file: Path, monkeypatch: pytest.MonkeyPatch, path: str, message: str, state: str
) -> None:
    folder = file.parent
    monkeypatch.chdir(folder)
    (folder / "folder").mkdir()
    (folder / "link").symlink_to("folder")
    (folder / "dangling").symlink_to("nowhere")
    os.mkfifo(folder / "fifo")
    for check in (False, True):
        result = export(web, path.format(folder), state=state, check=check)
        assert result["msg"].endswith(message)
        assert (result["failed"], result["changed"], web.emulator.requests) == (True, False, [])


@pytest.mark.promise("token-files-are-private")
@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize("problem", ["another user's", "open to everybody", "open to a group", "sticky"])
def test_a_folder_that_others_can_write_to_is_refused_before_the_first_request(
    web: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str, is_linked: bool
) -> None:
    shared, link = tmp_path / "shared", tmp_path / "link"
    shared.mkdir()
    link.symlink_to(shared)
    file = (link if is_linked else shared) / "web"
    put(file, OLD)
    if problem == "another user's":
        give_away(shared, monkeypatch)
    elif problem == "open to a group":
        shared.chmod(0o775)
        group = shared.stat().st_gid + 1
        if IS_ROOT:
            os.chown(shared, -1, group)
        else:
            monkeypatch.setattr(os, "getegid", lambda: group)
    else:
        shared.chmod(0o1777 if problem == "sticky" else 0o777)
    wanted = "belongs to another user (id" if problem == "another user's" else "can be written to by other users."
    for state in ("present", "absent"):
        assert f"The folder of token_file {file} {wanted}" in export(web, file, state=state)["msg"]
    assert (web.emulator.requests, state_of(file)) == ([], (OLD, 0o600))


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_is_a_change_of_the_export_alone(
    console: Console, file: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    put(file, OLD)
    monkeypatch.setattr(os, failing, fail)
    for changed in (True, False):
        result = export(console, file, iprange="*")
        assert result["msg"] == f"token_file {file} cannot be used: No space left on device. Choose another file."
        assert (result["failed"], result["changed"], result["export"]["desc"]) == (True, changed, "web")
    assert (list(file.parent.iterdir()), state_of(file)) == ([file], (OLD, 0o600))


def test_the_file_goes_with_the_export(web: Console, file: Path, tmp_path: Path) -> None:
    put(file, f"{TOKEN}\n")
    predicted = export(web, file, state="absent", check=True)
    assert (predicted["changed"], file.exists()) == (True, True)
    web.emulator.inject(Fault("status", method="DELETE", status=403))
    assert (export(web, file, state="absent")["failed"], file.exists()) == (True, True)
    first, again = (export(web, file, state="absent") for _time in range(2))
    assert (first["changed"], again["changed"], "failed" in again, file.exists()) == (True, False, False, False)
    assert first["msg"].endswith("of volume 'v': deleted, token file removed")
    assert predicted["diff"] == first["diff"]
    assert first["diff"]["before"]["token_file"] == str(file)
    assert (first["warnings"], again["warnings"]) == ([], [])
    nothing = export(web, tmp_path / "no" / "web", state="absent")
    assert (nothing["changed"], "failed" in nothing) == (False, False)


@pytest.mark.promise("token-files-are-private")
def test_the_file_stays_where_no_export_was_deleted(web: Console, file: Path) -> None:
    put(file, f"{OLD}\n")
    for check in (True, False):
        result = web.export(desc="wbe", state="absent", token_file=str(file), check=check)
        assert (result["changed"], state_of(file)) == (False, (f"{OLD}\n", 0o600))
        (warning,) = result["warnings"]
        assert warning.startswith(f"token_file {file} was not removed, since nothing was deleted")


@pytest.mark.parametrize("token", [None, " ", ["a"], True, 1.5, "a\nb", "a b", "****"], ids=repr)
def test_what_is_no_token_replaces_none(emulator: Emulator, run: Run, volume: int, file: Path, token: object) -> None:
    serve_lists(emulator, "exports$", [{"id": 1, "desc": "web", "iprange": "*", "token": token}])
    put(file, OLD)
    for check in (True, False):
        result = run("export", volume_id=volume, desc="web", token_file=str(file), check=check)
        assert (result["changed"], state_of(file)) == (False, (OLD, 0o600))
        assert result["msg"] == (
            f"export 'web' (id 1): the console does not show its token, so nothing was written to {file}. Look it up in"
            " the console."
        )
