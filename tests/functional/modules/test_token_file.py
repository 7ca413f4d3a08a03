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

from emulator import Dialect, Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import Run
from functional.support.one_volume import Console

TOKEN = "token-of-web-0123"
SECRET = "somebody else's"
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
    "longer": (f"{TOKEN}\n{TOKEN}\n", 0o600, True),
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


@pytest.mark.promise("token-files-are-private")
def test_a_link_in_the_place_of_the_file_is_replaced_and_not_followed(web: Console, file: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    put(victim, SECRET, 0o644)
    file.symlink_to(victim)
    assert export(web, file)["changed"] is True
    assert (file.is_symlink(), state_of(file), state_of(victim)) == (False, (f"{TOKEN}\n", 0o600), (SECRET, 0o644))


A_FOLDER, NO_FILE = "is a folder. Name a file in it.", "is not a regular file."


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("{}/folder", A_FOLDER),
        ("{}/link", A_FOLDER),
        ("{}/", A_FOLDER),
        ("{}/folder/..", A_FOLDER),
        ("{}/fifo", NO_FILE),
        ("/dev/null", NO_FILE),
        ("/dev/null/web", "is not a folder."),
        ("/" + "x" * 300, "cannot be used: File name too long."),
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
    os.mkfifo(folder / "fifo")
    for check in (False, True):
        result = export(web, path.format(folder), state=state, check=check)
        assert result["msg"].endswith(message)
        assert (result["failed"], result["changed"], web.emulator.requests) == (True, False, [])


def test_a_path_may_begin_with_a_home(web: Console, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("HOME", str(file.parent))
    assert export(web, "/nowhere/web")["msg"] == "The folder of token_file /nowhere/web does not exist."
    assert web.emulator.requests == []
    for nothing in (" ", None):
        result = web.export(desc="web", token_file=nothing)
        assert ("failed" in result, result["changed"], list(file.parent.iterdir())) == (False, False, [])
    assert (export(web, "~/web")["changed"], list(file.parent.iterdir())) == (True, [file])


@pytest.mark.promise("token-files-are-private")
@pytest.mark.parametrize(
    "where", ["folder", "folder above", "link", "folder of a link", "folder above the target of a link"]
)
@pytest.mark.parametrize("problem", ["another user's", "open to everybody", "open to a group"])
def test_a_folder_that_others_could_exchange_is_refused_before_the_first_request(
    web: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str, where: str
) -> None:
    shared, private = tmp_path / "shared", tmp_path / "own"
    (shared / "below").mkdir(parents=True)
    private.mkdir()
    (shared / "link").symlink_to(private)
    (private / "link").symlink_to(shared / "below")
    folders = {
        "folder": shared,
        "folder above": shared / "below",
        "folder above the target of a link": private / "link",
    }
    target = folders.get(where, shared / "link")
    put(target / "web", SECRET)
    if problem == "another user's":
        give_away(target if where == "link" else shared, monkeypatch)
    elif problem == "open to everybody":
        shared.chmod(0o777)
    else:
        shared.chmod(0o775)
        group = shared.stat().st_gid + 1
        if IS_ROOT:
            os.chown(shared, -1, group)
        else:
            monkeypatch.setattr(os, "getegid", lambda: group)
    for state in ("present", "absent"):
        message = export(web, target / "web", state=state)["msg"]
        assert "The folder of token_file" in message
        assert "is not safe: " in message
    assert (web.emulator.requests, state_of(target / "web")) == ([], (SECRET, 0o600))


@pytest.mark.promise("token-files-are-private")
@pytest.mark.parametrize("problem", ["another user's", "open to everybody"])
def test_a_folder_between_two_links_is_checked(
    web: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    safe, other, private = tmp_path / "safe", tmp_path / "other", tmp_path / "own"
    for folder in (safe, other, private):
        folder.mkdir()
    (other / "second").symlink_to("../own")
    (safe / "first").symlink_to(other / "second")
    assert "failed" not in export(web, safe / "first" / "web", check=True)
    if problem == "another user's":
        give_away(other, monkeypatch)
    else:
        other.chmod(0o777)
    message = export(web, safe / "first" / "web")["msg"]
    assert "is not safe: " in message
    assert str(other) in message
    (safe / "round").symlink_to("round")
    assert "cannot be used: Too many levels of symbolic links" in export(web, safe / "round" / "web")["msg"]


@pytest.mark.parametrize(
    ("function", "answer", "message"),
    [
        ("access", False, "The folder of token_file {} is not writable."),
        pytest.param(
            *("geteuid", 4242, "token_file {} belongs to another user, and cannot be replaced."),
            marks=pytest.mark.skipif(not IS_ROOT, reason="needs files of several users"),
        ),
    ],
    ids=["the folder is read-only", "the file is another user's"],
)
def test_a_file_that_cannot_be_replaced_is_named_before_the_first_request(
    web: Console, file: Path, monkeypatch: pytest.MonkeyPatch, function: str, answer: int, message: str
) -> None:
    file.parent.chmod(0o1777)
    file.touch()
    with monkeypatch.context() as patch:
        # Tests may run as the super-user, who may write everywhere.
        patch.setattr(os, function, lambda *_arguments, **_options: answer)
        result = export(web, file)
    assert (result["msg"], web.emulator.requests) == (message.format(file), [])
    # A folder that everybody can write to is safe with the sticky bit.
    assert (export(web, file)["changed"], state_of(file)) == (True, (f"{TOKEN}\n", 0o600))


def test_a_file_that_nobody_may_read_is_written(web: Console, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def open_to_write(path: str, flags: int, *arguments: Any, **options: Any) -> int:
        # Tests may run as the super-user, who may read everywhere.
        if path == file.name and flags & os.O_ACCMODE == os.O_RDONLY:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *arguments, **options)

    put(file, SECRET)
    monkeypatch.setattr(os, "open", open_to_write)
    assert (export(web, file)["changed"], state_of(file)) == (True, (f"{TOKEN}\n", 0o600))


def test_a_folder_that_is_exchanged_meanwhile_does_not_get_the_token(
    web: Console, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, folder, real = tmp_path / "outside", file.parent, os.open
    outside.mkdir()

    def open_after_the_exchange(path: str, flags: int, *arguments: Any, **options: Any) -> int:
        if flags & os.O_CREAT and str(path).endswith(".tmp") and not folder.is_symlink():
            folder.rename(tmp_path / "before")
            folder.symlink_to(outside)
        return real(path, flags, *arguments, **options)

    monkeypatch.setattr(os, "open", open_after_the_exchange)
    export(web, file)
    assert list(outside.iterdir()) == []
    assert state_of(tmp_path / "before" / "web") == (f"{TOKEN}\n", 0o600)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_is_a_change_of_the_export_alone(
    console: Console, file: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    put(file, SECRET)
    monkeypatch.setattr(os, failing, fail)
    for changed in (True, False):
        result = export(console, file, iprange="*")
        assert result["msg"] == f"token_file {file} cannot be used: No space left on device."
        assert (result["failed"], result["changed"], result["export"]["desc"]) == (True, changed, "web")
    assert (list(file.parent.iterdir()), state_of(file)) == ([file], (SECRET, 0o600))


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
    # If the export is gone, its file is removed, too; of a link, only the link.
    put(tmp_path / "victim", SECRET)
    file.symlink_to(tmp_path / "victim")
    assert (export(web, file, state="absent")["changed"], list(file.parent.iterdir())) == (True, [])
    assert state_of(tmp_path / "victim") == (SECRET, 0o600)
    nothing = export(web, tmp_path / "no" / "web", state="absent")
    assert (nothing["changed"], "failed" in nothing) == (False, False)


@pytest.mark.parametrize("token", [None, " ", ["a"], True, 1.5, "a\nb", "****"], ids=repr)
def test_what_is_no_token_replaces_none(emulator: Emulator, run: Run, volume: int, file: Path, token: object) -> None:
    serve_lists(emulator, "exports$", [{"id": 1, "desc": "web", "iprange": "*", "token": token}])
    put(file, SECRET)
    for check in (True, False):
        result = run("export", volume_id=volume, desc="web", token_file=str(file), check=check)
        assert (result["changed"], state_of(file)) == (False, (SECRET, 0o600))
        assert result["msg"] == (
            f"export 'web' (id 1): the console does not show its token, so nothing was written to {file}. Look it up in"
            " the console."
        )


def test_a_console_that_shows_no_token_has_made_the_export(console: Console, file: Path) -> None:
    console.emulator.dialect = Dialect(record_fields="sent")
    result = export(console, file, iprange="*")
    assert "the console does not show its token" in result["msg"]
    assert (result["failed"], result["changed"], result["export"]["desc"]) == (True, True, "web")
    assert list(file.parent.iterdir()) == []
